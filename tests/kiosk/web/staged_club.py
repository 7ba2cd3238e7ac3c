"""The club's board in prepared moments: full tables, long names, calls that wait, a tournament."""

from __future__ import annotations

from typing import Any

from busy_tables import CARD_PX, NAMES, busy_table
from staged_views import LONG_LINE, ME, PAIRING, View

from kiosk.club.board.board import shown
from kiosk.club.board.table import Rival, TableSeen
from kiosk.club.board.tournament import Result, Tournament, make, next_round, with_result
from kiosk.club.payloads import Available, SentCall
from rules.games import game

SESSION = "0123456789abcdef"
HERE = Available(True, SESSION, 0.0, "192.168.178.123", "fairdeal-in-the-garden-house")
PLAYERS = (*NAMES, *(f"{name[:22]} {k}" for k in (1, 2) for name in NAMES))


def club_views() -> list[View]:
    """The board's tables, a table, a call to be decided, the tournament, the menu, the pairing."""
    board = {"club": {"name": "the long evening's card club", "is_connected": True, "delay_s": 30},
             **_tables(), "tournament": None}  # fmt: skip
    playing = shown(_tournament())
    contest = {**board, "tournament": playing}
    away = {**board, "club": {**board["club"], "is_connected": False}}
    empty = {"club": board["club"], "tournament": None}
    late = {"/api/me": {"role": "watcher", "may_act": False, "is_late": True}}
    busy = busy_table("sooty", 4)
    call = board["table/table-2"]["waiting"][0]
    evidence = {
        f"/api/evidence/table-2/{SESSION}/{call}": {
            "rest": 8, "frames": [{"at": k / 4, "cards": busy.state["table"]["cards"]} for k in range(13)],
        },
        "/api/games/sooty": {"faces": busy.state["game"]["faces"]},
    }  # fmt: skip
    waits = ".waiting li:nth-child(2) button"
    moments: dict[str, tuple[Any, str, tuple[str, ...], dict[str, Any], str]] = {
        "tables": (board, ".waiting", (), {}, ""),
        "tables-away": (away, ".pill.bad", (), {}, ""),
        "tables-empty": (empty, ".calm", (), {}, ""),
        "tables-late": (board, ".tables", (), late, ""),
        "table": (board, ".call-list", ("[data-table=table-2] h2 button",), {}, ""),
        "decision": (board, ".strip img", (waits,), evidence, ""),
        "decision-card": (board, ".choice img", (waits, "dialog .main + button"), evidence, ""),
        "decision-seat": (board, "dialog h3", (waits, "dialog .main ~ button:nth-child(3)"), evidence, ""),
        "contest": (contest, ".pairings", (), {}, "#tournament"),
        "contest-result": (contest, "dialog[open]", (".pairings button",), {}, "#tournament"),
        "contest-end": (contest, "dialog[open]", (".contest .row button",), {}, "#tournament"),
        "contest-form": (board, ".form", (), {}, "#tournament"),
        "menu": (board, "dialog[open]", (".club-top button:last-child",), {}, ""),
        "pairing": (board, ".digits", (".club-top button:last-child", "dialog .row button"), PAIRING, ""),
    }  # fmt: skip
    return [
        View(f"club-{name}", event, there, busy.picture, taps, {**ME, **answers}, path, is_board=True)
        for name, (event, there, taps, answers, path) in moments.items()
    ]


def _tables() -> dict[str, Any]:
    """A table of each game, with all that a board may have to say of one; one that is away."""
    found: dict[str, Any] = {}
    for number, name in enumerate(CARD_PX, 1):
        players = game(name).players[1]
        seen = _seen(f"table-{number}", name, players)
        if number == 2:
            seen.rival = Rival(HERE, 0.0, True)
            seen.clock_off_s = 7200.0
            seen.state["lost"] = LONG_LINE  # type: ignore[index]
            seen.is_listed = False
        if number == 3:
            seen.state["result"] = {"winners": [1, 2], "tie": False}  # type: ignore[index]
        found[f"table/table-{number}"] = seen.to_json(list(NAMES[:players]))
    found["table/table-6"] = TableSeen("table-6").to_json([])
    return found


def _seen(name: str, of: str, players: int) -> TableSeen:
    state = busy_table(of, players).state
    seen = TableSeen(name, has_token=True, who=HERE, session=SESSION)
    calls = [
        SentCall(SESSION, each["n"], each["event"], each["at"], each["call"], each["rule"],
                 each["message"], 0.62, each["place"], each["seat"], each["card"],
                 tuple(each["expected"]), 0.0)
        for each in state["calls"]
    ]  # fmt: skip
    last = max(call.n for call in calls)
    doubt = SentCall(SESSION, last + 1, 99, state["at"], "unsure", "doubt",
                     f"I am not sure that I saw the {calls[-1].card} at {calls[-1].place}. Please check.",
                     0.62, calls[-1].place, calls[-1].seat, calls[-1].card, calls[-1].expected, 0.0)  # fmt: skip
    for call in (*calls, doubt):
        seen.show(call)
    keys = ("phase", "at", "turn", "headline", "lines", "places", "scores", "mistakes", "lost")
    plain = {key: state["game"][key] for key in ("name", "title", "players", "options")}
    seen.state = {
        **{key: state[key] for key in keys}, "session": SESSION, "game": plain, "calls": last + 1,
        "open": [each["n"] for each in state["calls"] if each["is_open"]],
        "withdrawn": [calls[0].n], "result": None, "sent": 0.0,
    }  # fmt: skip
    return seen


def _tournament() -> Tournament:
    """The second round of a tournament with long names: one result is in, one player rests."""
    running = next_round(make({
        "name": "The great spring tournament of 2026", "kind": "swiss", "players": list(PLAYERS[:17]),
        "tables": [f"table-{k}" for k in range(1, 7)], "seats": 2, "rounds": 5,
    }), ())  # fmt: skip
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
