"""Games that were played: who won, what went wrong, how long it took; a game as JSON Lines."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from kiosk.journal.file import GameRow, JournalFile
from kiosk.journal.text import lines_in
from rules.errors import FairdealError
from rules.games import game as game_named

MOST_GAMES = 50  # the newest


def history_routes() -> list[Route]:
    """The routes of the history."""
    return [
        Route("/api/history", _list),
        Route("/api/history/{number:int}.jsonl", _lines),
    ]


def games_played(path: Path) -> list[dict[str, Any]]:
    """The newest games of a journal, newest first; none where there is no journal yet."""
    if not path.is_file():
        return []
    journal = JournalFile(path, create=False)
    try:
        return [_summary(journal, row) for row in journal.games()[: -MOST_GAMES - 1 : -1]]
    finally:
        journal.close()


def game_lines(path: Path, number: int) -> str:
    """A game's events and calls as JSON Lines. Raises FairdealError."""
    journal = JournalFile(path, create=False)
    try:
        return "".join(f"{line}\n" for line in lines_in(journal, number))
    finally:
        journal.close()


def _summary(journal: JournalFile, row: GameRow) -> dict[str, Any]:
    head = row.head
    shown: dict[str, Any] = {
        "number": row.number, "game": head.game, "players": head.players, "began": row.began,
        "is_ended": row.is_ended, "events": row.events, "seconds": 0.0, "winners": [],
        "mistakes": {}, "mistakes_by_seat": {}, "damage": "",
    }  # fmt: skip
    try:
        shown["title"] = game_named(head.game).title
        calls = [json.loads(kept.line) for kept in journal.calls(row.number)]
        events = [json.loads(kept.line) for kept in journal.lines(row.number)]
    except FairdealError as error:
        return {**shown, "title": head.game, "damage": str(error)}
    mistakes = [call for call in calls if call["call"] == "mistake"]
    seats = Counter(str(call["seat"]) for call in mistakes if "seat" in call)
    shown["seconds"] = events[-1]["at"] if events else 0.0
    shown["winners"] = [call["seat"] for call in calls if call["call"] == "win" and "seat" in call]
    shown["mistakes"] = dict(Counter(call["rule"] for call in mistakes))
    shown["mistakes_by_seat"] = dict(sorted(seats.items()))
    return shown


async def _list(request: Request) -> Response:
    try:
        games = await run_in_threadpool(games_played, request.app.state.settings.journal)
    except FairdealError as error:
        raise HTTPException(409, str(error)) from error
    return JSONResponse({"games": games})


async def _lines(request: Request) -> Response:
    number = request.path_params["number"]
    try:
        text = await run_in_threadpool(game_lines, request.app.state.settings.journal, number)
    except FairdealError as error:
        raise HTTPException(404, str(error)) from error
    headers = {"Content-Disposition": f'attachment; filename="fairdeal-{number}.jsonl"'}
    return PlainTextResponse(text, headers=headers, media_type="application/jsonl")
