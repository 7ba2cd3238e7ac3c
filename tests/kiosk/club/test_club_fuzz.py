"""The club under strange requests and payloads: one line each, no 500, honest tables go on."""

import asyncio
import json
import random
import re

import pytest
from test_board_app import CLUB, Place
from test_room import NOW, A, call, state, who

from kiosk.club.board import exhibits
from kiosk.club.board.feed import EACH_FOLLOWERS, Feed
from kiosk.club.board.tournament import MOST_PLAYERS
from kiosk.club.commands import Commands
from kiosk.club.mqtt import Message
from kiosk.club.payloads import read, read_question, text_of
from kiosk.club.signing import sign
from kiosk.web.access import Client, Role
from kiosk.web.state import PageState
from rules.errors import FairdealError

REQUESTS, PAYLOADS = 1500, 4000
# JSON texts that a message may hold at any place.
STRANGE = (
    "null", "true", "-1", "0", "1e309", "-1e309", "NaN", "Infinity", "9" * 400, "9" * 5000,
    "1.5", "1e-320", str(2**63), str(2**64), "[]", "{}", "[" * 3000, '{"a":' * 500,
    '"\\ud800"', '"\\udfff\\ud800"', '"\\u0000"', '"\\u202e"', '""', '"x"', '"²"', '"1.²"', '"٣"',
    f'"{"x" * 5000}"', '"t-2"', '"2"', "[[]]", "[null]", "[true]", "[1,1,1]", '["a","a"]',
    '{"\\ud800":1}', "\x00", "é",
)  # fmt: skip
DECISION = {"table": "t-1", "session": A, "call": 1, "verdict": "right", "card": "hat", "seat": 1}
WISH = {"kind": "swiss", "players": ["Ada", "Ben"], "tables": ["t-1"], "name": "x", "seats": 2,
        "rounds": 0}  # fmt: skip
BODIES = {
    "/api/act": {"table": "t-1", "act": "undo"},
    "/api/decide": DECISION,
    "/api/tournament": WISH,
    "/api/tournament/round": {},
    "/api/tournament/result": {"table": "t-1", "number": 0, "winners": [0]},
    "/api/pair": {"digits": "123456", "name": "phone"},
    "/api/pair/code": {"role": "watcher"},
}
PARTS = ("t-1", "t-9", A, "b" * 16, "1", "9" * 300, "9" * 5000, "-1", "0", "suds", "hat", "x",
         "%2e%2e", "%00", "%ff", "%ed%a0%80", "é", "²", "٣", "a" * 3000)  # fmt: skip


def spoilt(rng, body):
    """The JSON text of a body in which some values are strange ones."""
    found = json.loads(json.dumps(body))
    holes = []
    for _ in range(rng.choice([0, 1, 1, 1, 2])):
        spot = found
        while isinstance(spot, dict | list) and spot:
            key = rng.choice(list(spot)) if isinstance(spot, dict) else rng.randrange(len(spot))
            if not spot[key] or not isinstance(spot[key], dict | list) or rng.random() < 0.4:
                spot[key] = f"hole {len(holes)}"
                holes.append(rng.choice(STRANGE))
                break
            spot = spot[key]
    text = json.dumps(found)
    for number, hole in enumerate(holes):
        text = text.replace(f'"hole {number}"', hole)
    if rng.random() < 0.1:
        text = text[: rng.randrange(len(text) + 1)]
    data = bytearray(text.encode())
    if data and rng.random() < 0.1:
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data)


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setattr(exhibits, "WAIT_S", 0.001)  # no table is there that could answer
    return Place(tmp_path)


def bugs(place):
    """What the board said of its own failures: "ValueError: … (room.py:7)"."""
    return [line for line in place.said if re.search(r"\w+: .*\(\w+\.py:\d+\)", line)]


def test_no_request_is_answered_with_a_failure(place):
    place.play()
    rng = random.Random(31)
    routes = [r for r in place.app.routes if hasattr(r, "methods") and r.path != "/api/events"]
    clients = [place.client, place.at("192.0.2.9", Role.REFEREE), place.at("192.0.2.10")]
    with place.client as first:
        for client in clients:  # one event loop for all requests, not a new one for each
            client.portal = first.portal
        strange_requests(rng, routes, clients)
    assert place.client.get("/api/board").json()["table/t-1"]["calls"]
    assert bugs(place) == []


def strange_requests(rng, routes, clients):
    """Each is answered, in one line where it is refused."""
    for number in range(REQUESTS):
        path = rng.choice(routes).path
        sent = spoilt(rng, BODIES.get(path, DECISION))
        path = re.sub(r"\{\w+(:\w+)?\}", lambda _: rng.choice(PARTS), path)
        method = rng.choice(["GET", "POST", "POST", "DELETE", "HEAD", "PUT"])
        content = None if method in ("GET", "HEAD") else sent
        answer = rng.choice(clients).request(method, path, content=content)
        assert answer.status_code < 500, (number, method, path, sent)
        if answer.status_code >= 400 and method != "HEAD":
            message = answer.json()["message"]
            assert message and "\n" not in message and "Traceback" not in message


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/pair", rb'{"digits": "\ud800"}'), ("/api/pair", b'{"digits": "123456", "name": 5}'),
        ("/api/decide", json.dumps({**DECISION, "call": 2**70}).encode()),
        ("/api/decide", json.dumps({**DECISION, "session": "x"}).encode()),
        ("/api/decide", json.dumps({**DECISION, "card": "\ud800"}).encode()),
        ("/api/decide", json.dumps({**DECISION, "seat": -1}).encode()),
        ("/api/tournament", json.dumps({**WISH, "players": ["a"] * (MOST_PLAYERS + 1)}).encode()),
        ("/api/tournament", json.dumps({**WISH, "players": ["a", "\ud800"]}).encode()),
    ],
)  # fmt: skip
def test_odd_values_are_refused_as_such(place, path, body):
    answer = place.client.post(path, content=body)
    assert answer.status_code == 400 and "expected" in answer.json()["message"]


@pytest.mark.parametrize("digits", ["9" * 5000, "9" * 300, "1000001", "0", "-1", "²"])
def test_an_odd_number_of_a_call_is_not_found(place, digits):
    for more in ("", "/0.jpg"):
        answer = place.client.get(f"/api/evidence/t-1/{A}/{digits}{more}")
        assert answer.status_code == 404 and answer.json()["message"]


GOOD = {
    "available": json.loads(who()), "state": json.loads(state(
        calls=2, lines=[{"label": "a", "text": "b"}], scores=[{"seat": 1, "text": "2"}],
        game={"name": "suds", "title": "Suds", "players": 2, "options": {"a": "b"}},
        open=[1], withdrawn=[2], result={"winners": [1], "tie": False},
    )),
    "sessions": {"version": 1, "session": A, "calls": {"b" * 16: 3}},
    "call/1": json.loads(call(1)),
    "ask": {"version": 1, "ask": "who", **json.loads(who("b" * 16))},
    "answer/x": {"version": 1, "id": "x", "ok": True, "changed": 1},
    "evidence/1/about": {"version": 1, "session": A, "n": 1, "is_kept": True, "rest": 0,
                         "frames": [{"at": 1.0, "cards": []}]},
    "evidence/1/0": {}, "call/x": {}, "é": {},
}  # fmt: skip


def test_whatever_one_table_sends_the_other_goes_on(place):
    rng, honest = random.Random(32), 0
    place.take("available", who("c" * 16), "t-2")
    for number in range(PAYLOADS):
        leaf = rng.choice(list(GOOD))
        if leaf.startswith("evidence"):
            place.board.exhibits.expect("t-1", A, 1)
        topic = f"fairdeal/{rng.choice(['harbour', 'harbour', 'harbor'])}/t-1/{leaf}"
        message = Message(topic, spoilt(rng, GOOD[leaf]), 1, rng.random() < 0.1)
        place.board.take(message, NOW + number)  # an error shows itself here
        place.board._settle()
        if number % 40 == 0:
            honest += 1
            place.take(f"call/{honest}", call(honest, "c" * 16), "t-2")
            place.board._tick()
            for path in ("/api/board", "/api/log/t-1"):
                assert place.client.get(path).status_code == 200, message
    log = place.client.get("/api/log/t-2").json()["calls"]
    assert [each["n"] for each in log] == list(range(honest, 0, -1)) and honest == 100
    assert bugs(place) == [] and place.board.room.rubbish > PAYLOADS // 4


def test_a_call_with_a_lone_surrogate_is_refused_and_one_that_was_kept_hides_no_other(place):
    place.play()
    spoilt_call = call(2).replace(b'"call 2"', rb'"\ud800"')
    assert spoilt_call != call(2)
    place.take("call/2", spoilt_call)
    assert any("t-1/call/2: expected JSON" in line for line in place.said)
    row = ("t-1", A, 2, NOW, spoilt_call)
    place.store._base.execute(
        "INSERT INTO calls (spot, session, n, received, payload) VALUES (?, ?, ?, ?, ?)", row
    )
    assert [each["n"] for each in place.client.get("/api/log/t-1").json()["calls"]] == [1]


def test_changing_rubbish_is_one_line_a_topic(place):
    place.take("available", who())
    rng = random.Random(33)
    for n in range(500):
        place.take("state", rng.randbytes(30))
        place.take(f"call/{n}", text_of({"session": str(n)}))
        place.take("state", state(number=n, sent=NOW + rng.choice([0, 9000])))
    assert place.board.room.rubbish == 1000
    assert len(place.said) == 3, place.said  # state, call, and the clock
    place.take("sessions", b"x")
    assert len(place.said) == 4


def test_a_version_with_strange_digits_is_one_of_many(place):
    place.take("available", text_of({**json.loads(who()), "software": "1.²"}))
    place.board._tick()
    assert bugs(place) == [] and place.board.room.newest_software() == "1.²"


def test_a_bug_of_one_message_ends_nothing(place, monkeypatch):
    def fail(*_):
        raise KeyError("a bug")

    with monkeypatch.context() as patched:
        patched.setattr(place.board.room, "take", fail)
        received = place.board._broker.received
        received.extend([Message(f"fairdeal/harbour/t-1/call/{n}", call(n)) for n in (1, 2)])
        place.board._take_batch()
    assert len(bugs(place)) == 1 and not received
    place.play()
    assert place.client.get("/api/board").json()["table/t-1"]["calls"]


def test_a_disk_that_fails_is_one_line_and_the_board_goes_on(place):
    place.store._base.execute("PRAGMA query_only=ON")
    place.play()
    place.take("call/2", call(2))
    assert len(place.said) == 1 and "expected a disk" in place.said[0]
    answer = place.client.post("/api/decide", json={**DECISION, "verdict": "right"})
    assert answer.status_code == 409 and "expected a disk" in answer.json()["message"]
    answer = place.client.post("/api/tournament", json=WISH)
    assert answer.status_code == 409 and place.board.tournament is None
    place.store._base.execute("PRAGMA query_only=OFF")
    assert place.client.post("/api/decide", json=DECISION).status_code == 200


def test_a_damaged_tournament_is_one_line(tmp_path):
    first = Place(tmp_path)
    first.store.keep("tournament", {"name": "x"})
    first.store.close()
    again = Place(tmp_path)
    assert again.board.tournament is None and "begin a new one" in again.said[0]


def test_one_device_follows_with_its_share_only():
    async def follow():
        feed, phone = Feed(), Client(Role.WATCHER, "1")
        streams = [feed.follow(phone) for _ in range(EACH_FOLLOWERS)]
        for stream in streams:
            await anext(stream)
        assert not feed.has_room(phone) and [each async for each in feed.follow(phone)] == []
        assert feed.has_room(Client(Role.WATCHER, "2"))
        own = feed.follow()
        assert await anext(own) == "{}"
        for stream in (*streams, own):
            await stream.aclose()
        assert feed.followers == 0 and feed.has_room(phone)

    asyncio.run(follow())


def test_a_table_takes_whatever_comes(monkeypatch):
    """What is signed, and what anybody may ask: an answer or one line."""
    rng, done = random.Random(34), []
    commands = Commands("x" * 32, CLUB.club, "t-1", A, lambda act: done.append(act) or {"ok": True})
    good = {"version": 1, "session": A, "id": "x", "at": NOW, "act": "overrule", "call": 1,
            "verdict": "card", "card": "hat", "seat": 1}  # fmt: skip
    refused = 0
    for number in range(PAYLOADS):
        payload = spoilt(rng, {**good, "id": f"x{number}"})
        try:
            payload = json.dumps(sign(read(dict, payload), "x" * 32, CLUB.club, "t-1")).encode()
            commands.command(payload, PageState(), NOW + number / 1000)
        except FairdealError:
            refused += 1
        for ask in ("ask", "available"):
            try:
                read_question(spoilt(rng, GOOD[ask]))
            except FairdealError as error:
                assert "\n" not in str(error)
    assert 0 < refused < PAYLOADS
