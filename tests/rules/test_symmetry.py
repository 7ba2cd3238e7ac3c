"""What must make no difference: events that mean nothing, who sits where, which suit is which."""

import random
import re
from dataclasses import replace

import pytest
from random_games import places_of, random_games

from rules.contract.game import make_setup
from rules.games import NAMES, game
from rules.judging.referee import begin, close, step
from rules.table.call import Call
from rules.table.event import Blind, Placed, Pressed, Sighted

FIRST = {"cat-in-the-hat": "first", "dirty-laundry": "first", "soda": "dealer", "sooty": "dealer"}


def play(name, players, events, options=None):
    """The calls of each event, and those of the end (at the last event that counted: no time)."""
    the_game = game(name)
    session, made = begin(the_game, make_setup(the_game, players, options)), []
    for event in events:
        session, calls = step(session, event)
        made.append(calls)
    return [*made, tuple(replace(call, at=0.0) for call in close(session))]


def bare(calls, change=lambda call: call):
    """What a call says but for its words, in an order of its own."""
    changed = map(change, calls)
    return sorted(repr((c.call, c.rule, c.place, c.seat, c.card, c.expected)) for c in changed)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("nothing", ["a glance away", "start again", "a back"])
def test_what_means_nothing_changes_no_call(name, nothing):
    rng = random.Random(nothing)
    for players, events in random_games(name, games=30, length=80):
        # A glance away may not be undone, and while the view is lost anything means something.
        events = [e for e in events if not _is_undo(e) and not isinstance(e, (Blind, Sighted))]
        places = [p for p in places_of(game(name), players) if not p.endswith("/items")]
        more, added = [], set()
        for event in events:
            more.append(event)
            if rng.random() < 0.2:
                for extra in _nothing(nothing, event.at, rng.choice(places)):
                    added.add(len(more))
                    more.append(extra)
        made = play(name, players, more)
        assert all(not made[i] for i in added)
        assert [c for i, c in enumerate(made) if i not in added] == play(name, players, events)


def _is_undo(event):
    return isinstance(event, Pressed) and event.button == "undo"


def _nothing(nothing, at, place):
    if nothing == "a glance away":
        return [Blind(at), Sighted(at)]
    if nothing == "start again":
        return [Pressed(at, "start")]
    return [Placed(at, card="back", place=place, seat=1)]


@pytest.mark.parametrize("name", NAMES)
def test_who_sits_where_makes_no_difference(name):
    for players, events in random_games(name, games=40, length=80):

        def seat(number, on=players - 1, of=players):
            return None if number is None else (number - 1 + on) % of + 1

        def text(found, seat=seat):
            return found and re.sub(
                r"^(seat/|p)(\d)(?=[/-])", lambda m: f"{m[1]}{seat(int(m[2]))}", found
            )

        def moved(value, seat=seat, text=text):
            if isinstance(value, (Blind, Sighted)):
                return value
            changes = {"seat": seat(value.seat)}
            if not isinstance(value, Pressed):
                changes |= {"place": text(value.place), "card": text(value.card)}
            if isinstance(value, Call):
                changes["expected"] = value.expected and tuple(map(text, value.expected))
            return replace(value, **changes)

        options = {FIRST[name]: str(seat(1))} if name in FIRST else {}
        as_it_is, turned = (
            play(name, players, events),
            play(name, players, map(moved, events), options),
        )
        for calls, others in zip(as_it_is, turned, strict=True):
            assert bare(calls, moved) == bare(others)


SWAPS = {
    "sooty": {"sooty": "sweep", "sweep": "sooty"},
    "soda": dict(zip("cdhs", "hscd", strict=True)),
}


@pytest.mark.parametrize("name", sorted(SWAPS))
def test_which_suit_is_which_makes_no_difference(name):
    swap = SWAPS[name]

    def text(found):
        if not found or found in ("unknown", "back", "discard"):
            return found
        if name == "sooty":
            return re.sub(r"^(sooty|sweep)(?=-)", lambda m: swap[m[0]], found)
        return re.sub(r"(?<=[\dajqk/])[cdhs]$", lambda m: swap[m[0]], found)

    def swapped(value):
        if isinstance(value, (Blind, Sighted, Pressed)):
            return value
        changes = {"card": text(value.card), "place": text(value.place)}
        if isinstance(value, Call):
            changes["expected"] = value.expected and tuple(sorted(map(text, value.expected)))
        elif isinstance(value, Placed):
            changes["on"] = text(value.on)
        return replace(value, **changes)

    def sorted_expected(call):
        return replace(call, expected=call.expected and tuple(sorted(call.expected)))

    options = {"suits": "".join(swap[suit] for suit in "cdhs")} if name == "soda" else {}
    for players, events in random_games(name, games=40, length=80):
        made = play(name, players, map(swapped, events), options)
        for calls, others in zip(play(name, players, events), made, strict=True):
            assert bare(calls, swapped) == bare(others, sorted_expected)
