"""What an event may have been instead: its chance, and what the referee makes of it."""

from __future__ import annotations

import pytest

from rules.contract.game import make_setup
from rules.games import game
from rules.judging import belief, referee
from rules.table.call import CallKind
from rules.table.event import Learned, Placed, Pressed, Removed, Sighted, Way
from vision.scene.awaited import Seen
from vision.scene.doubts import CERTAIN, WRONG, Act, Doubt, weighed
from vision.scene.weighing import SETTLED_S, Weighing
from vision.sightings import UNKNOWN

HAT = Placed(1.0, "hat", "pile/1", 1)


def free(_):
    """No hand lies on any card, and no look is to come."""
    return Seen(is_free=True, name=1.0)


@pytest.mark.parametrize("sure", [CERTAIN, 0.999, 1.0])
def test_a_certain_event_has_no_alternatives(sure):
    told = weighed(HAT, Act(1, sure))
    assert (told.sure, told.ways) == (sure, None)


def test_a_face_in_doubt_may_be_another_one():
    told = weighed(HAT, Act(1, 0.8))
    right, other = told.ways.ways
    assert (right.chance, other.chance) == pytest.approx((0.8, 0.2))
    assert right.events == (HAT,) and other.events[0].card == UNKNOWN


@pytest.mark.parametrize("doubt", sorted(set(Doubt) - {Doubt.EARLIER, Doubt.PERHAPS_EARLIER}))
def test_each_doubt_has_its_alternative(doubt):
    for event in (HAT, Removed(1.0, "hat", "pile/1", 1)):
        told = weighed(event, Act(1, 1.0, 1.0, frozenset({doubt}), rivals=(2,)))
        ways = told.ways.ways
        assert sum(way.chance for way in ways) == pytest.approx(1.0)
        assert ways[0].chance == max(way.chance for way in ways)
        itself = next(way for way in ways if way.events == (event,))
        assert itself.chance == told.sure == pytest.approx(1.0 - WRONG[doubt])


def test_an_act_of_nobody_known_may_be_that_of_each_seat():
    told = weighed(
        Placed(1.0, "hat", "pile/1"), Act(doubts=frozenset({Doubt.WHOSE}), rivals=(1, 2, 3))
    )
    ways = {way.events[0].seat: way.chance for way in told.ways.ways}
    assert told.seat is None and set(ways) == {None, 1, 2, 3}
    assert ways[None] == pytest.approx(told.sure) and told.sure > ways[1] == ways[2] == ways[3] > 0
    assert sum(ways.values()) == pytest.approx(1.0)


def test_where_several_others_may_have_acted_it_may_be_anybody():
    told = weighed(Placed(1.0, "hat", "pile/1"), Act(2, doubts=frozenset({Doubt.WHOSE})))
    assert [way.events[0].seat for way in told.ways.ways] == [2, None]


def test_several_doubts_multiply():
    told = weighed(HAT, Act(1, 0.9, 0.8, frozenset({Doubt.TWIN})))
    assert told.sure == pytest.approx(0.9 * 0.8 * (1.0 - WRONG[Doubt.TWIN]))
    assert sum(way.chance for way in told.ways.ways) == pytest.approx(1.0)


def in_order(name, events, players=2):
    """The calls of a game in which these events were told, the first ones surely."""
    rules = game(name)
    state, calls = belief.believe(referee.begin(rules, make_setup(rules, players, {}))), []
    for event in events:
        state, told = belief.step(state, event)
        calls += told.calls
    return calls


CAT = (
    Pressed(0.5, "start"),
    Placed(1.0, "k", "seat/1/left", 1),
    Placed(2.0, "m", "seat/2/left", 2),
)


def doubtful(event, doubt):
    return weighed(event, Act(event.seat, doubts=frozenset({doubt})))


EARLY = doubtful(Placed(3.0, "n", "seat/2/left", 2), Doubt.ORDER)


def mistakes(events):
    return [c for c in in_order("cat-in-the-hat", events) if c.call is CallKind.MISTAKE]


def test_of_two_cards_in_doubtful_order_nobody_is_out_of_turn():
    """Seat 2's card is told first; seat 1 laid its own before it."""
    weighing = Weighing()
    late = doubtful(Placed(3.4, "l", "seat/1/left", 1), Doubt.EARLIER)
    told = [*weighing.weigh([EARLY], 3.0, is_open=True, seen=free)]
    told += weighing.weigh([late], 3.4, is_open=False, seen=free)
    told += weighing.weigh([Placed(5.0, "p", "seat/1/left", 1)], 5.0, is_open=False, seen=free)
    assert not mistakes((*CAT, *told))


def test_a_hand_that_lies_on_the_first_one_leaves_the_order_open():
    """Its seat is certain, and so is that it was laid; the other card rested before it."""
    weighing = Weighing()
    doubts = frozenset({Doubt.ORDER, Doubt.IN_HAND})
    first = weighed(Placed(3.0, "n", "seat/2/left", 2), Act(2, doubts=doubts, number=7))
    late = doubtful(Placed(3.4, "l", "seat/1/left", 1), Doubt.EARLIER)
    told = [*weighing.weigh([first], 3.0, is_open=True, seen=free)]
    told += weighing.weigh([late], 3.4, is_open=False, seen=free)
    told += weighing.weigh([Placed(5.0, "p", "seat/1/left", 1)], 5.0, is_open=False, seen=free)
    assert not mistakes((*CAT, *told))


def test_whether_a_card_that_a_hand_held_came_first_stays_open():
    """Two hands at once: that the card comes tells nothing; the right order is likely."""
    weighing = Weighing()
    first = doubtful(Placed(3.0, "n", "seat/2/left", 2), Doubt.AT_ONCE)
    late = doubtful(Placed(3.4, "l", "seat/1/left", 1), Doubt.PERHAPS_EARLIER)
    told = [*weighing.weigh([first], 3.0, is_open=True, seen=free)]
    told += weighing.weigh([late], 3.4, is_open=False, seen=free)
    assert [event.kind for event in told] == ["placed", "placed"]
    assert in_order("cat-in-the-hat", (*CAT, *told)) == []


def test_as_long_as_such_a_card_rests_the_order_is_open():
    """Two others lay theirs meanwhile; then the first one gets its name."""
    weighing = Weighing()
    after = doubtful(Placed(8.0, "p", "seat/1/left", 1), Doubt.ORDER)
    late = doubtful(Placed(8.5, "l", "seat/1/left", 1), Doubt.EARLIER)
    told = [*weighing.weigh([EARLY], 3.0, is_open=True, seen=free)]
    for at in range(4, 8):
        told += weighing.weigh((), at, is_open=True, seen=free)
    told += weighing.weigh([after], 8.0, is_open=True, seen=free)
    told += weighing.weigh([late], 8.5, is_open=False, seen=free)
    assert not mistakes((*CAT, *told))


def test_a_card_that_rests_may_have_come_between_two_that_were_told():
    """Seat 1, seat 2, seat 1: that of seat 2 gets its name last."""
    weighing = Weighing()
    first = doubtful(Placed(3.0, "n", "seat/1/left", 1), Doubt.ORDER)
    second = doubtful(Placed(4.0, "p", "seat/1/right", 1), Doubt.ORDER)
    late = doubtful(Placed(4.5, "o", "seat/2/left", 2), Doubt.EARLIER)
    told = [*weighing.weigh([first], 3.0, is_open=True, seen=free)]
    told += weighing.weigh([second], 4.0, is_open=True, seen=free)
    told += weighing.weigh([late], 4.5, is_open=False, seen=free)
    assert not mistakes((*CAT, *told))


def test_what_was_told_before_a_card_can_have_come_came_before_it():
    """Seats 1, 2, 1, 2 lay theirs; the second one of seat 1 gets its name last."""
    weighing, told = Weighing(), []
    acts = ((3.0, "n", "seat/1/left"), (4.0, "p", "seat/2/left"), (6.0, "o", "seat/2/right"))
    for at, face, place in acts:
        act = doubtful(Placed(at, face, place, int(place[5])), Doubt.ORDER)
        told += weighing.weigh([act], at, is_open=True, seen=free)
    doubts = frozenset({Doubt.EARLIER})
    late = weighed(Placed(6.5, "l", "seat/1/right", 1), Act(1, doubts=doubts, since=4.6))
    told += weighing.weigh([late], 6.5, is_open=False, seen=free)
    assert not mistakes((*CAT, *told))


def test_after_a_restart_no_choice_is_that_of_an_earlier_one():
    choices = []
    for at in (3.0, 4.0):  # each with a new watcher
        early = doubtful(Placed(at, "n", "seat/2/left", 2), Doubt.ORDER)
        [told] = Weighing().weigh([early], at, is_open=True, seen=free)
        choices.append(told.ways.choice)
    assert choices[0] != choices[1]


def test_without_a_card_before_it_the_order_was_as_told():
    weighing = Weighing()
    told = [*weighing.weigh([EARLY], 3.0, is_open=True, seen=free)]
    told += weighing.weigh((), 3.2, is_open=False, seen=free)
    assert len(told) == 1
    told += weighing.weigh((), 3.1 + SETTLED_S, is_open=False, seen=free)
    assert isinstance(told[-1], Learned)
    (call,) = mistakes((*CAT, *told))
    assert (call.rule, call.seat) == ("out-of-turn", 2)


def test_a_push_that_may_have_been_a_second_card_leaves_its_turn_open():
    weighing = Weighing()
    weighing.suspect([Way(0.1, (Placed(3.0, "voom", "seat/1/left", 1),))])
    told = weighing.weigh([Placed(4.0, "n", "seat/2/left", 2)], 4.0, is_open=False, seen=free)
    start, _, *after = CAT
    events = (start, Placed(1.0, "voom", "seat/1/left", 1), *after, *told)
    calls = in_order("cat-in-the-hat", events)
    assert not [call for call in calls if call.call is CallKind.MISTAKE]
    assert weighing.weigh([HAT], 6.0, is_open=False, seen=free) == (HAT,)


def test_a_view_that_is_found_again_ends_these_doubts():
    weighing = Weighing()
    weighing.suspect([Way(0.1, (Placed(3.0, "k", "seat/1/left", 1),))])
    weighing.weigh([Sighted(4.0)], 4.0, is_open=False, seen=free)
    assert weighing.weigh([HAT], 6.0, is_open=False, seen=free) == (HAT,)


CHEAT = weighed(
    Placed(3.0, "n", "seat/2/left", 2), Act(2, doubts=frozenset({Doubt.IN_HAND}), number=7)
)


def seen_of(is_free):
    """What is seen of a card with a sure name; None if it is gone."""
    return None if is_free is None else Seen(is_free, name=1.0)


def told_of(let_go, until=3.5):
    """The events told for a card that is laid out of turn and still under a hand. `let_go(at)`:
    whether the hand has let go at that time."""
    weighing, told = Weighing(), []
    for step in range(int((until - 3.0) / 0.1) + 1):
        at = 3.0 + 0.1 * step
        events = [CHEAT] if step == 0 else ()
        told += weighing.weigh(events, at, is_open=False, seen=lambda n, at=at: seen_of(let_go(at)))
    return told


def test_a_mistake_waits_until_the_hand_lets_go_of_the_card():
    told = told_of(lambda at: at >= 3.3)
    assert not in_order("cat-in-the-hat", (*CAT, *told[:1]))  # nor is anybody asked
    assert [event.at for event in told[1:]] == pytest.approx([3.5])  # still, as the hand goes
    (call,) = mistakes((*CAT, *told))
    assert (call.rule, call.seat) == ("out-of-turn", 2)


def test_a_card_that_the_hand_takes_on_was_never_laid():
    told = told_of(lambda at: None if at >= 3.3 else False)
    taken = Removed(3.4, "n", "seat/2/left", 2)
    assert len(told) == 1
    right = Placed(5.0, "l", "seat/1/left", 1)
    assert not mistakes((*CAT, *told, taken, right))


@pytest.mark.parametrize("went", [None, False])
def test_a_hand_that_begins_to_go_has_not_let_go_of_a_card_that_goes_with_it(went):
    """For a moment the hand moves and the card does not: it hung over the pile."""
    told = told_of(lambda at: 3.25 <= at < 3.35 or (went if at >= 3.35 else False))
    assert len(told) == 1


def test_a_hand_that_stays_for_long_does_not_hold_the_card():
    told = told_of(lambda at: False, until=6.0)
    assert len(told) == 2 and mistakes((*CAT, *told))


def test_that_the_hand_lets_go_tells_nothing_about_other_doubts():
    """A card of its face lies near: it may be that one, whoever's hand is there."""
    doubts = frozenset({Doubt.IN_HAND, Doubt.TWIN})
    placed = weighed(CHEAT.ways.ways[0].events[0], Act(2, doubts=doubts, number=7))
    weighing = Weighing()
    [told] = weighing.weigh([placed], 3.0, is_open=False, seen=free)
    [learned] = weighing.weigh([], 3.2, is_open=False, seen=free)
    left = [w.chance * k for w, k in zip(told.ways.ways, learned.likely, strict=True)]
    assert left[0] / sum(left) == pytest.approx(1.0 - WRONG[Doubt.TWIN], abs=0.01)
    assert not mistakes((*CAT, told, learned))


@pytest.mark.parametrize(("lets_go", "calls"), [(True, 1), (False, 0)])
def test_that_nothing_came_before_tells_not_that_the_hand_let_go(lets_go, calls):
    doubts = frozenset({Doubt.ORDER, Doubt.IN_HAND})
    cheat = weighed(CHEAT.ways.ways[0].events[0], Act(2, doubts=doubts, number=7))
    weighing, told = Weighing(), []
    for step in range(15):
        at = 3.0 + 0.1 * step
        told += weighing.weigh(
            [] if step else [cheat], at, is_open=step < 3, seen=lambda _: seen_of(lets_go)
        )
    assert len(mistakes((*CAT, *told))) == calls


def test_a_name_in_doubt_stays_so_when_its_order_is_known():
    cheat = weighed(CHEAT.ways.ways[0].events[0], Act(2, 0.93, doubts=frozenset({Doubt.ORDER})))
    weighing = Weighing()
    told = [*weighing.weigh([cheat], 3.0, is_open=False, seen=free)]
    told += weighing.weigh([], 3.0 + 2 * SETTLED_S, is_open=False, seen=free)
    assert told[0].sure < 0.93 and len(told) == 2
    assert not mistakes((*CAT, *told))


def test_where_something_may_have_come_before_no_seat_is_accused_of_it():
    """Who laid it is in doubt too: each of them would have been wrong, if nothing came before."""
    doubts = frozenset({Doubt.ORDER, Doubt.WHOSE})
    [told] = Weighing().weigh(
        [weighed(CHEAT.ways.ways[0].events[0], Act(2, doubts=doubts, rivals=(3,)))], 3.0,
        is_open=True, seen=free,
    )  # fmt: skip
    assert sum(way.chance for way in told.ways.ways if not way.events) == pytest.approx(
        0.05, abs=0.01
    )
