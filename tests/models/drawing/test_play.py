"""The simulated table seen by tilted lenses, with hands that do what no event tells."""

from itertools import pairwise

import cv2
import numpy as np
import pytest

from models.deck import load_deck
from models.drawing.happening import truth
from models.drawing.play import Play
from models.drawing.raster import face_picture
from models.drawing.script import parse_script
from models.drawing.surroundings import LIGHTS, TABLES
from rules.errors import FairdealError

SIZE = (640, 360)
GAME = """
game suds
players 2
seed 3
spot pile/1 0.4 0.5
spot pile/2 0.75 0.3
1.0 seat=1 press start
2.0 seat=1 place hat pile/1
"""


def played(text):
    return Play(parse_script(text), load_deck("suds"), SIZE)


def likeness(picture, quad, face="hat"):
    flat = np.float32([[0, 0], [70, 0], [70, 98], [0, 98]])
    crop = cv2.warpPerspective(picture, cv2.getPerspectiveTransform(quad, flat), (70, 98))
    art = cv2.resize(face_picture(load_deck("suds"), face, 196)[..., :3], (70, 98), interpolation=3)
    return float(np.corrcoef(art.ravel(), crop.ravel())[0, 1])


@pytest.mark.parametrize("act", ["sweep", "remove hat", "push hat", "lift hat", "turn hat boxers"])
def test_an_act_on_an_empty_place_is_refused_in_one_line(act):
    with pytest.raises(FairdealError, match="nothing there") as refused:
        parse_script(f"{GAME}4.0 seat=1 {act} pile/2\n")
    assert "\n" not in str(refused.value)


def test_a_hand_that_sets_out_for_a_card_before_it_lies_is_refused():
    play = played(f"{GAME}2.1 seat=2 remove hat pile/1\n")
    with pytest.raises(FairdealError, match="further apart"):
        play.picture(2.2)


@pytest.mark.parametrize("look", ["tilt 25", "tilt 12\nlens -0.08", "lens 0.04"])
def test_a_card_is_where_the_tilted_camera_says(look):
    play = played(f"{look}\n{GAME}")
    picture = play.picture(3.4)
    ((_, _, quad),) = play.cards
    assert likeness(picture, quad) > 0.86
    assert likeness(picture, quad + np.float32([12, 0])) < 0.7


def test_a_tilted_camera_shows_the_far_side_smaller():
    far, near = (played(f"tilt 25\n{GAME}".replace("0.4 0.5", f"0.5 {y}")) for y in ("0.2", "0.8"))
    sizes = []
    for play in (far, near):
        play.picture(3.4)
        sizes.append(cv2.contourArea(play.cards[0][2]))
    assert sizes[0] < 0.8 * sizes[1]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("light", LIGHTS)
def test_every_table_and_light_shows_the_card(table, light):
    play = played(f"table {table}\nlight {light}\nthings 3\n{GAME}")
    picture = play.picture(3.4)
    assert 20 < picture.mean() < 235
    assert likeness(picture, play.cards[0][2]) > 0.85


def test_pushing_and_lifting_move_the_card_a_little_and_are_no_events():
    plain = parse_script(GAME)
    script = parse_script(f"{GAME}4.5 seat=2 push hat pile/1\n7.0 seat=1 lift hat pile/1")
    assert truth(script) == truth(plain)
    play = Play(script, load_deck("suds"), SIZE)
    centres = []
    for at in (3.4, 5.5, 8.5):
        play.picture(at)
        centres.append(play.cards[0][2].mean(0))
    for before, after in pairwise(centres):
        assert 0.3 < float(np.linalg.norm(after - before)) < 30


def test_a_hand_stays_where_it_is_told():
    staying, going = played(GAME.replace("hat pile/1\n", "hat pile/1 stay=2\n")), played(GAME)
    seen = [likeness(play.picture(3.6), play.cards[0][2]) for play in (staying, going)]
    assert seen[0] < 0.88 < seen[1]


def test_a_head_darkens_the_table_and_goes():
    play = played(f"{GAME}4.0 seat=1 lean stay=1.5")
    before, during, after = (float(play.picture(at).mean()) for at in (3.2, 4.8, 7.5))
    assert during < 0.95 * before and after == pytest.approx(before, rel=0.02)


def test_buttons_are_part_of_the_truth():
    pressed, placed = truth(parse_script(GAME))
    assert (pressed.at, pressed.button, pressed.seat) == (1.0, "start", 1)
    assert (placed.card, placed.place) == ("hat", "pile/1")
