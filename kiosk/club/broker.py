"""Mosquitto as a child process, with a temporary configuration: for the demo, tests and trials."""

from __future__ import annotations

import contextlib
import getpass
import os
import shutil
import signal
import socket
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from host import children
from host.ports import free_port
from rules.errors import FairdealError

INSTALL = "sudo apt install mosquitto"
READY_S = 60.0  # Mosquitto takes a part of a second; a loaded machine many
STOP_S = 5.0
ADDRESS = "127.0.0.1"
# A board of many tables hears of all of them at once when it connects.
LIMITS = "max_inflight_messages 0\nmax_queued_messages 100000\nmax_packet_size 4194304\n"


def require_mosquitto() -> str:
    """The path of Mosquitto. Raises FairdealError with the way to get it."""
    # Debian puts it where only root's PATH looks.
    found = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")
    if found is None:
        raise FairdealError("Eclipse Mosquitto, an MQTT broker", "none", INSTALL)
    return found


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody who may use the broker; `rules` are lines of Mosquitto's ACL file."""

    user: str
    password: str = field(repr=False)
    rules: tuple[str, ...] = ("topic readwrite #",)


@dataclass(frozen=True, slots=True)
class TlsFiles:
    """PEM files of the broker; with `needs_certificate` clients show one of their own."""

    ca: Path
    certificate: Path
    key: Path
    needs_certificate: bool = False


class BrokerProcess:
    """A broker on this machine only. `folder` holds its configuration and passwords."""

    def __init__(
        self,
        folder: Path,
        accounts: tuple[Account, ...],
        tls: TlsFiles | None = None,
        *,
        passwords: Path | None = None,
        rules: Path | None = None,
    ) -> None:
        """`passwords` and `rules`: files that are there already, in place of accounts.

        Raises FairdealError where there is no Mosquitto.
        """
        self._program = require_mosquitto()
        self.port = free_port()
        self._config = folder / "mosquitto.conf"
        self._log = folder / "mosquitto.log"
        self._child: subprocess.Popen[bytes] | None = None
        if passwords is None or rules is None:
            passwords, rules = folder / "passwords", folder / "rules"
            write_accounts(accounts, passwords, rules)
        secure = "" if tls is None else tls_lines(tls)
        write_private(self._config, (
            f"listener {self.port} {ADDRESS}\n{secure}allow_anonymous false\n"
            f"password_file {passwords}\nacl_file {rules}\npersistence false\n"
            f"user {getpass.getuser()}\nlog_dest stderr\nlog_type error\nlog_type warning\n{LIMITS}"
        ))  # fmt: skip

    @property
    def process_id(self) -> int:
        """Of the child; 0 where none runs."""
        return 0 if self._child is None else self._child.pid

    def start(self) -> None:
        """Starts it and waits until it listens. Raises FairdealError with its last line."""
        with self._log.open("ab") as log:
            words = [self._program, "-c", str(self._config)]
            self._child = children.start(words, stdout=log, stderr=log)
        until = time.monotonic() + READY_S
        while not _listens(self.port):
            if self._child.poll() is not None or time.monotonic() > until:
                self.stop()
                said = self._log.read_text(encoding="utf-8", errors="replace").splitlines()
                found = said[-1].partition(": ")[2] if said else f"none after {READY_S:g} s"
                raise FairdealError("a broker that listens", found)
            time.sleep(0.01)

    def kill(self) -> None:
        """SIGKILL, as a power cut: what it kept is gone."""
        self._end(signal.SIGKILL)

    def pause(self, is_paused: bool) -> None:
        """Stops it in its tracks (SIGSTOP), or lets it go on: a broker that hangs."""
        if self._child is not None:
            self._child.send_signal(signal.SIGSTOP if is_paused else signal.SIGCONT)

    def stop(self) -> None:
        """Ends it. Harmless when done twice."""
        self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> None:
        child, self._child = self._child, None
        if child is None:
            return
        child.send_signal(number)
        try:
            child.wait(STOP_S)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait(STOP_S)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def tls_lines(tls: TlsFiles) -> str:
    """The lines of a listener that encrypts."""
    wish = "true" if tls.needs_certificate else "false"
    return (
        f"cafile {tls.ca}\ncertfile {tls.certificate}\nkeyfile {tls.key}\n"
        f"require_certificate {wish}\n"
    )


def write_accounts(accounts: tuple[Account, ...], passwords: Path, rules: Path) -> None:
    """Writes Mosquitto's password file, hashed, and its ACL file. Raises FairdealError."""
    write_private(passwords, "".join(f"{a.user}:{a.password}\n" for a in accounts))
    _hash_passwords(passwords)
    write_private(rules, "".join(
        f"user {a.user}\n" + "".join(f"{line}\n" for line in a.rules) for a in accounts
    ))  # fmt: skip


def _hash_passwords(path: Path) -> None:
    program = shutil.which("mosquitto_passwd")
    if program is None:
        raise FairdealError("mosquitto_passwd", "none", INSTALL)
    done = subprocess.run([program, "-U", str(path)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise FairdealError("passwords that mosquitto_passwd takes", done.stderr.strip()[:200])


def write_private(path: Path, text: str) -> None:
    """Writes a file that only its owner can read, from its first byte on."""
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)


def _listens(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection((ADDRESS, port), 0.2):
        return True
    return False
