"""Areas, tables and their differences, the mailbox, settings."""

from __future__ import annotations

import numpy as np
import pytest
from plain_layouts import Piles, layout_for

from rules.errors import FairdealError
from rules.games import game as game_named
from rules.table.layout import default_sides
from vision.geometry import filled, iou, overlap, turned
from vision.scene.doubts import Act
from vision.scene.events import difference
from vision.scene.table import Card, Table, corners_of
from vision.settings import VisionSettings
from vision.sources.mailbox import Mailbox

SQUARE = np.array([[0, 0], [10, 0], [10, 10], [0, 10]], np.float32)
GAMES = ("sooty", "cat-in-the-hat", "soda", "dirty-laundry")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("players", [2, 4, 6])
def test_default_areas_lie_in_the_picture_and_apart(game, players):
    areas = game_named(game).layout.areas(default_sides(players))
    assert len({area.place for area in areas}) == len(areas)
    masks = []
    for area in areas:
        polygon = np.array(area.polygon, np.float32)
        assert polygon.min() >= -1e-6 and polygon.max() <= 1 + 1e-6
        masks.append(
            filled((polygon - polygon.mean(0)) * 0.9 * 400 + polygon.mean(0) * 400, (400, 400))
        )
    assert all(mask.any() for mask in masks)
    assert np.sum(masks, axis=0).max() == 1


def test_the_seat_at_the_bottom_has_its_first_set_on_its_left():
    layout = layout_for("sooty", ("bottom", "top"))
    left = SQUARE + np.array([100, 330], np.float32)
    assert layout.spot(left, Table(), (640, 360)).place == "seat/1/set/1"
    assert (
        layout.spot(SQUARE + np.array([100, 10], np.float32), Table(), (640, 360)).place
        == "seat/2/set/2"
    )


def test_a_seat_at_no_side_is_refused():
    with pytest.raises(FairdealError, match="mend --seats"):
        layout_for("sooty", ("bottom", "sky"))


def test_pile_numbers_are_not_used_again():
    card = Card(1, "hat", "pile/1", corners_of(SQUARE))
    table = Table().with_card(card, born=1).without(frozenset({1}))
    assert Piles().spot(SQUARE, table, (64, 36)).place == "pile/2"


def test_a_difference_takes_from_the_top_and_then_lays():
    low, high = (Card(n, f, "pile/1", corners_of(SQUARE)) for n, f in ((1, "hat"), (2, "pants")))
    new = Card(3, "socks", "pile/2", corners_of(SQUARE))
    events = difference(Table((low, high)), Table((new,)), 1.0, {1: Act(4, 0.9), 3: Act(2)})
    assert [(e.kind, e.card, e.seat, e.sure) for e in events] == [
        ("removed", "pants", None, 1.0), ("removed", "hat", 4, 0.9), ("placed", "socks", 2, 1.0),
    ]  # fmt: skip


def test_a_turned_card_goes_right_before_its_other_face_comes():
    """Another card, which came first, may be what allows it."""
    gone, apart = Card(1, "back", "machine/2", corners_of(SQUARE)), SQUARE + np.float32([40, 0])
    wash = Card(2, "wash", "actions", corners_of(apart))
    turned = Card(3, "red-sock", "machine/2", corners_of(SQUARE + np.float32([1, 0])))
    events = difference(Table((gone,)), Table((wash, turned)), 1.0, {})
    assert [(e.kind, e.card) for e in events] == [
        ("placed", "wash"), ("removed", "back"), ("placed", "red-sock"),
    ]  # fmt: skip


def test_a_card_lies_only_once():
    card = Card(1, "hat", "pile/1", corners_of(SQUARE))
    with pytest.raises(ValueError, match="twice"):
        Table((card, card))


def test_overlaps_of_squares():
    assert iou(SQUARE, SQUARE + np.array([5, 0], np.float32)) == pytest.approx(1 / 3)
    assert overlap(SQUARE, SQUARE + np.array([5, 0], np.float32)) == pytest.approx(0.5)
    assert turned(SQUARE, np.roll(SQUARE, 1, axis=0)) == pytest.approx(0.0, abs=1e-4)


def test_the_mailbox_keeps_the_newest_and_counts_the_rest():
    box: Mailbox[int] = Mailbox()
    for item in (1, 2, 3):
        box.put(item)
    assert (box.take(0.0), box.drops, box.take(0.0)) == (3, 2, None)
    box.close()
    box.put(4)
    assert box.take() is None


@pytest.mark.parametrize("values", [{"settle": 1}, {"settle_s": -1}, {"low_width": 320.5}])
def test_bad_settings_are_refused(values):
    with pytest.raises(FairdealError, match="mend"):
        VisionSettings.read(values)
