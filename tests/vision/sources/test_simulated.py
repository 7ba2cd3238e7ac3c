"""The simulated table: its scripts, its truth, and that what is drawn is what is said."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from plain_layouts import layout_for

from models.deck import load_deck
from models.drawing.play import Play
from models.drawing.raster import face_picture
from models.drawing.script import parse_script, read_script, script_names, truth
from rules.contract.game import make_setup
from rules.errors import FairdealError
from rules.games import game
from rules.judging.referee import begin, step
from rules.table.layout import default_sides
from vision.scene.table import Card, Table, corners_of
from vision.sources import open_source
from vision.sources.simulated import SimulatedSource

SMALL = (320, 180)
SHORT = """
game suds
players 2
seed 3
spot pile/1 0.4 0.5
1.0 seat=1 place hat pile/1
2.2 seat=2 place pants pile/1
3.6 seat=2 remove pants pile/1
5.0 seat=1 place t-shirt pile/1
6.5 seat=2 sweep pile/1
"""
INTENDED = {
    "suds": [
        "mistake out-of-sequence", "corrected out-of-sequence", "complete sequence",
        "mistake starts-with-hat", "corrected starts-with-hat",
    ],
    "sooty": [
        "notice draw-one", "mistake set-oofled", "corrected set-oofled", "notice draw-one",
        "complete set",
    ],
    "cat-in-the-hat": [
        "mistake not-after", "corrected not-after", "mistake not-before", "corrected not-before",
        "notice voom",
    ],
    "soda": [
        "notice pair", "mistake too-low", "corrected too-low", "complete hand",
        "notice discard-above", "notice deal", "mistake wrong-winner", "corrected wrong-winner",
        "notice pair", "notice triple",
    ],
    "dirty-laundry": [
        "complete wash", "notice outcome", "mistake should-be-ruined",
        "corrected should-be-ruined",
    ],
}  # fmt: skip


def frames(source):
    """All frames that a source still has."""
    while (frame := source.read()) is not None:
        yield frame


@pytest.mark.parametrize("name", script_names())
def test_the_referee_makes_the_intended_calls_of_each_script(name):
    script = read_script(name)
    rules = game(script.game)
    session, calls = begin(rules, make_setup(rules, script.players, {})), []
    for event in truth(script):
        session, made = step(session, event)
        calls += [f"{call.call} {call.rule}" for call in made]
    assert calls == INTENDED[name]


@pytest.mark.parametrize("name", script_names())
def test_cards_lie_where_the_layout_reads_their_places(name):
    script = read_script(name)
    layout = layout_for(script.game, default_sides(script.players))
    play = Play(script, load_deck("plain52" if name == "soda" else name), SMALL)
    table, seen = Table(), set()
    for step_ in script.steps:
        play.picture(step_.at + 0.01)
        for face, place, quad in play.cards[-1:]:
            if script.game == "suds":
                seen.add(place)
            else:
                spot = layout.spot(quad, table, SMALL)
                assert (face, spot.place) == (face, place)
                seen.add(place)
    assert len(seen) > 2


def test_the_piles_of_suds_are_born_in_the_order_of_their_numbers():
    script = read_script("suds")
    play, layout = Play(script, load_deck("suds"), SMALL), layout_for("suds", default_sides(3))
    table = Table()
    for number, step_ in enumerate(script.steps):
        play.picture(step_.at + 0.01)
        if step_.verb != "place":
            continue
        face, place, quad = play.cards[-1]
        lying = [c for c in table.cards if any(np.allclose(c.quad, q) for _, _, q in play.cards)]
        spot = layout.spot(quad, Table(tuple(lying), table.born), SMALL)
        assert spot.place == place
        card = Card(number=number, face=face, place=place, corners=corners_of(quad))
        table = Table((*lying, card), spot.born)


def test_the_same_seed_gives_the_same_pixels_and_another_does_not():
    def shot(text):
        source = SimulatedSource(parse_script(text), SMALL)
        return [source.read().bgr for _ in range(20)]

    first, again, other = shot(SHORT), shot(SHORT), shot(SHORT.replace("seed 3", "seed 4"))
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    assert not np.array_equal(first[-1], other[-1])


def test_frames_come_by_their_own_clock_and_then_end():
    source = SimulatedSource(parse_script(SHORT), SMALL)
    seen = list(frames(source))
    assert source.recorded
    assert [f.number for f in seen] == list(range(len(seen)))
    assert np.allclose([f.at for f in seen], np.arange(len(seen)) / 15)
    assert seen[-1].at == pytest.approx(9.0)
    assert source.read() is None


def test_skipping_leaves_frames_out_and_nothing_that_happens():
    whole, skipped = (SimulatedSource(parse_script(SHORT), SMALL) for _ in range(2))
    last = {f.number: f for f in frames(whole)}
    skipped.skip_to(5.9)
    frame = skipped.read()
    assert frame.at == pytest.approx(6.0 - 1 / 15)
    smooth = [cv2.blur(f.bgr, (9, 9)).astype(int) for f in (frame, last[frame.number])]
    # The grain differs, the cards and hands do not.
    assert np.abs(smooth[0] - smooth[1]).max() <= 4


def test_the_face_on_the_table_is_the_one_that_is_said():
    script, deck = parse_script(SHORT), load_deck("suds")
    play = Play(script, deck, (640, 360))
    picture = play.picture(4.6)
    ((face, place, quad),) = play.cards
    assert (face, place) == ("hat", "pile/1")
    flat = np.float32([[0, 0], [70, 0], [70, 98], [0, 98]])
    crop = cv2.warpPerspective(picture, cv2.getPerspectiveTransform(quad, flat), (70, 98))

    def likeness(name):
        art = cv2.resize(face_picture(deck, name, 196)[..., :3], (70, 98), interpolation=3)
        return float(np.corrcoef(art.ravel(), crop.ravel())[0, 1])

    best = max(deck.names, key=likeness)
    assert best == "hat"
    assert likeness("hat") > 0.9


def test_a_hand_comes_from_its_seats_side_and_goes():
    play = Play(parse_script(SHORT), load_deck("suds"), SMALL)
    empty = play.picture(0.0).astype(int)
    reaching = np.abs(play.picture(1.0).astype(int) - empty).max(axis=2) > 60
    assert reaching[-1].sum() > 8
    assert not reaching[0].any()
    gone = np.abs(play.picture(1.9).astype(int) - empty).max(axis=2) > 60
    assert not gone[-1].any()
    left = np.abs(play.picture(2.2).astype(int) - empty).max(axis=2) > 25
    assert left[:, 0].sum() > 8


def test_a_swept_pile_leaves_the_bare_table():
    play = Play(parse_script(SHORT), load_deck("suds"), SMALL)
    empty = cv2.blur(play.picture(0.0), (5, 5)).astype(int)
    after = cv2.blur(play.picture(8.9), (5, 5)).astype(int)
    assert play.cards == ()
    assert np.abs(after - empty).max() <= 6


def test_an_unknown_script_is_refused_with_the_names_of_those_there_are():
    with pytest.raises(FairdealError, match=r"cat-in-the-hat, dirty-laundry, soda, sooty, suds"):
        open_source("simulated:poker")


def test_a_script_file_is_played_from_its_path(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text(SHORT)
    with open_source(f"simulated:{path}") as source:
        assert source.name == "simulated:mine"
        assert source.read().bgr.shape == (720, 1280, 3)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("9 seat=1 fling hat pile/1", "fling"),
        ("9 seat=3 place hat pile/1", "3"),
        ("9 seat=1 place hat pile/2", "spot pile/2"),
        ("9 seat=1 remove socks pile/1", "nothing there"),
        ("3 seat=1 place hat pile/1", "order of time"),
        ("spot pile/9 0.1", "spot pile/9"),
        ("table ice", "ice"),
    ],
)
def test_a_wrong_script_is_refused_in_one_line(line, found):
    with pytest.raises(FairdealError, match=found) as refused:
        parse_script(f"{SHORT}\n{line}")
    assert "\n" not in str(refused.value)
