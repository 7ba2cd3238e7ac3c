"""Sooty's table as it lies: the set-up before the start, and what is found after a lost view."""

from collections.abc import Mapping

from rules.games.sooty.exchange import without_top
from rules.games.sooty.oofle import put_top, under_oofle, under_wand
from rules.games.sooty.state import (
    DUST,
    FACES,
    INDEX,
    SUIT,
    WAND,
    Set,
    State,
    bare,
    cards_at,
    with_cards,
    without_last,
)
from rules.table.event import Placed, Removed
from rules.values import replace


def add_as_it_lies(state: State, event: Placed) -> State:
    """The state with one more card, whatever the rules say."""
    place, card = event.place, event.card
    if card == "unknown":
        state = replace(state, unknown=(*state.unknown, place))
    if place == "discard":
        return replace(state, discard=(*state.discard, card))
    cards = cards_at(state, place)
    if card in SUIT:
        return with_cards(state, place, (*cards, bare(card)))
    under = None
    if card == DUST and cards:
        under = under_oofle(cards, event.on)
    elif card == WAND:
        under = under_wand(cards, event.on)
    return state if under is None else put_top(state, place, under, card)


def lift_as_it_lies(state: State, event: Removed) -> State:
    """The state with one card less, whatever the rules say."""
    place, card = event.place, event.card
    if card == "unknown" and place in state.unknown:
        at = state.unknown.index(place)
        state = replace(state, unknown=state.unknown[:at] + state.unknown[at + 1 :])
    if place == "discard":
        return replace(state, discard=without_last(state.discard, card))
    cards = cards_at(state, place)
    if card in SUIT:
        last = max((i for i, c in enumerate(cards) if c.face == card), default=len(cards))
        return with_cards(state, place, cards[:last] + cards[last + 1 :])
    tops = [number for c in cards for face, number in c.tops if face == card]
    return without_top(state, place, max(tops)) if tops else state


def resume(state: State, table: Mapping[str, tuple[str, ...]]) -> State:
    """The table after a lost view: every card counts as right, the turn is that of the seat that
    acts next. A set in which all that lay before lies still keeps what is known of its Oofles."""
    fresh = _swept(state, _counted(table))
    known: set[str] = set()
    guessed: set[str] = set()
    for place, faces in table.items():
        before = cards_at(state, place) if place in INDEX else ()
        new = _without(faces, _shown(before))
        if before and new is not None:
            known.add(place)
            fresh = with_cards(fresh, place, before)
        for face in faces if new is None else new:
            if face != "back":
                fresh = add_as_it_lies(fresh, Placed(0.0, face, place))
        topped = any(face in (DUST, WAND) for face in (faces if new is None else new))
        if topped and place in INDEX and len(cards_at(fresh, place)) > 1:
            guessed.add(place)
    noted = (p for p in state.noted if cards_at(state, p) == cards_at(fresh, p))
    doubtful = (place for place in state.doubtful if place in known)
    guessed |= known.intersection(state.guessed)
    return replace(
        fresh, noted=tuple(noted), doubtful=tuple(doubtful), guessed=tuple(sorted(guessed))
    )


def _swept(state: State, lying: tuple[int, ...]) -> State:
    """The game with nothing laid yet, and nothing known of turns and of what was half done."""
    return replace(
        state,
        sets=((),) * len(state.sets),
        discard=(),
        lying=lying,
        turn=None,
        owes=None,
        last=None,
        half=None,
        lifts=(),
        out=(),
        loose=(),
        picked=None,
        left=None,
        unknown=(),
        fresh=False,
        naming=None,
        mistakes=(),
    )


def _shown(cards: Set) -> list[str]:
    return [card.face for card in cards] + [face for card in cards for face, _ in card.tops]


def _without(faces: tuple[str, ...], known: list[str]) -> list[str] | None:
    """What lies besides what is known; None where something known is gone."""
    new = list(faces)
    for face in known:
        if face not in new:
            return None
        new.remove(face)
    return new


def _counted(table: Mapping[str, tuple[str, ...]]) -> tuple[int, ...]:
    faces = [face for lying in table.values() for face in lying]
    return tuple(faces.count(face) for face in FACES)
