"""What people do on the page, done in the running game: checked, begun, answered.

On the link's thread. A wish that does not fit the game is refused in one line; none ends the
thread. An overruling is answered once the game was judged again, each by itself.
"""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from kiosk.game.inbox import Inbox
from kiosk.game.news import GameRejudged
from kiosk.game.overruling import Overruling
from kiosk.serving.lines import Lines, bug_line
from kiosk.serving.schema import checked, shown
from kiosk.web.messages import (
    Look,
    Move,
    Overrule,
    OverruleEvent,
    Press,
    Record,
    SetSounds,
    Settle,
    Wish,
)
from kiosk.web.shown_calls import CallShown
from kiosk.web.state import GameShown, PageState, Phase
from kiosk.web.topview import TopView
from rules.contract.game import SHARED_BUTTONS, Game
from rules.errors import FairdealError
from rules.games import game as game_named

Answer = dict[str, Any]
Act = Callable[[dict[str, Any]], Answer]  # a running game's acts (kiosk/web/page.py: press_into)

OK: Answer = {"ok": True}
LATE: Answer = {"ok": False, "message": "the referee did not take it; the call stays"}
FAILED: Answer = {"ok": False, "message": "this failed in the referee; the game goes on"}


@dataclass(slots=True)
class Pending:
    """An overruling that waits for the game's new judgement until `until` (s)."""

    number: object
    ruling: Overruling
    until: float


class PageActs:
    """The acts of one game. `act` reaches the game; `overrule_s`: until it has judged again.

    `shows` and `settles` tell and change the page's state, `view` straightens what it shows.
    """

    def __init__(
        self,
        act: Act,
        inbox: Inbox,
        shows: Callable[[], PageState],
        settles: Callable[[int], None],
        view: Callable[[], TopView],
        overrule_s: float,
    ) -> None:
        self._act, self._plan, self._look = act, inbox.plan, inbox.look
        self._shows, self._settles, self._view = shows, settles, view
        self._overrule_s = overrule_s
        self._pending: deque[Pending] = deque()
        self._rejudged: deque[GameRejudged] = deque(maxlen=100)
        self._lock = threading.Lock()
        self._lines = Lines("page")

    def hear(self, news: GameRejudged) -> None:
        """The game was judged again; on the loop's thread."""
        with self._lock:
            self._rejudged.append(news)

    def forget(self) -> None:
        """Whoever asked is gone: a new server counts its questions anew."""
        self._pending.clear()

    def begin(self, number: object, body: object, now: float) -> Answer | None:
        """Does what the page asks; the answer, or None where it comes later (`due`)."""
        try:
            wish: Wish = checked(Wish, body)
            return self._obey(number, wish, now)
        except FairdealError as error:
            return {"ok": False, "message": str(error)}
        except Exception as error:  # one act's fault must not end the page
            line = bug_line(error)
            self._lines.say(f"act:{line}", f"an act failed: {line}")
            return FAILED

    def due(self, now: float) -> list[tuple[object, Answer]]:
        """The answers to overrulings that are due by now. While the game judges, others wait."""
        found: list[tuple[object, Answer]] = []
        with self._lock:
            rejudged = list(self._rejudged)
            self._rejudged.clear()
        for news in rejudged:
            mine = next((p for p in self._pending if p.ruling == news.overruling), None)
            if mine is not None:
                self._pending.remove(mine)
                found.append((mine.number, {"ok": True, "changed": news.changed}))
        if found:
            for each in self._pending:
                each.until = now + self._overrule_s
        while self._pending and now > self._pending[0].until:
            found.append((self._pending.popleft().number, LATE))
        return found

    def _obey(self, number: object, wish: Wish, now: float) -> Answer | None:
        match wish:
            case Press():
                self._check_press(wish)
                return self._act(msgspec.to_builtins(wish))
            case SetSounds() | Record():
                return self._act(msgspec.to_builtins(wish))
            case Overrule():
                return self._overrule(number, wish, now)
            case Look():
                return self._look_again(wish)
            case Settle():
                self._settles(self._call(wish.call).n)
                return OK
            case Move():
                return self._move(wish)

    def _check_press(self, wish: Press) -> None:
        game, shows = self._game()
        buttons = game.buttons | SHARED_BUTTONS
        if wish.button not in buttons:
            names = ", ".join(sorted(buttons))
            raise FairdealError(f"a button of {game.name}: {names}", shown(wish.button))
        _check_seat(wish.seat, shows)

    def _overrule(self, number: object, wish: Overrule, now: float) -> Answer | None:
        game, shows = self._game()
        if wish.card is not None and wish.card not in shows.faces:
            raise FairdealError(f"a card of {game.name}", shown(wish.card))
        _check_seat(wish.seat, shows)
        event = OverruleEvent(
            event=self._call(wish.call).event, verdict=wish.verdict, card=wish.card, seat=wish.seat
        )
        answer = self._act(msgspec.to_builtins(event))
        if event.ruling is None or not answer.get("ok"):
            return answer
        self._pending.append(Pending(number, event.ruling, now + self._overrule_s))
        return None

    def _look_again(self, wish: Look) -> Answer:
        """The referee looks at a call's card again; a face that is sure now answers for people."""
        call = self._call(wish.call)
        if call.place is None:
            raise FairdealError("a call of a card", "one without a place")
        looked = self._look.look(call.place)
        if looked is None:
            return {"ok": True, "card": None}
        if looked.is_sure:
            event = OverruleEvent(event=call.event, verdict="card", card=looked.card)
            self._act(msgspec.to_builtins(event))
        sure = round(looked.sure, 3)
        return {"ok": True, "card": looked.card, "sure": sure, "is_sure": looked.is_sure}

    def _move(self, wish: Move) -> Answer:
        """Moves a place to a point of the view, or lets the game's layout find it again."""
        game, shows = self._game()
        known = {each.place for each in self._shows().places}
        known |= {each.place for each in shows.areas} | set(self._plan.moved)
        if wish.place not in known or not game.is_place(wish.place, shows.players):
            raise FairdealError("a place of the game that the page shows", shown(wish.place))
        if wish.at is None:
            self._plan.free(wish.place)
            return OK
        x, y = map(float, self._view().camera_parts(list(wish.at)))
        if not (math.isfinite(x) and math.isfinite(y)):
            raise FairdealError("a point of the table", "one beyond its horizon")
        if not self._plan.move(wish.place, (x, y)):
            raise FairdealError("fewer places that were moved", "too many", "let some go")
        return OK

    def _game(self) -> tuple[Game, GameShown]:
        state = self._shows()
        if state.game is None or state.phase is not Phase.PLAYING:
            found = "none yet" if state.game is None else "one that is over"
            raise FairdealError("a game under way", found, "start one")
        return game_named(state.game.name), state.game

    def _call(self, n: int) -> CallShown:
        call = next((c for c in self._shows().calls if c.n == n), None)
        if call is None:
            raise FairdealError("a call that the page shows", str(n))
        return call


def _check_seat(seat: int | None, shows: GameShown) -> None:
    if seat is not None and seat > shows.players:
        raise FairdealError(f"a seat from 1 to {shows.players}", str(seat))
