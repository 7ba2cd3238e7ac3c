"""Whose hand it was: of two over one place, and whether that is known."""

import numpy as np
import pytest
from plain_layouts import Piles

from vision.scene.background import Change
from vision.scene.hands import Hands
from vision.scene.light import Light
from vision.scene.scene import Scene
from vision.settings import VisionSettings

SHAPE = (180, 320)
PLACE = np.zeros(SHAPE, bool)
PLACE[90:110, 150:170] = True
ARMS = {"bottom": (slice(88, 180), slice(150, 164)), "right": (slice(95, 110), slice(156, 320))}


def reach(hands, at, *sides):
    """Arms from these sides lie over the place, in one frame; hands see a change that moves."""
    arms = np.zeros(SHAPE, bool)
    for side in sides:
        arms[ARMS[side]] = True
    return moving(hands, at, arms)


def moving(hands, at, arms, resting=None, known=None, still_s=0.0, elsewhere_s=None, fans=None):
    """Hands see a frame in which `arms` (h, w) moved `still_s` ago; `resting` (h, w): where cards
    seem to rest; `known` (h, w): where the table was seen, all of it if not given; `elsewhere_s`
    (h, w): how long ago all else moved, never if not given; `fans` (h, w): held ones."""
    still = np.where(arms, still_s, at if elsewhere_s is None else elsewhere_s).astype(np.float32)
    low = np.zeros((*SHAPE, 3), np.uint8)
    change = Change(
        low, arms, arms, still, still, np.zeros(SHAPE, bool), 1.0, at, Light.dark(SHAPE)
    )
    resting = np.zeros(SHAPE, bool) if resting is None else resting
    return hands.see(change, resting, np.ones(SHAPE, bool) if known is None else known, fans)


@pytest.fixture
def hands():
    made = Hands(VisionSettings())
    reach(made, 0.0)
    return made


def test_one_hand_is_whose_it_was(hands):
    reach(hands, 0.1, "right")
    reach(hands, 0.2)
    assert not hands.is_mixed(PLACE, 0.2)
    assert hands.taker(PLACE, 0.2) == hands.actor(PLACE) == "right"


def test_the_hand_that_leaves_took_the_card_and_not_the_one_that_comes(hands):
    reach(hands, 0.1, "right")
    reach(hands, 0.2, "bottom")
    assert hands.is_mixed(PLACE, 0.2)
    assert hands.taker(PLACE, 0.2) == "right"
    assert hands.actor(PLACE) == "bottom"


def test_a_hand_that_left_long_before_is_not_mixed_in(hands):
    reach(hands, 0.1, "right")
    reach(hands, 0.3)
    reach(hands, 0.6, "bottom")
    assert not hands.is_mixed(PLACE, 0.6)
    assert hands.taker(PLACE, 0.6) == "bottom"


@pytest.mark.parametrize(("is_seen_between", "is_mixed"), [(True, False), (False, True)])
def test_both_may_have_acted_where_nobody_saw_the_place_between(hands, is_seen_between, is_mixed):
    """What the first one laid is no hand, but the place is not as it was."""
    card = np.zeros(SHAPE, bool) if is_seen_between else PLACE
    reach(hands, 0.1, "right")
    moving(hands, 0.3, card, resting=card)
    moving(hands, 0.4, card, resting=card)
    for at in (0.6, 0.9, 1.2):
        reach(hands, at, "bottom")
    assert hands.is_mixed(PLACE, 1.3) == is_mixed
    assert len(hands.over(PLACE, 1.3)) == 1 + is_mixed


def test_the_hand_that_came_last_brought_the_card_though_the_other_one_hid_more_of_its_place(hands):
    """At a race's pace the next card comes a quarter of a second later."""
    whole, corner = np.zeros(SHAPE, bool), np.zeros(SHAPE, bool)
    whole[88:180, 140:180] = corner[95:100, 165:320] = True
    moving(hands, 0.1, whole)
    moving(hands, 0.35, corner)
    assert hands.actor(PLACE) == "bottom"
    assert hands.actor(PLACE, in_s=0.1) == "right"


def test_a_doubt_stays_until_a_hand_comes_alone(hands):
    reach(hands, 0.1, "right")
    reach(hands, 0.2, "bottom")
    reach(hands, 0.3)
    # The card is told late: nobody was there after the two.
    assert hands.is_mixed(PLACE, 2.0)
    reach(hands, 3.0, "bottom")
    assert not hands.is_mixed(PLACE, 3.0)


def test_where_no_hand_was_nothing_is_mixed(hands):
    assert not hands.is_mixed(PLACE, 1.0)
    assert hands.taker(PLACE, 1.0) is None


def test_a_hand_that_left_long_before_took_nothing(hands):
    """In the dark an arm may not be seen: whose act it was is not known then."""
    reach(hands, 0.1, "right")
    reach(hands, 0.3)
    assert hands.taker(PLACE, 2.0) == "right"
    assert hands.taker(PLACE, 20.0) is None


def test_an_arm_that_joins_a_fan_in_a_corner_comes_from_the_side_that_it_reaches_over(hands):
    corner = np.zeros(SHAPE, bool)
    corner[:6, :24] = True  # more of it lies at the top
    assert moving(hands, 0.1, corner).sides == ("top",)
    corner[:85, :24] = True
    corner[60:85, :170] = True
    assert moving(hands, 0.2, corner).sides == ("left",)
    assert hands.actor(corner) == "left"


def test_a_box_that_seems_to_rest_upon_an_arm_does_not_cut_its_hand_off(hands):
    arm, box = np.zeros(SHAPE, bool), np.zeros(SHAPE, bool)
    arm[60:85, :170] = True
    box[55:90, 60:100] = True
    cover = moving(hands, 0.1, arm, box)
    assert cover.sides == ("left",)
    assert cover.side[cover.mask].min() != 0 and hands.actor(arm & ~box) == "left"
    alone = np.zeros(SHAPE, bool)
    alone[20:40, 120:160] = True  # joined to no arm
    assert not moving(hands, 2.0, alone | arm, box).side[alone].any()


def test_a_hand_that_is_cut_off_is_not_another_one_that_was_at_a_part_of_its_place(hands):
    reach(hands, 0.1, "bottom")
    arm, box = np.zeros(SHAPE, bool), np.zeros(SHAPE, bool)
    arm[80:100, :200] = True
    box[75:105, 100:145] = True
    cut_off = arm & ~box
    cut_off[:, :145] = False
    assert moving(hands, 0.3, arm, box).sides == ("left",)
    assert hands.actor(cut_off, in_s=0.1) == "left"


def test_a_jolt_that_joins_a_hand_with_another_side_gives_it_to_nobody_else(hands):
    """The jolt shows the joints of the table, down to its lower side, and cuts the arm off."""
    arm, hand, joint = (np.zeros(SHAPE, bool) for _ in range(3))
    arm[0:20, 145:175] = hand[20:120, 140:180] = joint[100:180, 158:162] = True
    for at in (0.1, 0.2):
        moving(hands, at, arm | hand)
    moving(hands, 0.3, hand | joint)
    assert hands.taker(PLACE, 0.3) == hands.actor(PLACE) == "top"


def test_a_hand_that_comes_where_another_one_just_left_is_its_own(hands):
    for at in (0.1, 0.2):
        reach(hands, at, "right")
    reach(hands, 0.3)
    reach(hands, 0.4, "bottom")
    assert hands.actor(PLACE) == "bottom"


@pytest.mark.parametrize(
    ("seats", "rivals"), [(("left", "top"), (1,)), (("left", "top", "right"), ())]
)
def test_of_two_players_the_other_one_may_have_acted_where_that_is_in_doubt(seats, rivals):
    scene = Scene(Piles(), seats, VisionSettings())
    reach(scene.hands, 0.0)
    assert scene.rivals(PLACE, 0.1, 2) == rivals


@pytest.mark.parametrize("is_known", [True, False])
def test_an_arm_that_rests_soon_after_the_first_picture_is_one_where_the_table_was_seen(
    hands, is_known
):
    """Elsewhere the arm of the first picture has gone, and what it hid differs from it."""
    arms, known = np.zeros(SHAPE, bool), np.full(SHAPE, is_known)
    arms[ARMS["bottom"]] = True
    moving(hands, 1.0, arms, known=known)
    for at in np.arange(1.1, 5.0, 0.1):
        cover = moving(hands, float(at), arms, known=known, still_s=float(at) - 1.0)
    assert bool(cover.mask[PLACE & arms].all()) is is_known


@pytest.mark.parametrize("has_moved", [False, True])
def test_a_hand_at_rest_stays_though_its_sleeve_looks_as_the_table(hands, has_moved):
    """Unless something moved there: then the hand has gone, and what is left is no hand."""
    arm, hand = np.zeros(SHAPE, bool), np.zeros(SHAPE, bool)
    arm[88:180, 150:164] = hand[88:120, 150:164] = True
    moving(hands, 0.1, arm)
    moving(hands, 0.6, arm, still_s=0.5)
    lost = arm & ~hand
    for at in (0.7, 0.8, 1.5):
        elsewhere_s = np.where(lost & has_moved, at - 0.7, at)
        cover = moving(hands, at, hand, still_s=at - 0.1, elsewhere_s=elsewhere_s)
    assert cover.mask[hand].all() != has_moved
    assert cover.sides == (() if has_moved else ("bottom",))
    assert cover.faded[hand].all() != has_moved


@pytest.mark.parametrize("is_fan", [True, False])
def test_an_arm_that_comes_from_below_a_held_fan_has_the_side_of_that(hands, is_fan):
    """The fan hides where it reaches in. Another arm was over the place a moment ago."""
    reach(hands, 0.1, "right")
    fan, arm = np.zeros(SHAPE, bool), np.zeros(SHAPE, bool)
    fan[150:, 130:190], arm[88:150, 150:164] = is_fan, True
    moving(hands, 0.2, arm, fans=fan)
    assert hands.actor(PLACE) == ("bottom" if is_fan else "right")
