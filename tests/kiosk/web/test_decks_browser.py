"""Decks that learn, in a real browser: switched on in the menu, seen and undone by touch."""

from __future__ import annotations

import pytest
from axe_check import check_access
from decks_with_past import PastDeck
from real_browser import browser, complaints, keep, require_browser, shown, wait_for
from running_kiosk import running_kiosk
from test_first_hour_browser import check_targets, check_width
from touch import tap_button, tap_css

from calibration.settings import load_settings, own_settings

pytestmark = pytest.mark.pages

SIZES = {"table": (1024, 600), "phone": (390, 844)}
LANGUAGES = {"table": "en", "phone": "de"}  # of the page on each screen
WORDS = {
    "en": {
        "begin": "Let decks learn from games", "end": "End the learning", "close": "Close",
        "undo": "Undo the last change", "do": "Undo it", "cancel": "Cancel",
        "learned": "Now · Learned from Suds, game 8", "reverted": "Now · Made what it was before",
        "new": "This deck has not changed since it was taught",
    },
    "de": {
        "begin": "Kartensätze aus Spielen lernen lassen", "end": "Lernen beenden",
        "close": "Schließen", "undo": "Letzte Änderung rückgängig machen",
        "do": "Rückgängig machen", "cancel": "Abbrechen",
        "learned": "Jetzt · Gelernt aus Suds, Spiel 8",
        "reverted": "Jetzt · Auf einen früheren Stand gebracht",
        "new": "Dieser Kartensatz ist unverändert",
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def kiosk(tmp_path_factory):
    """A kiosk: its address, and its home."""
    require_browser()
    home = tmp_path_factory.mktemp("decks")
    with running_kiosk(home) as address:
        yield address, home


def own_deck(kiosk, name):
    """A deck that was taught for this table."""
    return PastDeck(kiosk[1] / "page" / "decks" / name)


@pytest.fixture(params=SIZES)
def screen(request, kiosk):
    """The start screen: its browser, and the words of its language."""
    with browser(*SIZES[request.param], touch=True) as driver:
        open_start(kiosk, driver, request.param)
        yield request.param, driver, WORDS[LANGUAGES[request.param]]
        assert complaints(driver) == []


def open_start(kiosk, driver, size):
    """The start screen, with the decks as they are now."""
    driver.get(f"{kiosk[0]}?lang={LANGUAGES[size]}")
    wait_for(driver, "document.querySelector('.start') !== null")


def looked_at(driver, name, size):
    """The view is kept as a picture, and fits finger, screen and screen reader."""
    name = f"{name}-{size}"
    wait_for(driver, "[...document.images].every((image) => image.naturalWidth > 9)")
    keep(driver, name)
    check_access(driver, name)
    check_targets(driver)
    check_width(driver, SIZES[size][0])


def test_decks_learn_from_the_next_game_on(kiosk, screen, monkeypatch):
    size, driver, words = screen
    monkeypatch.setenv("FAIRDEAL_HOME", str(kiosk[1]))
    for before, after, is_on in (("begin", "end", True), ("end", "begin", False)):
        tap_css(driver, ".bar .menu")
        tap_button(driver, words[before], "dialog")
        shown(driver, "dialog button", lambda text, after=after: text == words[after])
        looked_at(driver, f"deck-switch-{after}", size)
        assert load_settings(own_settings()).machine.learn is is_on
        tap_button(driver, words["close"], "dialog")


def test_the_last_change_of_a_deck_is_seen_and_undone(kiosk, screen):
    size, driver, words = screen
    deck = own_deck(kiosk, f"my-suds-{size}")
    deck.learn("hat", "socks", game=7)
    deck.learn("boxers", game=8)
    open_start(kiosk, driver, size)
    open_history(driver, deck.folder.name)
    shown(driver, ".games h3", lambda text: text == words["learned"])
    looked_at(driver, "deck-history", size)
    assert len(driver.find_elements("css selector", ".games .faces-taught img")) == 3
    tap_button(driver, words["undo"], "dialog")
    looked_at(driver, "deck-undo", size)
    tap_button(driver, words["cancel"], "dialog")
    assert len(deck.states[-1].learned) == 3, "nothing is undone without a second tap"
    for heading, learned in (("reverted", 2), ("reverted", 3)):
        tap_button(driver, words["undo"], "dialog")
        tap_button(driver, words["do"], "dialog")
        shown(driver, ".games h3", lambda text, heading=heading: text == words[heading])
        count = f"document.querySelectorAll('.faces-taught img').length === {learned}"
        wait_for(driver, count)
        assert len(deck.states[-1].learned) == learned


def test_a_deck_without_a_past_says_so(kiosk, screen):
    size, driver, words = screen
    deck = own_deck(kiosk, f"my-new-suds-{size}")
    open_start(kiosk, driver, size)
    open_history(driver, deck.folder.name)
    shown(driver, "dialog p", lambda text: text.startswith(words["new"]))
    looked_at(driver, "deck-new", size)
    assert not driver.find_elements("css selector", ".deck-undo")


def open_history(driver, deck):
    """Chooses the deck on the start screen, and opens what happened to it."""
    tap_button(driver, "Suds", ".games-offered")
    tap_button(driver, deck, ".columns [role=group]")
    shown(driver, ".deck-history", lambda text: text.endswith(deck))
    tap_css(driver, ".deck-history")
    shown(driver, "dialog h2", lambda text: text.endswith(deck))
