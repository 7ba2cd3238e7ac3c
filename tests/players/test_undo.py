"""Whole games of every game: undo is exact, no value is edited, a replay gives the same calls."""

import random

import pytest
from test_players import NAMES, PLAYERS

from lab.players.table import foul_game, legal_game
from rules.contract.game import make_setup
from rules.contract.reader import read_events
from rules.games import game as game_named
from rules.judging.referee import begin, step
from rules.table.event import Pressed

UNDO = Pressed(0.0, "undo")
SEEDS = range(3)


def some_games(player):
    """Legal games, and a game with each foul."""
    for seed in SEEDS:
        yield legal_game(player, random.Random(seed))
    for rule in player.CHEATS:
        yield foul_game(player, random.Random(f"undo/{rule}"), rule)


def sessions(player, played):
    """(session before, event, session after, calls) of every event of a game."""
    game = game_named(player.GAME)
    session = begin(game, make_setup(game, played.players, played.options))
    for event in played.events:
        after, calls = step(session, event)
        yield session, event, after, calls
        session = after


@pytest.mark.parametrize("player", PLAYERS, ids=NAMES)
def test_undo_of_any_event_gives_what_was_before(player):
    for played in some_games(player):
        for before, event, after, _ in sessions(player, played):
            if after.past is before.past:
                continue  # an ignored event is not counted
            back, calls = step(after, UNDO)
            assert calls == ()
            assert (back.state, back.table, back.over) == (before.state, before.table, before.over)
            again, _ = step(back, event)
            assert (again.state, again.table, again.over) == (after.state, after.table, after.over)


@pytest.mark.parametrize("player", PLAYERS, ids=NAMES)
def test_undo_of_a_whole_game_gives_its_beginning(player):
    for seed in SEEDS:
        played = legal_game(player, random.Random(seed))
        walked = list(sessions(player, played))
        # What was written down of each state while the game ran: nothing may edit it later.
        text = [repr(before.state) for before, *_ in walked]
        session = walked[-1][2]
        while session.past is not None:
            session, _ = step(session, UNDO)
        assert (session.state, session.table) == (walked[0][0].state, walked[0][0].table)
        assert [repr(before.state) for before, *_ in walked] == text


@pytest.mark.parametrize("player", PLAYERS, ids=NAMES)
def test_a_replay_of_the_written_game_gives_the_same_calls(player):
    for played in some_games(player):
        live = [calls for *_, calls in sessions(player, played)]
        game = game_named(player.GAME)
        lines = [event.to_json().encode() for event in played.events]
        session = begin(game, make_setup(game, played.players, played.options))
        replayed = []
        for event in read_events(lines, game, played.players):
            session, calls = step(session, event)
            replayed.append(calls)
        assert replayed == live
