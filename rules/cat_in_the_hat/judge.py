"""The Cat in the Hat Comes Back: two piles a seat, letters going up on the left, down on the right.

Sheet: "The Cat in the Hat Comes Back", rules 1 to 3, VOOM, and the end.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rules import mistakes as open_mistakes
from rules.call import Call, mistake, notice, unknown_card
from rules.cat_in_the_hat.sheet import RULES
from rules.event import Act, CardEvent, Placed, Pressed, Removed
from rules.game import Game, Option, Setup, View, next_seat, seats, seats_with
from rules.mistakes import Mistakes
from rules.values import replace

LETTERS = tuple("abcdefghijklmnopqrstuvwxyz")
VOOM = "voom"
DISCARD = "discard"
_Judged = tuple["State", tuple[Call, ...]]


@dataclass(frozen=True)
class State:
    """A game. `turn`: the seat in turn, None when anybody may act next; `piles`: the right cards
    of each pile, bottom to top; `unknowns`: the places of cards that cannot be named; `fresh`: the
    last event laid one; `naming`: the place from which one was just taken, to be named."""

    players: int
    turn: int | None
    started: bool = False
    last_cards: bool = False
    piles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    mistakes: Mistakes = ()
    unknowns: tuple[str, ...] = ()
    fresh: bool = False
    naming: str | None = None


def start(setup: Setup) -> State:
    """ "The youngest player goes first": the option `first`."""
    return State(setup.players, int(setup.options["first"]))


def judge(state: State, event: Act) -> _Judged:
    """Judges one event by the sheet."""
    if isinstance(event, Placed):
        after, calls = _placed(state, event)
    elif isinstance(event, Removed):
        after, calls = _removed(state, event)
    else:
        judge_button = _BUTTONS.get(event.button)
        after, calls = judge_button(state, event) if judge_button else (state, ())
    if not isinstance(event, Pressed) and event.card in ("unknown", "back"):
        return after, calls
    # A card that cannot be named is named by the very next event, or else it was taken away.
    if state.fresh or state.naming is not None:
        after = replace(after, fresh=False, naming=None)
    return after, calls


def _placed(state: State, event: Placed) -> _Judged:
    place, card = event.place, event.card
    if card == "back":
        return state, ()
    if card == "unknown":
        return _unknown_placed(state, event)
    if not state.started:
        return _with_card(state, place, card), ()
    mistakes, calls = open_mistakes.close_by_placing(state.mistakes, event)
    if calls:
        return _with_card(replace(state, mistakes=mistakes), place, card), calls
    seat = _acting(state, event)
    wrong = _what_is_wrong(state, event, seat)
    if wrong is not None:
        opened = open_mistakes.opened(state.mistakes, wrong, "placed")
        return replace(state, mistakes=opened), (wrong,)
    state = replace(state, turn=_turn_after(state, place, seat))
    if card == VOOM and place != DISCARD:
        # "The player may play a new starting letter on his/her next turn."
        message = f"VOOM! Any letter may follow on {_title(place)}."
        calls = (notice(event, "voom", message, seat),)
    return _with_card(state, place, card), calls


def _turn_after(state: State, place: str, seat: int | None) -> int | None:
    """The turn after a right card. The name of a card that lay there already is no second turn:
    it was its seat's, if nothing was done since."""
    following = None if seat is None else next_seat(seat, state.players)
    if state.naming != place or state.fresh:
        return following
    # On the discard pile it may as well have been drawn, and another one discarded.
    return None if place == DISCARD else state.turn


def _unknown_placed(state: State, event: Placed) -> _Judged:
    """Not judged: from now on the turn is that of the seat that acts next."""
    after = replace(state, unknowns=(*state.unknowns, event.place), fresh=True, naming=None)
    if not state.started:
        return after, ()
    return replace(after, turn=None), (unknown_card(event),)


def _what_is_wrong(state: State, event: Placed, seat: int | None) -> Call | None:
    """The first row of the table that the placed card breaks, or None when it is right."""
    place, card = event.place, event.card
    back = f"Take the {_name(card)} back"
    free = state.last_cards or state.unknowns or state.naming == place
    if not free and state.turn is not None and seat != state.turn:
        # "On each turn, a player draws a card … then plays a card or discards a card."
        message = f"It is seat {state.turn}'s turn, not seat {seat}'s. {back} and wait."
        return mistake(event, "out-of-turn", message, seat)
    if place == DISCARD:
        return None
    if event.seat is not None and event.seat != _owner(place):
        # "Players may only play cards onto their own piles."
        message = f"This pile is seat {_owner(place)}'s. {back} and play on your own piles."
        return mistake(event, "not-your-pile", message, seat)
    pile = state.piles.get(place, ())
    if not pile or VOOM in (card, pile[-1]) or place in state.unknowns:
        return None
    if place.endswith("left"):
        return None if card > pile[-1] else _wrong_letter(event, seat, pile[-1], "after")
    return None if card < pile[-1] else _wrong_letter(event, seat, pile[-1], "before")


def _wrong_letter(event: Placed, seat: int | None, top: str, side: str) -> Call:
    """ "Letters that come alphabetically after (right pile: before) the top card on the pile." """
    card, place = event.card, event.place
    fitting = tuple(c for c in LETTERS if (c > top if side == "after" else c < top))
    due = f"a letter {side} {top.upper()}, or a VOOM" if fitting else "a VOOM"
    message = f"{_title(place).capitalize()} needs {due}. Take the {_name(card)} back."
    return mistake(event, f"not-{side}", message, seat, (*fitting, VOOM))


def _removed(state: State, event: Removed) -> _Judged:
    place, card = event.place, event.card
    if card == "unknown":
        left = list(state.unknowns)
        if place in left:
            left.remove(place)
        return replace(state, unknowns=tuple(left), naming=place), ()
    mistakes, calls = open_mistakes.close_by_removal(state.mistakes, event)
    if calls:
        return replace(state, mistakes=mistakes), calls
    pile = state.piles.get(place, ())
    if card not in pile:
        return state, ()
    level = len(pile) - 1 - pile[::-1].index(card)
    piles = {**state.piles, place: pile[:level] + pile[level + 1 :]}
    after = replace(state, piles=piles)
    if not state.started or place == DISCARD:
        return after, ()
    # "Players count the cards that they've played": what is played stays.
    message = f"Played cards stay. Put the {_name(card)} back on {_title(place)}."
    stays = mistake(event, "cards-stay", message, _acting(state, event))
    return replace(after, mistakes=open_mistakes.opened(state.mistakes, stays, "removed")), (stays,)


def _start_pressed(state: State, event: Pressed) -> _Judged:
    return (state, ()) if state.started else (replace(state, started=True), ())


def _deck_empty_pressed(state: State, event: Pressed) -> _Judged:
    """ "Once the last card … is drawn, players play any remaining cards from their hands." """
    if state.last_cards or not state.started:
        return state, ()
    message = "The deck is empty. Everybody plays what still fits, in any order."
    return replace(state, last_cards=True), (Call("notice", "last-cards", message),)


def _end_pressed(state: State, event: Pressed) -> _Judged:
    """ "The player with the most cards played has cleaned up the most spots." """
    spots = [_spots(state, seat) for seat in range(1, state.players + 1)]
    most = max(spots)
    best, names = seats_with(most, spots)
    if len(best) > 1:
        message = f"Seats {names} cleaned up {_spots_text(most)} each: a tie."
        return state, (Call("tie", "most-spots", message),)
    message = f"Seat {best[0]} cleaned up the most, {_spots_text(most)}, and wins!"
    return state, (Call("win", "most-spots", message, seat=best[0]),)


_BUTTONS: dict[str, Callable[[State, Pressed], _Judged]] = {
    "start": _start_pressed,
    "deck-empty": _deck_empty_pressed,
    "end": _end_pressed,
}


def resume(state: State, table: Mapping[str, tuple[str, ...]]) -> State:
    """The table as it lies: every card right, no mistake open, the turn the next actor's."""
    piles = {
        place: tuple(card for card in cards if card not in ("unknown", "back"))
        for place, cards in table.items()
    }
    unknowns = tuple(p for p, cards in table.items() for card in cards if card == "unknown")
    return replace(
        state, turn=None, piles=piles, unknowns=unknowns, mistakes=(), fresh=False, naming=None
    )


def finish(state: State) -> tuple[Call, ...]:
    """Nothing in this game waits for the last event."""
    return ()


def view(state: State) -> View:
    """Whose turn, what each pile takes, and the spots of each seat."""
    lines = []
    for seat in range(1, state.players + 1):
        needs = " · ".join(
            f"{side} {_needs(state.piles.get(f'seat/{seat}/{side}', ()), side)}"
            for side in ("left", "right")
        )
        lines.append((f"Seat {seat}", f"{_spots_text(_spots(state, seat))} · {needs}"))
    lines += [("To put right", open_mistakes.described(m, _say)) for m in state.mistakes]
    headline = "Lay the set-up, then press start."
    if state.last_cards:
        headline = "The deck is empty: play what still fits."
    elif state.started:
        headline = f"Seat {state.turn}: play or discard." if state.turn else "Play or discard."
    in_turn = state.turn if state.started and not state.last_cards else None
    return View(in_turn, tuple(lines), headline)


def _needs(pile: tuple[str, ...], side: str) -> str:
    if not pile or pile[-1] == VOOM:
        return "any letter"
    return f"{'after' if side == 'left' else 'before'} {pile[-1].upper()}"


def _with_card(state: State, place: str, card: str) -> State:
    pile = (*state.piles.get(place, ()), card)
    return replace(state, piles={**state.piles, place: pile})


def _acting(state: State, event: CardEvent) -> int | None:
    """Who acts: as seen; else the pile's owner; at the discard the seat in turn."""
    if event.seat is not None:
        return event.seat
    place = event.place
    return state.turn if place == DISCARD else _owner(place)


def _spots(state: State, seat: int) -> int:
    return sum(len(state.piles.get(f"seat/{seat}/{side}", ())) for side in ("left", "right"))


def _spots_text(spots: int) -> str:
    return "1 spot" if spots == 1 else f"{spots} spots"


def _owner(place: str) -> int:
    return int(place.split("/")[1])


def _title(place: str) -> str:
    if place == DISCARD:
        return "the discard pile"
    _, seat, side = place.split("/")
    return f"seat {seat}'s {side} pile"


def _name(card: str) -> str:
    return card.upper()


def _say(card: str) -> str:
    return f"the {_name(card)}"


def _is_place(place: str, players: int) -> bool:
    if place == DISCARD:
        return True
    parts = place.split("/")
    if len(parts) != 3 or parts[0] != "seat" or parts[2] not in ("left", "right"):
        return False
    return parts[1] in seats(players)


GAME = Game(
    name="cat-in-the-hat",
    title="The Cat in the Hat Comes Back",
    players=(2, 6),
    cards=frozenset({*LETTERS, VOOM}),
    is_place=_is_place,
    buttons=frozenset({"deck-empty"}),
    options=(Option("first", seats, "1", "the seat that plays first"),),
    rules=RULES,
    start=start,
    judge=judge,
    resume=resume,
    finish=finish,
    view=view,
    places="seat/N/left, seat/N/right, discard",
    say=_say,
)
