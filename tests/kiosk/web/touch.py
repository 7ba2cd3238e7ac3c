"""Fingers on the page: every tap is a touch, as the browser's input makes it."""

from contextlib import contextmanager

from real_browser import shown
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.interaction import POINTER_TOUCH
from selenium.webdriver.common.actions.pointer_input import PointerInput

STALE_TRIES = 20  # a panel may be redrawn several times while a task runs
# A finger comes down where the element is, not where it was: pictures that load move what follows.
RESTS = """
const [element, rests] = arguments;
let before = "", looks = 0;
(function look() {
    const now = JSON.stringify(element.getBoundingClientRect());
    const isLoaded = [...document.images].every((image) => image.complete);
    if ((now === before && isLoaded) || looks++ > 120) return rests();
    before = now;
    requestAnimationFrame(look);
})();
"""


def tap(driver, element):
    """Scrolls the element into view and touches its middle."""
    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
    driver.execute_async_script(RESTS, element)
    drag(driver, element, 0, 0)


def drag(driver, element, across, down):
    """Touches the element's middle, moves by so many px, lets go."""
    finger = PointerInput(POINTER_TOUCH, "finger")
    builder = ActionBuilder(driver, mouse=finger)
    action = builder.pointer_action
    action.move_to(element).pointer_down()
    if across or down:
        box = element.rect
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        scrolled = driver.execute_script("return window.scrollY")
        for part in (0.5, 1.0):
            action.move_to_location(round(x + part * across), round(y - scrolled + part * down))
    action.pointer_up()
    builder.perform()


@contextmanager
def held_down(driver, element):
    """The mouse's button is held on the element's middle while the block runs, then let go. (A
    finger that rests half a second is a long press, which makes no click.)"""
    builder = ActionBuilder(driver)
    builder.pointer_action.move_to(element).pointer_down()
    builder.perform()
    yield
    builder = ActionBuilder(driver)
    builder.pointer_action.pointer_up()
    builder.perform()


def tap_css(driver, selector):
    """Taps the first element of the selector, as the page has it at this moment."""
    _tap_found(driver, lambda: shown(driver, selector))


def tap_button(driver, text, within=""):
    """Taps the button that is shown with this text."""
    touch_button(driver, text, f"{within} button")


def touch_button(driver, text, selector="button"):
    """Taps what the selector finds, once it is shown with this text and takes a tap."""
    _tap_found(
        driver, lambda: shown(driver, f"{selector}:not(:disabled)", lambda words: text in words)
    )


def _tap_found(driver, find):
    """Finds and taps; again if the page drew the element anew before the finger came down."""
    for _ in range(STALE_TRIES - 1):
        try:
            return tap(driver, find())
        except StaleElementReferenceException:
            continue
    return tap(driver, find())
