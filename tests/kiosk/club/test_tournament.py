"""Tournaments: who plays whom, results from games and by hand, standings."""

import json
from collections import Counter
from dataclasses import asdict, replace
from itertools import combinations

import pytest

from kiosk.club.board import tournament as contest
from kiosk.club.board.tournament import Result
from kiosk.club.states import Outcome
from kiosk.serving import schema
from rules.errors import FairdealError

A, B = "a" * 16, "b" * 16


def made(count=4, kind="round-robin", seats=2, tables=("t-1", "t-2"), **more):
    players = [f"player {k}" for k in range(count)]
    wish = {"kind": kind, "players": players, "tables": list(tables), "seats": seats, **more}
    return contest.make(schema.checked(contest.Wish, wish))


def numbers(running):
    """Every pairing of the last round with its number at its table."""
    seen = Counter()
    for each in running.rounds[-1].pairings:
        yield each, seen[each.table]
        seen[each.table] += 1


def played(running, strongest=min):
    """The tournament after all its rounds; the strongest player of a pairing wins."""
    while len(running.rounds) < running.planned:
        running = contest.next_round(running, [])
        for each, number in list(numbers(running)):
            result = Result((strongest(each.players),))
            running = contest.with_result(running, each.table, number, result)
    return running


def meetings(running):
    return Counter(
        tuple(sorted(pair))
        for one in running.rounds
        for each in one.pairings
        for pair in combinations(each.players, 2)
    )


@pytest.mark.parametrize("count", range(2, 12))
def test_in_a_round_robin_everybody_meets_everybody_once(count):
    running = played(made(count))
    assert meetings(running) == Counter(combinations(range(count), 2))
    for one in running.rounds:
        playing = [p for each in one.pairings for p in each.players]
        assert sorted([*playing, *one.byes]) == list(range(count))


@pytest.mark.parametrize("count", [4, 5, 8, 9, 16, 17, 33])
def test_swiss_rounds_repeat_no_pair_and_give_no_second_bye(count):
    running = played(made(count, "swiss"))
    assert max(meetings(running).values()) == 1
    byes = Counter(p for one in running.rounds for p in one.byes)
    assert all(k == 1 for k in byes.values())
    best = contest.standings(running)[0]
    assert best.player == 0 and best.points == running.planned


def test_in_swiss_equal_points_meet():
    running = played(made(8, "swiss", rounds=1))
    running = contest.next_round(replace(running, planned=3), [])
    points = {row.player: row.points for row in contest.standings(running)}
    for each in running.rounds[-1].pairings:
        one, other = each.players
        assert points[one] == points[other]


@pytest.mark.parametrize(("count", "seats"), [(9, 3), (16, 4), (13, 4), (7, 3), (5, 4)])
@pytest.mark.parametrize("kind", ["round-robin", "swiss"])
def test_tables_of_more_than_two_seat_everybody(count, seats, kind):
    running = played(made(count, kind, seats))
    for one in running.rounds:
        sizes = [len(each.players) for each in one.pairings]
        assert sum(sizes) == count and max(sizes) <= seats and max(sizes) - min(sizes) <= 1
    if (count, kind) == (9, "round-robin"):
        assert set(meetings(running).values()) == {1}  # everybody met everybody


def test_results_come_from_games_as_they_end_and_go_with_an_undo():
    running = contest.next_round(made(4), [])
    first = running.rounds[0].pairings[0]
    won = Outcome([2], False)
    running = contest.hear_result(running, first.table, A, None)
    running = contest.hear_result(running, first.table, A, won)
    assert running.rounds[0].pairings[0].result == Result((first.players[1],), False, A)
    assert contest.hear_result(running, first.table, A, won) == running
    undone = contest.hear_result(running, first.table, A, None)
    assert undone.rounds[0].pairings[0].result is None


def test_a_second_pairing_at_a_table_waits_for_its_own_game():
    running = contest.next_round(made(4, tables=("t-1",)), [])
    won = Outcome([1], False)
    for session in (A, A, B):
        running = contest.hear_result(running, "t-1", session, won)
    assert [each.result.session for each in running.rounds[0].pairings] == [A, B]
    assert contest.seated(running, "t-1", B) == [
        running.players[p] for p in running.rounds[0].pairings[1].players
    ]


def test_a_game_that_was_over_before_the_round_does_not_count():
    running = contest.next_round(made(4), [A])
    won = Outcome([1], False)
    assert contest.hear_result(running, "t-1", A, won) == running


def test_what_a_person_entered_stays():
    running = contest.next_round(made(4), [])
    first = running.rounds[0].pairings[0]
    running = contest.with_result(running, first.table, 0, Result((first.players[0],)))
    other = contest.hear_result(running, first.table, A, Outcome([2], False))
    assert other.rounds[0].pairings[0].result == Result((first.players[0],))


def test_a_tie_shares_the_point_and_standings_count_the_opposition():
    running = contest.next_round(made(4), [])
    for each, number in list(numbers(running)):
        is_tie = number == 0 and each.table == "t-1"
        result = Result((), True) if is_tie else Result((each.players[0],))
        running = contest.with_result(running, each.table, number, result)
    rows = contest.standings(running)
    assert [row.points for row in rows] == [1.0, 0.5, 0.5, 0.0]
    assert [row.rank for row in rows] == [1, 2, 2, 4]


def test_a_round_waits_for_its_results_and_the_last_one_is_the_last():
    running = contest.next_round(made(4), [])
    with pytest.raises(FairdealError, match="all results"):
        contest.next_round(running, [])
    with pytest.raises(FairdealError, match="at most 3 rounds"):
        contest.next_round(played(made(4)), [])


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"players": ["a"]}, "at least 2"), ({"players": ["a", "a"]}, "one name twice"),
        ({"players": [1, 2]}, "as text"), ({"players": ["a", " "]}, "a name"),
        ({"tables": []}, "tables"), ({"kind": "knock-out"}, "kind"),
        ({"seats": 9}, "seats"), ({"rounds": 99}, "rounds"),
        ({"players": ["x"] * 999}, "at most 200"),
    ],
)  # fmt: skip
def test_what_is_no_tournament_is_one_line(more, words):
    wish = {"kind": "swiss", "players": ["a", "b"], "tables": ["t-1"], **more}
    with pytest.raises(FairdealError, match=words):
        contest.make(schema.checked(contest.Wish, wish))


def test_a_result_of_somebody_else_is_refused():
    running = contest.next_round(made(4), [])
    stranger = running.rounds[0].pairings[1].players[0]
    with pytest.raises(FairdealError, match="winners among"):
        contest.with_result(running, "t-1", 0, Result((stranger,)))
    with pytest.raises(FairdealError, match="a pairing"):
        contest.with_result(running, "t-1", 5, None)


def test_a_tournament_reads_back():
    running = played(made(5, "swiss"))
    assert contest.from_json(json.dumps(asdict(running)).encode()) == running
    with pytest.raises(FairdealError, match="a damaged one"):
        contest.from_json(b'{"name": "x"}')
