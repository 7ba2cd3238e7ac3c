"""The routes of a phone as the camera: the page that films, its pictures, the camera's choice."""

from __future__ import annotations

import time

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from kiosk.serving.answers import Json, body_as, bytes_of
from kiosk.serving.schema import read
from kiosk.serving.shares import LOOPBACK_NAMES
from kiosk.web.access import CODE_LIFE_S, Access, Role
from kiosk.web.guard import client_of, must_act, must_film, role_of
from kiosk.web.messages import Nothing
from kiosk.web.pairing import digits_of, index, only_table, qr_code, reached_host
from kiosk.web.phone.desk import PhoneDesk
from kiosk.web.phone.messages import BeginFilming, ChooseCamera, EndFilming, FrameHead, Told
from kiosk.web.security import FILMED_AT, FRAMES
from rules.errors import FairdealError

HEAD = "x-fairdeal-frame"  # JSON: number and times of the picture in the body
AUTHORITY = "application/x-x509-ca-cert"


def phone_routes() -> list[Route]:
    """The routes; where the page belongs to one running game they answer that there is none."""
    return [
        Route(FILMED_AT, index),
        Route("/api/phone", _shown, methods=["GET"]),
        Route("/api/phone", _begin, methods=["POST"]),
        Route("/api/phone", _end, methods=["DELETE"]),
        Route("/api/phone/time", _time, methods=["POST"]),
        Route(FRAMES, _frame, methods=["POST"]),
        Route("/api/phone/offer", _offer, methods=["POST"]),
        Route("/api/phone/qr.svg", _qr),
        Route("/api/phone/authority.crt", _authority),
        Route("/api/camera", _choose, methods=["POST"]),
    ]


async def _shown(request: Request) -> Response:
    """The choice of a camera, and the phone that films."""
    desk: PhoneDesk | None = request.app.state.phone
    if desk is None:
        return Json({"can_film": False, "is_phone": False, "own": "", "fault": "", "phone": None,
                     "pictures": None})  # fmt: skip
    return Json({
        "can_film": not desk.fault, "fault": desk.fault, "is_phone": desk.choice.is_phone,
        "own": desk.choice.own, "phone": request.app.state.hub.phone,
        "pictures": desk.filming.counted,
    })  # fmt: skip


async def _begin(request: Request) -> Response:
    must_film(request)
    desk, wish = _desk(request), await body_as(request, BeginFilming)
    if desk.fault:
        raise HTTPException(409, desk.fault)
    client = client_of(request)
    access: Access = request.app.state.access
    try:
        key = desk.filming.begin(wish, client, access.shown_name(client), time.monotonic())
    except FairdealError as error:
        raise HTTPException(409, str(error)) from error
    if not _is_playing(request):
        await _use(request, phone=True)
    return Json({"ok": True, "key": key, "pause_ms": 1000 * desk.filming.pause_s})


async def _end(request: Request) -> Response:
    """The phone that films stops, or somebody who may act stops it."""
    desk, wish = _desk(request), await body_as(request, EndFilming)
    if not desk.filming.is_of(wish.key, client_of(request)):
        must_act(request)
    return Json({"ok": desk.filming.end()})


async def _time(request: Request) -> Response:
    """Some of these before the first picture tell how far the clocks are apart."""
    now = time.monotonic()
    must_film(request)
    told = await body_as(request, Told)
    try:
        _desk(request).filming.tell_time(told, client_of(request), now)
    except FairdealError as error:
        raise HTTPException(410, str(error)) from error
    return Json({"ok": True})


async def _frame(request: Request) -> Response:
    now = time.monotonic()
    must_film(request)
    filming = _desk(request).filming
    try:
        head = read(FrameHead, request.headers.get(HEAD, "").encode("latin-1", "replace"))
    except FairdealError as error:
        raise HTTPException(400, str(error)) from error
    try:
        filmed = filming.expect(head, client_of(request), now)
    except FairdealError as error:
        raise HTTPException(410, str(error)) from error
    try:
        data = await bytes_of(request)
    finally:
        filming.done(filmed)
    try:
        filming.take(filmed, head, data, time.monotonic())
    except FairdealError as error:
        request.app.state.lines.say("phone", f"a picture of {filmed.name} was refused: {error}")
        raise HTTPException(400, str(error)) from error
    return Json({"ok": True, "pause_ms": 1000 * filming.pause_s, "late": filmed.late})


async def _offer(request: Request) -> Response:
    """Opens https; for the table's own screen it makes a code that lets a phone film."""
    must_film(request)
    await body_as(request, Nothing)
    desk, settings = _desk(request), request.app.state.settings
    if desk.fault:
        raise HTTPException(409, desk.fault)
    try:
        await desk.open_door()
    except FairdealError as error:
        raise HTTPException(409, str(error)) from error
    digits, access = "", request.app.state.access
    if role_of(request) is Role.TABLE:
        digits = access.new_code(Role.CAMERA, settings.clock()).digits
        request.app.state.on_tries(access.tries)
    return Json({
        "ok": True, "digits": digits, "life_s": CODE_LIFE_S, "address": _address(request),
        "is_reached": settings.host not in LOOPBACK_NAMES,
    })  # fmt: skip


async def _qr(request: Request) -> Response:
    only_table(request)
    return qr_code(f"{_address(request)}#{digits_of(request)}")


async def _authority(request: Request) -> Response:
    """What a phone may trust, so that it warns no more."""
    desk = _desk(request)
    if desk.door is None or desk.door.authority is None:
        raise HTTPException(404, "there is no certificate yet")
    return FileResponse(desk.door.authority, media_type=AUTHORITY, filename="fairdeal.crt")


async def _choose(request: Request) -> Response:
    must_act(request)
    wish = await body_as(request, ChooseCamera)
    _desk(request)
    if _is_playing(request):
        raise HTTPException(409, "expected no game under way, found one; stop it first")
    await _use(request, phone=wish.phone)
    return Json({"ok": True})


async def _use(request: Request, *, phone: bool) -> None:
    """Takes that camera. A set-up that runs begins anew with it."""
    state, hour = request.app.state, request.app.state.hour
    async with state.camera:
        is_another = _desk(request).choice.choose(phone=phone)
        if is_another and hour is not None and hour.is_running:
            await hour.stop()
            try:
                await hour.start()
            except FairdealError as error:
                raise HTTPException(409, str(error)) from error


def _is_playing(request: Request) -> bool:
    table = request.app.state.table
    return table is not None and table.is_running


def _address(request: Request) -> str:
    """Where a phone in the house finds the page that films."""
    door = _desk(request).door
    port = None if door is None else door.port
    if port is None:
        raise HTTPException(409, "expected https, found none; ask for an offer first")
    host = reached_host(request)
    return f"https://{f'[{host}]' if ':' in host else host}:{port}{FILMED_AT}"


def _desk(request: Request) -> PhoneDesk:
    desk: PhoneDesk | None = request.app.state.phone
    if desk is None:
        raise HTTPException(409, "this page shows one game; `fairdeal kiosk` takes a phone's film")
    return desk
