"""What lies there when a watcher begins: cards, piles of which it sees the top, a hand."""

from __future__ import annotations

import numpy as np
import pytest
from detections import TrueCard
from plain_layouts import Piles
from tabletop import Tabletop, card_quad
from test_visits import Running
from test_watcher import BEYOND, Play

from vision import geometry
from vision.settings import VisionSettings
from vision.sightings import NOTHING, Located, Named


def nothing(count):
    """What the namer says where no card lies."""
    quads, sure = np.zeros((count, 4, 2), np.float32), np.ones(count, np.float32)
    return Named((NOTHING,) * count, sure, quads, np.ones(count, bool))


def topmost(located, cards):
    """The boxes on the last of the cards alone."""
    if not cards:
        return located
    on_top = [geometry.iou(quad, cards[-1].quad) > 0.8 for quad in located.quads]
    return Located(located.quads[on_top], located.scores[on_top])


def test_an_arm_that_was_there_when_it_began_leaves_no_hand_behind():
    """Where the arm was, the table looks as it never did before: that is no arm that rests."""
    play = Play(Piles(), 22, dropout=0.0, false_boxes=0.0)
    play.drawn = Tabletop(22, ink=True)
    play.cards = [TrueCard("hat", card_quad((300, 180)), -1.0, place="pile/1")]
    play.look(2, arm=("bottom", (300, 215)))
    observation = play.look(75)
    assert not observation.cover.mask.any()
    name = play.eyes.name
    play.eyes.name = lambda bgr, quads, quick=False, known=None: (
        name(bgr, quads, quick) if play.cards else nothing(len(quads))
    )
    play.reach("left", (300, 180), play.cards.clear)
    play.look(30)
    assert [event[:3] for event in play.seen] == [
        ("placed", "hat", "pile/1"), ("removed", "hat", "pile/1"),
    ]  # fmt: skip


@pytest.mark.parametrize("ink", [True, False])
def test_a_pile_that_lay_from_the_start_and_is_swept_is_gone_as_a_whole(ink):
    """Nobody knows what lies below: lower cards show beside the one on top, and go with it."""
    play = Play(Piles(), 21, dropout=0.0, false_boxes=0.0)
    play.drawn = Tabletop(21, ink=ink)
    quads = [card_quad((300, 180), degrees=degrees) for degrees in (-35, 40, 5)]
    faces = ("boxers", "t-shirt", "hat")
    play.cards = [
        TrueCard(face, quad, -1.0, place="pile/1") for face, quad in zip(faces, quads, strict=True)
    ]
    locate, name = play.eyes.locate, play.eyes.name

    def look_closely(bgr, quads, quick=False, known=None):
        return name(bgr, quads, quick) if play.cards else nothing(len(quads))

    # The locator finds the card on top only; on a bare table nothing has a name.
    play.eyes.locate = lambda *args: topmost(locate(*args), play.cards)
    play.eyes.name = look_closely
    play.look(30)
    play.lay("pants", (302, 178), "left", "pile/1", 20)
    play.lay("socks", (299, 181), "top", "pile/1", -15)
    play.expected = [("placed", "hat", "pile/1", None), *play.expected]
    play.reach("right", (300, 180), play.cards.clear)
    play.look(30)
    gone = [("removed", face, "pile/1", 4) for face in ("socks", "pants", "hat")]
    assert play.seen == [*play.expected, *gone]
    assert play.watcher.table.stacks() == {}


def test_cards_that_lie_from_the_start_are_placed_by_nobody():
    play = Play(Piles(), 7, dropout=0.0, false_boxes=0.0)
    play.cards = [TrueCard("hat", card_quad((300, 180)), -1.0)]
    play.look(10)
    assert play.seen == [("placed", "hat", "pile/1", None)]


def test_a_card_that_lay_from_the_start_is_missed_as_soon_as_another():
    play = Play(Piles(), 7, dropout=0.0, false_boxes=0.0)
    play.drawn._cloth[:] = (50, 70, 45)  # plain, or nobody could tell what lies under the card
    play.cards = [TrueCard("hat", card_quad((300, 180)), -1.0, place="pile/1")]
    play.look(30)
    taken = []

    def take():
        play.cards = []
        taken.append(play.at)

    play.reach("left", (300, 180), take)
    told = play.removed_at - taken[0]
    assert play.seen == [("placed", "hat", "pile/1", None), ("removed", "hat", "pile/1", 2)]
    assert told < VisionSettings().doubt_s / 2


def test_a_shadow_that_rests_on_a_card_takes_it_not_away():
    """Not even where the locator finds no card in the dark."""
    play = Play(Piles(), 23, dropout=0.0, false_boxes=0.0)
    play.cards = [TrueCard("hat", card_quad((300, 180)), -1.0, place="pile/1")]
    play.look(30)
    play.eyes.locate = lambda *args: Located.empty()
    play.eyes.name = lambda bgr, quads, quick=False, known=None: nothing(len(quads))
    for _ in range(45):
        bgr = play.drawn.picture([("hat", play.cards[0].quad)])
        bgr[100:260, 230:370] = bgr[100:260, 230:370] * 0.55
        play.look(bgr=bgr)
    assert play.seen == [("placed", "hat", "pile/1", None)]


def test_a_card_that_an_arm_lays_as_the_watcher_begins_can_be_taken_away():
    """The first picture shows the arm where the card comes: that is not the table below it."""
    play = Play(Piles(), 22, dropout=0.0, false_boxes=0.0)
    play.drawn = Tabletop(22, ink=True)
    play.look(3, arm=("bottom", (300, 180)))
    play.cards.append(TrueCard("hat", card_quad((300, 180)), -1.0, place="pile/1"))
    for far in (0, 60, 140, 260):
        play.look(arm=("bottom", (300, 180 + far)))
    play.look(20)
    name = play.eyes.name
    play.eyes.name = lambda bgr, quads, quick=False, known=None: (
        name(bgr, quads, quick) if play.cards else nothing(len(quads))
    )
    play.reach("top", (300, 180), play.cards.clear)
    play.look(40)
    assert [event[:3] for event in play.seen] == [
        ("placed", "hat", "pile/1"), ("removed", "hat", "pile/1"),
    ]  # fmt: skip


def test_a_jolt_of_the_camera_brings_no_card_that_lay_there_unnamed():
    """For a frame or two all places seem to change, that of the nameless card too."""
    play = Play(Running(), 7, dropout=0.0, false_boxes=0.0)
    middles, late = [(150, 100), (300, 100), (450, 100), (150, 260)], (450, 260)
    for number, middle in enumerate([*middles, late], 1):
        face = ("hat", "pants", "boxers", "t-shirt", "socks")[number - 1]
        play.cards.append(TrueCard(face, card_quad(middle), -1.0, place=f"pile/{number}"))
    name, hidden = play.eyes.name, [True]

    def name_but_for_one(bgr, quads, quick=False, known=None):
        is_late = np.linalg.norm(quads.mean(1) - late, axis=1) < 40
        return nothing(len(quads)) if hidden and is_late.any() else name(bgr, quads, quick)

    play.eyes.name = name_but_for_one
    play.look(30)
    still = play.drawn.picture([(card.face, card.quad) for card in play.cards])
    play.look(2, bgr=np.roll(still, (7, 9), (0, 1)))
    play.look(10)
    hidden.clear()
    play.look(60)
    told = [event for event in play.told if getattr(event, "card", None) == "socks"]
    assert [(event.kind, event.sure < 0.2) for event in told] == [("placed", True)]


@pytest.mark.parametrize("is_first", [True, False])
def test_a_hand_that_passes_has_not_laid_what_lay_there_without_a_name(is_first):
    play = Play(Piles(), 21, dropout=0.0, false_boxes=0.0)
    name = play.eyes.name
    play.eyes.name = lambda bgr, quads, quick=False, known=None: nothing(len(quads))
    card = TrueCard("hat", card_quad((300, 180)), -1.0, place="pile/1")
    play.cards = [card] if is_first else []
    play.look(20)
    for step in (0.7, 0.35, 0.2):
        play.look(arm=("left", np.array((300, 180)) + np.array(BEYOND["left"], float) * step))
    play.cards, play.eyes.name = [card], name
    play.look(2, arm=("left", (262, 180)))
    play.look(30)
    assert play.seen == [("placed", "hat", "pile/1", None if is_first else 2)]
