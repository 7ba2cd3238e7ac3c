"""A box of 52 cards is taught on the page by six photographs of the simulated camera."""

import json
import time
from contextlib import contextmanager
from dataclasses import dataclass

import cv2
import numpy as np
import pytest
from axe_check import check_access
from real_browser import browser, complaints, keep, require_browser, wait_for
from running_kiosk import running_kiosk
from selenium.webdriver.common.keys import Keys
from test_first_hour_browser import (
    asked,
    check_targets,
    check_width,
    choose_file,
    mark,
    wait_long,
)
from touch import touch_button

from lab.evaluation.row_pictures import photographed
from models.deck import load_deck
from vision.recognition.eyes import Eyes

pytestmark = pytest.mark.pages

SIZE = (2016, 1512)  # px of the camera
AT_ONCE = 9
OTHER_TABLE = 900  # seeds of the pictures that are recognised later


def lie(folder, number, names, deck):
    """The person lays these cards down: the camera sees them from now on."""
    picture = photographed(deck, names, (3, 3), number, SIZE)
    new = folder.with_name("new.png")
    cv2.imwrite(str(new), picture.bgr, [cv2.IMWRITE_PNG_COMPRESSION, 1])
    new.replace(folder / "table.png")


class Person:
    """Taps, and counts what a person does."""

    def __init__(self, driver):
        self.driver, self.acts = driver, 0

    def tap(self, words, selector="button"):
        self.acts += 1
        touch_button(self.driver, words, selector)


def open_deck_step(person, driver, game):
    driver.get(driver.address)
    person.tap("Set up")
    wait_for(driver, "document.querySelector('.hour-frame canvas')?.width > 300")
    person.tap("", ".hour-step:nth-child(3)")
    person.tap(game, ".grid.small[role=group] button")
    person.tap("Begin")
    wait_for(driver, "document.querySelector('.next-faces') !== null")


def next_faces(driver):
    words = driver.find_element("css selector", ".next-faces").text
    return ["back" if name == "back" else name for name in words.replace(" ", "").split("·")]


def seen_again(folder, faces, deck):
    """The faces that the taught deck names, in pictures of another table and light."""
    eyes, named = Eyes.open(str(folder)), {}
    for first in range(0, len(faces), AT_ONCE):
        own = faces[first : first + AT_ONCE]
        picture = photographed(deck, own, (3, 3), OTHER_TABLE + first, (1920, 1080), "felt")
        found = eyes.see(picture.bgr)
        for face, quad in zip(own, picture.quads, strict=True):
            near = [name for name, one in zip(found.faces, found.quads, strict=True)
                    if np.linalg.norm(one.mean(0) - quad.mean(0)) < 40]  # fmt: skip
            named[face] = near[0] if len(near) == 1 else near
    return named


@dataclass
class Walk:
    """What a walk took. `machine_s`: seconds in which the person waits."""

    person: Person
    photographs: int = 0
    questions: int = 0
    machine_s: float = 0.0

    @contextmanager
    def waiting(self):
        began = time.monotonic()
        yield
        self.machine_s += time.monotonic() - began


def photograph_all(walk, driver, table, deck):
    """Nine cards at a time, as the page asks for them."""
    values = "[...document.querySelectorAll('.cards-named input')].map((one) => one.value)"
    while driver.find_elements("css selector", ".next-faces"):
        faces = next_faces(driver)
        lie(table, walk.photographs + 1, faces, deck)
        walk.person.acts += 1  # the cards are laid down
        with walk.waiting():
            walk.person.tap("Take the picture")
            wait_long(driver, "document.querySelectorAll('.cards-named li').length > 0")
        walk.photographs += 1
        assert driver.execute_script(f"return {values}") == faces
        if walk.photographs == 1:
            keep(driver, "rows-named-table")
            check_access(driver)
            check_targets(driver)
        walk.person.tap("The names are right")
        wait_for(driver, "document.querySelector('.cards-named') === null")


def make_deck(walk, driver, address):
    """The deck is made, and each doubtful card confirmed."""
    with walk.waiting():
        walk.person.tap("Make the deck")
        done = f"{mark(driver, 'deck')} === 'passed' || document.querySelector('.asked') !== null"
        wait_long(driver, done)
    while driver.find_elements("css selector", ".asked"):
        keep(driver, f"rows-doubtful-{walk.questions}")
        before = asked(address, "api/state")["first_hour"]["deck"]["doubtful"]
        walk.questions += 1
        with walk.waiting():
            walk.person.tap("Yes, this is the card")
            wait_long(driver, f"({STATE_DOUBTFUL}) !== {len(before)}")
    wait_long(driver, f"{mark(driver, 'deck')} === 'passed'")
    keep(driver, "rows-taught-table")


@pytest.mark.slow
def test_a_box_of_52_cards_is_taught_in_six_photographs_and_recognised(tmp_path):
    require_browser()
    deck, table = load_deck("plain52"), tmp_path / "table"
    table.mkdir()
    lie(table, 0, ["back"], deck)
    with running_kiosk(tmp_path / "home", str(table)) as address, browser(1024, 600) as driver:
        driver.address = address
        walk = Walk(Person(driver))
        open_deck_step(walk.person, driver, "Soda")
        photograph_all(walk, driver, table, deck)
        make_deck(walk, driver, address)
        print(f"acts {walk.person.acts}, photographs {walk.photographs}, questions "
              f"{walk.questions}, machine {walk.machine_s:.0f} s")  # fmt: skip
        assert walk.photographs == 6 and walk.questions <= 3
        assert complaints(driver) == []
    folder = next((tmp_path / "home").glob("**/my-soda/deck.toml")).parent
    taught = load_deck(folder)
    assert set(taught.names) == set(deck.names) and taught.missing == ()
    faces = sorted(deck.names)
    assert seen_again(folder, faces, deck) == {face: face for face in faces}


STATE_DOUBTFUL = """(() => { const words = document.querySelector('.hour-side [role=status]')
    ?.textContent ?? ''; return document.querySelector('.asked') ? words.includes('last') ? 1
    : Number(words.match(/[0-9]+/)?.[0]) : 0 })()"""


def two_photographs(folder):
    """Files of four and of two cards."""
    deck, files = load_deck("suds"), []
    for number, names in enumerate((["boxers", "hat", "pants", "sneakers"], ["socks", "t-shirt"])):
        files.append(folder / f"{number}.jpg")
        cv2.imwrite(str(files[-1]), photographed(deck, names, (2, 2), number, (1280, 960)).bgr)
    return files


def bomb(path):
    """A PNG that promises 3.6 gigapixels."""
    header = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (60000).to_bytes(4, "big") * 2 + b"\x08\x02\0\0\0"
    path.write_bytes(header + bytes(100))
    return path


def test_photographs_are_uploaded_named_laid_and_taken_away_on_a_phone(tmp_path):
    """Two photographs at once, a hostile one refused; a name and the edges are changed."""
    require_browser()
    with running_kiosk(tmp_path / "home") as address, browser(390, 844) as driver:
        driver.address = address
        open_deck_step(Person(driver), driver, "Suds")
        choose_file(driver, "rows", bomb(tmp_path / "bomb.png"))
        wait_for(driver, "document.querySelector('.hour-side').textContent.includes('60000')")
        choose_file(driver, "rows", "\n".join(map(str, two_photographs(tmp_path))))
        sheets = wait_until(address, lambda deck: len(deck["sheets"]) == 2)["sheets"]
        assert [[card["face"] for card in sheet["cards"]] for sheet in sheets] == [
            ["boxers", "hat", "pants", "sneakers"], ["socks", "t-shirt"],
        ]  # fmt: skip
        wait_for(driver, "document.querySelectorAll('.cards-named li').length === 2")
        check_width(driver, 390)
        check_access(driver)
        keep(driver, "rows-named-phone")
        field = driver.find_element("id", "card-2")
        driver.execute_script("arguments[0].value = 'wild'; arguments[0].dispatchEvent("
                              "new Event('change'))", field)  # fmt: skip
        wait_until(address, lambda deck: deck["sheets"][1]["cards"][1]["face"] == "wild")
        lay_edges(driver, address, sheets[1]["cards"][0]["corners"])
        touch_button(driver, "Take this photograph away")
        wait_until(address, lambda deck: len(deck["sheets"]) == 1)


def lay_edges(driver, address, before):
    """The first corner of the second photograph's first card is moved by the keyboard."""
    touch_button(driver, "Edges …")
    wait_for(driver, "document.querySelector('.hour-side h1').textContent === 'Card 1'")
    keep(driver, "rows-edges-phone")
    assert len(driver.find_elements("css selector", ".hour-handle")) == 8
    driver.find_element("css selector", ".hour-handle").send_keys(Keys.ARROW_LEFT * 2)
    touch_button(driver, "The edges are right")
    deck = wait_until(address, lambda deck: deck["sheets"][1]["cards"][0]["corners"] != before)
    after = deck["sheets"][1]["cards"][0]["corners"]
    assert after[0][0] < before[0][0] and after[2] == pytest.approx(before[2], abs=1e-4)


def wait_until(address, is_right):
    """The deck that the set-up shows, once it is right."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        deck = asked(address, "api/state")["first_hour"]["deck"]
        if is_right(deck):
            return deck
        time.sleep(0.1)  # between two looks
    raise AssertionError(f"expected another deck, found {json.dumps(deck)[:2000]}")
