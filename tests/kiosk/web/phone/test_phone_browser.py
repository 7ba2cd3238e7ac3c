"""A phone in a real browser is paired, films, is lost, comes back; others are refused."""

import json
import urllib.request
from dataclasses import replace

import pytest
from axe_check import check_access
from filmed_phone import GOOD, Kiosk, as_phone, films, pair, phone
from needed_tools import programs
from patience import PATIENCE_S
from real_browser import browser, complaints, keep, require_browser, wait_for
from running_kiosk import running_kiosk
from selenium.webdriver.support.ui import WebDriverWait
from touch import tap_button, tap_css

from lab.page.phone import GAME, write_film
from models.drawing.script import read_script

NAME = "Kitchen phone"
FATE = "document.querySelector('.film-fate').textContent"
BEGINS_S = 5 * PATIENCE_S  # an upper bound: a process starts, on a machine that does much else
SOME = 12  # pictures, enough to tell a film from a still
GONE = "410 (Gone)"  # a starved machine gave this phone up; it starts again
pytestmark = [
    pytest.mark.pages,
    pytest.mark.skipif(not programs("openssl")(), reason="no openssl"),
]


@pytest.fixture(scope="module")
def film(tmp_path_factory):
    """A bare table, for two seconds."""
    path = tmp_path_factory.mktemp("film") / "bare.mjpeg"
    write_film(replace(read_script(str(GAME)), end=2.0), path)
    return path


@pytest.fixture(scope="module")
def kiosk(tmp_path_factory):
    require_browser()
    with running_kiosk(tmp_path_factory.mktemp("home")) as address:
        yield Kiosk(address)


@pytest.fixture(scope="module")
def filming(kiosk, film):
    """A paired phone that films. One for all tests: a browser takes seconds to start."""
    offer = kiosk.ask("api/phone/offer", {})
    with phone(film) as driver:
        pair(driver, offer, NAME)
        wait_for(driver, "document.querySelector('.film-panel .main') !== null")
        check_access(driver, "before it films")
        keep(driver, "phone-begin-phone")
        films(driver)
        driver.address = offer["address"]
        yield driver


def received(kiosk):
    """The phone's pictures that have arrived at the table; 0 while it starts again."""
    return (kiosk.ask("api/phone")["pictures"] or {"received": 0})["received"]


def phone_part(kiosk):
    """What health says of the phone."""
    parts = kiosk.ask("api/health")["parts"]
    return next((part["words"] for part in parts if part["name"] == "phone"), "")


def more_pictures_arrive(driver, kiosk):
    """However slow the machine is: time is not asked about, only that they go on coming."""
    before = received(kiosk)
    wait_until(driver, lambda: received(kiosk) >= before + SOME)


def hour(kiosk):
    return kiosk.state()["first_hour"] or {}


def test_a_paired_phone_films_for_the_set_up_and_the_table_says_which(kiosk, filming):
    assert filming.execute_script("return isSecureContext")
    role = "(await (await fetch('/api/me')).json()).role"
    asked = f"const done = arguments[0]; (async () => done({role}))()"
    assert filming.execute_async_script(asked) == "camera"
    wait_until(filming, lambda: (kiosk.ask("api/phone")["phone"] or {}).get("is_lost") is False)
    told = kiosk.ask("api/phone")
    assert told.pop("pictures").keys() == {"received", "left_out"}
    assert told == {
        "can_film": True,
        "fault": "",
        "is_phone": True,
        "own": told["own"],
        "phone": {"name": NAME, "is_lost": False},
    }
    assert kiosk.ask("api/first-hour", {})["ok"]
    wait_until(filming, lambda: hour(kiosk).get("size") == [1280, 720])
    assert hour(kiosk)["source"] == "phone"
    wait_for(filming, f"{FATE}.includes('pictures a second')")  # not at rest: somebody looks
    more_pictures_arrive(filming, kiosk)
    keep(filming, "phone-films-phone")
    check_access(filming, "while it films")
    wait_until(filming, lambda: NAME in phone_part(kiosk))
    assert "received" in phone_part(kiosk)
    assert [each for each in complaints(filming) if GONE not in each] == []


def test_a_stranger_and_a_second_phone_are_refused_with_the_reason(kiosk, filming):
    wish = {"width": 640, "height": 360, "is_awake": True, "is_locked": True}
    status, why = kiosk.status_for_stranger("api/phone", wish)
    assert status == 401 and "not paired" in why
    window = filming.current_window_handle
    filming.switch_to.new_window("window")  # another host: a device without the phone's token
    filming.get(filming.address.replace("localhost", "127.0.0.1"))
    tap_button(filming, "Use this phone as the camera", ".film-panel")
    wait_for(filming, f"{FATE}.includes('found {NAME}; stop that one first')")
    filming.get_log("browser")  # its 409
    filming.close()
    filming.switch_to.window(window)
    wait_for(filming, GOOD)


def test_a_connection_that_is_cut_in_play_is_a_lost_camera_until_it_is_back(kiosk, filming):
    kiosk.ask("api/first-hour", {}, "DELETE")
    assert kiosk.ask("api/games", {"game": "suds", "players": 3, "deck": "suds"})["ok"]
    wait_until(filming, lambda: kiosk.state()["health"]["frames_per_s"] > 0)
    wait_until(filming, lambda: kiosk.state()["lost"] == "")
    cut(filming, is_cut=True)
    wait_until(filming, lambda: "no picture comes from the phone" in kiosk.state()["lost"])
    wait_for(filming, f"{FATE}.includes('machine does not answer')")
    keep(filming, "phone-cut-phone")
    cut(filming, is_cut=False)
    wait_until(filming, lambda: kiosk.state()["lost"] == "")
    more_pictures_arrive(filming, kiosk)
    wait_for(filming, GOOD)
    filming.get_log("browser")  # the requests that failed
    number = kiosk.state()["game"]["number"]
    assert kiosk.ask("api/games/current", {}, "DELETE")["ok"]
    with urllib.request.urlopen(f"{kiosk.address}api/history/{number}.jsonl") as answer:
        views = [json.loads(line).get("event") for line in answer.read().splitlines()]
    views = [each for each in views if each in ("blind", "sighted")]
    assert views and views == ["blind", "sighted"] * (len(views) // 2)  # starved: more than once


def test_a_phone_whose_page_is_closed_is_lost_and_goes_on_once_it_is_open(kiosk, filming):
    kiosk.ask("api/first-hour", {})
    wait_until(filming, lambda: hour(kiosk).get("size") == [1280, 720])
    first = filming.current_window_handle
    filming.switch_to.new_window("window")
    second = filming.current_window_handle
    filming.switch_to.window(first)
    filming.close()
    filming.switch_to.window(second)
    as_phone(filming)
    wait_until(filming, lambda: kiosk.state()["phone"] is None)
    wait_until(filming, lambda: hour(kiosk).get("lost"))  # starved, it was lost before
    filming.get(f"{filming.address}?lang=de")  # it films without a tap, for it did before
    wait_for(filming, f"{GOOD} && {FATE}.includes('Dieses Telefon filmt')")
    more_pictures_arrive(filming, kiosk)
    keep(filming, "phone-films-de-phone")
    wait_until(filming, lambda: hour(kiosk).get("lost") == "")


def test_the_table_s_screen_shows_code_and_steps_in_both_languages(kiosk, film):
    kiosk.ask("api/first-hour", {}, "DELETE")
    for language, words in {"en": "Use a phone as the camera", "de": "Telefon als Kamera"}.items():
        with browser(800, 480, touch=True) as driver:
            driver.get(f"{kiosk.address}?lang={language}")
            wait_for(driver, "document.querySelector('.camera-choice button') !== null")
            driver.execute_script("document.querySelector('.camera-choice').scrollIntoView()")
            keep(driver, f"phone-choice-{language}")
            tap_css(driver, ".bar .menu")
            tap_button(driver, words, "dialog")
            wait_for(driver, "document.querySelector('.offer img')?.naturalWidth > 100")
            check_access(driver, language)
            keep(driver, f"phone-offer-{language}")
            text = driver.execute_script("return document.getElementById('sheet').textContent")
            assert "https://localhost:" in text and "kiosk --host 0.0.0.0" in text
            assert complaints(driver) == []


def test_the_authority_can_be_had_by_who_is_paired(kiosk):
    with urllib.request.urlopen(f"{kiosk.address}api/phone/authority.crt") as answer:
        assert answer.read().startswith(b"-----BEGIN CERTIFICATE-----")
        assert answer.headers["content-type"] == "application/x-x509-ca-cert"


def cut(driver, *, is_cut):
    """The phone leaves the network, or comes back."""
    driver.execute_cdp_cmd("Network.enable", {})
    whole = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    driver.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": is_cut, **whole})


def wait_until(driver, is_so):
    """Waits until the kiosk says so."""
    WebDriverWait(driver, BEGINS_S, 0.1).until(lambda _: is_so())
