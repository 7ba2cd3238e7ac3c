"""Whole random games: legal ones draw no mistake, and a broken rule is called by its id."""

import random

import pytest

from lab.players.players import PLAYERS as BY_NAME
from lab.players.table import foul_game, legal_game
from rules.contract.game import make_setup
from rules.games import game as game_named
from rules.judging.referee import begin, close, step

NAMES = sorted(BY_NAME)
PLAYERS = [BY_NAME[name] for name in NAMES]
FOULS = [(player, rule) for player in PLAYERS for rule in player.CHEATS]
# What the referee may say of a legal game whose seats it does not see.
SILENT = {"fewest-cards", "who-took-it", "deck-count"}


def referee_calls(name, played):
    """(index of the event, call) of a whole game."""
    game = game_named(name)
    session = begin(game, make_setup(game, played.players, played.options))
    made = []
    for index, event in enumerate(played.events):
        session, calls = step(session, event)
        made += [(index, call) for call in calls]
    return made + [(len(played.events), call) for call in close(session)]


def assert_legal(player, seed):
    played = legal_game(player, random.Random(seed))
    calls = [call for _, call in referee_calls(player.GAME, played)]
    wrong = [
        call
        for call in calls
        if call.call in ("mistake", "corrected")
        or (call.call == "unsure" and call.rule not in SILENT)
    ]
    assert wrong == [], f"seed {seed}"
    ends = [c for c in calls if c.call in ("win", "tie") or c.rule == "fewest-cards"]
    assert ends, f"seed {seed}: the game has no end"


@pytest.mark.parametrize("player", PLAYERS, ids=NAMES)
def test_legal_games_draw_no_mistake(player):
    for seed in range(60):
        assert_legal(player, seed)


@pytest.mark.slow
@pytest.mark.parametrize("player", PLAYERS, ids=NAMES)
def test_ten_thousand_legal_games_draw_no_mistake(player):
    for seed in range(10_000):
        assert_legal(player, seed)


@pytest.mark.parametrize(
    ("player", "rule"), FOULS, ids=[f"{player.GAME}/{rule}" for player, rule in FOULS]
)
def test_one_broken_rule_is_called_by_its_id_and_closed(player, rule):
    for seed in range(12):
        assert_foul(player, rule, seed)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("player", "rule"), FOULS, ids=[f"{player.GAME}/{rule}" for player, rule in FOULS]
)
def test_one_broken_rule_is_called_in_hundreds_of_games(player, rule):
    for seed in range(300):
        assert_foul(player, rule, seed)


def assert_foul(player, rule, seed):
    played = foul_game(player, random.Random(f"{rule}/{seed}"), rule)
    made = referee_calls(player.GAME, played)
    mistakes = [(index, call.rule) for index, call in made if call.call == "mistake"]
    assert mistakes == [(played.foul, rule)], f"seed {seed}"
    corrected = [call.rule for _, call in made if call.call == "corrected"]
    if rule not in player.NOT_CORRECTED:
        assert corrected == [rule], f"seed {seed}"


@pytest.mark.parametrize("player", PLAYERS, ids=NAMES)
def test_a_cheat_for_every_mistake_of_the_game(player):
    mistakes = {rule.id for rule in game_named(player.GAME).rules if rule.call == "mistake"}
    assert mistakes - set(player.CHEATS) == set()
