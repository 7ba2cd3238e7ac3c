"""What people see of a game of Sooty: whose turn, what each set needs, what is owed."""

from rules.contract.game import PlaceView, View
from rules.contract.mistakes import described
from rules.games.sooty.reach import can_reach, still_to_be_had
from rules.games.sooty.state import (
    FULL,
    PLACES,
    SUIT,
    TWELVE,
    Set,
    State,
    face_name,
    is_complete,
    numbers_of,
    numbers_text,
    owner_of,
    say,
)


def view(state: State) -> View:
    """The state for people."""
    places = tuple(
        PlaceView(place, f"Seat {owner_of(place)}, set {place[-1]}", _set_text(state, cards))
        for place, cards in zip(PLACES, state.sets, strict=False)
    )
    lines = [(each.label, each.text) for each in places]
    top = face_name(state.discard[-1]) if state.discard else "empty"
    lines.append(("Discard pile", top))
    if state.owes:
        lines.append(("Owed", f"seat {state.owes} picks up one card"))
    lines += [("To put right", described(m, say)) for m in state.mistakes]
    scores = tuple(
        (seat, f"{complete} sets" if complete != 1 else "1 set")
        for seat, complete in enumerate(_complete_sets(state), 1)
    )
    return View(state.turn, tuple(lines), _headline(state), places, scores)


def _complete_sets(state: State) -> list[int]:
    """How many complete sets each seat has."""
    counts = [0] * (len(state.sets) // 2)
    for place, cards in zip(PLACES, state.sets, strict=False):
        counts[owner_of(place) - 1] += bool(cards) and is_complete(cards)
    return counts


def _headline(state: State) -> str:
    if not state.started:
        return f"Turn up a card beside the pack, then press start: seat {state.dealer} begins."
    if state.half:
        other = "the card it stands for" if state.half_is_joker else "the Joker"
        verb = "Lay" if state.half_is_joker else "Take"
        return f"{verb} {other} to finish the exchange."
    if state.turn is None:
        return "Whoever acts next has the turn."
    if state.owes:
        return f"Seat {state.owes} picks up a card, then it is seat {state.turn}'s turn."
    return f"Seat {state.turn} does one thing."


def _set_text(state: State, cards: Set) -> str:
    if not cards:
        return "empty"
    suit = SUIT[cards[0].face].capitalize()
    if is_complete(cards):
        return f"{suit} {numbers_text(cards)} = {TWELVE}, complete"
    numbers = numbers_of(cards)
    text = f"{suit} " + " + ".join(str(number) if number else "Joker" for number in numbers)
    oofled = [face_name(card.face) for card in cards if card.is_oofled()]
    if oofled:
        text += f", oofled: {', '.join(oofled)}"
    more = FULL - len(cards)
    if more <= 0:
        return text
    if not can_reach(cards, still_to_be_had(state)):
        return f"{text}, cannot make {TWELVE} any more"
    rest = TWELVE - sum(numbers)
    from_cards = "1 card" if more == 1 else f"{more} cards"
    joker = " and the Joker" if 0 in numbers else ""
    return f"{text}, needs {rest} from {from_cards}{joker}"
