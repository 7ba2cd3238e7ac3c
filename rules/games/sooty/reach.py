"""What a change of Sooty's table brings: sets that can no longer reach 12, and the winner."""

from collections.abc import Collection
from functools import lru_cache
from itertools import combinations_with_replacement
from operator import attrgetter

from rules.games.sooty.state import (
    FACE_INDEX,
    FULL,
    PACK,
    PLACES,
    SUIT,
    Card,
    Set,
    State,
    first_oofled,
    is_complete,
    makes_twelve,
    owner_of,
)
from rules.table.call import Call, CallKind, win
from rules.table.event import CardEvent

Left = tuple[int, ...]
_PACK = tuple(PACK.values())
_face = attrgetter("face")


def tell(before: State, state: State, event: CardEvent) -> tuple[tuple[str, ...], Left, list[Call]]:
    """The sets noted as unable to reach 12, the cards still to be had, and the calls of both."""
    calls: list[Call] = []
    noted, sets = state.noted, state.sets
    left, suits = _looked_at(before, state)
    if noted and sets is not before.sets:
        pairs = zip(PLACES, before.sets, sets, strict=False)
        noted = tuple(place for place, was, now in pairs if was is now and place in noted)
    for i, cards in enumerate(sets):
        if not cards or len(cards) >= FULL or SUIT[cards[0].face] not in suits:
            continue
        place = PLACES[i]
        if place in noted or can_reach(cards, left):
            continue
        noted = (*noted, place)
        text = f"Seat {owner_of(place)}, this set can no longer make 12: pick up a card from it."
        card = event.card if place == event.place else None
        calls.append(Call(CallKind.NOTICE, "cannot-reach-12", text, place, owner_of(place), card))
    if state.left is None or sets is not before.sets:
        calls += _winner(state, event)
    return noted, left, calls


def _looked_at(before: State, state: State) -> tuple[Left, Collection[str]]:
    """The cards still to be had, and the suits of which there may be fewer since the last look."""
    if state.left is None:
        return still_to_be_had(state), SUIT.values()
    left = list(state.left)
    suits: list[str] = []
    if state.sets is not before.sets:
        for was, cards in zip(before.sets, state.sets, strict=True):
            if was is not cards:
                suits += _counted_again(left, was, cards)
    if state.discard is not before.discard:
        _count_top(left, before.discard, 1)
        _count_top(left, state.discard, -1)
        if state.discard and state.discard[-1] in SUIT:
            suits.append(SUIT[state.discard[-1]])
    return tuple(left), suits


def _counted_again(left: list[int], was: Set, cards: Set) -> list[str]:
    """Counts the cards of a set that has changed; their suits."""
    if was == cards[:-1]:
        # One card more, as nearly always.
        was, cards = (), cards[-1:]
    suits = []
    for card in was:
        left[FACE_INDEX[card.face]] += 1
    for card in cards:
        left[FACE_INDEX[card.face]] -= 1
        suits.append(SUIT[card.face])
    return suits


def _count_top(left: list[int], pile: tuple[str, ...], sign: int) -> None:
    if pile and pile[-1] in FACE_INDEX:
        left[FACE_INDEX[pile[-1]]] += sign


def _winner(state: State, event: CardEvent) -> list[Call]:
    """ "The winner will be the one who can first lay down the complete TWO sets." """
    sets = state.sets
    for i in range(0, len(sets), 2):
        if len(sets[i]) < FULL or len(sets[i + 1]) < FULL:
            continue
        two, seat = sets[i : i + 2], i // 2 + 1
        if all(is_complete(cards) and first_oofled(cards) is None for cards in two):
            text = f"Seat {seat} has two complete sets and wins!"
            return [win(event, "two-sets", text, seat)]
    return []


def still_to_be_had(state: State) -> Left:
    """How many cards of each face, by `FACES`, lie neither in sets nor on top of the discards."""
    left = list(_PACK)
    for cards in state.sets:
        _counted_again(left, (), cards)
    _count_top(left, state.discard, -1)
    return tuple(left)


def can_reach(cards: Set, left: Left) -> bool:
    """Whether cards `left` to be had, by `FACES`, can make this set of one to three cards 12."""
    for way in _ways(tuple(map(_face, cards))):
        for face, number in way:
            if left[face] < number:
                break
        else:
            return True
    return False


# One to three faces of twelve: there are no more keys than these.
@lru_cache(maxsize=2048)
def _ways(faces: tuple[str, ...]) -> tuple[tuple[tuple[int, int], ...], ...]:
    """What may be laid to these one to three cards to make 12, as (index in `FACES`, how many).

    The ways that ask for the fewest of one face come first. A set of mixed suits, as it may lie
    after a lost view, asks for nothing: it is not judged.
    """
    suit = SUIT[faces[0]]
    if any(SUIT[face] != suit for face in faces):
        return ((),)
    ways = []
    of_suit = [face for face in SUIT if SUIT[face] == suit]
    for more in combinations_with_replacement(of_suit, FULL - len(faces)):
        if makes_twelve(tuple(Card(face) for face in (*faces, *more))):
            ways.append(tuple((FACE_INDEX[face], more.count(face)) for face in dict.fromkeys(more)))
    return tuple(sorted(ways, key=lambda way: max(number for _, number in way)))
