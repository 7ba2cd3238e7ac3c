"""A table without pictures for the fault trials: recorded events are what happens on it.

The loop, the journal and the comparison of tables are the real ones. The watcher here sees what a
camera could: of each place the top card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from rules.judging.referee import Session
from rules.table.event import CardEvent, Event, Placed, Pressed, Removed, is_card_event
from vision.frame import Frame
from vision.scene.hand_blobs import Cover
from vision.scene.table import Card, Table
from vision.scene.tracks import Name
from vision.scene.watcher import Observation
from vision.sightings import Located, Named
from vision.sources.source import Ended, Lost, Source

PICTURE = np.zeros((36, 64, 3), np.uint8)
COVER = Cover(np.zeros((36, 64), bool), np.zeros((36, 64), np.uint8))
FRAME_S = 0.1  # between two frames
CARD_PX = 1.0


class NoCards:
    """Eyes that locate nothing: the watcher below knows."""

    def locate(self, bgr: np.ndarray) -> Located:
        """No cards."""
        return Located.empty()

    def name(
        self,
        bgr: np.ndarray,
        quads: np.ndarray,
        quick: bool = False,
        known: np.ndarray | None = None,
    ) -> Named:
        """Never asked."""
        raise AssertionError("no cards to name")


class Clock(Source):
    """Grey frames every `FRAME_S` from 0 to `until` (s)."""

    recorded = True

    def __init__(self, until: float) -> None:
        self._until, self._number = until, 0

    def read(self) -> Frame | None:
        """The next frame; None at the end."""
        at = round(self._number * FRAME_S, 3)
        if at > self._until:
            return None
        self._number += 1
        return Frame(PICTURE, at, self._number - 1)

    def watch(self, timeout_s: float) -> Frame | Lost | Ended | None:
        """As `read`, at once."""
        frame = self.read()
        return Ended() if frame is None else frame


@dataclass
class RealTable:
    """What really lies: the faces at each place, bottom to top, and where the places are."""

    stacks: dict[str, list[str]] = field(default_factory=dict)
    spots: dict[str, tuple[float, float]] = field(default_factory=dict)

    def apply(self, event: Event) -> None:
        """A card comes or goes."""
        if not is_card_event(event):
            return
        stack = self.stacks.setdefault(event.place, [])
        if isinstance(event, Placed):
            stack.append(event.card)
        elif event.card in stack:
            del stack[len(stack) - 1 - stack[::-1].index(event.card)]
        if event.place not in self.spots:
            k = len(self.spots)
            self.spots[event.place] = (1.0 + 2.0 * (k % 7), 1.0 + 2.0 * (k // 7 % 4))


def lying(events: Iterable[Event]) -> list[str]:
    """The faces that lie on the table after `events`, sorted."""
    real = RealTable()
    for event in events:
        real.apply(event)
    return sorted(card for stack in real.stacks.values() for card in stack)


class TopWatcher:
    """Watches a real table from `began` (s of the table's time) on.

    It numbers the piles in the order in which it sees them. A card that lay covered when it
    began is reported when the cards on it have gone.
    """

    def __init__(self, events: Sequence[Event], began: float, looked_s: float) -> None:
        self._events, self._next = list(events), 0
        self._began, self._looked_s = began, looked_s
        self._real = RealTable()
        self._seen: dict[str, list[str]] = {}
        self._names: dict[str, str] = {}
        self._born = 0
        while self._next < len(self._events) and self._events[self._next].at <= began:
            self._real.apply(self._events[self._next])
            self._next += 1

    def update(self, frame: Frame, located: Located, name: Name) -> Observation:
        """What happened by this frame. For `looked_s` after the start the table rests."""
        told: list[CardEvent] = []
        if frame.number == 0:
            told += self._first_look(frame.at)
        until = self._began + max(frame.at - self._looked_s, 0.0)
        while self._next < len(self._events) and self._events[self._next].at <= until + 1e-9:
            event = self._events[self._next]
            self._next += 1
            self._real.apply(event)
            if is_card_event(event):
                told += self._told(event, frame.at)
        return Observation(tuple(told), self._table(), (), COVER)

    def _first_look(self, at: float) -> Iterator[CardEvent]:
        for place, stack in sorted(self._real.stacks.items(), key=lambda item: item[0][::-1]):
            if stack:
                self._seen[place] = [stack[-1]]
                yield Placed(at, stack[-1], self._name(place))

    def _told(self, event: CardEvent, at: float) -> Iterator[CardEvent]:
        place, seen = event.place, self._seen.setdefault(event.place, [])
        if isinstance(event, Placed):
            seen.append(event.card)
            yield Placed(at, event.card, self._name(place), event.seat, event.on)
            return
        if event.card not in seen:
            return  # it lay covered and went unseen
        del seen[len(seen) - 1 - seen[::-1].index(event.card)]
        yield Removed(at, event.card, self._name(place), event.seat)
        stack = self._real.stacks[place]
        is_swept = self._is_swept(place)
        if not seen and stack and not is_swept:
            seen.append(stack[-1])
            yield Placed(at, stack[-1], self._name(place), event.seat)
        if not stack:
            self._names.pop(place, None)

    def _is_swept(self, place: str) -> bool:
        """Whether the rest of the place goes next: hands take a pile as one."""
        left = len(self._real.stacks[place])
        following = self._events[self._next : self._next + left]
        return len(following) == left and all(
            isinstance(event, Removed) and event.place == place for event in following
        )

    def _name(self, place: str) -> str:
        if not place.startswith("pile/"):
            return place
        if place not in self._names:
            self._born += 1
            self._names[place] = f"pile/{self._born}"
        return self._names[place]

    def _table(self) -> Table:
        cards = []
        for number, (place, seen) in enumerate(self._seen.items()):
            if seen:
                x, y = self._real.spots[place]
                corners = ((x, y), (x + CARD_PX, y), (x + CARD_PX, y + CARD_PX), (x, y + CARD_PX))
                cards.append(Card(number, seen[-1], self._name(place), corners))
        return Table(tuple(cards))


def taken_from_equal(happened: Sequence[Event], since: float) -> list[str]:
    """The cards of the last act by `since` (s) that lay on equal ones: no picture shows the act."""
    past = [event for event in happened if event.at <= since]
    real, taken = RealTable(), []
    for event in past:
        real.apply(event)
        if isinstance(event, Removed) and event.at == past[-1].at:
            left = real.stacks[event.place]
            taken += [event.card] if left and left[-1] == event.card else []
    return taken


def is_behind(kept: Session, presses: int, happened: Sequence[Event], since: float) -> bool:
    """Whether something happened by `since` (s) that the game `kept` does not have.

    `presses`: how many buttons the journal has.
    """
    real = RealTable()
    for event in happened:
        if event.at <= since:
            real.apply(event)
    pressed = sum(isinstance(event, Pressed) and event.at <= since for event in happened)
    lying = sorted(tuple(stack) for stack in real.stacks.values() if stack)
    return sorted(kept.table.values()) != lying or presses < pressed
