"""Games that were played: who won, what went wrong, how long it took; a game as text or film."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route

from host import children
from kiosk.field.recording import recordings_of
from kiosk.game.overruling import Overruling, read_overruling, rejudge
from kiosk.game.paths import recordings_folder, table_journals
from kiosk.journal.reading import JournalReader
from kiosk.journal.schema import GameRow
from kiosk.journal.text import lines_in
from kiosk.serving.answers import Json
from kiosk.web.evidence import game_key
from kiosk.web.film import evidence_calls
from rules.contract.game import make_setup
from rules.errors import FairdealError
from rules.games import game as game_named
from rules.judging import belief, referee
from rules.table.call import Call

MOST_GAMES = 50  # the newest
WAYS = '"ways": '  # in the line of an event that was weighed
FILM = "film.webm"
FILM_S = 300.0  # a film that takes longer to make is given up


def history_routes() -> list[Route]:
    """The routes of the history."""
    return [
        Route("/api/history", _list),
        Route("/api/history/{number:id}.jsonl", _lines),
        Route("/api/history/{number:id}.webm", _film),
    ]


def games_played(
    path: Path, evidence: Path, recordings: Path | None = None
) -> list[dict[str, Any]]:
    """The newest games of all tables, newest first; none where there is no journal yet.

    `path`: the machine's first journal; those of other tables lie beside it. `evidence`: the
    folder with that of each game; `recordings`: where its recordings are, if not where the page's
    switch puts them. What people overruled is taken into account.
    """
    games: list[dict[str, Any]] = []
    for each in table_journals(path):
        try:
            games += _games_in(each, evidence)
        except FairdealError:
            if each == path:
                raise  # a damaged journal of another table hides none of this one's games
    recorded = recordings_of(recordings or recordings_folder())
    for game in games:
        kept = recorded.get((game["number"], game["game"]), ())
        game["recordings"] = [folder.name for folder in kept]
    return sorted(games, key=lambda game: -float(game["began"]))[:MOST_GAMES]


def _games_in(path: Path, evidence: Path) -> Iterator[dict[str, Any]]:
    with JournalReader(path) as journal:
        for row in journal.games()[-MOST_GAMES:]:
            filmed = len(evidence_calls(evidence / str(row.number)))
            yield {**_summary(journal, row), "filmed": filmed}


def game_lines(path: Path, number: int) -> str:
    """A game's events and calls as JSON Lines. Raises FairdealError."""
    with JournalReader(_journal_with(path, number)) as journal:
        journal.row(number)
        return "".join(f"{line}\n" for line in lines_in(journal, number))


def _journal_with(path: Path, number: int) -> Path:
    """The journal, of those of all tables, that holds the game; `path` where none does."""
    for each in table_journals(path):
        with suppress(FairdealError), JournalReader(each) as journal:
            if any(row.number == number for row in journal.games()):
                return each
    return path


def _summary(journal: JournalReader, row: GameRow) -> dict[str, Any]:
    head = row.head
    shown: dict[str, Any] = {
        "number": row.number, "game": head.game, "players": head.players, "began": row.began,
        "is_ended": row.is_ended, "events": row.events, "seconds": 0.0, "winners": [],
        "mistakes": {}, "mistakes_by_seat": {}, "overruled": 0, "calls": 0, "questions": 0,
        "damage": "",
    }  # fmt: skip
    try:
        shown["title"] = game_named(head.game).title
        overruled = tuple(read_overruling(each.ruling) for each in journal.overrulings(row.number))
        calls = _calls(journal, row, overruled)
        events = [json.loads(kept.line) for kept in journal.lines(row.number)]
        if row.missing:
            shown["damage"] = f"at least {row.missing} later events are lost by a damage"
    except FairdealError as error:
        return {**shown, "title": head.game, "damage": str(error)}
    mistakes = [call for call in calls if call["call"] == "mistake"]
    seats = Counter(str(call["seat"]) for call in mistakes if "seat" in call)
    shown["seconds"] = events[-1]["at"] if events else 0.0
    shown["winners"] = [call["seat"] for call in calls if call["call"] == "win" and "seat" in call]
    shown["mistakes"] = dict(Counter(call["rule"] for call in mistakes))
    shown["mistakes_by_seat"] = dict(sorted(seats.items()))
    shown["overruled"] = len(overruled)
    made = [json.loads(kept.line)["call"] for kept in journal.calls(row.number)]
    shown["calls"], shown["questions"] = len(made), made.count("unsure")
    return shown


def _calls(
    journal: JournalReader, row: GameRow, overruled: tuple[Overruling, ...]
) -> list[dict[str, Any]]:
    """The calls of a game as they hold now. Some were withdrawn where people overruled an event,
    or where it was open what happened."""
    if not overruled and not any(WAYS in kept.line for kept in journal.lines(row.number)):
        return [json.loads(kept.line) for kept in journal.calls(row.number)]
    head = row.head
    game = game_named(head.game)
    start = referee.begin(game, make_setup(game, head.players, head.options))
    again = rejudge(start, journal.events(row.number), overruled)
    made: list[Call] = [call for calls in again.calls for call in calls]
    if row.is_ended:
        made += belief.close(again.belief).calls
    return [json.loads(call.to_json()) for call in made]


async def _list(request: Request) -> Response:
    settings = request.app.state.settings
    try:
        games = await run_in_threadpool(
            games_played, settings.journal, settings.folder / "evidence", settings.recordings
        )
    except FairdealError as error:
        raise HTTPException(409, str(error)) from error
    return Json({"games": games})


async def _lines(request: Request) -> Response:
    number = request.path_params["number"]
    try:
        text = await run_in_threadpool(game_lines, request.app.state.settings.journal, number)
    except FairdealError as error:
        raise HTTPException(404, str(error)) from error
    headers = {"Content-Disposition": f'attachment; filename="fairdeal-{number}.jsonl"'}
    return PlainTextResponse(text, headers=headers, media_type="application/jsonl")


async def _film(request: Request) -> Response:
    """A game as a film. Made on demand by a process of low priority, one at a time, and kept.

    A request for a part is one of a player that goes on with the film that it began.
    """
    number, settings = request.path_params["number"], request.app.state.settings
    folder = settings.folder / "evidence" / game_key(number)
    path = folder / FILM
    try:
        if "range" not in request.headers or not path.is_file():
            title, overruled = await run_in_threadpool(_titled, settings.journal, number)
            await _made(folder, title, overruled)
    except FairdealError as error:
        raise HTTPException(404, str(error)) from error
    return FileResponse(path, media_type="video/webm", filename=f"fairdeal-{number}.webm")


def _titled(path: Path, number: int) -> tuple[str, str]:
    """A game's title, and the numbers of the events that were overruled, by commas."""
    with JournalReader(_journal_with(path, number)) as journal:
        row = journal.row(number)
        events = sorted({each.event for each in journal.overrulings(number)})
        return game_named(row.head.game).title, ",".join(map(str, events))


_filming = asyncio.Lock()


async def _made(folder: Path, title: str, overruled: str) -> Path:
    """The film in a game's evidence; made anew where there is evidence or an overruling since."""
    path, part = folder / FILM, folder / "film.part.webm"
    mark = folder / "film.txt"
    what = f"{title}\n{overruled}\n{evidence_calls(folder)}"
    async with _filming:
        if path.is_file() and mark.is_file() and mark.read_text(encoding="utf-8") == what:
            return path
        words = [
            sys.executable, "-m", "kiosk.web.film", str(folder), str(part),
            "--title", title, "--overruled", overruled,
        ]  # fmt: skip
        child = await children.start_async(words, stderr=asyncio.subprocess.PIPE)
        try:
            _, said = await asyncio.wait_for(child.communicate(), FILM_S)
        except TimeoutError:
            child.kill()
            await child.wait()
            raise FairdealError("a film", f"none after {FILM_S:g} s", "try again later") from None
        if child.returncode:
            lines = said.decode("utf-8", "replace").strip().splitlines()
            found = lines[-1].removeprefix("fairdeal page: ") if lines else "none"
            raise FairdealError("a film", found)
        os.replace(part, path)
        mark.write_text(what, encoding="utf-8")
        return path
