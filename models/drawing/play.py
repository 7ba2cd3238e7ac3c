"""A scripted game acted out by drawn hands: the frames of the simulated table.

Quick enough for real time beside recognition: the table at rest is kept drawn, lit and unlit; in
a frame only what moves is drawn and lit; noise is cut out of one field.
"""

from __future__ import annotations

import cv2
import numpy as np

from models.deck import Deck
from models.drawing.acts import PUT_BACK, TICK_S, WHOLE_PILE, Act, begin_of, end_of
from models.drawing.arms import dress_of
from models.drawing.belongings import thing_picture
from models.drawing.cameras import Camera
from models.drawing.fans import HeldFan
from models.drawing.painting import draw_act
from models.drawing.planning import Planner
from models.drawing.raster import face_picture
from models.drawing.scene import Light, grain
from models.drawing.shades import Shade
from models.drawing.steps import THING, Script, Step, Verb
from models.drawing.surroundings import bare_table, light_field, view_of
from models.drawing.tabletop import Tabletop, copied
from rules.table.layout import SIDES

# What takes cards away with it.
_TAKEN_AWAY = frozenset({Verb.REMOVE, Verb.SWEEP, Verb.HOLD})
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
        self._table = self._tabletop(deck)
        self._noise = grain(self._rng, size[0] + _ROOM, size[1] + _ROOM, _NOISE)
        acted = (step for step in script.steps if step.verb is not Verb.PRESS)
        # A move begins long before it ends: in the order in which hands come.
        self._waiting = sorted(acted, key=lambda step: begin_of(step, self._tempo))
        self._planner = Planner(script, sides, self._table, self._rng, size, self._origin)
        self._acts: list[Act] = []
        self._shades: list[Shade] = []
        for face, place in script.lying:
            self._table.put_down(self._planner.new_card(face, place, None, None))
        self._fans = self._held_fans(deck)
        self._camera = Camera(script.cameras, script.seed, size)

    def _tabletop(self, deck: Deck) -> Tabletop:
        """The table without cards."""
        look, reach = self._script.look, self._length * 0.022
        return Tabletop(
            bare_table(self._rng, look, self._size),
            light_field(look.light, self._size),
            Light(shadow=(reach * 0.8, reach * 1.1), shadow_depth=0.42),
            self._pictures(deck),
            (self._length * deck.width_mm / deck.height_mm, self._length),
        )

    def _pictures(self, deck: Deck) -> dict[str, np.ndarray]:
        """BGRA of every face that shows, of the back and of things."""
        height, made = round(self._length * 1.4), {}
        shown = {card for fan in self._script.fans for card in fan.cards if fan.shows_faces}
        for face in sorted(shown | set(self._script.faces)):
            is_thing = face.startswith(THING)
            made[face] = (
                thing_picture(face, self._script.seed, height) if is_thing
                else face_picture(deck, face, height)
            )  # fmt: skip
        if any(not fan.shows_faces for fan in self._script.fans):
            made[deck.back] = face_picture(deck, deck.back, height)
        return made

    def _held_fans(self, deck: Deck) -> list[HeldFan]:
        look, (w, h) = self._script.look, self._shown
        light = light_field(look.light, (16, 9)).mean((0, 1))
        return [
            HeldFan(
                fan, self._planner.side(fan.seat), dress_of(fan.seat + look.arms, look.sleeves),
                self._table.pictures, deck.back, self._table.card, (w, h), self._script.end,
                self._script.seed, light,
            )
            for fan in self._script.fans
        ]  # fmt: skip

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
            is_even = self._script.look.light == "lamp"
            draw_act(out, act, at, self._table, self._tempo, len(self._acts) == 1, is_even)
        for shade in self._shades:
            shade.fall_on(out, at)
        if self._view:
            out = self._view.film(out)
        for fan in self._fans:
            fan.fall_on(out, at)
        x, y = self._grain_rng.integers(0, _ROOM, 2)
        w, h = self._shown
        for sign, noise in zip((cv2.add, cv2.subtract), self._noise, strict=True):
            sign(out, noise[y : y + h, x : x + w], out)
        return self._camera.film(out, at)

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
            self._shades.append(Shade(self._planner.side(step.seat), self._size, (*times, end)))
        else:
            self._acts.append(self._planner.act(step))

    def _take(self, act: Act) -> None:
        act.has_taken = True
        step = act.step
        if step.verb in WHOLE_PILE:
            taken = [card for card in self._table.cards if card.place == step.place]
        else:
            taken = [self._table.top(step.place, step.face)]
        if step.verb is Verb.MOVE:
            act.cards[0].degrees = taken[0].degrees * 0.3 + act.cards[0].degrees * 0.7
        elif step.verb not in PUT_BACK:
            act.cards = [copied(card) for card in taken]
        act.starts = [copied(card) for card in taken]
        self._table.take(taken)

    def _give(self, act: Act) -> None:
        act.has_given = True
        step = act.step
        if step.verb is Verb.TURN:
            act.cards[0].face = step.becomes
        if step.verb in _TAKEN_AWAY:
            return
        for card in act.cards:
            self._table.put_down(card)
        act.cards = []
        if step.verb is Verb.PLACE and not step.is_aside:
            for fan in self._fans:
                if fan.seat == step.seat:
                    fan.laid(step.face)
