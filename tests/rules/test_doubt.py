"""Doubtful events: none makes a mistake, and sure ones are judged as ever."""

import json
import random
from dataclasses import replace

import pytest
from random_games import random_games
from test_players import PLAYERS

from lab.players.table import foul_game, legal_game
from rules.contract.game import make_setup
from rules.contract.reader import read_events
from rules.games import NAMES, game
from rules.judging.doubt import NO_DOUBTS, SURE_ENOUGH, as_seen
from rules.judging.referee import begin, close, step, view
from rules.table.call import CallKind
from rules.table.event import Blind, Placed, Pressed, Removed, Sighted, is_card_event

START, UNDO = Pressed(0.0, "start"), Pressed(0.0, "undo")


def play(name, players, events, options=None):
    the_game = game(name)
    session, made = begin(the_game, make_setup(the_game, players, options)), []
    for event in events:
        session, calls = step(session, event)
        made.append((event, calls))
    return session, [*made, (None, close(session))]


def calls_of(made):
    return [call for _, calls in made for call in calls]


def doubted(events, sure):
    return [replace(event, sure=sure) if is_card_event(event) else event for event in events]


def suds(*events):
    session, made = play("suds", 2, [START, *events])
    return session, [(call.call, call.rule, call.card, call.expected) for call in calls_of(made)]


def placed(card, sure=1.0, place="pile/1", seat=1):
    return Placed(1.0, card, place, seat, sure=sure)


def removed(card, sure=1.0, place="pile/1", seat=1):
    return Removed(1.0, card, place, seat, sure=sure)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("sure", [0.0, 0.5, SURE_ENOUGH - 1e-6])
def test_no_doubtful_card_makes_a_mistake_whatever_is_laid(name, sure):
    unsure = 0
    for players, events in random_games(name, games=60, length=100):
        _, made = play(name, players, doubted(events, sure))
        for event, calls in made:
            if isinstance(event, Pressed) and event.button != "end":
                continue  # a press is never doubtful
            assert [call for call in calls if call.call is CallKind.MISTAKE] == []
        unsure += sum(call.call is CallKind.UNSURE for call in calls_of(made))
    assert unsure > 50


@pytest.mark.parametrize("name", NAMES)
def test_a_doubtful_event_makes_no_mistake_among_sure_ones(name):
    rng = random.Random(name)
    for players, events in random_games(name, games=60, length=100):
        events = [replace(e, sure=rng.choice([0.3, 1.0])) if is_card_event(e) else e
                  for e in events]  # fmt: skip
        _, made = play(name, players, events)
        for event, calls in made:
            if event is not None and is_card_event(event) and event.sure < SURE_ENOUGH:
                assert all(call.call is not CallKind.MISTAKE for call in calls)


@pytest.mark.parametrize("name", NAMES)
def test_sure_events_are_judged_as_ever(name):
    for players, events in random_games(name, games=30, length=100):
        session, made = play(name, players, events)
        again, same = play(name, players, doubted(events, SURE_ENOUGH))
        assert [calls for _, calls in made] == [calls for _, calls in same]
        assert again.state == session.state and again.doubts is NO_DOUBTS


@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: player.GAME)
def test_legal_games_in_doubt_draw_the_same_calls(player):
    for seed in range(6):
        played = legal_game(player, random.Random(seed))
        _, sure = play(player.GAME, played.players, played.events, played.options)
        _, unsure = play(player.GAME, played.players, doubted(played.events, 0.5), played.options)
        assert calls_of(sure) == calls_of(unsure)


@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: player.GAME)
def test_a_doubtful_foul_is_unsure_and_the_game_goes_on_without_a_mistake(player):
    for rule in player.CHEATS:
        played = foul_game(player, random.Random(f"doubt/{rule}"), rule)
        foul = played.events[played.foul]
        if not is_card_event(foul):
            continue
        events = list(played.events)
        events[played.foul] = replace(foul, sure=0.6)
        _, made = play(player.GAME, played.players, events, played.options)
        before = [call.call for _, calls in made[: played.foul + 1] for call in calls]
        assert CallKind.MISTAKE not in before, rule
        due = {call.rule for call in made[played.foul][1] if call.call is CallKind.UNSURE}
        late = {call.rule for call in calls_of(made) if call.call is CallKind.UNSURE}
        assert rule in due or rule in late, rule


@pytest.mark.parametrize("name", NAMES)
def test_undo_takes_doubts_back(name):
    rng = random.Random(name)
    for players, events in random_games(name, games=20, length=60):
        the_game = game(name)
        session = begin(the_game, make_setup(the_game, players))
        for event in events:
            if isinstance(event, (Blind, Sighted)) or event == UNDO:
                continue
            if is_card_event(event):
                event = replace(event, sure=rng.choice([0.2, 1.0]))
            after, _ = step(session, event)
            if after.past is not session.past and getattr(event, "button", "") != "undo":
                back, calls = step(after, UNDO)
                assert calls == ()
                assert (back.state, back.table, back.doubts) == (
                    session.state, session.table, session.doubts,
                )  # fmt: skip
            assert view(after).headline
            session = after


def test_one_unsure_names_the_rule_the_card_and_what_was_due():
    session, calls = suds(placed("hat"), placed("socks", 0.9))
    assert calls == [("unsure", "out-of-sequence", "socks", ("t-shirt",))]
    assert session.table == {"pile/1": ("hat", "unknown")}
    assert as_seen(session.table, session.doubts) == {"pile/1": ("hat", "socks")}


def test_what_follows_a_doubtful_card_counts_as_right_until_it_is_removed():
    wrong = [placed("hat"), placed("socks", 0.9), placed("pants")]
    session, calls = suds(*wrong)
    assert [call[:2] for call in calls] == [("unsure", "out-of-sequence")]
    session, calls = suds(*wrong, removed("socks"), placed("sneakers"))
    assert [call[:2] for call in calls][1:] == [("mistake", "out-of-sequence")]
    assert session.table == {"pile/1": ("hat", "pants", "sneakers")}
    assert session.doubts == NO_DOUBTS


def test_a_doubtful_removal_leaves_an_unknown_until_the_card_is_back():
    laid = [placed("hat"), placed("t-shirt"), removed("t-shirt"), removed("hat", 0.5)]
    session, calls = suds(*laid)
    assert [call[:2] for call in calls][1:] == [("unsure", "swept-early")]
    assert session.table == {"pile/1": ("unknown",)}
    session, calls = suds(*laid, placed("hat"), placed("boxers"))
    assert session.table == {"pile/1": ("hat", "boxers")}
    assert [call[:2] for call in calls][2:] == [("mistake", "out-of-sequence")]


def test_a_lost_view_takes_doubtful_cards_as_they_lie():
    laid = [placed("hat"), placed("socks", 0.5), placed("hat", place="pile/2"),
            placed("t-shirt", place="pile/2"), removed("t-shirt", place="pile/2"),
            removed("hat", 0.5, place="pile/2")]  # fmt: skip
    away = [Blind(2.0), Removed(2.0, "hat", "pile/1"), Sighted(3.0)]
    session, _ = suds(*laid, *away)
    assert session.table == {"pile/1": ("unknown",)}


def test_a_half_of_an_exchange_that_was_doubtful_accuses_nobody_later():
    laid = [Placed(0.0, f"sooty-{n}", "seat/1/set/1", 1) for n in ("3", "4", "2", "joker")]
    half = Removed(1.0, "sooty-joker", "seat/1/set/1", 1, sure=0.5)
    for later in ([Placed(2.0, "sweep-1", "discard", 1)], [Pressed(2.0, "end")], []):
        _, made = play("sooty", 2, [*laid, START, half, *later])
        found = [(call.call, call.rule, call.card) for call in calls_of(made)]
        assert [call[0] for call in found if call[1] == "set-stays"] == ["unsure"]
        assert all(call[0] != "mistake" for call in found)


def test_a_setting_moves_the_border():
    the_game = game("suds")
    session = replace(begin(the_game, make_setup(the_game, 2)), sure_enough=0.4)
    session, _ = step(session, START)
    assert [c.call for c in step(session, placed("socks", 0.5))[1]] == ["mistake"]


def test_sure_is_read_and_written():
    line = b'{"at": 1.0, "event": "placed", "card": "hat", "place": "pile/1", "sure": 0.5}'
    (event,) = read_events([line], game("suds"), 2)
    assert event == Placed(1.0, "hat", "pile/1", sure=0.5)
    assert json.loads(event.to_json()) == json.loads(line)
    assert "sure" not in placed("hat").to_json()


def test_taking_a_card_back_that_was_in_doubt_accuses_nobody():
    setup = [
        Placed(0.0, "machine", "machine/1"), Placed(0.0, "machine", "machine/2"),
        Placed(0.0, "machine", "machine/3"), START,
    ]  # fmt: skip
    item = placed("red-sock", 0.9, "machine/1/items"), removed("red-sock", 0.995, "machine/1/items")
    _, made = play("dirty-laundry", 2, [*setup, *item])
    found = [(call.call, call.rule, call.card) for call in calls_of(made)]
    assert (CallKind.UNSURE, "items-face-down", "red-sock") in found
    assert CallKind.MISTAKE not in [kind for kind, _, _ in found]


def test_a_card_that_counts_as_right_only_by_doubt_may_be_taken_back():
    def at(card, place, seat, sure=1.0):
        return Placed(1.0, card, place, seat, sure=sure)

    doubtful = [
        at("e", "seat/1/left", 1),
        at("f", "seat/1/left", 1, 0.9),
        at("g", "seat/2/left", 2),
    ]
    wrong = at("h", "seat/2/left", 2)  # seat 2 again
    _, made = play(
        "cat-in-the-hat", 2, [START, *doubtful, wrong, Removed(2.0, "h", wrong.place, 2)]
    )
    assert [(call.call, call.rule) for call in calls_of(made)] == [
        ("unsure", "out-of-turn"), ("unsure", "cards-stay"),
    ]  # fmt: skip


@pytest.mark.parametrize(("by", "rules_broken"), [(None, []), (1, ["out-of-turn"])])
def test_a_name_that_nobody_gave_by_a_hand_is_nobodys_turn(by, rules_broken):
    place = "seat/1/left"
    naming = [
        placed("unknown", place=place, seat=by), removed("unknown", place=place, seat=by),
        placed("e", place=place, seat=by),
    ]  # fmt: skip
    following = placed("g", place=place, seat=1)
    _, made = play("cat-in-the-hat", 2, [START, *naming, following])
    assert [call.rule for call in calls_of(made) if call.call == CallKind.MISTAKE] == rules_broken
