"""The start screen, the pairing of a phone and the steps of the set-up in prepared moments."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

from busy_tables import CARD_PX, NAMES, busy_table
from staged_views import HISTORY, LONG_LINE, ME, View

from calibration.finding import Finding, Verdict
from device.settings import DeviceSettings
from kiosk.tablecheck.acts import Act
from kiosk.web.first_hour import lamps_step
from kiosk.web.first_hour.deck_step import faces_of
from kiosk.web.first_hour.steps import (
    AskedShown,
    CardOnSheet,
    CheckShown,
    DeckShown,
    FaceShown,
    HourState,
    Mark,
    Meter,
    SheetShown,
    Standing,
    Step,
    TableShown,
    TossShown,
    TrialShown,
    Work,
)
from kiosk.web.setup import TableSetup, offered, usual_seats
from rules.games import GAMES, game

CAMERAS = {
    "/api/phone": {
        "can_film": True, "fault": "", "is_phone": True, "phone": None,
        "own": "/dev/v4l/by-id/usb-046d_HD_Pro_Webcam_C920-video-index0",
    }
}  # fmt: skip


def start_views() -> list[View]:
    """The start screen with each game's options, seated and being seated; the phone's pairing."""
    idle = idle_state()
    found = []
    for name in CARD_PX:
        players = game(name).players[1]
        found.append(
            View(
                f"start-{name}",
                idle,
                ".start",
                answers={**ME, "/api/setup": on_offer(name, players), **CAMERAS},
            )
        )
    seating = {**ME, "/api/setup": on_offer("cat-in-the-hat", 6)}
    refused = {**seating, "/api/games": {"ok": False, "message": LONG_LINE}}
    first = {**ME, "/api/setup": {**on_offer("suds", 4), "last": None, "is_set_up": False}}
    nobody = {
        "/api/me": {"role": "nobody", "may_act": False},
        "/api/pair": {"ok": False, "message": LONG_LINE},
    }
    over = {**busy_table("sooty", 4).state, "phase": "over", "is_connected": False}
    over["game"] = {**over["game"], "number": 2}
    return [
        *found,
        View("start-after", over, ".start .after-game", answers={**seating, **HISTORY, **CAMERAS}),
        View("start-first", idle, ".start", answers=first),
        View(
            "start-seating",
            idle,
            ".is-seating",
            answers=seating,
            taps=(".drawn-table + .row button", ".side-top"),
        ),
        View("start-refused", idle, ".bad", answers=refused, taps=(".start-now button",)),
        View("film", idle, ".film-panel .main", answers=ME, path="phone"),
        View("pair-phone", idle, ".pane .bad", answers=nobody, path="pair", taps=(".pane button",)),
    ]


def idle_state() -> dict[str, Any]:
    """No game yet."""
    state = deepcopy(busy_table("suds", 4).state)
    empty: dict[str, Any] = {"calls": [], "places": [], "scores": [], "lines": [], "mistakes": []}
    return {**state, **empty, "game": None, "is_connected": False, "phase": "idle", "referee": None}


def on_offer(name: str, players: int) -> dict[str, Any]:
    """What the server offers (kiosk/web/starting.py): the last game with long names, own decks."""
    seats = usual_seats("")
    deck = game(name).deck
    last = TableSetup(name, players, deck, tuple(seats[str(players)]), {}, NAMES[:players])
    found = offered(Path("/nowhere"), last)
    own = [
        {
            "path": f"/x/{k}",
            "name": f"my-{name}-of-the-long-evening-{k}",
            "game": name,
            "kind": "own",
        }
        for k in (1, 2)
    ]
    return {
        **found,
        "decks": [*found["decks"], *own],
        "can_start": True,
        "is_running": False,
        "said": [],
        "seats": seats,
        "is_set_up": True,
    }


STOOD = {step: Standing(Mark.PASSED, "measured", "2026-11-20T20:15:00") for step in Step}
METER = Meter(0.11, 0.31, 0.12, 61.0, 70.0, 190.0)
FINDINGS = (
    Finding("exposure", Verdict.GOOD, "locked at 1/60 s"),
    Finding("focus", Verdict.WARN, LONG_LINE, "turn the lens until the bar is past its mark"),
    Finding(
        "light", Verdict.BAD, "too dark for a short exposure", "switch on a lamp above the table"
    ),
)


DECK = DeckShown(
    "dirty-laundry",
    "dirty-laundry",
    "my-dirty-laundry-of-the-long-evening",
    tuple(
        FaceShown(
            face, k % 5 and 1, "" if k % 4 else "photograph both cards again: two cards look alike"
        )
        for k, face in enumerate(faces_of("dirty-laundry"))
    ),
)
LONGEST = max(faces_of("dirty-laundry"), key=len)


def hour_views() -> list[View]:
    """Each step of the set-up, at work, done and failed."""
    busy = busy_table("dirty-laundry", 6)
    offered_here = {
        "can_set_up": True,
        "is_running": True,
        "said": [],
        "steps": [],
        "ok": True,
        "games": [
            {"name": name, "title": each.title, "faces": len(faces_of(name))}
            for name, each in GAMES.items()
        ],
        "decks": on_offer("dirty-laundry", 6)["decks"],
    }
    moments = {**_camera_and_table(), **_deck(), **_lamps_and_trial(busy.state), **_check()}
    return [
        View(
            f"hour-{name}",
            {**idle_state(), "first_hour": _plain(moment)},
            ".hour-side h1",
            busy.picture,
            answers={**ME, "/api/first-hour": offered_here},
            taps=TAPS.get(name, ()),
        )
        for name, moment in moments.items()
    ]


def _camera_and_table() -> dict[str, HourState]:
    mat = TableShown(12, "A3", 900.0, 600.0)
    at_camera, at_table = (
        HourState(step=Step.CAMERA, meter=METER),
        HourState(step=Step.TABLE),
    )
    checked = replace(at_camera, steps=STOOD, findings=FINDINGS, words=(LONG_LINE,) * 3)
    return {
        "camera": at_camera,
        "camera-checked": replace(checked, message=LONG_LINE, is_bad=True),
        "camera-lens": replace(at_camera, work=Work.TEACHING, progress=0.4),
        "table-mat": replace(at_table, table=mat),
        "table-corners": replace(at_table, message=LONG_LINE, is_bad=True),
        "table-proof": replace(at_table, steps=STOOD, table=replace(mat, proof=1)),
        "lost": replace(at_table, lost=LONG_LINE),
    }


# What is tapped before a moment is there.
TAPS = {
    "deck-sheet": (".sheets button",),
    "deck-edges": (".sheets button", ".cards-named li button"),
}


def _rows() -> SheetShown:
    """A photograph of nine cards: one without a name, one name twice."""
    faces = sorted(faces_of("dirty-laundry"))[:7]
    cards = []
    for k, face in enumerate((*faces, faces[0], "")):
        x, y = 0.1 + 0.3 * (k % 3), 0.06 + 0.31 * (k // 3)
        corners = ((x, y), (x + 0.2, y), (x + 0.2, y + 0.26), (x, y + 0.26))
        cards.append(CardOnSheet(corners, face, "" if face else "something that may be none"))
    return SheetShown(1, (1600, 1200), tuple(cards))


def _deck() -> dict[str, HourState]:
    quad = ((0.4, 0.4), (0.5, 0.4), (0.5, 0.6), (0.4, 0.6))
    asked = replace(DECK, asked=LONGEST, hint=LONG_LINE, quad=quad)
    rows = replace(DECK, sheets=(_rows(), replace(_rows(), number=2)))
    place = ((0.2, 0.15), (0.75, 0.2), (0.7, 0.85), (0.22, 0.8))
    doubt = AskedShown(LONGEST, LONGEST, "crowded", 1, (600, 800), (place, place), ((), ()))
    doubtful = replace(DECK, doubtful=(doubt, replace(doubt, name="x")))
    twins = (("socks", LONGEST, 0.97), ("hat", "pants", 0.81))
    return {
        "deck-rows": HourState(step=Step.DECK, deck=rows),
        "deck-finding": HourState(step=Step.DECK, deck=rows, work=Work.MEASURING, progress=0.5),
        "deck-sheet": HourState(step=Step.DECK, deck=rows, message=LONG_LINE, is_bad=True),
        "deck-edges": HourState(step=Step.DECK, deck=rows),
        "deck-doubtful": HourState(step=Step.DECK, deck=doubtful),
        "deck-alike": HourState(step=Step.DECK, deck=replace(DECK, alike=twins)),
        "deck": HourState(step=Step.DECK, deck=replace(DECK, name="", faces=())),
        "deck-asked": HourState(step=Step.DECK, work=Work.TEACHING, progress=0.3, deck=asked),
        "deck-taught": HourState(step=Step.DECK, deck=DECK, message=LONG_LINE, is_bad=True),
    }


def _lamps_and_trial(state: dict[str, Any]) -> dict[str, HourState]:
    lamps = lamps_step.shown(DeviceSettings(), ("mqtt", "serial"))
    signals = tuple(replace(one, is_played=True) for one in lamps.signals)
    played = replace(lamps, signals=signals, playing="mistake", faults=(LONG_LINE,))
    calls = (("mistake", state["calls"][-1]["message"]), ("unsure", LONG_LINE))
    toss = TossShown(LONGEST, "seat/4/hand-wash/garments", 0.43, calls, 1)
    trial = TrialShown("dirty-laundry", "x/" + DECK.name)
    at_work = HourState(work=Work.PLAYING, steps=STOOD)
    return {
        "lamps": HourState(step=Step.LAMPS, lamps=lamps),
        "lamps-playing": replace(at_work, step=Step.LAMPS, lamps=played),
        "trial": HourState(step=Step.TRIAL, steps=STOOD, trial=trial),
        "trial-toss": replace(at_work, step=Step.TRIAL, trial=replace(trial, toss=toss)),
    }


def _check() -> dict[str, HourState]:
    """What is asked, and a table on which everything is wrong."""
    every = tuple(
        {"topic": topic, "case": case, "state": state, "measured": 123.4, "needed": 87.6,
         "where": ["upper left", "lower middle"]}
        for topic, case, state in (
            ("light", "good", "good"), ("glare", "bad", "bad"), ("exposure", "lamp", "bad"),
            ("cloth", "faint", "warn"), ("focus", "bad", "warn"), ("stand", "bad", "bad"),
        )
    )  # fmt: skip
    acts = tuple(str(act) for act in Act)
    asked = CheckShown("fan", 4, len(acts), 17)
    ended = CheckShown(result="bad", findings=every, unseen=acts[3:])
    at_work = HourState(step=Step.CHECK, steps=STOOD, work=Work.PLAYING, progress=0.5)
    return {
        "check": HourState(step=Step.CHECK, steps=STOOD),
        "check-asked": replace(at_work, check=asked),
        "check-ended": HourState(step=Step.CHECK, steps=STOOD, check=ended),
    }


def _plain(moment: HourState) -> dict[str, Any]:
    return replace(moment, size=(1280, 720), source="usb:0").to_json()
