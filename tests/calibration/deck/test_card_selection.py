"""Which of the finds in a teaching picture is the card."""

import numpy as np
import pytest

from calibration.deck.card_selection import DeckShape, estimate_shape, select_card
from vision.geometry import scaled
from vision.sightings import Located

SHAPE = (720, 1280, 3)
NOTHING = DeckShape()
CARD = np.float32([[500, 160], [700, 160], [700, 440], [500, 440]])  # aspect 1.4
FRAME = scaled(CARD, 0.7)  # printed on it
AWAY = CARD + np.float32([400, 0])
TILE = np.float32([[100, 100], [420, 100], [420, 420], [100, 420]])


def found(*finds):
    return Located(np.float32([q for q, _ in finds]), np.float32([s for _, s in finds]))


def chosen(located, usual=NOTHING, shape=SHAPE):
    card = select_card(located, usual, shape)
    return next(i for i, quad in enumerate(located.quads) if np.array_equal(quad, card.quad))


def test_the_surest_find_is_the_card_though_the_table_shows_a_larger_one():
    assert chosen(found((CARD, 0.98), (TILE, 0.57))) == 0
    assert select_card(found((CARD, 0.98), (TILE, 0.57)), NOTHING, SHAPE).others == 0


def test_the_whole_is_the_card_where_its_picture_is_hardly_surer():
    assert chosen(found((FRAME, 0.95), (CARD, 0.9))) == 1
    assert chosen(found((FRAME, 0.95), (CARD, 0.5))) == 0


def test_the_shape_of_the_other_cards_tells_the_card():
    both = found((TILE, 0.9), (CARD, 0.6))
    assert chosen(both) == 0
    assert chosen(both, DeckShape(aspect=1.4)) == 1


def test_the_size_of_the_other_cards_tells_the_card_from_a_part_of_it():
    both = found((scaled(CARD, 0.6), 0.9), (CARD, 0.7))
    assert chosen(both) == 0
    size = estimate_shape([(CARD, SHAPE)] * 5, None)
    assert chosen(both, size) == 1


def test_half_of_a_much_surer_find_is_not_the_card_though_it_has_its_shape():
    tilted = CARD * np.float32([1, 1.2])
    half = tilted.copy()
    half[2:] = (tilted[2:] + tilted[:2][::-1]) / 2
    both = found((tilted, 0.98), (half, 0.66))
    assert chosen(both, DeckShape(aspect=1.2)) == 0
    assert select_card(found((half, 0.66)), DeckShape(aspect=1.2), SHAPE).is_likely
    assert not select_card(both, DeckShape(aspect=1.2), SHAPE).is_likely


def test_a_card_that_lies_across_is_of_the_usual_shape():
    assert select_card(found((CARD[[1, 2, 3, 0]], 0.9)), DeckShape(aspect=1.4), SHAPE).chance == (
        pytest.approx(0.9)
    )


def test_another_card_counts_once_however_often_it_was_found():
    seen = found((CARD, 0.9), (AWAY, 0.9), (AWAY + 10, 0.85), (scaled(CARD, 0.97), 0.8))
    assert select_card(seen, NOTHING, SHAPE).others == 1


def test_nothing_small_unsure_or_beyond_the_picture_is_the_card():
    assert select_card(found((scaled(CARD, 0.2), 0.9), (AWAY, 0.3)), NOTHING, SHAPE) is None
    assert select_card(Located.empty(), NOTHING, SHAPE) is None


def test_few_pictures_tell_nothing_and_many_their_median():
    assert estimate_shape([(CARD, SHAPE)] * 4, None) == NOTHING
    assert estimate_shape([(CARD, SHAPE)] * 4, 1.3) == DeckShape(1.3)
    usual = estimate_shape([(CARD, SHAPE)] * 4 + [(TILE, SHAPE)], None)
    assert usual.aspect == pytest.approx(1.4)
    assert usual.size == pytest.approx(np.sqrt(200 * 280) / np.hypot(720, 1280))
    assert estimate_shape([(TILE, SHAPE)] * 5, 1.3).aspect == 1.3


def held(*sizes, stretch=1.0):
    """Cards as photographed with a camera in the hand: of many sizes, some of them tilted."""
    tilted = CARD * np.float32([1, stretch])
    return [(scaled(tilted if k % 2 else CARD, size), SHAPE) for k, size in enumerate(sizes)]


def test_a_camera_in_the_hand_may_be_nearer_than_one_that_stands_still():
    close = found((scaled(CARD, 2.2), 0.95))
    still = estimate_shape(held(1, 1, 1.02, 0.98, 1, 1.01), None)
    in_hand = estimate_shape(held(0.6, 0.8, 1, 1.1, 1.4, 1.6), None)
    assert select_card(close, still, SHAPE).chance < 0.4
    assert select_card(close, in_hand, SHAPE).chance > 0.6


def test_cards_that_lie_tilted_may_be_so():
    slanted = found((CARD * np.float32([1, 1.1]), 0.95))
    flat = estimate_shape(held(1, 1, 1, 1, 1, 1), None)
    tilted = estimate_shape(held(1, 1, 1, 1, 1, 1, stretch=1.15), None)
    assert select_card(slanted, flat, SHAPE).chance < 0.4
    assert select_card(slanted, tilted, SHAPE).chance > 0.7


def test_few_cards_tell_nothing_of_the_camera():
    close = found((scaled(CARD * np.float32([1, 1.05]), 1.5), 0.95))
    assert select_card(close, estimate_shape(held(1, 1), 1.4), SHAPE).chance > 0.7


def test_a_second_card_counts_though_it_is_tilted_more_than_the_deck_s_others():
    usual = DeckShape(aspect=1.4, size=0.16, tilted=0.09)
    tilted = AWAY * np.float32([1, 0.93])
    assert select_card(found((CARD, 0.99), (tilted, 0.97)), usual, SHAPE).others == 1


def test_a_whole_whose_sides_lie_on_no_edges_is_not_the_card():
    both = found((FRAME, 0.95), (CARD, 0.9))
    for on_edges, first in ((1.0, CARD), (0.8, FRAME)):
        shares = {FRAME.tobytes(): 0.98, CARD.tobytes(): on_edges}
        card = select_card(both, NOTHING, SHAPE, lambda quad, own=shares: own[quad.tobytes()])
        assert np.array_equal(card.quad, first)
