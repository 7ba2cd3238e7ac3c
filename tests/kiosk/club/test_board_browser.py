"""The board in a real browser, at a real broker: what an organiser sees and taps."""

import itertools
import json
import os
import signal
import subprocess
import sys
import threading
from contextlib import ExitStack, contextmanager

import pytest
from axe_check import check_access
from club_tables import SUDS, hall, until
from patience import PATIENCE_S
from real_browser import browser, complaints, keep, require_browser, shown, wait_for
from selenium.webdriver.common.by import By
from test_pairing_browser import TRIED, WORDS, guess

from kiosk.club.simulated import Film, Pace
from models.deck import load_deck

pytestmark = pytest.mark.pages

SIZES = {"screen": (1024, 600), "phone": (390, 844), "television": (1920, 1080)}
WAITS = "document.querySelector('.waiting button') !== null"
LEAST_TOUCH_PX = 48


@contextmanager
def served(club, *words):
    """`fairdeal club` with this club's file. Yields its address."""
    command = [sys.executable, "-m", "kiosk.cli", "club", "--port", "0", *words]
    child = subprocess.Popen(
        [*command, "--club", str(club.folder / "board.toml")], stdout=subprocess.PIPE, text=True,
        env={**os.environ, "FAIRDEAL_HOME": str(club.folder / "home")},
    )  # fmt: skip
    try:
        yield child.stdout.readline().split()[1]
    finally:
        child.terminate()
        assert child.wait(PATIENCE_S) == 128 + signal.SIGTERM


@contextmanager
def filmed(club, name):
    """A table with a call in doubt, that is filmed and obeys."""
    with club.table(name) as table:
        table.begin()
        table.place("hat", 1, 1)
        table.place("socks", 1, 2, sure=0.9)
        pace = Pace(frame_s=0.05)
        # Each look at the clock is 20 ms, so that evidence has its frames on a slow machine too.
        looks = itertools.count()
        film = Film(
            table.link, table.session, table.inbox, load_deck(SUDS.deck), pace, table.at,
            clock=lambda: next(looks) * 0.02,
        )  # fmt: skip
        stopped = threading.Event()
        thread = threading.Thread(target=film.roll, args=(3600.0, stopped))
        thread.start()
        try:
            yield table
        finally:
            stopped.set()
            thread.join()


@pytest.fixture(scope="module")
def club(tmp_path_factory):
    """Two tables with a call in doubt each, two that are away, and the board. It is looked at."""
    with playing(tmp_path_factory.mktemp("club"), 4, there=2) as found:
        yield found


@pytest.fixture(scope="module")
def own_tables(tmp_path_factory):
    """Three tables with a call in doubt each, of one test each, and their board."""
    with playing(tmp_path_factory.mktemp("own"), 3, there=3) as found:
        yield found


@contextmanager
def playing(folder, tables, there):
    """A club of which so many tables are there, with its board."""
    require_browser()
    with ExitStack() as stack:
        here = stack.enter_context(hall(folder, tables))
        names = [f"table-{k}" for k in range(1, tables + 1)]
        here.tables = {name: stack.enter_context(filmed(here, name)) for name in names[:there]}
        here.address = stack.enter_context(served(here))
        here.count = tables
        yield here


def opened(driver, club, path=""):
    driver.get(club.address + path)
    wait_for(driver, f"document.querySelectorAll('.seat-table').length === {club.count}")


def opened_doubt(driver, club, table):
    """The call in doubt of one table."""
    opened(driver, club)
    shown(driver, ".waiting button", lambda words: table in words).click()


def waits_no_more(driver, table):
    """Waits until no call of that table waits."""
    waiting = "[...document.querySelectorAll('.waiting button')].map(b => b.textContent)"
    wait_for(driver, f"!{waiting}.some(text => text.includes('{table}'))")


def button(driver, text, inside=""):
    """The button that begins with this text."""
    return shown(driver, f"{inside} button", lambda words: words.startswith(text))


@pytest.mark.parametrize("screen", SIZES)
def test_all_tables_and_what_waits_fit_every_screen(club, screen):
    with browser(*SIZES[screen]) as driver:
        opened(driver, club)
        wait_for(driver, WAITS)
        keep(driver, f"club-{screen}")
        assert "I am not sure that I saw the socks" in driver.find_element(By.ID, "view").text
        width = driver.execute_script("return document.documentElement.scrollWidth")
        assert width <= SIZES[screen][0]
        for each in driver.find_elements(By.CSS_SELECTOR, "button, select, input"):
            if each.is_displayed():
                assert each.size["height"] >= LEAST_TOUCH_PX, each.text
                assert each.size["width"] >= LEAST_TOUCH_PX, each.text
        assert complaints(driver) == []


@pytest.mark.parametrize("screen", ["screen", "phone"])
@pytest.mark.parametrize("path", ["", "#tournament"])
def test_axe_finds_no_violation(club, screen, path):
    with browser(*SIZES[screen]) as driver:
        opened(driver, club)
        driver.get(club.address + path)
        wait_for(driver, "document.querySelector('#view > div > *') !== null")
        check_access(driver)


def test_a_call_in_doubt_is_decided_with_its_evidence(own_tables):
    """The socks were a T-shirt: the table judges its game again."""
    with browser(*SIZES["screen"]) as driver:
        opened_doubt(driver, own_tables, "table-1")
        wait_for(driver, "document.querySelector('canvas.film')?.width > 300")
        wait_for(driver, "document.querySelectorAll('.strip button').length > 2")
        keep(driver, "club-decision")
        assert "90 % sure" in driver.find_element(By.ID, "sheet").text
        button(driver, "That card is", "dialog").click()
        wait_for(driver, "document.querySelectorAll('dialog .choice').length > 3")
        first = driver.find_element(By.CSS_SELECTOR, "dialog .choice")
        assert first.text == "t-shirt", "the face that was due comes first"
        first.click()
        wait_for(driver, "document.querySelector('dialog p[role=status]').textContent !== ''")
        assert "Overruled" in driver.find_element(By.ID, "sheet").text
        judged = own_tables.tables["table-1"].session.judged
        assert judged.table["pile/1"] == ("hat", "t-shirt")
        waits_no_more(driver, "table-1")
        assert complaints(driver) == []


def test_a_call_that_stays_waits_no_longer(own_tables):
    with browser(*SIZES["phone"]) as driver:
        opened_doubt(driver, own_tables, "table-2")
        wait_for(driver, "document.querySelector('dialog .main') !== null")
        driver.find_element(By.CSS_SELECTOR, "dialog .main").click()
        wait_for(driver, "document.querySelector('dialog p[role=status]').textContent !== ''")
        waits_no_more(driver, "table-2")


def test_an_undo_from_the_board_reaches_the_table(own_tables):
    session = own_tables.tables["table-3"].session
    with browser(*SIZES["screen"]) as driver:
        opened(driver, own_tables)
        shown(driver, "article[data-table=table-3] h2 button").click()
        before = session.judged.at
        button(driver, "Undo", "dialog").click()
        wait_for(driver, "document.querySelector('dialog').textContent.includes('Done')")
        until(lambda: session.judged.at > before, "the undo at the table")


def test_a_tournament_is_begun_and_its_results_make_the_standings(club):
    with browser(*SIZES["screen"]) as driver:
        opened(driver, club)
        driver.get(club.address + "#tournament")
        wait_for(driver, "document.querySelector('textarea') !== null")
        names = driver.find_element(By.CSS_SELECTOR, "textarea")
        names.send_keys("Ada\nBen\nCleo\nDan")
        button(driver, "Pair the first round").click()
        wait_for(driver, "document.querySelectorAll('.pairings li').length === 2")
        button(driver, "open", ".pairings li").click()
        button(driver, "Ada", "dialog").click()
        wait_for(driver, "document.querySelector('tbody tr')?.textContent.includes('Ada')")
        wait_for(driver, "document.querySelector('.pairings strong')?.textContent.includes('Ada')")
        keep(driver, "club-tournament")
        driver.get(club.address + "#tables")
        wait_for(driver, "document.querySelector('.seats')?.textContent.includes('Ada')")
        driver.get(club.address + "#tournament")
        button(driver, "End the tournament").click()
        button(driver, "End the tournament", "dialog").click()
        wait_for(driver, "document.querySelector('textarea') !== null")
        assert complaints(driver) == []


def test_a_screen_for_an_audience_cannot_act_and_is_late(club, tmp_path):
    with served(club, "--delay", "3600") as address, browser(*SIZES["television"]) as driver:
        driver.get(address + "?audience=1")
        wait_for(driver, "document.querySelector('.club-top .pill') !== null")
        assert "3,600 s later" in driver.find_element(By.ID, "top").text
        assert driver.find_elements(By.CSS_SELECTOR, ".waiting button") == []


@pytest.mark.parametrize("language", WORDS)
def test_wrong_digits_are_told_on_the_board_s_screen(own_tables, language):
    with browser(*SIZES["screen"]) as driver:
        opened(driver, own_tables, f"?lang={language}")
        guess(own_tables.address, 3)
        wait_for(driver, f"{TRIED}.textContent.includes({json.dumps(WORDS[language])})")
        assert driver.execute_script(f"return {TRIED}.checkVisibility()")
        keep(driver, f"club-tried-{language}")
        driver.execute_async_script(
            "const done = arguments[0]; import('/static/js/pairing.js')"
            ".then((pairing) => pairing.offerPairing()).then(done);"
        )
        wait_for(driver, f"{TRIED}.hidden")  # a new code


def test_the_board_speaks_german(club):
    with browser(*SIZES["screen"]) as driver:
        opened(driver, club, "?lang=de")
        assert "Turnier" in driver.find_element(By.ID, "top").text
