"""Places that people moved on the picture reach the scene."""

import numpy as np
import pytest

from kiosk.game.plan import MOST_MOVED, TablePlan
from rules.games import game
from rules.table.layout import Side
from vision.plane import Plane
from vision.scene.places import GamePlaces
from vision.scene.table import Card, Table, corners_of

SIZE = (1280, 720)
CARD = np.array([[0, 0], [70, 0], [70, 98], [0, 98]], np.float32)


@pytest.fixture
def plan():
    return TablePlan()


@pytest.fixture
def places(plan):
    """Suds on a table whose pile 1 lies at the left."""
    found = GamePlaces(
        game("suds").layout, (Side.BOTTOM, Side.TOP), (63.0, 88.0), moved=lambda: plan.moved
    )
    plan.watch(found)
    found.laid("pile/1", 1, CARD + np.array([200, 300]))
    return found


def lying(place="pile/1", at=(200, 300)):
    return Table().with_card(Card(1, "hat", place, corners_of(CARD + np.float32(at))))


def test_a_card_near_a_moved_place_belongs_to_it(places, plan):
    there = CARD + np.float32([900, 300])
    assert places.spot(there, lying(), SIZE, "hat").place == "pile/2"
    plan.move("pile/7", ((900 + 35) / 1280, (300 + 49) / 720))
    spot = places.spot(there, lying(), SIZE, "hat")
    assert (spot.place, spot.sure) == ("pile/7", 1.0)
    far = CARD + np.float32([900, 500])
    assert places.spot(far, lying(), SIZE, "hat").place == "pile/2"


def test_of_two_moved_places_the_nearer_one_counts_and_a_freed_one_no_more(places, plan):
    plan.move("pile/3", (0.5, 0.5))
    plan.move("pile/4", (0.52, 0.5))
    card = CARD + np.float32([0.525 * 1280 - 35, 360 - 49])
    assert places.spot(card, lying(), SIZE, "hat").place == "pile/4"
    assert plan.free("pile/4") and not plan.free("pile/4")
    assert places.spot(card, lying(), SIZE, "hat").place == "pile/3"


def test_the_plan_knows_the_plane_once_cards_have_landed(places, plan):
    assert TablePlan().seen(SIZE) is None and plan.seen(SIZE) is None
    places.laid("pile/2", 2, CARD + np.array([700, 300]))
    places.refine(SIZE)
    assert isinstance(plan.seen(SIZE), Plane)


def test_places_are_bounded(plan):
    assert all(plan.move(f"pile/{n}", (0.1, 0.1)) for n in range(1, MOST_MOVED + 1))
    assert not plan.move("pile/999", (0.1, 0.1))
    assert plan.move("pile/1", (0.2, 0.2)) and plan.moved["pile/1"] == (0.2, 0.2)
