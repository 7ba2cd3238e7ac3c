"""What all games share: undo, the lost view, the end, the order of calls, views."""

from dataclasses import FrozenInstanceError, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import random_games

from rules.contract.game import SHARED_RULES, make_setup
from rules.contract.mistakes import OpenedBy
from rules.contract.reader import read_events
from rules.games import GAMES, NAMES, game
from rules.judging.referee import begin, close, ordered, step, view
from rules.table.call import Call
from rules.table.event import Blind, Placed, Pressed, Removed, Sighted

PILES = st.sampled_from(["pile/1", "pile/2", "pile/3"])
SUDS_CARDS = st.sampled_from(sorted(game("suds").cards | {"unknown", "back"}))
CAT_PLACES = st.sampled_from(["seat/1/left", "seat/1/right", "seat/2/left", "discard"])
CAT_CARDS = st.sampled_from([*"abmyz", "voom", "unknown", "back"])
SEATS = st.sampled_from([1, 2, None])


def events_of(places, cards, buttons):
    """Lists of random events, most of them placings and removals."""
    moves = st.builds(
        lambda kind, card, place, seat: kind(0.0, card, place, seat),
        st.sampled_from([Placed, Placed, Removed]),
        cards,
        places,
        SEATS,
    )
    presses = st.builds(
        lambda button, seat: Pressed(0.0, button, seat),
        st.sampled_from(buttons),
        SEATS,
    )
    views = st.sampled_from([Blind(0.0), Sighted(0.0)])
    some = st.one_of(moves, moves, moves, presses, views)
    start = [Pressed(0.0, "start")]
    return st.lists(some, max_size=30).map(lambda found: start + found)


SUDS_EVENTS = events_of(PILES, SUDS_CARDS, ["start", "draw", "out", "end"])
CAT_EVENTS = events_of(CAT_PLACES, CAT_CARDS, ["start", "deck-empty", "end"])
GAMES_AND_EVENTS = st.one_of(
    st.tuples(st.just("suds"), SUDS_EVENTS), st.tuples(st.just("cat-in-the-hat"), CAT_EVENTS)
)
UNDO = Pressed(0.0, "undo")


def begun(name, players=2):
    the_game = game(name)
    return begin(the_game, make_setup(the_game, players))


def run(session, events):
    calls = []
    for event in events:
        session, made = step(session, event)
        calls += made
    return session, calls


@given(GAMES_AND_EVENTS)
@settings(max_examples=200)
def test_undo_of_any_prefix_is_exact(given_game):
    name, events = given_game
    session = begun(name)
    for event in events:
        after, _ = step(session, event)
        if not isinstance(event, (Blind, Sighted)) and not session.blind:
            counted = after.past is not session.past
            back, calls = step(after, UNDO) if counted else (after, ())
            assert calls == ()
            assert (back.state, back.table, back.over) == (
                session.state,
                session.table,
                session.over,
            )
        session = after


@given(GAMES_AND_EVENTS, st.integers(0, 30))
@settings(max_examples=100)
def test_many_undos_go_back_event_by_event(given_game, times):
    name, events = given_game
    seen = [e for e in events if not isinstance(e, (Blind, Sighted))]
    sessions = [begun(name)]
    for event in seen:
        after, _ = step(sessions[-1], event)
        if after.past is not sessions[-1].past:
            sessions.append(after)
    session = sessions[-1]
    for _ in range(times):
        session, _ = step(session, UNDO)
    due = sessions[max(0, len(sessions) - 1 - times)]
    assert (session.state, session.table, session.over) == (due.state, due.table, due.over)


@given(GAMES_AND_EVENTS)
@settings(max_examples=200)
def test_a_mistake_changes_nothing_but_itself(given_game):
    name, events = given_game
    session = begun(name)
    for event in events:
        after, calls = step(session, event)
        if isinstance(event, Placed) and [c.call for c in calls] == ["mistake"]:
            changed = replace(after.state, mistakes=session.state.mistakes)
            if hasattr(changed, "naming"):
                changed = replace(changed, naming=session.state.naming, fresh=session.state.fresh)
            assert changed == session.state
        session = after


def right_cards(state):
    """(place, face) of every right card in a state of Suds or of the Cat."""
    found = []
    for place, pile in state.piles.items():
        found += [(place, getattr(laid, "card", laid)) for laid in getattr(pile, "laid", pile)]
    return found


@given(GAMES_AND_EVENTS)
@settings(max_examples=200)
def test_what_counts_lies_on_the_table_and_no_card_twice(given_game):
    name, events = given_game
    session = begun(name)
    for event in events:
        session, _ = step(session, event)
        if session.blind or session.over:
            continue
        wrong = [(m.place, m.card) for m in session.state.mistakes if m.by is OpenedBy.PLACING]
        named = [
            (place, card)
            for place, cards in session.table.items()
            for card in cards
            if card not in ("unknown", "back")
        ]
        assert sorted(right_cards(session.state) + wrong) == sorted(named)


@given(GAMES_AND_EVENTS)
@settings(max_examples=100)
def test_a_replay_of_the_written_events_gives_the_same_calls(given_game):
    name, events = given_game
    timed = [replace(event, at=0.25 * number) for number, event in enumerate(events)]
    session, live = run(begun(name), timed)
    lines = [event.to_json().encode() for event in timed]
    again, calls = run(begun(name), read_events(lines, game(name), 2))
    assert calls == live and again == session


@given(GAMES_AND_EVENTS)
@settings(max_examples=100)
def test_every_state_has_a_view_of_plain_text(given_game):
    name, events = given_game
    session, _ = run(begun(name), events)
    shown = view(session)
    assert shown.headline and all(label and text for label, text in shown.lines)
    assert shown.turn in (None, 1, 2)


def pressed_out_of_view(*buttons):
    """What `view-lost` says when these were pressed, and the session after it."""
    events = [Blind(0.0), *(Pressed(1.0, b) for b in buttons)]
    session, calls = run(begun("cat-in-the-hat"), [*events, Sighted(2.0)])
    assert [call.rule for call in calls[:1]] == ["view-lost"]
    return session, calls[0].message


def test_a_button_pressed_out_of_view_is_to_be_pressed_again():
    session, message = pressed_out_of_view("deck-empty", "undo", "start", "deck-empty")
    assert message.endswith('If it still holds, press "deck empty" and "start" again.')
    assert not session.state.started and session.unheard == ()
    _, calls = run(session, [Blind(3.0), Sighted(4.0)])
    assert calls == []


@pytest.mark.parametrize("buttons", [("undo",), ("start", "end")])
def test_nothing_is_to_be_pressed_again_after_undo_or_the_end(buttons):
    _, message = pressed_out_of_view(*buttons)
    assert message.endswith("play on.")


def test_values_are_frozen():
    session = begun("suds")
    call = Call("notice", "stuck", "x")
    for value, name in ((session, "at"), (session.state, "piles"), (UNDO, "at"), (call, "at")):
        with pytest.raises(FrozenInstanceError):
            setattr(value, name, None)


def test_the_order_of_the_calls_of_one_event():
    suds = game("suds")
    made = [
        Call("unsure", "taken-below", ""),
        Call("win", "out-of-cards", "", place="1st"),
        Call("notice", "taken-back", ""),
        Call("complete", "sequence", ""),
        Call("mistake", "out-of-sequence", ""),
        Call("mistake", "pile-finished", "", place="pile/2"),
        Call("mistake", "pile-finished", "", place="pile/1", card="socks"),
        Call("mistake", "pile-finished", "", place="pile/1", card="hat"),
        Call("corrected", "too-late", ""),
    ]
    order = ordered(suds, 4.5, made)
    assert [(c.call, c.rule, c.place, c.card) for c in order] == [
        ("corrected", "too-late", None, None),
        ("mistake", "pile-finished", "pile/1", "hat"),
        ("mistake", "pile-finished", "pile/1", "socks"),
        ("mistake", "pile-finished", "pile/2", None),
        ("mistake", "out-of-sequence", None, None),
        ("complete", "sequence", None, None),
        ("notice", "taken-back", None, None),
        ("win", "out-of-cards", "1st", None),
        ("unsure", "taken-below", None, None),
    ]
    assert {(c.at, c.game) for c in order} == {(4.5, "suds")}


def test_a_state_does_not_grow_with_the_game():
    session = begun("suds")
    sweep = [("hat", "t-shirt", "boxers"), ("boxers", "t-shirt", "hat")]
    laying = [Placed(0.0, card=card, place="pile/1", seat=1) for card in sweep[0]]
    taking = [Removed(0.0, card=card, place="pile/1", seat=1) for card in sweep[1]]
    session, _ = step(session, Pressed(0.0, "start"))
    once, _ = run(session, laying + taking + laying)
    often, _ = run(session, (laying + taking) * 50 + laying)
    assert once.state == often.state


def test_long_pasts_are_let_go_without_deep_recursion():
    event = Placed(0.0, card="hat", place="pile/1", seat=1)
    session = begun("suds")
    for number in range(20_000):
        turned = Removed(0.0, "hat", "pile/1", 1) if number % 2 else event
        session, _ = step(session, turned)
    session, _ = run(session, [Blind(0.0), Sighted(0.0)])
    assert session.past is None


def test_all_games_are_listed_and_read_lazily():
    assert tuple(GAMES) == NAMES and len(GAMES) == 5
    assert GAMES["suds"] is game("suds")
    with pytest.raises(KeyError):
        GAMES["chess"]


@pytest.mark.parametrize("name", NAMES)
def test_any_event_of_a_game_is_judged_without_an_error(name):
    """Random events of every kind, seats and places: calls come, and nothing breaks."""
    the_game = game(name)
    ids = {rule.id for rule in (*the_game.rules, *SHARED_RULES)}
    for players, events in random_games(name, games=60, length=120):
        session = begin(the_game, make_setup(the_game, players))
        for event in events:
            session, calls = step(session, event)
            assert all(call.rule in ids and call.to_json() for call in calls)
            assert view(session).headline
        assert all(call.rule in ids for call in close(session))
