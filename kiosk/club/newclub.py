"""Files of a new club: one for each table, one for the board, and those of the broker."""

from __future__ import annotations

import contextlib
import ipaddress
import re
import secrets
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import tomli_w

from kiosk.club.broker import LIMITS, Account, write_accounts, write_private
from kiosk.club.topics import DISCOVERY, ROOT, checked_name
from kiosk.serving.openssl import new_authority, new_certificate
from rules.errors import FairdealError

MOST_TABLES = 1000
TLS_PORT = 8883
DAYS = 3650  # certificates last ten years: a club has nobody who renews them
AT_BROKER = "/etc/mosquitto/fairdeal"  # where the broker's files are copied to
BOARD, HOME = "board", "homeassistant"  # users beside the tables
HOST = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9._-]{0,251}[A-Za-z0-9_])?")


@dataclass(frozen=True, slots=True)
class NewClub:
    """A club with its secrets: passwords by user, tokens by table."""

    name: str
    tables: tuple[str, ...]
    passwords: dict[str, str] = field(repr=False)
    tokens: dict[str, str] = field(repr=False)

    @classmethod
    def make(cls, name: str, count: int) -> NewClub:
        """A club of so many tables with fresh secrets. Raises FairdealError."""
        if not 1 <= count <= MOST_TABLES:
            raise FairdealError(f"1 to {MOST_TABLES} tables", str(count), "mend --tables")
        tables = tuple(f"table-{k}" for k in range(1, count + 1))
        users = (*tables, BOARD, HOME)
        return cls(
            checked_name(name, "club"), tables,
            {user: secrets.token_urlsafe(24) for user in users},
            {table: secrets.token_hex(32) for table in tables},
        )  # fmt: skip


def accounts_of(club: NewClub) -> tuple[Account, ...]:
    """Who may do what at the broker: a table only speaks for itself."""
    base = f"{ROOT}/{club.name}"
    tables = tuple(
        Account(table, club.passwords[table], (
            f"topic readwrite {base}/{table}/#",
            f"topic readwrite {DISCOVERY}/{ROOT}_{club.name}_{table}/config",
            "topic read homeassistant/status",
        ))
        for table in club.tables
    )  # fmt: skip
    board = Account(
        BOARD, club.passwords[BOARD],
        (f"topic readwrite {base}/#", f"topic read {ROOT}/+/+/available"),
    )  # fmt: skip
    home = Account(HOME, club.passwords[HOME], (
        f"topic read {base}/#", f"topic write {base}/+/button", "topic readwrite homeassistant/#",
    ))  # fmt: skip
    return (*tables, board, home)


def write_club_files(
    folder: Path, club: NewClub, host: str, port: int, ca: str = "", *, speaks_ha: bool = False
) -> None:
    """Writes `table-N.toml` and `board.toml`, mode 0600. `ca`: with TLS, its file beside them."""
    secure = {"tls": True, "ca": ca} if ca else {}
    head = {"name": club.name, "home_assistant": speaks_ha}
    for user in (*club.tables, BOARD):
        password = club.passwords[user]
        broker = {"host": host, "port": port, "user": user, "password": password, **secure}
        own = (
            {"tables": club.tokens}
            if user == BOARD
            else {"table": {"name": user, "token": club.tokens[user]}}
        )
        text = tomli_w.dumps({"club": head, "broker": broker, **own})
        write_private(folder / f"{user}.toml", text)


def new_club(folder: Path, name: str, count: int, host: str) -> list[str]:
    """Writes all files of a club whose broker is reached at `host`; what to do next, in lines.

    Raises FairdealError: a folder that is not empty, no openssl, no Mosquitto. A refused one
    leaves nothing behind.
    """
    club, address = NewClub.make(name, count), _checked_host(host)
    with _new_folder(folder):
        _write_all(folder, club, host, address)
    return _what_next(folder, count)


def _checked_host(host: str) -> str:
    """The broker as a certificate names it. Raises FairdealError for what is no host."""
    with contextlib.suppress(ValueError):
        if "%" not in host:  # a zone is known to one machine only
            return f"IP:{ipaddress.ip_address(host)}"
    if not HOST.fullmatch(host):
        raise FairdealError("the broker's name or address", ascii(host)[:60], "mend --broker")
    return f"DNS:{host}"


@contextlib.contextmanager
def _new_folder(folder: Path) -> Iterator[None]:
    """A folder that only its owner can read; where its filling fails, it is as before."""
    try:
        is_new = not folder.exists()
        if not is_new and any(folder.iterdir()):
            raise FairdealError("a new folder", f"{folder} with files in it", "name another")
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
    except OSError as error:
        found = error.strerror or str(error)
        raise FairdealError(f"a new folder {folder}", found, "name another") from error
    try:
        yield
    except BaseException as error:
        for each in folder.iterdir():
            shutil.rmtree(each) if each.is_dir() else each.unlink()
        if is_new:
            folder.rmdir()
        if isinstance(error, OSError):
            raise FairdealError(
                f"a folder to write to at {folder}", error.strerror or str(error), "name another"
            ) from error
        raise


def _write_all(folder: Path, club: NewClub, host: str, address: str) -> None:
    broker = folder / "broker"
    broker.mkdir(mode=0o700)
    _write_certificates(broker, club.name, host, address)
    shutil.copy(broker / "ca.pem", folder / "ca.pem")
    write_club_files(folder, club, host, TLS_PORT, "ca.pem", speaks_ha=True)
    write_accounts(accounts_of(club), broker / "passwords", broker / "rules")
    write_private(folder / "homeassistant.txt", (
        f"broker {host}, port {TLS_PORT}, user {HOME}, password {club.passwords[HOME]}, "
        "certificate authority ca.pem\n"
    ))  # fmt: skip
    write_private(broker / "fairdeal.conf", (
        f"listener {TLS_PORT}\ncafile {AT_BROKER}/ca.pem\ncertfile {AT_BROKER}/broker.pem\n"
        f"keyfile {AT_BROKER}/broker.key\nallow_anonymous false\n"
        f"password_file {AT_BROKER}/passwords\nacl_file {AT_BROKER}/rules\n{LIMITS}"
    ))  # fmt: skip


def _what_next(folder: Path, count: int) -> list[str]:
    broker = folder / "broker"
    return [
        f"wrote {count} tables, the board and the broker's files to {folder}",
        "at the broker's computer:",
        f"  sudo install -d -o mosquitto -m 700 {AT_BROKER}",
        f"  sudo install -o mosquitto -m 600 {broker}/ca.pem {broker}/broker.pem "
        f"{broker}/broker.key {broker}/passwords {broker}/rules {AT_BROKER}/",
        f"  sudo install -m 644 {broker}/fairdeal.conf /etc/mosquitto/conf.d/",
        "  sudo systemctl restart mosquitto",
        "at table N, with table-N.toml and ca.pem copied there:",
        "  fairdeal kiosk --club table-N.toml",
        "at the board:",
        f"  fairdeal club --club {folder}/board.toml --host 0.0.0.0",
    ]


def _write_certificates(folder: Path, club: str, host: str, address: str) -> None:
    """An authority of the club's own, and a certificate for the broker at `host`."""
    new_authority(folder, f"fairdeal {club}", DAYS)
    names = f"subjectAltName={address},DNS:localhost,IP:127.0.0.1"
    new_certificate(folder, "broker", host, DAYS, [names])
