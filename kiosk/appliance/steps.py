"""What installing and removing are made of: steps that can be shown before they are taken."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from kiosk.appliance.machine import Machine
from rules.errors import FairdealError


@dataclass(frozen=True, slots=True)
class Write:
    """A file of the system, written as a whole. `group` owns it beside root."""

    path: str
    text: str
    mode: int = 0o644
    group: str = ""


@dataclass(frozen=True, slots=True)
class Remove:
    """A file, or a folder with all it holds; one that is not there is no error."""

    path: str


@dataclass(frozen=True, slots=True)
class Command:
    """A command. `offline`: what does the same for a system in a folder; empty: nothing does.

    `may_fail`: it takes back what may never have been there.
    """

    words: tuple[str, ...]
    offline: tuple[str, ...] = ()
    may_fail: bool = False


Step = Write | Remove | Command


def take(machine: Machine, steps: Iterable[Step], say: Callable[[str], None]) -> None:
    """Takes each step and says it. Raises FairdealError where one fails; the rest is left."""
    for step in steps:
        line = shown(machine, step)
        if line:
            say(line)
        match step:
            case Write():
                _write(machine, step)
            case Remove():
                _remove(machine.path(step.path))
            case Command():
                _run(machine, step)


def shown(machine: Machine, step: Step) -> str:
    """The step in one line; empty for one that this machine does not need."""
    match step:
        case Write():
            path = machine.path(step.path)
            return "" if _is_same(path, step) else f"write {path}"
        case Remove():
            path = machine.path(step.path)
            return f"remove {path}" if os.path.lexists(path) else ""
        case Command():
            words = _words(machine, step)
            return f"run {' '.join(words)}" if words else ""


def _is_same(path: Path, step: Write) -> bool:
    try:
        old = path.read_text(encoding="utf-8")
        return old == step.text and path.stat().st_mode & 0o777 == step.mode
    except (OSError, UnicodeDecodeError):
        return False


def _words(machine: Machine, step: Command) -> tuple[str, ...]:
    words = step.words if machine.is_running else step.offline
    return tuple(word.replace("{root}", str(machine.root)) for word in words)


def _write(machine: Machine, step: Write) -> None:
    path = machine.path(step.path)
    if not _is_same(path, step):
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f".{path.name}.part")
        part.unlink(missing_ok=True)
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, step.mode)
        with open(handle, "w", encoding="utf-8") as file:
            file.write(step.text)
            os.fchmod(handle, step.mode)
            file.flush()
            os.fsync(handle)
        os.replace(part, path)
    if step.group and os.geteuid() == 0:
        number = machine.number_of("/etc/group", step.group)
        if number is None:
            raise FairdealError(f"the group {step.group}", "none", "see systemd-sysusers(8)")
        os.chown(path, 0, number)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _run(machine: Machine, step: Command) -> None:
    words = _words(machine, step)
    if not words:
        return
    done = machine.run(words)
    if done.code and not step.may_fail:
        why = (done.err.strip() or done.out.strip()).splitlines() or [f"exit code {done.code}"]
        raise FairdealError(f"`{' '.join(words)}` to work", why[0])
