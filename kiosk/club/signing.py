"""Commands signed by the table's token: HMAC-SHA256, one session, one use, a bounded age."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from kiosk.club.payloads import Clock, CommandId
from kiosk.serving import schema
from rules.errors import FairdealError

FRESH_S = 60.0  # a command may be so old, or so far ahead of the table's clock
REMEMBERED = 1000  # answers that are given again to a command that comes twice


def sign(command: Mapping[str, Any], token: str, club: str, table: str) -> dict[str, Any]:
    """The command with its signature, for this club's table only."""
    return {**command, "signature": _signature(command, token, club, table)}


def _signature(command: Mapping[str, Any], token: str, club: str, table: str) -> str:
    signed = {key: value for key, value in command.items() if key != "signature"}
    text = json.dumps([club, table, signed], sort_keys=True, separators=(",", ":"))
    return hmac.new(token.encode(), text.encode(), hashlib.sha256).hexdigest()


class Gate:
    """Lets a command in once. A replay changes nothing: it gets the first one's answer again.

    The session in a command is random for each run of the table, so that no command of an
    earlier run is ever taken; within a run each id is taken once.
    """

    def __init__(self, token: str, club: str, table: str, session: str) -> None:
        self._token, self._club, self._table, self._session = token, club, table, session
        self._answers: OrderedDict[str, tuple[dict[str, Any], float]] = OrderedDict()
        self._forgotten_until = 0.0

    def check(self, command: Mapping[str, Any], now: float) -> None:
        """Raises FairdealError for a command that is not to be obeyed. `now`: s since 1970."""
        signature = command.get("signature")
        given = signature if isinstance(signature, str) and signature.isascii() else ""
        wanted = _signature(command, self._token, self._club, self._table)
        if not hmac.compare_digest(given, wanted):
            raise FairdealError(
                "a command signed with this table's token", "another signature",
                "give both sides the same token",
            )  # fmt: skip
        if command.get("session") != self._session:
            raise FairdealError("a command for this session", "one for another", "send it again")
        at = schema.checked(Clock, command.get("at"))
        apart = at - now
        if abs(apart) > FRESH_S or at <= self._forgotten_until:
            way = "ahead" if apart > 0 else "behind"
            raise FairdealError(
                f"a command of the last {FRESH_S:g} s by the table's clock",
                f"one {abs(apart):.0f} s {way}", "set both clocks (NTP)",
            )  # fmt: skip

    def answered(self, command_id: str) -> dict[str, Any] | None:
        """The answer that a command of this id got before; None for a new one."""
        found = self._answers.get(command_id)
        return None if found is None else found[0]

    def remember(self, command_id: str, answer: dict[str, Any], at: float) -> None:
        """Keeps an answer. The oldest is forgotten, and so is every command as old as it."""
        self._answers[command_id] = (answer, at)
        while len(self._answers) > REMEMBERED:
            _, (_, oldest) = self._answers.popitem(last=False)
            self._forgotten_until = max(self._forgotten_until, oldest)


def id_of(command: Mapping[str, Any]) -> str:
    """A command's id. Raises FairdealError."""
    return schema.checked(CommandId, command.get("id"))


class PressCodes:
    """One-time codes for a button that can sign nothing, such as Home Assistant's."""

    def __init__(self, token: str, session: str) -> None:
        self._token, self._session, self._count = token, session, 0

    @property
    def code(self) -> str:
        """The code of the next press."""
        text = f"undo {self._session} {self._count}"
        return hmac.new(self._token.encode(), text.encode(), hashlib.sha256).hexdigest()[:32]

    def take(self, given: bytes) -> bool:
        """Whether it is the code; it is of no use a second time."""
        is_right = hmac.compare_digest(given[:64], self.code.encode())
        self._count += is_right
        return is_right
