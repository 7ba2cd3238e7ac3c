"""Places are searched for whole cards ever less often, while they show none."""

from dataclasses import replace

import numpy as np
import pytest
from tabletop import card_quad
from test_drawn_out import sure_play
from test_held import hold

from vision.scene.candidates import Candidate
from vision.scene.looks import LONGEST_S
from vision.scene.searches import FIRST_S, Searches
from vision.sightings import UNKNOWN

QUAD = np.float32([[40, 30], [100, 30], [100, 110], [40, 110]])
BOX = Candidate(1, QUAD, QUAD, 0.0, 0.0, 0.5)


def waits(card, looks=8):
    """The times (s) from each of so many searches that find `card` to the next."""
    searches, at, found = Searches(), 0.0, []
    for _ in range(looks):
        assert searches.is_due(card, at)
        searches.searched([(card, False)], at)
        later = next(w for w in np.arange(0.0, 9.0, 0.05) if searches.is_due(card, at + w))
        found.append(later)
        at += later
    return found


def test_each_search_without_a_name_doubles_the_wait():
    found = waits(BOX)
    assert found[0] == pytest.approx(FIRST_S)
    assert found[-1] == pytest.approx(LONGEST_S, abs=0.06)
    assert found[:4] == sorted(found[:4])


def test_a_named_card_waits_for_nothing():
    assert waits(replace(BOX, evidence=(("hat", 0.9),))) == [0.0] * 8


def test_elsewhere_a_search_is_due():
    searches = Searches()
    searches.searched([(BOX, False)], 0.0)
    beside = replace(BOX, quad=QUAD + np.float32([30, 0]))
    shaken = replace(BOX, quad=QUAD + np.float32([4, 2]))
    assert searches.is_due(beside, 0.1) and not searches.is_due(shaken, 0.1)


def test_a_card_that_came_to_rest_since_is_searched_at_once():
    searches = Searches()
    for times in range(3):
        searches.searched([(BOX, False)], float(times))
        assert searches.is_due(replace(BOX, since=times + 0.1), times + 0.2) == (times < 2)


def test_a_place_is_searched_once_for_each_card_that_comes_to_rest_there():
    searches = Searches()
    for times in range(5):
        searches.searched([(BOX, False)], float(times))
    resting = replace(BOX, since=4.2)
    assert not searches.is_first_at_rest(resting, 4.25)  # it may move yet
    assert searches.is_first_at_rest(resting, 4.4) and not searches.is_due(resting, 4.4)
    searches.searched([(resting, False)], 4.4)
    assert not searches.is_first_at_rest(resting, 5.0)


def test_a_search_under_a_hand_does_not_spare_the_one_without_it():
    searches = Searches()
    resting = replace(BOX, since=1.0)
    searches.searched([(resting, True)], 1.1)
    assert searches.is_first_at_rest(resting, 1.4)
    searches.searched([(resting, False)], 1.4)
    assert not searches.is_first_at_rest(resting, 1.8)


def test_once_the_hand_has_gone_a_place_searched_under_it_is_due():
    searches, later = Searches(), replace(BOX, since=1.0)
    for times in range(5):
        searches.searched([(later, True)], 1.0 + 0.01 * times)
    assert not searches.is_due(later, 1.4) and searches.is_due(later, 1.4, is_free=True)
    assert not searches.is_due(replace(BOX, since=1.35), 1.4, is_free=True)  # it may move yet
    searches.searched([(later, False)], 1.4)
    assert not searches.is_due(later, 1.8, is_free=True)


def test_a_hand_that_sways_at_the_border_with_a_card_without_a_name_costs_few_searches():
    """Each time it rests its box is another candidate's."""
    play, searched = sure_play(), []
    name = play.eyes.name

    def unnamed(bgr, quads, quick=False, known=None):
        searched.extend([play.at] if not quick else [])
        named = name(bgr, quads, quick, known)
        return replace(named, faces=(UNKNOWN,) * len(quads))

    play.eyes.name = unnamed
    play.look(20)
    for k in range(16):
        middle = (430 + 9 * (k % 2), 318)
        hold(play, "bottom", (middle[0], 345), [("hat", card_quad(middle))], 0.5)
    assert play.seen == []
    assert 0 < len(searched) <= 6
