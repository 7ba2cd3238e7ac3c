"""Fingers on the page: every tap is a touch, as the browser's input makes it."""

from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.interaction import POINTER_TOUCH
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.by import By


def tap(driver, element):
    """Scrolls the element into view and touches its middle."""
    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
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


def tap_button(driver, text, within=""):
    """Taps the button that is shown with this text."""
    for button in driver.find_elements(By.CSS_SELECTOR, f"{within} button"):
        if text in button.text and button.is_displayed():
            tap(driver, button)
            return
    raise AssertionError(f"expected a button {text!r}")
