"""A report of a game is read in another language than it was written in, and labelled."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest
from real_browser import browser, complaints, require_browser, wait_for
from recorded import refereed
from selenium.webdriver.common.by import By

from host.ports import free_port
from kiosk.cli import main
from kiosk.field.truth import read_truth

pytestmark = pytest.mark.pages

SCREEN = (1024, 600)
NOTE = "Das waren Boxershorts, größere: „Stapel 1“"
DONE = {"en": "All is labelled.", "de": "Alles ist beurteilt."}


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """A game that real eyes refereed, with a note and names in German."""
    require_browser()
    folder = tmp_path_factory.mktemp("spiel")
    out = folder / "Spiel mit Jürgen.fairdeal"
    words = ["report", str(refereed(folder)), "--all", "--yes", "--out", str(out)]
    assert main([*words, "--note", NOTE, "--names", "Jürgen,Zoë"]) == 0
    return out


@contextmanager
def command(*words, language):
    """A command of a user whose system speaks this language; its page's address."""
    free = [sys.executable, "-m", "kiosk.cli", *map(str, words), "--port", str(free_port())]
    ours, theirs = pty.openpty()
    environment = {**os.environ, "LANG": {"en": "C", "de": "de_DE.UTF-8"}[language]}
    child = subprocess.Popen(
        free,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment,
        text=True,
    )
    with child:
        try:
            assert child.stdout is not None
            line = next(each for each in child.stdout if each.startswith("page: "))
            yield line.removeprefix("page: ").strip()
        finally:
            child.send_signal(signal.SIGINT)
            child.wait()
            os.close(ours)
            os.close(theirs)


def test_labels_of_either_language_are_the_same_truth(report, tmp_path):
    truths = {}
    for language, done in DONE.items():
        out = tmp_path / f"{language}.json"
        label = command("label", report, "--out", out, language=language)
        with label as address, browser(*SCREEN) as driver:
            driver.get(f"{address}?lang={language}")
            wait_for(driver, "document.querySelector('.label .film')?.naturalWidth > 99")
            body = driver.find_element(By.TAG_NAME, "body")
            state = driver.find_element(By.CSS_SELECTOR, ".label .state").text
            for _ in range(int(re.findall(r"\d+", state)[1])):
                body.send_keys("r")
            wait_for(driver, f"document.querySelector('.label').textContent.includes('{done}')")
            assert complaints(driver) == []
        truths[language] = out.read_bytes()
    assert truths["en"] == truths["de"]
    truth = read_truth(tmp_path / "de.json")
    assert truth.clip == report.name  # and no temporary folder
    assert [due.kind for due in truth.expected_calls] == ["mistake", "corrected"]
