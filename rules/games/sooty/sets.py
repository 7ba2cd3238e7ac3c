"""Sooty's suit cards: laid towards a set of four, or for a Joker."""

from rules.contract.mistakes import OpenedBy
from rules.games.sooty.exchange import (
    Judged,
    close_halves,
    exchange,
    exchanger,
    joker_off,
    waits_for_exchange,
    wrong,
    wrong_suit_card,
)
from rules.games.sooty.state import (
    FULL,
    INDEX,
    SUIT,
    TWELVE,
    Half,
    Set,
    State,
    after_act,
    bare,
    cards_at,
    face_name,
    first_oofled,
    is_complete,
    makes_twelve,
    numbers_of,
    numbers_text,
    owner_of,
    sets_with,
)
from rules.table.call import Call, complete, mistake
from rules.table.event import Placed
from rules.values import replace


def lay_suit_card(state: State, event: Placed) -> Judged:
    """(a) "Start his first set of 4 cards by laying down face upwards in front of him a Sooty or
    Sweep card"; or one half of (d)."""
    place, half = event.place, state.half
    if joker_off(state, place):
        joker_seat = half.seat if half and state.half_is_joker and half.place == place else None
        seat = exchanger(state, place, event.seat, joker_seat)
        return exchange(state, event, place, event.card, seat)
    state, calls = close_halves(state, event.at)
    if waits_for_exchange(state, place, event.card):
        seat = event.seat if event.seat is not None else state.turn
        half = Half(place, event.card, seat)
        return replace(state, half=half, half_is_joker=False, picked=None), calls
    state, turn = one_act_with_taking(state, event)
    seat = event.seat if event.seat is not None else owner_of(place)
    state, made = lay_towards(state, event, seat, turn)
    return state, (*calls, *made)


def lay_towards(state: State, event: Placed, seat: int, turn: int | None = None) -> Judged:
    """A suit card is laid towards a set by `seat`; `turn` is whose it stays if that is wrong."""
    place = event.place
    call = None if place in state.unknown else _wrong_card(state, event, seat)
    if call:
        return wrong(replace(state, turn=turn), call, OpenedBy.PLACING)
    cards = (*cards_at(state, place), bare(event.card))
    state = after_act(state, seat, "a", sets=sets_with(state, place, cards))
    if not is_complete(cards):
        return state, ()
    text = f"{numbers_text(cards)} = {TWELVE}: a complete set for seat {owner_of(place)}!"
    return state, (complete(event, "set", text, owner_of(place)),)


def one_act_with_taking(state: State, event: Placed) -> tuple[State, int | None]:
    """A card just picked up from an own set and laid elsewhere is one act with its taking: the
    state with the turn as it was before, and the turn if the laying is wrong."""
    picked, turn = state.picked, state.turn
    if picked and picked.was_act and picked.face == event.card:
        # Unseen, a card elsewhere than at its seat may be the act of the seat that is now in turn.
        owner, place = owner_of(picked.place), event.place
        if event.seat == owner or (event.seat is None and INDEX.get(place, -1) // 2 + 1 == owner):
            return replace(state, turn=picked.turn), turn
    return state, turn


def _wrong_card(state: State, event: Placed, seat: int) -> Call | None:
    call = wrong_suit_card(state, event, seat)
    if call:
        return call
    cards = cards_at(state, event.place)
    oofled = first_oofled(cards)
    if oofled and event.place not in state.doubtful:
        # "You cannot go on completing your set so long as any one of the cards in it is still
        # Oofled."
        which = "A card" if event.place in state.guessed else f"The {face_name(oofled.face)}"
        text = (
            f"{which} in this set is oofled: release it with a Magic Wand first. "
            f"Take the {face_name(event.card)} back."
        )
        return mistake(event, "set-oofled", text, seat)
    suit = SUIT[event.card]
    if cards and SUIT[cards[0].face] != suit:
        # "Each set must have four cards of the same suit."
        due = SUIT[cards[0].face].capitalize()
        name = face_name(event.card)
        text = f"This is a {due} set. Take the {name} back and lay a {due} card here."
        return mistake(event, "mixed-suits", text, seat)
    if len(cards) == FULL - 1 and not makes_twelve(four := (*cards, bare(event.card))):
        text = _sum_text(four, face_name(event.card))
        return mistake(event, "wrong-sum", text, seat, _fourths(cards))
    return None


def _sum_text(four: Set, name: str) -> str:
    numbers = numbers_of(four)
    if 0 in numbers:
        text = " + ".join(str(number) if number else "Joker" for number in numbers)
        return f"{text} cannot make 12: a Joker is a 1 to 5. Take the {name} back."
    text = " + ".join(map(str, numbers))
    return f"{text} makes {sum(numbers)}, not 12. Take the {name} back."


def _fourths(cards: Set) -> tuple[str, ...]:
    suit = SUIT[cards[0].face]
    faces = (face for face in SUIT if SUIT[face] == suit)
    return tuple(face for face in faces if makes_twelve((*cards, bare(face))))
