"""One game under way: each event is judged, journaled and told to the observers.

Nothing is told before its event is durable in the journal, up to a bound. The loop never waits
for the disk.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from kiosk.game.limits import LIMITS
from kiosk.game.news import EventJudged, GameBegan, GameRejudged, News
from kiosk.game.observers import Observers
from kiosk.game.overruling import Judging, Overruling, changed_calls, check, rejudge, to_json
from kiosk.game.unseen_acts import UnseenActs, doubted_until
from kiosk.journal.entries import EndEntry, EventEntry, OverruledEntry, Spot
from kiosk.journal.writer import Journal
from rules.contract.mistakes import Mistake
from rules.contract.reader import read_events
from rules.errors import FairdealError
from rules.judging import belief, referee
from rules.judging.referee import Session
from rules.judging.said import Told
from rules.table.call import Call
from rules.table.event import Event


@dataclass(frozen=True, slots=True)
class _Held:
    """News that wait for the journal's `ticket`, `since` (s of the session's clock)."""

    ticket: int
    news: EventJudged | GameRejudged
    since: float


@dataclass(frozen=True, slots=True)
class GamePast:
    """What happened in a game before it goes on: its events, and what people overruled."""

    events: tuple[Event, ...] = ()
    overruled: tuple[Overruling, ...] = ()


@dataclass(slots=True)
class _History:
    """All that happened in a game, for judging it again."""

    start: Session
    events: list[Event]
    overruled: list[Overruling]
    judging: Judging

    @classmethod
    def of(cls, start: Session, past: GamePast) -> _History:
        """What happened before."""
        found = cls(start, [], list(past.overruled), Judging(start, past.overruled))
        for event in past.events:
            found.take(event)
        return found

    def take(self, event: Event) -> Told:
        """The next event."""
        self.events.append(event)
        return self.judging.take(event)

    def overrule(self, overruling: Overruling) -> None:
        """Judges the whole game again with it."""
        self.overruled.append(overruling)
        self.judging = Judging(self.start, self.overruled)
        for event in self.events:
            self.judging.take(event)


class GameSession:
    """Takes events in the order in which they happen. `judged` is the game after the last one.

    `start`: the game before its first event; `past`: what happened before, where a game goes on.
    Events that the game ignored count for the time, so that it never falls. `wait_s`: how long
    `release` waits for the journal; None: as long as it takes, for recordings. `clock` (s) dates
    what is held.
    """

    def __init__(
        self,
        start: Session,
        journal: Journal,
        observers: Observers,
        past: GamePast | None = None,
        *,
        wait_s: float | None = LIMITS.durable_wait_s,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        past = past or GamePast()
        self._history = _History.of(start, past)
        self.counts: dict[str, int] = {}
        self._journal, self._observers = journal, observers
        self._wait_s, self._clock = wait_s, clock
        self._at = past.events[-1].at if past.events else start.at
        self._held: deque[_Held] = deque()
        self._overdue = 0
        self._unseen = UnseenActs(doubted_until=doubted_until(past.events))

    @property
    def judged(self) -> Session:
        """The game after the last event, as it is most likely."""
        return self._history.judging.belief.session

    @property
    def overdue(self) -> int:
        """Calls of so many events were told before the journal had them."""
        return self._overdue

    def begin(
        self, sides: tuple[str, ...], *, is_resumed: bool = False, number: int | None = None
    ) -> None:
        """Tells the observers which game begins or goes on."""
        game, setup, view = self.judged.game, self.judged.setup, referee.view(self.judged)
        mistakes = self._open_mistakes()
        self.tell(GameBegan(game, setup, sides, view, mistakes, self._at, is_resumed, number))

    def happen(self, event: Event, spot: Spot | None = None) -> tuple[Call, ...]:
        """Judges, journals and tells. Events that the game does not know are left out.

        A time before the last event's counts as that event's time. `spot`: where its card lies.
        """
        known = self._read(event)
        if known is None:
            return ()
        self._at = known.at
        weighed = self._unseen.weigh(self.judged, known)
        return tuple(call for event in weighed for call in self._judge(event, spot))

    def _judge(self, known: Event, spot: Spot | None) -> tuple[Call, ...]:
        told = self._history.take(known)
        self._hold(self._journal.write(EventEntry(known, told.calls, spot)), known, told)
        return told.calls

    def suppose_unseen(self, at: float, doubted_until: float) -> None:
        """Nobody watched the table for a while up to `at` (s); now it lies as the game knows it.

        `doubted_until`: game time (s) up to which no button makes a mistake.
        """
        self._unseen.doubted_until = doubted_until
        if not self.judged.blind:
            self._unseen.suppose(self.judged, at)

    def overrule(self, overruling: Overruling) -> None:
        """Judges the game again with it. FairdealError: no such event, card or seat."""
        history = self._history
        check(overruling, self.judged, history.events)
        before = history.judging.rejudged.calls
        history.overrule(overruling)
        self._unseen.forget()
        ticket = self._journal.write(OverruledEntry(overruling.event, to_json(overruling)))
        again = history.judging.rejudged.calls
        changed = changed_calls(before, again, overruling.event)
        self._hold_rejudged(ticket, overruling, changed)
        self._tell_kept()

    def tell(self, news: News) -> None:
        """Passes a message to all observers."""
        self._observers.tell(news)

    def release(self) -> None:
        """Tells what the journal has kept by now. Called once a frame."""
        if self._held:
            self._journal.wait(self._held[-1].ticket, self._wait_s)
            self._tell_kept()

    def close(self) -> tuple[Call, ...]:
        """Makes the calls of the game's end and closes the game in the journal."""
        told = self._history.judging.close()
        self._hold(self._journal.write(EndEntry(told.calls)), None, told)
        self.flush()
        return told.calls

    def flush(self) -> None:
        """Tells all that is held, when the journal has it or at the bound."""
        if self._held:
            self._journal.wait(self._held[-1].ticket, LIMITS.hold_s)
            self._tell_kept(is_last=True)

    def _read(self, event: Event) -> Event | None:
        """The event as the journal will give it back; None for what a game would refuse."""
        game, players = self.judged.game, self.judged.setup.players
        if event.at < self._at:
            event = replace(event, at=self._at)
        try:
            return next(read_events((event.to_json().encode(),), game, players))
        except (FairdealError, TypeError, ValueError):
            return None

    def _hold(self, ticket: int, event: Event | None, told: Told) -> None:
        for call in told.calls:
            self.counts[call.call] = self.counts.get(call.call, 0) + 1
        view = referee.view(self.judged)
        number = len(self._history.events)
        news = EventJudged(event, told.calls, view, self._open_mistakes(), number, told.events)
        self._held.append(_Held(ticket, news, self._clock()))
        if told.withdrawn:
            self._hold_rejudged(ticket, None, len(told.withdrawn))
        self._tell_kept()

    def _hold_rejudged(self, ticket: int, overruling: Overruling | None, changed: int) -> None:
        calls, view = self._history.judging.rejudged.calls, referee.view(self.judged)
        news = GameRejudged(overruling, calls, changed, view, self._open_mistakes())
        self._held.append(_Held(ticket, news, self._clock()))

    def _open_mistakes(self) -> tuple[Mistake, ...]:
        """The mistakes that were told and wait to be put right."""
        return belief.open_mistakes(self._history.judging.belief)

    def _tell_kept(self, *, is_last: bool = False) -> None:
        kept, now = self._journal.kept, self._clock()
        while self._held:
            held = self._held[0]
            if held.ticket > kept:
                is_late = now - held.since > LIMITS.hold_s
                is_useless = is_late or bool(self._journal.fault)
                if not (is_last or is_useless or len(self._held) > LIMITS.held_news):
                    return
                self._overdue += 1
            self._held.popleft()
            self.tell(held.news)


def replayed(session: Session, events: Iterable[Event]) -> Session:
    """The session after events that were judged before; their calls are not told again."""
    return rejudge(session, events, ()).session
