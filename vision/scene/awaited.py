"""Evidence about cards that were told: a hand lets go of one, further looks name it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from rules.table.event import Learned
from vision.scene.doubts import Awaited

HELD = 0.002  # how likely a hand lets go of a card that it did not lay, one that it did: 1
GRIPPED_S = 2.0  # s for which a hand holds a card still over others
FREE_S = 0.15  # s for which a card lies still as the hand goes: one in the hand goes with it


@dataclass(frozen=True, slots=True)
class Seen:
    """What is seen of a lying card that was told. `is_free`: no hand lies on it, and it looks as
    remembered; `name`: how likely its name is right (0 to 1), None while looks are to come."""

    is_free: bool
    name: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Open:
    """A told card about which evidence is to come, which bears on one `way`. `times`: how often its
    ways are there, alone and after what may have happened unseen; `free_since` (s): since when the
    hand seems to have let go of it."""

    ways: Awaited
    way: int
    choice: int
    since: float
    times: int
    free_since: float | None = None

    def learned(self, at: float, chance: float) -> Learned:
        """Evidence at `at` (s) that multiplies the odds of the way by `chance`."""
        most = max(1.0, chance)
        likely = [1.0 / most] * len(self.ways.ways)
        likely[self.way] = chance / most
        return Learned(at, self.choice, tuple(likely) * self.times)


class AwaitedCards:
    """Told cards about which evidence is to come."""

    def __init__(self) -> None:
        self._held: tuple[_Open, ...] = ()
        self._doubtful: tuple[_Open, ...] = ()

    def told(self, ways: Awaited, choice: int, at: float, times: int) -> None:
        """A card was told at `at` (s), with these ways `times` times, as a choice."""
        if ways.held is not None:
            self._held += (_Open(ways, ways.held, choice, at, times),)
        if ways.misnamed is not None:
            self._doubtful += (_Open(ways, ways.misnamed, choice, at, times),)

    def forget(self) -> None:
        """The table was not seen for a while: no evidence comes."""
        self._held = self._doubtful = ()

    def evidence(self, at: float, seen: Callable[[int], Seen | None]) -> list[Learned]:
        """What is learned at `at` (s), by what is `seen` of each card; None if it is gone."""
        return [*self._names(at, seen), *self._released(at, seen)]

    def _names(self, at: float, seen: Callable[[int], Seen | None]) -> list[Learned]:
        told: list[Learned] = []
        left: list[_Open] = []
        for card in self._doubtful:
            found = seen(card.ways.number)
            if found is not None and found.name is None:
                left.append(card)
                continue
            before = card.ways.name
            name = before if found is None or found.name is None else found.name
            told.append(card.learned(at, _odds(name) / _odds(before)))
        self._doubtful = tuple(left)
        return told

    def _released(self, at: float, seen: Callable[[int], Seen | None]) -> list[Learned]:
        """Evidence that cards were laid."""
        told: list[Learned] = []
        left: list[_Open] = []
        for card in self._held:
            found = seen(card.ways.number)
            if found is None:
                continue
            since = at if card.free_since is None or not found.is_free else card.free_since
            if at - since >= FREE_S or at - card.since >= GRIPPED_S:
                told.append(card.learned(at, HELD))
            else:
                left.append(replace(card, free_since=since if found.is_free else None))
        self._held = tuple(left)
        return told


def _odds(name: float) -> float:
    """The odds that a name is wrong."""
    return (1.0 - name) / name
