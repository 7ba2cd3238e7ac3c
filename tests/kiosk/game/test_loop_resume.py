"""A game that goes on after a power cut: nothing is lost, nobody is accused."""

from __future__ import annotations

import pytest
from loop_scripts import SETUP, START, SUDS, Heard, table

from kiosk.game.inbox import Inbox
from kiosk.game.loop import ResumedAt
from kiosk.game.news import (
    GameBegan,
)
from kiosk.game.observers import Observers
from kiosk.game.session import GamePast, GameSession, replayed
from kiosk.journal.writer import NoJournal
from rules.judging.referee import begin
from rules.table.event import Blind, Placed, Pressed, Removed, Sighted

BEFORE = (
    START,
    Placed(1.0, "hat", "pile/1", 1),
    Placed(2.0, "t-shirt", "pile/1", 2),
    Placed(3.0, "hat", "pile/2", 1),
)


def resumed(events, spots=()):
    """What happened before, and where the game goes on."""
    return events, ResumedAt(events[-1].at, spots)


def test_after_a_power_cut_the_same_table_goes_on_under_its_old_names():
    past, at = resumed(BEFORE)
    events = (
        Placed(0.5, "hat", "pile/1"),
        Placed(0.5, "t-shirt", "pile/2"),
        Placed(4.0, "boxers", "pile/2", 1),
    )
    loop, log, session, _ = table([0.0, 0.5, 3.0, 4.0], events, past, at)
    loop.run()
    assert log.events == [Placed(7.0, "boxers", "pile/1", 1)]
    assert log.made == []
    assert session.judged.table["pile/1"] == ("hat", "t-shirt", "boxers")


def test_after_a_power_cut_another_table_is_taken_as_it_lies():
    past, at = resumed(BEFORE)
    events = (Placed(0.5, "pants", "pile/1"), Placed(4.0, "socks", "pile/1", 1))
    loop, log, session, _ = table([0.5, 3.0, 4.0], events, past, at)
    loop.run()
    assert [call.rule for call in log.made] == ["view-lost"]
    assert session.judged.table == {"pile/1": ("pants", "socks")}


FINISHED = (START, *(
    Placed(float(k), card, "pile/1", 1 + k % 2)
    for k, card in enumerate(("hat", "t-shirt", "boxers", "pants", "socks", "sneakers"), 1)
))  # fmt: skip


def test_a_pile_that_is_swept_after_a_power_cut_leaves_no_ghosts():
    """The new watcher knows only the card on top; all seven went, and a new pile may begin."""
    past, at = resumed(FINISHED)
    events = (
        Placed(0.5, "sneakers", "pile/1"),
        Removed(4.0, "sneakers", "pile/1", 2),
        Placed(6.0, "hat", "pile/2", 1),
    )
    loop, log, session, _ = table([0.5, 3.0, 4.0, 4.5, 5.1, 6.0], events, past, at)
    loop.run()
    gone = [(e.card, e.seat) for e in log.events if isinstance(e, Removed)]
    assert gone == [(card, 2) for card in
                    ("sneakers", "socks", "pants", "boxers", "t-shirt", "hat")]  # fmt: skip
    assert session.judged.table == {"pile/2": ("hat",)}
    assert [call.call for call in log.made if call.call in ("mistake", "unsure")] == []


def test_a_card_that_comes_to_light_after_a_power_cut_is_no_play():
    past, at = resumed(FINISHED[:4])
    events = (
        Placed(0.5, "boxers", "pile/1"),
        Removed(4.0, "boxers", "pile/1", 1),
        Placed(4.0, "t-shirt", "pile/1", 1),
        Placed(6.0, "boxers", "pile/1", 2),
    )
    loop, log, session, _ = table([0.5, 3.0, 4.0, 6.0], events, past, at)
    loop.run()
    assert log.events == [Removed(7.0, "boxers", "pile/1", 1), Placed(9.0, "boxers", "pile/1", 2)]
    assert session.judged.table == {"pile/1": ("hat", "t-shirt", "boxers")}


def test_a_game_that_was_cut_off_while_the_view_was_lost_is_judged_again():
    past, at = resumed((*BEFORE, Blind(5.0)))
    seen = (Placed(0.5, "t-shirt", "pile/1"), Placed(0.5, "hat", "pile/2"))
    events = (*seen, Placed(4.0, "socks", "pile/2", 1))
    loop, log, _, _ = table([0.5, 3.0, 4.0], events, past, at)
    loop.run()
    assert log.events == [Sighted(8.0), Placed(9.0, "socks", "pile/2", 1)]
    assert [call.rule for call in log.made] == ["out-of-sequence"]


def test_times_never_fall_after_a_second_cut():
    """An undo with nothing to take back is ignored, and counts for the time all the same."""
    past, at = resumed((*BEFORE, Pressed(50.0, "start")))
    assert replayed(begin(SUDS, SETUP), past).at == 3.0 and at.at == 50.0
    seen = (Placed(0.5, "t-shirt", "pile/1"), Placed(0.5, "hat", "pile/2"))
    loop, log, _, _ = table([0.5, 3.0, 4.0], (*seen, Placed(4.0, "boxers", "pile/1", 1)),
                            past, at)  # fmt: skip
    loop.run()
    assert log.events == [Placed(54.0, "boxers", "pile/1", 1)]


def test_the_mistake_lamp_is_lit_at_once_when_a_game_goes_on():
    past = GamePast((START, Placed(1.0, "pants", "pile/1", 1)))
    heard = Heard(Inbox())
    observers = Observers([heard], pytest.fail)
    session = GameSession(begin(SUDS, SETUP), NoJournal(), observers, past)
    session.begin(("bottom", "top"), is_resumed=True, number=12)
    (news,) = heard.of(GameBegan)
    assert len(news.open_mistakes) == 1 and news.is_resumed and news.number == 12
