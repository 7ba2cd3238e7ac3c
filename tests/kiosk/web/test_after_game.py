"""After a game the page says who won, whose mistakes there were, and how right the referee was."""

from dataclasses import replace

import pytest
from real_browser import browser, complaints, require_browser, wait_for
from staged_decks import deck_views
from staged_page import staged_page
from staged_start import start_views
from staged_views import HISTORY, moment_views

pytestmark = pytest.mark.pages

PLAYED = next(game for game in HISTORY["/api/history"]["games"] if game["number"] == 2)
SHOWN = "document.querySelector('.after-game')?.textContent"


@pytest.fixture(scope="module")
def stage():
    require_browser()
    with staged_page() as stage, browser(1024, 600) as driver:
        stage.driver = driver
        yield stage


def view_named(name):
    views = (*moment_views(), *start_views(), *deck_views())
    return next(view for view in views if view.name == name)


def shown(stage, view, language):
    """What the report says, once it is there."""
    stage.set(view)
    stage.driver.get("about:blank")
    stage.driver.get(f"{stage.address}?lang={language}")
    wait_for(stage.driver, f"{SHOWN} !== undefined")
    return stage.driver.execute_script(f"return {SHOWN}")


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("Maximilian Schwarzenberg won", "42 mistakes", "machine broken 6",
                "The referee made 24 calls, 2 calls overruled, 2 questions.")),
        ("de", ("Maximilian Schwarzenberg hat gewonnen", "42 Fehler", "Maschine ist kaputt 6",
                "2 Entscheidungen geändert, 2 Fragen.")),
    ],
)  # fmt: skip
def test_the_journal_s_figures_are_told_with_the_players_names(stage, language, words):
    assert (PLAYED["calls"], PLAYED["overruled"], PLAYED["questions"]) == (24, 2, 2)
    text = shown(stage, view_named("start-after"), language)
    assert not [each for each in (*words, "Wilhelmina-Theodora Lang: 3") if each not in text]
    assert complaints(stage.driver) == []


def test_a_game_without_a_journal_is_told_from_its_calls(stage):
    view = view_named("start-after")
    state = {**view.event, "game": {**view.event["game"], "number": None}}
    call = {**state["calls"][0], "is_withdrawn": False, "overruled": "", "seat": 2, "event": 9}
    state["calls"] = [
        {**call, "n": 1, "call": "mistake", "rule": "draw-one"},
        {**call, "n": 2, "call": "mistake", "is_withdrawn": True, "overruled": "no mistake"},
        {**call, "n": 3, "call": "unsure"},
        {**call, "n": 4, "call": "win", "rule": "two-sets"},
    ]
    state["calls_made"] = 4
    text = shown(stage, replace(view, event=state), "en")
    assert "1 mistake: draw one 1" in text and "hohenfels won" in text
    assert "The referee made 4 calls, 1 call overruled, 1 question." in text


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "learned 6 pictures from this game.History"), ("de", "6 Bilder gelernt.Verlauf")],
)
def test_what_the_deck_learned_is_told_with_a_way_to_its_history(stage, language, words):
    view = view_named("deck-learned")
    shown(stage, view, language)
    wait_for(stage.driver, f"{SHOWN}.includes({words!r})")
    stage.driver.execute_script("document.querySelector('.deck-learned button').click()")
    wait_for(stage.driver, "document.querySelectorAll('dialog .games > li').length === 5")
    assert complaints(stage.driver) == []


def test_while_the_referee_ends_nothing_is_told_of_learning(stage):
    view = view_named("deck-learned")
    state = {**view.event, "referee": {**view.event["referee"], "is_running": True}}
    assert "learned" not in shown(stage, replace(view, event=state), "en")


def test_while_a_game_is_played_and_after_a_crash_there_is_no_report(stage):
    for name in ("stopped", "lost"):
        view = view_named(name)
        stage.set(view)
        stage.driver.get("about:blank")
        stage.driver.get(stage.address)
        wait_for(stage.driver, f"document.querySelector({view.there!r}) !== null")
        assert stage.driver.execute_script(f"return {SHOWN}") is None
