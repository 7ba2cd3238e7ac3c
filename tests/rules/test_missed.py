"""An act that nobody saw makes one wrong call at most, and what follows is not called."""

from dataclasses import replace

import pytest
from test_belief import heard, lines, placed

from rules.judging.explain import described
from rules.judging.telling import tell
from rules.table.event import Placed, Pressed, Removed

START = Pressed(0, "start")
SEEN = 0.99  # as a camera tells that a card was seen


def mistakes(said):
    """The mistakes that were told, in order."""
    return [line for each in said for line in lines(each) if line[0] == "mistake"]


def in_turn(first, letters, sure=SEEN):
    """Letters laid by three seats in turn, the first by `first`, on their left piles."""
    seats = [(first + k - 1) % 3 + 1 for k in range(len(letters))]
    return [
        Placed(2.0 * k + 1, letter, f"seat/{seat}/left", seat, sure=sure)
        for k, (letter, seat) in enumerate(zip(letters, seats, strict=True))
    ]


def test_players_who_play_on_after_a_missed_act_are_accused_once():
    """Nobody saw seat 1 play; for the strict referee it is its turn until it plays again."""
    _, said = heard([START, *in_turn(2, "abcdefghi")], "cat-in-the-hat", 3)
    assert mistakes(said) == [("mistake", "out-of-turn", "a")]


def test_an_act_that_is_told_after_the_next_one_makes_no_second_call():
    """Seat 1's card is told late: that of seat 2 seems out of turn, and so seems its next one."""
    told = [("b", 2, 1.0), ("a", 1, 1.3), ("c", 1, 3.0), ("d", 2, 5.0), ("e", 1, 7.0)]
    events = [Placed(at, card, f"seat/{seat}/left", seat, sure=SEEN) for card, seat, at in told]
    _, said = heard([START, *events], "cat-in-the-hat", 2)
    assert mistakes(said) == [("mistake", "out-of-turn", "b")]
    late = [replace(event, at=10 * event.at) for event in events]
    assert mistakes(heard([START, *late], "cat-in-the-hat", 2)[1]) == [
        ("mistake", "out-of-turn", "b"),
        ("mistake", "out-of-turn", "c"),
    ]


def test_mistakes_that_are_put_right_are_all_told():
    events, at = [START], 1.0
    for letter, due, wrong in (("a", 1, 2), ("b", 2, 1), ("c", 3, 1), ("d", 1, 3)):
        out = Placed(at, "w", f"seat/{wrong}/right", wrong, sure=SEEN)
        back = Removed(at + 2, "w", f"seat/{wrong}/right", wrong, sure=SEEN)
        events += [out, back, Placed(at + 4, letter, f"seat/{due}/left", due, sure=SEEN)]
        at += 6.0
    state, said = heard(events, "cat-in-the-hat", 3)
    assert mistakes(said) == [("mistake", "out-of-turn", "w")] * 4
    assert state.hypotheses[0].weight > 0.999


def test_of_what_is_certain_nothing_was_missed():
    _, said = heard([START, *in_turn(2, "abc", sure=1.0)], "cat-in-the-hat", 3)
    assert mistakes(said) == [("mistake", "out-of-turn", letter) for letter in "ab"]


@pytest.mark.parametrize("name", ["sooty", "dirty-laundry", "soda"])
def test_turns_open_in_each_game_that_has_them(name):
    if name == "sooty":
        acts = [("sooty-1", f"seat/{seat}/set/1", seat) for seat in (2, 3, 1, 2, 3, 1)]
    elif name == "soda":  # seat 2 leads
        acts = [(f"{5 + k}d", "play", seat) for k, seat in enumerate((3, 1, 2, 3, 1, 2))]
    else:
        acts = [
            (f"p{seat}-white-plain{two}", "machine/1/garments", seat)
            for seat in (2, 3)
            for two in ("", "2")
        ]
        homes = [Placed(0.1, card, f"seat/{seat}/garments", seat) for card, _, seat in acts]
    events = [Placed(1.0 + 2 * k, *act, sure=SEEN) for k, act in enumerate(acts)]
    before = homes if name == "dirty-laundry" else []
    _, said = heard([*before, START, *events], name, 3)
    assert len(mistakes(said)) == 1


@pytest.mark.parametrize(("sure", "wrong"), [(SEEN, 1), (1.0, 3)])
def test_no_after_a_card_that_nobody_saw_is_called_once(sure, wrong):
    """Soda: the card of seat 3 was missed, and seat 1 says No. Of a certain log all is called."""
    hands = [("3d", 2), ("no", 1), ("4d", 1), ("5d", 2), ("6d", 3), ("no", 1), ("4s", 1)]
    events = [
        Pressed(2.0 * k + 1, "no", seat)
        if card == "no"
        else Placed(2.0 * k + 1, card, "play", seat, sure=sure)
        for k, (card, seat) in enumerate(hands)
    ]
    _, said = heard([START, *events], "soda", 3)
    assert mistakes(said)[0] == ("mistake", "out-of-turn", None)
    assert len(mistakes(said)) == wrong


def test_a_card_of_a_pile_that_nobody_saw_makes_one_call_at_most():
    acts = [placed(1, "hat", sure=SEEN), placed(2, "t-shirt", sure=SEEN)]
    acts += [placed(3, "pants", sure=SEEN), placed(4, "socks", sure=SEEN)]
    _, said = heard([START, *acts, placed(5, "sneakers", sure=SEEN)])
    assert mistakes(said) == [("mistake", "out-of-sequence", "pants")]
    (reason,) = next(each.reasons for each in said if lines(each))
    assert any("was not seen" in line for line in described(reason, {4: acts[2]}))


@pytest.mark.parametrize(
    ("at", "is_evidence", "is_told"), [(3.5, False, True), (4.5, False, False), (4.5, True, True)]
)
def test_a_mistake_that_later_acts_alone_decide_long_after_it_is_not_told(at, is_evidence, is_told):
    """They rather tell that the game was followed wrongly."""
    state, said = heard([START, placed(1, "hat"), placed(2, "socks", sure=0.97)])
    assert lines(said[-1]) == [("unsure", "out-of-sequence", "socks")]
    _, _, found = tell(
        state.hypotheses, state.spoken, state.number, at, frozenset(), state.events, 0.96,
        is_evidence=is_evidence,
    )  # fmt: skip
    assert [call.call for call in found.calls] == (["mistake"] if is_told else [])
