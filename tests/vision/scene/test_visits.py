"""A hand that came and went without an act that was seen may have laid a card all the same."""

from dataclasses import dataclass

import numpy as np
import pytest
from detections import TrueCard
from plain_layouts import Piles
from tabletop import card_quad
from test_order import seen
from test_watcher import BEYOND, Play

from rules.table.event import Placed
from vision.scene.awaited import Seen
from vision.scene.candidates import Candidate
from vision.scene.doubts import InVisit
from vision.scene.hand_blobs import Cover
from vision.scene.weighing import Weighing
from vision.sightings import UNKNOWN


@dataclass(frozen=True, slots=True)
class Running(Piles):
    """Piles of a game that runs, in which the players take turns."""

    in_turn: bool = True

    def is_playing(self):
        """What lies at first was laid before."""
        return True


def begun(layout):
    play = Play(layout, 4, dropout=0.0, false_boxes=0.0)
    play.look(4)
    play.lay("hat", (300, 180), "left", "pile/1")
    return play


def visit(play, side, frames, free=1):
    """A hand that comes over the hat, stays, and goes; nobody is there for some frames."""
    far, at = np.array(BEYOND[side], float), np.array((300, 180), float)
    play.look(arm=(side, at + far * 0.4))
    if frames:
        play.look(frames, arm=(side, at))
    play.look(arm=(side, at + far * 0.4))
    play.look(free)


def unseen(play):
    """(seat, place) of cards that the right may have laid unseen before each event."""
    told = [event for event in play.told if event.kind == "placed" and event.ways is not None]
    found = [
        {
            (way.events[0].seat, way.events[0].place)
            for way in event.ways.ways
            if len(way.events) > 1 and (way.events[0].card, way.events[0].seat) == (UNKNOWN, 4)
        }
        for event in told
    ]
    return [who for each in found for who in each]


def test_a_visit_without_an_act_is_in_the_next_event():
    play = begun(Running())
    visit(play, "right", 4)
    play.lay("socks", (304, 184), "top", "pile/1")
    for face, place in (("pants", (120, 90)), ("boxers", (120, 270)), ("wild", (520, 90))):
        play.lay(face, place, "top", "")
    assert unseen(play) == [(4, "pile/1")]  # suspected once


def test_a_visit_after_which_the_table_is_seen_as_it_was_brought_nothing():
    play = begun(Running())
    visit(play, "right", 4, free=10)
    play.lay("socks", (304, 184), "top", "pile/1")
    assert unseen(play) == []


@pytest.mark.parametrize("frames", [0, 60])
def test_a_hand_that_only_passes_or_stays_for_long_lays_nothing(frames):
    play = begun(Running())
    visit(play, "right", frames)
    play.lay("socks", (520, 250), "top", "pile/2")
    assert unseen(play) == []


def test_a_hand_that_only_sways_where_it_is_first_seen_lays_nothing():
    """It holds a fan there, and was no change before."""
    play = begun(Running())
    far, at = np.array(BEYOND["right"], float), np.array((300, 180), float)
    for way in (0.02, 0.01, 0.0, 0.01, 0.02):
        play.look(arm=("right", at + far * way))
    play.look()
    play.lay("socks", (304, 184), "top", "pile/1")
    assert unseen(play) == []


def test_what_the_visitor_does_is_what_the_visit_was_for():
    play = begun(Running())
    play.lay("socks", (520, 250), "right", "pile/2")
    play.lay("pants", (120, 90), "top", "pile/3")
    assert unseen(play) == []


def test_where_turns_do_not_count_nothing_is_suspected():
    play = begun(Running(in_turn=False))
    visit(play, "right", 4)
    play.lay("socks", (520, 250), "top", "pile/2")
    assert unseen(play) == []


def test_a_visit_brought_nothing_if_the_table_is_seen_as_it_was_after_the_next_act():
    play = begun(Running())
    visit(play, "right", 4)
    play.cards.append(TrueCard("socks", card_quad((520, 250)), -1.0, place="pile/2"))
    play.look(arm=("top", np.array((520, 250))))
    play.look(20)
    [told] = [event for event in play.told if getattr(event, "card", None) == "socks"]
    [learned] = [event for event in play.told if event.kind == "learned"]
    assert told.ways is not None and told.ways.awaits and learned.choice == told.ways.choice
    pairs = zip(told.ways.ways, learned.likely, strict=True)
    assert {(len(way.events) > 1, likely) for way, likely in pairs} == {(False, 1.0), (True, 0.02)}


@pytest.mark.parametrize(("at", "likely"), [(3.0, None), (6.1, {1.0})])
def test_evidence_about_a_visit_is_awaited_for_some_seconds(at, likely):
    weighing = Weighing()
    weighing.suspect([InVisit(0.1, (Placed(1.0, UNKNOWN, "pile/1", 4),), "right")])
    told = weighing.weigh([Placed(2.0, "socks", "pile/2", 3)], 2.0, is_open=False, seen=kept)
    learned = weighing.weigh([], at, is_open=False, seen=kept)
    assert told[0].ways.awaits
    assert [set(each.likely) for each in learned] == ([likely] if likely else [])


def kept(number):
    """No hand has let go of any card."""
    return Seen(is_free=False, name=1.0)


@pytest.mark.parametrize(("at", "is_suspected"), [((0, 0), True), ((200, -90), False)])
def test_a_box_of_a_visitor_that_leads_to_a_lying_card_is_no_card_to_be_told(at, is_suspected):
    """One elsewhere may be: its act is waited for."""
    play = begun(Running())
    visit(play, "right", 4)
    scene = play.watcher._scene
    quad = scene.table.cards[0].quad + np.float32(at)
    looks = {"evidence": (("hat", 2.0),), "looks": 2}
    box = Candidate(90, quad, quad, play.at, scene.at, 0.7, side="right", **looks)
    scene.candidates.keep((box,))
    nobody = np.zeros(scene.occupancy.owner.shape, bool)
    cover = Cover(nobody, nobody.astype(np.uint8))
    socks = Placed(scene.at, "socks", "pile/1", 3)
    play.watcher._visits.see(seen(scene, scene.at), cover, [socks])
    assert bool(scene.suspected) is is_suspected
