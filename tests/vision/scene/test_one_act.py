"""A card that moves from one place to another is one act, in whichever order others were told."""

from test_doubts import EARLY, free

from rules.table.event import Learned, Placed, Removed
from vision.scene.doubts import Act, Doubt, weighed
from vision.scene.weighing import Weighing


def moved(*doubts):
    """Seat 1 moves a card. Its placing has these additional doubts."""
    act = Act(1, doubts=frozenset({Doubt.EARLIER}))
    both = Act(1, doubts=frozenset({Doubt.EARLIER, *doubts}))
    taken, placed = Removed(3.4, "l", "seat/1/left", 1), Placed(3.4, "l", "seat/1/right", 1)
    return [weighed(taken, act), weighed(placed, both)]


def told_with(*doubts):
    """The events: seat 2 lays a card; then seat 1's move is told, which came before."""
    weighing = Weighing()
    early = weighing.weigh([EARLY], 3.0, is_open=True, seen=free)
    return [*early, *weighing.weigh(moved(*doubts), 3.4, is_open=False, seen=free)]


def course(told, index):
    """The acts under the alternative of this index, in order."""
    acts = [e for event in told if event.ways is not None for e in event.ways.ways[index].events]
    return [(act.kind, act.card) for act in acts]


def test_its_removal_and_its_placing_come_before_a_card_together():
    told = told_with()
    acts = [event for event in told if not isinstance(event, Learned)]
    assert {event.ways.choice for event in acts} == {told[0].ways.choice}
    moves = [("removed", "l"), ("placed", "l")]
    assert course(acts, 0) == [("placed", "n"), *moves]
    assert course(acts, 1) == [*moves, ("placed", "n")]


def test_where_its_placing_is_in_doubt_the_order_of_both_stays_as_told():
    _, taken, placed = told_with(Doubt.TWIN)
    assert taken.ways is None and (taken.kind, taken.card) == ("removed", "l")
    assert placed.ways.choice is None and len(placed.ways.ways) == 2
