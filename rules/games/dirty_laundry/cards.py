"""Dirty Laundry's cards and places, and how their names read."""

from dataclasses import dataclass
from enum import Enum

KINDS = (
    "white-plain",
    "white-softener",
    "white-stain",
    "colour-plain",
    "colour-plain2",
    "colour-mesh",
)
# What the top right icon of a garment asks for besides detergent.
NEEDS = {"softener": "fabric-softener", "stain": "stain-remover", "mesh": "mesh-bag"}
ITEMS = (
    "detergent",
    "fabric-softener",
    "stain-remover",
    "mesh-bag",
    "red-sock",
    "special-dye",
    "special-bleach",
)
ACTIONS = ("wash", "sort", "rinse", "repair", "wreck", "hand-wash", "repair-wreck")
MACHINES = ("machine", "machine-broken")
CLOTHESLINE, ACTION_PLACE, DISCARD = "clothesline", "actions", "discard"


@dataclass(frozen=True, slots=True)
class Face:
    """One side of a garment. `base` names the garment whichever side is up; `need` an item."""

    base: str
    owner: int
    white: bool
    need: str | None
    ruined: bool


def _face(owner: int, kind: str, ruined: bool) -> Face:
    colour, need = kind.split("-")
    return Face(f"p{owner}-{kind}", owner, colour == "white", NEEDS.get(need), ruined)


FACES = {
    f"p{owner}-{kind}{'-ruined' if ruined else ''}": _face(owner, kind, ruined)
    for owner in range(1, 7)
    for kind in KINDS
    for ruined in (False, True)
}


def cards_of(players: int) -> frozenset[str]:
    """The faces of a game: a garment's owner is a seat from 1 to `players`."""
    garments = (card for card, face in FACES.items() if face.owner <= players)
    return frozenset((*garments, *ITEMS, *ACTIONS, *MACHINES))


CARDS = cards_of(6)


def are_sides(face: str, other: str) -> bool:
    """Whether two faces are those of one card: of a garment, a machine, or an item face down."""
    if {face, other} == set(MACHINES):
        return True
    if "back" in (face, other):
        return face in ITEMS or other in ITEMS
    one, two = FACES.get(face), FACES.get(other)
    return one is not None and two is not None and face != other and one.base == two.base


class Kind(Enum):
    """What a place belongs to."""

    MACHINE = "machine"
    HAND_WASH = "hand wash"
    SEAT = "seat"
    CLOTHESLINE = "clothesline"
    ACTIONS = "actions"
    DISCARD = "discard"


class Part(Enum):
    """What lies at a place: the machine's or hand wash's own card, garments, or items."""

    CARD = "card"
    GARMENTS = "garments"
    ITEMS = "items"


WASHERS = (Kind.MACHINE, Kind.HAND_WASH)


@dataclass(frozen=True, slots=True)
class Place:
    """A place, read. `number`: the machine's or the seat's, else 0."""

    name: str
    kind: Kind
    number: int
    part: Part
    title: str


def _places() -> dict[str, Place]:
    found = [
        Place(CLOTHESLINE, Kind.CLOTHESLINE, 0, Part.GARMENTS, "the clothesline"),
        Place(ACTION_PLACE, Kind.ACTIONS, 0, Part.CARD, "the action cards"),
        Place(DISCARD, Kind.DISCARD, 0, Part.CARD, "the discard pile"),
    ]
    for n in range(1, 4):
        name, title = f"machine/{n}", f"machine {n}"
        found.append(Place(name, Kind.MACHINE, n, Part.CARD, title))
        found.append(Place(f"{name}/garments", Kind.MACHINE, n, Part.GARMENTS, title))
        found.append(Place(f"{name}/items", Kind.MACHINE, n, Part.ITEMS, title))
    for n in range(1, 7):
        name, title = f"seat/{n}/hand-wash", f"the hand wash of seat {n}"
        found.append(Place(name, Kind.HAND_WASH, n, Part.CARD, title))
        found.append(Place(f"{name}/garments", Kind.HAND_WASH, n, Part.GARMENTS, title))
        found.append(Place(f"{name}/items", Kind.HAND_WASH, n, Part.ITEMS, title))
        found.append(Place(f"seat/{n}/garments", Kind.SEAT, n, Part.GARMENTS, f"seat {n}"))
    return {place.name: place for place in found}


PLACES = _places()
PLACES_TEXT = (
    "machine/1-3, machine/K/garments, machine/K/items, seat/N/garments, seat/N/hand-wash, "
    "seat/N/hand-wash/garments, seat/N/hand-wash/items, clothesline, actions, discard"
)


def is_place(place: str, players: int) -> bool:
    """Whether a game of `players` has this place."""
    found = PLACES.get(place)
    return found is not None and (
        found.kind not in (Kind.HAND_WASH, Kind.SEAT) or found.number <= players
    )


def garments_of(place: Place) -> str:
    """The garments' place of a machine or hand wash."""
    return place.name.removesuffix("/items").removesuffix("/garments") + "/garments"


def owner_place(base: str) -> str:
    """Where a garment lies when it is not washed: in front of its owner."""
    return f"seat/{FACES[base].owner}/garments"


def ruined_face(base: str) -> str:
    """The other side of a garment."""
    return f"{base}-ruined"


def say(card: str) -> str:
    """A card in a sentence: "the mesh bag", "seat 2's colour mesh garment"."""
    return said(card) if card in FACES else f"the {said(card)}"


def said(card: str) -> str:
    """A card in words: `p2-colour-mesh-ruined` is "seat 2's ruined colour mesh garment"."""
    face = FACES.get(card)
    if face is None:
        names = {"back": "face-down card", "machine-broken": "broken machine"}
        return names.get(card, card.replace("-", " "))
    kind = face.base.split("-", 1)[1].replace("-", " ").replace("plain2", "second plain")
    return f"seat {face.owner}'s {'ruined ' if face.ruined else ''}{kind} garment"
