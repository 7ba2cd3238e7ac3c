"""The quick `replace` gives what `dataclasses.replace` gives."""

import dataclasses

import pytest

from rules.contract.game import make_setup
from rules.games import NAMES, game
from rules.values import replace


@pytest.mark.parametrize("name", NAMES)
def test_replace_is_that_of_dataclasses(name):
    the_game = game(name)
    state = the_game.start(make_setup(the_game, the_game.players[0]))
    for field in dataclasses.fields(state):
        changed = replace(state, **{field.name: "changed"})
        assert changed == dataclasses.replace(state, **{field.name: "changed"})
        assert getattr(changed, field.name) == "changed"
        assert replace(changed, **{field.name: getattr(state, field.name)}) == state


def test_a_field_that_is_not_there_is_our_bug():
    state = game("suds").start(make_setup(game("suds"), 2))
    with pytest.raises(KeyError):
        replace(state, colour="red")
