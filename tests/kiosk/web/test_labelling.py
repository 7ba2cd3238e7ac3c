"""The page of `fairdeal label` in a real browser: by keyboard and by finger, on both screens."""

from __future__ import annotations

import pytest
from axe_check import check_access
from labelled_film import ASKED, COUNT, LOADED, labelling
from processes import until
from real_browser import browser, complaints, keep, require_browser, wait_for
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from touch import tap_css

from device.recording import RecordingSettings
from kiosk.assembly import read_request
from kiosk.field.recorder import Recorder
from kiosk.field.recording import read_recording
from kiosk.field.truth import read_truth
from kiosk.field.writing import Recordings
from lab.page.told import told_table

pytestmark = pytest.mark.pages

TYPED = """for (const key of arguments[0])
    document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}))"""
SIZES = {"table": (1024, 600), "phone": (390, 844)}


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
        wait_for(driver, ASKED)
        check_access(driver, "a correction")
        keep(driver, "label-table")
        ActionChains(driver).send_keys("pa", Keys.ENTER).perform()
        wait_for(driver, f"{COUNT}.startsWith('5 of 5')")
        wait_for(driver, "document.querySelector('.label .note').textContent.includes('0 calls')")
        truth = read_truth(out)
        assert cards_of(truth) == ["hat", "t-shirt", "boxers", "pants"]
        assert truth.expected_calls == []
        body.send_keys(Keys.BACKSPACE)
        wait_for(driver, f"{COUNT}.includes('Said to be wrong')")
        body.send_keys("n")  # nothing happened at all
        wait_for(driver, f"{COUNT}.startsWith('5 of 5')")
        until(lambda: len(cards_of(read_truth(out))) == 3, "a truth of three cards")
        assert complaints(driver) == []
    assert cards_of(read_truth(out)) == ["hat", "t-shirt", "boxers"]


def test_a_fast_typist_loses_nothing(recorded, tmp_path):
    """Sixty labels at once are more than the server takes in a second; the last one counts."""
    out = tmp_path / "truth.json"
    with labelling(recorded, out) as address, browser(*SIZES["table"]) as driver:
        driver.get(address)
        wait_for(driver, LOADED)
        driver.execute_script(TYPED, ["r", "Backspace"] * 60 + ["n"])
        wait_for(driver, f"{COUNT}.startsWith('2 of 5')")
        until(lambda: out.exists() and "hat" not in cards_of(read_truth(out)), "the last label")
        assert complaints(driver) == []


def cards_of(truth):
    """The cards that were laid."""
    return [each.card for each in truth.events_truth if each.event == "placed"]


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
