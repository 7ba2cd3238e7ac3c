"""Cards that lie otherwise than they were told: later events name them as they were told."""

from __future__ import annotations

from collections import Counter

from rules.contract.game import UNJUDGED_CARDS, Game
from rules.judging.doubt import UNKNOWN
from rules.judging.hypothesis import Origin, Stand
from rules.judging.referee import Session
from rules.table.call import Call
from rules.table.event import Act, CardEvent, Event, Placed, Removed, Way
from rules.values import replace

# Events that an unnamed card is followed through; afterwards it stays unnamed.
MOST_SINCE = 16


def follow(stands: tuple[Stand, ...], event: Event) -> tuple[Event | None, tuple[Stand, ...]]:
    """The event as it is in this course, and what stands afterwards. None: nothing happened."""
    if not stands or not isinstance(event, (Placed, Removed)):
        return event, stands
    is_placed = isinstance(event, Placed)
    for stand in reversed(stands):
        if stand.told == (event.place, event.card) and stand.is_ghost == is_placed:
            left = tuple(each for each in stands if each is not stand)
            if stand.is_ghost or stand.real is None:
                return None, left
            place, card = stand.real
            return replace(event, place=place, card=card), left
    if isinstance(event, Placed) and event.on is not None:
        for stand in reversed(stands):
            if stand.told == (event.place, event.on) and stand.real and not stand.is_ghost:
                return replace(event, on=stand.real[1]), stands
    return event, stands


def new_stands(told: Way, way: Way, game: Game, players: int) -> tuple[Stand, ...]:
    """What stands otherwise than `told` in a course that went this `way`."""
    said = _cards(told, Placed)
    again = Counter(_cards(way, Removed)) - Counter(_cards(told, Removed))
    real = _without(_cards(way, Placed), again)  # a card that was taken and laid again lies as told
    both = Counter(said) & Counter(real)
    said, real = _without(said, both), _without(real, both)
    stands = [Stand(one, other) for one, other in zip(said, real, strict=False)]
    stands += [Stand(one, None) for one in said[len(real) :]]
    lying = _without(_cards(told, Removed), Counter(_cards(way, Removed)))
    stands += [Stand(card, card, is_ghost=True) for card in lying]
    stands += [Stand(card, card, is_hidden=True) for card in real[len(said) :]]
    stands += [Stand(card, card) for card in both.elements() if card[1] == UNKNOWN]
    return tuple(
        replace(each, faces=faces_of(game, players, {card for _, card in said}))
        if each.real is not None and each.real[1] == UNKNOWN and not each.is_ghost
        else each
        for each in stands
    )


def faces_of(game: Game, players: int, others: set[str]) -> tuple[tuple[str, float], ...]:
    """What an unnamed card may be, all faces alike. `others`: those that it is not."""
    faces = game.cards_of(players) if game.cards_of else game.cards
    left = sorted(faces - UNJUDGED_CARDS - others) or sorted(faces - UNJUDGED_CARDS)
    return tuple((face, 1.0 / len(left)) for face in left)


def with_origin(
    stands: tuple[Stand, ...],
    number: int,
    before: Session,
    placed: CardEvent,
    made: tuple[Call, ...],
) -> tuple[Stand, ...]:
    """The stands; of an unnamed card that was just placed, it is known how it came."""
    if not isinstance(placed, Placed) or placed.card != UNKNOWN:
        return stands
    for i, stand in enumerate(stands):
        if stand.faces and stand.origin is None and stand.real == (placed.place, UNKNOWN):
            origin = Origin(number, before, placed, (), made)
            return (*stands[:i], replace(stand, origin=origin), *stands[i + 1 :])
    return stands


def remembering(stands: tuple[Stand, ...], act: Act, calls: tuple[Call, ...]) -> tuple[Stand, ...]:
    """The stands after an event; each unnamed card remembers what came after it."""
    return tuple(_remembering(stand, act, calls) for stand in stands)


def _remembering(stand: Stand, act: Act, calls: tuple[Call, ...]) -> Stand:
    origin = stand.origin
    if origin is None:
        return stand
    if len(origin.since) >= MOST_SINCE:
        return replace(stand, origin=None, faces=())
    since, made = (*origin.since, act), (*origin.made, *calls)
    return replace(stand, origin=replace(origin, since=since, made=made))


def without_gone(stands: tuple[Stand, ...], session: Session) -> tuple[Stand, ...]:
    """The stands of cards that still lie, and not as they were told."""
    return tuple(
        stand
        for stand in stands
        if stand.real is None
        or (
            stand.real[1] in session.table.get(stand.real[0], ())
            and (stand.real != stand.told or stand.origin or stand.is_ghost or stand.is_hidden)
        )
    )


def as_told(stands: tuple[Stand, ...]) -> tuple[Stand, ...]:
    """The stands without pairs that leave a card as it was told: it was none, and came later."""
    left = list(stands)
    for stand in stands:
        if stand.real is not None or stand.is_ghost:
            continue
        came = next((s for s in left if s.told == stand.told and _is_plain(s)), None)
        if came is not None:
            left.remove(stand)
            left.remove(came)
    return tuple(left) if len(left) < len(stands) else stands


def _is_plain(stand: Stand) -> bool:
    """Whether a card lies here as it was told, though nobody was to know."""
    return stand.real == stand.told and not stand.is_ghost and stand.origin is None


def swept_along(stands: tuple[Stand, ...], event: Removed, session: Session) -> list[Removed]:
    """The cards that nobody saw come, and that go with the last one that was seen there."""
    hidden = [each.real for each in stands if each.is_hidden and each.real is not None]
    here = Counter(card for place, card in hidden if place == event.place)
    if not here or Counter(session.table.get(event.place, ())) != here:
        return []
    return [replace(event, card=card) for card in here.elements()]


def _cards(way: Way, kind: type[Placed] | type[Removed]) -> list[tuple[str, str]]:
    return [(each.place, each.card) for each in way.events if isinstance(each, kind)]


def _without(cards: list[tuple[str, str]], gone: Counter[tuple[str, str]]) -> list[tuple[str, str]]:
    left, found = Counter(gone), []
    for card in cards:
        if left[card] > 0:
            left[card] -= 1
        else:
            found.append(card)
    return found
