"""A real browser for the page's tests: Debian's chromium and its driver, by Selenium."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
from needed_tools import BROWSER, need
from patience import PATIENCE_S
from selenium import webdriver
from selenium.common.exceptions import (
    JavascriptException,
    StaleElementReferenceException,
    TimeoutException,
)
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait
from shared_chromium import chromium


def require_browser() -> None:
    """Skips the test where there is no browser."""
    need(BROWSER)


@contextmanager
def browser(width: int, height: int, touch: bool = False) -> Iterator[WebDriver]:
    """A browser without a past, whose page is `width` × `height` px; below 600 px it is a phone.

    `touch`: of a screen with touch, which phones always have.
    """
    shared = chromium()
    options = webdriver.ChromeOptions()
    options.debugger_address = shared.address
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = Service(shutil.which("chromedriver") or "chromedriver")
    with (
        shared.window(width, height) as window,
        webdriver.Chrome(options=options, service=service) as driver,
    ):
        driver.switch_to.window(window)
        screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
        if touch or width < 600:
            driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
        yield driver


def wait_for(
    driver: WebDriver,
    script: str,
    patience_s: float = PATIENCE_S,
    meanwhile: Callable[[], None] = lambda: None,
) -> object:
    """The first true value of a script's expression; `meanwhile` is done before each look."""

    def look(page: WebDriver) -> object:
        meanwhile()
        return page.execute_script(f"return {script}")

    # An element that is not there yet, or is just being drawn anew, is no end of the wait.
    wait = WebDriverWait(driver, patience_s, 0.1, ignored_exceptions=[JavascriptException])
    try:
        return wait.until(look, script)
    except TimeoutException as late:
        late.msg = f"{late.msg}; the browser complained of {complaints(driver)}"
        raise


def shown(
    driver: WebDriver, selector: str, is_right: Callable[[str], bool] = lambda words: True
) -> WebElement:
    """The first element of a selector that is shown and has the right words, once it is there."""

    def look(page: WebDriver) -> WebElement | None:
        found = page.find_elements(By.CSS_SELECTOR, selector)
        return next((each for each in found if each.is_displayed() and is_right(each.text)), None)

    wait = WebDriverWait(
        driver, PATIENCE_S, 0.1, ignored_exceptions=[StaleElementReferenceException]
    )
    return wait.until(look, selector)


def complaints(driver: WebDriver) -> list[str]:
    """What the browser complained about: script errors, refused styles, failed requests."""
    return [entry["message"] for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]


def keep(driver: WebDriver, name: str) -> None:
    """Keeps a screenshot, `page-NAME.jpg`, where `PAGE_PICTURES` names a folder."""
    folder = os.environ.get("PAGE_PICTURES")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        png = np.frombuffer(driver.get_screenshot_as_png(), np.uint8)
        picture = cv2.imdecode(png, cv2.IMREAD_COLOR)
        path = Path(folder) / f"page-{name}.jpg"
        cv2.imwrite(str(path), picture, (cv2.IMWRITE_JPEG_QUALITY, 88))
