"""The page of `fairdeal label` in a real browser: by keyboard and by finger, on both screens."""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager

import pytest
from axe_check import check_access
from real_browser import browser, complaints, keep, require_browser, wait_for
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from touch import tap_css

from device.recording import RecordingSettings
from host.ports import free_port
from kiosk.assembly import read_request
from kiosk.field.recorder import Recorder
from kiosk.field.recording import read_recording
from kiosk.field.truth import read_truth
from kiosk.field.writing import Recordings
from lab.page.told import told_table

SIZES = {"table": (1024, 600), "phone": (390, 844)}
LOADED = "document.querySelector('.label .film')?.naturalWidth > 99"
COUNT = "document.querySelector('.label .state').textContent.trim()"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """A recorded game of four cards, the last one a mistake."""
    require_browser()
    folder = tmp_path_factory.mktemp("label")
    recordings = Recordings(folder / "recordings", read_request("suds", None, 3, {}, None))

    def record(inbox):
        return Recorder(recordings, inbox, RecordingSettings(), print)

    with told_table(folder / "page", record=record) as told:
        told.inbox.recording.turn(on=True)
        told.begin()
        for seat, card in enumerate(("hat", "t-shirt", "boxers", "socks"), 1):
            told.place(card, "pile/1", (seat - 1) % 3 + 1)
    (found,) = (folder / "recordings").iterdir()
    return found


@contextmanager
def labelling(folder, out):
    """The command, and its page's address."""
    words = [sys.executable, "-m", "kiosk.cli", "label", str(folder), "--out", str(out)]
    free = [*words, "--port", str(free_port())]
    with subprocess.Popen(free, stdout=subprocess.PIPE, text=True) as child:
        try:
            assert child.stdout is not None
            yield child.stdout.readline().removeprefix("page: ").strip()
        finally:
            child.terminate()
            child.wait()


def test_a_game_is_labelled_by_keyboard(recorded, tmp_path):
    out = tmp_path / "truth.json"
    with labelling(recorded, out) as address, browser(*SIZES["table"]) as driver:
        driver.get(address)
        wait_for(driver, LOADED)
        assert "hat was laid" in driver.find_element(By.CSS_SELECTOR, ".label .words").text
        body = driver.find_element(By.TAG_NAME, "body")
        for number in ("2", "3", "4"):
            body.send_keys("r")
            wait_for(driver, f"{COUNT}.startsWith('{number} of 5')")
        body.send_keys("w")
        wait_for(driver, "document.querySelector('#correct-card') !== null")
        driver.execute_script("document.querySelector('#correct-card').value = 'pants'")
        check_access(driver, "a correction")
        keep(driver, "label-table")
        driver.find_element(By.CSS_SELECTOR, ".correction [type=submit]").click()
        wait_for(driver, f"{COUNT}.startsWith('5 of 5')")
        wait_for(driver, "document.querySelector('.label .note').textContent.includes('0 calls')")
        body.send_keys(Keys.BACKSPACE)
        wait_for(driver, f"{COUNT}.includes('Said to be wrong')")
        assert complaints(driver) == []
    truth = read_truth(out)
    cards = [each.card for each in truth.events_truth if each.event == "placed"]
    assert cards == ["hat", "t-shirt", "boxers", "pants"] and truth.expected_calls == []


def test_a_game_is_labelled_by_finger_on_a_phone(recorded, tmp_path):
    out = tmp_path / "truth.json"
    with labelling(recorded, out) as address, browser(*SIZES["phone"]) as driver:
        driver.get(f"{address}?lang=de")
        wait_for(driver, LOADED)
        wide = driver.execute_script("return document.documentElement.scrollWidth")
        assert wide <= SIZES["phone"][0]
        check_access(driver, "labels")
        keep(driver, "label-phone")
        for number in ("2", "3", "4", "5"):
            tap_css(driver, ".acts .main")
            wait_for(driver, f"{COUNT}.startsWith('{number} von 5')")
        tap_css(driver, ".acts .main")
        wait_for(driver, "document.querySelector('.label .words').textContent.includes('Alles')")
        assert complaints(driver) == []
    truth = read_truth(out)
    assert [due.face for due in truth.expected_calls] == ["socks"]
    assert truth.game == read_recording(recorded).about.game
