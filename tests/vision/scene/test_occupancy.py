"""The remembered table: whether the cards on it are gone."""

import numpy as np
import pytest

from vision import geometry
from vision.scene.background import Background
from vision.scene.before import Before
from vision.scene.light import Light
from vision.scene.occupancy import Occupancy
from vision.scene.rested import RestedChanges
from vision.scene.table import Card, corners_of
from vision.settings import VisionSettings

SHAPE = (180, 320)
CLOTH, PAPER, SKIN = (70, 115, 190), (245, 250, 250), (75, 118, 186)
INK = (60, 40, 30)


def table():
    return np.full((*SHAPE, 3), CLOTH, np.uint8)


def quad_at(x, y, wide=30.0, high=42.0):
    corners = np.array([(-wide, -high), (wide, -high), (wide, high), (-wide, high)], np.float32)
    return corners / 2 + np.array((x, y), np.float32)


@pytest.mark.parametrize("is_nudged", [True, False])
def test_a_card_of_which_a_strip_shows_is_drawn_out_unless_the_one_on_it_was_nudged(is_nudged):
    settings = VisionSettings()
    background, occupancy = Background(settings), Occupancy(settings, SHAPE, 1.0)
    lower, upper = quad_at(150, 90), quad_at(150, 94)
    picture, at = table(), 0.0
    background.see(picture, at)
    for number, quad in ((1, lower), (2, upper)):
        before = Before(background.rest, Light.dark(SHAPE))
        picture = picture.copy()
        picture[occupancy.area(quad)] = PAPER if number == 1 else INK
        background.absorb(background.see(picture, at + 0.1), np.ones(SHAPE, bool))
        occupancy.lay(Card(number, "hat", "pile/1", corners_of(quad)), before)
    assert 0.05 < occupancy.exposed(1) < 0.12
    now = table()
    now[occupancy.area(upper + np.float32([3 if is_nudged else 0, 0]))] = INK
    taken = set()
    for at in np.arange(0.2, 1.2, 0.1):
        change = background.see(now, float(at))
        taken |= occupancy.gone(change, background.rest, np.zeros(SHAPE, bool))
    assert taken == (set() if is_nudged else {1})


@pytest.mark.parametrize("is_hand", [True, False])
def test_a_hand_of_the_tables_colour_takes_no_card_that_lay_from_the_start(is_hand):
    """What lies below that card is a guess. Bare table takes the card; such a hand does not."""
    settings = VisionSettings()
    quad = quad_at(150, 90)
    background, occupancy = Background(settings), Occupancy(settings, SHAPE, 1.0)
    place, bare = occupancy.area(quad), occupancy.bare(quad, table(), Light.dark(table().shape))
    picture = table()
    picture[place] = PAPER
    background.see(picture, 0.0)
    occupancy.lay(Card(1, "hat", "pile/1", corners_of(quad)), bare)
    changed = picture.copy()
    over = occupancy.area(geometry.scaled(quad, 0.97))
    changed[over] = SKIN if is_hand else CLOTH
    hands = over if is_hand else np.zeros(SHAPE, bool)
    taken = set()
    for at in np.arange(0.1, 0.5, 0.1):
        change = background.see(changed, float(at))
        taken |= occupancy.gone(change, background.rest, hands)
    assert taken == (set() if is_hand else {1})


@pytest.mark.parametrize("still_shows", [True, False])
def test_what_rested_below_a_card_that_went_and_still_shows_is_the_table(still_shows):
    """The table below a card from the start is a guess, and may look otherwise."""
    settings = VisionSettings()
    quad, free = quad_at(150, 90), np.zeros(SHAPE, bool)
    background, occupancy = Background(settings), Occupancy(settings, SHAPE, 1.0)
    rested = RestedChanges(settings)
    place, guess = occupancy.area(quad), table()
    picture = table()
    picture[place] = PAPER
    background.see(picture, 0.0)
    occupancy.lay(Card(1, "hat", "pile/1", corners_of(quad)), None)
    bared = table()
    bared[place] = INK
    bared[82:98, 140:160] = PAPER  # lines, as no shadow has
    for at in np.arange(0.1, 1.0, 0.1):
        change = background.see(bared, float(at))
        rested.see(change, change.changed, free, occupancy, background.rest, lambda _: 1)
    if not still_shows:
        change = background.see(guess, 1.0)
    missed = rested.take_over(place, guess, change, occupancy)
    assert bool(missed) is not still_shows
