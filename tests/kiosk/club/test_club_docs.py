"""The published examples and what tables really send keep to the published schema."""

import json
import re
from pathlib import Path

import jsonschema
import pytest
from club_tables import hall, until

from kiosk.club import payloads
from kiosk.club.board.room import Room
from kiosk.club.commands import make_command
from kiosk.club.payloads import Available, SentCall
from kiosk.club.signing import Gate
from kiosk.club.states import Sessions, TableState

DOCS = Path(__file__).parents[3] / "docs"
SCHEMA = json.loads((DOCS / "club.schema.json").read_text(encoding="utf-8"))
TEXT = (DOCS / "club.md").read_text(encoding="utf-8")
EXAMPLES = dict(re.findall(r"^`(\w+)`:\n\n```json\n(.*?)\n```", TEXT, re.MULTILINE | re.DOTALL))
EXAMPLE_TOKEN = "0" * 64


def check(leaf, body):
    """The body against the schema of what is published on that leaf."""
    schema = {**SCHEMA, "$ref": f"#/$defs/{leaf}"}
    jsonschema.Draft202012Validator(schema).validate(body)


def test_every_kind_of_payload_has_an_example():
    assert sorted(EXAMPLES) == sorted(SCHEMA["$defs"])


@pytest.mark.parametrize("leaf", sorted(EXAMPLES))
def test_an_example_keeps_to_its_schema(leaf):
    check(leaf, json.loads(EXAMPLES[leaf]))


@pytest.mark.parametrize("leaf", sorted(EXAMPLES))
def test_a_schema_refuses_another_version_and_unknown_keys(leaf):
    for change in ({"version": 2}, {"more": 1}):
        with pytest.raises(jsonschema.ValidationError):
            check(leaf, {**json.loads(EXAMPLES[leaf]), **change})


def test_a_board_reads_the_examples():
    data = {leaf: text.encode() for leaf, text in EXAMPLES.items()}
    call = payloads.read(SentCall, data["call"])
    assert json.loads(payloads.text_of(call.to_payload())) == json.loads(data["call"])
    assert payloads.read(TableState, data["state"]).calls == 3
    assert payloads.read(Sessions, data["sessions"]).calls == {"fbade626b74fd3b3": 14}
    who = payloads.read(Available, data["available"])
    assert json.loads(payloads.text_of(who.to_payload())) == json.loads(data["available"])
    room = Room("harbour", {})
    for leaf in ("available", "state", "sessions", "ask"):
        room.take(f"fairdeal/harbour/table-1/{leaf}", EXAMPLES[leaf].encode(), False, 1e9)
    room.take("fairdeal/harbour/table-1/call/1", EXAMPLES["call"].encode(), False, 1e9)
    assert len(room.effects.calls) == 1


def test_the_examples_signature_is_right():
    command = json.loads(EXAMPLES["cmd"])
    Gate(EXAMPLE_TOKEN, "harbour", "table-1", command["session"]).check(command, command["at"])


def test_our_own_commands_keep_to_the_schema():
    wish = {"act": "overrule", "call": 1, "verdict": "seat", "seat": 2}
    check("cmd", make_command("a" * 16, 1.0, EXAMPLE_TOKEN, "harbour", "table-1", wish))


def test_what_a_table_really_sends_keeps_to_the_schema(tmp_path):
    with hall(tmp_path) as club, club.ear() as ear:
        with club.table() as table:
            table.begin()
            for card, seat in (("hat", 1), ("socks", 2), ("t-shirt", 3)):
                table.place(card, 1, seat, sure=0.9 if seat == 2 else 1.0)
            until(lambda: [s for s in ear.bodies("state") if s["calls"]], "the state")
            asked = {"version": 1, "ask": "evidence", "session": table.link.session, "call": 1}
            ear.say("fairdeal/harbour/table-1/ask", asked)
            until(lambda: ear.bodies("evidence"), "an answer")
        until(lambda: ear.bodies("available")[-1]["status"] == "offline", "a goodbye")
        leaves = set()
        for message in ear.hear():
            leaf = message.topic.split("/")[3]
            leaves.add(leaf)
            check(leaf, json.loads(message.payload))
        assert leaves == {"available", "state", "sessions", "call", "ask", "evidence"}
