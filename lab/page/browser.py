"""A real browser for measurements: Debian's chromium with its driver, by Selenium."""

from __future__ import annotations

import json
import shutil
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rules.errors import FairdealError

if TYPE_CHECKING:
    from selenium.webdriver.remote.webdriver import WebDriver

PATIENCE_S = 60.0
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--window-size=1024,600", "--lang=en", "--js-flags=--expose-gc",
)  # fmt: skip


@contextmanager
def browser(*flags: str) -> Iterator[WebDriver]:
    """A browser of 1024 × 600 px, with more of Chromium's flags. It takes any certificate.

    Raises FairdealError where there is none.
    """
    try:
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
    except ImportError as error:
        raise FairdealError("selenium", "none", "make setup-dev") from error
    if not (shutil.which("chromium") and shutil.which("chromedriver")):
        raise FairdealError("chromium and chromium-driver", "none", "make browser")
    options = webdriver.ChromeOptions()
    options.set_capability("acceptInsecureCerts", True)
    for flag in (*FLAGS, *flags):
        options.add_argument(flag)
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        yield driver
    finally:
        driver.quit()


def wait(driver: WebDriver, script: str) -> Any:
    """The first true value of a script's expression."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        found = driver.execute_script(f"return {script}")
        if found:
            return found
        time.sleep(0.05)
    raise RuntimeError(f"expected in {PATIENCE_S:g} s: {script}")


def asked(address: str, path: str, body: object = None) -> Any:
    """What the page's server answers; with a body it is a POST."""
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(f"{address}{path}", data, timeout=PATIENCE_S) as answer:
        return json.load(answer)
