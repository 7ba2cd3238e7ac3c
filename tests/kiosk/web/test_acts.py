"""Acts of the page in a running game: refused where the game does not know them, all answered."""

import json
import random
from dataclasses import replace

import pytest
from test_page_link import SUDS, WRONG, begun, framed, state_after

from kiosk.game.inbox import Inbox
from kiosk.game.news import GameRejudged
from kiosk.game.overruling import CardIs, SeatWas
from kiosk.web.acts import FAILED, LATE, PageActs
from kiosk.web.page import press_into
from kiosk.web.state import Phase
from kiosk.web.topview import TopView

LIVE = state_after(begun(), *WRONG, framed(1, 0.1))
IDLE = state_after()
OVERRULE_S = 2.0


def acts(state=LIVE, inbox=None, act=None):
    inbox = inbox or Inbox()
    view = TopView((0, 0), (0, 0))
    return PageActs(
        act or press_into(inbox), inbox, lambda: state, lambda n: None, lambda: view, OVERRULE_S
    )


@pytest.mark.parametrize(
    ("wish", "line"),
    [
        ({"act": "press", "button": "x"}, "expected a button of suds: "),
        ({"act": "press", "button": "undo", "seat": -1}, "expected seat as a whole number"),
        ({"act": "press", "button": "undo", "seat": 4}, "expected a seat from 1 to 3"),
        ({"act": "sounds", "mute_s": 1e308}, "expected mute_s"),
        ({"act": "sounds", "mute_s": 10**400}, "expected mute_s"),
        ({"act": "sounds", "speak": "fr"}, "expected speak"),
        ({"act": "move", "place": "pile/99999999"}, "expected a place of the game that"),
        ({"act": "move", "place": "pile/1", "at": [True, False]}, "expected at[0] as a number"),
        ({"act": "move", "place": "pile/1", "at": [2, 0]}, "expected at[0] as a number at most"),
        ({"act": "overrule", "call": 1, "verdict": "card", "card": "shoe"}, "expected a card of"),
        ({"act": "overrule", "call": 1, "verdict": "seat", "seat": 4}, "expected a seat from 1"),
        ({"act": "overrule", "call": 1, "verdict": "seat"}, "expected a card or a seat"),
        ({"act": "overrule", "call": 9, "verdict": "no-mistake"}, "expected a call that the page"),
        ({"act": "look", "call": 10**12}, "expected call"),
        ({"act": "settle", "call": "\ud800"}, "expected"), ({"act": "?"}, "expected act"),
        (None, "expected"), ([], "expected"), ({}, "expected"),
    ],
)  # fmt: skip
def test_what_the_game_does_not_know_is_refused_in_one_line(wish, line):
    inbox = Inbox()
    answer = acts(inbox=inbox).begin(1, wish, 0.0)
    assert not answer["ok"] and answer["message"].startswith(line)
    assert not inbox.take() and not inbox.take_overruled() and not inbox.plan.moved


@pytest.mark.parametrize("button", ["start", "undo", "end", *sorted(SUDS.buttons)])
def test_every_button_of_the_game_is_taken(button):
    inbox = Inbox()
    assert acts(inbox=inbox).begin(1, {"act": "press", "button": button, "seat": 3}, 0.0)["ok"]
    (press,) = inbox.take()
    assert (press.button, press.seat) == (button, 3)


@pytest.mark.parametrize("state", [IDLE, replace(LIVE, phase=Phase.OVER)])
def test_without_a_game_under_way_there_is_nothing_to_act_on(state):
    for wish in (
        {"act": "press", "button": "undo"}, {"act": "move", "place": "pile/1", "at": [0, 0]},
        {"act": "overrule", "call": 1, "verdict": "no-mistake"},
    ):  # fmt: skip
        assert not acts(state).begin(1, wish, 0.0)["ok"]


def test_overrulings_at_once_are_all_answered_each_by_its_own():
    inbox = Inbox()
    page = acts(inbox=inbox)
    faces = sorted(SUDS.cards)[:6]
    wishes = [{"act": "overrule", "call": 1, "verdict": "card", "card": face} for face in faces]
    wishes += [{"act": "overrule", "call": 1, "verdict": "seat", "seat": n} for n in (1, 2, 3)]
    for number, wish in enumerate(wishes):
        assert page.begin(number, wish, 0.0) is None
    taken = inbox.take_overruled()
    assert len(taken) == len(wishes)
    for changed, ruling in reversed(list(enumerate(taken))):
        page.hear(GameRejudged(ruling, (), changed, WRONG[-1].view))
    answers = dict(page.due(1.0))
    assert answers == {n: {"ok": True, "changed": n} for n in range(len(wishes))}
    assert not page.due(99.0)


def test_an_overruling_that_the_game_leaves_is_answered_once_the_others_are_done():
    page = acts()
    for number, seat in enumerate((1, 2, 3)):
        wish = {"act": "overrule", "call": 1, "verdict": "seat", "seat": seat}
        assert page.begin(number, wish, 0.0) is None
    page.hear(GameRejudged(SeatWas(3, 2), (), 0, WRONG[-1].view))
    page.hear(GameRejudged(CardIs(3, "hat"), (), 0, WRONG[-1].view))  # somebody else's
    assert page.due(1.9) == [(1, {"ok": True, "changed": 0})]
    assert page.due(2.1) == []
    assert page.due(1.9 + OVERRULE_S + 0.1) == [(0, LATE), (2, LATE)]


def test_the_answers_of_one_server_are_none_of_the_next_one_s():
    page = acts()
    page.begin(1, {"act": "overrule", "call": 1, "verdict": "no-mistake"}, 0.0)
    page.forget()
    assert not page.due(99.0)


def test_a_fault_of_ours_in_an_act_is_an_answer(capsys):
    def broken(body):
        raise ZeroDivisionError("ours")

    page = acts(act=broken)
    for _ in range(100):
        assert page.begin(1, {"act": "press", "button": "undo"}, 0.0) == FAILED
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_point_beyond_the_horizon_is_refused():
    inbox = Inbox()

    class Far:
        def camera_parts(self, points):
            return [float("nan"), 0.0]

    page = PageActs(press_into(inbox), inbox, lambda: LIVE, print, lambda: Far(), OVERRULE_S)
    answer = page.begin(1, {"act": "move", "place": "pile/1", "at": [0.5, 0.5]}, 0.0)
    assert not answer["ok"] and "horizon" in answer["message"]


PIECES = (
    None, True, -1, 0, 1, 2, 10**9, 10**400, -0.5, 0.5, 1e308, float("inf"), float("nan"), "", "x",
    "\ud800", "\x00", "undo", "card", "seat", "no-mistake", "hat", "pile/1", "pile/99999999", "de",
    [0.5, 0.5], [True, False], ["a"], {}, {"act": "press"}, "9" * 5000,
)  # fmt: skip


def test_no_message_ends_the_thread_and_play_goes_on():
    rng, inbox = random.Random(31), Inbox()
    page, names = acts(inbox=inbox), ("press", "overrule", "look", "settle", "move", "sounds", "?")
    keys = ("button", "seat", "call", "verdict", "card", "place", "at", "speak", "mute_s", "x")
    for number in range(3000):
        wish = {key: rng.choice(PIECES) for key in rng.sample(keys, rng.randint(0, 4))}
        wish["act"] = rng.choice(names) if rng.random() < 0.95 else rng.choice(PIECES)
        answer = page.begin(number, wish, float(number))
        assert answer is None or answer["ok"] or answer["message"].startswith(
            ("expected", "too many acts", "no espeak")), wish  # fmt: skip
        json.dumps(answer, allow_nan=False)
        page.due(float(number))
        for press in inbox.take():
            assert press.button in SUDS.buttons | {"start", "undo", "end"}
            assert press.seat in (None, 1, 2, 3)
        inbox.take_overruled()
    assert page.begin(0, {"act": "press", "button": "undo"}, 0.0) == {"ok": True}
