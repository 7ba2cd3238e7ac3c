"""A card that was told with a doubtful name is looked at again once no hand lies on it."""

from __future__ import annotations

import numpy as np
import pytest
from detections import TrueCard
from plain_layouts import Piles
from tabletop import card_quad
from test_watcher import Play

from rules.table.event import Learned, Placed
from vision.scene.awaited import Seen
from vision.scene.doubts import Act, weighed
from vision.scene.weighing import Weighing
from vision.sightings import UNKNOWN, Named

AT = (300.0, 180.0)


class Eyes:
    """Name cards as the true eyes locate them: `face` and `sure` as they are set."""

    def __init__(self, eyes):
        self.eyes, self.face, self.sure, self.looks = eyes, "hat", 0.9, 0

    def __getattr__(self, name):
        return getattr(self.eyes, name)

    def name(self, bgr, quads, quick=False, known=None):
        self.looks += len(quads)
        count = len(quads)
        return Named(
            (self.face,) * count, np.full(count, self.sure, np.float32),
            np.array([card_quad(AT)] * count, np.float32), np.ones(count, bool),
        )  # fmt: skip


def laid(sure_at_first):
    """A hat that is laid, named with this confidence until it is told; the play and its eyes."""
    play = Play(Piles(), 5, dropout=0.0, false_boxes=0.0, jitter_px=0.0)
    play.look(4)
    eyes = play.eyes = Eyes(play.eyes)
    eyes.sure = sure_at_first
    side, far = "left", np.array([-250.0, 0.0])
    play.look(arm=(side, AT + far))
    play.look(arm=(side, np.array(AT)))
    play.cards.append(TrueCard("hat", card_quad(AT), -1.0, place="pile/1"))
    for step in range(40):
        play.look(arm=(side, AT + far * step / 4) if step < 4 else None)
        if any(event.kind == "placed" for event in play.told):
            return play, eyes
    raise AssertionError("the card was not told")


def learned(play):
    return [event for event in play.told if isinstance(event, Learned)]


def misnamed(play):
    """How likely the first evidence is if the card that was told has another name."""
    [placed] = [event for event in play.told if event.kind == "placed"]
    [at] = [k for k, way in enumerate(placed.ways.ways) if way.events[0].card == UNKNOWN]
    return learned(play)[0].likely[at]


def test_later_looks_that_agree_make_a_doubtful_name_surer():
    play, eyes = laid(0.9)
    [placed] = [event for event in play.told if event.kind == "placed"]
    assert placed.card == "hat" and placed.ways.awaits and not learned(play)
    eyes.sure = 0.999
    play.look(20)
    assert len(learned(play)) == 1 and misnamed(play) < 0.1


def test_later_looks_that_name_another_face_make_it_less_sure():
    play, eyes = laid(0.9)
    eyes.face, eyes.sure = "pants", 0.999
    play.look(20)
    [found] = learned(play)
    assert misnamed(play) == 1.0 and max(found.likely) == 1.0 and min(found.likely) < 0.5


def test_a_card_that_is_sure_when_it_is_told_is_looked_at_no_more():
    play, eyes = laid(0.999)
    looks = eyes.looks
    play.look(20)
    assert eyes.looks == looks and not learned(play)


def test_a_few_looks_are_enough():
    play, eyes = laid(0.9)
    looks = eyes.looks
    play.look(20)
    assert 1 <= eyes.looks - looks <= 3 and len(learned(play)) == 1


def test_a_card_that_is_covered_at_once_gets_no_look():
    play, _ = laid(0.9)
    play.cards.append(TrueCard("pants", card_quad(np.add(AT, 3)), -1.0, place="pile/1"))
    play.look(3, arm=("left", np.array(AT)))
    assert all(likely == 1.0 for event in learned(play) for likely in event.likely)


@pytest.mark.parametrize(("name", "left"), [(0.99, 0.19), (0.5, 1.0), (None, None)])
def test_evidence_about_a_name_weighs_only_that(name, left):
    """`left`: how likely it is if the card has another name; none before the looks are over."""
    told = weighed(Placed(1.0, "hat", "pile/1", 1), Act(1, 0.95, number=7))
    weighing, seen = Weighing(), Seen(is_free=True, name=name)
    first, *evidence = weighing.weigh([told], 1.0, is_open=False, seen=lambda number: seen)
    assert first.ways.awaits
    if left is None:
        assert not evidence
        return
    likely = dict(zip(first.ways.ways, evidence[0].likely, strict=True))
    by_card = {way.events[0].card: chance for way, chance in likely.items()}
    assert by_card[UNKNOWN] == pytest.approx(left, abs=0.01)
    assert (by_card["hat"] < 1.0) is (name < 0.95)
