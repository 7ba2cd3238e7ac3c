"""Legal games in which the eyes cannot name one card, or name it a little later: no mistake."""

import random
from dataclasses import replace

import pytest
from test_players import NAMES, PLAYERS, referee_calls

from lab.players.table import Played, legal_game
from rules.table.event import Placed, Removed, is_card_event


def unnamed(played: Played, k: int) -> Played | None:
    """The game with its k-th event's card unknown, until it is taken away; None where another
    card of that face comes to the same place."""
    events = list(played.events)
    card, place = events[k].card, events[k].place
    events[k] = replace(events[k], card="unknown", on=None)
    for j in range(k + 1, len(events)):
        event = events[j]
        if not is_card_event(event) or (event.place, event.card) != (place, card):
            continue
        if isinstance(event, Placed):
            return None
        events[j] = replace(event, card="unknown")
        break
    return replace(played, events=tuple(events))


def named_later(played: Played, k: int, later: int) -> Played | None:
    """The game with its k-th event's card named by nobody's hand `later` events after it; None
    where something else happens there meanwhile."""
    laid, j = played.events[k], min(k + 1 + later, len(played.events))
    between = filter(is_card_event, played.events[k + 1 : j])
    if any(event.place == laid.place for event in between):
        return None
    at = played.events[j - 1].at
    naming = (
        Removed(at, "unknown", laid.place),
        replace(laid, seat=None, at=at),
    )
    hidden = replace(laid, card="unknown", on=None)
    events = (*played.events[:k], hidden, *played.events[k + 1 : j], *naming, *played.events[j:])
    return replace(played, events=events)


def games(player, seeds):
    """(what was done, game) with a card that is not named in each."""
    for seed in seeds:
        rng = random.Random(f"unnamed/{seed}")
        played = legal_game(player, rng)
        buttons = [getattr(event, "button", None) for event in played.events]
        start = buttons.index("start")
        laid = [n for n, event in enumerate(played.events) if isinstance(event, Placed)]
        laid = [n for n in laid if n > start and played.events[n].card != "back"]
        for k in rng.sample(laid, min(3, len(laid))):
            later = rng.randrange(4)
            yield f"seed {seed}, event {k} not named", unnamed(played, k)
            yield f"seed {seed}, event {k} named {later} later", named_later(played, k, later)


def assert_no_mistake(player, seeds):
    tried = 0
    for what, played in games(player, seeds):
        if played is None:
            continue
        calls = [call for _, call in referee_calls(player.GAME, played)]
        assert [call for call in calls if call.call == "mistake"] == [], what
        assert any(call.rule in ("unknown-card", "outcome") for call in calls), what
        tried += 1
    assert tried > len(seeds)


@pytest.mark.parametrize("player", PLAYERS, ids=NAMES)
def test_a_card_that_cannot_be_named_draws_no_mistake(player):
    assert_no_mistake(player, range(12))


@pytest.mark.slow
@pytest.mark.parametrize("player", PLAYERS, ids=NAMES)
def test_a_thousand_cards_that_cannot_be_named_draw_no_mistake(player):
    assert_no_mistake(player, range(200))
