"""The belief: with sure events it is the referee; with doubt it accuses only where nearly all of
the weight does."""

import json
from dataclasses import replace

import pytest
from golden import ROOT, golden_games
from random_games import random_games

from rules.contract.game import make_setup
from rules.contract.reader import read_events
from rules.games import NAMES, game
from rules.judging import belief, referee
from rules.judging.branches import weighable
from rules.judging.explain import described
from rules.table.event import (
    Alternatives,
    Learned,
    Placed,
    Pressed,
    Removed,
    Way,
    is_card_event,
    told,
)

GOLDEN = golden_games()


def weighed(event):
    """The same event, by way of the weights."""
    if not is_card_event(event):
        return event
    return replace(event, ways=Alternatives((Way(1.0, (replace(event, sure=1.0),)),)))


def calls_of_both(the_game, setup, events, change):
    session, state = referee.begin(the_game, setup), belief.begin(the_game, setup)
    due, made = [], []
    for event in events:
        session, calls = referee.step(session, event)
        due.append(calls)
        state, said = belief.step(state, change(event))
        made.append(said.calls)
        assert not said.withdrawn
        assert len(state.hypotheses) == 1
        assert referee.view(state.session) == referee.view(session)
    return [*due, referee.close(session)], [*made, belief.close(state).calls]


@pytest.mark.parametrize("change", [lambda event: event, weighed], ids=["plain", "weighed"])
@pytest.mark.parametrize("name", NAMES)
def test_sure_events_are_judged_as_the_referee_judges_them(name, change):
    the_game = game(name)
    for players, events in random_games(name, games=40, length=80):
        if change is weighed:  # an unnamed card is weighed by its faces
            events = [e for e in events if not (is_card_event(e) and e.card == "unknown")]
        due, made = calls_of_both(the_game, make_setup(the_game, players), events, change)
        assert made == due


@pytest.mark.parametrize(("name", "case"), GOLDEN, ids=[f"{g}/{c}" for g, c in GOLDEN])
def test_golden_games_are_judged_as_the_referee_judges_them(name, case):
    folder, the_game = ROOT / name, game(name)
    given = json.loads((folder / f"{case}.setup.json").read_text())
    options = {key: str(value) for key, value in given["options"].items()}
    setup = make_setup(the_game, given["players"], options)
    lines = (folder / f"{case}.events.jsonl").read_bytes().splitlines()
    events = list(read_events(lines, the_game, given["players"]))
    due, made = calls_of_both(the_game, setup, events, lambda event: event)
    assert made == due


# -- doubt ------------------------------------------------------------------------------------

START = Pressed(0.0, "start")


def placed(at, card, place="pile/1", seat=1, sure=1.0):
    return weighable(Placed(at, card, place, seat, sure=sure))


def removed(at, card, place="pile/1", seat=1, sure=1.0):
    return weighable(Removed(at, card, place, seat, sure=sure))


def heard(events, name="suds", players=2):
    """The belief after the events; what each of them brought."""
    state = belief.begin(game(name), make_setup(game(name), players))
    brought = []
    for event in events:
        state, said = belief.step(state, event)
        brought.append(said)
        assert sum(each.weight for each in state.hypotheses) == pytest.approx(1.0)
    return state, brought


def lines(said):
    return [(str(call.call), call.rule, call.card) for call in said.calls]


def withdrawn(said):
    return [(str(each.call.call), each.call.rule, each.event) for each in said.withdrawn]


def test_a_mistake_that_may_be_none_is_asked_about_and_the_question_goes_with_the_card():
    state, said = heard([START, placed(1, "hat"), placed(2, "socks", sure=0.9)])
    assert lines(said[-1]) == [("unsure", "out-of-sequence", "socks")]
    assert belief.open_mistakes(state) == ()
    state, said = belief.step(state, removed(3, "socks"))
    assert lines(said) == [] and withdrawn(said) == [("unsure", "out-of-sequence", 3)]


def test_a_doubt_that_no_longer_matters_ends_and_the_next_mistake_is_called():
    events = [START, placed(1, "hat"), placed(2, "socks", sure=0.9), removed(3, "socks")]
    state, said = heard([*events, placed(4, "t-shirt"), placed(5, "hat", seat=2)])
    assert lines(said[-1]) == [("mistake", "out-of-sequence", "hat")]
    assert len(state.hypotheses) == 1
    assert [each.rule for each in belief.open_mistakes(state)] == ["out-of-sequence"]


def test_a_mistake_at_another_place_needs_no_certainty_about_this_one():
    events = [START, placed(1, "unknown"), placed(2, "hat", "pile/2"), placed(3, "socks", "pile/2")]
    assert lines(heard(events)[1][-1]) == [("mistake", "out-of-sequence", "socks")]


def test_nobody_is_accused_on_an_unnamed_card():
    events = [START, placed(1, "hat"), placed(2, "unknown"), placed(3, "hat", "pile/1", 2)]
    state, said = heard(events)
    assert {call.call for each in said[3:] for call in each.calls} <= {"unsure"}
    (stand,) = state.hypotheses[0].stands
    assert len(stand.faces) == len(game("suds").cards)


def test_an_unnamed_card_is_no_reason_for_a_second_question():
    events = [START, placed(1, "hat"), placed(2, "unknown"), placed(3, "pants"), placed(4, "socks")]
    _, said = heard(events)
    asked = [call for each in said for call in each.calls if call.call == "unsure"]
    assert [call.rule for call in asked] == ["unknown-card"]


@pytest.mark.parametrize(("name", "is_wrong"), [("t-shirt", False), ("socks", True)])
def test_a_name_that_comes_later_decides_what_followed(name, is_wrong):
    events = [START, placed(1, "hat"), placed(2, "unknown", seat=2), placed(3, "boxers")]
    events += [removed(4, "unknown"), placed(4, name, seat=None)]
    state, said = heard(events)
    due = [("mistake", "out-of-sequence", card) for card in ("boxers", name)] if is_wrong else []
    assert sorted(lines(said[-1])) == sorted(due)
    assert said[-1].events == ((3, 4) if is_wrong else ())
    assert state.session.table["pile/1"] == ("hat", name, "boxers")


def test_a_card_laid_elsewhere_names_no_card_that_was_taken_up():
    events = [START, placed(1, "unknown"), placed(2, "unknown", "pile/2")]
    state, said = heard([*events, removed(3, "unknown", "pile/2"), placed(4, "t-shirt")])
    assert said[-1].calls == () and state.session.table["pile/1"] == ("unknown", "t-shirt")


def test_a_call_that_all_courses_make_needs_no_order():
    two = Placed(2, "t-shirt", "pile/1", 1), Placed(2.1, "t-shirt", "pile/1", 2)
    order = told((Way(0.7, two), Way(0.3, two[::-1])), 5)
    (call,) = heard([START, placed(1, "hat"), order])[1][-1].calls
    assert (call.call, call.rule, call.seat) == ("mistake", "too-late", None)


def test_evidence_about_an_earlier_choice_calls_the_mistake_and_withdraws_the_question():
    below = Placed(2, "t-shirt", "pile/1", 1)
    this = Placed(2, "boxers", "pile/1", 1)
    unseen = told((Way(0.1, (below, this)), Way(0.9, (this,))), 9)
    state, said = heard([START, placed(1, "hat"), unseen])
    assert lines(said[-1]) == [("unsure", "out-of-sequence", "boxers")]
    state, said = belief.step(state, Learned(3, 9, (1, 0.01)))
    assert lines(said) == [("mistake", "out-of-sequence", "boxers")] and said.events == (3,)
    assert withdrawn(said) == [("unsure", "out-of-sequence", 3)]
    (mistake,) = said.reasons
    assert mistake.weight > 0.98
    text = described(mistake, {3: unseen})
    assert any("yes" in line and "boxers placed at pile/1" in line for line in text)
    assert any("no" in line and "t-shirt placed" in line for line in text)


def test_a_mistake_that_is_put_right_while_evidence_is_awaited_is_not_told():
    socks = Placed(2, "socks", "pile/1", 2)
    choice = replace(socks, ways=Alternatives((Way(0.95, (socks,)), Way(0.05, ())), 7, awaits=True))
    start = [START, placed(1, "hat"), choice]
    said = heard([*start, Learned(2.6, 7, (1.0, 0.02))])[1]
    assert lines(said[-1]) == [("mistake", "out-of-sequence", "socks")]
    state, said = heard([*start, removed(2.5, "socks", seat=2), Learned(2.6, 7, (1.0, 0.02))])
    assert [line for each in said for line in lines(each)] == []
    assert belief.open_mistakes(state) == ()


def test_weights_that_turn_over_withdraw_a_call_in_the_open():
    hat, shirt = Placed(2, "socks", "pile/1", 2), Placed(2, "t-shirt", "pile/1", 2)
    state, said = heard([START, placed(1, "hat"), told((Way(0.9, (hat,)), Way(0.1, (shirt,))), 1)])
    state, said = belief.step(state, Learned(2, 1, (1, 0.001)))
    assert lines(said) == [("mistake", "out-of-sequence", "socks")]
    state, said = belief.step(state, Learned(3, 1, (1e-6, 1)))
    assert withdrawn(said) == [("mistake", "out-of-sequence", 3)]
    assert belief.open_mistakes(state) == () and state.session.table["pile/1"] == ("hat", "t-shirt")
    # Later events name the card as it was told.
    state, said = belief.step(state, Removed(4, "socks", "pile/1", 2))
    assert lines(said) == [("notice", "taken-back", "t-shirt")]


def test_a_card_that_nobody_saw_goes_with_the_pile():
    below = [Placed(2, card, "pile/1", 1) for card in ("boxers", "pants")]
    unseen = told((Way(0.4, tuple(below)), Way(0.6, (below[1],))))
    events = [START, placed(1, "hat"), placed(1, "t-shirt"), unseen]
    events += [removed(3, card) for card in ("pants", "t-shirt", "hat")]
    assert all("pile/1" not in each.session.table for each in heard(events)[0].hypotheses)


def test_the_same_choice_again_goes_the_way_that_was_taken():
    one = [Placed(2, "hat", place, 1) for place in ("pile/1", "pile/2")]
    two = [Placed(3, "t-shirt", place, 1) for place in ("pile/1", "pile/2")]
    first = told((Way(0.6, (one[0],)), Way(0.4, (one[1],))), 4)
    second = told((Way(0.6, (two[0],)), Way(0.4, (two[1],))), 4)
    state, said = heard([START, first, second])
    assert [dict(each.session.table) for each in state.hypotheses] == [
        {"pile/1": ("hat", "t-shirt")},
        {"pile/2": ("hat", "t-shirt")},
    ]
    assert not any(each.calls for each in said)


def test_undo_takes_back_the_event_the_question_and_the_doubt():
    state, said = heard([START, placed(1, "hat"), placed(2, "socks", sure=0.9)])
    state, said = belief.step(state, Pressed(3, "undo"))
    assert said.calls == () and withdrawn(said) == [("unsure", "out-of-sequence", 3)]
    assert len(state.hypotheses) == 1 and state.session.table == {"pile/1": ("hat",)}


def test_evidence_outlives_an_undo():
    choice = told((Way(0.7, (Placed(1, "hat", "pile/1"),)), Way(0.3, ())), 2)
    state, _ = heard([START, choice, Learned(2, 2, (0.01, 1)), placed(3, "hat", "pile/2")])
    state, _ = belief.step(state, Pressed(4, "undo"))
    assert state.session.table == {} and state.hypotheses[0].weight > 0.9


def test_players_who_go_on_after_a_seat_in_doubt_are_followed():
    """Seat 1 or 2 laid the first card; who plays next shows whose turn it was."""
    first = [Placed(1, "c", "discard", seat) for seat in (1, 2)]
    for two_laid_it, asked in ((0.4, []), (0.95, [("unsure", "out-of-turn", "c")])):
        who = told((Way(1 - two_laid_it, (first[0],)), Way(two_laid_it, (first[1],))))
        state, said = heard([START, who, Placed(2, "d", "seat/2/left", 2)], "cat-in-the-hat", 3)
        assert lines(said[1]) == asked and lines(said[2]) == []
        assert {each.session.state.turn for each in state.hypotheses} == {3}


def test_of_two_courses_players_rather_took_the_right_one():
    """Seat 1 is due: as likely as not that seat 2 laid the card, but hardly so by mistake."""
    first = [Placed(1, "c", "discard", seat) for seat in (1, 2)]
    who = told((Way(0.5, (first[0],)), Way(0.5, (first[1],))))
    state, _ = heard([START, who], "cat-in-the-hat", 3)
    assert [round(each.weight, 2) for each in state.hypotheses] == [0.91, 0.09]


def test_a_card_laid_on_an_unnamed_one_may_be_taken_back():
    events = [
        START,
        weighable(Placed(1, "unknown", "seat/1/left", 1)),
        Placed(2, "k", "seat/1/left", 1),
    ]
    _, said = heard([*events, Removed(3, "k", "seat/1/left", 1)], "cat-in-the-hat")
    assert not any(call.call == "mistake" for each in said for call in each.calls)


def test_a_doubt_about_whose_card_it_was_tells_it_late_and_puts_it_right():
    first = [Placed(1, "c", "discard", seat) for seat in (1, 2)]
    who = told((Way(0.6, (first[0],)), Way(0.4, (first[1],))), 3)
    state, _ = heard([START, who], "cat-in-the-hat", 3)
    state, said = belief.step(state, Learned(2, 3, (0.001, 1)))
    assert lines(said) == [("mistake", "out-of-turn", "c")] and said.events == (2,)
    assert [each.rule for each in belief.open_mistakes(state)] == ["out-of-turn"]
    state, said = belief.step(state, Removed(3, "c", "discard", 2))
    assert lines(said) == [("corrected", "out-of-turn", "c")]
    assert belief.open_mistakes(state) == ()


def test_a_card_laid_later_where_an_unnamed_one_lay_is_another_card():
    events = [
        START,
        placed(1, "unknown"),
        removed(2, "unknown"),
        placed(3, "hat"),
        placed(4, "hat"),
    ]
    assert lines(heard(events)[1][-1]) == [("mistake", "too-late", "hat")]


def test_once_what_may_have_been_a_card_has_gone_the_next_mistake_is_called():
    """That it goes is as sure as that it came: if nothing lay there, nothing went."""
    perhaps = placed(2, "unknown", seat=2)
    ways = Alternatives((Way(0.55, ()), Way(0.45, (replace(perhaps, ways=None),))))
    events = [START, placed(1, "hat"), replace(perhaps, ways=ways), removed(3, "unknown")]
    _, said = heard([*events, placed(4, "socks")])
    assert lines(said[-1]) == [("mistake", "out-of-sequence", "socks")]
