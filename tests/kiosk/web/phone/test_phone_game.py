"""A drawn game, filmed by a phone's page over https, is refereed; the phone is lost in between."""

import json
import urllib.request
from pathlib import Path

import pytest
from filmed_phone import GOOD, Kiosk, films, pair, phone
from needed_tools import programs
from real_browser import keep, require_browser, wait_for
from running_kiosk import running_kiosk
from selenium.webdriver.support.ui import WebDriverWait
from touch import tap_button

from kiosk.game.limits import LIMITS
from lab.page.phone import write_film
from models.drawing.script import read_script
from vision.sources.phone import SILENT_S

SCRIPT = Path(__file__).parents[1] / "phone-game.txt"
GAME_S = 300.0  # an upper bound: eyes see the film on a loaded machine
ACTS = [
    ("placed", "hat", "pile/1", 1),
    ("placed", "hat", "pile/2", 2),
    ("placed", "t-shirt", "pile/1", 3),
    ("placed", "socks", "pile/1", 1),
    ("removed", "socks", "pile/1", 1),
    ("placed", "boxers", "pile/1", 1),
]
LOST_S = 3.0  # from a phone's last picture until people are told

pytestmark = [
    pytest.mark.pages,
    pytest.mark.slow,
    pytest.mark.skipif(not programs("openssl")(), reason="no openssl"),
]


def wait_until(driver, is_so):
    WebDriverWait(driver, GAME_S, 0.2).until(lambda _: is_so())


def kept(kiosk):
    """What the journal has of the game: events and calls, a JSON object each."""
    with urllib.request.urlopen(f"{kiosk.address}api/history/1.jsonl") as answer:
        return [json.loads(line) for line in answer.read().splitlines()]


def acts(kiosk):
    """What was seen of the cards, in order."""
    found = [each for each in kept(kiosk) if each.get("event") in ("placed", "removed")]
    return [(each["event"], each["card"], each["place"], each["seat"]) for each in found]


def test_a_lost_phone_is_said_in_time():
    assert SILENT_S + 2 * LIMITS.poll_s < LOST_S


def test_a_game_that_a_phone_films_is_refereed_and_a_lost_phone_is_said(tmp_path):
    require_browser()
    film = tmp_path / "film.mjpeg"
    write_film(read_script(str(SCRIPT)), film)
    with running_kiosk(tmp_path) as address, phone(film) as driver:
        kiosk = Kiosk(address)
        pair(driver, kiosk.ask("api/phone/offer", {}), "Kitchen phone")
        films(driver)
        wish = {"game": "suds", "players": 3, "deck": "suds"}
        assert kiosk.ask("api/games", wish)["ok"]
        wait_until(driver, lambda: kiosk.state()["phase"] == "playing")
        wait_until(driver, lambda: kiosk.state()["health"]["frames_per_s"] > 1)
        tap_button(driver, "Stop filming", ".film-panel")
        wait_until(driver, lambda: "stopped filming" in kiosk.state()["lost"])
        films(driver)  # the film begins anew: a bare table
        wait_until(driver, lambda: kiosk.state()["lost"] == "")
        assert kiosk.ask("api/press", {"button": "start"})["ok"]
        wait_until(driver, lambda: any(c["call"] == "mistake" for c in kiosk.state()["calls"]))
        keep(driver, "phone-plays-phone")
        wait_until(driver, lambda: len(acts(kiosk)) >= len(ACTS))
        assert acts(kiosk) == ACTS
        calls = [(c["call"], c["place"], c["card"]) for c in kept(kiosk) if "call" in c]
        assert ("mistake", "pile/1", "socks") in calls
        assert sum(kind == "mistake" for kind, *_ in calls) == 1
        assert kiosk.state()["mistakes"] == []
        wait_for(driver, GOOD)
