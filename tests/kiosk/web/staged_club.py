"""The club's board in prepared moments: full tables, long names, calls that wait, a tournament."""

from __future__ import annotations

from typing import Any

from busy_tables import CARD_PX, NAMES, busy_table
from staged_views import LONG_LINE, ME, PAIRING, View

from kiosk.club.board.board import shown
from kiosk.club.board.table import Rival, TableSeen
from kiosk.club.board.tournament import (
    Kind,
    Result,
    Tournament,
    Wish,
    make,
    next_round,
    with_result,
)
from kiosk.club.payloads import Available, SentCall, read, text_of
from kiosk.club.states import TableState
from rules.games import game

SESSION = "0123456789abcdef"
HERE = Available("online", SESSION, 0.0, "192.168.178.123", "fairdeal-in-the-garden-house")
PLAYERS = (*NAMES, *(f"{name[:22]} {k}" for k in (1, 2) for name in NAMES))


def club_views() -> list[View]:
    """The board's tables, a table, a call to be decided, the tournament, the menu, the pairing."""
    board = {
        "club": {"name": "the long evening's card club", "is_connected": True, "delay_s": 30},
        **_tables(),
        "tournament": None,
    }
    playing = shown(_tournament())
    contest = {**board, "tournament": playing}
    away = {**board, "club": {**board["club"], "is_connected": False}}
    empty = {"club": board["club"], "tournament": None}
    late = {"/api/me": {"role": "watcher", "may_act": False, "is_late": True}}
    busy = busy_table("sooty", 4)
    call = board["table/table-2"]["waiting"][0]
    evidence = {
        f"/api/evidence/table-2/{SESSION}/{call}": {
            "rest": 8,
            "frames": [{"at": k / 4, "cards": busy.state["table"]["cards"]} for k in range(13)],
        },
        "/api/games/sooty": {"faces": busy.state["game"]["faces"]},
    }
    waits = ".waiting li:nth-child(2) button"
    moments: dict[str, tuple[Any, str, tuple[str, ...], dict[str, Any], str]] = {
        "tables": (board, ".waiting", (), {}, ""),
        "tables-away": (away, ".pill.bad", (), {}, ""),
        "tables-empty": (empty, ".calm", (), {}, ""),
        "tables-late": (board, ".tables", (), late, ""),
        "table": (board, ".call-list", ("[data-table=table-2] h2 button",), {}, ""),
        "decision": (board, ".strip img", (waits,), evidence, ""),
        "decision-card": (board, ".choice img", (waits, "dialog .main + button"), evidence, ""),
        "decision-seat": (
            board,
            "dialog h3",
            (waits, "dialog .main ~ button:nth-child(3)"),
            evidence,
            "",
        ),
        "contest": (contest, ".pairings", (), {}, "#tournament"),
        "contest-result": (contest, "dialog[open]", (".pairings button",), {}, "#tournament"),
        "contest-end": (contest, "dialog[open]", (".contest .row button",), {}, "#tournament"),
        "contest-form": (board, ".form", (), {}, "#tournament"),
        "menu": (board, "dialog[open]", (".club-top button:last-child",), {}, ""),
        "pairing": (
            board,
            ".digits",
            (".club-top button:last-child", "dialog .row button"),
            PAIRING,
            "",
        ),
    }
    return [
        View(
            f"club-{name}", event, there, busy.picture, taps, {**ME, **answers}, path, is_board=True
        )
        for name, (event, there, taps, answers, path) in moments.items()
    ]


def _tables() -> dict[str, Any]:
    """A table of each game, with all that a board may have to say of one; one that is away."""
    found: dict[str, Any] = {}
    for number, name in enumerate(CARD_PX, 1):
        players = game(name).players[1]
        more: dict[str, Any] = {}
        if number == 2:
            more = {"lost": LONG_LINE}
        if number == 3:
            more = {"result": {"winners": [1, 2], "tie": False}}
        seen = _seen(f"table-{number}", name, players, more)
        if number == 2:
            seen.rival = Rival(HERE, 0.0, True)
            seen.clock_off_s = 7200.0
            seen.is_listed = False
        found[f"table/table-{number}"] = seen.to_json(list(NAMES[:players]))
    found["table/table-6"] = TableSeen("table-6").to_json([])
    return found


def _seen(name: str, of: str, players: int, more: dict[str, Any]) -> TableSeen:
    """A table with a call in doubt. `more`: of its state."""
    state = busy_table(of, players).state
    sent = {"session": SESSION, "sent": 0.0, "sure": 0.62}
    calls = [read(SentCall, text_of({**each, **sent})) for each in state["calls"]]
    last = state["calls"][-1]
    words = f"I am not sure that I saw the {last['card']} at {last['place']}. Please check."
    doubt = {**last, **sent, "n": last["n"] + 1, "call": "unsure", "message": words}
    seen = TableSeen(name, has_token=True, who=HERE, session=SESSION)
    for call in (*calls, read(SentCall, text_of(doubt))):
        seen.show(call)
    told = {
        **state,
        "session": SESSION,
        "number": 1,
        "sent": 0.0,
        "calls": last["n"] + 1,
        "open": [each["n"] for each in state["calls"] if each["is_open"]],
        "withdrawn": [state["calls"][0]["n"]],
        "result": None,
        **more,
    }
    seen.state = read(TableState, text_of({**told, "version": 1}))
    return seen


def _tournament() -> Tournament:
    """The second round of a tournament with long names: one result is in, one player rests."""
    tables = [f"table-{k}" for k in range(1, 7)]
    name = "The great spring tournament of 2026"
    wish = Wish(Kind.SWISS, list(PLAYERS[:17]), tables, name, seats=2, rounds=5)
    running = next_round(make(wish), ())
    for round_ in (1, 2):
        seen: dict[str, int] = {}
        for k, each in enumerate(running.rounds[-1].pairings):
            number = seen.get(each.table, 0)
            seen[each.table] = number + 1
            if round_ == 1 or k == 0:
                result = Result((each.players[k % 2],))
                running = with_result(running, each.table, number, result)
        running = next_round(running, ()) if round_ == 1 else running
    return running
