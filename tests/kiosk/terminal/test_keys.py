"""Keys of a terminal become presses, however quickly they are typed."""

from __future__ import annotations

import os
import pty
import termios
import threading

from patience import PATIENCE_S

from kiosk.game.inbox import Inbox
from kiosk.terminal.keys import Keyboard, Presses
from rules.games import game

SUDS = game("suds").keys


def pressed(inbox):
    return [(event.button, event.seat) for event in inbox.take()]


def test_keys_are_buttons_and_a_digit_is_the_seat_of_the_next_one():
    inbox = Inbox()
    presses = Presses(inbox, SUDS)
    presses.typed("s2o")
    assert pressed(inbox) == [("start", None), ("out", 2)]
    presses.typed("3")
    assert pressed(inbox) == []
    presses.typed("o?u")
    assert pressed(inbox) == [("out", 3), ("undo", None)]
    presses.typed("m")
    assert inbox.sounds.is_muted and pressed(inbox) == []
    presses.typed("m")
    assert not inbox.sounds.is_muted and not inbox.is_stopped
    presses.typed("q")
    assert inbox.is_stopped


def test_two_keys_typed_at_once_are_both_read_and_the_terminal_is_given_back():
    ours, theirs = pty.openpty()
    inbox, got = Inbox(), threading.Event()
    presses = Presses(inbox, SUDS)

    def typed(text):
        presses.typed(text)
        got.set()

    with os.fdopen(theirs, "r") as stream:
        before = termios.tcgetattr(stream)
        with Keyboard(typed, stream):
            os.write(ours, b"2o")
            assert got.wait(PATIENCE_S)
        assert pressed(inbox) == [("out", 2)]
        assert termios.tcgetattr(stream) == before
    os.close(ours)


def test_where_there_is_no_terminal_nothing_is_read(tmp_path):
    (tmp_path / "keys").write_text("q")
    inbox = Inbox()
    with (tmp_path / "keys").open() as stream, Keyboard(Presses(inbox, SUDS).typed, stream):
        pass
    assert not inbox.is_stopped
