"""Commands to a table: signed ones on `cmd`, questions on `ask`, Home Assistant's button."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from msgspec import Struct

from kiosk.club import payloads
from kiosk.club.payloads import CallNumber, Seat, Word
from kiosk.club.signing import Gate, PressCodes, id_of, sign
from kiosk.serving import schema
from kiosk.web.security import Limits, RateLimiter
from kiosk.web.state import PageState
from rules.errors import FairdealError

# What a club may have done in a game: as for the page (kiosk/web/page.py: press_into).
Act = Callable[[dict[str, Any]], dict[str, Any]]
OVERRULE_S = 2.0  # until the game has been judged again


class Wish(Struct, frozen=True):
    """What a signed command asks for."""

    act: Literal["undo", "start", "overrule"]
    call: CallNumber | None = None
    verdict: Word | None = None
    card: Word | None = None
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a command, to be sent on `answer/<id>`."""

    command: str
    body: dict[str, Any]


class Commands:
    """One table's commands. `now` is the table's time of day (s since 1970)."""

    def __init__(self, token: str, club: str, table: str, session: str, act: Act) -> None:
        self._gate = Gate(token, club, table, session)
        self._codes = PressCodes(token, session)
        self._act = act
        self._rates = RateLimiter(Limits())
        self._pending: tuple[str, float] | None = None

    @property
    def press_code(self) -> str:
        """What Home Assistant's button sends next."""
        return self._codes.code

    def command(self, payload: bytes, page: PageState, now: float) -> Answer | None:
        """Obeys or refuses a command; None where the answer comes later, or goes nowhere.

        Raises FairdealError for what is no command at all.
        """
        if not self._rates.allows("cmd", now):
            return None
        body = payloads.read(dict[str, Any], payload)
        command = id_of(body)
        try:
            self._gate.check(body, now)
            before = self._gate.answered(command)
            if before is not None:
                return Answer(command, before)
            answer = self._obey(body, command, page, now)
        except FairdealError as error:
            return Answer(command, {"id": command, "ok": False, "message": str(error)})
        if answer is not None:
            return self._final(command, answer, body["at"])
        self._gate.remember(command, {"id": command, "ok": True}, now)
        return None

    def rejudged(self, changed: int) -> Answer | None:
        """The game was judged again: the answer to the overruling that asked for it."""
        if self._pending is None:
            return None
        command, self._pending = self._pending[0], None
        return Answer(command, {"id": command, "ok": True, "changed": changed})

    def late(self, now: float) -> Answer | None:
        """The answer to an overruling that the game did not take."""
        if self._pending is None or now < self._pending[1]:
            return None
        command, self._pending = self._pending[0], None
        message = "the referee did not take it; the call stays"
        return Answer(command, {"id": command, "ok": False, "message": message})

    def press(self, payload: bytes, now: float) -> bool:
        """Home Assistant's undo button; whether its code was right and is to be renewed."""
        if not self._rates.allows("button", now) or not self._codes.take(payload):
            return False
        self._act({"act": "press", "button": "undo"})
        return True

    def allows_question(self, now: float) -> bool:
        """Whether another question is answered now."""
        return self._rates.allows("ask", now)

    def _final(self, command: str, answer: dict[str, Any], at: float) -> Answer:
        body = {"id": command, **answer}
        self._gate.remember(command, body, at)
        return Answer(command, body)

    def _obey(
        self, body: Mapping[str, Any], command: str, page: PageState, now: float
    ) -> dict[str, Any] | None:
        wish = schema.checked(Wish, body)
        if wish.act != "overrule":
            return self._act({"act": "press", "button": wish.act})
        call = next((each for each in page.calls if each.n == wish.call), None)
        if call is None:
            return {"ok": False, "message": "expected one of the newest 40 calls, found another"}
        if self._pending is not None:
            return {"ok": False, "message": "another overruling is under way; try again"}
        ruling = {
            key: value
            for key in ("verdict", "card", "seat")
            if (value := getattr(wish, key)) is not None
        }
        answer = self._act({"act": "overrule", "event": call.event, **ruling})
        if not answer.get("ok"):
            return answer
        self._pending = (command, now + OVERRULE_S)
        return None


def make_command(
    session: str, at: float, token: str, club: str, table: str, wish: Mapping[str, Any]
) -> dict[str, Any]:
    """A signed command. `at`: s since 1970 by the table's clock; `wish`: act and what it needs."""
    body = {
        "version": payloads.VERSION, "session": session, "id": uuid.uuid4().hex,
        "at": round(at, 3), **wish,
    }  # fmt: skip
    return sign(body, token, club, table)
