"""A button pressed right after a card was laid counts after that card."""

from __future__ import annotations

from kiosk.game.limits import LIMITS
from kiosk.game.presses import Presses
from rules.table.event import Pressed


def pressed(button, at):
    presses = Presses()
    presses.add(Pressed(at, button, 2))
    return presses


def test_a_button_counts_at_once_where_no_card_is_coming():
    assert pressed("done", 4.7).due(4.7, None, None) == (Pressed(4.7, "done", 2),)


def test_a_button_waits_for_the_card_that_lay_before_it():
    presses = pressed("done", 4.7)
    assert presses.due(4.7, 4.4, 4.4) == ()
    assert presses.held(4.9, None, None) == (Pressed(4.9, "done", 2),)
    assert presses.due(5.0, None, None) == ()


def test_a_card_that_comes_later_holds_nothing_up():
    assert pressed("done", 4.7).due(4.8, 4.75, 4.75) == (Pressed(4.7, "done", 2),)


def test_it_waits_while_the_card_is_moved_by_the_hand_that_lets_go_until_a_card_is_told():
    presses = pressed("no", 4.7)
    assert presses.due(4.7, 4.4, 4.4) == ()
    assert presses.due(5.0, 4.9, 4.9) == ()
    presses.told()
    assert presses.due(5.1, 4.9, 4.9) == (Pressed(4.7, "no", 2),)


def test_a_card_that_rests_long_after_the_press_holds_it_up_no_more():
    presses = pressed("no", 4.7)
    assert presses.due(4.7, 4.4, 4.4) == ()
    assert presses.due(5.6, 5.5, 5.5) == (Pressed(4.7, "no", 2),)


def test_it_waits_only_so_long():
    presses = pressed("no", 4.7)
    assert presses.due(4.7 + LIMITS.press_wait_s - 0.01, 4.4, 4.4) == ()
    assert len(presses.due(4.71 + LIMITS.press_wait_s, 4.4, 4.4)) == 1


def test_start_waits_for_a_card_of_the_set_up_and_no_longer():
    """Cards in hands may rest on, untold."""
    presses = pressed("start", 4.7)
    assert presses.due(4.7, 4.4, 4.4) == ()
    presses.told()
    assert presses.held(4.9, 4.4, 4.4) == (Pressed(4.9, "start", 2),)


def test_start_waits_for_no_hand():
    """It may hold a card over the table; a hand may also hide the card that "no" answers."""
    for button, count in (("start", 1), ("no", 0)):
        assert len(pressed(button, 4.7).due(4.7, 4.4, None)) == count


def test_an_act_that_began_after_a_press_counts_after_it():
    """Another card, in a hand, rests on and holds the button up."""
    for button in ("start", "done"):
        presses = pressed(button, 4.7)
        assert presses.due(4.7, 4.0, 4.0) == ()
        assert presses.before(5.3, 4.6, 4.6) == presses.before(5.3, None, None) == ()
        assert presses.before(5.5, 4.9, 4.9) == (Pressed(5.5, button, 2),)
        assert presses.held(5.5, 4.0, 4.0) == ()


def test_only_start_counts_before_a_card_that_a_hand_held_when_it_was_pressed():
    """Who says No has seen the card, however its hand shakes it afterwards."""
    for button, count in (("start", 1), ("no", 0)):
        presses = pressed(button, 4.7)
        assert presses.due(4.7, 4.0, 4.0) == ()
        assert len(presses.before(5.5, 4.9, 4.2)) == count


def test_undo_and_end_wait_for_nothing_but_presses_before_them():
    for button in ("undo", "end"):
        assert pressed(button, 4.7).due(4.7, 4.4, 4.4) == (Pressed(4.7, button, 2),)
    presses = pressed("done", 4.7)
    presses.add(Pressed(4.8, "undo"))
    assert presses.due(4.8, 4.4, 4.4) == ()
    assert [press.button for press in presses.due(4.9, None, None)] == ["done", "undo"]
