"""From a step of a script to how it is acted: which arm, on what way, with which cards."""

import numpy as np

from models.drawing.acts import (
    BROUGHT,
    EMPTY_HANDED,
    PUT_BACK,
    Act,
    Way,
    begin_of,
    end_of,
    grip_of,
    handling_s,
    way_of,
)  # fmt: skip
from models.drawing.arms import dress_of, floats, turned_arm, upright_arm
from models.drawing.carried import tossed_from
from models.drawing.steps import How, Script, Step, Verb
from models.drawing.tabletop import Lying, Tabletop, copied
from rules.table.layout import SIDES, Side

# Where cards face the player who lays them; elsewhere they are laid in order.
_TOSSED = ("pile", "play", "discard")
_PALM = 0.74  # a palm's breadth, in card lengths
_CHILD = 0.6  # a child's hand beside a grown one
# How high cards are held, part of the camera's distance: at a metre, cm.
_HOVER, _LIFTED = (0.03, 0.12), {Verb.LOOK: 0.06, Verb.RAISE: 0.05, Verb.PEEK: 0.02}


class Planner:
    """Plans acts on `table`. `shown` (width, height) px of the picture, `origin` its corner on the
    drawn table. What is drawn by chance comes from `rng`, in the order of acts."""

    def __init__(
        self, script: Script, sides: tuple[str, ...], table: Tabletop, rng: np.random.Generator,
        shown: tuple[int, int], origin: tuple[float, float],
    ) -> None:  # fmt: skip
        self._script, self._tempo, self._sides = script, script.tempo, sides
        self._table, self._rng = table, rng
        self._shown, self._origin, self._size = shown, origin, table.size
        self._length = table.card[1]
        self._uprights: dict[tuple[int, str], np.ndarray] = {}

    def act(self, step: Step) -> Act:
        """The step as an act. FairdealError for a card that is not there yet."""
        side, cards = self.side(step.seat), self._carried(step)
        first, last = self._ends(step, cards, side)
        palm = self._length * _PALM * (_CHILD if step.verb is Verb.REST else 1.0)
        arm = turned_arm(
            self._upright(step, palm), palm, side, last, self._size,
            (self._length * 0.05, self._length * 0.075), 0.4,
        )  # fmt: skip
        away = floats(arm.away)
        grip = away * self._length * grip_of(step)
        begin, end = begin_of(step, self._tempo), end_of(step, self._tempo)
        starts = [copied(card) for card in cards]
        if step.how == How.TOSS:
            first = tossed_from(cards[0], away, self._length)
            starts = [copied(cards[0])]
            starts[0].centre, starts[0].degrees = first, cards[0].degrees + self._spin()
        outs: Way = tuple(
            (when, where + grip + away * self._way_out(where, away, side))
            for when, where in ((begin, first), (end, last))
        )
        points = way_of(step, self._tempo, first + grip, last + grip, outs)
        lifted = step.at - handling_s(step, self._tempo)
        act = Act(step, points, begin, end, lifted, cards, arm=arm, starts=starts)
        act.has_taken = step.verb in BROUGHT or step.verb in EMPTY_HANDED
        act.height = self._height(step)
        if step.how == How.DROP:
            act.arm = None
        return act

    def _ends(self, step: Step, cards: list[Lying], side: str) -> tuple[np.ndarray, np.ndarray]:
        """Where the hand begins and ends its work, (x, y) px."""
        if step.verb is Verb.BRUSH:
            along = floats([1, 0] if side in ("bottom", "top") else [0, 1])
            half = along * self._length * 1.4
            middle = self._spot(step.place)
            return middle - half, middle + half
        if step.verb in EMPTY_HANDED:
            return self._spot(step.place), self._spot(step.place)
        if step.verb in BROUGHT:
            return cards[0].centre, cards[0].centre
        first = self._table.top(step.place, step.face).centre
        return first, cards[-1].centre if cards else first

    def _upright(self, step: Step, palm: float) -> np.ndarray:
        look = self._script.look
        kind = step.verb if step.verb in (Verb.REST, Verb.ELBOW) else ""
        key = (step.seat or 1, kind)
        if key not in self._uprights:
            dress = dress_of(key[0] + look.arms, look.sleeves)
            self._uprights[key] = upright_arm(dress, palm, step.verb is Verb.ELBOW)
        return self._uprights[key]

    def _height(self, step: Step) -> float:
        if step.verb in BROUGHT and step.wait:
            return float(self._rng.uniform(*_HOVER))
        return _LIFTED.get(step.verb, 0.0)

    def _spin(self) -> float:
        return float(self._rng.choice([-1, 1]) * self._rng.uniform(25, 140))

    def _shaken(self, card: Lying, shift: float, turn: float) -> Lying:
        """The card a little elsewhere: `shift` in card lengths, `turn` in degrees."""
        moved = copied(card)
        moved.centre = moved.centre + floats(self._rng.normal(0, shift, 2)) * self._length
        moved.degrees += float(self._rng.normal(0, turn))
        return moved

    def _put_back(self, step: Step) -> list[Lying]:
        """The cards of a place as they lie after they were touched."""
        if step.verb in (Verb.PUSH, Verb.LIFT):
            return [self._shaken(self._table.top(step.place, step.face), 0.07, 6)]
        if step.verb in (Verb.PEEK, Verb.LOOK):
            return [self._shaken(self._table.top(step.place, step.face), 0.03, 3)]
        pile = [card for card in self._table.cards if card.place == step.place]
        ground = self._shaken(pile[0], 0.06, 4)
        if step.verb is Verb.RAISE:
            shift, turn = ground.centre - pile[0].centre, ground.degrees - pile[0].degrees
            moved = [copied(card) for card in pile]
            for card in moved:
                card.centre, card.degrees = card.centre + shift, card.degrees + turn
            return moved
        squared = []
        for card in pile:
            flat = self._shaken(card, 0.0, 0.7)
            half_turns = round((card.degrees - ground.degrees) / 180) * 180
            flat.degrees += ground.degrees + half_turns - card.degrees
            flat.centre = ground.centre + floats(self._rng.normal(0, 0.008, 2)) * self._length
            squared.append(flat)
        return squared

    def _carried(self, step: Step) -> list[Lying]:
        """The card as it will lie after the act; none where it does not come to lie anew."""
        if step.verb in BROUGHT:
            return [self.new_card(step.face, step.place, step.seat, step.on)]
        if step.verb is Verb.MOVE:
            return [self.new_card(step.face, step.to, step.seat, None)]
        return self._put_back(step) if step.verb in PUT_BACK else []

    def _way_out(self, point: np.ndarray, away: np.ndarray, side: str) -> float:
        w, h = self._size
        to_edge = {"bottom": h - point[1], "top": point[1], "left": point[0], "right": w - point[0]}
        slant = max(0.3, abs(float(away[1] if side in ("bottom", "top") else away[0])))
        return (float(to_edge[side]) + self._length * 0.75) / slant

    def side(self, seat: int | None) -> str:
        """The side of the picture at which a seat sits."""
        return self._sides[((seat or 1) - 1) % len(self._sides)]

    def _spot(self, place: str, nth: int = 0) -> np.ndarray:
        """Where the n-th card of a place lies, px of the drawn table."""
        w, h = self._shown
        spot = self._script.spots[place]
        x, y = spot.x + spot.dx * nth, spot.y + spot.dy * nth
        return floats([self._origin[0] + x * w, self._origin[1] + y * h])

    def new_card(self, face: str, place: str, seat: int | None, on: str | None) -> Lying:
        """A card for the place, laid as a hand would: a little crooked, not quite the spot."""
        parts = place.split("/")
        owner = int(parts[1]) if parts[0] == "seat" else seat if parts[0] in _TOSSED else None
        degrees = Side(SIDES[0] if owner is None else self.side(owner)).degrees
        lying = [c for c in self._table.cards if c.place == place and not c.half_covers]
        shake = self._rng.normal(0, 0.025, 2) * self._length
        turn = float(self._rng.normal(0, 3.5 if parts[0] != "pile" else 9.0))
        if on is not None:
            below = self._table.top(place, on)
            degrees = below.degrees
            up = np.radians(degrees)
            half = floats([np.sin(up), -np.cos(up)]) * self._length * 0.42
            centre = below.centre + half + shake * 0.3
            turn *= 0.4
        else:
            centre = self._spot(place, len(lying)) + shake
        return Lying(face, place, floats(centre), degrees + turn, on is not None)
