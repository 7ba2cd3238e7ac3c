"""A belief in random games of all kinds of doubt: it stays small and reads back from its text."""

from dataclasses import replace
from random import Random

import pytest
from random_games import random_games

from rules.contract.game import make_setup
from rules.contract.reader import read_events
from rules.games import NAMES, game
from rules.judging import belief
from rules.judging.branches import weighable
from rules.judging.explain import described
from rules.table.event import Way, is_card_event, told


@pytest.mark.parametrize("name", NAMES)
def test_whatever_happens_a_belief_stays_small_and_reads_back(name):
    """Random events, unsure, with ways of any kind: few hypotheses, weights that sum to 1, the
    same calls from the text of the events."""
    rng, the_game = Random(name), game(name)
    for players, events in random_games(name, games=3, length=60):
        events = [unsure_of(rng, event) for event in events]
        setup = make_setup(the_game, players)
        text = [event.to_json().encode() for event in events]
        state, again = belief.begin(the_game, setup), belief.begin(the_game, setup)
        for event, read in zip(events, read_events(text, the_game, players), strict=True):
            state, said = belief.step(state, event)
            again, same = belief.step(again, read)
            assert (said.calls, said.withdrawn) == (same.calls, same.withdrawn)
            assert len(state.hypotheses) <= 64
            assert sum(each.weight for each in state.hypotheses) == pytest.approx(1.0)
            assert sum(call.call == "unsure" for call in said.calls) <= 4
            open_ones = belief.open_mistakes(state)
            assert set(open_ones) <= set(state.session.state.mistakes)
            described_all = [described(each, dict(enumerate(events, 1))) for each in said.reasons]
            assert all(described_all)
        belief.close(state)


def unsure_of(rng, event):
    if not is_card_event(event):
        return event
    chance = rng.random()
    if chance < 0.4:
        return weighable(replace(event, sure=rng.choice((0.3, 0.9, 0.97, 0.997))))
    if chance < 0.6:
        ways = (Way(0.8, (event,)), Way(0.2, ()))
        return told(ways, rng.choice((None, 1, 2, 3)))
    if chance < 0.7:
        other = replace(event, card="unknown", seat=None)
        return told((Way(0.5, (event,)), Way(0.3, (other, event)), Way(0.2, (other,))), 7)
    return event
