"""Sooty's Oofle Dust and Magic Wand: which card is meant, and what may be laid."""

from rules.contract.mistakes import OpenedBy
from rules.games.sooty.exchange import Judged, wrong
from rules.games.sooty.state import (
    DUST,
    WAND,
    Card,
    Set,
    State,
    after_act,
    cards_at,
    face_name,
    is_complete,
    is_out_of_turn,
    owner_of,
    sets_with,
)
from rules.table.call import Call, mistake, notice
from rules.table.event import Placed
from rules.values import replace


def lay_oofle(state: State, event: Placed) -> Judged:
    """ "Oofle any other player by placing an Oofle Dust card face upwards on top of one of the
    cards in another players unfinished set." """
    cards = cards_at(state, event.place)
    if not cards:
        return state, ()
    seat = event.seat if event.seat is not None else state.turn
    under = under_oofle(cards, event.on)
    if cards[under].is_oofled() and event.place in state.guessed:
        under = under_oofle(cards, None)
    call = None if event.place in state.unknown else _wrong_oofle(state, event, seat, under)
    if call:
        return wrong(state, call, OpenedBy.PLACING)
    return _laid(state, event, seat, under, "b")


def _wrong_oofle(state: State, event: Placed, seat: int | None, under: int) -> Call | None:
    cards = cards_at(state, event.place)
    if (early := _out_of_turn(state, event, seat)) is not None:
        return early
    if seat == owner_of(event.place):
        text = "Oofle Dust goes on another player's card, not on your own. Take it back."
        return mistake(event, "oofle-own", text, seat)
    if is_complete(cards):
        # "Once a set has been completed, NO card in it can be Oofled or double-oofled."
        text = "A complete set cannot be oofled. Take the Oofle Dust back."
        return mistake(event, "oofle-complete", text, seat)
    if cards[under].is_oofled() and event.place not in state.doubtful:
        # "The second Oofling can only be done after the first Oofling has been cleared."
        text = (
            f"The {face_name(cards[under].face)} is oofled already and not released yet. "
            "Take the Oofle Dust back."
        )
        return mistake(event, "already-oofled", text, seat)
    return None


def lay_wand(state: State, event: Placed) -> Judged:
    """ "Release any card of his own which has been Oofled, by placing a Magic Wand card on top of
    the Oofle Dust card." """
    seat = event.seat if event.seat is not None else state.turn
    cards = cards_at(state, event.place)
    under = under_wand(cards, event.on)
    if under is None and event.place in state.guessed:
        under = under_wand(cards, None)
    if event.place in state.unknown:
        if under is None:
            return after_act(state, seat, "c"), ()
        return _laid(state, event, seat, under, "c")
    if (call := _out_of_turn(state, event, seat)) is not None:
        return wrong(state, call, OpenedBy.PLACING)
    if under is None and event.place in state.doubtful and seat in (None, owner_of(event.place)):
        return after_act(state, seat, "c"), ()
    if under is None:
        text = "There is no Oofle Dust to release here. Take the Magic Wand back."
        return wrong(state, mistake(event, "no-oofle", text, seat), OpenedBy.PLACING)
    owner = owner_of(event.place)
    if seat is not None and seat != owner:
        text = f"This card belongs to seat {owner}: only its owner may release it. Take it back."
        return wrong(state, mistake(event, "wand-not-own", text, seat), OpenedBy.PLACING)
    return _laid(state, event, seat, under, "c")


def _laid(state: State, event: Placed, seat: int | None, under: int, act: str) -> Judged:
    """ "When you play an Oofle Dust or Magic Wand card you MUST also pick up a card from the pack
    or discard pile, after playing your cards." """
    sets = _topped(state, event.place, under, event.card)
    who = f"Seat {seat}" if seat is not None else "Whoever laid it"
    text = f"{who} now picks up one card, from the pack or the discard pile."
    after = after_act(state, seat, act, sets=sets, laid=state.laid + 1)
    return after, (notice(event, "draw-one", text, seat),)


def put_top(state: State, place: str, under: int, face: str) -> State:
    """An Oofle or wand on the set's card with this index."""
    return replace(state, sets=_topped(state, place, under, face), laid=state.laid + 1)


def _topped(state: State, place: str, under: int, face: str) -> tuple[Set, ...]:
    cards = cards_at(state, place)
    card = Card(cards[under].face, (*cards[under].tops, (face, state.laid)))
    return sets_with(state, place, (*cards[:under], card, *cards[under + 1 :]))


def under_oofle(cards: Set, on: str | None) -> int:
    """The index of the card that an Oofle Dust is laid on.

    Named by `on`: of two equal faces the one with fewer Oofles, then the later one. Not named:
    the card laid last without an open Oofle.
    """
    if on in (DUST, WAND):
        topped = [i for i, card in enumerate(cards) if card.tops and card.tops[-1][0] == on]
        if topped:
            return max(topped, key=lambda i: cards[i].tops[-1][1])
    named = [i for i, card in enumerate(cards) if card.face == on] if on else []
    if named:
        return min(named, key=lambda i: (cards[i].is_oofled(), len(cards[i].tops), -i))
    free = [i for i, card in enumerate(cards) if not card.is_oofled()]
    return free[-1] if free else len(cards) - 1


def under_wand(cards: Set, on: str | None) -> int | None:
    """The index of the card that a Magic Wand releases, None where no Oofle is open.

    `on` a suit card that lies here names it; anything else means the Oofle laid last.
    """
    oofled = [i for i, card in enumerate(cards) if card.is_oofled()]
    named = [i for i, card in enumerate(cards) if card.face == on] if on else []
    if named:
        oofled = [i for i in oofled if i in named]
    return max(oofled, key=lambda i: cards[i].tops[-1][1], default=None)


def _out_of_turn(state: State, event: Placed, seat: int | None) -> Call | None:
    if not is_out_of_turn(state, seat):
        return None
    text = f"It is seat {state.turn}'s turn. Seat {seat}, take your {face_name(event.card)} back."
    return mistake(event, "out-of-turn", text, seat)
