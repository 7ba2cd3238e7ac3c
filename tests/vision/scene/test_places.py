"""Places in millimetres: a tilted camera sees cards laid out as families do."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from arrangements import ARRANGEMENTS, CARD
from arrangements import Table as Laid
from arrangements import table as random_table

from rules.games import NAMES, game
from rules.table.layout import Side, Spot
from vision.homography import rectangle
from vision.plane import Plane, TablePlane
from vision.scene.looks import MISFIT
from vision.scene.places import GamePlaces
from vision.scene.table import Card, Table, corners_of

PICTURE = (1280, 720)
SEEDS = range(4)


def camera(tilt_deg: float, size_mm: tuple[float, float]) -> Plane:
    """The plane of a camera tilted towards the far side that has the whole table in view."""
    a, middle = np.radians(tilt_deg), np.array(size_mm) / 2
    rotation = np.array([[1, 0, 0], [0, np.cos(a), np.sin(a)], [0, -np.sin(a), np.cos(a)]])
    matrix = np.array([[1000.0, 0, 640], [0, 1000.0, 360], [0, 0, 1]])
    for high in range(400, 4000, 20):
        pose = np.column_stack([rotation[:, 0], rotation[:, 1], [0, 0, high]])
        to_px = matrix @ pose @ np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1.0]])
        plane = Plane.of(np.linalg.inv(to_px))
        corners = plane.to_px(rectangle(*size_mm))
        if (corners >= 0).all() and (corners <= PICTURE).all():
            return plane
    raise AssertionError("no camera sees the table")


class Seen(Laid):
    """A table whose cards are asked for by their outlines in the picture."""

    def watch(self, plane: Plane, tables: tuple[TablePlane, ...]) -> None:
        """The camera, and what is calibrated."""
        self.plane = plane
        self.places = GamePlaces(
            game(self.name).layout, self.sides, CARD, tables, lambda: self.is_playing
        )
        self.quads: dict[int, np.ndarray] = {}

    def lay(self, face, pose, place, side=None, came_from=None):
        at = [[pose.x, pose.y, np.radians(pose.degrees)]]
        quad = self.plane.card_quads(at, CARD)[0].astype(np.float32)
        due = self.names.get(place, place) if place else place
        cards = tuple(
            Card(c.number, c.face, c.place, corners_of(self.quads[c.number])) for c in self.cards
        )
        spot = self.places.spot(quad, Table(cards), PICTURE, face, side, came_from)
        super().lay(face, pose, place, side, came_from)
        self.quads[self.number] = quad
        if due is not None:
            self.places.laid(due, self.number, quad)
            self.places.refine(PICTURE)
        return due, spot


def seen(name: str, seed: int, players: int, tilt_deg: float, *, calibrated: bool):
    """(due, spot) of every card of a random arrangement under a camera."""
    laid = random_table(name, random.Random(f"{name}/{seed}"), players)
    size = laid.extent.width, laid.extent.height
    extent = type(laid.extent)(0.0, 0.0, *size)
    at = Seen(laid.name, laid.rng, laid.sides, extent, laid.is_playing)
    plane = camera(tilt_deg, size)
    at.watch(plane, (TablePlane.of(plane, PICTURE, size),) if calibrated else ())
    return list(ARRANGEMENTS[name](at))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("tilt_deg", [12.0, 25.0, 40.0])
def test_cards_seen_by_a_tilted_camera_are_at_their_places_by_the_calibrated_plane(name, tilt_deg):
    right, wrong = 0, []
    for seed in SEEDS:
        for due, spot in seen(name, seed, 4, tilt_deg, calibrated=True):
            right += spot.place == due
            wrong += [] if spot.place == due else [(seed, due, spot)]
    assert right >= 0.99 * (right + len(wrong)), wrong[:5]


@pytest.mark.parametrize("quarters", range(4))
def test_a_plane_as_seat_1_sees_it_is_turned_upright_in_the_picture(quarters):
    size = (700.0, 450.0)
    pictured = size if quarters % 2 == 0 else size[::-1]
    upright = camera(20.0, pictured)
    turn = {
        0: [[1, 0, 0], [0, 1, 0]],
        1: [[0, -1, pictured[1]], [1, 0, 0]],
        2: [[-1, 0, pictured[0]], [0, -1, pictured[1]]],
        3: [[0, 1, 0], [-1, 0, pictured[0]]],
    }[quarters]
    turned = Plane.of(np.array([*turn, [0, 0, 1]], float) @ np.array(upright.homography))
    table = TablePlane.of(turned, PICTURE, size)
    points = np.array([[100.0, 90.0], [900.0, 500.0], [640.0, 360.0]])
    assert table.size_mm == pictured
    np.testing.assert_allclose(table.plane.to_mm(points), upright.to_mm(points), atol=1e-6)


def test_a_plane_that_the_cards_contradict_is_not_used():
    size = (700.0, 450.0)
    plane = camera(0.0, size)
    wrong = Plane.of(np.diag([2.0, 2.0, 1.0]) @ np.array(plane.homography))
    places = GamePlaces(
        game("sooty").layout, (Side.BOTTOM, Side.TOP), CARD, (TablePlane.of(wrong, PICTURE, size),)
    )
    quads = plane.card_quads([[300.0, 400.0, 0.0], [365.0, 400.0, 0.0]], CARD).astype(np.float32)
    first = places.spot(quads[0], Table(), PICTURE, "sooty-3", "bottom")
    assert first.place == "seat/1/set/1"
    places.laid("seat/1/set/1", 1, quads[0])
    table = Table((Card(1, "sooty-3", "seat/1/set/1", corners_of(quads[0])),))
    assert places.spot(quads[1], table, PICTURE, "sooty-4", "bottom").place == "seat/1/set/1"


@pytest.mark.parametrize("degrees", [0.0, 30.0, 100.0])
def test_a_quad_with_a_corner_of_another_card_does_not_fit_the_table(degrees):
    size = (700.0, 450.0)
    plane = camera(25.0, size)
    places = GamePlaces(
        game("suds").layout, (Side.BOTTOM, Side.TOP), CARD, (TablePlane.of(plane, PICTURE, size),)
    )
    [quad] = plane.card_quads([[300.0, 200.0, np.radians(degrees)]], CARD)
    off = quad.copy()
    off[2] += 0.15 * (off[2] - off[1])
    assert places.misfit(quad, PICTURE) == pytest.approx(0.0, abs=1e-3)
    assert places.misfit(off, PICTURE) > 2 * MISFIT
    assert GamePlaces(game("suds").layout, (Side.BOTTOM,), CARD).misfit(quad, PICTURE) is None


@pytest.mark.parametrize("seen_at", [(108, 104), (101, 100)])
def test_who_laid_the_top_card_of_a_place_is_known(seen_at):
    """The number of the card decides, not its place: after a second look the top card may be closer
    to the card below. The card that was laid last may have been taken back."""
    asked = []

    def find(tabletop, _):
        asked.append(dict(tabletop.laid_from))
        return Spot("play")

    layout = replace(game("soda").layout, grammar=find)
    places = GamePlaces(layout, (Side.BOTTOM, Side.LEFT), CARD)
    card = np.float32(rectangle(63, 88))
    first, second = (card + np.float32(at) for at in ((100, 100), (108, 104)))
    table = Table((Card(1, "ad", "play", corners_of(first)),))
    places.laid("play", 1, first, "left")
    places.laid("play", 2, second, "bottom")
    both = table.with_card(Card(2, "2s", "play", corners_of(card + np.float32(seen_at))))
    for lying, side in ((both, Side.BOTTOM), (table, Side.LEFT)):
        places.spot(first + 200, lying, PICTURE)
        assert asked[-1] == {"play": side}
