"""Who types wrong digits is told on the table's own screen, in the reader's language."""

import http.client
import json

import pytest
from real_browser import browser, complaints, keep, require_browser, wait_for
from told_table import told_table

pytestmark = pytest.mark.pages

STRANGER = "127.0.0.2"
TRIED = "document.getElementById('tried')"
WORDS = {
    "en": "wrong digits to pair a phone (3)",
    "de": "falsche Ziffern, um ein Telefon zu verbinden (3)",
}


@pytest.fixture
def table(tmp_path, monkeypatch):
    require_browser()
    monkeypatch.setenv("FAIRDEAL_HOME", str(tmp_path))
    with told_table(tmp_path / "page") as told:
        told.begin()
        yield told


def guess(address, times):
    """A phone that is not paired types wrong digits."""
    for _ in range(times):
        port = int(address.rstrip("/").rsplit(":", 1)[1])
        link = http.client.HTTPConnection("127.0.0.1", port, source_address=(STRANGER, 0))
        link.request("POST", "/api/pair", json.dumps({"digits": "none"}), {"Host": "localhost"})
        assert link.getresponse().status == 403
        link.close()


@pytest.mark.parametrize("language", WORDS)
def test_wrong_digits_are_told_on_the_table_s_screen(table, language):
    with browser(800, 480) as driver:
        driver.get(f"{table.address}?lang={language}")
        wait_for(driver, f"{TRIED}.hidden && document.querySelector('canvas') !== null")
        guess(table.address, 3)
        wait_for(driver, f"!{TRIED}.hidden")
        wait_for(driver, f"{TRIED}.textContent.includes({json.dumps(WORDS[language])})")
        keep(driver, f"pairing-tried-{language}")
        bar = "document.getElementById('bar').getBoundingClientRect()"
        assert driver.execute_script(f"return {bar}.bottom <= innerHeight + 1")
        assert complaints(driver) == []
        driver.execute_async_script(
            "const done = arguments[0]; import('/static/js/pairing.js')"
            ".then((pairing) => pairing.offerPairing()).then(done);"
        )
        told = driver.execute_script("return document.getElementById('sheet').textContent")
        assert f"{STRANGER}: 3" in told
        wait_for(driver, f"{TRIED}.hidden")  # a new code
