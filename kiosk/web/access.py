"""Who may look and who may act: the table's own screen, paired devices, watchers.

A device pairs by six digits that the table's screen shows. Its token is random; the file keeps
only the token's SHA-256, so that a stolen file lets nobody in.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from rules.errors import FairdealError
from rules.files import read_json

CODE_DIGITS = 6
CODE_LIFE_S = 120.0
CODE_TRIES = 5  # wrong digits of one address until a new code must be shown
CODE_TRIES_ALL = 100  # the same of all addresses: 1 in 10,000 guesses a code
TRIED_SHOWN = 5  # addresses
MAX_DEVICES = 32
NAME_LENGTH = 40


class Role(StrEnum):
    """What a client may do. TABLE: the screen beside the table; it also pairs devices.

    CAMERA: a phone that films, and is nothing else.
    """

    TABLE = "table"
    REFEREE = "referee"
    WATCHER = "watcher"
    CAMERA = "camera"
    NOBODY = "nobody"

    @property
    def may_look(self) -> bool:
        """Whether the client may see the game."""
        return self is not Role.NOBODY

    @property
    def may_act(self) -> bool:
        """Whether the client may press buttons and overrule calls."""
        return self in (Role.TABLE, Role.REFEREE)

    @property
    def may_film(self) -> bool:
        """Whether the client may be the table's camera."""
        return self in (Role.TABLE, Role.REFEREE, Role.CAMERA)


@dataclass(frozen=True, slots=True)
class Device:
    """A paired device. `digest`: SHA-256 of its token, in hex."""

    number: int
    name: str
    role: Role
    digest: str


@dataclass(frozen=True, slots=True)
class Code:
    """A pairing code under way: it ends at `until` (s)."""

    digits: str
    role: Role
    until: float


@dataclass(frozen=True, slots=True)
class Client:
    """Who asks. `name`: of the paired device by its number, or of the table."""

    role: Role
    name: str


@dataclass(frozen=True, slots=True)
class Tries:
    """Wrong digits since the newest code was made. `by`: addresses with the most, and how many.

    `is_closed`: too many in all; nobody pairs before a new code is made.
    """

    wrong: int = 0
    by: tuple[tuple[str, int], ...] = ()
    is_closed: bool = False


class Access:
    """The devices of one table, kept in a file that only its owner can read."""

    def __init__(self, path: Path) -> None:
        """Raises FairdealError for a file that is none of ours."""
        self._path = path
        self._devices = _load(path)
        self._code: Code | None = None
        self._wrong: Counter[str] = Counter()  # digits, by address

    @property
    def tries(self) -> Tries:
        """Who typed wrong digits."""
        wrong = self._wrong.total()
        return Tries(wrong, tuple(self._wrong.most_common(TRIED_SHOWN)), wrong >= CODE_TRIES_ALL)

    @property
    def devices(self) -> tuple[Device, ...]:
        """The paired devices, oldest first."""
        return self._devices

    def role_of(self, token: str | None, is_local: bool) -> Role:
        """The role of a client. `is_local`: it runs on this machine."""
        return self.client_of(token, is_local).role

    def client_of(self, token: str | None, is_local: bool) -> Client:
        """Who a client is."""
        if token:
            digest = _digest(token)
            for device in self._devices:
                if hmac.compare_digest(device.digest, digest):
                    return Client(device.role, f"device {device.number}")
        return Client(Role.TABLE, "table") if is_local else Client(Role.NOBODY, "")

    def shown_name(self, client: Client) -> str:
        """A client's name for people: the device's own, or this machine's."""
        named = (each.name for each in self._devices if f"device {each.number}" == client.name)
        return next(named, "this machine")

    def new_code(self, role: Role, at: float) -> Code:
        """A fresh pairing code; the one before is of no use any more."""
        digits = "".join(secrets.choice("0123456789") for _ in range(CODE_DIGITS))
        self._code = Code(digits, role, at + CODE_LIFE_S)
        self._wrong.clear()
        return self._code

    def pair(self, digits: str, name: str, at: float, address: str = "") -> str | None:
        """The token of a new device; None where the code is wrong, too old or used up.

        `address`: the client's. Each address has its own tries, so none blocks the others.
        """
        code = self._code
        is_spent = self._wrong[address] >= CODE_TRIES or self.tries.is_closed
        is_right = code is not None and _are_same(code.digits, digits)
        if code is None or at > code.until or is_spent or not is_right:
            if not is_spent:
                self._wrong[address] += 1
            return None
        if len(self._devices) >= MAX_DEVICES:
            raise FairdealError(
                f"at most {MAX_DEVICES} paired devices", str(len(self._devices)), "remove one"
            )
        self._code = None
        self._wrong.clear()
        token = secrets.token_urlsafe(32)
        number = max((device.number for device in self._devices), default=0) + 1
        device = Device(number, clean_name(name), code.role, _digest(token))
        self._devices = (*self._devices, device)
        _save(self._path, self._devices)
        return token

    def revoke(self, number: int) -> bool:
        """Whether there was such a device; it is let in no more."""
        kept = tuple(device for device in self._devices if device.number != number)
        is_known = len(kept) != len(self._devices)
        if is_known:
            self._devices = kept
            _save(self._path, kept)
        return is_known


def clean_name(name: str) -> str:
    """A device's name as it may be shown: printable, short, never empty."""
    text = "".join(c for c in name if c.isprintable()).strip()[:NAME_LENGTH]
    return text or "device"


def _are_same(digits: str, found: str) -> bool:
    """Compared in a time that tells nothing of the digits."""
    return hmac.compare_digest(digits.encode(), found.encode("utf-8", "replace")[:64])


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _load(path: Path) -> tuple[Device, ...]:
    if not path.exists():
        return ()
    try:
        return tuple(_device(each) for each in read_json(path, "a list of paired devices"))
    except (FairdealError, ValueError, TypeError, KeyError) as error:
        raise _refused(path, "something else") from error


def _device(each: Mapping[str, Any]) -> Device:
    number, digest = each["number"], each["digest"]
    if not isinstance(number, int) or not isinstance(digest, str) or len(digest) != 64:
        raise ValueError
    return Device(number, clean_name(str(each["name"])), Role(each["role"]), digest)


def _refused(path: Path, found: str) -> FairdealError:
    return FairdealError(
        f"a list of paired devices in {path.name}", found, "delete the file and pair again"
    )


def _save(path: Path, devices: tuple[Device, ...]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent)  # mode 0600
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump([asdict(device) for device in devices], file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(name, path)
