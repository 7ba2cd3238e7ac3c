"""One table as the board sees it: what it said, which calls are here, what waits for a person."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from msgspec import to_builtins

from kiosk.club.payloads import Available, SentCall
from kiosk.club.states import TableState

CALLS_SHOWN = 12  # the newest of a table
CLOCK_OFF_S = 60.0  # a table's clock that is further off is said
SURE_ENOUGH = 0.98  # calls below stand out
# Of a table that has said nothing yet.
NOTHING = TableState(
    "", 0, 0.0, "idle", None, 0.0, None, "", [], [], [], [], "", 0, [], [], None
)  # fmt: skip


@dataclass(slots=True)
class Numbers:
    """The numbers from 1 that have come: all up to `top`, and those beyond."""

    top: int = 0
    beyond: set[int] = field(default_factory=set)

    def add(self, n: int) -> bool:
        """Whether it is new."""
        if n <= self.top or n in self.beyond:
            return False
        self.beyond.add(n)
        while self.top + 1 in self.beyond:
            self.top += 1
            self.beyond.discard(self.top)
        return True

    def missing(self, last: int) -> tuple[int, int] | None:
        """The first gap up to `last`, as (from, to); None where all are here."""
        if self.top >= last:
            return None
        after = [n for n in self.beyond if n > self.top]
        return self.top + 1, min(min(after, default=last + 1) - 1, last)

    def lacking(self, last: int) -> int:
        """How many up to `last` are not here."""
        return max(last - self.top, 0) - sum(n <= last for n in self.beyond)


@dataclass(slots=True)
class Rival:
    """A second table of the same name that asked for it at `at`; it is refused."""

    who: Available
    at: float
    is_told: bool = False


@dataclass(slots=True)
class Gap:
    """Calls that are missing since `since`; asked for again at `ask_at`, `pause_s` later next."""

    since: float
    ask_at: float
    pause_s: float = 2.0


@dataclass(slots=True)
class TableSeen:
    """All that the board knows of a table now. Times are s since 1970 by the board's clock."""

    name: str
    is_listed: bool = True  # in the board's club file, or the file lists none
    has_token: bool = False
    who: Available | None = None
    session: str = ""
    state: TableState | None = None
    clock_off_s: float = 0.0  # of the table's clock: above 0 is ahead
    calls: deque[SentCall] = field(default_factory=lambda: deque(maxlen=CALLS_SHOWN))
    numbers: dict[str, Numbers] = field(default_factory=dict)
    earlier: dict[str, int] = field(default_factory=dict)  # earlier session → its calls
    decided: dict[int, str] = field(default_factory=dict)
    unsure: list[SentCall] = field(default_factory=list)
    gaps: dict[str, Gap] = field(default_factory=dict)
    rival: Rival | None = None

    def begin(self, session: str) -> bool:
        """The table speaks in a new session; whether it is new."""
        if session == self.session:
            return False
        self.session, self.state = session, None
        self.calls.clear()
        self.decided, self.unsure = {}, []
        return True

    def add(self, call: SentCall) -> bool:
        """Takes a call; whether it is new here."""
        if not self.numbers.setdefault(call.session, Numbers()).add(call.n):
            return False
        if call.session == self.session:
            self.show(call)
        return True

    def show(self, call: SentCall) -> None:
        """Puts a call among those that are shown, in order."""
        newest = sorted([*self.calls, call], key=lambda each: each.n)
        self.calls.clear()
        self.calls.extend(newest)
        if call.call == "unsure":
            self.unsure = sorted([*self.unsure, call], key=lambda each: each.n)[-50:]

    def waiting(self) -> list[SentCall]:
        """Calls in doubt that no person has decided yet."""
        withdrawn = [] if self.state is None else self.state.withdrawn
        return [c for c in self.unsure if c.n not in self.decided and c.n not in withdrawn]

    def lacking(self) -> int:
        """How many calls have not come (yet)."""
        return sum(
            self.numbers.get(session, Numbers()).lacking(last)
            for session, last in self.lasts().items()
        )

    def lasts(self) -> dict[str, int]:
        """How many calls each session made, as the table says."""
        if self.state is None:
            return dict(self.earlier)
        return {**self.earlier, self.state.session: self.state.calls}

    def notes(self) -> list[dict[str, Any]]:
        """What is wrong with the table: an id of the page's texts and its values."""
        found: list[dict[str, Any]] = []
        if self.rival is not None and self.rival.is_told and self.who is not None:
            values = {"one": self.who.shown, "other": self.rival.who.shown}
            found.append({"id": "note-two-tables", **values})
        if self.state is not None and self.state.lost:
            found.append({"id": "note-lost", "why": self.state.lost})
        if abs(self.clock_off_s) > CLOCK_OFF_S:
            minutes = round(self.clock_off_s / 60)
            found.append({"id": "note-clock", "minutes": minutes})
        if any(gap.pause_s > 2.0 for gap in self.gaps.values()):
            found.append({"id": "note-missing", "count": self.lacking()})
        if not self.is_listed:
            found.append({"id": "note-unlisted"})
        return found

    def to_json(self, seats: list[str]) -> dict[str, Any]:
        """What the page shows. `seats`: the players' names of seats 1..N, as far as known."""
        state = self.state or NOTHING
        waiting = self.waiting()
        shown = {call.n: call for call in (*waiting, *self.calls)}
        return {
            "name": self.name, "session": self.session,
            "is_online": self.who is not None and self.who.is_online,
            "where": "" if self.who is None else self.who.shown,
            "can_command": self.has_token,
            "game": to_builtins(state.game), "phase": state.phase, "turn": state.turn,
            "headline": state.headline, "lines": to_builtins(state.lines),
            "places": to_builtins(state.places), "scores": to_builtins(state.scores),
            "mistakes": len(state.mistakes), "result": to_builtins(state.result),
            "at": state.at, "calls_made": state.calls, "sent": state.sent, "seats": seats,
            "calls": [
                {
                    "n": c.n, "at": c.at, "call": c.call, "rule": c.rule, "message": c.message,
                    "sure": c.sure, "is_doubtful": c.sure < SURE_ENOUGH, "place": c.place,
                    "seat": c.seat, "card": c.card, "expected": list(c.expected),
                    "is_open": c.n in state.open, "is_withdrawn": c.n in state.withdrawn,
                    "decided": self.decided.get(c.n, ""),
                }
                for _, c in sorted(shown.items())
            ],
            "waiting": [call.n for call in waiting],
            "notes": self.notes(),
        }  # fmt: skip
