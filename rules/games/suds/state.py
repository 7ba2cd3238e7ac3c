"""What lies on the table in Suds: piles of right cards, and the counts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from rules.contract.game import Setup
from rules.contract.mistakes import Mistakes

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
