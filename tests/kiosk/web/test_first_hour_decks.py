"""The list of decks that the set-up asks for comes late, or not at all."""

import pytest
from real_browser import browser, complaints, keep, require_browser, wait_for
from running_kiosk import running_kiosk
from selenium.webdriver.common.by import By
from touch import touch_button

pytestmark = pytest.mark.pages

PHONE = (390, 844)
CAMERA = "document.querySelector('#meter-light') !== null"
DECKS = "document.querySelectorAll('.grid.small')[0]?.children.length > 1"


@pytest.fixture
def kiosk(tmp_path):
    require_browser()
    with running_kiosk(tmp_path) as address:
        yield address


def run_first(driver, script):
    """Runs a script in each page before the page's own."""
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})


# The decks come late, as from a slow card. All places of the way on are remembered.
LATE = """
const now = window.fetch;
window.fetch = async (what, how) => {
    if (what === "/api/first-hour" && !how) await new Promise((done) => setTimeout(done, 1500));
    return now(what, how);
};
window.places = new Set();
(function look() {
    const box = document.querySelector(".hour-onward")?.getBoundingClientRect();
    if (box) window.places.add(Math.round(box.top));
    requestAnimationFrame(look);
})();
"""


def test_the_way_on_stays_where_it_was_first_seen_though_the_decks_come_late(kiosk):
    """A finger that comes down just as a panel moves its buttons taps another one."""
    with browser(*PHONE) as driver:
        run_first(driver, LATE)
        driver.get(kiosk)
        touch_button(driver, "Set up")
        wait_for(driver, "document.querySelector('.hour-frame canvas')?.width > 600")
        touch_button(driver, "", ".hour-step:nth-child(3)")
        wait_for(driver, DECKS)
        driver.refresh()
        wait_for(driver, DECKS)
        driver.execute_async_script("setTimeout(arguments[0], 300)")
        assert len(driver.execute_script("return [...window.places]")) == 1
        assert complaints(driver) == []


# The first answer about the decks is lost, as where a server is just starting again.
LOST = """
const now = window.fetch;
let isLost = false;
window.fetch = async (what, how) => {
    const isFirst = what === "/api/first-hour" && !how && !isLost;
    isLost ||= isFirst;
    if (isFirst) throw new TypeError("Failed to fetch");
    return now(what, how);
};
"""


def test_a_lost_answer_about_the_decks_is_said_and_asked_for_again(kiosk):
    with browser(*PHONE) as driver:
        run_first(driver, LOST)
        driver.get(kiosk)
        touch_button(driver, "Set up")
        wait_for(driver, "document.querySelector('.hour-side .bad') !== null")
        assert "does not answer" in driver.find_element(By.CSS_SELECTOR, ".hour-side").text
        keep(driver, "hour-unreached-phone")
        touch_button(driver, "Again", ".hour-side button")
        wait_for(driver, CAMERA)
