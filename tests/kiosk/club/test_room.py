"""Whatever comes to a board: one clear line each, nothing lost, nothing twice."""

import json
import random

import pytest
from test_club_outbox import call as made_call

from kiosk.club.board.room import Room
from kiosk.club.payloads import Available, text_of

A, B, C = "a" * 16, "b" * 16, "c" * 16
TOKENS = {"t-1": "x" * 32, "t-2": "y" * 32}
NOW = 1_700_000_000.0


def who(session=A, is_online=True, address="10.0.0.1"):
    found = Available("online", session, NOW, address, "pi", "0.1.0")
    return text_of((found if is_online else found.offline).to_payload())


def state(session=A, calls=0, number=1, **more):
    return text_of({
        "session": session, "number": number, "sent": NOW, "phase": "playing", "game": None,
        "at": 1.0, "turn": None, "headline": "", "lines": [], "places": [], "scores": [],
        "mistakes": [], "lost": "", "calls": calls, "open": [], "withdrawn": [], "result": None,
        **more,
    })  # fmt: skip


def call(n, session=A):
    return text_of(made_call(session, n).to_payload())


@pytest.fixture
def room():
    room = Room("harbour", TOKENS)
    room.open()
    return room


def take(room, leaf, payload, table="t-1", club="harbour", is_kept=False, now=NOW):
    room.take(f"fairdeal/{club}/{table}/{leaf}", payload, is_kept, now)


def lines(room):
    return [line for _, line in room.effects.lines]


def kept(room):
    return [(table, each.session, each.n) for table, each in room.effects.calls]


def test_calls_count_once_in_any_order(room):
    take(room, "available", who())
    for n in (2, 1, 2, 3, 1):
        take(room, f"call/{n}", call(n))
    assert sorted(kept(room)) == [("t-1", A, 1), ("t-1", A, 2), ("t-1", A, 3)]
    assert room.duplicates == 2 and lines(room) == []
    assert [c["n"] for c in room.tables["t-1"].to_json([])["calls"]] == [1, 2, 3]


def test_calls_of_an_earlier_game_are_kept_and_not_shown(room):
    take(room, "available", who(B))
    take(room, "call/1", call(1, A))
    assert kept(room) == [("t-1", A, 1)]
    assert room.tables["t-1"].to_json([])["calls"] == []


def test_missing_calls_are_asked_for_with_growing_pauses(room):
    take(room, "available", who())
    take(room, "call/1", call(1))
    take(room, "call/4", call(4))
    take(room, "state", state(calls=4))
    take(room, "sessions", text_of({"session": A, "calls": {B: 2}}))
    room.tick(NOW)
    assert room.effects.questions == []  # they may be on their way
    room.tick(NOW + 2.5)
    asked = {q["session"]: (q["from"], q["to"]) for _, q in room.effects.questions}
    assert asked == {A: (2, 3), B: (1, 2)}
    room.tick(NOW + 3.0)
    assert len(room.effects.questions) == 2
    for n in (2, 3):
        take(room, f"call/{n}", call(n))
    for n in (1, 2):
        take(room, f"call/{n}", call(n, B))
    room.tick(NOW + 60.0)
    assert room.tables["t-1"].gaps == {} and room.tables["t-1"].lacking() == 0


def test_a_table_that_is_away_is_asked_nothing(room):
    take(room, "state", state(calls=4))
    for second in range(100):
        room.tick(NOW + second)
    assert room.effects.questions == []


def test_a_foreign_club_and_a_table_that_is_not_listed_are_one_line_each(room):
    for _ in range(3):
        take(room, "available", who(), table="t-9", club="harbor")
        take(room, "available", who(), table="t-9")
    foreign, unlisted, *again = lines(room)
    assert set(again) == {foreign}
    assert "harbour" in foreign and "t-9 of harbor at 10.0.0.1 (pi)" in foreign
    assert "t-1, t-2" in unlisted and "t-9" in unlisted
    take(room, "call/1", call(1), table="t-9")
    assert kept(room) == [("t-9", A, 1)]


def test_two_tables_of_one_name_are_said_with_both_addresses(room):
    take(room, "available", who(A))
    rival = {"ask": "who", **Available("online", B, NOW + 9, "10.0.0.2", "pi-2").to_payload()}
    take(room, "ask", text_of(rival), now=NOW + 1)
    room.tick(NOW + 2)
    assert lines(room) == []  # it may yet get the name
    room.tick(NOW + 5)
    (line,) = lines(room)
    assert "10.0.0.1 (pi)" in line and "10.0.0.2 (pi-2)" in line and "rename" in line
    assert room.tables["t-1"].notes()[0]["id"] == "note-two-tables"
    room.tick(NOW + 500)
    assert room.tables["t-1"].notes() == []


def test_a_table_that_starts_again_is_no_second_one(room):
    take(room, "available", who(A))
    rival = {"ask": "who", **Available("online", B, NOW + 9, "10.0.0.1", "pi").to_payload()}
    take(room, "ask", text_of(rival), now=NOW + 1)
    take(room, "available", who(A, is_online=False), now=NOW + 1)
    take(room, "available", who(B), now=NOW + 2)
    room.tick(NOW + 9)
    assert lines(room) == []


def test_the_last_will_of_a_refused_table_takes_nobody_offline(room):
    take(room, "available", who(A))
    take(room, "available", who(B, is_online=False))
    assert room.tables["t-1"].to_json([])["is_online"]


@pytest.mark.parametrize(("off", "way"), [(3600.0, "60 min ahead"), (-3600.0, "60 min behind")])
def test_a_clock_that_is_an_hour_off_is_one_line_and_nothing_is_lost(room, off, way):
    take(room, "available", who())
    for k in range(3):
        take(room, "state", state(sent=NOW + off + k, number=k + 1), now=NOW + k)
    take(room, "call/1", call(1))
    (line,) = lines(room)
    assert way in line and "NTP" in line and kept(room) == [("t-1", A, 1)]
    assert room.tables["t-1"].clock_off_s == off


def test_a_retained_state_says_nothing_of_a_clock(room):
    take(room, "state", state(sent=NOW - 86400.0), is_kept=True)
    assert lines(room) == [] and room.tables["t-1"].clock_off_s == 0.0


@pytest.mark.parametrize(
    ("leaf", "payload", "words"),
    [
        ("state", b"", None), ("state", b"\xff\xd8\xff", "JSON in UTF-8"),
        ("state", b"[]", "object"),
        ("state", b'{"version":0}', "update fairdeal at that table"),
        ("state", b'{"version":2}', "update fairdeal here"),
        ("state", b'{"version":true}', "version 1"),
        ("state", b"[" * 90000, "an object"), ("state", b" " * 300_000, "at most"),
        ("state", state(turn="2"), "turn"), ("state", state(calls=-1), "calls"),
        ("state", state(lines=[5]), "lines"), ("state", state(session="x"), "session"),
        ("sessions", b'{"version":1,"calls":5}', "calls as an object"),
        ("available", b'{"version":1,"status":"maybe"}', "status"),
        ("call/1", call(2), "call 2 on call/2"), ("call/1", b'{"version":1}', "session"),
        ("call/x", call(1), "call 1 on call/1"),
    ],
)  # fmt: skip
def test_damage_is_one_line(room, leaf, payload, words):
    take(room, leaf, payload)
    take(room, leaf, payload)
    kinds = {kind for kind, _ in room.effects.lines}
    assert len(kinds) == (words is not None) and kept(room) == []
    for line in lines(room):
        assert words in line and line.startswith("t-1/") and "\n" not in line and len(line) < 400


def test_a_topic_that_is_none_of_ours_is_one_line(room):
    for topic in ("fairdeal/harbour/T 1/state", "other/x", "fairdeal/harbour", "", "/" * 100):
        room.take(topic, b"{}", False, NOW)
    assert room.rubbish == 5 and all("expected" in line for line in lines(room))


def test_random_bytes_break_nothing(room):
    rng = random.Random(20261123)
    good = [state(), call(1), who(), text_of({"ask": "who"})]
    for k in range(3000):
        payload = bytearray(rng.choice(good))
        for _ in range(rng.randrange(1, 6)):
            payload[rng.randrange(len(payload))] = rng.randrange(256)
        leaf = rng.choice(["state", "call/1", "available", "ask", "answer/1", "x", "call"])
        take(room, leaf, bytes(payload), now=NOW + k)
        room.tick(NOW + k)
    for table in room.tables.values():
        json.dumps(table.to_json([]))
    kinds = {kind for kind, _ in room.effects.lines}
    assert kinds <= {f"harbour/t-1/{leaf}" for leaf in ("state", "call", "available", "ask")}


def test_the_newest_version_among_the_tables(room):
    for table, software in (("t-1", "0.9.0"), ("t-2", "0.10.0")):
        data = text_of(Available("online", A, NOW, "", "", software).to_payload())
        take(room, "available", data, table=table)
    assert room.newest_software() == "0.10.0"
