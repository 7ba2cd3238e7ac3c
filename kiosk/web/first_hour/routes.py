"""The routes of the first hour: begin, order, photographs, pictures. docs/api.md."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from calibration.deck.face_names import faces_of
from kiosk.serving.answers import Json, body_as, bytes_of
from kiosk.web.first_hour.asked_step import asked_picture
from kiosk.web.first_hour.messages import OrderGiven
from kiosk.web.first_hour.pictures import is_name, kept_bytes, teaching_folder
from kiosk.web.first_hour.record import load_steps
from kiosk.web.first_hour.sheet_store import SheetStore
from kiosk.web.first_hour.steps import steps_json
from kiosk.web.guard import answered, must_act
from kiosk.web.messages import Nothing
from kiosk.web.security import UPLOADS
from kiosk.web.setup import known_decks
from models.gallery import BACK
from models.picture_file import check_header
from rules.errors import FairdealError
from rules.games import GAMES

if TYPE_CHECKING:
    from kiosk.web.first_hour.process import HourProcess

SHEET = re.compile(r"[0-9]{1,6}(-[0-9]{1,3})?")  # a photograph of rows, or a card cut out of it
KINDS = {b"\xff\xd8\xff": ".jpg", b"\x89PNG\r\n\x1a\n": ".png"}


def hour_routes() -> list[Route]:
    """The routes; without a camera of our own (`demo --page`) they answer that there is none."""
    return [
        Route("/api/first-hour", _offered, methods=["GET"]),
        Route("/api/first-hour", _begin, methods=["POST"]),
        Route("/api/first-hour", _end, methods=["DELETE"]),
        Route("/api/first-hour/order", _order, methods=["POST"]),
        Route(UPLOADS + "{deck}/sheets/new", _sheet, methods=["PUT"]),
        Route(UPLOADS + "{deck}/sheets/{name}.jpg", _sheet_picture, methods=["GET"]),
        Route(UPLOADS + "{deck}/asked/{name}.jpg", _asked, methods=["GET"]),
        Route(UPLOADS + "{deck}/deck/{face}.png", _deck_face, methods=["GET"]),
        Route(UPLOADS + "{deck}/{face}", _photograph, methods=["PUT"]),
        Route(UPLOADS + "{deck}/{face}.jpg", _taught, methods=["GET"]),
        Route("/api/first-hour/pictures/{name}.jpg", _picture, methods=["GET"]),
    ]


async def _offered(request: Request) -> Response:
    """What the page needs before the set-up runs: steps so far, games with faces, decks."""
    folder = request.app.state.settings.folder
    hour: HourProcess | None = request.app.state.hour
    return Json({
        "can_set_up": hour is not None,
        "is_running": hour is not None and hour.is_running,
        "said": [] if hour is None else list(hour.said),
        "steps": steps_json(load_steps(folder)),
        "games": await run_in_threadpool(_games),
        "decks": await run_in_threadpool(known_decks, folder / "decks"),
    })  # fmt: skip


def _games() -> list[dict[str, Any]]:
    """The games whose cards can be taught, with the number of their faces."""
    return [
        {"name": name, "title": GAMES[name].title, "faces": len(faces_of(name))} for name in GAMES
    ]


async def _begin(request: Request) -> Response:
    hour = _hour(request)
    await body_as(request, Nothing)
    async with request.app.state.camera:
        table = request.app.state.table
        if table is not None and table.is_running:
            raise HTTPException(409, "expected no game under way, found one; stop it first")
        try:
            await hour.start()
        except FairdealError as error:
            raise HTTPException(409, str(error)) from error
    return Json({"ok": True})


async def _end(request: Request) -> Response:
    async with request.app.state.camera:
        if not await _hour(request).stop():
            raise HTTPException(409, "no set-up is running")
    return Json({"ok": True})


async def _order(request: Request) -> Response:
    hour = _hour(request)
    order = await body_as(request, OrderGiven)
    if not hour.is_running or request.app.state.hub.hour is None:
        raise HTTPException(409, "no set-up is running")
    return answered(await request.app.state.hub.act(order))


async def _photograph(request: Request) -> Response:
    """Takes a photograph of a card for teaching: a JPEG or PNG as the body."""
    hour = _hour(request)
    path = _teaching_path(request)
    data, ending = await _sent(request)
    try:
        await run_in_threadpool(_keep, path, ending, data)
    except FairdealError as error:
        raise HTTPException(409, str(error)) from error
    if hour.is_running:
        await request.app.state.hub.act(OrderGiven(order="refresh"))
    return Json({"ok": True})


async def _sent(request: Request) -> tuple[bytes, str]:
    """The photograph in the body, and how its file's name ends. HTTPException 415 for none, and
    for one that would not be decoded: its header is read, its pixels are not."""
    data = await bytes_of(request)
    ending = next((end for start, end in KINDS.items() if data.startswith(start)), None)
    if ending is None:
        raise HTTPException(415, "expected a photograph as JPEG or PNG, found something else")
    try:
        check_header(data, "")
    except FairdealError as error:
        raise HTTPException(415, str(error)) from error
    return data, ending


async def _sheet(request: Request) -> Response:
    """Takes a photograph of several cards: a JPEG or PNG as the body."""
    hour = _hour(request)
    store = _store(request)
    data, ending = await _sent(request)
    if not hour.is_running:
        raise HTTPException(409, "no set-up is running")
    try:
        await run_in_threadpool(store.put_waiting, data, ending)
    except FairdealError as error:
        raise HTTPException(409, str(error)) from error
    return answered(await request.app.state.hub.act(OrderGiven(order="find-rows")))


async def _sheet_picture(request: Request) -> Response:
    name = request.path_params["name"]
    return _found(_store(request).folder / f"{name}.jpg" if SHEET.fullmatch(name) else None)


async def _asked(request: Request) -> Response:
    """A doubtful picture of a taught deck, e.g. `hat` or `hat.2`."""
    name = request.path_params["name"]
    folder = _decks(request)
    return _found(asked_picture(folder, name) if is_name(name.replace(".", "-")) else None)


async def _deck_face(request: Request) -> Response:
    """A face as it was taught."""
    face = request.path_params["face"]
    return _found(_decks(request) / "faces" / f"{face}.png" if is_name(face) else None)


def _found(path: Path | None) -> Response:
    if path is None or not path.is_file():
        raise HTTPException(404, "there is no such picture")
    return FileResponse(path, headers={"Cache-Control": "no-cache"})


def _store(request: Request) -> SheetStore:
    return SheetStore(teaching_folder(request.app.state.settings.folder, _deck(request)))


def _decks(request: Request) -> Path:
    return request.app.state.settings.folder / "decks" / _deck(request)


def _deck(request: Request) -> str:
    deck = request.path_params["deck"]
    if not is_name(deck):
        raise HTTPException(404, "expected a deck's name")
    return deck


def _keep(path: Path, ending: str, data: bytes) -> None:
    """Writes the photograph in the place of an earlier one of that face."""
    kept_bytes(path.with_suffix(ending), data)
    for other in KINDS.values():
        if other != ending:
            path.with_suffix(other).unlink(missing_ok=True)


async def _taught(request: Request) -> Response:
    path = _teaching_path(request)
    own = [path.with_suffix(ending) for ending in KINDS.values()]
    cut = await run_in_threadpool(_store(request).pictures)
    found = next((file for file in own if file.is_file()), cut.get(request.path_params["face"]))
    if found is None or not found.is_file():
        raise HTTPException(404, "there is no picture of this face")
    return FileResponse(found, headers={"Cache-Control": "no-cache"})


async def _picture(request: Request) -> Response:
    name = request.path_params["name"]
    folder = request.app.state.settings.folder / "first-hour"
    return _found(folder / f"{name}.jpg" if is_name(name) else None)


def _teaching_path(request: Request) -> Path:
    """The path of a face's picture, without its ending. No path is built of a strange name."""
    deck, face = request.path_params["deck"], request.path_params["face"]
    faces = {BACK}.union(*map(faces_of, GAMES))
    if not is_name(deck) or face not in faces:
        raise HTTPException(404, "expected a deck's name and a face of a game")
    return teaching_folder(request.app.state.settings.folder, deck) / face


def _hour(request: Request) -> HourProcess:
    must_act(request)
    hour: HourProcess | None = request.app.state.hour
    if hour is None:
        raise HTTPException(409, "this page shows one game; `fairdeal kiosk` sets a table up")
    return hour
