"""What may have come unseen before an event, and what tells that it has not."""

from __future__ import annotations

import pytest
from test_doubts import HAT, doubtful, free, in_order

from rules.contract.reader import read_events
from rules.games import game
from rules.table.call import CallKind
from rules.table.event import Placed, Pressed, Removed, Way
from vision.scene.doubts import Act, Doubt, weighed
from vision.scene.weighing import SETTLED_S, Weighing

PUT_BACK = Way(0.3, (Removed(2.8, "k", "seat/1/left", 1), Placed(2.8, "k", "seat/1/left", 1)))


@pytest.mark.parametrize("doubt", [Doubt.ORDER, Doubt.IN_HAND])
def test_what_may_have_come_unseen_comes_before_an_event_that_waits_for_evidence(doubt):
    """Each way with and without it; what is learned says nothing about it."""
    weighing = Weighing()
    weighing.suspect([PUT_BACK])
    event = weighed(Placed(3.0, "n", "seat/2/left", 2), Act(2, doubts=frozenset({doubt}), number=7))
    told = [*weighing.weigh([event], 3.0, is_open=False, seen=free)]
    told += weighing.weigh((), 3.1 + SETTLED_S, is_open=False, seen=free)
    (placed, learned) = told
    left = [w.chance * k for w, k in zip(placed.ways.ways, learned.likely, strict=True)]
    unseen = [
        part
        for part, way in zip(left, placed.ways.ways, strict=True)
        if PUT_BACK.events[0].card in {e.card for e in way.events}
    ]
    assert sum(way.chance for way in placed.ways.ways) == pytest.approx(1.0)
    assert sum(unseen) / sum(left) == pytest.approx(PUT_BACK.chance)
    assert all(e.sure == 1.0 and e.at == 3.0 for way in placed.ways.ways for e in way.events)


def test_acts_that_may_have_come_unseen_are_independent():
    weighing = Weighing()
    weighing.suspect([Way(0.1, (Placed(3.0, "voom", "seat/1/left", 1),)), PUT_BACK])
    [told] = weighing.weigh([Placed(4.0, "n", "seat/2/left", 2)], 4.0, is_open=False, seen=free)
    chances = {tuple(e.card for e in way.events): way.chance for way in told.ways.ways}
    assert chances == pytest.approx(
        {
            ("n",): 0.63,
            ("voom", "n"): 0.07,
            ("k", "k", "n"): 0.27,
            ("voom", "k", "k", "n"): 0.03,
        }
    )


def test_a_card_lifted_before_others_were_laid_and_put_back_may_be_two_acts_before_them():
    """Seat 1 draws the top card and discards it again, while seat 2 lays its own."""
    weighing = Weighing()
    early = doubtful(Placed(3.0, "sooty-2", "seat/2/set/1", 2), Doubt.ORDER)
    turn = Removed(2.8, "sweep-1", "discard", 1), Placed(2.8, "sweep-1", "discard", 1)
    told = [*weighing.weigh([early], 3.0, is_open=True, seen=free)]
    told += weighing.returned([Way(0.3, turn)], 3.4)
    told += weighing.weigh((), 3.6 + SETTLED_S, is_open=False, seen=free)
    assert [event.kind for event in told] == ["placed", "removed", "learned"]
    left = [w.chance * k for w, k in zip(told[0].ways.ways, told[2].likely, strict=True)]
    assert [each / sum(left) for each in left] == pytest.approx([0.7, 0.3, 0.0])
    assert told[1].ways.choice == told[0].ways.choice
    lines = [f"{event.to_json()}\n".encode() for event in (Pressed(0.5, "start"), *told)]
    kinds = [event.kind for event in read_events(lines, game("sooty"), 2)]
    assert kinds == ["pressed", "placed", "removed", "learned"]  # a journal of it is read again
    begun = (Placed(0.4, "sweep-1", "discard"), Pressed(0.5, "start"))
    calls = in_order("sooty", (*begun, *told))
    assert not [call for call in calls if call.call is CallKind.MISTAKE]
    nothing = Weighing()
    assert nothing.returned([Way(0.3, turn)], 3.4) == ()
    [after] = nothing.weigh([HAT], 4.0, is_open=False, seen=free)
    assert [len(way.events) for way in after.ways.ways] == [1, 3]


def test_evidence_about_the_order_comes_after_the_card_that_gives_it():
    """What was said of the first card is not taken back and said again."""
    first = doubtful(Placed(3.0, "n", "seat/2/left", 2), Doubt.ORDER)
    late = doubtful(Placed(3.4, "l", "seat/1/left", 1), Doubt.EARLIER)
    weighing = Weighing()
    told = [*weighing.weigh([first], 3.0, is_open=True, seen=free)]
    told += weighing.weigh([late], 3.4, is_open=False, seen=free)
    assert [event.kind for event in told] == ["placed", "placed", "learned"]
    assert told[1].ways.awaits and told[1].ways.choice == told[2].choice
