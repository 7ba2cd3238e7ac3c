"""Sooty's acts that take more than one event: a joker's exchange, and a card taken with what lies
on it. A half waits for its other half; another act, the end or the last event closes it."""

from collections.abc import Iterable

from rules.contract.mistakes import OpenedBy, opened
from rules.games.sooty.state import (
    DUST,
    FULL,
    WAND,
    Card,
    Half,
    Lift,
    Picked,
    State,
    after_act,
    cards_at,
    face_name,
    is_complete,
    is_out_of_turn,
    joker_of,
    owner_of,
    stands_for,
    with_cards,
)
from rules.table.call import Call, mistake, unsure
from rules.table.event import CardEvent, Placed, Removed
from rules.values import replace

Judged = tuple[State, tuple[Call, ...]]


def wrong(state: State, call: Call, by: OpenedBy) -> Judged:
    """A mistake is made; nothing else changes."""
    return replace(state, mistakes=opened(state.mistakes, call, by), picked=None), (call,)


def waits_for_exchange(state: State, place: str, card: str) -> bool:
    """Whether a suit card laid here may be the first half of an exchange."""
    cards = cards_at(state, place)
    if not is_complete(cards) or card.endswith("joker"):
        return False
    joker = joker_of(cards)
    if joker is None:
        return False
    gone = any(
        m.by is OpenedBy.REMOVING and m.place == place and m.card == joker for m in state.mistakes
    )
    return not gone


def joker_off(state: State, place: str) -> str | None:
    """The joker that was taken off this set and waits for the card it stands for, or None."""
    half = state.half
    if not (half or state.out) or joker_of(cards_at(state, place)) is None:
        return None
    if half and state.half_is_joker and half.place == place:
        return half.card
    return next((joker for at, joker in state.out if at == place), None)


def exchange(state: State, event: CardEvent, place: str, card: str, seat: int | None) -> Judged:
    """ "He can extract the Joker from a completed set, his own or another's by substituting for it
    the card the Joker represents." """
    cards = cards_at(state, place)
    joker = joker_of(cards)
    assert joker
    due = stands_for(cards, joker)
    state = replace(state, half=None, picked=None, lifts=_quiet_joker(state, place))
    suit_card = replace(event, card=card)
    out = state.out if (place, joker) in state.out else (*state.out, (place, joker))
    # With a card nearby that cannot be named, what is laid here counts as right.
    judged = place not in state.unknown
    if judged and is_out_of_turn(state, seat):
        text = (
            f"It is seat {state.turn}'s turn. Take the {face_name(card)} back and "
            "put the Joker back."
        )
        return wrong(
            replace(state, out=out), mistake(suit_card, "out-of-turn", text, seat), OpenedBy.PLACING
        )
    if judged and due and card not in due:
        name, right = face_name(card), " or ".join(map(face_name, due))
        text = (
            f"The Joker stands for the {right}, not the {name}. Take the {name} back, and lay "
            f"the {right} or put the Joker back."
        )
        call = mistake(suit_card, "joker-mismatch", text, seat, due)
        return wrong(replace(state, out=out), call, OpenedBy.PLACING)
    at = [c.face for c in cards].index(joker)
    four = (*cards[:at], replace(cards[at], face=card), *cards[at + 1 :])
    state = replace(state, out=tuple(o for o in state.out if o != (place, joker)))
    return after_act(with_cards(state, place, four), seat, "d"), ()


def exchanger(
    state: State, place: str, suit_seat: int | None, joker_seat: int | None
) -> int | None:
    """Who exchanges: whoever laid the suit card; unseen, whoever took the joker, unless its owner
    may have handed it to the seat in turn."""
    if suit_seat is not None:
        return suit_seat
    if joker_seat is None or (joker_seat == owner_of(place) and state.turn is not None):
        return state.turn
    return joker_seat


def close_halves(state: State, at: float, spare: Card | None = None) -> Judged:
    """Judges what was left half done, before another act. `spare`: what lay on this card was taken
    with it."""
    if state.half is None and not state.lifts:
        return state, ()
    numbers = {number for _, number in spare.tops} if spare else set()
    calls: tuple[Call, ...] = ()
    for lift in state.lifts:
        if lift.quiet or lift.number in numbers or lift.place in state.unknown:
            continue
        state, made = _judge_lift(state, lift, at)
        calls += made
    half = state.half
    if half:
        state = replace(state, half=None)
        judge_half = _judge_joker if state.half_is_joker else _judge_suit
        state, made = judge_half(state, half, at)
        calls += made
    return state, calls


def _judge_joker(state: State, half: Half, at: float) -> Judged:
    event = Removed(at, half.card, half.place, half.seat)
    if half.place in state.unknown:
        # The card laid for it cannot be named: nobody is accused, and the exchange may go on.
        return replace(state, out=(*state.out, (half.place, half.card))), ()
    if half.seat is None:
        cards = tuple(c for c in cards_at(state, half.place) if c.face != half.card)
        return with_cards(state, half.place, cards), (who_took_it(event),)
    return wrong(state, taken(event, half.seat), OpenedBy.REMOVING)


def _judge_suit(state: State, half: Half, at: float) -> Judged:
    event = Placed(at, half.card, half.place, half.seat)
    if half.place in state.unknown:
        return state, ()
    call = wrong_suit_card(state, event, half.seat)
    return wrong(state, call, OpenedBy.PLACING) if call else (state, ())


def _judge_lift(state: State, lift: Lift, at: float) -> Judged:
    event = Removed(at, lift.face, lift.place, lift.seat)
    if lift.seat is None:
        return without_top(state, lift.place, lift.number), (who_took_it(event),)
    state = replace(
        state, lifts=tuple(replace(x, quiet=True) if x is lift else x for x in state.lifts)
    )
    return wrong(state, taken(event, lift.seat), OpenedBy.REMOVING)


def taken(event: Removed, seat: int) -> Call:
    """A card is taken from a set where it has to stay."""
    owner = owner_of(event.place)
    name = face_name(event.card)
    if seat != owner:
        text = f"The {name} belongs to seat {owner}. Seat {seat}, put it back."
        return mistake(event, "not-your-card", text, seat)
    if event.card in (DUST, WAND):
        text = f"The {name} stays on its card. Put it back."
    else:
        text = f"A complete set stays on the table. Put the {name} back."
    return mistake(event, "set-stays", text, seat)


def who_took_it(event: Removed) -> Call:
    """A card left a set and nobody saw who took it."""
    text = f"I did not see who took the {face_name(event.card)}. If it was not meant, put it back."
    return unsure(event, "who-took-it", text)


def wrong_suit_card(state: State, event: Placed, seat: int | None) -> Call | None:
    """The rows of the table that are about who lays a suit card where, and full sets."""
    owner = owner_of(event.place)
    if is_out_of_turn(state, seat):
        name = face_name(event.card)
        text = f"It is seat {state.turn}'s turn. Seat {seat}, take your {name} back."
        return mistake(event, "out-of-turn", text, seat)
    if seat is not None and seat != owner:
        name = face_name(event.card)
        text = f"This set belongs to seat {owner}. Seat {seat}, lay your {name} on your own set."
        return mistake(event, "not-your-set", text, seat)
    if len(cards_at(state, event.place)) >= FULL:
        text = f"This set has four cards already. Take the {face_name(event.card)} back."
        return mistake(event, "set-full", text, seat)
    return None


def lift_top(state: State, event: Removed) -> Judged:
    """An Oofle Dust or a Magic Wand is taken from a set: alone it has to stay, and with the card
    under it it goes."""
    place, seat, owner = event.place, event.seat, owner_of(event.place)
    lifted = {lift.number for lift in state.lifts}
    cards = cards_at(state, place)
    tops = [
        (number, card)
        for card in cards
        for face, number in card.tops
        if face == event.card and number not in lifted
    ]
    if not tops:
        return state, ()
    # In a complete set it may be on the way to an exchange: then it comes off the joker.
    complete = is_complete(cards)
    number, card = max(tops, key=lambda top: (complete and top[1].face.endswith("joker"), top[0]))
    may_exchange = complete and card.face.endswith("joker")
    if place in state.unknown or place == state.naming:
        # It may have lain on the card that cannot be named, or on another one.
        doubtful = state.doubtful if place in state.doubtful else (*state.doubtful, place)
        return replace(without_top(state, place, number), doubtful=doubtful), ()
    own = seat == owner or (seat is None and state.turn == owner and not complete)
    if own or may_exchange:
        return replace(state, lifts=(*state.lifts, Lift(place, event.card, number, seat))), ()
    if seat is None:
        return without_top(state, place, number), (who_took_it(event),)
    lift = Lift(place, event.card, number, seat, quiet=True)
    return wrong(replace(state, lifts=(*state.lifts, lift)), taken(event, seat), OpenedBy.REMOVING)


def pick_up(state: State, event: Removed, card: Card, was_act: bool) -> State:
    """A suit card leaves an own unfinished set, "its Oofle and wand go with it"."""
    place = event.place
    cards = cards_at(state, place)
    at = max(i for i, c in enumerate(cards) if c is card)
    picked = Picked(
        place, card.face, event.seat, was_act, state.turn, cards, state.lifts, state.loose
    )
    numbers = {number for _, number in card.tops}
    lifted = {lift.number for lift in state.lifts}
    loose = tuple((place, face) for face, number in card.tops if number not in lifted)
    state = replace(
        with_cards(state, place, cards[:at] + cards[at + 1 :]),
        lifts=tuple(lift for lift in state.lifts if lift.number not in numbers),
        loose=state.loose + loose,
    )
    if was_act:
        seat = event.seat if event.seat is not None else owner_of(place)
        state = after_act(state, seat, "f")
    return replace(state, picked=picked)


def take_loose(state: State, event: Removed) -> State:
    """An Oofle or wand whose card is already picked up goes after it."""
    at = state.loose.index((event.place, event.card))
    state = replace(state, loose=state.loose[:at] + state.loose[at + 1 :])
    picked = state.picked
    if picked is None or picked.place != event.place:
        return state
    # Should the card come straight back, so may what lay on it.
    gone = {lift.number for lift in picked.lifts}
    left = [n for c in picked.cards for face, n in c.tops if face == event.card and n not in gone]
    if left:
        lift = Lift(event.place, event.card, max(left), event.seat, quiet=True)
        state = replace(state, picked=replace(picked, lifts=(*picked.lifts, lift)))
    return state


def put_straight_back(state: State, picked: Picked) -> State:
    """A card comes straight back to where it was taken: nothing was done. Whether the seat still
    wants to act nobody knows, so the turn is that of the seat that acts next."""
    state = with_cards(state, picked.place, picked.cards)
    turn = None if picked.was_act else state.turn
    last = None if picked.was_act else state.last
    lifts, loose = picked.lifts, picked.loose
    return replace(state, turn=turn, last=last, lifts=lifts, loose=loose, picked=None)


def without_top(state: State, place: str, number: int) -> State:
    """The state without one Oofle or wand."""
    cards = tuple(
        replace(card, tops=tuple(top for top in card.tops if top[1] != number))
        if any(top[1] == number for top in card.tops)
        else card
        for card in cards_at(state, place)
    )
    lifts = tuple(lift for lift in state.lifts if lift.number != number)
    return replace(with_cards(state, place, cards), lifts=lifts)


def without_lift(lifts: Iterable[Lift], place: str, face: str) -> tuple[Lift, ...] | None:
    """The lifts without the latest one of this face here, as it is back; None if there is none."""
    found = [lift for lift in lifts if lift.place == place and lift.face == face]
    return tuple(lift for lift in lifts if lift is not found[-1]) if found else None


def _quiet_joker(state: State, place: str) -> tuple[Lift, ...]:
    """What was taken off the joker for its exchange is not judged any more."""
    return tuple(replace(lift, quiet=True) if lift.place == place else lift for lift in state.lifts)
