"""The field kit on the page, in a real browser: the switch, the red dot, a call that is kept."""

from __future__ import annotations

import json
import os
import urllib.request
from contextlib import ExitStack, contextmanager

import pytest
from axe_check import check_access
from processes import until
from real_browser import browser, complaints, keep, require_browser, wait_for
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from test_history import written
from told_table import told_table
from touch import tap_button, tap_css

from device.recording import RecordingSettings
from kiosk.assembly import read_request
from kiosk.field.opening import opened_recording
from kiosk.field.recorder import Recorder
from kiosk.field.recording import read_recording
from kiosk.field.writing import Recordings
from rules.errors import FairdealError

pytestmark = pytest.mark.pages

SIZES = {"table": (1024, 600), "phone": (390, 844)}
LANGUAGES = {"table": "en", "phone": "de"}  # of the page on each screen
WORDS = {
    "en": {
        "keep": "This was wrong: keep it", "seats": "seats in place of names",
        "part": "{} % of the width", "note": "those were boxers",
        "record": "Record this table", "end": "End the recording",
        "history": "Games played", "whole": "Keep the recording",
    },
    "de": {
        "keep": "Das war falsch: behalten", "seats": "Plätze statt Namen",
        "part": "{} % der Breite", "note": "das waren Boxershorts, größere",
        "record": "Diesen Tisch aufnehmen", "end": "Aufnahme beenden",
        "history": "Gespielte Spiele", "whole": "Aufnahme behalten",
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A game with a mistake that is open, at a table that can be recorded."""
    require_browser()
    folder = tmp_path_factory.mktemp("field")
    os.environ["FAIRDEAL_HOME"] = str(folder)
    with told_table(folder / "page") as told:
        told.inbox.recording.is_there = True
        told.begin()
        told.place("hat", "pile/1", 1)
        told.place("socks", "pile/1", 2)
        yield told
    os.environ.pop("FAIRDEAL_HOME", None)


@pytest.fixture(scope="module")
def recorded_table(tmp_path_factory):
    """The same, whose pictures a recorder keeps."""
    require_browser()
    folder = tmp_path_factory.mktemp("kept")
    os.environ["FAIRDEAL_HOME"] = str(folder)
    recordings = Recordings(folder / "recordings", read_request("suds", None, 3, {}, None))

    def record(inbox):
        return Recorder(recordings, inbox, RecordingSettings(), print)

    with told_table(folder / "page", record=record) as told:
        told.inbox.recording.turn(on=True)
        told.number = written(folder / "journal.sqlite")
        told.begin()
        told.place("hat", "pile/1", 1)
        told.place("socks", "pile/1", 2)
        (taken,) = (folder / "recordings").iterdir()
        # The disk is written as pictures come.
        until(lambda: has_pictures(taken, 12) or told.film(6), "pictures on the disk")
        yield told, folder
    os.environ.pop("FAIRDEAL_HOME", None)


def has_pictures(taken, count):
    """Whether the recorder, which gives way to all else, has written so many."""
    try:
        return read_recording(taken).pictures >= count
    except FairdealError:
        return False


@pytest.mark.parametrize("screen", SIZES)
def test_a_call_that_was_wrong_is_shown_and_saved(recorded_table, screen):
    words = WORDS[LANGUAGES[screen]]
    with kept(recorded_table, screen) as (driver, unpacked):
        tap_css(driver, ".hero .row button")
        keep_it = "[...document.querySelectorAll('dialog button')]"
        keep_it += f".find(each => each.textContent === '{words['keep']}')"
        wait_for(driver, f"{keep_it} !== undefined")
        driver.execute_script(f"{keep_it}.click()")
        look(driver, screen, f"keep-{screen}")
        choose_part(driver, words["part"])
        keep(driver, f"keep-part-{screen}")
        found, said = unpacked()
        assert [call["call"] for call in found.calls] == ["mistake"]
        picture = next(found.frames()).bgr
    height, width = picture.shape[:2]
    assert picture[:, : width // 4 - 12].max() < 16  # what is outside is black
    assert picture[height // 2, width // 2 :].max() > 40
    assert said["note"] == words["note"] and said["mark"]["call"] == "mistake"


@pytest.mark.parametrize("screen", SIZES)
def test_a_recorded_game_is_kept_from_the_list_of_games(recorded_table, screen):
    words = WORDS[LANGUAGES[screen]]
    with kept(recorded_table, screen) as (driver, unpacked):
        tap_css(driver, ".menu")
        tap_button(driver, words["history"], "dialog")
        wait_for(driver, "document.querySelector('.games button') !== null")
        keep(driver, f"history-recorded-{screen}")
        tap_button(driver, words["whole"], ".games")
        look(driver, screen, f"keep-game-{screen}")
        found, said = unpacked()
    _, folder = recorded_table
    (taken,) = (each for each in (folder / "recordings").iterdir() if each.name != "reports")
    whole = read_recording(taken)
    assert whole.about.number == 1 and found.about.number is None
    assert found.pictures == whole.pictures and found.lines == whole.lines
    assert said["note"] == words["note"] and said["mark"] is None


@contextmanager
def opened(table, screen):
    """The table's page on this screen, in its language."""
    with browser(*SIZES[screen], touch=True) as driver:
        driver.get(f"{table.address}?lang={LANGUAGES[screen]}")
        wait_for(driver, "document.querySelector('.hero[data-call=mistake]') !== null")
        yield driver


@contextmanager
def kept(recorded_table, screen):
    """The page, and what saves the report that it shows and unpacks that: (recording, what people
    said of it)."""
    table, folder = recorded_table
    before = reports(folder)
    with ExitStack() as files, opened(table, screen) as driver:

        def unpacked():
            saved = save(driver, WORDS[LANGUAGES[screen]]["note"])
            (path,) = reports(folder) - before
            assert saved == path.read_bytes()
            made = files.enter_context(opened_recording(path))
            return read_recording(made), json.loads((made / "report.json").read_text())

        yield driver, unpacked
        assert complaints(driver) == []


def reports(folder):
    """The reports that were saved."""
    return set((folder / "recordings").glob("reports/*.fairdeal"))


def look(driver, screen, name):
    """What the report would hold is shown, and can be used by everybody."""
    images = "[...document.querySelectorAll('.keep .strip img')]"
    wait_for(driver, f"{images}.length === 6 && {images}.every(i => i.naturalWidth > 99)")
    words = WORDS[LANGUAGES[screen]]
    assert words["seats"] in driver.find_element(By.CSS_SELECTOR, ".keep").text
    keep(driver, name)
    check_access(driver, "what a report holds")
    wide = driver.execute_script("return document.documentElement.scrollWidth")
    assert wide <= SIZES[screen][0]


def save(driver, note):
    """Saves the report with this note; the file as the page's link gives it."""
    driver.find_element(By.ID, "keep-note").send_keys(note)
    driver.execute_script("document.querySelector('.keep .main').click()")
    wait_for(driver, "document.querySelector('.keep .is-done a') !== null")
    link = driver.find_element(By.CSS_SELECTOR, ".keep .is-done a").get_attribute("href")
    with urllib.request.urlopen(link, timeout=60) as answer:
        return answer.read()


def choose_part(driver, says):
    """Drags a rectangle from the upper left quarter to the lower right corner, and moves it."""
    frame = driver.find_element(By.CSS_SELECTOR, ".part-frame")
    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", frame)
    wait_for(driver, "document.querySelector('.part-frame img').naturalWidth > 99")
    wide, high = frame.rect["width"], frame.rect["height"]
    act = ActionChains(driver).move_to_element(frame).move_by_offset(-wide / 4, -high / 4)
    act.click_and_hold().move_by_offset(wide / 2, high / 2).move_by_offset(wide / 5, high / 5)
    act.release().perform()
    words = "document.querySelector('.part .note').textContent"
    wait_for(driver, f"{words}.includes('{says.format(70)}')")
    frame.send_keys(Keys.SHIFT, Keys.ARROW_RIGHT)
    wait_for(driver, f"{words}.includes('{says.format(72)}')")


def button_named(driver, text):
    """The button of the open dialog with this text."""
    buttons = driver.find_elements(By.CSS_SELECTOR, "dialog button")
    return next(each for each in buttons if each.text == text)


@pytest.mark.parametrize("screen", SIZES)
def test_the_menu_records_the_table_and_a_red_dot_says_so(table, screen):
    words = WORDS[LANGUAGES[screen]]
    with opened(table, screen) as driver:
        assert not driver.find_element(By.CSS_SELECTOR, ".bar .recording").is_displayed()
        driver.find_element(By.CSS_SELECTOR, ".bar .menu").click()
        check_access(driver, "the menu with the recording")
        button_named(driver, words["record"]).click()
        wait_for(driver, f"document.querySelector('#sheet').textContent.includes('{words['end']}')")
        assert table.inbox.recording.is_on
        wait_for(driver, "document.querySelector('.bar .recording:not([hidden])') !== null")
        keep(driver, f"recording-{screen}")
        button_named(driver, words["end"]).click()
        wait_for(driver, "document.querySelector('.bar .recording[hidden]') !== null")
        assert not table.inbox.recording.is_on
        assert complaints(driver) == []
