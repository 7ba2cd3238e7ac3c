"""A scripted game acted out by drawn hands: the frames of the simulated table.

Quick enough for real time beside recognition: the table at rest is kept drawn, lit and unlit; in
a frame only what moves is drawn and lit; noise is cut out of one field.
"""

from __future__ import annotations

import cv2
import numpy as np

from models.deck import Deck
from models.drawing.acts import (
    GRIP,
    TICK_S,
    Act,
    Way,
    begin_of,
    end_of,
    handling_s,
    on_the_way,
    way_of,
)  # fmt: skip
from models.drawing.arms import floats, turned_arm, upright_arm
from models.drawing.raster import face_picture
from models.drawing.scene import Laid, Light, grain, lay
from models.drawing.shades import Shade
from models.drawing.steps import Script, Step, Verb
from models.drawing.surroundings import bare_table, light_field, view_of
from models.drawing.tabletop import Lying, Tabletop, copied
from rules.table.layout import SIDES, Side

# Where cards face the player who lays them; elsewhere they are laid in order.
_TOSSED = ("pile", "play", "discard")
_NOISE, _ROOM = 2.2, 64  # of the sensor, 0..255; px that its field is wider than a frame


class Play:
    """Draws a script's frames in order of time: `picture(at)` is (H, W, 3) uint8 BGR at `at` s.

    `size` (width, height) px. The same script, size and `at`s give the same pixels.
    """

    def __init__(self, script: Script, deck: Deck, size: tuple[int, int] = (1280, 720),
                 sides: tuple[str, ...] = SIDES) -> None:  # fmt: skip
        self._script, self._tempo, self._sides = script, script.tempo, sides
        self._view = view_of(script.look, size)
        self._shown, self._size = size, self._view.canvas if self._view else size
        self._origin = self._view.origin if self._view else (0.0, 0.0)
        self._rng = np.random.default_rng(script.seed)
        self._grain_rng = np.random.default_rng([script.seed, 1])
        self._now = -1.0
        self._length = script.look.card_px * size[1] / 720
        self._palm = self._length * 0.74
        self._table = self._tabletop(deck)
        self._noise = grain(self._rng, size[0] + _ROOM, size[1] + _ROOM, _NOISE)
        acted = (step for step in script.steps if step.verb is not Verb.PRESS)
        # A move begins long before it ends: in the order in which hands come.
        self._waiting = sorted(acted, key=lambda step: begin_of(step, self._tempo))
        self._acts: list[Act] = []
        self._shades: list[Shade] = []
        for face, place in script.lying:
            self._table.put_down(self._new_card(face, place, None, None))
        seats = {step.seat or 1 for step in script.steps}
        self._arms = {
            seat: upright_arm(seat + script.look.arms, self._palm) for seat in sorted(seats)
        }

    def _tabletop(self, deck: Deck) -> Tabletop:
        """The table without cards."""
        look, reach = self._script.look, self._length * 0.022
        return Tabletop(
            bare_table(self._rng, look, self._size),
            light_field(look.light, self._size),
            Light(shadow=(reach * 0.8, reach * 1.1), shadow_depth=0.42),
            {f: face_picture(deck, f, round(self._length * 1.4)) for f in self._script.faces},
            (self._length * deck.width_mm / deck.height_mm, self._length),
        )

    @property
    def cards(self) -> tuple[tuple[str, str, np.ndarray], ...]:
        """What lies now, bottom to top: face, place, quad (4, 2) px from the face's top-left."""
        show = self._view.project if self._view else lambda quad: quad
        return tuple((c.face, c.place, show(self._table.quad(c))) for c in self._table.cards)

    def picture(self, at: float) -> np.ndarray:
        """The frame at `at` s, which must not be before the last one's."""
        while self._now < at:  # in short ticks, so that skipped time happens in its order
            self._now = min(at, self._now + TICK_S)
            self._advance(self._now)
        out = self._table.lit.copy()
        for act in self._acts:
            self._draw_act(out, act, at)
        for shade in self._shades:
            shade.fall_on(out, at)
        if self._view:
            out = self._view.film(out)
        x, y = self._grain_rng.integers(0, _ROOM, 2)
        w, h = self._shown
        for sign, noise in zip((cv2.add, cv2.subtract), self._noise, strict=True):
            sign(out, noise[y : y + h, x : x + w], out)
        return out

    def _advance(self, at: float) -> None:
        while self._waiting and begin_of(self._waiting[0], self._tempo) <= at:
            self._begin(self._waiting.pop(0))
        for act in self._acts:
            if not act.has_taken and at >= act.lifted:
                self._take(act)
            if not act.has_given and at >= act.step.at:
                self._give(act)
        self._acts = [act for act in self._acts if at < act.end]
        self._shades = [shade for shade in self._shades if at < shade.end]

    def _begin(self, step: Step) -> None:
        if step.verb is Verb.LEAN:
            times = (begin_of(step, self._tempo), step.at, step.at + step.stay)
            end = end_of(step, self._tempo)
            self._shades.append(Shade(self._side(step.seat), self._size, (*times, end)))
        else:
            self._acts.append(self._plan(step))

    def _plan(self, step: Step) -> Act:
        side, carried = self._side(step.seat), self._carried(step)
        if step.verb is Verb.REACH:
            first = last = self._spot(step.place)
        elif step.verb is Verb.PLACE:
            first = last = carried[0].centre
        else:
            first = self._table.top(step.place, step.face).centre
            last = carried[0].centre if carried else first
        arm = turned_arm(
            self._arms[step.seat or 1], self._palm, side, last, self._size,
            (self._length * 0.05, self._length * 0.075), 0.4,
        )  # fmt: skip
        away = floats(arm.away)
        grip = away * self._length * GRIP
        begin, end = begin_of(step, self._tempo), end_of(step, self._tempo)
        outs: Way = tuple(
            (when, where + grip + away * self._way_out(where, away, side))
            for when, where in ((begin, first), (end, last))
        )
        points = way_of(step, self._tempo, first + grip, last + grip, outs)
        lifted = step.at - handling_s(step, self._tempo)
        act = Act(step, points, begin, end, lifted, carried, arm=arm)
        act.has_taken = step.verb in (Verb.PLACE, Verb.REACH)
        return act

    def _carried(self, step: Step) -> list[Lying]:
        """The card as it will lie after the act; none where it does not come to lie anew."""
        if step.verb is Verb.PLACE:
            return [self._new_card(step.face, step.place, step.seat, step.on)]
        if step.verb is Verb.MOVE:
            return [self._new_card(step.face, step.to, step.seat, None)]
        if step.verb in (Verb.PUSH, Verb.LIFT):
            card = copied(self._table.top(step.place, step.face))
            card.centre = card.centre + floats(self._rng.normal(0, 0.07, 2)) * self._length
            card.degrees += float(self._rng.normal(0, 6))
            return [card]
        return []

    def _way_out(self, point: np.ndarray, away: np.ndarray, side: str) -> float:
        w, h = self._size
        to_edge = {"bottom": h - point[1], "top": point[1], "left": point[0], "right": w - point[0]}
        slant = max(0.3, abs(float(away[1] if side in ("bottom", "top") else away[0])))
        return (float(to_edge[side]) + self._length * 0.75) / slant

    def _side(self, seat: int | None) -> str:
        return self._sides[((seat or 1) - 1) % len(self._sides)]

    def _spot(self, place: str, nth: int = 0) -> np.ndarray:
        """Where the n-th card of a place lies, px of the drawn table."""
        w, h = self._shown
        spot = self._script.spots[place]
        x, y = spot.x + spot.dx * nth, spot.y + spot.dy * nth
        return floats([self._origin[0] + x * w, self._origin[1] + y * h])

    def _new_card(self, face: str, place: str, seat: int | None, on: str | None) -> Lying:
        """A card for the place, laid as a hand would: a little crooked, not quite the spot."""
        parts = place.split("/")
        owner = int(parts[1]) if parts[0] == "seat" else seat if parts[0] in _TOSSED else None
        degrees = Side(SIDES[0] if owner is None else self._side(owner)).degrees
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

    def _take(self, act: Act) -> None:
        act.has_taken = True
        step = act.step
        if step.verb is Verb.SWEEP:
            taken = [card for card in self._table.cards if card.place == step.place]
        else:
            taken = [self._table.top(step.place, step.face)]
        if step.verb is Verb.MOVE:
            act.cards[0].degrees = taken[0].degrees * 0.3 + act.cards[0].degrees * 0.7
        elif step.verb not in (Verb.PUSH, Verb.LIFT):
            act.cards = [copied(card) for card in taken]
        self._table.take(taken)

    def _give(self, act: Act) -> None:
        act.has_given = True
        if act.step.verb is Verb.TURN:
            act.cards[0].face = act.step.becomes
        if act.step.verb not in (Verb.REMOVE, Verb.SWEEP, Verb.REACH):
            self._table.put_down(act.cards[0])
            act.cards = []

    def _draw_act(self, out: np.ndarray, act: Act, at: float) -> None:
        """Draws the carried cards and the arm over `out`, in the light of where they are."""
        assert act.arm is not None
        tip = on_the_way(act.points, at)
        w, h = self._size
        low = np.round(tip - floats(act.arm.tip)).astype(int)
        high = low + np.array(act.arm.keep.shape[1::-1])
        held = self._held(act, at, tip) if act.has_taken and act.cards else []
        around = self._table.around
        boxes = [(*low, *high), *(around([quad], self._length * 0.1) for quad, _ in held)]
        x0, y0 = max(0, min(b[0] for b in boxes)), max(0, min(b[1] for b in boxes))
        x1, y1 = min(w, max(b[2] for b in boxes)), min(h, max(b[3] for b in boxes))
        if x1 <= x0 or y1 <= y0:
            return
        # Two arms at once: the later one goes over a picture that is lit already.
        is_alone = len(self._acts) == 1
        part = (self._table.unlit if is_alone else out)[y0:y1, x0:x1].copy()
        is_relit = not is_alone and self._script.look.light != "lamp"  # the lamp is nearly even
        field = self._table.field[y0:y1, x0:x1]
        if is_relit:
            part = cv2.divide(part, field, dtype=cv2.CV_8U)
        lift = 1.0 if act.step.verb is Verb.PUSH else 2.6
        for quad, picture in held:
            lay(part, Laid(picture, quad - floats([x0, y0])), self._table.light, lift)
        (a0, b0), (a1, b1) = np.maximum(low, 0), np.minimum(high, [w, h])
        if a1 > a0 and b1 > b0:
            inside = np.s_[b0 - low[1] : b1 - low[1], a0 - low[0] : a1 - low[0]]
            below = part[b0 - y0 : b1 - y0, a0 - x0 : a1 - x0]
            kept = cv2.multiply(below, act.arm.keep[inside], scale=1 / 255)
            cv2.add(kept, act.arm.add[inside], below)
        if is_alone or is_relit:
            part = cv2.multiply(part, field, dtype=cv2.CV_8U)
        out[y0:y1, x0:x1] = part

    def _held(self, act: Act, at: float, tip: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        """Quads and pictures of the carried cards, bottom to top."""
        assert act.arm is not None
        grip = floats(act.arm.away) * self._length * GRIP
        held = []
        centre = act.cards[-1].centre
        swing = float(np.linalg.norm(tip - grip - centre)) / max(self._size)
        for card in act.cards[-4:]:  # of a swept pile no more is to be seen
            moved = copied(card)
            moved.centre = tip - grip + (card.centre - centre)
            moved.degrees += 22 * swing
            squeeze, face = 1.0, card.face
            if act.step.verb is Verb.TURN:
                part = np.clip((act.step.at - at) / self._tempo.flip, 0, 1)
                squeeze = max(0.08, abs(2 * float(part) - 1))
                face = act.step.becomes if part < 0.5 else card.face
            held.append((self._table.quad(moved, squeeze), self._table.pictures[face]))
        return held
