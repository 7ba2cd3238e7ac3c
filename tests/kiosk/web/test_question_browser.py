"""A question in a real browser: its cards are tapped, and the game follows."""

import pytest
from axe_check import check_access
from real_browser import browser, complaints, keep, require_browser, wait_for
from selenium.webdriver.common.by import By
from told_table import told_table
from touch import held_down, tap_button

from rules.table.event import Placed

pytestmark = pytest.mark.pages

SIZES = {"table": (1024, 600), "phone": (390, 844)}
ASKED = "document.querySelector('.question') !== null"


@pytest.fixture
def table(tmp_path, monkeypatch):
    """A game in which socks were seen where a T-shirt was due, without certainty."""
    require_browser()
    monkeypatch.setenv("FAIRDEAL_HOME", str(tmp_path))
    with told_table(tmp_path / "page") as told:
        told.begin()
        told.place("hat", "pile/1", 1)
        told.happen(Placed(told.at, "socks", "pile/1", 2, sure=0.6))
        yield told


def answer(driver, text):
    """Taps an answer by its words."""
    tap_button(driver, text, ".question")


def filmed_until(table, driver, script):
    """Tells frames until a script's expression is true."""
    wait_for(driver, script, meanwhile=lambda: table.film(1))


@pytest.mark.parametrize("screen", SIZES)
def test_no_accuses_nobody_and_the_right_card_is_tapped(table, screen):
    with browser(*SIZES[screen]) as driver:
        driver.get(table.address)
        wait_for(driver, ASKED)
        pictures = "[...document.querySelectorAll('.answers img')]"
        wait_for(driver, f"{pictures}.length && {pictures}.every(i => i.naturalWidth > 9)")
        filmed_until(
            table, driver, "document.querySelector('.question figure img')?.naturalWidth > 9"
        )
        keep(driver, f"question-{screen}")
        check_access(driver, "the question")
        assert "Was that socks?" in driver.find_element(By.CSS_SELECTOR, ".question").text
        answer(driver, "Not socks")
        filmed_until(table, driver, "document.querySelector('.question').textContent"
                     ".includes('Which card is it then?')")  # fmt: skip
        filmed_until(table, driver, "document.querySelector('.question')?.textContent"
                     ".includes('judged again')")  # fmt: skip
        keep(driver, f"question-then-{screen}")
        check_access(driver, "the next question")
        first = driver.find_element(By.CSS_SELECTOR, ".answers .answer")
        assert first.text == "T-shirt", "the card that was due comes first"
        with held_down(driver, first):  # what is told meanwhile must not lose the tap
            table.session.happen(Placed(table.at, "hat", "pile/2", 3))
            table.film(1)
        filmed_until(table, driver, "document.querySelector('.question') === null")
        assert table.session.judged.table["pile/1"] == ("hat", "t-shirt")
        assert complaints(driver) == []


def test_yes_is_a_mistake_that_is_called(table):
    with browser(*SIZES["table"]) as driver:
        driver.get(table.address)
        wait_for(driver, ASKED)
        answer(driver, "Yes, socks")
        filmed_until(table, driver, "document.querySelector('.hero[data-call=mistake]') !== null")
        assert driver.execute_script(f"return !({ASKED})")


def test_a_second_look_that_sees_no_card_says_so_and_later_puts_the_question_away(table):
    with browser(*SIZES["table"]) as driver:
        driver.get(table.address)
        wait_for(driver, ASKED)
        answer(driver, "Look again")
        wait_for(driver, "document.querySelector('.question .note') !== null")
        answer(driver, "Later")
        wait_for(driver, f"!({ASKED})")
        assert complaints(driver) == []
