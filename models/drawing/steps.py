"""The values of a scripted game: who does what, where cards lie, and how the table looks."""

from dataclasses import dataclass, field
from enum import StrEnum


class Verb(StrEnum):
    """What a player does."""

    PLACE = "place"  # a card onto the table
    REMOVE = "remove"  # a card off the table
    SWEEP = "sweep"  # all cards of a place off the table
    MOVE = "move"  # a card from place to place
    TURN = "turn"  # a card over, where it lies
    PUSH = "push"  # a card straight, where it lies: no event
    LIFT = "lift"  # a card up and back to where it lay: no event
    REACH = "reach"  # over the table to a place, touching nothing: no event
    LEAN = "lean"  # over the table for some seconds: the head's shadow falls on it: no event
    HOLD = "hold"  # a card over a place for `wait` s, and away with it again: no event
    SQUARE = "square"  # a pile up, so that its edges meet: no event
    PEEK = "peek"  # at the other side of the top card, tilted and laid back: no event
    LOOK = "look"  # at the card below: the top card aside for `wait` s and back: no event
    RAISE = "raise"  # a pile, whole, and down again: no event
    BRUSH = "brush"  # across the table with a forearm that touches nothing: no event
    REST = "rest"  # a child's hand on a place for `wait` s: no event
    ELBOW = "elbow"  # on the table's edge for `wait` s: no event
    PRESS = "press"  # a button: nothing is seen


# What no event tells.
UNTOLD = frozenset(
    {
        Verb.PUSH, Verb.LIFT, Verb.REACH, Verb.LEAN, Verb.HOLD, Verb.SQUARE, Verb.PEEK, Verb.LOOK,
        Verb.RAISE, Verb.BRUSH, Verb.REST, Verb.ELBOW,
    }
)  # fmt: skip
# Places of what is no card of the game: cups, phones, a card that fell. No event tells of them.
ASIDE = "aside/"
# Pictures of things: a face of this beginning is no card.
THING = "thing-"


class How(StrEnum):
    """A way of doing what is done otherwise, too."""

    TOSS = "toss"  # a card let go short of its place: it slides and turns to rest
    DROP = "drop"  # a card that falls without a hand
    FOREARM = "forearm"  # a sweep with the forearm flat on the table


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a place's cards lie: the first at (x, y), each further one (dx, dy) on.

    Parts of the picture's width and height.
    """

    x: float
    y: float
    dx: float = 0.0
    dy: float = 0.0


@dataclass(frozen=True, slots=True)
class Step:
    """One act. `at` (s): the hand lets go, or lifts the card.

    `face` is the card touched, `becomes` what it shows after a turn, `to` where a move ends, `on`
    the face that the card half covers. `stay` (s): how long the hand stays on the card, or the
    head over the table. `wait` (s): how long before `at` a card hovers over its place, or what
    lasts lasts. `how`: one of How. `button`: what is pressed.
    """

    at: float
    verb: Verb
    place: str = ""
    face: str = ""
    seat: int | None = None
    becomes: str = ""
    to: str = ""
    on: str | None = None
    stay: float = 0.0
    button: str = ""
    wait: float = 0.0
    how: str = ""

    @property
    def is_aside(self) -> bool:
        """Whether it moves what is no card of the game."""
        return self.place.startswith(ASIDE)


@dataclass(frozen=True, slots=True)
class Fan:
    """Cards that a seat holds in view at its side of the picture, all game long.

    `along`: where, 0 to 1 from the picture's left or top. `deep`: how far the fan's middle stands
    inside the picture, in card lengths. A card that the seat lays leaves the fan.
    """

    seat: int
    along: float
    deep: float
    shows_faces: bool
    both_hands: bool
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tempo:
    """How fast hands are, s: to come, to go, to carry a card across, to turn one over."""

    come: float = 0.7
    go: float = 0.6
    carry: float = 0.9
    flip: float = 0.3


@dataclass(frozen=True, slots=True)
class Look:
    """How the table is seen. `card_px`: a card's length in a picture 720 px high.

    `tilt` (degrees): the camera's, from straight down. `lens`: radial distortion k1 for a
    half-width of 1. `things`: cups and papers that lie about. `arms`: which skins and sleeves
    players have, from this one of all on. `sleeves`: the seed of patterned sleeves; 0: plain ones.
    """

    table: str = "wood"
    card_px: float = 150.0
    light: str = "lamp"
    tilt: float = 0.0
    lens: float = 0.0
    things: int = 0
    arms: int = 0
    sleeves: int = 0


@dataclass(frozen=True, slots=True)
class Script:
    """A scripted game: `lying` (face, place) from the beginning, `steps` in time, `spots`.

    `deck`: a shipped deck or a deck folder; empty: the game's own. `cameras`: what the camera
    does wrong, by name.
    """

    name: str
    game: str
    players: int
    look: Look
    seed: int
    end: float
    spots: dict[str, Spot]
    lying: tuple[tuple[str, str], ...]
    steps: tuple[Step, ...]
    tempo: Tempo = field(default_factory=Tempo)
    deck: str = ""
    fans: tuple[Fan, ...] = ()
    cameras: tuple[str, ...] = ()

    @property
    def faces(self) -> tuple[str, ...]:
        """Every face that shows at some time."""
        shown = {face for face, _ in self.lying}
        for step in self.steps:
            shown |= {step.face, step.becomes}
        return tuple(sorted(shown - {""}))
