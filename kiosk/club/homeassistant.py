"""Home Assistant's discovery of a table: one message for the device and all its components.

Keys and templates are those of Home Assistant's documentation of MQTT discovery (device-based
payload: `device`, `origin`, `components`; a `platform` and a `unique_id` each).
"""

from __future__ import annotations

from typing import Any

from kiosk.club.payloads import CALL_KINDS
from kiosk.club.topics import ROOT, TableTopics

QOS = 1


def discovery(topics: TableTopics, software: str, press_code: str) -> dict[str, Any]:
    """The device message of a table. `press_code`: what its undo button sends, once."""
    key = f"{ROOT}_{topics.club}_{topics.table}"
    parts = {**_told(topics), **_asked(topics, press_code)}
    return {
        "device": {
            "identifiers": [key], "name": f"Table {topics.table}", "manufacturer": ROOT,
            "model": f"Card table of {topics.club}", "sw_version": software,
        },
        "origin": {"name": ROOT, "sw_version": software},
        "availability_topic": topics.of("available"),
        "availability_template": "{{ value_json.status }}",
        "qos": QOS,
        "components": {
            f"{key}_{name}": {**part, "unique_id": f"{key}_{name}"} for name, part in parts.items()
        },
    }  # fmt: skip


def _told(topics: TableTopics) -> dict[str, dict[str, Any]]:
    """What a table tells: calls, game, turn, evidence."""
    state = topics.of("state")
    return {
        "call": {
            "platform": "event", "name": "Call",
            "state_topic": topics.of("call/+"), "event_types": list(CALL_KINDS),
            "value_template":
                "{{ {'event_type': value_json.call, 'message': value_json.message,"
                " 'rule': value_json.rule, 'seat': value_json.seat,"
                " 'sure': value_json.sure, 'evidence': value_json.evidence} | to_json }}",
        },
        "game": {
            "platform": "sensor", "name": "Game", "state_topic": state,
            "value_template": "{{ value_json.game.title if value_json.game else 'no game' }}",
            "icon": "mdi:cards-playing",
        },
        "turn": {
            "platform": "sensor", "name": "Turn", "state_topic": state,
            "value_template": "{{ value_json.turn if value_json.turn else 'nobody' }}",
            "icon": "mdi:account-clock",
        },
        "evidence": {
            "platform": "image", "name": "Evidence",
            "image_topic": topics.of("picture"), "content_type": "image/jpeg",
        },
    }  # fmt: skip


def _asked(topics: TableTopics, press_code: str) -> dict[str, dict[str, Any]]:
    """What a table takes, and its version."""
    return {
        "undo": {
            "platform": "button", "name": "Undo", "command_topic": topics.of("button"),
            "payload_press": press_code, "icon": "mdi:undo", "retain": False,
        },
        "update": {
            "platform": "update", "name": "Version", "title": ROOT,
            "state_topic": topics.of("available"), "value_template": "{{ value_json.software }}",
            "latest_version_topic": newest_topic(topics.club),
            "latest_version_template": "{{ value_json.software }}",
            "entity_category": "diagnostic",
        },
    }  # fmt: skip


def newest_topic(club: str) -> str:
    """Where a board says which version is the newest among its tables (retained)."""
    return f"{ROOT}/{club}/newest"
