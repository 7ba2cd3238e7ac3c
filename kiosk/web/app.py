"""The page's web application: static files, the state, actions, evidence (docs/api.md)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from kiosk.serving.answers import Json, body_as, failed, refused
from kiosk.serving.lines import Lines
from kiosk.web.access import Access, Role
from kiosk.web.decks import deck_routes
from kiosk.web.evidence import evidence_file, game_key, read_evidence
from kiosk.web.faces import face_jpeg
from kiosk.web.field import field_routes
from kiosk.web.first_hour.process import HourProcess
from kiosk.web.first_hour.routes import hour_routes
from kiosk.web.guard import Guard, answered, client_of, must_act, role_of
from kiosk.web.health import health_routes
from kiosk.web.history import history_routes
from kiosk.web.hub import Hub
from kiosk.web.messages import Look, Move, Overrule, Press, Record, SetSounds, Settle, Wish
from kiosk.web.pairing import index, pairing_routes
from kiosk.web.phone.desk import PhoneDesk
from kiosk.web.phone.routes import phone_routes
from kiosk.web.settings import STATIC, PageSettings
from kiosk.web.starting import starting_routes
from kiosk.web.table import RefereeProcess
from rules.errors import FairdealError

EVIDENCE_S = 5.0  # of the game's time after a call; then its evidence is there, or never will be


def make_app(
    hub: Hub,
    access: Access,
    settings: PageSettings,
    table: RefereeProcess | None = None,
    hour: HourProcess | None = None,
    phone: PhoneDesk | None = None,
) -> Starlette:
    """The application; `hub` brings the game, `access` says who may do what.

    `table` starts and stops games, `hour` is the set-up of the same camera, `phone` takes a
    phone's pictures; None where the page belongs to one running game.
    """
    app = Starlette(
        routes=_routes(),
        middleware=[Middleware(Guard, settings=settings, access=access)],
        exception_handlers={HTTPException: refused, Exception: failed},
    )
    app.state.hub, app.state.access, app.state.settings = hub, access, settings
    app.state.lines, app.state.on_tries = Lines("page"), hub.tries.show
    app.state.text = (None, "")
    app.state.table, app.state.hour, app.state.phone = table, hour, phone
    app.state.camera = asyncio.Lock()  # held while the camera passes from one to the other
    return app


def _routes() -> list[BaseRoute]:
    """All paths; docs/api.md describes those of the API."""
    return [
        Route("/", index),
        Route("/api/state", _state),
        Route("/api/events", _events),
        Route("/api/picture.jpg", _picture),
        Route("/api/press", _press, methods=["POST"]),
        Route("/api/overrule", _overrule, methods=["POST"]),
        Route("/api/look", _look, methods=["POST"]),
        Route("/api/settle", _settle, methods=["POST"]),
        Route("/api/places", _place, methods=["POST"]),
        Route("/api/sounds", _sounds, methods=["POST"]),
        Route("/api/record", _record, methods=["POST"]),
        Route("/api/evidence/{n:id}", _evidence),
        Route("/api/evidence/{n:id}/{name}.jpg", _evidence_picture),
        Route("/api/faces/{face}.jpg", _face),
        Route("/api/me", _me),
        *pairing_routes(),
        *starting_routes(),
        *hour_routes(),
        *deck_routes(),
        *health_routes(),
        *history_routes(),
        *field_routes(),
        *phone_routes(),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]


async def _state(request: Request) -> Response:
    return Json(_hub(request).snapshot())


async def _events(request: Request) -> Response:
    """Server-sent events: `state` with the whole state, its sequence number as the event's id."""
    has_pictures = request.query_params.get("pictures") == "1"
    client = client_of(request)
    if not _hub(request).has_room(client):
        raise HTTPException(429, "too many pages of this device follow the table; close some")

    async def stream() -> AsyncIterator[str]:
        yield "retry: 1000\n\n"
        async for snapshot in _hub(request).follow(has_pictures, client):
            if snapshot is None:
                yield "event: alive\ndata: {}\n\n"
            else:
                yield f"event: state\nid: {snapshot['seq']}\ndata: {_text(request, snapshot)}\n\n"

    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(stream(), media_type="text/event-stream", headers=headers)


def _text(request: Request, snapshot: dict[str, Any]) -> str:
    """The snapshot as JSON, written once for all who follow."""
    state = request.app.state
    key = (snapshot["seq"], snapshot["is_connected"], snapshot["health"]["viewers"])
    if state.text[0] != key:
        state.text = (key, json.dumps(snapshot, separators=(",", ":")))
    return state.text[1]


async def _picture(request: Request) -> Response:
    picture = _hub(request).picture
    if not picture:
        raise HTTPException(404, "there is no picture of the table yet")
    return Response(picture, media_type="image/jpeg", headers={"Cache-Control": "no-store"})


async def _press(request: Request) -> Response:
    return await _acted(request, Press)


async def _overrule(request: Request) -> Response:
    return await _acted(request, Overrule)


async def _look(request: Request) -> Response:
    return await _acted(request, Look)


async def _settle(request: Request) -> Response:
    return await _acted(request, Settle)


async def _place(request: Request) -> Response:
    return await _acted(request, Move)


async def _sounds(request: Request) -> Response:
    return await _acted(request, SetSounds)


async def _record(request: Request) -> Response:
    return await _acted(request, Record)


async def _acted(request: Request, kind: type[Wish]) -> Response:
    must_act(request)
    return answered(await _hub(request).act(await body_as(request, kind)))


async def _evidence(request: Request) -> Response:
    found = read_evidence(_folder(request), _game_key(request), request.path_params["n"])
    if found is not None:
        return Json(found)
    state = _hub(request).state
    made = next((c for c in state["calls"] if c["n"] == request.path_params["n"]), None)
    if made is not None and state["at"] - made["at"] < EVIDENCE_S:
        return Json({"ok": False, "message": "the call's second goes on"}, status_code=202)
    raise HTTPException(404, "there is no evidence of this call")


async def _evidence_picture(request: Request) -> Response:
    n, name = request.path_params["n"], request.path_params["name"]
    path = evidence_file(_folder(request), _game_key(request), n, name)
    if path is None:
        raise HTTPException(404, "there is no such picture")
    return FileResponse(path, headers={"Cache-Control": "private, max-age=3600"})


def _game_key(request: Request) -> str:
    """The game at play, or the one that `?game=N` names."""
    asked = request.query_params.get("game", "")
    game = _hub(request).state.get("game") or {}
    number = int(asked) if asked.isdecimal() and len(asked) < 10 else game.get("number")
    return game_key(number)


async def _face(request: Request) -> Response:
    game = _hub(request).state.get("game") or {}
    try:
        picture = await run_in_threadpool(
            face_jpeg, str(game.get("deck", "")), request.path_params["face"]
        )
    except FairdealError as error:
        raise HTTPException(404, str(error)) from error
    return Response(picture, media_type="image/jpeg", headers={"Cache-Control": "max-age=3600"})


async def _me(request: Request) -> Response:
    role: Role = role_of(request)
    return Json({"role": role.value, "may_act": role.may_act, "may_film": role.may_film})


def _hub(request: Request) -> Hub:
    return request.app.state.hub


def _folder(request: Request) -> Path:
    return request.app.state.settings.folder / "evidence"
