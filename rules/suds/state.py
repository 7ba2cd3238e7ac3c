"""What lies on the table in Suds: piles of right cards, the counts, and the view for people."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from rules import mistakes as open_mistakes
from rules.game import Setup, View
from rules.mistakes import Mistakes
from rules.values import replace

SEQUENCE = ("hat", "t-shirt", "boxers", "pants", "socks", "sneakers")
LAST = "sneakers"
CARDS_IN_PACK = 54
AFTER = {**dict(pairwise(SEQUENCE)), LAST: LAST}
_NAMES = {"t-shirt": "T-shirt", "wild": "wild card"}
_SINGLE = ("hat", "t-shirt", "wild")
PLACES_WON = ("1st", "2nd", "3rd", "4th")


@dataclass(frozen=True, slots=True)
class Laid:
    """A right card in a pile: its face, the item it is read as, and who laid it."""

    card: str
    item: str
    seat: int | None


@dataclass(frozen=True, slots=True)
class Pile:
    """The right cards of one pile. `finished`: its sneakers were laid; `tall`: it once held two
    or more; `doubtful`: a card that could not be named has lain in it."""

    laid: tuple[Laid, ...] = ()
    finished: bool = False
    tall: bool = False
    doubtful: bool = False


@dataclass(frozen=True)
class State:
    """A game of Suds. `counts`: cards left of each seat, None when no longer known; `unknowns`:
    (place, seat) of each card that cannot be named; `out`: who is out, in order."""

    players: int
    cycle: bool
    counts: tuple[int, ...] | None
    started: bool = False
    piles: Mapping[str, Pile] = field(default_factory=dict)
    mistakes: Mistakes = ()
    unknowns: tuple[tuple[str, int | None], ...] = ()
    out: tuple[int, ...] = ()


def start(setup: Setup) -> State:
    """ "Deals the cards equally to each player": the rest is set aside."""
    counts = (CARDS_IN_PACK // setup.players,) * setup.players
    return State(setup.players, setup.options["variant"] == "cycle", counts)


def with_card(pile: Pile, card: str, seat: int | None) -> Pile:
    """The pile with one more right card; a wild is read as the item that is due."""
    item = card
    if card == "wild":
        item = AFTER[pile.laid[-1].item] if pile.laid else SEQUENCE[0]
    laid = (*pile.laid, Laid(card, item, seat))
    return Pile(laid, pile.finished or item == LAST, pile.tall or len(laid) > 1, pile.doubtful)


def title(place: str) -> str:
    """A pile as people call it: "Pile 3"."""
    return "Pile " + place.removeprefix("pile/")


def name(card: str) -> str:
    """A face as people write it."""
    return _NAMES.get(card, card)


def say(card: str) -> str:
    """A face in a sentence: "the boxers"."""
    return f"the {name(card)}"


def needed(card: str) -> str:
    """A face that is due: "a hat", "boxers"."""
    return f"a {name(card)}" if card in _SINGLE else name(card)


def resume(state: State, table: Mapping[str, tuple[str, ...]]) -> State:
    """The table as it lies: every card right, counts unknown, no mistake open."""
    piles, unknowns = {}, []
    for place, cards in table.items():
        pile = Pile(doubtful="unknown" in cards)
        for card in cards:
            if card == "unknown":
                unknowns.append((place, None))
            elif card != "back":
                pile = with_card(pile, card, None)
        if pile.laid:
            piles[place] = _as_before(pile, state, place, cards)
    return replace(state, piles=piles, unknowns=tuple(unknowns), counts=None, mistakes=())


def _as_before(pile: Pile, state: State, place: str, cards: tuple[str, ...]) -> Pile:
    """A pile found after a lost view, with what is known of it from before.

    What the sweep of a finished pile has left is finished still. A pile that has changed may have
    been finished meanwhile: sweeping its rest is no mistake that anybody saw.
    """
    before = state.piles.get(place)
    if before is None:
        return pile
    lay = [laid.card for laid in before.laid] + ["back", "unknown"] * len(cards)
    lay += open_mistakes.wrong_cards(state.mistakes, place)
    if before.finished and all(cards.count(card) <= lay.count(card) for card in cards):
        return replace(pile, finished=True)
    changed = [laid.card for laid in before.laid] != [laid.card for laid in pile.laid]
    return replace(pile, doubtful=pile.doubtful or before.doubtful or changed)


def view(state: State) -> View:
    """What each pile needs, who holds how many cards, who is out, what is wrong."""
    lines = []
    for place, pile in state.piles.items():
        top = pile.laid[-1].item
        text = f"needs {needed(AFTER[top])}"
        if pile.finished:
            text = "finished: sweep it!"
        elif state.cycle:
            text = f"needs {needed(top)} or {needed(AFTER[top])}"
        lines.append((title(place), text))
    for seat in range(1, state.players + 1):
        left = "cards unknown" if state.counts is None else f"{state.counts[seat - 1]} cards"
        if seat in state.out:
            left = f"out, {PLACES_WON[state.out.index(seat)]}"
        lines.append((f"Seat {seat}", left))
    lines += [("To put right", open_mistakes.described(m, say)) for m in state.mistakes]
    headline = "Toss your laundry!" if state.started else "Wait for 1-2-3 go."
    return View(None, tuple(lines), headline)
