"""The state of a table as its club reads it: checked key by key, for anybody may write there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kiosk.club.payloads import MOST_CALLS, number, one_of, optional, session_of, whole, words
from kiosk.club.topics import SESSION
from rules.errors import FairdealError

PHASES = ("idle", "playing", "over", "stopped")
MOST_ITEMS = 200  # lines, places, mistakes
MOST_SEATS = 99
MOST_SESSIONS = 5000


def read_state(found: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of a state that a board shows. Raises FairdealError for one that is damaged."""
    return {
        "session": session_of(found),
        "number": whole(found, "number", 0, 10**12),
        "sent": number(found, "sent", 0.0, 1e11),
        "phase": one_of(found, "phase", PHASES),
        "game": _game(found.get("game")),
        "at": number(found, "at", 0.0, 1e9),
        "turn": None if found.get("turn") is None else whole(found, "turn", 1, MOST_SEATS),
        "headline": words(found, "headline", 400),
        "lines": _items(found, "lines", lambda i: _texts(i, ("label", "text"))),
        "places": _items(found, "places", lambda i: _texts(i, ("place", "label", "text"))),
        "scores": _items(found, "scores", lambda i: {
            "seat": whole(i, "seat", 1, MOST_SEATS), **_texts(i, ("text",))
        }),
        "mistakes": _items(found, "mistakes", lambda i: _texts(i, ("rule",))),
        "lost": words(found, "lost", 400),
        "calls": whole(found, "calls", 0, MOST_CALLS),
        "open": _numbers(found, "open"),
        "withdrawn": _numbers(found, "withdrawn"),
        "result": _result(found.get("result")),
    }  # fmt: skip


def _game(value: Any) -> dict[str, Any] | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise FairdealError("a game", ascii(value)[:40])
    options = value.get("options", {})
    if not isinstance(options, dict) or len(options) > MOST_ITEMS:
        raise FairdealError("options of a game", ascii(options)[:40])
    return {
        "name": words(value, "name", 40), "title": words(value, "title", 80),
        "players": whole(value, "players", 1, MOST_SEATS),
        "options": {str(k)[:40]: str(v)[:40] for k, v in options.items()},
    }  # fmt: skip


def _items(
    found: Mapping[str, Any], key: str, read: Callable[[Mapping[str, Any]], dict[str, Any]]
) -> list[dict[str, Any]]:
    value = found.get(key)
    if not isinstance(value, list) or len(value) > MOST_ITEMS:
        raise FairdealError(f"{key} as a list of at most {MOST_ITEMS}", ascii(value)[:40])
    if not all(isinstance(item, dict) for item in value):
        raise FairdealError(f"{key} as a list of objects", ascii(value)[:40])
    return [read(item) for item in value]


def _texts(item: Mapping[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    return {key: optional(item, key, 400) or "" for key in keys}


def _numbers(found: Mapping[str, Any], key: str) -> list[int]:
    value = found.get(key)
    if not isinstance(value, list) or len(value) > MOST_ITEMS:
        raise FairdealError(f"{key} as a list of call numbers", ascii(value)[:40])
    return [whole({key: each}, key, 1, MOST_CALLS) for each in value]


def _result(value: Any) -> dict[str, Any] | None:
    if value is None:
        return None
    if not isinstance(value, dict) or not isinstance(value.get("tie"), bool):
        raise FairdealError("a result with winners and tie", ascii(value)[:40])
    seats = value.get("winners")
    if not isinstance(seats, list) or len(seats) > MOST_SEATS:
        raise FairdealError("winners as a list of seats", ascii(seats)[:40])
    return {
        "winners": [whole({"winners": each}, "winners", 1, MOST_SEATS) for each in seats],
        "tie": value["tie"],
    }


def read_sessions(found: Mapping[str, Any]) -> dict[str, int]:
    """How many calls each of a table's earlier sessions made. Raises FairdealError."""
    value = found.get("calls")
    if not isinstance(value, dict) or len(value) > MOST_SESSIONS:
        raise FairdealError("earlier sessions with their number of calls", ascii(value)[:40])
    return {
        session: whole(value, session, 0, MOST_CALLS)
        for session in value
        if SESSION.fullmatch(str(session))
    }
