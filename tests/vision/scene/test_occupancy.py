"""The remembered table: whether the cards on it are gone."""

import numpy as np
import pytest

from vision import geometry
from vision.scene.background import Background
from vision.scene.before import Before
from vision.scene.light import Light
from vision.scene.occupancy import Occupancy
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


def pile(*laid):
    """The background and the pile after cards at quads (4, 2) were laid, each in its colour."""
    settings = VisionSettings()
    background, occupancy = Background(settings), Occupancy(settings, SHAPE, 1.0)
    picture = table()
    background.see(picture, 0.0)
    for number, (quad, colour) in enumerate(laid, 1):
        before = Before(background.rest, Light.dark(SHAPE))
        picture = picture.copy()
        picture[occupancy.area(quad)] = colour
        background.absorb(background.see(picture, 0.1), np.ones(SHAPE, bool))
        occupancy.lay(Card(number, "hat", "pile/1", corners_of(quad)), before)
    return background, occupancy


def gone(background, occupancy, now, hands=None, seconds=1.0, since=0.2):
    """The numbers of the cards that are gone once the picture has been `now` for some `seconds`;
    `hands` (h, w): what moved over it."""
    taken = set()
    for at in np.arange(since, since + seconds, 0.1):
        change = background.see(now, float(at))
        nobody = np.zeros(SHAPE, bool)
        taken |= occupancy.gone(change, background.rest, nobody if hands is None else hands)
    return taken


@pytest.mark.parametrize("is_nudged", [True, False])
def test_a_card_of_which_a_strip_shows_is_drawn_out_unless_the_one_on_it_was_nudged(is_nudged):
    upper = quad_at(150, 94)
    background, occupancy = pile((quad_at(150, 90), PAPER), (upper, INK))
    assert 0.05 < occupancy.exposed(1) < 0.12
    now = table()
    now[occupancy.area(upper + np.float32([3 if is_nudged else 0, 0]))] = INK
    assert gone(background, occupancy, now) == (set() if is_nudged else {1})


def test_two_cards_that_were_drawn_out_one_after_the_other_are_gone():
    """Of the lower one hardly anything showed: what shows in the other one's place tells."""
    lower, middle, upper = quad_at(156, 91), quad_at(158, 90), quad_at(150, 92)
    background, occupancy = pile((lower, PAPER), (middle, (60, 200, 60)), (upper, INK))
    assert occupancy.exposed(1) < 0.05 and occupancy.exposed(2) > 0.12
    now = table()
    now[occupancy.area(upper)] = INK
    assert gone(background, occupancy, now) == {1, 2}
    assert gone(background, occupancy, background.rest) == set()


@pytest.mark.parametrize("is_near", [True, False])
def test_what_a_hand_has_just_bared_is_no_hand(is_near):
    """A card is drawn out, and the next hand comes soon: the place that the first one bared moves
    too. A hand that is still near may be about to take all."""
    lower, upper = quad_at(158, 90), quad_at(150, 90)
    background, occupancy = pile((lower, PAPER), (upper, INK))
    now = table()
    now[occupancy.area(upper)] = INK
    hands = occupancy.area(lower) & ~occupancy.area(upper)
    if is_near:
        now[64:70, 140:180] = SKIN
        hands[64:70, 140:180] = True
    for step in range(3):  # the hand moves on
        if is_near:
            now[64:70, 140:180] = SKIN if step % 2 else INK
        taken = gone(background, occupancy, now, hands, 0.2, 0.2 * (1 + step))
    assert taken == (set() if is_near else {1})


def test_what_a_sleeve_of_the_tables_colour_hides_for_a_moment_is_not_drawn_out():
    lower, upper = quad_at(158, 90), quad_at(150, 90)
    background, occupancy = pile((lower, PAPER), (upper, INK))
    as_it_lay = background.rest.copy()
    now = table()
    now[occupancy.area(upper)] = INK
    assert gone(background, occupancy, now, None, 0.3) == set()
    assert gone(background, occupancy, as_it_lay, None, 0.3, 0.5) == set()
    assert gone(background, occupancy, now, None, 0.3, 0.8) == set()
    assert gone(background, occupancy, now, None, 0.3, 1.1) == {1}


def test_a_pile_is_gone_though_a_card_in_it_lay_elsewhere_than_it_was_seen():
    """Where a little of that card should show, nothing changes."""
    lower, upper = quad_at(150, 88, 90, 84), quad_at(150, 90, 90, 84)
    background, occupancy = pile((lower, PAPER), (upper, (60, 200, 60)), (upper, INK))
    moved = upper + np.float32([14, 0])
    occupancy.change(2, Card(2, "hat", "pile/1", corners_of(moved)))
    assert gone(background, occupancy, table()) == {1, 2, 3}


def test_a_pile_is_not_gone_while_a_large_part_of_a_card_in_it_shows_as_it_did():
    lower, middle, upper = quad_at(150, 90), quad_at(164, 92), quad_at(150, 92)
    background, occupancy = pile((lower, PAPER), (middle, (60, 200, 60)), (upper, INK))
    now = table()
    now[occupancy.area(lower)] = PAPER
    now[occupancy.area(middle)] = (60, 200, 60)
    assert gone(background, occupancy, now) == {3}


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
