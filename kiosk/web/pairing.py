"""Pairing of phones: six digits and a QR code on the table's screen, a token in a cookie."""

from __future__ import annotations

import io

import segno
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from kiosk.serving.answers import Json, body_as
from kiosk.serving.reachable import reached_at
from kiosk.serving.shares import owner_of
from kiosk.web.access import CODE_LIFE_S, Access, Role
from kiosk.web.guard import COOKIE, address_of, role_of
from kiosk.web.messages import NewCode, Pair
from kiosk.web.security import host_of
from kiosk.web.settings import STATIC
from rules.errors import FairdealError

COOKIE_LIFE_S = 180 * 24 * 3600


def pairing_routes() -> list[Route]:
    """The routes of pairing; only the table's own screen makes codes and revokes devices.

    `app.state.on_tries` is told how many wrong digits were typed (kiosk/web/access.py: Tries).
    """
    return [
        Route("/pair", index),
        Route("/api/pair", _pair, methods=["POST"]),
        Route("/api/pair/code", _new_code, methods=["POST"]),
        Route("/api/pair/qr.svg", _qr),
        Route("/api/devices", _devices),
        Route("/api/devices/{number:id}", _revoke, methods=["DELETE"]),
    ]


async def index(request: Request) -> Response:
    """The page itself, which shows the view that its address names."""
    return FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-cache"})


async def _new_code(request: Request) -> Response:
    only_table(request)
    wish = await body_as(request, NewCode)
    settings = request.app.state.settings
    code = _access(request).new_code(Role(wish.role), settings.clock())
    request.app.state.on_tries(_access(request).tries)
    return Json({"ok": True, "digits": code.digits, "life_s": CODE_LIFE_S})


async def _pair(request: Request) -> Response:
    wish = await body_as(request, Pair)
    state, access, address = request.app.state, _access(request), owner_of(address_of(request))
    try:
        token = access.pair(wish.digits, wish.name, state.settings.clock(), address)
    except FairdealError as error:
        raise HTTPException(409, str(error)) from error
    state.on_tries(access.tries)
    if token is None:
        state.lines.say("pairing", f"wrong digits to pair a device, from {address}")
        raise HTTPException(403, "these digits are wrong or too old; ask the table for new ones")
    answer = Json({"ok": True})
    answer.set_cookie(COOKIE, token, max_age=COOKIE_LIFE_S, httponly=True, samesite="strict")
    return answer


async def _qr(request: Request) -> Response:
    """The address of the pairing page as a QR code; the digits are typed or follow the #."""
    only_table(request)
    digits = digits_of(request)
    asked, settings = request.headers["host"], request.app.state.settings
    host = reached_host(request)
    where = asked if host == host_of(asked) else f"{host}:{settings.port}"
    return qr_code(f"http://{where}/pair#{digits}")


def reached_host(request: Request) -> str:
    """The host by which a phone in the house reaches this page."""
    asked = host_of(request.headers.get("host")) or "localhost"
    return reached_at(request.app.state.settings.host, asked)


def digits_of(request: Request) -> str:
    """The digits of a code that the page shows. Raises HTTPException."""
    digits = request.query_params.get("digits", "")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 8):
        raise HTTPException(400, "expected the digits of a pairing code")
    return digits


def qr_code(text: str) -> Response:
    """The text as a QR code."""
    out = io.BytesIO()
    segno.make(text, error="m").save(out, kind="svg", scale=8, border=2)
    headers = {"Cache-Control": "no-store"}
    return Response(out.getvalue(), media_type="image/svg+xml", headers=headers)


async def _devices(request: Request) -> Response:
    only_table(request)
    access = _access(request)
    shown = [{"number": d.number, "name": d.name, "role": d.role.value} for d in access.devices]
    tried = [{"address": address, "wrong": wrong} for address, wrong in access.tries.by]
    return Json({"devices": shown, "tried": tried})


async def _revoke(request: Request) -> Response:
    only_table(request)
    if not _access(request).revoke(request.path_params["number"]):
        raise HTTPException(404, "there is no such device")
    return Json({"ok": True})


def only_table(request: Request) -> None:
    """Raises HTTPException 403 for every device but the table's own screen."""
    if role_of(request) is not Role.TABLE:
        raise HTTPException(403, "expected the table's own screen, found another device")


def _access(request: Request) -> Access:
    return request.app.state.access
