"""What the players have heard, and how much of the weight makes a call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rules.judging.explain import Reason
from rules.judging.hypothesis import History, Hypothesis, Key
from rules.table.call import Call, CallKind

PLACED = 0.75  # of the weight, of the place at which a mistake is told that is sure but for it
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
    were told; `late`: those of them that were told later, of cards that lie unjudged since;
    `doubted`: events that were asked about; `leant_on`: those whose choice a mistake rests on that
    was told."""

    told: Mapping[Key, tuple[Said, ...]] = field(default_factory=dict)
    asked: Mapping[Key, Said] = field(default_factory=dict)
    since: Mapping[Key, int] = field(default_factory=dict)
    accused: tuple[Open, ...] = ()
    late: tuple[Said, ...] = ()
    doubted: tuple[int, ...] = ()
    leant_on: tuple[int, ...] = ()


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

    `seen`: the same by what was seen alone: that players seldom err accuses nobody; `least`: what
    both are at least, whatever unnamed cards are; `anywhere`: the same wherever the card lies.
    """

    weight: float
    seen: float
    least: float
    anywhere: float
    calls: Mapping[tuple[int | None, str], tuple[float, Call]]

    def suffice(self, sure_enough: float) -> bool:
        """Whether enough of the weight makes it, if need be at this place or another."""
        return self.least >= sure_enough or (self.weight >= PLACED and self.anywhere >= sure_enough)


def shares_of(histories: Iterable[History], key: Key, nth: int) -> Shares:
    """The weight of the histories that make the `nth` claim of this key."""
    total = against = seen = all_seen = 0.0
    weight_elsewhere = seen_elsewhere = most_elsewhere = 0.0
    calls: dict[tuple[int | None, str], tuple[float, Call]] = {}
    for history in histories:
        made = history.claims.get(key, ())
        all_seen += history.seen
        if len(made) >= nth:
            total += history.weight
            seen += history.seen
            call = made[nth - 1]
            words = (call.seat, call.message)
            share, first = calls.get(words, (0.0, call))
            calls[words] = (share + history.weight, first)
        else:
            against += history.most
            if nth == 1 and _is_made_elsewhere(history, key):
                weight_elsewhere += history.weight
                seen_elsewhere += history.seen
                most_elsewhere += history.most
    all_seen = all_seen or 1.0
    seen, seen_elsewhere = seen / all_seen, seen_elsewhere / all_seen
    least = min(total, seen, 1.0 - against)
    anywhere = min(
        total + weight_elsewhere, seen + seen_elsewhere, 1.0 - (against - most_elsewhere)
    )
    return Shares(total, seen, least, anywhere, calls)


def _is_made_elsewhere(history: History, key: Key) -> bool:
    """Whether a history makes the mistake `key` with the card at another place."""
    kind, rule, _, card, *rest = key
    if kind is not CallKind.MISTAKE or card is None:
        return False
    return any(
        (other[0], other[1], *other[3:]) == (kind, rule, card, *rest) for other in history.claims
    )


def open_weights(hypotheses: Iterable[Hypothesis]) -> dict[Open, float]:
    """The weight of the hypotheses in which each mistake is open, or its card lies unjudged."""
    weights: dict[Open, float] = {}
    for each in hypotheses:
        session = each.session
        keys = {is_open_as((m.rule, m.place, m.card)) for m in session.state.mistakes}
        keys |= {("", stand.place, stand.card) for stand in session.doubts.stands}
        for key in keys:
            weights[key] = weights.get(key, 0.0) + each.weight
    return weights


def is_open_as(mistake: Open) -> Open:
    """What tells whether a mistake is open: its card, or its rule where it has none."""
    rule, place, card = mistake
    return ("" if place is not None else rule), place, card


def fresh_claims(before: Iterable[Hypothesis], after: Iterable[Hypothesis]) -> frozenset[Key]:
    """The claims that are new, or made once more than before."""
    most: dict[Key, int] = {}
    for each in before:
        for history in each.histories:
            for key, calls in history.claims.items():
                most[key] = max(most.get(key, 0), len(calls))
    return frozenset(
        key
        for each in after
        for history in each.histories
        for key, calls in history.claims.items()
        if len(calls) > most.get(key, 0)
    )


def untold(
    fresh: frozenset[Key], hypotheses: Iterable[Hypothesis], sure_enough: float
) -> frozenset[Key]:
    """The new mistakes that too little of the weight makes to be told now."""
    keys = [key for key in fresh if key[0] is CallKind.MISTAKE]
    if not keys:
        return frozenset()
    histories = [history for each in hypotheses for history in each.histories]
    shares = {key: shares_of(histories, key, 1) for key in keys}
    return frozenset(
        key
        for key in keys
        if min(shares[key].weight, shares[key].seen) < sure_enough
        and shares[key].anywhere < sure_enough
    )
