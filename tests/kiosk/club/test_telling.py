"""What a table tells its club of a game."""

from kiosk.club.telling import Told, told_after
from kiosk.game.news import EventJudged, GameBegan, GameEnded, Summary
from rules.contract.game import make_setup
from rules.contract.sample import read_sample
from rules.games import game
from rules.judging import referee
from rules.table.event import Placed, Pressed

SESSION = "0123456789abcdef"


def told_of(name, events):
    """What is told once these events were judged."""
    chosen = game(name)
    session = referee.begin(chosen, make_setup(chosen, chosen.players[0]))
    sides = ("bottom", "top")
    told = told_after(Told(), GameBegan(chosen, session.setup, sides, referee.view(session)))
    for number, event in enumerate(events, 1):
        session, calls = referee.step(session, event)
        mistakes = referee.open_mistakes(session)
        news = EventJudged(event, calls, referee.view(session), mistakes, number)
        told = told_after(told, news)
    return told


def test_a_state_has_places_scores_and_what_is_open():
    events = [Pressed(0.0, "start"), Placed(1.0, "hat", "pile/1", 1)]
    told = told_of("suds", [*events, Placed(2.0, "socks", "pile/1", 2)])
    state = told.to_payload()
    assert state["game"]["name"] == "suds" and state["phase"] == "playing"
    assert state["places"][0]["place"] == "pile/1" and len(state["scores"]) == 2
    assert state["open"] == [1] and state["mistakes"][0]["card"] == "socks"
    assert state["calls"] == 1 and state["result"] is None


def test_a_call_says_how_sure_its_event_was():
    events = [Pressed(0.0, "start"), Placed(1.0, "hat", "pile/1", 1)]
    told = told_of("suds", [*events, Placed(2.0, "socks", "pile/1", 2, sure=0.9)])
    (call,) = told.calls_after(0, SESSION, 5.0)
    assert (call.call, call.sure, call.evidence) == ("unsure", 0.9, f"{SESSION}-1")
    assert told.calls_after(1, SESSION, 5.0) == []


def test_the_winner_is_told_and_an_undo_takes_it_back():
    events = list(read_sample(game("sooty").sample))
    told = told_of("sooty", events)
    assert told.result() == {"winners": [1], "tie": False}
    undone = told_of("sooty", [*events, Pressed(events[-1].at + 1, "undo")])
    assert undone.result() is None


def test_a_win_stays_over_events_that_count_for_nothing():
    events = list(read_sample(game("sooty").sample))
    later = Placed(events[-1].at + 1, "sooty-1", "discard", 2)
    assert told_of("sooty", [*events, later]).result() == {"winners": [1], "tie": False}


def test_a_game_that_was_stopped_is_not_over():
    summary = Summary(0, 0, 1.0, {}, None)
    told = told_of("suds", [Pressed(0.0, "start")])
    assert told_after(told, GameEnded(summary, False)).phase == "stopped"
    assert told_after(told, GameEnded(summary, True)).phase == "over"
