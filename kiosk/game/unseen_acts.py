"""Acts that leave no trace: what people may have done while nobody watched, and no picture shows.

A card laid on an equal one, an equal one taken from it, a top taken and laid back: the table looks
as before, and the game has moved on. Each such act that the rules allow makes another game. What
is a mistake in the game and right in one of these accuses nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from kiosk.game.limits import LIMITS
from rules.judging.doubt import SURE_ENOUGH
from rules.judging.referee import Session, seen_table, step
from rules.table.call import Call, CallKind
from rules.table.event import (
    Blind,
    CardEvent,
    Event,
    Placed,
    Pressed,
    Removed,
    Sighted,
    is_card_event,
)
from vision.sightings import UNKNOWN


@dataclass(slots=True)
class UnseenActs:
    """What may have happened unseen. `games`: the other games that may be under way.

    `until`: game time (s) up to which these count. `doubted_until`: up to then no button makes a
    mistake: people played unseen.
    """

    games: list[Session] = field(default_factory=list)
    until: float = 0.0
    doubted_until: float = 0.0

    def suppose(self, session: Session, at: float) -> None:
        """Nobody watched for a while up to `at` (s), and the table looks as before."""
        self.games, self.until = [], at + LIMITS.doubt_s
        for acts in traceless(session, at):
            other: Session | None = session
            for act in acts:
                other = None if other is None else _legal(other, act)
            if other is not None and len(self.games) < LIMITS.unseen_games:
                self.games.append(other)

    def weigh(self, session: Session, event: Event) -> tuple[Event, ...]:
        """The event as it may be judged. The other games take it too.

        A card's event is less sure where it is a mistake in the game and right in one of the
        others. Such a button is pressed out of view: it is asked for again.
        `session`: the game before the event.
        """
        if event.at > self.until:
            self.games = []
        is_doubted = event.at <= self.doubted_until and isinstance(event, Pressed)
        if not (self.games or is_doubted):
            return (event,)
        after = [step(other, event) for other in self.games]
        self.games = [game for game, _ in after if not game.over]
        if not _is_mistake(step(session, event)[1]):
            return (event,)
        is_right = any(not game.over and not _is_mistake(calls) for game, calls in after)
        if is_card_event(event):
            return (replace(event, sure=min(event.sure, LIMITS.unsure)) if is_right else event,)
        is_asked = isinstance(event, Pressed) and event.button != "end"
        if is_asked and (is_right or is_doubted):
            return Blind(event.at), event, Sighted(event.at)
        return (event,)

    def forget(self) -> None:
        """The game was judged again: the others are out of date."""
        self.games = []


def traceless(session: Session, at: float) -> Iterator[tuple[CardEvent, ...]]:
    """Acts at time `at` (s) after which the same card is on top of each place."""
    lone, seats = session.game.layout.lone_faces, range(1, session.setup.players + 1)
    for place, cards in seen_table(session).items():
        top = cards[-1]
        if top == UNKNOWN:
            continue
        for seat in seats:
            yield Removed(at, top, place, seat), Placed(at, top, place, seat)
            if top not in lone:
                yield (Placed(at, top, place, seat),)
            if cards[-2:] == (top, top):
                yield (Removed(at, top, place, seat),)


def doubted_until(events: Iterable[Event]) -> float:
    """Up to when (s) nobody is accused in a game that goes on after `events`.

    A restart does not end the time after doubtful events, and after cards that moved out of view.
    """
    last, is_blind, is_changed = -LIMITS.doubt_s, False, False
    for event in events:
        if isinstance(event, Blind):
            is_blind, is_changed = True, False
        elif isinstance(event, Sighted):
            last = event.at if is_blind and is_changed else last
            is_blind = False
        elif is_card_event(event):
            is_changed = is_blind
            last = event.at if event.sure < SURE_ENOUGH else last
    return last + LIMITS.doubt_s


def _legal(session: Session, act: CardEvent) -> Session | None:
    """The game after the act; None where the rules forbid it, or it ends the game."""
    after, calls = step(session, act)
    is_wrong = any(call.call in (CallKind.MISTAKE, CallKind.UNSURE) for call in calls)
    return None if is_wrong or after.over or after is session else after


def _is_mistake(calls: tuple[Call, ...]) -> bool:
    return any(call.call is CallKind.MISTAKE for call in calls)
