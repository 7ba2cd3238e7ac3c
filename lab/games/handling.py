"""From a game's events to what hands do: cards moved, turned over and swept, not one by one."""

from collections.abc import Iterator, Sequence

from models.drawing.steps import Step, Verb
from rules.table.event import Event, Placed, Pressed, Removed

# The two sides of a card that has two; `back` turns into any face.
_OTHER_SIDE = {"machine": "machine-broken", "machine-broken": "machine"}


class Hands:
    """Follows what lies where, so that it knows how hands do what the events say."""

    def __init__(self) -> None:
        self._lying: dict[str, list[str]] = {}

    def at(self, place: str) -> tuple[str, ...]:
        """The faces at a place, bottom to top."""
        return tuple(self._lying.get(place, ()))

    def lay(self, face: str, place: str) -> None:
        """A card that lies from the beginning."""
        self._lying.setdefault(place, []).append(face)

    def steps(self, events: Sequence[Event]) -> Iterator[Step]:
        """The steps of a group of events; their time is not set."""
        index = 0
        while index < len(events):
            step, used = self._step(events[index:])
            index += used
            yield step

    def _step(self, events: Sequence[Event]) -> tuple[Step, int]:
        """The next step, and how many events it stands for."""
        first = events[0]
        if isinstance(first, Pressed):
            return Step(0.0, Verb.PRESS, seat=first.seat, button=first.button), 1
        if isinstance(first, Placed):
            self.lay(first.card, first.place)
            return Step(0.0, Verb.PLACE, first.place, first.card, first.seat, on=first.on), 1
        assert isinstance(first, Removed)
        swept = self._swept(first, events)
        if swept > 1:
            self._lying[first.place] = []
            return Step(0.0, Verb.SWEEP, first.place, seat=first.seat), swept
        self._take(first.card, first.place)
        after = events[1] if len(events) > 1 else None
        if isinstance(after, Placed) and after.seat == first.seat:
            step = self._carried(first, after)
            if step is not None:
                return step, 2
        return Step(0.0, Verb.REMOVE, first.place, first.card, first.seat), 1

    def _carried(self, first: Removed, after: Placed) -> Step | None:
        """A card that is moved or turned over; None where two cards are meant."""
        if after.place != first.place and after.card == first.card:
            self.lay(after.card, after.place)
            return Step(0.0, Verb.MOVE, first.place, first.card, first.seat, to=after.place)
        if after.place == first.place and _is_other_side(first.card, after.card):
            self.lay(after.card, after.place)
            return Step(0.0, Verb.TURN, first.place, first.card, first.seat, becomes=after.card)
        return None

    def _swept(self, first: Removed, events: Sequence[Event]) -> int:
        """How many events take away a whole place at once; 0 where they do not."""
        taken: list[str] = []
        for event in events:
            is_same = isinstance(event, Removed) and event.seat == first.seat
            if not is_same or not isinstance(event, Removed) or event.place != first.place:
                break
            taken.append(event.card)
        return len(taken) if sorted(taken) == sorted(self.at(first.place)) else 0

    def _take(self, face: str, place: str) -> None:
        cards = self._lying.get(place, [])
        del cards[len(cards) - 1 - cards[::-1].index(face)]


def _is_other_side(face: str, other: str) -> bool:
    plain, turned = face.removesuffix("-ruined"), other.removesuffix("-ruined")
    return (plain == turned and face != other) or face == "back" or _OTHER_SIDE.get(face) == other
