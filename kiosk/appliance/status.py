"""`fairdeal kiosk status`: units, versions, last errors and the page's address."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

from calibration.finding import Finding, Verdict
from kiosk.appliance import units
from kiosk.appliance.machine import Machine, os_release, systemd_version
from kiosk.appliance.settings import FILE, ApplianceSettings, read_settings
from rules.errors import FairdealError, plain

SHOWN = ("ActiveState", "SubState", "StatusText", "NRestarts", "UnitFileState")
VERSIONS = "/opt/fairdeal"
ERRORS = 5  # lines of the referee's last messages


def examine(machine: Machine, version: str) -> Iterator[Finding]:
    """What can be said of this machine as an appliance; `version`: that of this program."""
    yield Finding("version", Verdict.GOOD, f"fairdeal {version}, {_system(machine)}")
    yield from _versions(machine)
    if not machine.path(f"{units.UNITS}/{units.SERVICE}").exists():
        yield Finding("appliance", Verdict.BAD, "not installed", "sudo fairdeal kiosk install")
        return
    settings = _settings(machine)
    yield _unit(machine, units.SERVICE)
    if machine.path(f"{units.UNITS}/{units.SCREEN}").exists():
        yield _unit(machine, units.SCREEN)
    if isinstance(settings, Finding):
        yield settings
    else:
        yield Finding("page", Verdict.GOOD, ", ".join(addresses(settings)))
    yield from _memory(machine)
    yield from _errors(machine)


def addresses(settings: ApplianceSettings) -> list[str]:
    """Where the page is: on this machine, and by which name phones reach it."""
    found = [f"http://localhost:{settings.port}/"]
    if settings.host == "0.0.0.0":
        found.append(f"http://{socket.gethostname()}.local:{settings.port}/")
    elif settings.host not in ("127.0.0.1", "localhost", "::1"):
        found.append(f"http://{settings.host}:{settings.port}/")
    return found


def _system(machine: Machine) -> str:
    name = os_release(machine).get("PRETTY_NAME", "an unknown system")
    return f"{name}, systemd {systemd_version(machine.run)}, {os.uname().machine}"


def _versions(machine: Machine) -> Iterator[Finding]:
    folder = machine.path(VERSIONS)
    if not (folder / "current").is_symlink():
        return
    current = os.readlink(folder / "current")
    kept = sorted(path.name for path in folder.glob("kept/*"))
    words = f"{Path(current).name} runs" + (f", {', '.join(kept)} kept" if kept else "")
    if (folder / "trial").exists():
        words += ", on trial"
    if current.startswith("kept/"):
        why = _text(folder / "rolled-back") or "the new version failed its self-test"
        yield Finding("update", Verdict.WARN, f"{words}: {why}", "install another version")
    else:
        yield Finding("update", Verdict.GOOD, words)


def _text(path: Path) -> str:
    try:
        return plain(path.read_text(encoding="utf-8", errors="replace").strip()[:300])
    except OSError:
        return ""


def _settings(machine: Machine) -> ApplianceSettings | Finding:
    try:
        return read_settings(machine.path(FILE)) or ApplianceSettings()
    except PermissionError:
        return Finding("page", Verdict.WARN, "only root may read the settings", "use sudo")
    except FairdealError as error:
        if not os.access(machine.path(FILE), os.R_OK):
            return Finding("page", Verdict.WARN, "only root may read the settings", "use sudo")
        return Finding("settings", Verdict.BAD, str(error), "sudo fairdeal kiosk install")


def _unit(machine: Machine, name: str) -> Finding:
    done = machine.run(["systemctl", "show", name, *(f"--property={key}" for key in SHOWN)])
    facts = dict(line.partition("=")[::2] for line in done.out.splitlines())
    state = facts.get("ActiveState") or "unknown"
    words = [state, *(w for w in (facts.get("SubState"), facts.get("UnitFileState")) if w)]
    restarts = facts.get("NRestarts", "0")
    if restarts not in ("0", ""):
        words.append(f"started again {restarts} times")
    if facts.get("StatusText"):
        words.append(plain(facts["StatusText"]))
    is_good = state == "active"
    todo = "" if is_good else f"journalctl -u {name} -n 50"
    return Finding(name, Verdict.GOOD if is_good else Verdict.BAD, ", ".join(words), todo)


def _memory(machine: Machine) -> Iterator[Finding]:
    """A Pi's kernel leaves the memory controller off: MemoryMax= then has no effect."""
    try:
        text = machine.path("/sys/fs/cgroup/cgroup.controllers").read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        return
    if "memory" not in text.split():
        todo = "add cgroup_enable=memory to /boot/firmware/cmdline.txt, restart"
        yield Finding("memory limit", Verdict.WARN, "the kernel's controller is off", todo)


def _errors(machine: Machine) -> Iterator[Finding]:
    done = machine.run(["journalctl", "--quiet", "--no-pager", "--output=short-iso",
                        "--lines=500", "--unit", units.SERVICE])  # fmt: skip
    lines = [line for line in done.out.splitlines() if ": fairdeal: " in line]
    for line in lines[-ERRORS:]:
        when, _, words = line.partition(": fairdeal: ")
        yield Finding("said", Verdict.WARN, f"{when.split(' ')[0]} {plain(words)[:300]}")
