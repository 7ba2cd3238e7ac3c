"""Signed commands: whose they are, how old, and that each counts once."""

import pytest

from kiosk.club.commands import Commands, make_command
from kiosk.club.payloads import text_of
from kiosk.club.signing import FRESH_S, Gate, PressCodes, sign
from kiosk.web.state import PageState
from rules.errors import FairdealError

TOKEN, SESSION, NOW = "f" * 64, "0123456789abcdef", 1_000_000.0


def command(**more):
    wish = {"act": "undo", **more}
    return make_command(SESSION, NOW, TOKEN, "harbour", "t-1", wish)


def gate(token=TOKEN, club="harbour", table="t-1", session=SESSION):
    return Gate(token, club, table, session)


def test_a_signed_command_of_now_is_let_in():
    gate().check(command(), NOW + 1)


@pytest.mark.parametrize(
    "other", [{"token": "e" * 64}, {"club": "other"}, {"table": "t-2"}, {"session": "f" * 16}]
)
def test_a_command_for_another_is_refused(other):
    with pytest.raises(FairdealError, match=r"signed|session"):
        gate(**other).check(command(), NOW)


@pytest.mark.parametrize("change", [{"act": "start"}, {"at": NOW + 1}, {"id": "x"}, {"more": 1}])
def test_a_changed_command_is_refused(change):
    with pytest.raises(FairdealError, match="another signature"):
        gate().check({**command(), **change}, NOW)


@pytest.mark.parametrize("signature", [None, 5, "", "é" * 64, "0" * 64])
def test_a_signature_that_is_none_is_refused(signature):
    with pytest.raises(FairdealError, match="another signature"):
        gate().check({**command(), "signature": signature}, NOW)


@pytest.mark.parametrize(("seconds", "way"), [(FRESH_S + 1, "behind"), (-3600.0, "ahead")])
def test_an_old_command_is_refused_with_the_difference(seconds, way):
    with pytest.raises(FairdealError, match=f"{abs(seconds):.0f} s {way}; set both clocks"):
        gate().check(command(), NOW + seconds)


def acting():
    done = []

    def act(body):
        done.append(body)
        return {"ok": True}

    return done, Commands(TOKEN, "harbour", "t-1", SESSION, act)


def test_a_replay_gets_the_same_answer_and_does_nothing():
    done, commands = acting()
    data = text_of(command())
    answers = [commands.command(data, PageState(), NOW + k) for k in range(5)]
    assert len(done) == 1
    assert all(a is not None and a.body == {**answers[0].body} for a in answers)


def test_a_refused_command_is_answered_with_one_line():
    done, commands = acting()
    data = text_of({**command(), "signature": "0" * 64})
    answer = commands.command(data, PageState(), NOW)
    assert answer is not None and not answer.body["ok"] and done == []
    assert "\n" not in answer.body["message"]


@pytest.mark.parametrize("act", ["end", "shutdown", 5, None])
def test_only_three_acts_are_known(act):
    done, commands = acting()
    answer = commands.command(text_of(command(act=act)), PageState(), NOW)
    assert answer is not None and "expected act" in answer.body["message"]
    assert done == []


def test_an_overruling_of_a_call_that_is_not_there_is_refused():
    done, commands = acting()
    data = text_of(command(act="overrule", call=7, verdict="no-mistake"))
    answer = commands.command(data, PageState(), NOW)
    assert answer is not None and not answer.body["ok"] and done == []


def test_a_flood_of_commands_is_slowed_down():
    done, commands = acting()
    for _ in range(100):
        commands.command(text_of(command()), PageState(), NOW)
    assert 0 < len(done) < 30


def test_a_press_code_works_once():
    codes = PressCodes(TOKEN, SESSION)
    first = codes.code.encode()
    assert not codes.take(b"PRESS") and codes.take(first) and not codes.take(first)
    assert codes.take(codes.code.encode())
    assert PressCodes(TOKEN, "0" * 16).code != PressCodes(TOKEN, SESSION).code


def test_a_signature_is_over_the_club_and_the_table_too():
    plain = {"act": "undo"}
    signatures = {
        sign(plain, TOKEN, club, table)["signature"]
        for club, table in (("a", "b"), ("a", "c"), ("ab", ""), ("", "ab"))
    }
    assert len(signatures) == 4
