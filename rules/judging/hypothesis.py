"""A hypothesis: the game after one course of events, as far as that still matters.

Courses that have led to the same game are one hypothesis with several histories: judging costs
nothing twice, and what each course would have called is still known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.judging.referee import Session
from rules.table.call import Call, CallKind
from rules.table.event import Act, CardEvent, Placed
from rules.values import replace

MOST_HYPOTHESES = 64
MOST_HISTORIES = 8  # of one hypothesis
LEAST_WEIGHT = 1e-5  # lighter hypotheses are forgotten
MOST_EXCUSED = 32  # cards that a hypothesis remembers
MOST_TAKEN = 16  # choices that a history remembers

Key = tuple[CallKind, str, str | None, str | None, int | None]
"""What a call is about: kind, rule, place, card, and the seat where it names one's own."""

Claims = Mapping[Key, tuple[Call, ...]]
"""Calls of a course of events that are not decided yet, by what they are about, in order."""


@dataclass(frozen=True, slots=True)
class Taken:
    """One way of an event's choice. `event`: its number, from 1; `way`: the index of the way.

    `faces`: of a card that could not be named, those that it is one of here.
    """

    event: int
    way: int
    faces: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class History:
    """A course of events: its weight, the ways taken, newest last, and what it would call.

    `share`: the part of an unnamed card's faces that it is about, 1 without one. All faces being
    alike is no evidence: `most` is what the weight would be were the card certainly one of those.
    `erring`: how much less it weighs for the mistakes in it; `seen`: its weight without that.
    """

    weight: float
    taken: tuple[Taken, ...] = ()
    claims: Claims = field(default_factory=dict)
    share: float = 1.0
    erring: float = 1.0

    @property
    def seen(self) -> float:
        """The weight by what was seen alone."""
        return self.weight / self.erring

    @property
    def most(self) -> float:
        """The weight, if what is known of unnamed cards is not that all faces are alike."""
        return self.weight / self.share


@dataclass(frozen=True, slots=True)
class Origin:
    """How an unnamed card came: event `event`, `placed` in the game `before`, and what followed.

    `made`: what its course has claimed by it and by what followed.
    """

    event: int
    before: Session
    placed: Placed
    since: tuple[Act, ...] = ()
    made: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class Stand:
    """A card that lies here otherwise than it was told.

    `told`, `real`: its place and card as later events name them, and as they are here; None: there
    is no such card here. `faces`: what an unnamed card may be, with chances. `is_ghost`: it was
    told as removed, and lies here still. `is_hidden`: nobody saw it come.
    """

    told: tuple[str, str]
    real: tuple[str, str] | None
    faces: tuple[tuple[str, float], ...] = ()
    origin: Origin | None = field(default=None, compare=False)
    is_ghost: bool = False
    is_hidden: bool = False


@dataclass(frozen=True, slots=True)
class Ahead:
    """A card event that was told, and the game before it: the act that was missed before it may be
    told next."""

    before: Session
    event: CardEvent


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """The game after some courses of events, and the cards that were told otherwise.

    `unnamed`: the hypothesis before an unnamed card was taken up, at `taken_at` (s): a card that
    is laid there at that very time is that card, with its name.
    `excused`: (place, card) of cards laid while one lay unnamed; they may be wrong and be right.
    `ahead`: the last event, if an act was missed right before it.
    """

    session: Session
    histories: tuple[History, ...]
    stands: tuple[Stand, ...] = ()
    unnamed: Hypothesis | None = None
    taken_at: float = -1.0
    excused: tuple[tuple[str, str], ...] = ()
    ahead: Ahead | None = None

    @property
    def weight(self) -> float:
        """The weight of all its histories."""
        return sum(history.weight for history in self.histories)

    @property
    def most(self) -> float:
        """The most that its weight may be, whatever unnamed cards are."""
        return sum(history.most for history in self.histories)


def scaled(hypothesis: Hypothesis, factor: float, erring: float = 1.0) -> Hypothesis:
    """The hypothesis at `factor` times its weight; `erring` scales its factor for mistakes."""
    histories = tuple(
        replace(each, weight=each.weight * factor, erring=each.erring * erring)
        for each in hypothesis.histories
    )
    return replace(hypothesis, histories=histories)


def took(history: History, taken: Taken) -> History:
    """The history after one more choice; the oldest ones are forgotten."""
    return replace(history, taken=(*history.taken, taken)[-MOST_TAKEN:])


def settled(hypotheses: Iterable[Hypothesis]) -> tuple[tuple[Hypothesis, ...], float]:
    """Equal hypotheses made one, the lightest left out, heaviest first, the weights sum to 1.

    Also the weight of those that were left out, as a part of all.
    """
    merged = sorted(_merged(hypotheses), key=lambda each: -each.most)
    total = sum(each.weight for each in merged)
    kept = [each for each in merged[:MOST_HYPOTHESES] if each.weight >= LEAST_WEIGHT * total]
    kept.sort(key=lambda each: -each.weight)
    left = sum(each.weight for each in kept)
    if left <= 0:
        return tuple(merged[:MOST_HYPOTHESES]), 0.0
    most = max(history.erring for each in kept for history in each.histories)
    return tuple(scaled(each, 1.0 / left, 1.0 / most) for each in kept), 1.0 - left / total


def _merged(hypotheses: Iterable[Hypothesis]) -> list[Hypothesis]:
    places: dict[object, list[Hypothesis]] = {}
    found: list[list[Hypothesis]] = []
    for each in hypotheses:
        group = places.setdefault(_rough_key(each), [])
        for other in group:
            if _is_same_game(other, each):
                next(same for same in found if same[0] is other).append(each)
                break
        else:
            group.append(each)
            found.append([each])
    return [_as_one(same) for same in found]


def _rough_key(each: Hypothesis) -> object:
    session = each.session
    return session.over, session.blind, frozenset(session.table.items())


def _is_same_game(a: Hypothesis, b: Hypothesis) -> bool:
    """Whether every later event is judged alike. Times and what undo takes back do not count."""
    if a.session is not b.session:
        one, other = a.session, b.session
        if (one.changed, one.unheard, one.doubts) != (other.changed, other.unheard, other.doubts):
            return False
        if one.state is not other.state and not _is_same_state(one.state, other.state):
            return False
    # What a card that was taken up may have been counts until it is named.
    return a.stands == b.stands and a.unnamed is None and b.unnamed is None


def _is_same_state(a: Any, b: Any) -> bool:
    """Whether two games stand alike; it matters not which of their open mistakes came first."""
    if a == b:
        return True
    if len(a.mistakes) < 2 or Counter(a.mistakes) != Counter(b.mistakes):
        return False
    return bool(replace(a, mistakes=()) == replace(b, mistakes=()))


def _as_one(same: list[Hypothesis]) -> Hypothesis:
    if len(same) == 1 and len(same[0].histories) == 1 and same[0].histories[0].share >= 1.0:
        return same[0]
    heaviest = max(same, key=lambda each: each.weight)
    histories: dict[object, History] = {}
    for each in same:
        for history in each.histories:
            key = (history.taken, frozenset((k, len(c)) for k, c in history.claims.items()))
            known = histories.get(key)
            if known is not None:
                history = _joined(known, history)
            histories[key] = history
    kept = [_named(each, heaviest) for each in histories.values()]
    kept.sort(key=lambda each: -each.weight)
    return replace(heaviest, histories=_few(kept))


def _named(history: History, hypothesis: Hypothesis) -> History:
    """The history; where nothing rests on an unnamed card any more, its faces do not count."""
    if history.share >= 1.0 or history.claims or any(s.faces for s in hypothesis.stands):
        return history
    return replace(history, share=1.0)


def _few(histories: list[History]) -> tuple[History, ...]:
    """At most so many; the lightest join the one that would call the same, or the heaviest."""
    few = histories[:MOST_HISTORIES]
    for each in histories[MOST_HISTORIES:]:
        alike = next((i for i, h in enumerate(few) if h.claims.keys() == each.claims.keys()), 0)
        few[alike] = _joined(few[alike], each)
    return tuple(few)


def _joined(one: History, other: History) -> History:
    """Two histories as one; the first one's ways and claims."""
    weight = one.weight + other.weight
    seen = one.seen + other.seen
    return replace(
        one, weight=weight, share=weight / (one.most + other.most), erring=weight / seen
    )  # fmt: skip
