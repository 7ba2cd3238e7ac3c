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
    state = topics.of("state")
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
            f"{key}_call": {
                "platform": "event", "unique_id": f"{key}_call", "name": "Call",
                "state_topic": topics.of("call/+"), "event_types": list(CALL_KINDS),
                "value_template":
                    "{{ {'event_type': value_json.call, 'message': value_json.message,"
                    " 'rule': value_json.rule, 'seat': value_json.seat,"
                    " 'sure': value_json.sure, 'evidence': value_json.evidence} | to_json }}",
            },
            f"{key}_game": _sensor(
                f"{key}_game", "Game", state,
                "{{ value_json.game.title if value_json.game else 'no game' }}",
                "mdi:cards-playing",
            ),
            f"{key}_turn": _sensor(
                f"{key}_turn", "Turn", state,
                "{{ value_json.turn if value_json.turn else 'nobody' }}", "mdi:account-clock",
            ),
            f"{key}_evidence": {
                "platform": "image", "unique_id": f"{key}_evidence", "name": "Evidence",
                "image_topic": topics.of("picture"), "content_type": "image/jpeg",
            },
            f"{key}_undo": {
                "platform": "button", "unique_id": f"{key}_undo", "name": "Undo",
                "command_topic": topics.of("button"), "payload_press": press_code,
                "icon": "mdi:undo", "retain": False,
            },
            f"{key}_update": {
                "platform": "update", "unique_id": f"{key}_update", "name": "Version",
                "state_topic": topics.of("available"), "title": ROOT,
                "value_template": "{{ value_json.software }}",
                "latest_version_topic": newest_topic(topics.club),
                "latest_version_template": "{{ value_json.software }}",
                "entity_category": "diagnostic",
            },
        },
    }  # fmt: skip


def _sensor(key: str, name: str, topic: str, template: str, icon: str) -> dict[str, Any]:
    return {
        "platform": "sensor", "unique_id": key, "name": name, "state_topic": topic,
        "value_template": template, "icon": icon,
    }  # fmt: skip


def newest_topic(club: str) -> str:
    """Where a board says which version is the newest among its tables (retained)."""
    return f"{ROOT}/{club}/newest"
