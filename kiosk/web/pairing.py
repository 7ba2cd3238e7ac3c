"""Pairing of phones: six digits and a QR code on the table's screen, a token in a cookie."""

from __future__ import annotations

import io

import segno
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from kiosk.web.access import CODE_LIFE_S, Access, Role
from kiosk.web.guard import COOKIE, body_of, role_of
from kiosk.web.settings import STATIC
from rules.errors import FairdealError

COOKIE_LIFE_S = 180 * 24 * 3600


def pairing_routes() -> list[Route]:
    """The routes of pairing; only the table's own screen makes codes and revokes devices."""
    return [
        Route("/pair", _page),
        Route("/api/pair", _pair, methods=["POST"]),
        Route("/api/pair/code", _new_code, methods=["POST"]),
        Route("/api/pair/qr.svg", _qr),
        Route("/api/devices", _devices),
        Route("/api/devices/{number:int}", _revoke, methods=["DELETE"]),
    ]


async def _page(request: Request) -> Response:
    return FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-cache"})


async def _new_code(request: Request) -> Response:
    _only_table(request)
    body = await body_of(request, {}, {"role": str})
    role = body.get("role", Role.REFEREE.value)
    if role not in (Role.REFEREE, Role.WATCHER):
        raise HTTPException(400, "expected the role referee or watcher")
    settings = request.app.state.settings
    code = _access(request).new_code(Role(role), settings.clock())
    return JSONResponse({"ok": True, "digits": code.digits, "life_s": CODE_LIFE_S})


async def _pair(request: Request) -> Response:
    body = await body_of(request, {"digits": str}, {"name": str})
    settings = request.app.state.settings
    try:
        token = _access(request).pair(body["digits"], body.get("name", ""), settings.clock())
    except FairdealError as error:
        raise HTTPException(409, str(error)) from error
    if token is None:
        raise HTTPException(403, "these digits are wrong or too old; ask the table for new ones")
    answer = JSONResponse({"ok": True})
    answer.set_cookie(COOKIE, token, max_age=COOKIE_LIFE_S, httponly=True, samesite="strict")
    return answer


async def _qr(request: Request) -> Response:
    """The address of the pairing page as a QR code; the digits are typed or follow the #."""
    _only_table(request)
    digits = request.query_params.get("digits", "")
    if not (digits.isdecimal() and len(digits) <= 8):
        raise HTTPException(400, "expected the digits of a pairing code")
    host = request.app.state.settings.shown_address or request.headers["host"]
    out = io.BytesIO()
    segno.make(f"http://{host}/pair#{digits}", error="m").save(out, kind="svg", scale=8, border=2)
    headers = {"Cache-Control": "no-store"}
    return Response(out.getvalue(), media_type="image/svg+xml", headers=headers)


async def _devices(request: Request) -> Response:
    _only_table(request)
    devices = _access(request).devices
    shown = [{"number": d.number, "name": d.name, "role": d.role.value} for d in devices]
    return JSONResponse({"devices": shown})


async def _revoke(request: Request) -> Response:
    _only_table(request)
    if not _access(request).revoke(request.path_params["number"]):
        raise HTTPException(404, "there is no such device")
    return JSONResponse({"ok": True})


def _only_table(request: Request) -> None:
    if role_of(request) is not Role.TABLE:
        raise HTTPException(403, "expected the table's own screen, found another device")


def _access(request: Request) -> Access:
    return request.app.state.access
