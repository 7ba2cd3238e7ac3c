"""One game under way: each event is journaled, judged and told to the observers, in this order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from kiosk.game.journal import Journal
from kiosk.game.news import EventJudged, GameBegan, News
from kiosk.game.observers import Observers
from rules import referee
from rules.call import Call
from rules.event import Blind, Event, Pressed, Sighted
from rules.game import SHARED_BUTTONS, UNJUDGED_CARDS
from rules.mistakes import Mistake
from rules.referee import Session


class GameSession:
    """Takes events in the order in which they happen. `judged` is the game after the last one."""

    def __init__(self, judged: Session, journal: Journal, observers: Observers) -> None:
        self.judged = judged
        self.counts: dict[str, int] = {}
        self._journal, self._observers = journal, observers
        self._at = judged.at

    def begin(self, sides: tuple[str, ...], *, is_resumed: bool = False) -> None:
        """Tells the observers which game begins or goes on."""
        game, setup, view = self.judged.game, self.judged.setup, referee.view(self.judged)
        mistakes = open_mistakes(self.judged)
        self.tell(GameBegan(game, setup, sides, view, mistakes, self._at, is_resumed))

    def happen(self, event: Event) -> tuple[Call, ...]:
        """Journals, judges and tells. Events that the game does not know are left out.

        A time before the last event's counts as that event's time.
        """
        if not self._is_known(event):
            return ()
        if event.at < self._at:
            event = replace(event, at=self._at)
        self._at = event.at
        self._journal.event(event)
        self.judged, calls = referee.step(self.judged, event)
        self._tell_judged(event, calls)
        return calls

    def tell(self, news: News) -> None:
        """Passes a message to all observers."""
        self._observers.tell(news)

    def close(self) -> tuple[Call, ...]:
        """Makes the calls of the game's end and closes the game in the journal."""
        calls = referee.close(self.judged)
        self._tell_judged(None, calls)
        self._journal.end()
        return calls

    def _is_known(self, event: Event) -> bool:
        game, players = self.judged.game, self.judged.setup.players
        if isinstance(event, (Blind, Sighted)):
            return True
        if event.seat is not None and not 1 <= event.seat <= players:
            return False
        if isinstance(event, Pressed):
            return event.button in game.buttons or event.button in SHARED_BUTTONS
        cards = game.cards_of(players) if game.cards_of else game.cards
        on_place = game.is_place(event.place, players)
        return on_place and (event.card in cards or event.card in UNJUDGED_CARDS)

    def _tell_judged(self, event: Event | None, calls: tuple[Call, ...]) -> None:
        self._journal.calls(calls)
        for call in calls:
            self.counts[call.call] = self.counts.get(call.call, 0) + 1
        view = referee.view(self.judged)
        self.tell(EventJudged(event, calls, view, open_mistakes(self.judged)))


def open_mistakes(session: Session) -> tuple[Mistake, ...]:
    """The mistakes that wait to be put right."""
    return tuple(session.state.mistakes)


def replayed(session: Session, events: Iterable[Event]) -> Session:
    """The session after events that were judged before; their calls are not told again."""
    for event in events:
        session, _ = referee.step(session, event)
    return session
