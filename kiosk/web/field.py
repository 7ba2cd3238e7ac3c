"""A call or a recorded game is kept: what a report would hold, saved, fetched (docs/field.md)."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from kiosk.field.film import Segment, jpeg_of
from kiosk.field.opening import ENDING
from kiosk.field.recording import Recording, read_recording
from kiosk.field.report import (
    Mark,
    Wish,
    checked_part,
    contents,
    cut,
    keep_mark,
    mark_of,
    write_report,
)
from kiosk.game.paths import recordings_folder
from kiosk.serving.answers import Json, body_as
from kiosk.serving.schema import MOST_DIGITS
from kiosk.web.guard import must_act
from kiosk.web.messages import KeepCall, SaveReport
from rules.errors import FairdealError

SHOWN = 6  # pictures of the film, for people to see what they would pass on
REPORTS = "reports"
_NAME = re.compile(r"[0-9a-z][0-9a-z-]{0,80}")


def field_routes() -> list[Route]:
    """The routes of the field kit."""
    return [
        Route("/api/field/keep", _keep, methods=["POST"]),
        Route("/api/field/pictures/{k:id}.jpg", _picture),
        Route("/api/field/report", _save, methods=["POST"]),
        Route("/api/field/reports/{name}.fairdeal", _fetch),
    ]


async def _keep(request: Request) -> Response:
    """Notes that a call was wrong; what a report of it, and of the whole game, would hold.

    Of a recording that is named: what a report of it would hold. Only the page of the game at play
    knows names of players.
    """
    must_act(request)
    wish = await body_as(request, KeepCall)
    mark, folder = _mark(request, wish.call), _folder(request, wish.recording)
    names = () if wish.recording else _names(request)
    return Json(await _done(lambda: _kept(folder, mark, names)))


async def _picture(request: Request) -> Response:
    """One of the pictures of the part around a call; without `?call=N` of the whole.

    `?recording=NAME`: of that one.
    """
    must_act(request)
    asked = request.query_params.get("call", "")
    is_call = asked.isdecimal() and len(asked) <= MOST_DIGITS
    mark = _mark(request, int(asked) if is_call else None)
    folder = _folder(request, request.query_params.get("recording", ""))
    k = min(request.path_params["k"], SHOWN - 1)
    jpeg = await _done(lambda: _jpeg(cut(read_recording(folder), Wish(mark)), k))
    return Response(jpeg, media_type="image/jpeg", headers={"Cache-Control": "no-store"})


async def _save(request: Request) -> Response:
    must_act(request)
    asked = await body_as(request, SaveReport)
    mark, folder = _mark(request, asked.call), _folder(request, asked.recording)
    names = _names(request) if asked.names and not asked.recording else ()
    wish = Wish(mark, names, asked.note, asked.part, asked.free)
    return Json(await _done(lambda: _written(folder, wish)))


async def _fetch(request: Request) -> Response:
    must_act(request)
    name = request.path_params["name"]
    path = _recordings(request) / REPORTS / f"{name}{ENDING}"
    if _NAME.fullmatch(name) is None or not path.is_file():
        raise HTTPException(404, "there is no such report")
    return FileResponse(path, media_type="application/zip", filename=path.name)


def _kept(folder: Path, mark: Mark | None, names: tuple[str, ...]) -> dict[str, Any]:
    recording = read_recording(folder)
    part = None
    if mark is not None:
        part = _shown(recording, mark)
        keep_mark(folder, mark)
    return {"ok": True, "part": part, "whole": _shown(recording, None), "names": list(names),
            "pictures": SHOWN}  # fmt: skip


def _shown(recording: Recording, mark: Mark | None) -> dict[str, Any]:
    found = contents(recording, Wish(mark))
    return {
        "seconds": round(found.until - found.began), "pictures": found.pictures,
        "megabytes": round(found.bytes / 1e6, 1), "events": found.events, "calls": found.calls,
        "deck": found.deck, "width": found.size[0], "height": found.size[1],
    }  # fmt: skip


def _jpeg(part: Recording, k: int) -> bytes:
    pictures: list[tuple[Segment, Any]] = [
        (segment, picture) for segment in part.segments for picture in segment.pictures
    ]
    segment, picture = pictures[(len(pictures) - 1) * k // max(1, SHOWN - 1)]
    return jpeg_of(segment, picture)


def _written(folder: Path, wish: Wish) -> dict[str, Any]:
    if wish.part is not None:
        checked_part(wish.part)
    place = folder.parent / REPORTS
    place.mkdir(parents=True, exist_ok=True, mode=0o700)
    name = f"{folder.name}-{time.strftime('%H%M%S')}"
    path = place / f"{name}{ENDING}"
    write_report(read_recording(folder), wish, path)
    return {"ok": True, "name": name, "megabytes": round(path.stat().st_size / 1e6, 1)}


async def _done(act: Any) -> Any:
    try:
        return await run_in_threadpool(act)
    except (FairdealError, OSError) as error:
        said = str(error) if isinstance(error, FairdealError) else error.strerror or "no room"
        raise HTTPException(409, said) from None


def _mark(request: Request, n: int | None) -> Mark | None:
    """The call of the game at play with this number."""
    if n is None:
        return None
    calls = request.app.state.hub.state["calls"]
    call = next((each for each in calls if each["n"] == n), None)
    if call is None:
        raise HTTPException(404, "expected a call that the page shows")
    return mark_of(call)


def _names(request: Request) -> tuple[str, ...]:
    referee = request.app.state.hub.referee or {}
    return tuple(referee.get("names", ()))


def _folder(request: Request, named: str) -> Path:
    """The recording of this name; without one that of the game at play."""
    name = named or request.app.state.hub.state.get("recording", {}).get("name", "")
    if _NAME.fullmatch(name) is None:
        if named:
            raise HTTPException(404, "there is no such recording")
        raise HTTPException(409, "this game is not recorded; switch that on in the menu")
    return _recordings(request) / name


def _recordings(request: Request) -> Path:
    """Where this table's recordings are."""
    return request.app.state.settings.recordings or recordings_folder()
