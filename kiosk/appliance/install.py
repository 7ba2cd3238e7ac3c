"""`fairdeal kiosk install` and `uninstall`: which steps make an appliance, and which undo it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from kiosk.appliance import units
from kiosk.appliance.machine import (
    BROWSERS,
    Machine,
    can_arrange,
    check_machine,
    check_open,
)
from kiosk.appliance.settings import FILE, ApplianceSettings, settings_text
from kiosk.appliance.steps import Command, Remove, Step, Write, shown, take
from rules.errors import FairdealError

STATE = "/var/lib/fairdeal"
TARGET_FILE = "/etc/fairdeal/default-target"  # what the system started before
RUNNING_FILES = ("/run/fairdeal-appliance", "/run/fairdeal-screen")


def install(
    machine: Machine, settings: ApplianceSettings, program: Path,
    say: Callable[[str], None], *, dry: bool = False,
) -> None:  # fmt: skip
    """Makes the machine an appliance, or brings one up to date. Raises FairdealError."""
    check_machine(machine, screen=settings.screen)
    if settings.screen and settings.blank_min and not can_arrange(machine):
        raise FairdealError("a compositor that can switch screens off, as Debian 13 has",
                            "cage of Debian 12", "leave --blank-min at 0")  # fmt: skip
    _check_program(machine, program)
    _carry_out(machine, list(install_steps(machine, settings, program)), say, dry=dry)


def uninstall(
    machine: Machine, say: Callable[[str], None], *, purge: bool = False, dry: bool = False
) -> None:
    """Takes all of it back; games and calibrations stay unless `purge`. Raises FairdealError."""
    steps = list(uninstall_steps(machine, purge=purge))
    if not any(shown(machine, step) for step in steps):
        say("nothing to take back")
        return
    _carry_out(machine, steps, say, dry=dry)


def install_steps(machine: Machine, settings: ApplianceSettings, program: Path) -> Iterator[Step]:
    """The steps of installing, in order. Each may be taken again without harm."""
    yield from _files(machine, settings, program)
    yield Command(("systemctl", "daemon-reload"))
    if settings.screen:
        yield from _text_start(machine)
    else:
        yield from _without_screen(machine)
    names = units.BOTH if settings.screen else units.BOTH[:1]
    yield _systemctl("enable", *names)
    # The screen first: it shows how the referee starts.
    if settings.screen:
        yield Command(("systemctl", "restart", units.SCREEN))
    yield Command(("systemctl", "restart", units.SERVICE))


def _files(machine: Machine, settings: ApplianceSettings, program: Path) -> Iterator[Step]:
    for name in units.HELPERS:
        mode = 0o755 if name.endswith(".sh") else 0o644
        yield Write(f"{units.LIBRARY}/{name}", units.helper_text(name), mode)
    yield Write(units.USERS_FILE, units.users_file(machine.groups()))
    yield Command(
        ("systemd-sysusers", Path(units.USERS_FILE).name),
        ("systemd-sysusers", "--root={root}", Path(units.USERS_FILE).name),
    )
    # A stream's address may hold a password: only root and the referee read it.
    yield Write(str(FILE), settings_text(settings), 0o640, "fairdeal")
    yield Write(f"{units.UNITS}/{units.SERVICE}", units.service_unit(settings, program))
    cage, browser = machine.program("cage"), machine.program(*BROWSERS)
    if settings.screen and cage and browser:
        can = can_arrange(machine)
        unit = units.screen_unit(settings, cage, browser, can_arrange=can)
        yield Write(f"{units.UNITS}/{units.SCREEN}", unit)


def _text_start(machine: Machine) -> Iterator[Step]:
    """A desktop would draw on the same screen: the system starts without it."""
    if not machine.has_desktop() or machine.path(TARGET_FILE).exists():
        return
    link = machine.path("/etc/systemd/system/default.target")
    before = os.readlink(link) if link.is_symlink() else "graphical.target"
    yield Write(TARGET_FILE, Path(before).name + "\n")
    yield _systemctl("set-default", "multi-user.target")


def _without_screen(machine: Machine) -> Iterator[Step]:
    unit = f"{units.UNITS}/{units.SCREEN}"
    if machine.path(unit).exists():
        yield Command(("systemctl", "disable", "--now", units.SCREEN), may_fail=True)
        yield Remove(unit)
        yield from _desktop_again(machine)


def _desktop_again(machine: Machine) -> Iterator[Step]:
    file = machine.path(TARGET_FILE)
    if file.exists():
        yield _systemctl("set-default", file.read_text(encoding="utf-8").strip())
        yield Remove(TARGET_FILE)


def uninstall_steps(machine: Machine, *, purge: bool) -> Iterator[Step]:
    """The steps of removing, in order. What was never there is left out."""
    there = [name for name in units.BOTH if machine.path(f"{units.UNITS}/{name}").exists()]
    if there:
        yield Command(("systemctl", "stop", *reversed(there)), may_fail=True)
        yield Command(
            ("systemctl", "disable", *there),
            ("systemctl", "--root={root}", "disable", *there),
            may_fail=True,
        )
    yield from _desktop_again(machine)
    for name in there:
        yield Remove(f"{units.UNITS}/{name}")
    if there:
        yield Command(("systemctl", "daemon-reload"))
        yield Command(("systemctl", "reset-failed", *there), may_fail=True)
    for path in (units.LIBRARY, units.USERS_FILE, "/etc/fairdeal", *RUNNING_FILES):
        yield Remove(path)
    if purge:
        yield Remove(STATE)
    elif machine.path(STATE).exists():
        # The user goes: a later user of the same number must not own the games.
        yield Command(("chown", "-R", "root:root", STATE))
    for kind, file in (("userdel", "/etc/passwd"), ("groupdel", "/etc/group")):
        for name in ("fairdeal-screen", "fairdeal"):
            if machine.number_of(file, name) is not None:
                # userdel takes the group along where login.defs says so.
                yield Command(
                    (kind, name), (kind, "--prefix", "{root}", name), may_fail=kind == "groupdel"
                )


def _systemctl(verb: str, *names: str) -> Command:
    return Command(("systemctl", verb, *names), ("systemctl", "--root={root}", verb, *names))


def _check_program(machine: Machine, program: Path) -> None:
    """The program must be open to the service's user; in a folder's system it must be there."""
    if machine.is_running:
        check_open(program)
    elif not os.path.lexists(machine.path(program)):
        raise FairdealError("fairdeal in that system", "none", "install the .deb there first",
                            str(machine.root))  # fmt: skip


def _carry_out(
    machine: Machine, steps: list[Step], say: Callable[[str], None], *, dry: bool
) -> None:
    if dry:
        for step in steps:
            line = shown(machine, step)
            if line:
                say(line)
        return
    if os.geteuid() != 0 and not (not machine.is_running and os.access(machine.root, os.W_OK)):
        raise FairdealError("root", "an ordinary user", "run it with sudo, or with --dry-run")
    take(machine, steps, say)
