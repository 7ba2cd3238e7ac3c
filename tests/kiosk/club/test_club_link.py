"""A table at a real broker: what it publishes, obeys, survives and refuses."""

import time

import pytest
from club_tables import hall, until
from patience import PATIENCE_S

from kiosk.club.claim import ClaimTimes, Stand
from kiosk.club.commands import make_command
from kiosk.club.link import ClubLink, LinkTimes
from kiosk.club.topics import TableTopics


@pytest.fixture
def club(tmp_path):
    with hall(tmp_path) as here:
        yield here


def topics(club, table="table-1"):
    return TableTopics(club.club.name, table)


def online(ear):
    return until(
        lambda: [b for b in ear.bodies("available") if b["status"] == "online"], "a table online"
    )


def send(club, ear, table, **wish):
    """A signed command; the command's body."""
    token, name = club.club.tokens["table-1"], club.club.name
    body = make_command(table.link.session, time.time(), token, name, "table-1", wish)
    ear.say(topics(club).of("cmd"), body)
    return body


def answer(ear, body):
    found = until(lambda: ear.bodies(f"answer/{body['id']}"), "an answer")
    return found[0]


def test_calls_and_state_are_published_in_order_and_the_table_leaves_offline(club):
    with club.ear() as ear:
        with club.table() as table:
            table.begin()
            for card, seat in (("hat", 1), ("socks", 2), ("t-shirt", 3)):
                table.place(card, 1, seat)
            until(lambda: [s for s in ear.bodies("state") if s["calls"] == 1], "the state")
            (call,) = ear.bodies("call")
            assert (call["n"], call["call"], call["seat"]) == (1, "mistake", 2)
            assert call["session"] == table.link.session
        until(lambda: ear.bodies("available")[-1]["status"] == "offline", "a goodbye")
    with club.ear(topics(club).of("state")) as late:
        until(lambda: late.bodies("state"), "the retained state")
    assert club.said == []


def test_a_killed_table_is_offline_by_its_last_will(club):
    with club.ear() as ear, club.table() as table:
        table.begin()
        online(ear)
        table.link._broker._client.socket().shutdown(2)
        until(lambda: ear.bodies("available")[-1]["status"] == "offline", "the last will")
        until(lambda: ear.bodies("available")[-1]["status"] == "online", "the table again")


def test_a_signed_undo_is_obeyed_once_and_answered(club):
    with club.ear() as ear, club.table() as table:
        table.begin()
        online(ear)
        body = send(club, ear, table, act="undo")
        assert answer(ear, body)["ok"]
        for _ in range(3):
            ear.say(topics(club).of("cmd"), body)  # a replay
        until(lambda: len(ear.bodies(f"answer/{body['id']}")) == 4, "the same answers")
        assert [press.button for press in table.inbox.take()] == ["undo"]


def test_what_is_not_signed_is_refused_with_an_answer(club):
    with club.ear() as ear, club.table() as table:
        table.begin()
        online(ear)
        body = {**make_command(table.link.session, time.time(), "x" * 64, "harbour", "table-1",
                               {"act": "start"})}  # fmt: skip
        ear.say(topics(club).of("cmd"), body)
        refused = answer(ear, body)
        assert not refused["ok"] and "signed with this table's token" in refused["message"]
        assert table.inbox.take() == ()


def test_an_overruling_is_answered_once_the_game_was_judged_again(club):
    with club.ear() as ear, club.table() as table:
        table.begin()
        table.place("hat", 1, 1)
        table.place("socks", 1, 2)
        until(lambda: ear.bodies("call"), "the call")
        body = send(club, ear, table, act="overrule", call=1, verdict="card", card="t-shirt")

        def judged_again():
            table.obey()
            return ear.bodies(f"answer/{body['id']}")

        assert until(judged_again, "an answer")[0] == {
            "version": 1, "id": body["id"], "ok": True, "changed": 0,
        }  # fmt: skip
        until(lambda: ear.bodies("state")[-1]["withdrawn"] == [1], "the withdrawn call")


def test_a_broker_that_was_away_gets_all_calls_in_order_and_once(club):
    with club.table() as table:
        table.begin()
        with club.ear() as ear:
            online(ear)
        club.broker.kill()
        for seat in (1, 2, 3):
            table.place("socks", seat, seat)
        club.broker.start()
        with club.ear() as ear:
            until(lambda: len(ear.bodies("call")) == 3, "three calls")
            assert [call["n"] for call in ear.bodies("call")] == [1, 2, 3]
            until(lambda: ear.bodies("state"), "the state, though the broker forgot it")


def test_calls_of_a_game_that_ended_without_a_broker_come_with_the_next_one(club):
    club.broker.stop()
    with club.table() as table:
        table.begin()
        table.place("socks", 1, 1)
        first = table.link.session
    club.broker.start()
    with club.ear() as ear, club.table():
        until(lambda: ear.bodies("call"), "the call of the game before")
        assert ear.bodies("call")[0]["session"] == first
        until(lambda: ear.bodies("sessions"), "the earlier sessions")
        assert ear.bodies("sessions")[-1]["calls"] == {first: 1}


def test_a_board_may_ask_for_calls_again(club):
    with club.ear() as ear, club.table() as table:
        table.begin()
        for pile in (1, 2, 3):
            table.place("socks", pile, 1)
        until(lambda: len(ear.bodies("call")) == 3, "the calls")
        asked = {"version": 1, "ask": "calls", "session": table.link.session, "from": 2, "to": 3}
        ear.say(topics(club).of("ask"), asked)
        until(lambda: [c["n"] for c in ear.bodies("call")] == [1, 2, 3, 2, 3], "two of them again")


def test_a_second_table_of_the_name_is_refused_with_both_addresses(club):
    with club.ear() as ear, club.table() as first:
        first.begin()
        online(ear)
        with club.table(key="other") as second:
            second.begin()
            until(lambda: club.said, "a line")
            assert club.said[0].count("127.0.0.1 (") == 2 and "rename one" in club.said[0]
            second.place("socks", 1, 1)
            first.place("socks", 1, 1)
            until(lambda: ear.bodies("call"), "the first one's call")
        sessions = {body["session"] for body in ear.bodies("call")}
        assert sessions == {first.link.session}
        assert ear.bodies("available")[-1]["session"] == first.link.session
    with club.ear() as ear, club.table(key="other"):
        until(lambda: ear.bodies("call"), "the second one's call, once the name is free")


def test_rubbish_is_one_line_for_each_topic_and_the_game_goes_on(club):
    with club.ear() as ear:
        for leaf in ("cmd", "ask"):
            ear.say(topics(club).of(leaf), b"\x00rubbish", is_kept=True)
        with club.table() as table:
            table.begin()
            online(ear)
            for data in (b"{", b"[]", b"\xff\xfe", b'{"version":7}', b"[" * 9000, b'{"version":1}'):
                for leaf in ("cmd", "ask", "available"):
                    ear.say(topics(club).of(leaf), data)
            table.place("socks", 1, 1)
            until(lambda: ear.bodies("call"), "the call")
    leaves = sorted(line.split(":")[1].rpartition("/")[2] for line in club.said)
    assert leaves == ["ask", "available", "cmd"]
    assert all("expected" in line and "\n" not in line for line in club.said)


def test_a_wrong_password_is_said_once_and_shows_no_secret(club):
    path = club.folder / "table-1.toml"
    path.write_text(path.read_text().replace(club.club.passwords["table-1"], "wrong-sesame"))
    with club.table() as table:
        table.begin()
        until(lambda: club.said, "a line")
    assert len(club.said) == 1
    assert "let in" in club.said[0] and "sesame" not in club.said[0]


def test_a_table_may_only_speak_for_itself(club):
    with club.ear() as ear, club.ear(user="table-2") as thief:
        thief.say(topics(club, "table-1").of("call/1"), b"{}")
        thief.say(topics(club, "table-2").of("call/1"), b"{}")
        until(lambda: [m for m in ear.hear() if "table-2" in m.topic], "its own call")
        assert [m for m in ear.hear() if "table-1" in m.topic] == []


def test_a_broker_that_hangs_does_not_hold_the_game_up(club):
    with club.ear() as ear, club.table() as table:
        table.begin()
        online(ear)
        club.broker.pause(True)
        for k in range(200):
            table.place("socks", k % 3 + 1, 1)
        assert table.session.judged.at == 201.0  # the game is at its last event
        club.broker.pause(False)
        until(lambda: len({c["n"] for c in ear.bodies("call")}) >= 200, "all calls")


def test_a_table_whose_name_is_not_its_own_yet_ends_at_once(club):
    """It has said nothing, so there is no answer to wait for."""
    times = LinkTimes(goodbye_s=3600.0, join_s=PATIENCE_S, claim=ClaimTimes(listen_s=3600.0))
    link = ClubLink(club.file("table-1"), club.folder / "own", lambda body: {}, print, times)
    with link:
        until(lambda: link._talk._claim.stand is Stand.ASKING, "a question for the name")
    assert not link._thread.is_alive()
