"""Every place and rule of every game has words in both languages, spoken or on the page."""

import pytest

from kiosk.speech.catalogue import messages
from kiosk.speech.phrases import face_words, place_words
from rules.contract.game import SHARED_RULES
from rules.games import GAMES, names
from rules.table.layout import default_sides


def places_of(name):
    """The places of a game's layout; Suds' piles are born where people lay them."""
    game = GAMES[name]
    return {area.place for area in game.layout.areas(default_sides(game.players[1]))} | {"pile/2"}


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", names())
def test_a_place_has_words(name, language):
    raw = {place for place in places_of(name) if place_words(place, language) == place_of(place)}
    assert not raw


def place_of(place):
    """A place where it has no words."""
    return place.replace("/", " ")


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_card_that_lies_face_down_is_no_back(language):
    assert face_words("back", language) != "back"


def test_both_catalogues_have_the_same_places():
    kinds = [{each for each in messages(language) if each.startswith("place-")} - {"place-needs"}
             for language in ("en", "de")]  # fmt: skip
    assert kinds[0] == kinds[1]


def test_numbers_stand_where_the_language_wants_them():
    assert place_words("seat/3/set/2", "de") == "Satz 2 von Platz 3"
    assert place_words("nowhere/4", "de") == "nowhere 4"


def test_every_rule_has_a_german_name_of_its_own_and_no_other_has_one():
    ids = {rule.id for game in GAMES.values() for rule in (*game.rules, *SHARED_RULES)}
    german = {k: v for k, v in messages("de", "rules").items() if k.startswith("rule-")}
    assert {f"rule-{each}" for each in ids} == german.keys() >= messages("en", "rules").keys()
    assert len(set(german.values())) == len(german)


def test_every_rule_says_why_in_german_and_no_other_does():
    wanted = {f"why-{name}-{rule.id}" for name, game in GAMES.items() for rule in game.rules}
    german = {k: v for k, v in messages("de", "rules").items() if k.startswith("why-")}
    assert german.keys() == wanted | {f"why-{rule.id}" for rule in SHARED_RULES}
    english = {r.sentence for game in GAMES.values() for r in (*game.rules, *SHARED_RULES)}
    assert not english & set(german.values()) and len(set(german.values())) == len(german)
