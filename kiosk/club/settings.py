"""The club file: which club and table, where the broker is, and the secrets; mode 0600.

One file for a table (`fairdeal referee --club FILE`), one for the board (`fairdeal club --club
FILE`). Secrets stand nowhere else: not on the command line, in no log.
"""

from __future__ import annotations

import stat
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from kiosk.club.topics import checked_name
from rules.errors import FairdealError
from rules.settings import checked, read_toml, refuse_unknown, setting, table

LEAST_TOKEN = 32  # characters: 128 bits in hex
TABLES = ("club", "broker", "table", "tables")


@dataclass(frozen=True, slots=True)
class BrokerSettings:
    """Where the broker is and how to be let in. Paths are beside the club file."""

    host: str = setting("localhost", "name or address of the broker")
    port: int = setting(1883, "its port; 8883 with TLS", low=1, high=65535)
    user: str = setting("", "user name; empty: none")
    password: str = field(default="", repr=False, metadata={"help": "its password"})
    tls: bool = setting(False, "encrypt, and check the broker's certificate")
    ca: str = setting("", "certificate authority (PEM); empty: the system's")
    certificate: str = setting("", "client certificate (PEM); empty: none")
    key: str = setting("", "its private key (PEM), mode 0600")
    keepalive_s: int = setting(
        15, "a silent broker counts as gone after 1.5 of it", low=2, high=600, unit="s"
    )


@dataclass(frozen=True, slots=True)
class ClubFile:
    """A club file as read. `table` is empty in a board's; `tokens`: table → token."""

    club: str
    broker: BrokerSettings
    table: str = ""
    tokens: Mapping[str, str] = field(default_factory=dict, repr=False)
    home_assistant: bool = False

    @property
    def token(self) -> str:
        """The token of this file's own table."""
        return self.tokens.get(self.table, "")


def read_club_file(path: Path, *, is_table: bool) -> ClubFile:
    """Reads and checks a club file. Raises FairdealError: its mode, a key, a name, a token."""
    check_private(path)
    where = str(path)
    given = read_toml(path, "a club file")
    refuse_unknown(given, TABLES, where)
    club = table(given.get("club", {}), f"{where}, club")
    refuse_unknown(club, ("name", "home_assistant"), f"{where}, club")
    name = checked_name(str(club.get("name", "")), "club", f"{where}, club.name")
    broker = _broker(table(given.get("broker", {}), f"{where}, broker"), path)
    speaks = checked(club.get("home_assistant", False), False, {}, f"{where}, club.home_assistant")
    if is_table:
        own = table(given.get("table", {}), f"{where}, table")
        refuse_unknown(own, ("name", "token"), f"{where}, table")
        seat = checked_name(str(own.get("name", "")), "table", f"{where}, table.name")
        token = _token(own.get("token"), f"{where}, table.token")
        return ClubFile(name, broker, seat, {seat: token}, speaks)
    listed = table(given.get("tables", {}), f"{where}, tables")
    tokens = {
        checked_name(str(key), "table", f"{where}, tables"): _token(value, f"{where}, tables.{key}")
        for key, value in listed.items()
    }
    return ClubFile(name, broker, "", tokens, speaks)


def check_private(path: Path) -> None:
    """Raises FairdealError for a file that others than its owner can read."""
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
    except OSError as error:
        raise FairdealError(
            "a club file", error.strerror or "none", "name another", str(path)
        ) from error
    if mode & 0o077:
        raise FairdealError(
            "a file of mode 0600, for it holds secrets", f"mode {mode:04o}",
            f"chmod 600 {path.name}", str(path),
        )  # fmt: skip


def _token(value: Any, where: str) -> str:
    if not isinstance(value, str) or len(value) < LEAST_TOKEN or not value.isascii():
        found = "none" if value is None else "another value"  # a secret is never shown
        raise FairdealError(
            f"a token of at least {LEAST_TOKEN} characters", found,
            "make one with `openssl rand -hex 32`", where,
        )  # fmt: skip
    return value


def _broker(given: Mapping[str, Any], path: Path) -> BrokerSettings:
    where = f"{path}, broker"
    known = {each.name: each for each in fields(BrokerSettings)}
    refuse_unknown(given, known, where)
    read: dict[str, Any] = {}
    for key, value in given.items():
        if key == "password":
            if not isinstance(value, str):
                raise FairdealError("text", "another value", where=f"{where}.password")
            read[key] = value
        else:
            read[key] = checked(value, known[key].default, known[key].metadata, f"{where}.{key}")
    for key in ("ca", "certificate", "key"):
        if read.get(key):
            file = path.parent / read[key]
            if not file.is_file():
                raise FairdealError("a PEM file", f"none at {file}", where=f"{where}.{key}")
            read[key] = str(file)
    broker = BrokerSettings(**read)
    if broker.key:
        check_private(Path(broker.key))
    if bool(broker.key) != bool(broker.certificate):
        raise FairdealError("certificate and key together", "one of them", where=where)
    if (broker.ca or broker.certificate) and not broker.tls:
        raise FairdealError("tls = true with a certificate", "tls = false", where=where)
    return broker
