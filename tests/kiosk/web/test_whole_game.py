"""A whole simulated game of Suds on the page, by touch only: eyes, rules, evidence, overruling."""

import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from patience import PATIENCE_S
from real_browser import browser, complaints, keep, require_browser, wait_for
from selenium.webdriver.common.by import By
from touch import tap_button, tap_css

from kiosk.web.page import PagePlace, ServerProcess

pytestmark = pytest.mark.pages

HERE = Path(__file__).parent
EYES_S = 400.0  # an upper bound: eyes see eleven seconds of film on a loaded machine
SIZES = {"table": (1024, 600), "phone": (390, 844)}
SCORES = "[...document.querySelectorAll('.scores strong')].map(each => each.textContent).join()"


@contextmanager
def refereed(folder):
    """The simulated table, refereed as fast as the machine allows; the page's address."""
    said = []
    link = folder / "link"
    script = HERE / "whole-game.txt"
    words = [
        sys.executable, str(HERE / "held_film.py"), "referee", "suds", "--players", "3",
        "--headless", "--source", f"simulated:{script}", "--page-link", str(link),
        "--signals", "none", "--journal", str(folder / "journal.sqlite"), "--threads", "1",
    ]  # fmt: skip
    with ServerProcess(PagePlace("127.0.0.1", 0, folder / "page"), link, said.append):
        log = (folder / "referee.log").open("w")
        child = subprocess.Popen(words, stdout=log, stderr=log, env=dict(os.environ))
        try:
            yield next(line for line in said if line.startswith("page: ")).split()[1]
        finally:
            child.terminate()
            child.wait(PATIENCE_S)
            log.close()


def test_a_wrong_toss_is_called_replayed_and_overruled_and_the_score_follows(tmp_path, monkeypatch):
    """A phone overrules, the table's screen follows and ends the game; both list it."""
    require_browser()
    monkeypatch.setenv("FAIRDEAL_HOME", str(tmp_path))
    with (
        refereed(tmp_path) as address,
        browser(*SIZES["table"], touch=True) as table,
        browser(*SIZES["phone"], touch=True) as phone,
    ):
        screens = {"table": table, "phone": phone}
        for name, driver in screens.items():
            driver.get(address)
            called(driver, name)
            replayed(driver, name)
        overruled(phone)
        for name, driver in screens.items():
            wait_for(driver, f"{SCORES} === '15 cards,16 cards,16 cards'")
            wait_for(driver, "document.querySelectorAll('.log .is-withdrawn').length === 1")
            wait_for(driver, "document.querySelector('.hero[data-call=mistake]') === null")
            keep(driver, f"game-after-{name}")
        ended(table)
        for name, driver in screens.items():
            how_right(driver, name)
            history(driver)
            assert complaints(driver) == []


def called(driver, screen):
    """The mistake is on the screen."""
    wait_for(driver, "document.querySelector('.hero[data-call=mistake]') !== null", EYES_S)
    images = "[...document.querySelectorAll('.hero img')]"
    wait_for(driver, f"{images}.every((image) => image.naturalWidth > 9)")
    keep(driver, f"game-{screen}")
    wait_for(driver, f"{SCORES} === '16 cards,16 cards,16 cards'")
    words = "document.querySelector('.hero .words').textContent"
    wait_for(driver, f"{words}.includes('Pile 1 needs pants, not socks.')")


def replayed(driver, screen):
    """Its pictures are shown, and its card beside the one that was due."""
    tap_button(driver, "See it", ".hero")
    wait_for(driver, "document.querySelectorAll('.strip button').length > 10", EYES_S)
    wait_for(driver, "document.querySelector('canvas.film')?.width > 300")
    wait_for(driver, "document.querySelectorAll('.pair img').length === 2")
    keep(driver, f"game-replay-{screen}")
    if screen == "table":
        tap_button(driver, "Close", "dialog")


def overruled(driver):
    """The players say that the card was another one."""
    tap_button(driver, "That card is", "dialog")
    wait_for(driver, "document.querySelectorAll('.choice').length > 3")
    tap_css(driver, ".choice")
    wait_for(driver, "document.querySelector('.answer.is-done') !== null")
    keep(driver, "game-overruled-phone")
    tap_button(driver, "Close", "dialog")


def ended(driver):
    """The players end the game: with the card that was overruled seat 1 has the fewest."""
    tap_css(driver, ".bar .menu")
    tap_button(driver, "End", "dialog .menu-grid")
    wait_for(driver, "document.querySelector('.log .mark[data-call=win]') !== null")
    assert "Seat 1 wins with the fewest cards, 15." in driver.find_element(By.ID, "view").text


def how_right(driver, screen):
    """Right after the game, each screen says how right the referee was."""
    wait_for(driver, "document.querySelector('.side .after-game') !== null")
    text = driver.find_element(By.CSS_SELECTOR, ".after-game").text
    assert "Seat 1 won" in text and "No mistake" in text and "1 call overruled" in text
    driver.execute_script("document.querySelector('.after-game').scrollIntoView()")
    keep(driver, f"game-over-{screen}")


def history(driver):
    """The game stands in the history without a mistake; its calls can be seen as a film."""
    tap_css(driver, ".bar .menu")
    tap_button(driver, "Games played", "dialog")
    wait_for(driver, "document.querySelector('.games li') !== null")
    shown = driver.find_element(By.CSS_SELECTOR, ".games li").text
    assert "Suds" in shown and "No mistake" in shown and "1 call overruled" in shown
    assert "Film" in shown
