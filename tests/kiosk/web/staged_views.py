"""Every view of the page in prepared moments: long names, full tables, long words."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from busy_tables import CARD_PX, NAMES, BusyTable, busy_table

from rules.games import GAMES, game

CALM = {"mistake": False, "complete": False, "turn": True, "unsure": False}
LONG_LINE = (
    "camera usb:0 gave no picture for 12.5 s: expected frames of /dev/v4l/by-id/usb-046d_HD_Pro_"
    "Webcam_C920-video-index0, found none; plug it in again"
)

OFFER = {
    "/api/phone/offer": {
        "ok": True, "digits": "123456", "address": "https://192.168.178.123:8443/phone",
        "is_reached": False,
    }
}  # fmt: skip


@dataclass(frozen=True)
class View:
    """A view in a moment. `taps`: selectors tapped one after the other to open it; `there`: one
    that shows when it is open. `seats`: how many must be in sight."""

    name: str
    event: Any
    there: str
    picture: bytes = b""
    taps: tuple[str, ...] = ()
    answers: Mapping[str, Any] = field(default_factory=dict)
    path: str = ""
    seats: int = 0
    is_board: bool = False
    page: str = "index.html"
    cards: tuple[Mapping[str, Any], ...] = ()  # those on the picture, for the labels


ME = {"/api/me": {"role": "table", "may_act": True, "may_film": True, "is_late": False}}


AFTER = (".bar .menu", ".menu-grid button")  # back to the table, where the game is over


def play_views() -> list[View]:
    """The busiest table of each game, with four players and with as many as may play."""
    found = []
    for name in CARD_PX:
        for players in sorted({4, game(name).players[1]}):
            busy = busy_table(name, players)
            found.append(_play(f"play-{name}-{players}", busy.state, busy, seats=players))
    return found


def _play(
    name: str, state: dict[str, Any], busy: BusyTable, there: str = ".scores li", **more: Any
) -> View:
    answers = {**ME, **more.pop("answers", {})}
    cards = tuple(state["table"]["cards"])
    return View(name, state, there, busy.picture, answers=answers, cards=cards, **more)


def moment_views() -> list[View]:
    """What the play view shows and opens besides the call, on full tables."""
    return [*_said_views(), *_replay_views(), *_menu_views()]


def _said_views() -> list[View]:
    """What may be said in the place of the call, or above it."""
    busy, cat = busy_table("sooty", 4), busy_table("cat-in-the-hat", 4)
    state = busy.state
    lost = "The camera gives no picture: usb:0 gave none for 12.5 s. Its cable may be loose."
    tried = {**cat.state, "pairing": {"wrong": 4, "is_closed": True}}
    stopped = deepcopy(state)
    stopped["is_connected"] = False
    stopped["referee"] |= {"is_running": False, "why": LONG_LINE, "pause_s": 30, "tries": 3}
    over = {**state, "phase": "over", "is_connected": False, "questions": []}
    over["game"] = {**state["game"], "number": 2}
    asked = [
        _play(f"question-{what}", _asked(state, what), busy, ".question", seats=4)
        for what in ("is-it", "which", "table")
    ]
    return [
        *asked,
        _play("tried", tried, cat, ".tried", seats=4),
        _play("lost", {**cat.state, "lost": lost}, cat, seats=4),
        _play("stopped", stopped, busy, seats=4),
        _play("after", over, busy, ".after-game", answers=HISTORY, taps=AFTER),
        _play("why", cat.state, cat, "details[open]", taps=("summary",), seats=4),
    ]


def _replay_views() -> list[View]:
    """The replay of a call, and what people may say of it."""
    busy = busy_table("sooty", 4)
    call = next(each for each in reversed(busy.state["calls"]) if each["is_open"])
    evidence = {f"/api/evidence/{call['n']}": _evidence(call, busy.state), **KEEP}
    tap, say = ".hero .row > button", ".verdicts button:nth-child"
    return [
        _play(name, busy.state, busy, there, taps=taps, answers=evidence)
        for name, there, taps in (
            ("replay", ".strip img", (tap,)),
            ("replay-card", ".choice img", (tap, f"{say}(2)")),
            ("replay-seat", ".choice", (tap, f"{say}(3)")),
            ("replay-keep", ".keep .main", (tap, f"{say}(5)")),
        )
    ]


def _menu_views() -> list[View]:
    """What is one tap away: places, the menu and all that it opens."""
    busy, soda = busy_table("sooty", 4), busy_table("soda", 6)
    free = {**soda.state, "turn": None}
    filmed = {**busy.state, "phone": {"name": "Grandmother's telephone", "is_lost": True}}
    menu, entry = ".bar .menu", ".menu-grid button:nth-of-type"
    answers = {**PAIRING, **HISTORY, **HEALTH, **OFFER, "/api/learning": {"is_on": True}}
    return [
        _play("filmed", filmed, busy, ".filmed-by", seats=4),
        _play("which-seat", free, soda, "dialog[open]", taps=(".bar .buttons button",)),
        *(
            _play(name, busy.state, busy, there, taps=taps, answers=answers)
            for name, there, taps in (
                ("arranging", ".is-arranging", (".arrange",)),
                ("place", "dialog[open]", (".place",)),
                ("menu", ".menu-grid", (menu,)),
                ("history", ".games", (menu, f"{entry}(2)")),
                ("health", ".parts li", (menu, f"{entry}(3)")),
                ("pairing", ".digits", (menu, f"{entry}(8)")),
                ("phone-offer", ".phone-steps", (menu, f"{entry}(7)")),
            )
        ),
    ]


def label_views() -> list[View]:
    """The page on which a recording is labelled: an event, a call, a correction, the end."""
    busy = busy_table("sooty", 4)
    game_shown = busy.state["game"]
    call = busy.state["calls"][-1]
    placed = {"at": 1.0, "event": "placed", "card": call["card"], "place": call["place"], "seat": 4}
    said = {"at": 1.5, "call": "mistake", "message": call["message"]}
    shown = {
        "game": game_shown["title"],
        "players": 4,
        "faces": game_shown["faces"],
        "names": list(NAMES[:4]),
        "places": [each["place"] for each in busy.state["places"]],
        "times": [k / 10 for k in range(30)],
        "items": [
            {"n": 0, "line": placed, "suggested": None},
            {"n": 1, "line": said, "suggested": {"item": 1, "verdict": "right"}},
        ],
    }
    saved = {"ok": True, "file": "2026-11-23-200115-my-sooty-of-the-long-evening.json", "due": 12}
    right, wrong = ".acts button:nth-child(1)", ".acts button:nth-child(2)"
    return [
        View(
            f"label-{name}",
            None,
            there,
            busy.picture,
            taps,
            {"/api/label": answer},
            page="label.html",
        )
        for name, there, taps, answer in (
            ("event", ".label .words", (), shown),
            ("call", ".label .words", (), {**shown, "items": shown["items"][1:]}),
            ("correction", ".correction", (wrong,), shown),
            ("saved", ".label .note", (right,), {**shown, **saved}),
        )
    ]


def _evidence(call: dict[str, Any], state: dict[str, Any]) -> dict[str, Any]:
    cards = state["table"]["cards"]
    frames = [{"at": round(call["at"] - 2 + k / 4, 2), "cards": cards} for k in range(13)]
    return {"call": call, "rest": 8, "has_card": True, "sure": 0.62, "frames": frames}


def _asked(state: dict[str, Any], asked: str) -> dict[str, Any]:
    """The state with a question about its newest call."""
    found = deepcopy(state)
    call = {
        **found["calls"][-1],
        "call": "unsure",
        "is_open": False,
        "n": 90,
        "message": "I am not sure that I saw the Sooty 1 at seat 3, set 1. Please check.",
    }
    found["calls"] = [*({**each, "is_open": False} for each in found["calls"]), call]
    found["mistakes"], found["lamps"] = [], {**CALM, "unsure": True}
    faces = found["game"]["faces"]
    longest = sorted(faces, key=len)[-4:]
    card = None if asked == "which" else longest[-1]
    place = None if asked == "table" else found["places"][0]["place"]
    likely = longest[:3] if asked == "which" else []
    found["questions"] = [
        {"call": 90, "asked": asked, "place": place, "card": card, "likely": likely}
    ]
    return found


CONTENTS = {
    "seconds": 30,
    "pictures": 450,
    "megabytes": 41.2,
    "events": 12,
    "calls": 3,
    "deck": "my-sooty-of-the-long-evening",
    "width": 1920,
    "height": 1080,
}
KEEP: dict[str, Any] = {
    "/api/field/keep": {
        "ok": True,
        "names": list(NAMES[:4]),
        "pictures": 3,
        "part": CONTENTS,
        "whole": {**CONTENTS, "seconds": 3600, "megabytes": 4096.5},
    },
}
PAIRING: dict[str, Any] = {
    "/api/pair/code": {"ok": True, "digits": "480 216".replace(" ", ""), "life_s": 300},
    "/api/devices": {
        "devices": [
            {"number": k, "name": "Telephone of " + name, "role": "referee"}
            for k, name in enumerate(NAMES, 1)
        ],
        "tried": [{"address": "fd00::1234:5678:9abc:def0", "wrong": 5}],
    },
}
HISTORY: dict[str, Any] = {
    "/api/history": {
        "games": [
            {
                "number": k,
                "title": each.title,
                "players": 4,
                "began": 1_790_000_000 + 5000 * k,
                "seconds": 1234 + k,
                "is_ended": k % 2 == 0,
                "winners": [k % 4 + 1] if k % 3 else [],
                "overruled": k,
                "calls": 12 * k,
                "questions": k,
                "mistakes": {rule.id: 3 + n for n, rule in enumerate(each.rules[:7])},
                "mistakes_by_seat": {"1": 3, "2": 14, "3": 2, "4": 1},
                "filmed": 12,
                "recordings": ["20261124-200501-suds", "20261124-201502-suds"][: k % 3],
                "damage": "",
            }
            for k, each in enumerate(GAMES.values(), 1)
        ]
    }
}
HEALTH: dict[str, Any] = {
    "/api/health": {
        "parts": [
            {"name": "camera", "state": "bad", "words": LONG_LINE, "todo": "check its cable"},
            {
                "name": "referee",
                "state": "warn",
                "words": f"runs; it stopped before: {LONG_LINE}",
                "todo": "",
            },
            {"name": "lamps mqtt", "state": "good", "words": "work", "todo": ""},
            {
                "name": "calibration usb:046d-HD_Pro_Webcam_C920-0123456789",
                "state": "warn",
                "words": "a calibration of 2026-01-02 for another lens position",
                "todo": "fairdeal calibrate table",
            },
            *(
                {"name": name, "state": "good", "words": "0.0 GB free of 29.8", "todo": ""}
                for name in ("journal", "disk", "temperature", "power", "speed", "clock")
            ),
        ],
        "open_steps": ["camera", "table", "deck", "lamps", "trial", "check"],
        "said": [LONG_LINE] * 3,
        "errors": [{"when": 1_790_000_000, "line": LONG_LINE}],
        "figures": {
            "frames_per_s": 14.6,
            "work_ms": 57,
            "latency_ms": 143,
            "drops": 1234,
            "viewers": 3,
        },
    }
}
