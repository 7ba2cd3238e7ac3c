"""The real server under attack: play goes on, the table's screen is served, the log stays short."""

import contextlib
import json
import random
import socket
import threading
import time
from collections import Counter

import pytest
from attacked_server import OPEN_FILES, STRANGER, WAIT_S, attacked_server, raw_request

MOST_LINES = 40  # of the log, after everything here
HALF_BODY = b"POST /api/pair HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{"
HALF_HEAD = b"GET / HTTP/1.1\r\nHost: local"
STREAM = "GET /api/events HTTP/1.1\r\nHost: localhost\r\nCookie: {}\r\n\r\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with attacked_server(tmp_path_factory.mktemp("page")) as found:
        yield found
        found.plays_on()
        log = found.lines()
        assert len(log) <= MOST_LINES and not any("Traceback" in line for line in log), log
        assert all(line.startswith("page: ") for line in log), log


@pytest.fixture(autouse=True)
def attack(server):
    """Each attack ends with a table that plays on, while the attacker still holds what it has."""
    yield
    server.plays_on()
    server.let_go()


def test_more_idle_connections_than_files_lock_nobody_out_and_cost_nothing(server):
    server.hold(700)
    assert len(server.held) > 2 * OPEN_FILES
    server.plays_on()
    began, used = time.monotonic(), server.processor_s()
    threading.Event().wait(1.0)  # the time that is measured
    assert server.processor_s() - used < 0.3 * (time.monotonic() - began)
    assert not any("Too many open files" in line for line in server.lines())


@pytest.mark.parametrize("sent", [HALF_BODY, HALF_HEAD])
def test_half_sent_requests_of_one_address_lock_nobody_out(server, sent):
    server.hold(450, sent)
    assert server.ask("GET", "/api/me", host="127.0.0.3")[0] == 200
    assert server.ask("GET", "/api/state")[0] == 200


def test_streams_of_one_watcher_leave_the_table_its_own(server):
    digits = server.ask("POST", "/api/pair/code", '{"role": "watcher"}')[1]["digits"]
    paired = server.ask("POST", "/api/pair", json.dumps({"digits": digits}), "127.0.0.4")
    cookie = paired[2]["set-cookie"].split(";")[0]
    statuses = Counter()
    for number in range(120):
        (stream,) = server.hold(1, STREAM.format(cookie).encode(), f"127.0.1.{number // 10}")
        status = stream.recv(12)[-3:]
        statuses[status] += 1
        if status == b"429":
            stream.close()
    assert statuses == {b"200": 8, b"429": 112}
    (own,) = server.hold(1, STREAM.format("").encode(), "127.0.0.1")
    told = b""
    while told.count(b"event: state") < 3:
        told += own.recv(1 << 16)


def test_overrulings_at_once_are_each_answered(server):
    answers, lock = [], threading.Lock()
    faces = server.ask("GET", "/api/state")[1]["game"]["faces"][:12]

    def overrule(face):
        wish = json.dumps({"call": 1, "verdict": "card", "card": face})
        found = server.ask("POST", "/api/overrule", wish)
        with lock:
            answers.append(found[:2])

    threads = [threading.Thread(target=overrule, args=(face,)) for face in faces]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == len(faces) > 3 and all(status == 200 for status, _ in answers), answers


@pytest.mark.parametrize("number", ["1e309", "9" * 5000, "-1", "1e400", "NaN", "true", "7201"])
def test_no_number_ends_the_page(server, number):
    answer = server.ask("POST", "/api/sounds", f'{{"mute_s": {number}}}')
    assert answer[0] == 400 and answer[1]["message"].startswith("expected")
    assert server.ask("POST", "/api/sounds", '{"mute_s": 0}')[0] == 200


def test_no_digits_of_an_unpaired_phone_end_a_request(server):
    for digits in ('"\\ud800"', '"' + "1" * 5000 + '"', "1e309", "null", '"\\u0000"'):
        answer = server.ask("POST", "/api/pair", f'{{"digits": {digits}}}', STRANGER)
        assert answer[0] in (400, 403), answer


def test_wrong_digits_of_one_phone_block_no_other(server):
    digits = server.ask("POST", "/api/pair/code", "{}")[1]["digits"]
    wrong = json.dumps({"digits": "000000" if digits != "000000" else "111111"})
    for _ in range(15):
        assert server.ask("POST", "/api/pair", wrong, "127.0.2.1")[0] == 403
    assert server.ask("GET", "/api/state")[1]["pairing"]["wrong"] == 5
    assert server.ask("POST", "/api/pair", json.dumps({"digits": digits}), "127.0.2.2")[0] == 200


def test_bodies_that_break_off_are_a_line_at_most(server):
    before = len(server.lines())
    for _ in range(20):
        for one in server.hold(20, HALF_BODY.replace(b"pair", b"press"), "127.0.0.1"):
            one.close()
        server.plays_on()
    assert len(server.lines()) <= before + 2


@pytest.mark.parametrize("seed", range(3))
def test_no_bytes_bring_a_500_or_end_the_page(server, seed):
    rng = random.Random(seed)
    numbers = ("1", "0", "-1", "9" * 300, "9" * 5000, "card", "..", "%2e%2e", "%00", "\xe9", "٣")
    paths = [
        path.replace("N", rng.choice(numbers)).replace("M", rng.choice(numbers))
        for path in PATHS for _ in range(3)
    ]  # fmt: skip
    statuses = Counter()
    for _ in range(600):
        sent = raw_request(rng, paths, BODIES)
        statuses[answered(server.port, sent)] += 1
    assert not any(status.startswith(b"5") for status in statuses), statuses
    assert statuses[b"200"] and statuses[b"400"] and statuses[b"421"], statuses


def answered(port, sent):
    """The status that some bytes bring; empty where the server waits for more, or hangs up."""
    with socket.create_connection(("127.0.0.1", port), WAIT_S) as link:
        link.sendall(sent)
        with contextlib.suppress(OSError):
            link.shutdown(socket.SHUT_WR)
        try:
            return link.recv(64)[9:12]
        except ConnectionError:
            return b""


PATHS = [
    "/", "/pair", "/api/state", "/api/picture.jpg", "/api/press", "/api/overrule", "/api/look",
    "/api/settle", "/api/places", "/api/sounds", "/api/record",
    "/api/field/keep", "/api/field/report", "/api/field/pictures/N.jpg",
    "/api/field/reports/M.fairdeal",
    "/api/evidence/N", "/api/evidence/N/M.jpg",
    "/api/faces/M.jpg", "/api/me", "/api/pair", "/api/pair/code", "/api/pair/qr.svg?digits=N",
    "/api/devices", "/api/devices/N", "/api/setup", "/api/games", "/api/games/current",
    "/api/first-hour", "/api/first-hour/order", "/api/first-hour/photographs/M/N",
    "/api/first-hour/photographs/M/N.jpg", "/api/first-hour/pictures/M.jpg", "/api/health",
    "/api/history", "/api/history/N.jsonl", "/api/history/N.webm", "/static/M", "/static/js/M",
    "//", "*", "/api/../N", "http://evil.example/api/state",
]  # fmt: skip
BODIES = [
    b"", b"{}", b"[", b"[" * 9000, b"\xff\xfe", b"null", b'{"button": "undo"}', b'{"call": 1}',
    b'{"button": "\\ud800"}', b'{"mute_s": 1e309}', b'{"mute_s": ' + b"9" * 5000 + b"}",
    b'{"place": "pile/1", "at": [true, false]}', b'{"place": "pile/1", "at": [1e-400, 0.5]}',
    b'{"call": 1, "verdict": "card", "card": "hat"}', b'{"call": -1, "verdict": "seat"}',
    b'{"digits": "\\ud800"}', b'{"digits": "000000", "name": "\\u0000"}', b'{"role": "table"}',
    b'{"game": "suds", "players": 1e9, "deck": "suds"}', b'{"order": "corners", "corners": [[]]}',
    b"\x00" * 500, b'{"a": ' * 3000, b"5\r\n{}   \r\n0\r\n\r\n",
]  # fmt: skip


def test_what_is_refused_beyond_doubt_stays_refused(server):
    """Host, origin, token, forwarded headers: no trick makes a stranger the table."""
    for headers, status in (
        ({"Host": "evil.example"}, 421), ({"X-Forwarded-For": "127.0.0.1"}, 401),
        ({"Forwarded": "for=127.0.0.1"}, 401), ({"X-Real-IP": "127.0.0.1"}, 401),
        ({"Authorization": "Bearer \xff"}, 401), ({"Cookie": "fairdeal_token=x"}, 401),
    ):  # fmt: skip
        assert server.ask("GET", "/api/state", None, STRANGER, headers)[0] == status, headers
    for headers in ({"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        assert server.ask("POST", "/api/sounds", '{"mute_s": 0}', headers=headers)[0] == 403
