"""The game view in a real browser: labels among near piles, places dragged, scores, turns."""

import os

import pytest
from real_browser import browser, complaints, keep, require_browser, wait_for
from selenium.webdriver.common.by import By
from told_table import told_table
from touch import drag, held_down, tap, tap_css

import lab.page.told as told
from kiosk.game.plan import MOST_MOVED

pytestmark = pytest.mark.pages

SIZES = {"table": (1024, 600), "phone": (390, 844)}
NEAR = {
    "pile/1": (300, 120), "pile/2": (440, 130), "pile/3": (590, 110), "pile/4": (520, 350),
    "pile/5": (370, 360), "pile/6": (680, 340),
}  # fmt: skip
# Pairs of labels and seats of which both show and that overlap by more than a hair.
OVERLAPS = """(() => {
    const boxes = [...document.querySelectorAll('.place, .seat')].map((each) =>
        [each.textContent, each.getBoundingClientRect()]);
    const found = [];
    boxes.forEach(([a, one], i) => boxes.slice(i + 1).forEach(([b, two]) => {
        const across = Math.min(one.right, two.right) - Math.max(one.left, two.left);
        const down = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
        if (across > 1 && down > 1) found.push(`${a} / ${b}`);
    }));
    return found;
})()"""
OUTSIDE = """(() => {
    const room = document.querySelector('.places').getBoundingClientRect();
    return [...document.querySelectorAll('.place')].map((each) => each.getBoundingClientRect())
        .filter((box) => box.left < room.left - 1 || box.right > room.right + 1
            || box.top < room.top - 1 || box.bottom > room.bottom + 1).length;
})()"""


@pytest.fixture(scope="module")
def near_piles(tmp_path_factory):
    """Six piles close to each other."""
    require_browser()
    folder = tmp_path_factory.mktemp("near")
    os.environ["FAIRDEAL_HOME"] = str(folder)
    told.SPOTS.update(NEAR)
    with told_table(folder / "page") as table:
        table.begin()
        for seat, place in enumerate(NEAR):
            table.place("hat", place, seat % 3 + 1)
        yield table
    del os.environ["FAIRDEAL_HOME"]


def opened(driver, table):
    driver.get(table.address)
    wait_for(driver, "document.querySelectorAll('.place').length === 6")
    wait_for(driver, "document.querySelector('canvas').width > 300")
    images = "[...document.querySelectorAll('.place img')]"
    wait_for(driver, f"{images}.every((image) => image.naturalWidth > 9)")


@pytest.mark.parametrize("screen", SIZES)
def test_labels_of_near_piles_do_not_overlap_and_stay_on_the_table(near_piles, screen):
    with browser(*SIZES[screen], touch=True) as driver:
        opened(driver, near_piles)
        keep(driver, f"near-{screen}")
        assert driver.execute_script(f"return {OVERLAPS}") == []
        assert driver.execute_script(f"return {OUTSIDE}") == 0
        assert complaints(driver) == []


def test_a_place_tells_what_lies_there_and_what_it_needs(near_piles):
    with browser(*SIZES["table"], touch=True) as driver:
        opened(driver, near_piles)
        label = driver.find_element(By.CSS_SELECTOR, "[data-place='pile/3']")
        assert label.text == "Pile 3\nneeds a T-shirt"
        tap(driver, label)
        wait_for(driver, "document.querySelector('dialog[open] .lying li') !== null")
        shown = driver.find_element(By.ID, "sheet").text
        assert "Pile 3" in shown and "needs a T-shirt" in shown and "hat" in shown
        keep(driver, "place-table")


def test_a_tap_counts_though_the_table_changes_under_it(near_piles):
    with browser(*SIZES["table"], touch=True) as driver:
        opened(driver, near_piles)
        with held_down(driver, driver.find_element(By.CSS_SELECTOR, ".bar .menu")):
            near_piles.film(24)  # two seconds: the clock in the bar goes on
        wait_for(driver, "document.querySelector('dialog[open] .menu-grid') !== null")
        assert complaints(driver) == []


def test_a_place_is_dragged_by_finger_and_freed_by_a_tap(near_piles):
    plan = near_piles.inbox.plan
    with browser(*SIZES["table"], touch=True) as driver:
        opened(driver, near_piles)
        tap_css(driver, ".arrange")
        label = driver.find_element(By.CSS_SELECTOR, "[data-place='pile/1']")
        room = driver.find_element(By.CSS_SELECTOR, ".places").rect
        box = label.rect
        middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        goal = (room["x"] + 0.8 * room["width"], room["y"] + 0.75 * room["height"])
        drag(driver, label, goal[0] - middle[0], goal[1] - middle[1])
        wait_for(driver, "document.querySelector('.place.is-moved') !== null")
        x, y = plan.moved["pile/1"]
        assert (x, y) == pytest.approx((0.8, 0.75), abs=0.02)
        keep(driver, "arranged-table")
        tap_css(driver, "[data-place='pile/1']")
        wait_for(driver, "document.querySelector('.place.is-moved') === null")
        assert plan.moved == {} and MOST_MOVED > 6
        assert complaints(driver) == []


def test_each_seat_has_its_score(near_piles):
    with browser(*SIZES["table"]) as driver:
        opened(driver, near_piles)
        scores = [each.text for each in driver.find_elements(By.CSS_SELECTOR, ".scores li")]
        assert scores == ["Seat 1\n16 cards", "Seat 2\n16 cards", "Seat 3\n16 cards"]
