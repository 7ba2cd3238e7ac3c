"""Which cards of a game are kept for the deck to learn: bare, sure, seen twice, never doubted."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from kiosk.game.learning import LIMITS, CardCollector
from kiosk.game.news import EventJudged, FrameJudged, GameBegan, GameRejudged, LostBy, ViewLost
from kiosk.game.overruling import CardIs, NoMistake, SeatWas
from rules.contract.game import View, make_setup
from rules.games import game
from rules.table.call import Call, CallKind
from rules.table.event import Alternatives, Placed, Removed, Way
from vision.frame import Frame
from vision.scene.hand_blobs import Cover
from vision.scene.table import Table
from vision.scene.tracks import Track
from vision.scene.watcher import Observation

SUDS = game("suds")
VIEW = View(None, (), "")


def picture(seed):
    noise = np.random.default_rng(seed).integers(0, 255, (480, 640, 3), np.uint8)
    return cv2.normalize(cv2.GaussianBlur(noise, (0, 0), 3), None, 20, 235, cv2.NORM_MINMAX)


PICTURE = picture(3)
AT = ((100.0, 100.0), (163.0, 100.0), (163.0, 188.0), (100.0, 188.0))
FOUL = Call(CallKind.MISTAKE, "rule", "wrong")


def moved(corners, by):
    return tuple((x + by, y) for x, y in corners)


TRACK = Track(1, AT, "hat", 0.99, "lying", "pile-1", 2)


class Table7:
    """A game told to a collector, by and by. Seconds are frames."""

    def __init__(self):
        self.collector = CardCollector(clock=lambda: 1_700_000_000.0)
        self.number, self.at = 0, 0.0
        self.collector.hear(GameBegan(SUDS, make_setup(SUDS, 2), ("bottom", "top"), VIEW, number=7))

    def event(self, event, *calls, about=()):
        self.number += 1
        self.collector.hear(EventJudged(event, calls, VIEW, (), self.number, about))

    def placed(self, card="hat", place="pile-1", *calls, about=()):
        self.event(Placed(self.at, card, place, 2), *calls, about=about)

    def look(self, *tracks, picture=PICTURE, hand=None, seconds=1.0):
        self.at += seconds
        mask = np.zeros((120, 160), bool)
        if hand is not None:
            mask[hand] = True
        cover = Cover(mask, np.zeros(mask.shape, np.uint8))
        seen = Observation((), Table(), tracks, cover)
        frame = Frame(picture, self.at, int(self.at * 10))
        self.collector.hear(FrameJudged(frame, seen, self.at, 0.01))

    def go_on(self, count=LIMITS.later):
        for _ in range(count):
            self.placed("socks", "pile-2")

    @property
    def faces(self):
        return [one.face for one in self.collector.seen()]


@pytest.fixture
def table():
    return Table7()


def test_a_bare_card_seen_twice_is_kept_with_where_it_comes_from(table):
    table.placed()
    for _ in range(4):
        table.look(TRACK)
    assert table.faces == [], "the game has to go on first"
    table.go_on()
    (seen,) = table.collector.seen()
    origin = seen.origin
    assert (seen.face, origin.game, origin.number, origin.event) == ("hat", "suds", 7, 1)
    assert (origin.place, origin.seat, origin.confirmed) == ("pile-1", 2, "play")
    assert origin.light == pytest.approx(PICTURE.mean(), abs=3)
    (x0, y0), (x1, y1) = seen.quad.min(0), seen.quad.max(0)
    assert (x1 - x0, y1 - y0) == (63, 88)
    inside = seen.picture[int(y0) : int(y1), int(x0) : int(x1)].astype(float)
    assert np.abs(inside - PICTURE[100:188, 100:163]).mean() < 5


@pytest.mark.parametrize("change", [
    {"confidence": 0.9}, {"state": "covered"}, {"state": "coming"}, {"place": None},
    {"face": "socks"}, {"face": "unknown"}, {"corners": moved(AT, -101)},
    {"corners": tuple((x / 2, y / 2) for x, y in AT)},
])  # fmt: skip
def test_what_is_not_clear_is_not_kept(table, change):
    table.placed()
    for _ in range(4):
        table.look(replace(TRACK, **change))
    table.go_on()
    assert table.faces == []


def test_a_card_under_a_hand_or_another_card_is_not_kept(table):
    table.placed()
    for _ in range(4):
        table.look(TRACK, hand=np.s_[24:30, 25:30])
    for _ in range(4):
        table.look(TRACK, replace(TRACK, number=2, corners=moved(AT, 50), place=None))
    table.go_on()
    assert table.faces == []


def test_a_card_on_top_of_others_is_bare(table):
    table.placed()
    for _ in range(4):
        table.look(replace(TRACK, number=2, corners=moved(AT, 50), state="covered"), TRACK)
    table.go_on()
    assert table.faces == ["hat"]


def test_two_looks_that_differ_say_nothing(table):
    table.placed()
    for seed in range(5):
        table.look(TRACK, picture=picture(seed))
    table.go_on()
    assert table.faces == []


def kept(table):
    """A hat on pile 1, kept, and the game goes on."""
    table.placed()
    for _ in range(3):
        table.look(TRACK)
    table.go_on()
    assert table.faces == ["hat"]


@pytest.mark.parametrize(
    "overruling", [CardIs(1, "socks"), NoMistake(1)], ids=lambda one: type(one).__name__
)
def test_what_people_put_right_is_forgotten(table, overruling):
    kept(table)
    table.collector.hear(GameRejudged(overruling, ((),) * 3, 0, VIEW))
    assert table.faces == []


def test_what_people_confirm_is_kept_though_the_game_asked(table):
    table.placed("hat", "pile-1", Call(CallKind.UNSURE, "doubt", "which card?"))
    for _ in range(3):
        table.look(TRACK)
    table.go_on()
    assert table.faces == []
    table.collector.hear(GameRejudged(CardIs(1, "hat"), ((),) * 3, 0, VIEW))
    assert table.collector.seen()[0].origin.confirmed == "people"


def test_another_seat_is_no_other_card(table):
    kept(table)
    table.collector.hear(GameRejudged(SeatWas(1, 1), ((),) * 3, 0, VIEW))
    assert table.faces == ["hat"]


def test_a_foul_by_a_card_or_about_it_later_is_a_doubt(table):
    kept(table)
    table.placed("socks", "pile-2", FOUL, about=(1,))
    assert table.faces == []


def test_calls_that_turn_over_later_are_a_doubt(table):
    kept(table)
    table.collector.hear(GameRejudged(None, ((FOUL,), (), ()), 1, VIEW))
    assert table.faces == []


def test_a_card_that_goes_under_another_name_was_misread(table):
    kept(table)
    table.event(Removed(table.at, "socks", "pile-1", 1))
    assert table.faces == []


def test_a_card_that_is_named_again_as_another_was_misread(table):
    kept(table)
    table.look(replace(TRACK, face="socks"))
    assert table.faces == []


def test_an_event_that_may_have_been_another_teaches_nothing(table):
    other = Placed(0.0, "socks", "pile-1", 2)
    ways = Alternatives((Way(0.6, (replace(other, card="hat"),)), Way(0.4, (other,))))
    table.event(Placed(0.0, "hat", "pile-1", 2, ways=ways))
    for _ in range(4):
        table.look(TRACK)
    table.go_on()
    assert table.faces == []


def test_memory_is_bounded(table, monkeypatch):
    monkeypatch.setattr("kiosk.game.learning.LIMITS", replace(LIMITS, per_face=3, in_all=5))
    for k in range(12):
        face = "hat" if k % 2 else "boxers"
        table.placed(face, f"pile-{k}")
        track = replace(TRACK, number=k, face=face, place=f"pile-{k}")
        for _ in range(3):
            table.look(track)
    table.go_on()
    assert sorted(table.faces) == ["boxers"] * 2 + ["hat"] * 3


def test_a_new_watcher_numbers_its_cards_anew(table):
    table.placed()
    table.look(TRACK)
    table.look(TRACK)
    table.collector.hear(ViewLost(table.at, LostBy.PLACE, "moved"))
    table.placed("socks", "pile-3")
    for _ in range(4):
        table.look(replace(TRACK, face="socks", place="pile-3"))
    table.go_on()
    assert "socks" in table.faces and set(table.faces) <= {"hat", "socks"}


def test_a_card_that_is_done_is_not_looked_at_again(table, monkeypatch):
    kept(table)
    looks = []
    monkeypatch.setattr(table.collector, "_is_bare", lambda *words: looks.append(words))
    for _ in range(50):
        table.look(TRACK, seconds=0.1)
    assert looks == []
