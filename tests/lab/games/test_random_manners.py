"""Manners in random games: every one comes up, none changes what is due, all by the seed."""

from dataclasses import replace

import pytest

from lab.commands import evaluate
from lab.games.generate import Wish, generate
from lab.games.manners import MANNERS
from lab.games.score import score_film
from lab.games.truth import due_calls, from_json, to_json, truth_of_script
from lab.players.players import PLAYERS
from models.deck import load_deck
from models.drawing.cameras import CAMERAS
from models.drawing.happening import truth
from models.drawing.play import Play
from models.drawing.script import parse_script, script_text
from rules.table.event import Placed, Removed


def film_of(wish):
    game = generate(wish)
    return truth_of_script(game.script, game.options, game.sides, wish.pace)


def played(film):
    return [
        (type(event).__name__, event.card, event.place, event.seat)
        for event in film.events
        if isinstance(event, Placed | Removed)
    ]


@pytest.mark.parametrize("game", PLAYERS)
@pytest.mark.parametrize("pace", [1.5, 0.6])
def test_manners_change_no_event_but_its_time(game, pace):
    plain = Wish(game, 5, pace, 25)
    polite, rude = film_of(plain), film_of(replace(plain, manners=MANNERS, cameras=CAMERAS))
    assert rude.windows or rude.lasting
    assert sorted(played(polite)) == sorted(played(rude))
    assert polite.acts == rude.acts
    assert all(
        not event.place.startswith("aside") for event in rude.events if hasattr(event, "place")
    )


@pytest.mark.parametrize("name", MANNERS)
def test_a_manner_that_is_named_comes_up_in_some_game(name):
    seen = set()
    for game in PLAYERS:
        for seed in (1, 2, 3):
            film = film_of(Wish(game, seed, 1.5, 30, manners=(name,)))
            seen |= {window.manner for window in film.windows} | set(film.lasting)
        if name in seen:
            break
    assert name in seen


@pytest.mark.parametrize("game", PLAYERS)
def test_a_game_with_manners_is_the_same_by_seed_and_reads_back(game):
    wish = Wish(game, 7, 0.9, 20, manners=MANNERS, cameras=CAMERAS)
    made = generate(wish)
    assert made == generate(wish) != generate(replace(wish, seed=8))
    assert parse_script(script_text(made.script), made.script.name) == made.script
    film = truth_of_script(made.script, made.options, made.sides, wish.pace)
    assert from_json(to_json(film, (1280, 720))) == film


def test_who_sees_everything_has_no_fault_and_who_tells_a_lift_neither():
    for seed in range(1, 6):
        wish = Wish("suds", seed, 1.5, 30, manners=("look", "peek", "raise", "hold"))
        film = film_of(wish)
        calls = due_calls(film, film.options, film.events)
        seen = {
            "events": [
                {"event": type(e).__name__.lower(), "at": e.at, "card": e.card, "place": e.place,
                 "seat": e.seat, "told": e.at}
                for e in film.events if isinstance(e, Placed | Removed)
            ],
            "calls": [call | {"told": call["at"]} for call in calls],
        }  # fmt: skip
        made = score_film(film, seen)
        assert made.events_right == made.events > 0 and made.faults == []
        lifted = {"card": "hat", "place": "pile/1", "seat": 1}
        seen["events"] += [
            lifted | {"event": "removed", "at": 0.5, "told": 0.5},
            lifted | {"event": "placed", "at": 1.4, "told": 1.4},
        ]
        assert score_film(film, seen).faults == []
        seen["calls"].append({"call": "unsure", "rule": "order", "at": 2.0, "told": 2.0})
        asked = score_film(film, seen)
        assert [mark.what for mark in asked.marks if not mark.is_right] == ["question"]


def test_the_help_names_all_manners_and_cameras():
    assert ", ".join(MANNERS) == evaluate.MANNERS
    assert ", ".join(CAMERAS) == evaluate.CAMERAS


def lying(events):
    """The cards of each place after these events."""
    left = {}
    for event in events:
        cards = left.setdefault(event.place, []) if isinstance(event, Placed | Removed) else []
        if isinstance(event, Placed):
            cards.append(event.card)
        elif isinstance(event, Removed):
            cards.remove(event.card)
    return {place: sorted(cards) for place, cards in left.items() if cards}


@pytest.mark.parametrize("game", PLAYERS)
def test_what_is_acted_out_is_what_the_truth_says(game):
    made = generate(Wish(game, 51, 0.6, 40, manners=MANNERS))
    deck = load_deck("plain52" if game == "soda" else game)
    play = Play(made.script, deck, (320, 180), made.sides)
    play.picture(made.script.end)
    shown = {}
    for face, place, _ in play.cards:
        if not place.startswith("aside/"):
            shown.setdefault(place, []).append(face)
    assert {place: sorted(faces) for place, faces in shown.items()} == lying(truth(made.script))
