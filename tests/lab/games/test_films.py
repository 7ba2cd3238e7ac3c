"""Films of simulated games: drawn once, with their truth; clips with fans over them."""

import json

import cv2
import numpy as np
import pytest

from lab.evaluation.games import figures
from lab.games.films import (
    held_deck,
    overlay,
    read_truth,
    truths_in,
    wish_from,
    wish_text,
    write_film,
)
from lab.games.generate import Wish
from lab.games.score import GameScore
from models.drawing.steps import Fan
from rules.errors import FairdealError
from vision.sources import open_source

WISH = Wish("suds", 3, 1.5, 1, manners=("fans-backs",), cameras=("rate",))


@pytest.fixture(scope="module")
def film(tmp_path_factory):
    return write_film(WISH, tmp_path_factory.mktemp("films"))


def pictures(path):
    with open_source(str(path)) as source:
        while (frame := source.read()) is not None:
            yield frame


def test_a_film_shows_the_game_of_its_truth_and_is_drawn_once(film):
    truth = read_truth(film)
    shown = list(pictures(film.with_suffix(".avi")))
    assert truth.fps == 8.0 and truth.lasting == ("fans-backs",)
    assert shown[-1].at == pytest.approx(truth.seconds, abs=0.2)
    written = film.with_suffix(".avi").stat().st_mtime_ns
    assert write_film(WISH, film.parent) == film
    assert film.with_suffix(".avi").stat().st_mtime_ns == written
    assert truths_in(film.parent) == [(film, film.with_suffix(".avi"))]


def test_a_wish_reads_back():
    assert wish_from(wish_text(WISH)) == WISH


def test_a_folder_without_films_and_a_broken_truth_are_refused_in_one_line(tmp_path):
    with pytest.raises(FairdealError, match="none in"):
        truths_in(tmp_path)
    (tmp_path / "a.json").write_text("{}", encoding="utf-8")
    with pytest.raises(FairdealError, match="make the film anew"):
        read_truth(tmp_path / "a.json")


def test_fans_over_a_clip_leave_its_truth_and_its_middle(tmp_path):
    clip = tmp_path / "clip.mp4"
    writer = cv2.VideoWriter(str(clip), cv2.VideoWriter.fourcc(*"mp4v"), 15.0, (640, 360))
    for _ in range(6):
        writer.write(np.full((360, 640, 3), 90, np.uint8))
    writer.release()
    truth = {
        "clip": "clip.mp4", "game": "suds", "deck": "suds", "seats": [1, 3], "fps": 15,
        "duration_s": 0.4, "events": [],
    }  # fmt: skip
    clip.with_suffix(".json").write_text(json.dumps(truth), encoding="utf-8")
    out = tmp_path / "out.avi"
    fans = (
        Fan(1, 0.3, 0.5, False, False, ("hat",) * 5),
        Fan(2, 0.7, 0.5, True, True, ("hat",) * 3),
    )
    overlay(clip.with_suffix(".json"), out, held_deck("suds", 210), fans)
    assert json.loads(out.with_suffix(".json").read_text(encoding="utf-8")) == truth
    shown = list(pictures(out))
    assert len(shown) == 6
    far = np.abs(shown[3].bgr.astype(int) - 90).max(2)
    assert far[165:195].max() < 12
    assert (far[300:] > 60).mean() > 0.05 and (far[:60] > 60).mean() > 0.05


def test_a_folder_of_flat_pictures_is_a_deck_to_hold(tmp_path):
    for name, tone in (("back", 40), ("hat", 200)):
        cv2.imwrite(str(tmp_path / f"{name}.png"), np.full((88, 63, 3), tone, np.uint8))
    deck = held_deck(str(tmp_path), 176)
    assert deck.faces == ("hat",) and deck.pictures["back"].shape == (176, 126, 4)
    assert deck.pictures["hat"][0, 0, 3] == 0 and deck.pictures["hat"][88, 63].tolist() == [
        200
    ] * 3 + [255]


def test_a_result_is_json():
    assert json.loads(json.dumps(figures(GameScore(acts=3))))["acts"] == 3
