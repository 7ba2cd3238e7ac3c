"""The field kit on the page, in a real browser: the switch, the red dot, a call that is kept."""

from __future__ import annotations

import os

import pytest
from axe_check import check_access
from real_browser import browser, complaints, keep, require_browser, wait_for
from selenium.webdriver.common.by import By
from told_table import told_table

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
    del os.environ["FAIRDEAL_HOME"]


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
