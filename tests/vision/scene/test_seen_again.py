"""A lying card of which a part shows beside the card on it has not come."""

from dataclasses import replace

import numpy as np
import pytest
from detections import TrueCard
from plain_layouts import Areas, Piles
from tabletop import card_quad
from test_watcher import Play

from rules.table.layout import Area
from vision import geometry
from vision.scene.candidates import Candidate
from vision.scene.interpretation import meaning
from vision.scene.seen_again import coming_over, is_seen_below
from vision.scene.small_picture import shrink

BELOW, ABOVE = (300, 180), (300, 215)


def candidate(number, face, centre, degrees=0.0, seen_at=9.0):
    """A named candidate."""
    quad = card_quad(centre, degrees=degrees)
    return Candidate(
        number, quad, quad, 8.5, seen_at, 0.9, 4, ((face, 3.0),), looks=3, upright=quad
    )


@pytest.fixture
def scene():
    """Pants half over a hat."""
    play = Play(Piles(), 4, dropout=0.0, false_boxes=0.0)
    play.look(4)
    play.lay("hat", BELOW, "left", "pile/1")
    play.lay("pants", ABOVE, "bottom", "pile/1")
    assert play.seen == play.expected
    return play.watcher._scene


def test_a_card_below_one_that_is_seen_on_it_is_not_new(scene):
    hat, pants = candidate(90, "hat", BELOW), candidate(91, "pants", (303, 212))
    scene.candidates.keep((hat, pants))
    assert is_seen_below(hat, scene)
    assert not is_seen_below(pants, scene)


def test_without_the_card_above_it_may_have_come_to_light(scene):
    hat, pants = candidate(90, "hat", BELOW), candidate(91, "pants", (303, 212))
    scene.candidates.keep((hat,))
    assert not is_seen_below(hat, scene)
    scene.candidates.keep((hat, replace(pants, seen_at=8.0)))
    assert not is_seen_below(hat, scene)


def test_a_card_of_another_face_or_place_is_not_the_one_below(scene):
    pants = candidate(91, "pants", (303, 212))
    for other in (candidate(90, "t-shirt", BELOW), candidate(90, "hat", (340, 180), 40)):
        scene.candidates.keep((other, pants))
        assert not is_seen_below(other, scene)


def test_what_changed_under_another_candidate_is_not_the_lying_cards(scene):
    pants = candidate(91, "pants", ABOVE)
    double, coming = candidate(92, "unknown", (302, 216)), candidate(93, "unknown", (330, 240), 30)
    known = replace(candidate(94, "unknown", (280, 240)), fresh=False)
    scene.candidates.keep((pants, double, replace(coming, fresh=True), known))
    over = coming_over(pants, scene)
    assert (over == scene.occupancy.area(coming.quad)).all()
    assert geometry.iou(double.quad, pants.quad) > 0.75 and over.any()


def machine(sides=None):
    """Play on a table of one place, where cards of such `sides` are turned over, or any cards."""
    square = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    layout = Areas((Area("machine/1", square),), turns=True, sides=sides)
    play = Play(layout, 12, dropout=0.0, false_boxes=0.0)
    play.look(4)
    return play


def check_turned(play, other_first):
    """The first of two cards is turned over, which is told. `other_first`: it lies on top then."""
    first, other = play.cards
    turned = TrueCard("boxers", first.quad, -1.0)

    def turn():
        play.cards = [other, turned] if other_first else [turned, other]

    play.reach("left", first.quad.mean(0), turn)
    play.look(15)
    place = "machine/1"
    play.expected += [("removed", first.face, place, 2), ("placed", "boxers", place, 2)]
    assert play.seen == play.expected


def test_a_card_laid_exactly_on_another_is_no_other_side_of_it():
    play = machine(frozenset({"hat", "boxers"}))
    play.lay("hat", (300, 180), "bottom", "machine/1")
    play.lay("pants", (300, 180), "left", "machine/1")
    assert play.seen == play.expected


def test_a_card_from_below_another_is_turned_over():
    """It lies on top then, where it had lain."""
    play = machine()
    play.lay("back", (300, 180), "left", "machine/1", -14)
    play.lay("hat", (318, 180), "left", "machine/1")
    check_turned(play, other_first=True)


def test_a_card_whose_edge_another_one_touches_is_turned_over():
    """Garments that lie a little over their machine's card, which breaks."""
    play = machine()
    play.lay("hat", (300, 150), "left", "machine/1")
    height = np.ptp(play.cards[0].quad[:, 1])
    play.lay("socks", (300, 150 + 0.99 * height), "bottom", "machine/1")
    check_turned(play, other_first=False)


@pytest.mark.parametrize("side", ["bottom", "top"])
def test_a_card_that_is_turned_over_is_read_as_before(side):
    """Whoever turns it: a machine's items and garments stay where they are."""
    play = machine()
    play.lay("hat", (300, 180), "bottom", "machine/1")
    [before] = play.watcher.table.cards
    play.reach(
        side, (300, 180), lambda: play.cards.append(replace(play.cards.pop(), face="boxers"))
    )
    play.look(15)
    [after] = play.watcher.table.cards
    assert after.face == "boxers"
    assert np.allclose(after.quad, before.quad, atol=8.0)


@pytest.mark.parametrize(("left", "is_turned"), [(0.4, True), (0.0, False)])
def test_a_card_that_is_turned_over_under_a_hand_shows_in_part(left, is_turned):
    """What shows of it lies within the place of its other side. A whole card elsewhere is new."""
    play = machine(frozenset({"hat", "boxers"}))
    play.lay("hat", (300, 180), "bottom", "machine/1")
    play.look(20)
    scene = play.watcher._scene
    [hat] = play.watcher.table.cards
    part = hat.quad + (0 if left else np.float32([20, 0]))
    part[[0, 3]] += left * (part[[1, 2]] - part[[0, 3]])
    bgr = play.drawn.picture([("boxers", hat.quad)])
    change = scene.background.see(shrink(bgr, scene.settings.low_width), play.at)
    landing = meaning(
        part,
        "boxers",
        scene.occupancy,
        {},
        change,
        scene.layout,
        lambda _: True,
        lambda _: False,
        lambda _: False,
    )
    assert (landing.kind == "turned") == is_turned
