"""From the camera to the measure, with the real eyes: recorded, passed on, judged again, scored."""

from __future__ import annotations

import base64
import io
import itertools
import json
import re
import shutil
from contextlib import redirect_stdout
from functools import partial

import cv2
import pytest
from axe_check import check_access
from real_browser import browser, complaints, keep, require_browser, wait_for
from recorded import refereed

from host.ports import free_port
from kiosk.cli import main
from kiosk.field.labels import Label, Labels, truth_of
from kiosk.field.recording import read_recording
from kiosk.field.truth import truth_path, write_truth
from vision.sources.paced import Unhurried

SIZES = {"table": (1024, 600), "phone": (390, 844)}


def said(capsys):
    """The calls, to the byte."""
    return [line for line in capsys.readouterr().out.splitlines() if "call" in json.loads(line)]


def kinds(calls):
    return [json.loads(call)["call"] for call in calls]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """The recording's folder."""
    return refereed(tmp_path_factory.mktemp("again"))


def test_a_report_of_a_game_is_judged_as_the_game_was(recorded, tmp_path, capsys):
    out = tmp_path / "game.fairdeal"
    assert main(["report", str(recorded), "--all", "--yes", "--out", str(out)]) == 0
    capsys.readouterr()
    assert main(["open", str(out), "--as-recorded"]) == 0
    as_recorded = said(capsys)
    assert kinds(as_recorded) == ["mistake", "corrected"]
    assert main(["open", str(out), "--headless"]) == 0
    assert said(capsys) == as_recorded


def test_a_replay_on_the_page_sees_every_picture_however_slow_the_machine(
    recorded, monkeypatch, capsys
):
    """Each look at the clock finds that a minute has passed: every picture is late."""
    late = itertools.count(0.0, 60.0)
    slow = partial(Unhurried, clock=lambda: next(late), sleep=lambda _: None)
    monkeypatch.setattr("vision.sources.paced.Unhurried", slow)
    assert main(["open", str(recorded), "--port", str(free_port())]) == 0
    pictures = sum(len(segment.pictures) for segment in read_recording(recorded).segments)
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.endswith(f" {pictures} frames; 1 corrected, 1 mistake"), last


@pytest.fixture(scope="module")
def measured(recorded, tmp_path_factory):
    """What the first of two measures printed, and the pages of both. In the later truth one card
    less was laid: the referee told one too many."""
    folder = tmp_path_factory.mktemp("measured")
    out, old, new = (folder / name for name in ("game.fairdeal", "before.html", "after.html"))
    assert main(["report", str(recorded), "--all", "--yes", "--out", str(out)]) == 0
    recording = read_recording(recorded)
    write_truth(truth_path(out), truth_of(recording, Labels(labels=[]), (1280, 720)))
    words = ["evaluate", "field", str(folder), "--html"]
    with redirect_stdout(io.StringIO()) as shown:
        assert main([*words, str(old)]) == 0
    wrong = Labels(labels=[Label(verdict="wrong", item=0)])
    write_truth(truth_path(out), truth_of(recording, wrong, (1280, 720)))
    assert main([*words, str(new), "--against", str(old.with_suffix(".json"))]) == 0
    return shown.getvalue(), old, new


def test_labels_of_it_measure_the_referee(measured):
    shown, *_ = measured
    row = next(line for line in shown.splitlines() if line.startswith("| all |"))
    recordings, events, right, due, called, false, questions = row.split(" | ")[1:8]
    assert (recordings, due, called, false, questions) == ("1", "1", "1", "0", "0"), shown
    assert events == right == "5", shown


def test_the_page_of_a_measure_shows_the_worst_moments_and_the_change(measured, tmp_path):
    _, old, new = measured
    assert "No fault was found." in old.read_text()
    page = new.read_text()
    assert "4 (-1)" in page and "class='worse'" in page
    assert "<li>false: placed hat at pile/1 by seat 1, 1." in page
    films = re.findall(r"data:video/webm;base64,([A-Za-z0-9+/=]+)", page)
    assert films and len(films) <= 5 and "http" not in page
    clip = tmp_path / "moment.webm"
    clip.write_bytes(base64.b64decode(films[0]))
    frames = cv2.VideoCapture(str(clip))
    assert frames.read()[1].shape == (360, 640, 3)


@pytest.mark.pages
@pytest.mark.parametrize("screen", SIZES)
def test_the_page_of_a_measure_plays_its_films_in_a_browser(measured, screen):
    require_browser()
    with browser(*SIZES[screen]) as driver:
        driver.get(measured[2].as_uri())
        wait_for(driver, "document.querySelector('video')?.videoWidth === 640")
        driver.execute_script("document.querySelector('video').play()")
        wait_for(driver, "document.querySelector('video').currentTime > 0")
        wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
        assert not driver.execute_script(f"return {wide}")
        keep(driver, f"measure-{screen}")
        check_access(driver, "the page of a measure")
        assert complaints(driver) == []


def test_figures_that_are_none_are_refused_in_one_line(measured, tmp_path, capsys):
    _, old, _ = measured
    words = ["evaluate", "field", str(old.parent)]
    assert main([*words, "--against", str(old)]) == 2  # the page is no file of figures
    assert main([*words, "--html", str(tmp_path / "x.html"), "--against", str(old)]) == 2
    assert capsys.readouterr().err.count("\n") == 2


def test_a_film_that_begins_in_mid_game_goes_on_from_there(recorded, tmp_path, capsys):
    """The first segments are gone, as in a folder that was full."""
    recorded = shutil.copytree(recorded, tmp_path / "cut")
    recording = read_recording(recorded)
    later = next(s for s in recording.segments if s.began.events > 1)
    for segment in recording.segments:
        if segment.began.at < later.began.at:
            segment.film.unlink()
            segment.film.with_suffix(".jsonl").unlink()
    assert not read_recording(recorded).is_whole
    assert main(["open", str(recorded), "--headless"]) == 0
    assert "mistake" not in kinds(said(capsys))
