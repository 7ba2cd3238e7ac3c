"""The discovery message against the schema that Home Assistant's documentation gives.

Sources: integrations/mqtt (device discovery payload, origin, birth message) and
integrations/{event,sensor,image,button,update}.mqtt on home-assistant.io: required and supported
keys of each platform.
"""

import json

import jinja2
import jsonschema
import pytest
from club_tables import hall, until

from kiosk.club.homeassistant import discovery, newest_topic
from kiosk.club.payloads import CALL_KINDS, Available, text_of
from kiosk.club.topics import BIRTH, TableTopics

TOPIC = {"type": "string", "pattern": r"^[^\s#]+$"}
PLAIN_TOPIC = {"type": "string", "pattern": r"^[^\s#+]+$"}
TEXT = {"type": "string"}
# What every platform takes (availability, names, icons), besides its own keys.
COMMON = {
    "platform": TEXT, "unique_id": {"type": "string", "minLength": 1}, "name": TEXT, "icon": TEXT,
    "availability_topic": TOPIC, "availability_template": TEXT, "enabled_by_default": {},
    "entity_category": {"enum": ["config", "diagnostic"]}, "json_attributes_topic": TOPIC,
    "json_attributes_template": TEXT, "object_id": TEXT, "default_entity_id": TEXT,
    "qos": {"enum": [0, 1, 2]}, "encoding": TEXT, "payload_available": TEXT,
    "payload_not_available": TEXT, "device_class": TEXT,
}  # fmt: skip
# Platform → (required keys, supported keys beyond the common ones).
PLATFORMS = {
    "event": (("state_topic", "event_types"), {
        "state_topic": TOPIC, "value_template": TEXT,
        "event_types": {"type": "array", "minItems": 1, "items": TEXT},
    }),
    "sensor": (("state_topic",), {
        "state_topic": TOPIC, "value_template": TEXT, "expire_after": {"type": "integer"},
        "force_update": {"type": "boolean"}, "unit_of_measurement": TEXT, "state_class": TEXT,
    }),
    "image": (("image_topic",), {
        "image_topic": TOPIC, "content_type": {"pattern": "^image/"}, "image_encoding": TEXT,
    }),
    "button": (("command_topic",), {
        "command_topic": PLAIN_TOPIC, "command_template": TEXT, "payload_press": TEXT,
        "retain": {"type": "boolean"},
    }),
    "update": ((), {
        "state_topic": TOPIC, "value_template": TEXT, "latest_version_topic": TOPIC,
        "latest_version_template": TEXT, "title": TEXT, "release_url": TEXT,
        "release_summary": TEXT, "command_topic": PLAIN_TOPIC, "payload_install": TEXT,
        "retain": {"type": "boolean"}, "entity_picture": TEXT,
    }),
}  # fmt: skip


def component(platform):
    required, own = PLATFORMS[platform]
    return {
        "type": "object", "additionalProperties": False,
        "required": ["platform", "unique_id", *required],
        "properties": {**COMMON, **own, "platform": {"const": platform}},
    }  # fmt: skip


SCHEMA = {
    "type": "object", "additionalProperties": False,
    "required": ["device", "origin", "components"],
    "properties": {
        "device": {
            "type": "object", "additionalProperties": False,
            "anyOf": [{"required": ["identifiers"]}, {"required": ["connections"]}],
            "properties": {
                key: {"type": ["string", "array"]} if key in ("identifiers", "connections")
                else TEXT
                for key in ("configuration_url", "connections", "hw_version", "identifiers",
                            "manufacturer", "model", "model_id", "name", "serial_number",
                            "suggested_area", "sw_version", "via_device")
            },
        },
        "origin": {
            "type": "object", "additionalProperties": False, "required": ["name"],
            "properties": {"name": TEXT, "sw_version": TEXT, "support_url": TEXT},
        },
        "components": {
            "type": "object", "minProperties": 1,
            "additionalProperties": {"oneOf": [component(name) for name in PLATFORMS]},
        },
        "availability_topic": TOPIC, "availability_template": TEXT, "state_topic": TOPIC,
        "command_topic": PLAIN_TOPIC, "qos": {"enum": [0, 1, 2]}, "encoding": TEXT,
    },
}  # fmt: skip
TOPICS = TableTopics("harbour", "table-1")


def parts():
    device = discovery(TOPICS, "0.1.0", "c" * 32)
    return {c["unique_id"].rpartition("_")[2]: c for c in device["components"].values()}


def test_the_message_keeps_to_the_documented_schema():
    device = discovery(TOPICS, "0.1.0", "c" * 32)
    jsonschema.validate(device, SCHEMA)
    platforms = sorted(each["platform"] for each in device["components"].values())
    assert platforms == ["button", "event", "image", "sensor", "sensor", "update"]
    unique = [each["unique_id"] for each in device["components"].values()]
    assert len(set(unique)) == len(unique)


@pytest.mark.parametrize("lacking", ["device", "origin", "components"])
def test_the_schema_itself_finds_what_is_missing(lacking):
    device = discovery(TOPICS, "0.1.0", "c" * 32)
    del device[lacking]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(device, SCHEMA)


def test_the_schema_itself_finds_a_wrong_component():
    device = discovery(TOPICS, "0.1.0", "c" * 32)
    del next(c for c in device["components"].values() if c["platform"] == "event")["event_types"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(device, SCHEMA)


def rendered(template, payload):
    """A template as Home Assistant renders it: `value_json`, and the filter `to_json`."""
    environment = jinja2.Environment(autoescape=False)
    environment.filters["to_json"] = json.dumps
    return environment.from_string(template).render(value_json=json.loads(payload))


def test_templates_render_to_what_the_platforms_expect():
    from test_club_outbox import call
    from test_room import state

    found = parts()
    event = json.loads(
        rendered(found["call"]["value_template"], text_of(call("a" * 16, 3).to_payload()))
    )
    assert event["event_type"] in found["call"]["event_types"] == list(CALL_KINDS)
    assert event["message"] == "call 3" and event["evidence"] == f"{'a' * 16}-3"
    game = {"name": "suds", "title": "Suds", "players": 2, "options": {}}
    assert rendered(found["game"]["value_template"], state(game=game)) == "Suds"
    assert rendered(found["game"]["value_template"], state()) == "no game"
    assert rendered(found["turn"]["value_template"], state(turn=2)) == "2"
    assert rendered(found["turn"]["value_template"], state()) == "nobody"
    who = text_of(Available("online", "a" * 16, 1.0, software="0.1.0").to_payload())
    device = discovery(TOPICS, "0.1.0", "c")
    assert rendered(device["availability_template"], who) == "online"
    assert rendered(found["update"]["value_template"], who) == "0.1.0"
    assert found["update"]["latest_version_topic"] == newest_topic("harbour")


@pytest.fixture
def club(tmp_path):
    with hall(tmp_path, speaks_ha=True) as here:
        yield here


def test_the_message_is_retained_and_comes_again_at_the_birth_message(club):
    topic = TOPICS.discovery()
    with club.ear(topic, user="homeassistant") as home, club.table() as table:
        table.begin()
        until(lambda: home.hear(), "the discovery message")
        home.say(BIRTH, b"online")
        until(lambda: len(home.hear()) == 2, "it again")
        home.say(BIRTH, b"offline")
        with club.ear(topic, user="homeassistant") as late:
            until(lambda: late.hear(), "the retained message")
            assert late.hear()[0].is_kept
        for message in home.hear():
            jsonschema.validate(json.loads(message.payload), SCHEMA)


def test_the_undo_button_works_once_with_each_code(club):
    topic, button = TOPICS.discovery(), TOPICS.of("button")
    with club.ear(topic, user="homeassistant") as home, club.table() as table:
        table.begin()
        until(lambda: home.hear(), "the discovery message")

        def code():
            device = json.loads(home.hear()[-1].payload)
            return next(
                c["payload_press"] for c in device["components"].values()
                if c["platform"] == "button"
            ).encode()  # fmt: skip

        first = code()
        home.say(button, b"PRESS")
        home.say(button, first)
        until(lambda: len(home.hear()) == 2, "a new code")
        home.say(button, first)
        home.say(button, code())
        until(lambda: len(home.hear()) == 3, "another new code")
        assert [press.button for press in table.inbox.take()] == ["undo", "undo"]


def test_a_club_that_does_not_speak_to_home_assistant_is_silent(tmp_path):
    with hall(tmp_path) as club, club.ear(TOPICS.discovery(), user="homeassistant") as home:
        with club.ear() as ear, club.table() as table:
            table.begin()
            until(lambda: ear.bodies("state"), "the state")
        assert home.hear() == []
