"""The history in a real browser: totals, a game's row, its film."""

import pytest
from axe_check import check_access
from real_browser import browser, complaints, keep, require_browser, wait_for
from selenium.webdriver.common.by import By
from test_history import filmed, written
from touch import tap_button, tap_css

from kiosk.web.page import PagePlace, ServerProcess

pytestmark = pytest.mark.pages

SIZES = {"table": (1024, 600), "phone": (390, 844)}


@pytest.fixture
def address(tmp_path, monkeypatch):
    """A page without a referee, after three games of which one was filmed."""
    require_browser()
    monkeypatch.setenv("FAIRDEAL_HOME", str(tmp_path))
    numbers = [written(tmp_path / "journal.sqlite") for _ in range(3)]
    filmed(tmp_path / "page" / "evidence" / str(numbers[-1]), 1, "Pile 1 needs a T-shirt.")
    said = []
    place = PagePlace("127.0.0.1", 0, tmp_path / "page")
    with ServerProcess(place, tmp_path / "link", said.append):
        yield next(line for line in said if line.startswith("page: ")).split()[1]


@pytest.mark.parametrize("screen", SIZES)
def test_games_are_listed_with_totals_and_a_film_is_shown(address, screen):
    with browser(*SIZES[screen], touch=True) as driver:
        driver.get(address)
        wait_for(driver, "document.querySelector('.bar .menu:not([hidden])') !== null")
        tap_css(driver, ".menu")
        tap_button(driver, "Games played", "dialog")
        wait_for(driver, "document.querySelectorAll('.games li').length === 3")
        keep(driver, f"history-{screen}")
        check_access(driver, "the games")
        bars = driver.find_element(By.CSS_SELECTOR, ".totals").text
        assert "Mistakes by player" in bars and "out of sequence" in bars
        assert len(driver.find_elements(By.CSS_SELECTOR, ".games button")) == 1
        tap_button(driver, "Film", ".games")
        wait_for(driver, "document.querySelector('video')?.videoWidth === 960")
        keep(driver, f"film-{screen}")
        check_access(driver, "the film")
        assert complaints(driver) == []


def test_rules_have_german_names_in_a_german_list(address):
    with browser(*SIZES["phone"], touch=True) as driver:
        driver.get(f"{address}?lang=de")
        wait_for(driver, "document.querySelector('.bar .menu:not([hidden])') !== null")
        tap_css(driver, ".menu")
        tap_button(driver, "Gespielte Spiele", "dialog")
        wait_for(driver, "document.querySelectorAll('.games li').length === 3")
        keep(driver, "history-de-phone")
        text = driver.find_element(By.ID, "view").text
        assert text.count("falsche Reihenfolge") == 4 and "out of sequence" not in text
        assert complaints(driver) == []
