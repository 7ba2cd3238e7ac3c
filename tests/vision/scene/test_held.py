"""Cards in hands are seen and named, and are not on the table."""

from dataclasses import replace

import numpy as np
import pytest
from detections import NoisyEyes, TrueCard
from plain_layouts import Piles
from tabletop import Tabletop, card_quad
from test_order import NEXT, scene, seen
from test_watcher import FPS, Play

from vision.scene.candidates import Candidate
from vision.scene.hand_blobs import Cover
from vision.scene.held import Holding, held
from vision.sightings import Located


def hold(play, side, hand, cards, seconds):
    """An arm from a side holds cards, (face, quad), over the table for some time."""
    lying, held = list(play.cards), [TrueCard(face, quad, -1.0) for face, quad in cards]
    play.cards = [*lying, *held]
    observation = play.look(round(seconds * FPS), arm=(side, np.asarray(hand, float)))
    play.cards = lying
    return observation


def fan(middle, faces=("hat", "boxers", "socks", "wild")):
    """A fan of cards about a point, each 24 px and 14 degrees from the next."""
    steps = np.arange(len(faces)) - (len(faces) - 1) / 2
    return [
        (face, card_quad((middle[0] + 24 * k, middle[1] + 3 * abs(k)), degrees=14 * k))
        for face, k in zip(faces, steps, strict=True)
    ]


def test_a_fan_that_is_held_from_the_first_picture_on_is_not_laid():
    play = Play(Piles(), 5, dropout=0.0, false_boxes=0.0)
    for shift in (0, 1, 2, 1):
        hold(play, "bottom", (430 + shift, 335), fan((430 + shift, 318)), 0.5)
    assert play.seen == []
    play.lay("hat", (200, 150), "left", "pile/1")
    assert play.seen == play.expected


def test_a_row_of_cards_that_begin_on_the_table_is_no_fan():
    faces = ("hat", "boxers", "socks", "wild")
    play = Play(Piles(homes=dict.fromkeys(faces, "pile/1")), 5, dropout=0.0, false_boxes=0.0)
    row = [card_quad((300 + 40 * k, 318)) for k in range(len(faces))]
    play.cards += [TrueCard(face, quad, -1.0) for face, quad in zip(faces, row, strict=True)]
    play.look(30)
    assert {card.face for card in play.watcher.table.cards} == set(faces)


@pytest.fixture
def play():
    made = Play(Piles(), 5, dropout=0.0, false_boxes=0.0)
    made.look(40)
    made.lay("hat", (200, 150), "left", "pile/1")
    return made


def test_a_fan_held_at_the_border_lays_nothing(play):
    for shift in (0, 9, -6, 14):
        hold(play, "bottom", (430 + shift, 335), fan((430 + shift, 300)), 1.5)
    play.look(10)
    assert play.seen == play.expected


def test_cards_that_lie_one_on_another_beside_the_border_are_in_no_hand(play):
    for step, face in enumerate(("boxers", "socks", "pants")):
        play.lay(face, (604, 150 + 18 * step), "right", "pile/2", 8.0 * step)
        play.look(8)
    assert play.seen == play.expected


def test_play_goes_on_beside_a_held_fan(play):
    hold(play, "bottom", (430, 335), fan((430, 300)), 1.0)
    play.look(3)
    play.lay("t-shirt", (204, 152), "top", "pile/1", 12)
    hold(play, "bottom", (440, 335), fan((440, 300)), 1.0)
    play.look(10)
    assert play.seen == play.expected


def test_a_card_held_over_the_bare_table_and_taken_away_was_never_laid(play):
    for middle in ((420, 190), (424, 187), (421, 192)):
        hold(play, "right", (470, 190), [("boxers", card_quad(middle))], 0.7)
    play.look(12)
    assert play.seen == play.expected


@pytest.mark.parametrize("seconds", [0.2, 0.3])
def test_a_card_held_over_a_lying_one_which_is_then_seen_again_was_never_laid(play, seconds):
    """The lying card was pushed a little meanwhile, so that its place looks new."""
    hold(play, "top", (185, 60), [("boxers", card_quad((185, 130)))], seconds)
    play.look(arm=("top", np.array((185.0, 0.0))))
    play.cards = [TrueCard("hat", card_quad((204, 153)), -1.0, place="pile/1")]
    play.look(20)
    assert play.seen == play.expected


@pytest.mark.parametrize(
    ("right", "face", "is_held"),
    [(638, None, True), (600, None, False), (638, "hat", False)],
)
def test_what_shows_at_the_border_of_a_held_card_is_no_unknown_card(play, right, face, is_held):
    """Its box ends at the border, as if the card did. A card with a name is laid there."""
    part = np.float32([[right - 46, 140], [right, 140], [right, 204], [right - 46, 204]])
    evidence = ((face, 3.0),) if face else ()
    card = Candidate(9, part, part, 1.0, 9.0, 0.9, 40, evidence, looks=9)
    bare = Cover(np.zeros((180, 320), bool), np.zeros((180, 320), np.uint8))
    assert Holding(play.watcher._scene).holds(card, bare, 9.0) == is_held


@pytest.mark.parametrize(
    ("face", "y", "turns", "since", "is_held"),
    [
        ("back", 300, False, 7.0, True),
        ("back", 300, False, 2.0, False),
        ("back", 180, False, 7.0, False),
        ("back", 300, True, 7.0, False),
        ("hat", 300, False, 7.0, False),
    ],
)
def test_a_card_face_down_beside_the_border_is_of_a_fan_where_nobody_turns_cards_over(
    face, y, turns, since, is_held
):
    play, quad = Play(Piles(turns=turns), 5, dropout=0.0, false_boxes=0.0), card_quad((400, y))
    play.look(4)
    card = Candidate(9, quad, quad, since, 9.0, 0.9, 30, ((face, 3.0),), looks=3, upright=quad)
    bare = Cover(np.zeros((180, 320), bool), np.zeros((180, 320), np.uint8))
    assert Holding(play.watcher._scene).holds(card, bare, 9.0) == is_held


def test_it_is_laid_once_the_hand_has_gone(play):
    hold(play, "right", (470, 190), [("boxers", card_quad((420, 190)))], 1.0)
    assert play.seen == play.expected
    play.cards.append(TrueCard("boxers", card_quad((420, 190)), -1.0, place="pile/2"))
    for step in (0.05, 0.2, 0.5, 0.9):
        play.look(arm=("right", np.array([470 + 700 * step, 190])))
    play.look(10)
    assert play.seen == [*play.expected, ("placed", "boxers", "pile/2", 4)]


@pytest.mark.parametrize("step_px", [0.8, 1.6])
def test_a_card_that_drifts_with_the_hand_is_held(play, step_px):
    """The hand moves, but so does the card: it has not let go."""
    for shift in np.arange(0, 30, step_px):
        hand = (470 + shift, 190)
        hold(play, "right", hand, [("boxers", card_quad((420 + shift, 190)))], 1 / FPS)
    play.look(12)
    assert play.seen == play.expected


def test_a_card_that_a_finger_slides_away_is_not_left_behind():
    """Right after it was laid, on a picture so noisy that it never is wholly still."""
    play = Play(Piles(), 5, dropout=0.0, false_boxes=0.0)
    play.drawn = Tabletop(5, noise=5.0)
    play.look(20)
    play.lay("hat", (300, 180), "left", "pile/1")
    play.cards = [TrueCard("hat", card_quad((300, 180)), -1.0, place="pile/1")]
    for shift in np.arange(0, 220, 18):
        play.cards = [TrueCard("hat", card_quad((300 - shift, 180)), -1.0, place="pile/1")]
        play.look(arm=("left", (262 - shift, 180)))
    play.cards = []
    play.look(20)
    assert [card.face for card in play.watcher.table.cards] == []
    assert play.seen[0] == ("placed", "hat", "pile/1", 2)
    assert [kind for kind, *_ in play.seen] == ["placed", "removed"]


@pytest.mark.parametrize(("x", "is_told"), [(4, False), (44, True)])
def test_a_card_that_lies_half_out_of_the_picture_is_not_on_the_table(play, x, is_told):
    """It was dropped there, or lies on a chair."""
    card = TrueCard("boxers", card_quad((x, 260)), -1.0)
    play.reach("left", (x, 260), lambda: play.cards.append(card))
    play.look(30)
    assert len(play.seen) - len(play.expected) == is_told


class GhostEyes(NoisyEyes):
    """Eyes that also see boxes on the bare table where a hand has just passed."""

    ghosts: tuple = ()

    def locate(self, at, size, hands=None):
        located = super().locate(at, size, hands)
        quads = np.array([*located.quads, *self.ghosts], np.float32).reshape(-1, 4, 2)
        return Located(quads, np.full(len(quads), 0.6, np.float32))


def test_boxes_on_the_bare_table_join_no_card_to_the_border(play):
    play.eyes = GhostEyes([], ("hat", "boxers"), 6, dropout=0.0, false_boxes=0.0)
    card = TrueCard("boxers", card_quad((520, 200)), -1.0)
    play.look(arm=("right", np.array([560, 200])))
    play.cards.append(card)
    play.eyes.ghosts = [card_quad((x, 200), degrees=90) for x in (572, 606, 640)]
    for step in (0.0, 0.1, 0.4, 0.8):
        play.look(arm=("right", np.array([560 + 700 * step, 200])))
    play.look(round(0.9 * FPS))
    assert play.seen == [*play.expected, ("placed", "boxers", "pile/2", 4)]


@pytest.mark.parametrize("frames", [2, 3])
def test_a_card_that_was_covered_at_once_shows_again_and_is_not_laid(frames):
    """No picture of the table shows it alone."""
    play = Play(Piles(), 5, dropout=0.0, false_boxes=0.0)
    play.look(40)
    below = TrueCard("hat", card_quad((300, 180)), -1.0)
    above = TrueCard("boxers", card_quad((304, 176), degrees=12), -1.0, place="pile/1")

    def arm(*steps):
        for step in steps:
            play.look(arm=("left", np.array([300 - 700 * step, 180])))

    arm(0.7, 0.35, 0.1, 0.0)
    play.cards.append(below)
    arm(0.0, 0.1)
    play.look(frames)
    play.cards.append(above)
    arm(0.0, 0.1, 0.4, 0.8)
    play.look(10)
    play.expected += [("placed", face, "pile/1", 2) for face in ("hat", "boxers")]
    play.take([above], "right")
    assert play.seen == play.expected


@pytest.mark.parametrize(("seen_at", "is_joined"), [(9.0, True), (8.9, False)])
def test_a_box_that_a_hand_left_behind_joins_no_card_to_the_next_hand(seen_at, is_joined):
    """It overlaps the card, so not all of its place looks as the bare table."""
    table, laid = scene(), replace(NEXT, quad=card_quad((520, 200)), upright=None)
    hand = card_quad((640, 200))
    seen(table, 8.0)
    change = seen(table, 9.0, laid.quad, hand)
    left = replace(laid, number=11, quad=card_quad((572, 200), degrees=90), seen_at=seen_at)
    cover = Cover(table.occupancy.area(hand), np.zeros(change.changed.shape, np.uint8))
    found = held([laid, left], change, cover, table)
    assert (laid.number in found.attached) is is_joined
