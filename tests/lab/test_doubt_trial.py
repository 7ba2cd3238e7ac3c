"""The trial of doubt: what is told is true as often as it says, and nothing is called of it that
was not made."""

from random import Random

import pytest

from lab.evaluation import doubt
from lab.evaluation.doubtful_play import acts, play
from lab.players.players import PLAYERS
from rules.games import NAMES, game
from rules.table.event import is_card_event


@pytest.mark.parametrize("name", NAMES)
def test_without_doubt_both_ways_call_what_was_made(name, monkeypatch):
    monkeypatch.setattr("lab.evaluation.doubtful_play.SURE", (-9.0, -8.0))
    score = doubt.DoubtScore(name, 0.0)
    doubt.add(score, game(name), play(PLAYERS[name], game(name), Random(name), 0.0, 80))
    assert score.acts >= 40
    for tally in score.tallies.values():
        assert (tally.called, tally.false) == (score.mistakes, 0)
        assert (tally.endings_right, tally.endings_false) == (score.endings, 0)


def test_of_choices_told_at_a_chance_so_many_are_true():
    right, said = 0, 0.0
    for seed in range(60):
        played = play(PLAYERS["suds"], game("suds"), Random(seed), 0.5, 80)
        real = {
            (event.kind, event.card, event.place, event.seat, event.at)
            for event in played.happened
            if is_card_event(event)
        }
        for step in played.told:
            for event in step.weighed:
                ways = getattr(event, "ways", None)
                if ways is None or len(ways.ways) < 2 or len(ways.ways[0].events) > 1:
                    continue
                (first,) = ways.ways[0].events
                if len(ways.ways[1].events) == 1:  # a face or a seat
                    key = (first.kind, first.card, first.place, first.seat, first.at)
                    right += key in real
                    said += ways.ways[0].chance
    assert said > 300 and abs(right - said) < 3 * said**0.5 / 2


def test_a_row_for_each_game_and_share(monkeypatch):
    monkeypatch.setattr(doubt, "ACTS", 30)
    lines = []
    scores = doubt.doubt(["suds"], 1, lines.append)
    assert len(scores) == len(lines) == len(doubt.SHARES)
    rows = doubt.section(scores, "the command").splitlines()
    assert sum(row.startswith("| suds |") for row in rows) == len(doubt.SHARES)
    assert all(score.acts >= 30 for score in scores)
    assert acts(()) == 0
