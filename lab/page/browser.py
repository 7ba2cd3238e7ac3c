"""A real browser for measurements: Debian's chromium with its driver, by Selenium."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rules.errors import FairdealError

if TYPE_CHECKING:
    from selenium.webdriver.remote.webdriver import WebDriver

FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--window-size=1024,600", "--lang=en", "--js-flags=--expose-gc",
)  # fmt: skip


@contextmanager
def browser() -> Iterator[WebDriver]:
    """A browser of 1024 × 600 px. Raises FairdealError where there is none."""
    try:
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
    except ImportError as error:
        raise FairdealError("selenium", "none", "make setup-dev") from error
    if not (shutil.which("chromium") and shutil.which("chromedriver")):
        raise FairdealError("chromium and chromium-driver", "none", "make browser")
    options = webdriver.ChromeOptions()
    for flag in FLAGS:
        options.add_argument(flag)
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        yield driver
    finally:
        driver.quit()
