"""Every golden game draws exactly its calls."""

import pytest
from golden import compare, expected, golden_games, play

GAMES = golden_games()


@pytest.mark.parametrize(("game", "name"), GAMES, ids=[f"{game}/{name}" for game, name in GAMES])
def test_the_calls_of_a_golden_game(game, name):
    assert compare(play(game, name), expected(game, name)) == ""


def test_the_comparison_sees_a_missing_and_a_surplus_call():
    made, due = play("suds", "taken-back"), expected("suds", "taken-back")
    assert "not due" in compare(made, due[:-1])
    assert "missing" in compare(made[:-1], due)
    assert "missing" in compare(made, [*due[:-1], {**due[-1], "seat": 1}])
