"""Films that are watched again and again, and where they are cut."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from kiosk.game.inbox import Inbox
from lab.chaos.filmed_games import clip_events, simulated_game
from lab.chaos.kept_film import FilmEyes, FilmPart, KeptFilm
from lab.chaos.picture_resumes import (
    ACT_S,
    AFTER_S,
    BEFORE_S,
    BEGUN_S,
    picture_resumes,
    random_cuts,
)
from lab.chaos.table import lying
from lab.games.generate import Wish
from rules.table.event import Placed, Pressed, Removed
from vision.frame import Frame
from vision.sightings import Located
from vision.sources.source import Source


class Grey(Source):
    """Eight frames, 0.1 s apart, each of its own grey."""

    name = "grey"

    def __init__(self):
        self.left = list(range(8))

    def read(self):
        if not self.left:
            return None
        number = self.left.pop(0)
        return Frame(np.full((9, 16, 3), 30 * number, np.uint8), number / 10, number)


class CountingEyes:
    """Eyes that find nothing and count their looks."""

    def __init__(self):
        self.looks = 0

    def locate(self, bgr):
        self.looks += 1
        return Located.empty()

    def name(self, bgr, quads, quick=False, known=None):
        self.looks += 1
        return quads.sum()


def test_a_part_of_a_film_begins_at_0_with_the_presses_up_to_each_frame():
    inbox = Inbox()
    part = FilmPart(KeptFilm(Grey()), 0.25, (Pressed(0.1, "draw"), Pressed(0.62, "end")), inbox)
    frames, pressed = [], []
    while (frame := part.read()) is not None:
        frames.append((round(frame.at, 3), int(np.median(frame.bgr)) // 30))
        pressed.append([event.button for event in inbox.take()])
    assert frames == [(0.05, 3), (0.15, 4), (0.25, 5), (0.35, 6), (0.45, 7)]
    assert pressed == [["draw"], [], [], [], ["end"]]


def test_each_frame_is_looked_at_once_however_often_it_is_shown():
    film, eyes = KeptFilm(Grey()), CountingEyes()
    seen = FilmEyes(eyes, film)
    quads = np.ones((1, 4, 2), np.float32)
    for _ in range(3):
        part = FilmPart(film, 0.0, (), Inbox())
        while (frame := part.read()) is not None:
            seen.locate(frame.bgr)
            seen.name(frame.bgr, quads)
    assert eyes.looks == 2 * len(film) == 16
    seen.name(film.shown, quads, quick=True)
    seen.locate(np.zeros((9, 16, 3), np.uint8))  # no frame of the film
    assert eyes.looks == 18


def test_cuts_fall_into_the_game_and_most_of_them_into_acts():
    acts = [float(at) for at in range(2, 40, 2)]
    cuts = list(random_cuts(acts, 40, Random(1)))
    assert sum(cut.is_mid_act for cut in cuts) == 30
    first, last = acts[0] + BEFORE_S - ACT_S, acts[-1] - AFTER_S + ACT_S
    assert all(acts[0] < cut.at <= cut.restart for cut in cuts)
    assert all(first <= cut.restart <= last for cut in cuts)
    gaps = {round(cut.restart - cut.at, 6) for cut in cuts if cut.at > acts[0] + BEGUN_S}
    assert gaps == {0.0, 2.0, 6.0}


def test_what_happens_in_a_clip_is_told_in_the_words_of_events():
    act = {"pile": 1, "seat": 2, "face": "hat"}
    told = [
        {**act, "t_settled": 1.0, "action": "toss"},
        {**act, "t_settled": 2.0, "action": "toss", "face": "pants"},
        {**act, "t_settled": 3.0, "action": "take-back", "face": "pants"},
        {**act, "t_settled": 4.0, "action": "toss", "face": "t-shirt"},
        {**act, "t_settled": 5.0, "action": "sweep", "face": None},
    ]
    events = clip_events(told, [4, 2])
    assert events[1] == Placed(1.0, "hat", "pile/1", 2)
    assert events[-2:] == (Removed(5.0, "t-shirt", "pile/1", 2), Removed(5.0, "hat", "pile/1", 2))
    assert lying(events) == [] and lying(events[:-2]) == ["hat", "t-shirt"]


@pytest.mark.slow
def test_a_game_that_is_cut_once_goes_on_without_a_false_call():
    game = simulated_game(Wish("suds", 4, 2.4, 6, plain=True))
    (score,) = picture_resumes(game, 1, Random(1))
    assert (score.cuts, score.false_mistakes, score.ghosts) == (1, 0, 0), score.faults
    assert score.waits_s and score.unbroken_false == 0
