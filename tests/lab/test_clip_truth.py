"""Events of a filmed game against its truth."""

from lab.evaluation.clip_truth import happened, score_events
from rules.table.event import Placed, Removed

SUDS = {
    "seats": [1, 2, 4],
    "events": [
        {"action": "toss", "t_settled": 1.0, "face": "hat", "pile": 1, "seat": 4},
        {"action": "toss", "t_settled": 2.0, "face": "socks", "pile": 2, "seat": 1},
        {"action": "take-back", "t_settled": 3.0, "face": "socks", "pile": 2, "seat": 1},
        {"action": "hand-crosses", "t_settled": 4.0, "pile": 1, "seat": 2},
        {"action": "sweep", "t_settled": 5.0, "face": None, "pile": 1, "seat": 2, "cards": ["hat"]},
    ],
}


def told(event, at, card, place, seat):
    return {"event": event, "at": at, "card": card, "place": place, "seat": seat, "told": at + 0.2}


def test_acts_of_suds_are_events_by_seats_in_order():
    assert happened(SUDS) == [
        Placed(1.0, "hat", "pile/1", 3),
        Placed(2.0, "socks", "pile/2", 1),
        Removed(3.0, "socks", "pile/2", 1),
        Removed(5.0, "hat", "pile/1", 2),
    ]


def test_other_games_bring_their_events():
    one = {"at": 2.0, "event": "placed", "card": "c", "place": "seat/1/left", "seat": 1}
    press = {"at": 0.5, "event": "pressed", "button": "start", "seat": 1}
    assert happened({"events_truth": [press, one]}) == [Placed(2.0, "c", "seat/1/left", 1)]


def test_what_is_missed_wrong_or_by_another_seat_is_counted():
    made = score_events(SUDS, [
        told("placed", 1.1, "hat", "pile/1", 2),
        told("placed", 2.1, "pants", "pile/2", 1),
        told("removed", 3.1, "socks", "pile/2", 1),
        told("removed", 5.1, "hat", "pile/1", 2),
    ])  # fmt: skip
    assert (made.events_right, made.events) == (3, 4)
    assert (made.seats_right, made.seats) == (2, 3)
    assert [round(at) for at, _ in made.faults] == [1, 2, 2]
