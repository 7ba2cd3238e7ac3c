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


CLUB = {"name": "the long evening's card club", "is_connected": True, "delay_s": 30}


def club_views() -> list[View]:
    """The board's tables, a table, a call to be decided, the tournament, the menu, the pairing."""
    board = {"club": CLUB, **_tables(), "tournament": None}
    return [*_table_views(board), *_decision_views(board), *_contest_views(board)]


def _view(name: str, event: Any, there: str, *taps: str, **more: Any) -> View:
    answers = {**ME, **more.pop("answers", {})}
    picture = busy_table("sooty", 4).picture
    return View(f"club-{name}", event, there, picture, taps, answers, is_board=True, **more)


def _table_views(board: dict[str, Any]) -> list[View]:
    away = {**board, "club": {**CLUB, "is_connected": False}}
    late = {"/api/me": {"role": "watcher", "may_act": False, "is_late": True}}
    menu = ".club-top button:last-child"
    return [
        _view("tables", board, ".waiting"),
        _view("tables-away", away, ".pill.bad"),
        _view("tables-empty", {"club": CLUB, "tournament": None}, ".calm"),
        _view("tables-late", board, ".tables", answers=late),
        _view("table", board, ".call-list", "[data-table=table-2] h2 button"),
        _view("menu", board, "dialog[open]", menu),
        _view("pairing", board, ".digits", menu, "dialog .row button", answers=PAIRING),
    ]


def _decision_views(board: dict[str, Any]) -> list[View]:
    state = busy_table("sooty", 4).state
    call = board["table/table-2"]["waiting"][0]
    frames = [{"at": k / 4, "cards": state["table"]["cards"]} for k in range(13)]
    answers = {
        f"/api/evidence/table-2/{SESSION}/{call}": {"rest": 8, "frames": frames},
        "/api/games/sooty": {"faces": state["game"]["faces"]},
    }
    tap, say = ".waiting li:nth-child(2) button", "dialog .main ~ button:nth-child"
    return [
        _view("decision", board, ".strip img", tap, answers=answers),
        _view("decision-card", board, ".choice img", tap, f"{say}(2)", answers=answers),
        _view("decision-seat", board, "dialog h3", tap, f"{say}(3)", answers=answers),
    ]


def _contest_views(board: dict[str, Any]) -> list[View]:
    running = {**board, "tournament": shown(_tournament())}
    path = "#tournament"
    return [
        _view("contest", running, ".pairings", path=path),
        _view("contest-result", running, "dialog[open]", ".pairings button", path=path),
        _view("contest-end", running, "dialog[open]", ".contest .row button", path=path),
        _view("contest-form", board, ".form", path=path),
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
