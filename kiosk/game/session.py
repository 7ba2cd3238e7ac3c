"""From events to calls, each one written down before it is judged, played and shown after."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from device.performer import Performer
from kiosk.game.journal import Journal
from rules import referee
from rules.call import Call
from rules.event import Event
from rules.game import SHARED_BUTTONS, UNJUDGED_CARDS
from rules.referee import Session

Listener = Callable[[Event | None, tuple[Call, ...]], None]


class Judging:
    """One game under way. `listener` hears of each event with its calls; None: the end's calls."""

    def __init__(
        self,
        session: Session,
        journal: Journal,
        performer: Performer | None = None,
        listener: Listener | None = None,
    ) -> None:
        self.session = session
        self.counts: dict[str, int] = {}
        self._journal, self._performer, self._listener = journal, performer, listener
        self._at = session.at
        game, players = session.game, session.setup.players
        self._cards = (game.cards_of(players) if game.cards_of else game.cards) | UNJUDGED_CARDS

    @property
    def open_mistakes(self) -> int:
        """How many mistakes wait to be put right."""
        return len(getattr(self.session.state, "mistakes", ()))

    def happen(self, event: Event) -> tuple[Call, ...]:
        """Journal, judge, signal. What the game does not know is left out; time never falls."""
        if not self._is_known(event):
            return ()
        if event.at < self._at:
            event = replace(event, at=self._at)
        self._at = event.at
        self._journal.event(event)
        self.session, calls = referee.step(self.session, event)
        self._say(event, calls)
        return calls

    def lost(self, on: bool, *, heard: bool = True) -> None:
        """The view of the table is lost, or found again: seen, and heard if need be."""
        if self._performer is not None:
            self._performer.lost(on, heard=heard)

    def close(self) -> tuple[Call, ...]:
        """The calls that the end of the recording brings; the game is over in the journal too."""
        calls = referee.close(self.session)
        self._say(None, calls)
        self._journal.end()
        return calls

    def _is_known(self, event: Event) -> bool:
        game, players = self.session.game, self.session.setup.players
        if event.seat is not None and not 1 <= event.seat <= players:
            return False
        if event.button is not None:
            return event.button in game.buttons or event.button in SHARED_BUTTONS
        if event.card is None:
            return True
        on_place = event.place is not None and game.is_place(event.place, players)
        return event.card in self._cards and on_place

    def _say(self, event: Event | None, calls: tuple[Call, ...]) -> None:
        self._journal.calls(calls)
        for call in calls:
            self.counts[call.call] = self.counts.get(call.call, 0) + 1
        if self._performer is not None:
            for call in calls:
                self._performer.play(call)
            self._performer.settle(self.open_mistakes)
            self._performer.turn(referee.view(self.session).turn)
        if self._listener is not None:
            self._listener(event, calls)


def replayed(session: Session, events: Iterable[Event]) -> Session:
    """The session after events that were judged before; their calls are not made again."""
    for event in events:
        session, _ = referee.step(session, event)
    return session
