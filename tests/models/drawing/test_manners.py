"""Table manners on the simulated table: what is no act makes no event and leaves the table so."""

import numpy as np
import pytest

from models.deck import load_deck
from models.drawing.happening import truth
from models.drawing.play import Play
from models.drawing.script import parse_script, script_text
from rules.errors import FairdealError

SIZE = (480, 270)
GAME = """
game suds
players 2
seed 3
spot pile/1 0.4 0.5
spot pile/2 0.75 0.3
spot aside/1 0.1 0.15
spot aside/2 0.9 0.85
lies thing-cup aside/1
1.0 seat=1 place hat pile/1
2.5 seat=2 place socks pile/1
"""
QUIET = (
    "hold boxers pile/2 wait=0.6", "square pile/1", "peek socks pile/1 wait=0.3",
    "look socks pile/1 wait=0.5", "raise pile/1", "brush pile/1", "rest pile/1 wait=1.0",
    "elbow aside/2 wait=1.0", "move thing-cup aside/1 aside/2",
    "place boxers aside/2 how=drop",
)  # fmt: skip
AT = 6.0


def played(text):
    return Play(parse_script(text), load_deck("suds"), SIZE)


def of_the_game(play):
    return [card for card in play.cards if not card[1].startswith("aside/")]


@pytest.mark.parametrize("act", QUIET)
def test_what_is_no_act_is_seen_but_makes_no_event_and_leaves_the_cards(act):
    text = f"{GAME}{AT} seat=1 {act}\n"
    assert truth(parse_script(text)) == truth(parse_script(GAME))
    play, quiet = played(text), played(GAME)
    before = play.picture(3.8)
    quads = {(face, place): quad for face, place, quad in of_the_game(play)}
    seen = max(
        float(np.abs(play.picture(at).astype(int) - before).max(2).mean())
        for at in np.arange(4.0, AT, 0.2)
    )
    still = float(np.abs(quiet.picture(5.8).astype(int) - before).max(2).mean())
    play.picture(9.0)
    assert seen > still + 1
    assert [(face, place) for face, place, _ in of_the_game(play)] == list(quads)
    for face, place, quad in of_the_game(play):
        moved = float(np.linalg.norm(quad.mean(0) - quads[face, place].mean(0)))
        assert moved < 0.3 * 150 * SIZE[1] / 720


@pytest.mark.parametrize("act", [*QUIET, "place boxers pile/2 wait=0.5"])
def test_the_same_script_gives_the_same_pixels_and_reads_back(act):
    text = f"{GAME}{AT} seat=1 {act}\n"
    script = parse_script(text)
    assert parse_script(script_text(script), "script") == script
    one, other = played(text), played(text)
    for at in (5.5, 5.9):
        assert (one.picture(at) == other.picture(at)).all()


def test_a_card_that_hovers_is_held_larger_and_lands_when_it_is_told():
    play = played(f"{GAME}{AT} seat=1 place boxers pile/2 wait=1.0\n")
    play.picture(5.5)
    (act,) = [act for act in play._acts if act.step.face == "boxers"]
    assert act.height >= 0.03 and len(play.cards) == 3
    play.picture(6.1)
    assert play.cards[-1][:2] == ("boxers", "pile/2")


def test_a_tossed_card_slides_to_its_place_without_a_hand():
    text = f"{GAME}{AT} seat=1 place boxers pile/2"
    laid, tossed = played(f"{text}\n"), played(f"{text} how=toss\n")
    for play in (laid, tossed):
        play.picture(5.8)
    (act,) = [act for act in tossed._acts if act.step.face == "boxers"]
    assert np.linalg.norm(act.starts[0].centre - act.cards[0].centre) > 40
    for play in (laid, tossed):
        play.picture(8.0)
    assert [card[:2] for card in laid.cards] == [card[:2] for card in tossed.cards]
    assert truth(parse_script(f"{text} how=toss")) == truth(parse_script(text))


def test_a_pile_that_is_squared_up_has_one_direction():
    play = played(f"{GAME}{AT} seat=1 square pile/1\n")

    def turn():
        ways = [quad[1] - quad[0] for _, place, quad in play.cards if place == "pile/1"]
        a, b = (np.degrees(np.arctan2(way[1], way[0])) for way in ways)
        return abs((a - b + 90) % 180 - 90)

    play.picture(3.8)
    before = turn()
    play.picture(8.0)
    assert turn() < 3 < before


@pytest.mark.parametrize("shows", ["faces", "backs"])
@pytest.mark.parametrize("hands", ["one", "both"])
def test_a_fan_is_in_view_moves_and_loses_the_card_that_is_laid(shows, hands):
    fan = f"fan 1 0.5 0.5 {shows} {hands} hat pants sneakers\n"
    play, bare = played(fan + GAME), played(GAME)
    assert truth(parse_script(fan + GAME)) == truth(parse_script(GAME))
    rows = slice(int(SIZE[1] * 0.8), None)
    first, empty = play.picture(0.1)[rows].astype(int), bare.picture(0.1)[rows].astype(int)
    assert (np.abs(first - empty).max(2) > 40).mean() > 0.02
    assert len(play._fans[0]._cards) == 3
    later = [play.picture(at)[rows].astype(int) for at in (4.0, 7.0)]
    assert len(play._fans[0]._cards) == 2
    assert max((np.abs(one - first).max(2) > 40).mean() for one in later) > 0.01


def test_sleeves_have_a_pattern_by_their_seed():
    looks = [played(f"sleeves {n}\n{GAME}").picture(0.95) for n in (0, 1, 2)]
    assert (np.abs(looks[1].astype(int) - looks[2]).max(2) > 30).mean() > 0.01
    assert (np.abs(looks[0].astype(int) - looks[1]).max(2) > 30).mean() > 0.01


@pytest.mark.parametrize(
    "line", ["fan 3 0.5 0.5 backs one hat", "fan 1 0.5 0.5 sideways one hat", "camera broken"]
)
def test_a_fan_or_camera_that_is_none_is_refused_in_one_line(line):
    with pytest.raises(FairdealError, match="expected") as refused:
        parse_script(f"{line}\n{GAME}")
    assert "\n" not in str(refused.value)
