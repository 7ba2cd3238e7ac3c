"""A rendered game in real time at the kiosk: recorded, reported, opened, labelled, measured."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from labelled_film import LOADED, Labeller, labelling, true_acts
from patience import PATIENCE_S
from real_browser import browser, complaints, require_browser, wait_for
from recorded import recording_in
from running_kiosk import running_kiosk

from kiosk.cli import main
from kiosk.field.labels import items_of
from kiosk.field.recording import read_recording
from kiosk.field.truth import read_truth

pytestmark = pytest.mark.shared
CLIP = Path(__file__).parents[4] / "shared" / "scenes" / "clips" / "clip1"
DECK = CLIP.parents[1] / "teach" / "suds-a"
SEATS = ["bottom", "left", "right"]
FILM_S = 33


@dataclass(frozen=True)
class Page:
    """What a screen asks of the kiosk's page."""

    address: str

    def asked(self, path: str, body: object = None) -> dict:
        sent = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.address.rstrip("/") + path, sent, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return json.load(answer)


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The recording of the game, taken to a fresh folder; its last call was kept on the page."""
    home = tmp_path_factory.mktemp("home")
    decks = home / "page" / "decks"
    decks.mkdir(parents=True)
    fairdeal("calibrate", "deck", "suds-a", "--game", "suds", "--from", str(DECK),
             folder=decks)  # fmt: skip
    source = str(CLIP.with_suffix(".mp4"))
    with running_kiosk(home, source, "--record", str(home / "kept")) as address:
        page = Page(address)
        deck = str(decks / "suds-a")
        setup = {"game": "suds", "players": 3, "deck": deck, "seats": SEATS}
        assert page.asked("/api/games", setup)["ok"]
        state, end = {}, time.monotonic() + PATIENCE_S + FILM_S
        while state.get("phase") != "over":
            assert time.monotonic() < end, "the film has no end"
            time.sleep(0.5)
            state = page.asked("/api/state")
        kept = page.asked("/api/field/keep", {"call": state["calls"][-1]["n"]})
        assert kept["ok"] and kept["part"]["calls"] >= 1
    fresh = tmp_path_factory.mktemp("fresh")
    return Path(shutil.move(recording_in(home / "kept"), fresh / "game"))


def fairdeal(*words: str, folder: Path) -> list[str]:
    """What the command prints, in a folder and a home that know nothing of the game."""
    done = subprocess.run(
        [sys.executable, "-m", "kiosk.cli", *words], cwd=folder, capture_output=True, text=True,
        env={**os.environ, "FAIRDEAL_HOME": str(folder / "home")},
    )  # fmt: skip
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def report(recording: Path) -> Path:
    """The whole game as one file."""
    fairdeal("report", str(recording), "--all", "--yes", "--out", "game.fairdeal",
             folder=recording.parent)  # fmt: skip
    return recording.parent / "game.fairdeal"


def calls_of(lines: list[str]) -> list[str]:
    return [line for line in lines if "call" in json.loads(line)]


def test_today_s_code_makes_the_same_calls_to_the_byte(report: Path) -> None:
    was, now = (
        calls_of(fairdeal("open", *how, folder=report.parent))
        for how in ((report.name, "--as-recorded"), (report.name, "--headless"))
    )
    assert was and now == was


def test_a_report_without_a_choice_is_of_the_call_that_was_kept(recording: Path) -> None:
    folder = recording.parent
    fairdeal("report", str(recording), "--yes", "--out", "call.fairdeal", folder=folder)
    with_call = fairdeal("open", "call.fairdeal", "--as-recorded", folder=folder)
    last = calls_of((recording / "game.jsonl").read_text().splitlines())[-1]
    assert last in with_call


@pytest.fixture(scope="module")
def labelled(report: Path) -> Iterator[Labeller]:
    """A person walks through it by keyboard."""
    require_browser()
    items = items_of(read_recording(report.parent / "game"))
    truth = report.with_suffix(".json")
    with labelling(report, truth) as address, browser(1024, 600) as driver:
        driver.get(address)
        wait_for(driver, LOADED)
        person = Labeller(driver, true_acts(json.loads(CLIP.with_suffix(".json").read_text())))
        person.label(items)
        note = "document.querySelector('.label .note:not([aria-busy])')"
        wait_for(driver, f"{note}?.textContent.includes('Saved as')")
        assert complaints(driver) == []
    return person


def test_its_labels_are_the_truth_and_measure_the_referee(
    labelled: Labeller, report: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One key an act that was told rightly, four where the card was another one."""
    said = labelled.verdicts
    assert labelled.keys == len(said) + 3 * said.count("w")
    truth = read_truth(report.with_suffix(".json"))
    told = [(each.event, each.card) for each in truth.events_truth if each.event != "pressed"]
    known = [(each.event, each.card) for each in labelled.acts if each.is_told]
    assert sorted(told) == sorted(known)
    assert main(["evaluate", "field", str(report.parent)]) == 0
    row = next(each for each in capsys.readouterr().out.splitlines() if each.startswith("| all |"))
    recordings, events, right, due = row.split(" | ")[1:5]
    wanted = [each for each in truth.expected_calls if each.kind != "corrected"]
    assert (recordings, events, due) == ("1", str(len(told)), str(len(wanted)))
    calls = calls_of((report.parent / "game" / "game.jsonl").read_text().splitlines())
    assert int(right) == said.count("r") - len(calls)
