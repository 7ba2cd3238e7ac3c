"""The booted system as boot_checks.py sees it: units, page, journal, versions; and its checks."""

import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

SOURCE = "http://127.0.0.1:9000/table"
PAGE = "http://127.0.0.1:8080"
OPT, STATE, NOTES = (
    Path("/opt/fairdeal"),
    Path("/var/lib/fairdeal"),
    Path("/run/fairdeal-appliance"),
)
UNIT = "fairdeal.service"
ONLY = sys.argv[1:]  # names of checks; all without
failed: list[str] = []


def run(*words: str, may_fail: bool = False) -> str:
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode and not may_fail:
        raise AssertionError(f"{' '.join(words)}: {done.returncode} {done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def shown(key: str) -> str:
    return run("systemctl", "show", "--value", f"--property={key}", UNIT).strip()


def until(what: Callable[[], object], seconds: float = 180.0) -> float:
    """Waits until it is true; the time that it took."""
    began = time.monotonic()
    while time.monotonic() - began < seconds:
        try:
            if what():
                return time.monotonic() - began
        except (OSError, ValueError, KeyError):
            pass
        time.sleep(0.1)
    raise AssertionError(f"not within {seconds:g} s")


def page(path: str, body: dict[str, object] | None = None) -> dict[str, object]:
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(PAGE + path, data), timeout=20) as answer:
        return json.loads(answer.read())


def is_playing() -> bool:
    state = page("/api/state")
    return bool(state["is_connected"]) and state["game"] is not None


def is_up() -> bool:
    return shown("ActiveState") == "active" and "games" in page("/api/setup")


def is_taken() -> bool:
    """Whether anything answers on the page's port."""
    with urllib.request.urlopen(PAGE, timeout=2):
        return True


def games() -> list[str]:
    """The journal's games, a line each, read as the referee's user."""
    said = run("runuser", "-u", "fairdeal", "--", "env", "FAIRDEAL_HOME=/var/lib/fairdeal",
               "fairdeal", "games", "list")  # fmt: skip
    return said.splitlines()


def kept_events() -> int:
    """The events of the one game that is played: a restart must not begin another."""
    (line,) = games()
    return int(line.split(" events")[0].split()[-1])


def is_playing_again(before: int) -> bool:
    return int(shown("MainPID")) not in (0, before) and is_playing()


def referee() -> int:
    """The process that judges: a child of the server."""
    found = run("pgrep", "-P", shown("MainPID"), "-f", "kiosk.cli referee").split()
    return int(found[0])


def said_to_the_screen() -> dict[str, object]:
    """What appliance.sh has written for the waiting page."""
    return json.loads((NOTES / "why.js").read_text()[13:-3])


def kernel_kills() -> int:
    """How often the kernel ended a process of the referee for want of memory; cgroups version 1."""
    file = Path(f"/sys/fs/cgroup/memory/system.slice/{UNIT}/memory.oom_control")
    return int(file.read_text().split("oom_kill ")[1].split()[0]) if file.exists() else 0


def game_times() -> list[float]:
    """The times of the one game's events, as they were kept, s."""
    number = games()[0].split()[0]
    said = run("runuser", "-u", "fairdeal", "--", "env", "FAIRDEAL_HOME=/var/lib/fairdeal",
               "fairdeal", "games", "export", number)  # fmt: skip
    lines = (json.loads(line) for line in said.splitlines() if line.startswith("{"))
    return [float(line["at"]) for line in lines if "at" in line]


def press_and_keep(seconds: float = 60.0) -> None:
    """One more event of the game: the start button is pressed, and that is in the journal."""
    before = kept_events()
    page("/api/press", {"button": "start"})
    until(lambda: kept_events() > before, seconds)


def current() -> str:
    return os.readlink(OPT / "current")


def version(number: str) -> str:
    (path,) = Path("/root/debs").glob(f"fairdeal_{number}+*.deb")
    return str(path)


def check(test: Callable[[], str]) -> Callable[[], str]:
    if ONLY and test.__name__ not in ONLY:
        return test
    name = test.__name__.replace("_", " ")
    began = time.monotonic()
    try:
        words = test()
    except Exception as error:
        failed.append(name)
        words = f"{type(error).__name__}: {error}"
        print(f"BAD  {name}: {words}", flush=True)
        print(run("journalctl", "-u", UNIT, "-n", "15", "-o", "cat", may_fail=True), flush=True)
    else:
        print(f"ok   {name}: {words} ({time.monotonic() - began:.0f} s)", flush=True)
    return test
