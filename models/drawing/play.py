"""A scripted game acted out by drawn hands: the frames of the simulated table.

Quick enough for real time beside the seeing: the table at rest is kept composed, lit and unlit;
in a frame only what moves is drawn, and its light put on it; noise is cut out of one field.
"""

from dataclasses import dataclass, field, replace
from itertools import pairwise

import cv2
import numpy as np

from models.deck import Deck
from models.drawing.arms import Arm, floats, turned_arm, upright_arm
from models.drawing.raster import face_picture
from models.drawing.scene import Laid, Light, grain, lamp, lay
from models.drawing.script import CARRY_S, Script, Step
from models.drawing.tables import draw_table

COME_S, GO_S, FLIP_S, TICK_S = 0.7, 0.6, 0.3, 0.1
# How far a card's upright face is turned for the player at a side, degrees clockwise.
FACING = {"bottom": 0.0, "left": 90.0, "top": 180.0, "right": 270.0}
SIDES = tuple(FACING)
# Where cards face the player who lays them; elsewhere they are laid in order.
_TOSSED = ("pile", "play", "discard")
_COLOURS = {"wood": (74, 112, 164), "felt": (74, 104, 38)}
_NOISE, _ROOM = 2.2, 64  # of the sensor, 0..255; px that its field is wider than a frame


@dataclass(slots=True)
class Lying:
    """A card on the table: its face, place, centre (x, y) px and turn in degrees clockwise."""

    face: str
    place: str
    centre: np.ndarray
    degrees: float
    half_covers: bool = False


@dataclass(slots=True)
class Act:
    """A step as it is acted: the hand's way, and the cards it carries from `take` to `give`."""

    step: Step
    side: str
    points: tuple[tuple[float, np.ndarray], ...]
    begin: float
    end: float
    cards: list[Lying] = field(default_factory=list)
    has_taken: bool = False
    has_given: bool = False
    arm: Arm | None = None


class Play:
    """Draws a script's frames in order of time: `picture(at)` is (H, W, 3) uint8 BGR at `at` s.

    `size` (width, height) px. The same script, size and `at`s give the same pixels.
    """

    def __init__(self, script: Script, deck: Deck, size: tuple[int, int] = (1280, 720),
                 sides: tuple[str, ...] = SIDES) -> None:  # fmt: skip
        self._script, self._size, self._sides = script, size, sides
        self._rng = np.random.default_rng(script.seed)
        self._grain_rng = np.random.default_rng([script.seed, 1])
        self._now = -1.0
        self._length = script.card_px * size[1] / 720
        self._width = self._length * deck.width_mm / deck.height_mm
        self._palm = self._length * 0.74
        self._pictures = {
            face: face_picture(deck, face, round(self._length * 1.4)) for face in script.faces
        }
        reach = self._length * 0.022
        self._light = Light(shadow=(reach * 0.8, reach * 1.1), shadow_depth=0.42)
        self._cards: list[Lying] = []
        self._waiting = list(script.steps)
        self._acts: list[Act] = []
        self._arms: dict[int, np.ndarray] = {}
        w, h = size
        self._bare = draw_table(self._rng, h, w, script.table, _COLOURS[script.table])
        self._field = lamp(w, h)
        self._noise = grain(self._rng, w + _ROOM, h + _ROOM, _NOISE)
        self._unlit = self._bare.copy()
        self._lit = cv2.multiply(self._unlit, self._field, dtype=cv2.CV_8U)
        for face, place in script.lying:
            self._put_down(self._new_card(face, place, None, None))
        for step in script.steps:
            seat = step.seat or 1
            if seat not in self._arms:
                self._arms[seat] = upright_arm(seat, self._palm)

    @property
    def cards(self) -> tuple[tuple[str, str, np.ndarray], ...]:
        """What lies now, bottom to top: face, place, quad (4, 2) px from the face's top-left."""
        return tuple((c.face, c.place, self._quad(c)) for c in self._cards)

    def picture(self, at: float) -> np.ndarray:
        """The frame at `at` s, which must not be before the last one's."""
        while self._now < at:  # in short ticks, so that skipped time happens in its order
            self._now = min(at, self._now + TICK_S)
            self._advance(self._now)
        out = self._lit.copy()
        for act in self._acts:
            self._draw_act(out, act, at)
        x, y = self._grain_rng.integers(0, _ROOM, 2)
        w, h = self._size
        for sign, noise in zip((cv2.add, cv2.subtract), self._noise, strict=True):
            sign(out, noise[y : y + h, x : x + w], out)
        return out

    def _advance(self, at: float) -> None:
        while self._waiting and self._begin(self._waiting[0]) <= at:
            self._acts.append(self._plan(self._waiting.pop(0)))
        for act in self._acts:
            lifted = act.step.at - (CARRY_S if act.step.verb == "move" else 0.0)
            if act.step.verb == "turn":
                lifted -= FLIP_S
            if not act.has_taken and at >= lifted:
                self._take(act)
            if not act.has_given and at >= act.step.at:
                self._give(act)
        self._acts = [act for act in self._acts if at < act.end]

    def _begin(self, step: Step) -> float:
        extra = {"move": CARRY_S, "turn": FLIP_S}.get(step.verb, 0.0)
        return step.at - COME_S - extra - 0.1

    def _plan(self, step: Step) -> Act:
        side = self._side(step.seat)
        carried: list[Lying] = []
        if step.verb == "place":
            carried = [self._new_card(step.face, step.place, step.seat, step.on)]
            first = last = carried[0].centre
        else:
            first = last = self._top(step.place, step.face).centre
            if step.verb == "move":
                carried = [self._new_card(step.face, step.to, step.seat, None)]
                last = carried[0].centre
        seat = step.seat or 1
        arm = turned_arm(
            self._arms[seat], self._palm, side, last, self._size,
            (self._length * 0.05, self._length * 0.075), 0.4,
        )  # fmt: skip
        away = floats(arm.away)
        grip = away * self._length * 0.12
        begin, end = self._begin(step), step.at + GO_S + 0.15
        lifted = step.at - {"move": CARRY_S, "turn": FLIP_S}.get(step.verb, 0.0)
        points = (
            (begin, first + grip + away * self._way_out(first, away, side)),
            (lifted - 0.08, first + grip),
            (lifted + 0.04, first + grip),
            (step.at - 0.05, last + grip),
            (step.at + 0.1, last + grip),
            (end, last + grip + away * self._way_out(last, away, side)),
        )
        act = Act(step, side, points, begin, end, carried, arm=arm)
        act.has_taken = step.verb == "place"
        return act

    def _way_out(self, point: np.ndarray, away: np.ndarray, side: str) -> float:
        w, h = self._size
        to_edge = {"bottom": h - point[1], "top": point[1], "left": point[0], "right": w - point[0]}
        slant = max(0.3, abs(float(away[1] if side in ("bottom", "top") else away[0])))
        return (float(to_edge[side]) + self._length * 0.75) / slant

    def _side(self, seat: int | None) -> str:
        return self._sides[((seat or 1) - 1) % len(self._sides)]

    def _new_card(self, face: str, place: str, seat: int | None, on: str | None) -> Lying:
        """A card for the place, laid as a hand would: a little crooked, not quite the spot."""
        w, h = self._size
        parts = place.split("/")
        owner = int(parts[1]) if parts[0] == "seat" else seat if parts[0] in _TOSSED else None
        degrees = FACING[SIDES[0] if owner is None else self._side(owner)]
        spot = self._script.spots[place]
        lying = [c for c in self._cards if c.place == place and not c.half_covers]
        shake = self._rng.normal(0, 0.025, 2) * self._length
        turn = float(self._rng.normal(0, 3.5 if parts[0] != "pile" else 9.0))
        if on is not None:
            below = self._top(place, on)
            degrees = below.degrees
            up = np.radians(degrees)
            half = floats([np.sin(up), -np.cos(up)]) * self._length * 0.42
            centre = below.centre + half + shake * 0.3
            turn *= 0.4
        else:
            x, y = spot.x + spot.dx * len(lying), spot.y + spot.dy * len(lying)
            centre = floats([x * w, y * h]) + shake
        return Lying(face, place, floats(centre), degrees + turn, on is not None)

    def _top(self, place: str, face: str = "") -> Lying:
        return next(c for c in self._cards[::-1] if c.place == place and face in ("", c.face))

    def _take(self, act: Act) -> None:
        act.has_taken = True
        step = act.step
        if step.verb == "sweep":
            taken = [card for card in self._cards if card.place == step.place]
        else:
            taken = [self._top(step.place, step.face)]
        self._cards = [card for card in self._cards if not any(card is t for t in taken)]
        if step.verb == "move":
            act.cards[0].degrees = taken[0].degrees * 0.3 + act.cards[0].degrees * 0.7
        else:
            act.cards = [_copy(card) for card in taken]
        self._redraw(taken)

    def _give(self, act: Act) -> None:
        act.has_given = True
        if act.step.verb == "turn":
            act.cards[0].face = act.step.becomes
        if act.step.verb in ("place", "move", "turn"):
            self._put_down(act.cards[0])
            act.cards = []

    def _put_down(self, card: Lying) -> None:
        self._cards.append(card)
        quad = self._quad(card)
        lay(self._unlit, Laid(self._pictures[card.face], quad), self._light)
        self._relight(self._around([quad]))

    def _redraw(self, taken: list[Lying]) -> None:
        """The table at rest again, where `taken` lay."""
        x0, y0, x1, y1 = box = self._around([self._quad(card) for card in taken])
        part = self._unlit[y0:y1, x0:x1]
        part[:] = self._bare[y0:y1, x0:x1]
        for card in self._cards:
            quad = self._quad(card)
            a0, b0, a1, b1 = self._around([quad])
            if a0 < x1 and x0 < a1 and b0 < y1 and y0 < b1:
                lay(part, Laid(self._pictures[card.face], quad - floats([x0, y0])), self._light)
        self._relight(box)

    def _relight(self, box: tuple[int, int, int, int]) -> None:
        x0, y0, x1, y1 = box
        if x1 > x0 and y1 > y0:
            self._lit[y0:y1, x0:x1] = cv2.multiply(
                self._unlit[y0:y1, x0:x1], self._field[y0:y1, x0:x1], dtype=cv2.CV_8U
            )

    def _around(self, quads: list[np.ndarray], pad: float = 0.0) -> tuple[int, int, int, int]:
        corners = np.concatenate(quads)
        pad += self._length * 0.08 + 6
        w, h = self._size
        x0, y0 = np.clip(np.floor(corners.min(0) - pad), 0, [w, h]).astype(int)
        x1, y1 = np.clip(np.ceil(corners.max(0) + pad), 0, [w, h]).astype(int)
        return int(x0), int(y0), int(x1), int(y1)

    def _quad(self, card: Lying, squeeze: float = 1.0) -> np.ndarray:
        """The card's corners in the picture; the camera stands a little off the middle."""
        half = floats([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2
        half *= floats([self._width * squeeze, self._length])
        a = np.radians(card.degrees)
        spin = floats([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        points = half @ spin.T + card.centre
        w, h = self._size
        unit = (points - floats([w / 2, h / 2])) / w
        far = 1 + 0.012 * unit[:, 1:] - 0.02 * (unit**2).sum(1, keepdims=True)
        return floats(unit * far * w + floats([w / 2, h / 2]))

    def _draw_act(self, out: np.ndarray, act: Act, at: float) -> None:
        """Draws the carried cards and the arm over `out`, in the light of where they are."""
        assert act.arm is not None
        tip = _on_the_way(act.points, at)
        w, h = self._size
        low = np.round(tip - floats(act.arm.tip)).astype(int)
        high = low + np.array(act.arm.keep.shape[1::-1])
        held = self._held(act, at, tip) if act.has_taken and act.cards else []
        boxes = [(*low, *high), *(self._around([quad], self._length * 0.1) for quad, _ in held)]
        x0, y0 = max(0, min(b[0] for b in boxes)), max(0, min(b[1] for b in boxes))
        x1, y1 = min(w, max(b[2] for b in boxes)), min(h, max(b[3] for b in boxes))
        if x1 <= x0 or y1 <= y0:
            return
        # Two arms at once: the later one goes over a picture that is lit already.
        is_alone = len(self._acts) == 1
        part = (self._unlit if is_alone else out)[y0:y1, x0:x1].copy()
        for quad, picture in held:
            lay(part, Laid(picture, quad - floats([x0, y0])), self._light, 2.6)
        (a0, b0), (a1, b1) = np.maximum(low, 0), np.minimum(high, [w, h])
        if a1 > a0 and b1 > b0:
            inside = np.s_[b0 - low[1] : b1 - low[1], a0 - low[0] : a1 - low[0]]
            below = part[b0 - y0 : b1 - y0, a0 - x0 : a1 - x0]
            kept = cv2.multiply(below, act.arm.keep[inside], scale=1 / 255)
            cv2.add(kept, act.arm.add[inside], below)
        if is_alone:
            part = cv2.multiply(part, self._field[y0:y1, x0:x1], dtype=cv2.CV_8U)
        out[y0:y1, x0:x1] = part

    def _held(self, act: Act, at: float, tip: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        """Quads and pictures of the carried cards, bottom to top."""
        assert act.arm is not None
        grip = floats(act.arm.away) * self._length * 0.12
        held = []
        centre = act.cards[-1].centre
        swing = float(np.linalg.norm(tip - grip - centre)) / max(self._size)
        for card in act.cards[-4:]:  # of a swept pile no more is to be seen
            moved = _copy(card)
            moved.centre = tip - grip + (card.centre - centre)
            moved.degrees += 22 * swing
            squeeze, face = 1.0, card.face
            if act.step.verb == "turn":
                part = np.clip((act.step.at - at) / FLIP_S, 0, 1)
                squeeze = max(0.08, abs(2 * float(part) - 1))
                face = act.step.becomes if part < 0.5 else card.face
            held.append((self._quad(moved, squeeze), self._pictures[face]))
        return held


def _copy(card: Lying) -> Lying:
    return replace(card, centre=card.centre.copy())


def _on_the_way(points: tuple[tuple[float, np.ndarray], ...], at: float) -> np.ndarray:
    """Where on its way through `points` a hand is: it starts and stops softly."""
    for (t0, a), (t1, b) in pairwise(points):
        if at < t1:
            part = float(np.clip((at - t0) / max(1e-6, t1 - t0), 0, 1))
            return floats(a + (b - a) * (part * part * (3 - 2 * part)))
    return points[-1][1]
