"""A change that no card explains makes no event: it is hardly ever a card."""

import numpy as np
import pytest
from detections import NoisyEyes, TrueCard
from plain_layouts import Piles
from tabletop import card_quad
from test_watcher import Play

from vision import geometry
from vision.sightings import NOTHING, Located, Named


class BlindEyes(NoisyEyes):
    """Eyes that miss every card of one face, and see no card at its place."""

    def __init__(self, faces, missed):
        super().__init__([], faces, jitter_px=0.5, dropout=0.0, false_boxes=0.0)
        self.missed = missed

    def _is_missed(self, quad):
        fitting = [card for card in self.lying() if geometry.iou(quad, card.quad) > 0.3]
        return bool(fitting) and fitting[-1].face == self.missed

    def locate(self, at, size, hands=None):
        located = super().locate(at, size, hands)
        seen = np.array([not self._is_missed(quad) for quad in located.quads], bool)
        return Located(located.quads[seen], located.scores[seen])

    def name(self, bgr, quads, quick=False, known=None):
        named = super().name(bgr, quads, quick, known)
        missed = [self._is_missed(quad) for quad in quads]
        faces = [NOTHING if m else face for m, face in zip(missed, named.faces, strict=True)]
        sure = np.where(missed, np.float32(0.1), named.confidences)
        return Named(tuple(faces), sure, named.quads, named.face_up, named.visible)


@pytest.fixture
def play():
    """Play with eyes that miss boxers, on a table of cards with lines."""
    made = Play(Piles(), 3)
    made.drawn._ink = True
    made.eyes = BlindEyes(("hat", "boxers", "pants", "cup"), "boxers")
    made.look(5)
    return made


def missed(play, centre, side="bottom", degrees=0.0):
    """A card that the eyes miss is laid."""
    card = TrueCard("boxers", card_quad(centre, degrees=degrees), -1.0)
    play.reach(side, centre, lambda: play.cards.append(card))
    return card


@pytest.mark.parametrize("turns", [[20], [20, -35]])
def test_what_nobody_can_name_on_a_pile_is_not_told(play, turns):
    play.lay("hat", (300, 180), "bottom", "pile/1")
    for degrees in turns:
        missed(play, (304, 176), "left", degrees)
    play.lay("pants", (298, 182), "right", "pile/1", -10)
    assert play.seen == play.expected


@pytest.mark.parametrize("frames", [8, 90])
def test_what_nobody_can_name_on_the_table_is_not_told(play, frames):
    play.lay("hat", (150, 180), "bottom", "pile/1")
    missed(play, (420, 180))
    play.look(frames)
    play.lay("pants", (424, 176), "right", "pile/2", 15)
    assert play.seen == play.expected


def test_a_pile_goes_with_what_nobody_can_name_on_it(play):
    play.lay("hat", (300, 180), "bottom", "pile/1")
    missed(play, (304, 176), "left", 20)
    play.look(120)
    play.reach("right", (302, 178), play.cards.clear)
    play.look(60)
    assert play.seen == [*play.expected, ("removed", "hat", "pile/1", 4)]


def test_a_thing_that_was_taken_away_again_is_no_card(play):
    play.lay("hat", (150, 180), "bottom", "pile/1")
    thing = missed(play, (420, 180))
    play.look(90)
    play.reach("bottom", (420, 180), lambda: play.cards.remove(thing))
    play.look(90)
    play.lay("pants", (424, 176), "right", "pile/2", 15)
    assert play.seen == play.expected


def test_a_missed_card_that_was_taken_again_is_forgotten(play):
    play.lay("hat", (300, 180), "bottom", "pile/1")
    thing = missed(play, (304, 176), "left", 20)
    play.reach("left", (304, 176), lambda: play.cards.remove(thing))
    play.lay("pants", (298, 182), "right", "pile/1", -10)
    assert play.seen == play.expected


def nameless(play, centre, frames):
    """Pants are laid on a hat, and have no name for so many frames."""
    play.lay("hat", (300, 180), "bottom", "pile/1")
    play.eyes.missed = "pants"
    card = TrueCard("pants", card_quad(centre, degrees=25), -1.0)
    play.reach("right", centre, lambda: play.cards.append(card))
    play.look(frames)
    play.eyes.missed = None


def test_a_card_that_gets_its_name_late_is_no_second_one(play):
    nameless(play, (306, 174), 10)
    play.look(30)
    assert play.seen == [*play.expected, ("placed", "pants", "pile/1", 4)]


def test_what_counts_as_no_card_is_told_once_it_has_a_name(play):
    nameless(play, (330, 170), 90)
    assert play.seen == play.expected
    play.look(60)
    assert play.seen == [*play.expected, ("placed", "pants", "pile/1", 4)]
