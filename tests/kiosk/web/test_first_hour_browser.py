"""The first hour in a real browser, by touch only, with the simulated camera."""

import json
import urllib.request

import pytest
from axe_check import check_access
from real_browser import browser, complaints, keep, require_browser, wait_for
from running_kiosk import running_kiosk
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait
from touch import drag, tap_css, touch_button

pytestmark = pytest.mark.pages

SIZES = {"table": (1024, 600), "phone": (390, 844)}
TEACHING_S = 900.0  # an upper bound: each card is searched for by networks
LEAST_TOUCH_PX = 48


@pytest.fixture
def kiosk(tmp_path):
    require_browser()
    with running_kiosk(tmp_path) as address:
        yield address
        print("said:", asked(address, "api/health")["said"])


def choose_file(driver, name, path):
    """Gives a file to a chooser; the panel may be drawn again meanwhile."""
    for _ in range(20):
        try:
            return driver.find_element(By.ID, name).send_keys(str(path))
        except StaleElementReferenceException:
            continue
    raise AssertionError(f"expected a file chooser {name} that stays")


def mark(driver, step):
    """A step's mark, as the page shows it."""
    place = ("camera", "table", "deck", "lamps", "trial", "check").index(step) + 1
    return f"document.querySelector('.hour-step:nth-child({place})')?.dataset.mark"


def wait_long(driver, script):
    """As `wait_for`, for work of minutes on a slow machine."""
    return WebDriverWait(driver, TEACHING_S, 0.5).until(
        lambda page: page.execute_script(f"return {script}"), script
    )


def asked(address, path):
    with urllib.request.urlopen(f"{address}{path}", timeout=60) as answer:
        return json.load(answer)


# Buttons that show and are too small for a finger.
SMALL = """[...document.querySelectorAll('button, summary, .button, select, .faces-taught li')]
    .filter((each) => each.checkVisibility())
    .map((each) => [each.textContent, each.getBoundingClientRect()])
    .filter(([, box]) => Math.min(box.width, box.height) < %d).map(([words]) => words)"""


def check_targets(driver):
    """Everything to tap is large enough for a finger."""
    assert driver.execute_script(f"return {SMALL % LEAST_TOUCH_PX}") == []


def check_width(driver, width):
    assert driver.execute_script("return document.documentElement.scrollWidth") <= width


def set_up_camera(driver, screen):
    """Step 1, from the start screen."""
    touch_button(driver, "Set up")
    wait_for(driver, "document.querySelector('.hour-frame canvas')?.width > 600")
    wait_for(driver, "document.querySelector('#meter-focus')?.dataset.state === 'good'")
    wait_for(driver, "document.querySelector('#meter-light')?.dataset.state === 'good'")
    keep(driver, f"hour-camera-{screen}")
    check_targets(driver)
    touch_button(driver, "Check and lock")
    wait_for(driver, f"{mark(driver, 'camera')} === 'passed'")
    touch_button(driver, "Next: Table")


def measure_table(driver, screen):
    """Step 2: a corner is dragged, and the grid is shown."""
    wait_for(driver, "document.querySelectorAll('.hour-handle').length === 4")
    handle = driver.find_elements(By.CSS_SELECTOR, ".hour-handle")[0]
    before = handle.rect
    drag(driver, handle, -20, -8)
    after = handle.rect
    assert (round(after["x"] - before["x"]), round(after["y"] - before["y"])) == (-20, -8)
    keep(driver, f"hour-table-{screen}")
    check_targets(driver)
    touch_button(driver, "Measure the table")
    wait_for(driver, f"{mark(driver, 'table')} === 'passed'")
    wait_for(driver, "document.querySelector('.hour-still').naturalWidth > 600")
    keep(driver, f"hour-proof-{screen}")
    touch_button(driver, "Next: Deck")


def toss(driver, screen):
    """Step 5: the film's first card is tossed; the game's word on it is right."""
    touch_button(driver, "Start the trial")
    wait_long(driver, "document.querySelector('.toss img')?.naturalWidth > 20")
    keep(driver, f"hour-trial-{screen}")
    words = driver.find_element(By.CSS_SELECTOR, ".toss").text
    assert "Seen: boxers at pile 1" in words
    assert "A new pile begins with a hat" in words
    touch_button(driver, "✓ Right")
    wait_for(driver, f"{mark(driver, 'trial')} === 'passed'")


@pytest.mark.slow
def test_from_nothing_to_the_first_game_with_a_deck_that_was_just_taught(kiosk):
    """The first five steps on the screen beside the table, then the game with that deck."""
    with browser(*SIZES["table"]) as driver:
        driver.get(kiosk)
        wait_for(driver, "document.querySelector('.start') !== null")
        set_up_camera(driver, "table")
        measure_table(driver, "table")
        touch_button(driver, "Suds", ".grid.small[role=group] button")
        touch_button(driver, "Begin")
        touch_button(driver, "One card at a time", "summary")
        touch_button(driver, "Start with the camera")
        wait_long(driver, "document.querySelector('.asked')?.textContent === 'Lay down: pants'")
        wait_for(driver, "document.querySelector('.last-face')?.naturalWidth > 20")
        keep(driver, "hour-teach-table")
        wait_long(driver, "document.querySelector('.asked')?.textContent === 'Lay down: back'")
        touch_button(driver, "Skip this card")
        wait_for(driver, "document.querySelectorAll('.faces-taught [data-state=good]').length == 7")
        keep(driver, "hour-taught-table")
        touch_button(driver, "Make the deck")
        wait_long(driver, f"{mark(driver, 'deck')} === 'passed'")
        touch_button(driver, "Next: Lamps")
        touch_button(driver, "Play all")
        wait_for(driver, "document.querySelectorAll('.signal.is-on').length === 1")
        keep(driver, "hour-lamps-table")
        wait_for(driver, "document.querySelector('.hour-side').textContent.includes('All came')")
        touch_button(driver, "All came")
        wait_for(driver, f"{mark(driver, 'lamps')} === 'passed'")
        touch_button(driver, "Next: Try it")
        toss(driver, "table")
        assert asked(kiosk, "api/health")["open_steps"] == ["check"]
        touch_button(driver, "Next: Check")
        touch_button(driver, "To the first game")
        touch_button(driver, "my-suds")
        touch_button(driver, "Start the referee")
        wait_long(driver, "document.querySelector('.log .mark[data-call=mistake]') !== null")
        state = asked(kiosk, "api/state")
        assert state["is_connected"] and state["game"]["deck"].endswith("decks/my-suds")
        keep(driver, "hour-first-game-table")
        assert complaints(driver) == []


def test_steps_are_left_skipped_and_come_back_to_on_a_phone(kiosk):
    """The deck is a shipped one; the lamps stay open, and the health view says so."""
    with browser(*SIZES["phone"]) as driver:
        driver.get(kiosk)
        wait_for(driver, "document.querySelector('.start') !== null")
        set_up_camera(driver, "phone")
        measure_table(driver, "phone")
        touch_button(driver, "suds", ".grid.small button")
        wait_for(driver, f"{mark(driver, 'deck')} === 'passed'")
        keep(driver, "hour-deck-phone")
        check_width(driver, SIZES["phone"][0])
        driver.refresh()  # the set-up goes on where it was
        wait_for(driver, f"{mark(driver, 'deck')} === 'passed'")
        touch_button(driver, "Next: Lamps")
        wait_for(driver, "document.querySelectorAll('.signal').length === 8")
        keep(driver, "hour-lamps-phone")
        touch_button(driver, "Skip")
        wait_for(driver, f"{mark(driver, 'lamps')} === 'skipped'")
        toss(driver, "phone")
        check_targets(driver)
        touch_button(driver, "✕", ".hour-leave")
        wait_for(driver, "document.querySelector('.start') !== null")
        tap_css(driver, ".bar .menu")
        touch_button(driver, "Health", "dialog button")
        wait_for(driver, "document.querySelector('.health') !== null")
        keep(driver, "health-phone")
        touch_button(driver, "Lamps: do it now")
        wait_for(driver, "document.querySelectorAll('.signal').length === 8")
        assert complaints(driver) == []


@pytest.mark.parametrize("screen", [pytest.param("table", marks=pytest.mark.slow), "phone"])
def test_axe_finds_no_violation_in_any_step_nor_on_the_start_and_health_views(kiosk, screen):
    with browser(*SIZES[screen]) as driver:
        driver.get(kiosk)
        wait_for(driver, "document.querySelector('.start') !== null")
        keep(driver, f"start-{screen}")
        check_access(driver)
        check_targets(driver)
        tap_css(driver, ".bar .menu")
        touch_button(driver, "Health", "dialog button")
        wait_for(driver, "document.querySelectorAll('.parts li').length > 1")
        keep(driver, f"health-{screen}")
        check_access(driver)
        touch_button(driver, "Camera: do it now")
        wait_for(driver, "document.querySelector('#meter-focus')?.dataset.state === 'good'")
        for step in ("camera", "table", "deck", "lamps", "trial", "check"):
            touch_button(driver, "", f".hour-step:nth-child({1 + list(STEPS).index(step)})")
            wait_for(driver, STEPS[step])
            check_access(driver)
        assert complaints(driver) == []


# What shows that a step is open.
STEPS = {
    "camera": "document.querySelector('#meter-light') !== null",
    "table": "document.querySelectorAll('.hour-handle').length === 4",
    "deck": "document.querySelector('.grid.small') !== null",
    "lamps": "document.querySelectorAll('.signal').length === 8",
    "trial": "document.querySelector('.hour-side').textContent.includes('Start the trial')",
    "check": "document.querySelector('.hour-side').textContent.includes('Check the table')",
}


def test_a_photograph_that_shows_no_card_is_named_beside_its_face(kiosk, tmp_path):
    """Photographs by the file chooser; the page tells which card must be taken again."""
    import cv2
    import numpy as np

    picture = tmp_path / "hat.png"
    noise = np.random.default_rng(3).integers(90, 110, (480, 640, 3), np.uint8)
    cv2.imwrite(str(picture), noise)
    strange = tmp_path / "notes.jpg"
    strange.write_text("no picture")
    with browser(*SIZES["table"]) as driver:
        driver.get(kiosk)
        touch_button(driver, "Set up")
        wait_for(driver, "document.querySelector('.hour-frame canvas')?.width > 600")
        touch_button(driver, "", ".hour-step:nth-child(3)")
        touch_button(driver, "Suds", ".grid.small[role=group] button")
        touch_button(driver, "Begin")
        wait_for(driver, "document.querySelectorAll('.faces-taught li').length === 8")
        for face in ("boxers", "hat", "pants", "sneakers", "socks", "t-shirt", "wild"):
            choose_file(driver, f"photo-{face}", picture)
            state = f"document.querySelector('#photo-{face}').closest('li').dataset.state"
            wait_for(driver, f"{state} === 'good'")
        choose_file(driver, "photo-back", strange)
        wait_for(driver, "document.querySelector('.hour-side').textContent.includes('JPEG or PNG')")
        touch_button(driver, "Make the deck")
        wait_long(driver, "document.querySelector('.faces-taught [data-state=bad]') !== null")
        keep(driver, "hour-refused-table")
        words = driver.find_element(By.CSS_SELECTOR, ".hour-side").text
        assert "photograph both cards" in words and str(tmp_path) not in words
