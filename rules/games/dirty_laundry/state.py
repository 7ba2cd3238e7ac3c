"""What Dirty Laundry's referee knows: frozen values, and questions to them that change nothing."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from rules.contract.mistakes import Mistakes
from rules.games.dirty_laundry.cards import KINDS, PLACES, Place, garments_of
from rules.table.event import Act
from rules.values import replace

ANYTHING = frozenset({"wash", "sort", "rinse", "repair", "wreck"})


class Due(StrEnum):
    """What has become of a garment."""

    CLEAN = "clean"  # for good
    # By a wash or a wreck; its side is still to be shown.
    RUINED = "ruined"
    RESTORED = "restored"
    DIRTY = "dirty"
    UNCHECKED = "unchecked"  # it was washed with an item that could not be named
    UNSEEN = "unseen"  # the view was lost meanwhile
    UNNAMED = "unnamed"  # it may be the card without a name that lies at its home


@dataclass(frozen=True, slots=True)
class Garment:
    """A garment. `home`: where it last rightly lay; `at`: where it lies now (None: in a hand).
    `ruined`: the side up. `due`: what has become of it, None if nothing."""

    home: str | None
    at: str | None
    ruined: bool
    due: Due | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """An item that rightly lies somewhere. `free`: it may be taken away (washed, broken or shown);
    `spent`: it no longer belongs to the load; `shown`: turned up by the wash under way."""

    face: str
    free: bool = False
    spent: bool = False
    shown: bool = False


@dataclass(frozen=True, slots=True)
class Machine:
    """`broken` as the game has it, `shows` the side up (None: never seen). `doubtful`: a wash
    that was not fully seen may have broken it."""

    broken: bool = False
    shows: str | None = None
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class Bucket:
    """Hand wash cards of a seat: still good for a wash, washed, and good ones lifted in a hand."""

    fresh: int = 0
    used: int = 0
    lifted: int = 0


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose turn it is (None: not known) and the moves made; `sure`: all of them were seen."""

    seat: int | None
    moves: int = 0
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Action:
    """The action card laid last, until the next move or `done`. `can`: what it may still be read
    as; `thing`: the garment or place that it serves. Of a wash: `shown` are the faces turned up,
    `owed` the backs removed less the items placed, `loose` the places where a card that lay
    wrongly was taken away meanwhile, `unseen` the places whose items changed while the view was
    lost, `done` that it is worked out."""

    can: frozenset[str]
    seat: int | None
    thing: str | None = None
    shown: tuple[str, ...] = ()
    owed: int = 0
    loose: tuple[str, ...] = ()
    done: bool = False
    card: str = ""
    unseen: tuple[str, ...] = ()


@dataclass(frozen=True)
class State:
    """A game of Dirty Laundry. `lifted`: items just taken from where they
    might rightly lie face-up. `unknowns`: how many unnamed cards lie at a place that is not for
    items; `fresh`: where the last event laid one; `naming`: where one was just taken up, to be laid
    again with its name. `owed_look`: a lost view may have ended the game and nobody
    has said so yet."""

    players: int
    first: int
    started: bool
    turn: Turn
    machines: tuple[Machine, Machine, Machine] = (Machine(), Machine(), Machine())
    garments: Mapping[str, Garment] = field(default_factory=dict)
    items: Mapping[str, tuple[Item, ...]] = field(default_factory=dict)
    buckets: Mapping[int, Bucket] = field(default_factory=dict)
    last_mover: int | None = None
    action: Action | None = None
    lifted: tuple[tuple[str, Item], ...] = ()
    unknowns: Mapping[str, int] = field(default_factory=dict)
    fresh: str | None = None
    naming: str | None = None
    mistakes: Mistakes = ()
    owed_look: bool = False


def garments_at(state: State, place: str) -> list[tuple[str, Garment]]:
    """The garments whose right place is `place`, in the order of their names."""
    return sorted((base, g) for base, g in state.garments.items() if g.home == place)


def lying_load(state: State, place: str, but: str) -> list[Garment]:
    """What lies in a machine or hand wash and waits for a wash, but for one garment."""
    return [
        g
        for base, g in state.garments.items()
        if g.home == place and g.at == place and g.due in (None, Due.UNSEEN) and base != but
    ]


def hanging(state: State, seat: int) -> int:
    """How many garments of a seat hang washed on the clothesline."""
    names = (f"p{seat}-{kind}" for kind in KINDS)
    found = (state.garments.get(name) for name in names)
    return sum(1 for g in found if g is not None and g.home == g.at == "clothesline")


def backs(state: State, place: str) -> int:
    """How many items that are not named lie at `place`, waiting to be turned up."""
    return sum(1 for item in state.items.get(place, ()) if item.face == "back")


def counts_as_right(state: State, place: str) -> bool:
    """Whether an unnamed card lies here, so that nothing here is judged."""
    return bool(state.unknowns) and place in state.unknowns


def actor(state: State, event: Act) -> int | None:
    """Who acts at anything but a move: the seat seen, else the seat of the last move."""
    return event.seat if event.seat is not None else state.last_mover


def with_garment(state: State, base: str, garment: Garment) -> State:
    """The state with one garment changed."""
    return replace(state, garments={**state.garments, base: garment})


def with_items(state: State, place: str, items: tuple[Item, ...]) -> State:
    """The state with other items at a place."""
    after = dict(state.items)
    if items:
        after[place] = items
    else:
        after.pop(place, None)
    return replace(state, items=after)


def with_machine(state: State, number: int, machine: Machine) -> State:
    """The state with one machine changed."""
    one, two, three = state.machines
    if number == 1:
        return replace(state, machines=(machine, two, three))
    if number == 2:
        return replace(state, machines=(one, machine, three))
    return replace(state, machines=(one, two, machine))


def broken_down(state: State, number: int) -> State:
    """A machine breaks: its garments are ruined, its items are for the discard pile.

    "When a washing machine is broken, all garments in the WASHING MACHINE gets RUINED and all
    item cards get discarded."
    """
    place = PLACES[f"machine/{number}"]
    state = with_machine(state, number, replace(state.machines[number - 1], broken=True))
    garments = dict(state.garments)
    for base, g in garments_at(state, garments_of(place)):
        if g.due not in (Due.CLEAN, Due.UNCHECKED, Due.UNNAMED):
            garments[base] = replace(g, due=Due.RUINED)
    items = dict(state.items)
    at = f"{place.name}/items"
    if at in items:
        items[at] = spent(items[at])
    return replace(state, garments=garments, items=items)


def spent(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Items that have had their effect and may be taken away."""
    return tuple(Item(item.face, free=True, spent=True) for item in items)


def place_of(name: str) -> Place:
    """A place that the reader has checked."""
    return PLACES[name]
