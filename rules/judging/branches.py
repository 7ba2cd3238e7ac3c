"""The ways that an event may have gone, followed in each hypothesis, and evidence about them."""

from __future__ import annotations

from collections.abc import Mapping

from rules.judging.courses import classes, judged, named, taken_up
from rules.judging.doubt import UNKNOWN
from rules.judging.hypothesis import History, Hypothesis, Key, Stand, Taken, scaled, took
from rules.judging.stands import faces_of, new_stands
from rules.table.event import USUAL, CardEvent, Event, Placed, Removed, Way
from rules.values import replace

BRANCH_FROM = 5e-3  # of the weight; a lighter branch is not followed


def branches(
    hypothesis: Hypothesis,
    event: Event,
    number: int,
    choices: Mapping[int, int],
    untold: frozenset[Key] = frozenset(),
) -> list[Hypothesis]:
    """What a hypothesis becomes by each way of event `number`. `choices`: numbers of choices to the
    events that made them."""
    if not isinstance(event, (Placed, Removed)):
        return [judged(hypothesis, number, (event,), (), untold)]
    if event.ways is None:
        if isinstance(event, Placed) and hypothesis.unnamed is not None:
            known = named(hypothesis, number, event)
            if known is not None:
                return [known]
        return [judged(hypothesis, number, (event,), (), untold)]
    ways = ways_of(event)
    chosen = choices.get(event.ways.choice) if event.ways.choice is not None else None
    if chosen is not None:
        return _followed(hypothesis, event, ways, chosen, number, untold)
    found: list[Hypothesis] = []
    kept = [way for way in ways if way.chance * hypothesis.weight >= BRANCH_FROM] or [ways[0]]
    total = sum(way.chance for way in kept)
    less = 1.0
    for index, way in enumerate(ways):
        if not any(way is each for each in kept):
            continue
        part = scaled(hypothesis, way.chance / total)
        made = _by_faces(part, event, ways, index, number, untold, is_choice=len(ways) > 1)
        if not event.ways.ways:  # only its name is open: that it may be right tells no name
            if index == 0:
                less = sum(each.weight for each in made) / part.weight
            made = _weighing(made, part.weight * less)
        found += made
    return found


def _weighing(hypotheses: list[Hypothesis], weight: float) -> list[Hypothesis]:
    """The hypotheses, scaled to a total weight; the factor counts as one for mistakes."""
    own = sum(each.weight for each in hypotheses)
    less = weight / own if own > 0 else 1.0
    return [scaled(each, less, less) for each in hypotheses]


def _by_faces(
    part: Hypothesis,
    event: CardEvent,
    ways: tuple[Way, ...],
    index: int,
    number: int,
    untold: frozenset[Key],
    *,
    is_choice: bool,
) -> list[Hypothesis]:
    """The part of a hypothesis that went this way. A card that is not the one that was told is
    split by what the referee makes of it."""
    way = ways[index]
    first = way.events[0] if len(way.events) == 1 else None
    is_other = isinstance(first, Placed) and first.card == UNKNOWN and event.card != UNKNOWN
    if not is_other or not isinstance(first, Placed) or taken_up(part, event) is not None:
        return [_went(part, event, ways, index, number, untold, is_choice=is_choice)]
    session = part.session
    if session.blind or session.over:
        return [_went(part, event, ways, index, number, untold, is_choice=is_choice)]
    said = {each.card for other in ways for each in other.events if each.place == first.place}
    faces = faces_of(session.game, session.setup.players, said)
    found = []
    for face, chance, names in classes(session, first, faces):
        histories = tuple(
            took(
                replace(each, weight=each.weight * chance, share=each.share * chance),
                Taken(number, index, names),
            )
            for each in part.histories
        )
        card = replace(first, card=face)
        told = (event.place, event.card)
        stand = Stand(told, (first.place, face)) if told != (first.place, face) else None
        these = replace(part, histories=histories)
        found.append(judged(these, number, (card,), (stand,) if stand else (), untold))
    return found


def weighable(event: Event) -> Event:
    """The event with what its doubt means: for a watcher whose `sure` is a probability.

    Without that, an event is judged as a referee judges it, by the rule "Doubt". A `sure` that is
    a cap must not be weighed: it is no probability.
    """
    if not isinstance(event, (Placed, Removed)) or event.ways is not None:
        return event
    if event.card != UNKNOWN:
        return event if event.sure >= 1.0 else replace(event, ways=USUAL)
    if isinstance(event, Removed):  # it is named next, or was taken away
        return replace(event, sure=1.0)
    return replace(event, sure=1.0, ways=USUAL)


def is_about_who(event: Event) -> bool:
    """Whether it is open who did what, or in which order, and certain which cards lie where.

    Such a mistake is not told, and nobody takes its card back: the players' next acts show whose
    turn they think it is. A hypothesis in which the card is wrong must follow them.
    """
    if not isinstance(event, (Placed, Removed)) or event.ways is None or len(event.ways.ways) < 2:
        return False
    cards = [
        sorted((each.kind, each.place, each.card) for each in way.events) for way in event.ways.ways
    ]
    return all(each == cards[0] for each in cards)


def choice_of(event: Event) -> int | None:
    """The choice that an event belongs to."""
    ways = event.ways if isinstance(event, (Placed, Removed)) else None
    return None if ways is None else ways.choice


def ways_of(event: CardEvent) -> tuple[Way, ...]:
    """The ways of an event; of one without its own: itself, or what its doubt means."""
    if event.ways is not None and event.ways.ways:
        return event.ways.ways
    itself = replace(event, sure=1.0, ways=None)
    other: tuple[CardEvent, ...] = ()  # a card that was not removed lies there still
    if isinstance(event, Placed):
        other = (replace(itself, card=UNKNOWN),)
    if event.sure >= 1.0 or event.card == UNKNOWN:
        return (Way(1.0, (itself,)),)
    return Way(event.sure, (itself,)), Way(1.0 - event.sure, other)


def _went(
    part: Hypothesis,
    event: CardEvent,
    ways: tuple[Way, ...],
    index: int,
    number: int,
    untold: frozenset[Key],
    *,
    is_choice: bool,
) -> Hypothesis:
    """The part of a hypothesis in which the event went this way."""
    way = ways[index]
    if is_choice:
        taken = Taken(number, index)
        part = replace(part, histories=tuple(took(each, taken) for each in part.histories))
    if part.unnamed is not None and taken_up(part, event) is not None:
        first = way.events[0] if len(way.events) == 1 else None
        if isinstance(first, Placed) and first.place == event.place:
            if first.card == UNKNOWN:
                return scaled(part.unnamed, part.weight / part.unnamed.weight)
            return named(part, number, first) or part
    session = part.session
    said = next((each for each in ways if each.events and each.events[0] == _itself(event)), way)
    stands = new_stands(said, way, session.game, session.setup.players)
    return judged(part, number, way.events, stands, untold)


def _itself(event: CardEvent) -> CardEvent:
    return replace(event, sure=1.0, ways=None)


def _followed(
    hypothesis: Hypothesis,
    event: CardEvent,
    ways: tuple[Way, ...],
    chosen: int,
    number: int,
    untold: frozenset[Key],
) -> list[Hypothesis]:
    """Each history goes the way that it took when the choice was made."""
    by_way: dict[int, list[History]] = {}
    for history in hypothesis.histories:
        taken = next((t.way for t in history.taken if t.event == chosen and t.way >= 0), 0)
        by_way.setdefault(min(taken, len(ways) - 1), []).append(history)
    return [
        _went(
            replace(hypothesis, histories=tuple(histories)),
            event, ways, index, number, untold, is_choice=False,
        )
        for index, histories in by_way.items()
    ]  # fmt: skip


def weighed(
    hypotheses: tuple[Hypothesis, ...], chosen: int, likely: tuple[float, ...]
) -> list[Hypothesis]:
    """The hypotheses, each history by how likely the evidence is on its way.

    A history that does not remember the choice: by the mean of those that do.
    """
    factors = {}
    known = seen = 0.0
    for each in hypotheses:
        for history in each.histories:
            way = next((t.way for t in history.taken if t.event == chosen and t.way >= 0), None)
            if way is not None and way < len(likely):
                factors[id(history)] = likely[way]
                known += history.weight
                seen += history.weight * likely[way]
    if seen <= 0.0:
        return list(hypotheses)
    return [
        replace(
            each,
            histories=tuple(
                replace(h, weight=h.weight * factors.get(id(h), seen / known))
                for h in each.histories
            ),
        )
        for each in hypotheses
    ]
