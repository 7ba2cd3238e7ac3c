"""The field kit on the page, in a real browser: the switch, the red dot, a call that is kept."""

from __future__ import annotations

import json
import os
import urllib.request

import pytest
from axe_check import check_access
from real_browser import browser, complaints, keep, require_browser, wait_for
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from told_table import told_table
from touch import tap_css

from device.recording import RecordingSettings
from kiosk.assembly import read_request
from kiosk.field.opening import opened_recording
from kiosk.field.recorder import Recorder
from kiosk.field.recording import read_recording
from kiosk.field.writing import Recordings

SIZES = {"table": (1024, 600), "phone": (390, 844)}


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
        told.begin()
        told.place("hat", "pile/1", 1)
        told.place("socks", "pile/1", 2)
        yield told, folder
    os.environ.pop("FAIRDEAL_HOME", None)


@pytest.mark.parametrize("screen", SIZES)
def test_a_call_that_was_wrong_is_shown_and_saved(recorded_table, screen):
    table, folder = recorded_table
    before = set((folder / "recordings").glob("reports/*.fairdeal"))
    with browser(*SIZES[screen]) as driver:
        driver.get(table.address)
        wait_for(driver, "document.querySelector('.hero[data-call=mistake]') !== null")
        tap_css(driver, ".hero .row button")
        keep_it = "[...document.querySelectorAll('dialog button')]"
        keep_it += ".find(each => each.textContent === 'This was wrong: keep it')"
        wait_for(driver, f"{keep_it} !== undefined")
        driver.execute_script(f"{keep_it}.click()")
        images = "[...document.querySelectorAll('.keep .strip img')]"
        wait_for(driver, f"{images}.length === 6 && {images}.every(i => i.naturalWidth > 99)")
        assert "seats in place of names" in driver.find_element(By.CSS_SELECTOR, ".keep").text
        keep(driver, f"keep-{screen}")
        check_access(driver, "what a report holds")
        wide = driver.execute_script("return document.documentElement.scrollWidth")
        assert wide <= SIZES[screen][0]
        choose_part(driver)
        keep(driver, f"keep-part-{screen}")
        driver.find_element(By.ID, "keep-note").send_keys("those were boxers")
        driver.execute_script("document.querySelector('.keep .main').click()")
        wait_for(driver, "document.querySelector('.keep .is-done a') !== null")
        link = driver.find_element(By.CSS_SELECTOR, ".keep .is-done a").get_attribute("href")
        assert complaints(driver) == []
    (path,) = set((folder / "recordings").glob("reports/*.fairdeal")) - before
    with urllib.request.urlopen(link, timeout=60) as answer:
        assert answer.read() == path.read_bytes()
    with opened_recording(path) as unpacked:
        found = read_recording(unpacked)
        assert [call["call"] for call in found.calls] == ["mistake"]
        said = json.loads((unpacked / "report.json").read_text())
        picture = next(found.frames()).bgr
    height, width = picture.shape[:2]
    assert picture[:, : width // 4 - 12].max() < 16  # what is outside is black
    assert picture[height // 2, width // 2 :].max() > 40
    assert said["note"] == "those were boxers" and said["mark"]["call"] == "mistake"


def choose_part(driver):
    """Drags a rectangle from the upper left quarter to the lower right corner, and moves it."""
    frame = driver.find_element(By.CSS_SELECTOR, ".part-frame")
    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", frame)
    wait_for(driver, "document.querySelector('.part-frame img').naturalWidth > 99")
    wide, high = frame.rect["width"], frame.rect["height"]
    act = ActionChains(driver).move_to_element(frame).move_by_offset(-wide / 4, -high / 4)
    act.click_and_hold().move_by_offset(wide / 2, high / 2).move_by_offset(wide / 5, high / 5)
    act.release().perform()
    words = "document.querySelector('.part .note').textContent"
    wait_for(driver, f"{words}.includes('70 % of the width')")
    frame.send_keys(Keys.SHIFT, Keys.ARROW_RIGHT)
    wait_for(driver, f"{words}.includes('72 % of the width')")


def button_named(driver, text):
    """The button of the open dialog with this text."""
    buttons = driver.find_elements(By.CSS_SELECTOR, "dialog button")
    return next(each for each in buttons if each.text == text)


@pytest.mark.parametrize("screen", SIZES)
def test_the_menu_records_the_table_and_a_red_dot_says_so(table, screen):
    with browser(*SIZES[screen]) as driver:
        driver.get(table.address)
        wait_for(driver, "document.querySelector('.hero[data-call=mistake]') !== null")
        assert not driver.find_element(By.CSS_SELECTOR, ".bar .recording").is_displayed()
        driver.find_element(By.CSS_SELECTOR, ".bar .menu").click()
        check_access(driver, "the menu with the recording")
        button_named(driver, "Record this table").click()
        wait_for(driver, "document.querySelector('#sheet').textContent.includes('End the rec')")
        assert table.inbox.recording.is_on
        wait_for(driver, "document.querySelector('.bar .recording:not([hidden])') !== null")
        keep(driver, f"recording-{screen}")
        button_named(driver, "End the recording").click()
        wait_for(driver, "document.querySelector('.bar .recording[hidden]') !== null")
        assert not table.inbox.recording.is_on
        assert complaints(driver) == []
