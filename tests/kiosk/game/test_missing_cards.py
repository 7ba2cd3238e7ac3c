"""A table that is compared while hands lie over it: nobody is accused of what was hidden."""

from __future__ import annotations

from loop_scripts import START, table

from kiosk.game.limits import LIMITS
from kiosk.game.loop import ResumedAt
from kiosk.game.missing_cards import Missing, MissingCards
from kiosk.game.news import ViewFound, ViewLost
from kiosk.game.table_link import TableLink
from rules.table.event import Blind, Placed, Pressed, Removed, Sighted

HERE, THERE = (0.4, 0.3), (0.8, 0.3)
KNOWN = {"pile/1": ("hat", "t-shirt"), "pile/2": ("hat",)}


def resumed_link():
    link = TableLink({"pile/1": HERE, "pile/2": THERE})
    link.begin(10.0)
    return link


def test_tables_are_compared_once_the_table_rests():
    link = resumed_link()
    for tenth in range(100, 140):
        link.see(tenth / 10, is_at_rest=False)
    assert not link.is_due(13.9)
    link.see(14.0, is_at_rest=True)
    assert not link.is_due(14.0)
    assert link.is_due(13.9 + LIMITS.rest_s)


def test_a_table_that_never_rests_is_compared_at_last():
    link = resumed_link()
    end = 10.0 + LIMITS.compare_within_s
    link.see(end, is_at_rest=False)
    assert not link.is_due(end - 0.1) and link.is_due(end)


def test_a_pile_under_a_hand_comes_to_light_as_it_was():
    link = resumed_link()
    link.take(Placed(11.0, "hat", "pile/1"), THERE, is_lost=False)
    gone = link.finish(KNOWN, {"pile/1": THERE}, 30.0, is_lost=False)
    assert [e.card for e in gone if isinstance(e, Removed)] == ["t-shirt", "hat"]
    near = (HERE[0] + LIMITS.same_spot / 2, HERE[1])
    back = link.take(Placed(31.0, "t-shirt", "pile/2", 2), near, is_lost=False)
    kinds = [type(event) for event in back]
    assert kinds == [Blind, Placed, Placed, Sighted]
    assert [e.card for e in back if isinstance(e, Placed)] == ["hat", "t-shirt"]
    again = link.take(Removed(32.0, "t-shirt", "pile/2", 1), None, is_lost=False)
    assert [e.card for e in again] == ["t-shirt"]


def test_a_card_at_another_spot_or_too_late_is_a_play():
    for spot, at in ((THERE, 31.0), (HERE, 30.5 + LIMITS.missing_s), (None, 31.0)):
        link = resumed_link()
        link.take(Placed(11.0, "hat", "pile/1"), THERE, is_lost=False)
        link.finish(KNOWN, {"pile/1": THERE}, 30.0, is_lost=False)
        played = link.take(Placed(at, "t-shirt", "pile/7", 2), spot, is_lost=False)
        assert [(e.card, e.seat) for e in played] == [("t-shirt", 2)]


def test_fixed_places_are_missing_by_name_and_found_once():
    cards = MissingCards()
    cards.lose([Missing("row/1", ("a", "b", "c"), None)], 0.0)
    assert cards.find(Placed(1.0, "b", "row/2"), HERE) == ()
    assert cards.find(Placed(1.0, "b", "row/1"), None) == ("a", "b")
    assert cards.find(Placed(1.0, "c", "row/1"), None) == ()


def test_people_are_told_and_buttons_wait_until_the_table_is_known():
    past = (START, Placed(1.0, "hat", "pile/1", 1))
    events = (Placed(0.5, "hat", "pile/1"),)
    frames = [0.0, 0.5, 1.0, 2.0, 3.0, 4.0]
    loop, log, _, heard = table(frames, events, past, ResumedAt(1.0), button="draw")
    loop.run()
    lost, found = heard.of(ViewLost), heard.of(ViewFound)
    assert len(lost) == len(found) == 1 and "hands off" in lost[0].why
    pressed = [event for event in log.events if isinstance(event, Pressed)]
    assert [event.button for event in pressed] == ["draw"]
    assert pressed[0].at >= found[0].at
