"""The machine that becomes an appliance: its folders, its programs, what it lacks."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rules.errors import FairdealError

LEAST_SYSTEMD = 252  # of Debian 12
LEAST_DEBIAN = 12
BROWSERS = ("chromium", "chromium-browser")  # Debian's name, and that of older Raspberry Pi OS
# Debian's packages and their programs. Debian's cage does not start without Xwayland.
SCREEN = (
    ("cage", ("cage",)), ("xwayland", ("Xwayland",)), ("wlr-randr", ("wlr-randr",)),
    ("swayidle", ("swayidle",)), ("chromium", BROWSERS),
)  # fmt: skip
GROUPS = ("video", "render", "gpio", "dialout")
PACKAGED = Path("/usr/bin/fairdeal")  # of the .deb
COMMAND_S = 180.0  # a unit's start waits for the referee to be ready


@dataclass(frozen=True, slots=True)
class Done:
    """A command that has ended."""

    code: int
    out: str
    err: str


Runner = Callable[[Sequence[str]], Done]


def run_command(words: Sequence[str]) -> Done:
    """Runs a command and waits for it. A missing one has the code 127, as in a shell."""
    try:
        done = subprocess.run(
            words, capture_output=True, text=True, errors="replace", timeout=COMMAND_S, check=False
        )
    except FileNotFoundError:
        return Done(127, "", f"{words[0]}: not found")
    except subprocess.TimeoutExpired:
        return Done(124, "", f"no end after {COMMAND_S:g} s")
    return Done(done.returncode, done.stdout, done.stderr)


@dataclass(frozen=True, slots=True)
class Machine:
    """A running system (`root` is /) or one in a folder: a mounted card, an image, a test."""

    root: Path = Path("/")
    run: Runner = run_command

    @property
    def is_running(self) -> bool:
        """Whether units can be started now: the system is this one."""
        return self.root == Path("/")

    def path(self, absolute: str | Path) -> Path:
        """Where a file of that system lies."""
        return self.root / str(absolute).lstrip("/")

    def program(self, *names: str) -> str | None:
        """The absolute path, in that system, of the first program that it has."""
        for name in names:
            for folder in ("/usr/local/bin", "/usr/bin", "/bin"):
                if os.access(self.path(f"{folder}/{name}"), os.X_OK):
                    return f"{folder}/{name}"
        return None

    def groups(self) -> tuple[str, ...]:
        """Those groups for cameras, pins and serial ports that the system has."""
        return tuple(g for g in GROUPS if self.number_of("/etc/group", g) is not None)

    def number_of(self, file: str, name: str) -> int | None:
        """The number of a user (/etc/passwd) or group (/etc/group). None if it is missing."""
        try:
            text = self.path(file).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return None
        match = re.search(rf"^{re.escape(name)}:[^:\n]*:(\d+):", text, re.MULTILINE)
        return int(match[1]) if match else None

    def has_desktop(self) -> bool:
        """Whether a display manager is set up, which would draw on the same screen."""
        return os.path.lexists(self.path("/etc/systemd/system/display-manager.service"))


def check_machine(machine: Machine, *, screen: bool) -> None:
    """Raises FairdealError for a system on which the appliance cannot run."""
    if not machine.root.is_dir():
        raise FairdealError("a folder with a system", "none", "mend --root", str(machine.root))
    _check_os(machine)
    if machine.is_running and not Path("/run/systemd/system").is_dir():
        raise FairdealError("a system that systemd has started", "another init",
                            "run `fairdeal kiosk` by hand")  # fmt: skip
    if machine.program("systemctl") is None:
        raise FairdealError("systemd", "no systemctl", "run `fairdeal kiosk` by hand")
    if machine.is_running:
        version = systemd_version(machine.run)
        if version < LEAST_SYSTEMD:
            raise FairdealError(f"systemd {LEAST_SYSTEMD} or newer", f"{version}", "update the OS")
    if screen:
        _check_screen(machine)


def can_arrange(machine: Machine) -> bool:
    """Whether the compositor lets a program turn and switch off its screens.

    cage of Debian 12 (0.1.4) does not; it has the option -r for turning instead.
    """
    cage = machine.program("cage")
    if cage is None or not machine.is_running:
        return os_release(machine).get("VERSION_ID", "") != "12"
    help_text = machine.run([cage, "-h"])
    return " -r" not in help_text.out + help_text.err


def _check_os(machine: Machine) -> None:
    facts = os_release(machine)
    kin = {facts.get("ID", ""), *facts.get("ID_LIKE", "").split()}
    name = facts.get("PRETTY_NAME", "an unknown system")
    expected = f"Debian {LEAST_DEBIAN} or newer, or Raspberry Pi OS of that age"
    if not kin & {"debian", "raspbian"}:
        raise FairdealError(expected, name, "run `fairdeal kiosk` by hand")
    number = facts.get("VERSION_ID", "")
    if facts.get("ID") in ("debian", "raspbian") and number.isdigit() and int(number) < 12:
        raise FairdealError(expected, name, "update the OS")


def _check_screen(machine: Machine) -> None:
    missing = [package for package, names in SCREEN if machine.program(*names) is None]
    if missing:
        names = " ".join(missing)
        raise FairdealError("the programs for a screen", f"no {', no '.join(missing)}",
                            f"sudo apt install {names}, or give --no-screen")  # fmt: skip


def os_release(machine: Machine) -> dict[str, str]:
    """The names and values of os-release(5). Empty if the file is missing."""
    for name in ("/etc/os-release", "/usr/lib/os-release"):
        try:
            text = machine.path(name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        return {k: v.strip("\"'") for k, v in re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE)}
    return {}


def systemd_version(run: Runner) -> int:
    """The version of systemd; 0 where it does not tell."""
    match = re.match(r"systemd (\d+)", run(["systemctl", "--version"]).out)
    return int(match[1]) if match else 0


def program_of(machine: Machine) -> Path:
    """The `fairdeal` command for the units, by a path that stays the same over updates.

    A system in a folder has that of the .deb; a running one has the command that runs now.
    """
    prefix = Path(sys.prefix)
    if not machine.is_running or prefix.is_relative_to("/opt/fairdeal"):
        return PACKAGED
    found = prefix / "bin" / "fairdeal"
    if os.access(found, os.X_OK):
        return found
    other = shutil.which("fairdeal")
    if other is None:
        raise FairdealError("the command fairdeal", f"none in {prefix}/bin", "run `make setup`")
    return Path(other)


def check_open(program: Path) -> None:
    """Raises FairdealError where another user could not run the program: its home is closed."""
    interpreter = Path(sys.executable)
    for path in (program, program.resolve(), interpreter, interpreter.resolve()):
        for part in (path, *path.parents):
            if part.exists() and not part.stat().st_mode & 0o001:
                raise FairdealError(
                    "a program that the user fairdeal can run", f"{part} closed to others",
                    "install the .deb, or move the project to /opt", str(program),
                )  # fmt: skip
