"""What the players have heard, and how much of the weight makes a call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rules.judging.explain import Reason
from rules.judging.hypothesis import History, Hypothesis, Key
from rules.table.call import Call

Open = tuple[str, str | None, str | None]
"""A mistake as the players know it: rule, place, card."""


@dataclass(frozen=True, slots=True)
class Said:
    """A call of event `event`. `is_heard`: it was told; else it is decided and was kept back."""

    event: int
    call: Call
    is_heard: bool = True


@dataclass(frozen=True, slots=True)
class Spoken:
    """What the players have heard. `told`: of what is not decided yet; `asked`: questions by the
    mistake that they are about; `since`: when a claim was first made; `accused`: mistakes that
    were told; `doubted`: events that were asked about."""

    told: Mapping[Key, tuple[Said, ...]] = field(default_factory=dict)
    asked: Mapping[Key, Said] = field(default_factory=dict)
    since: Mapping[Key, int] = field(default_factory=dict)
    accused: tuple[Open, ...] = ()
    doubted: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """What an event brought: calls in order, calls taken back, and why where it was in doubt.

    `events`: for each call, the number of the event that it is about; none where all are about
    this one.
    """

    calls: tuple[Call, ...] = ()
    events: tuple[int, ...] = ()
    withdrawn: tuple[Said, ...] = ()
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Shares:
    """The weight of the histories that make the `nth` claim of a key: in all, by its words.

    `least`: what it is at least, whatever unnamed cards are.
    """

    weight: float
    least: float
    calls: Mapping[tuple[int | None, str], tuple[float, Call]]


def shares_of(histories: Iterable[History], key: Key, nth: int) -> Shares:
    """The weight of the histories that make the `nth` claim of this key."""
    total = against = 0.0
    calls: dict[tuple[int | None, str], tuple[float, Call]] = {}
    for history in histories:
        made = history.claims.get(key, ())
        if len(made) >= nth:
            total += history.weight
            call = made[nth - 1]
            words = (call.seat, call.message)
            share, first = calls.get(words, (0.0, call))
            calls[words] = (share + history.weight, first)
        else:
            against += history.most
    return Shares(total, min(total, 1.0 - against), calls)


def open_weights(hypotheses: Iterable[Hypothesis]) -> dict[Open, float]:
    """The weight of the hypotheses in which each mistake is open."""
    weights: dict[Open, float] = {}
    for each in hypotheses:
        for key in {(m.rule, m.place, m.card) for m in each.session.state.mistakes}:
            weights[key] = weights.get(key, 0.0) + each.weight
    return weights
