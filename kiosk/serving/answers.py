"""What the applications have in common: bodies by a schema, ids in paths, refusals as JSON."""

from __future__ import annotations

import json
from typing import Any, TypeVar

from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from kiosk.serving.lines import Lines
from kiosk.serving.schema import MOST_DIGITS, read
from rules.errors import FairdealError

T = TypeVar("T")


class IdConvertor(Convertor[int]):
    """A number in a path, of bounded digits: `Route("/api/devices/{number:id}")`."""

    regex = f"[0-9]{{1,{MOST_DIGITS}}}"

    def convert(self, value: str) -> int:
        """The number."""
        return int(value)

    def to_string(self, value: int) -> str:
        """Its digits."""
        return str(value)


register_url_convertor("id", IdConvertor())


class Json(JSONResponse):
    """JSON in ASCII: a name on the disk that is no Unicode text is escaped, not a failure."""

    def render(self, content: Any) -> bytes:
        """The body."""
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode()


async def body_as(request: Request, kind: type[T]) -> T:
    """The request's body as a message. Raises HTTPException 400: what was expected and found."""
    data = await bytes_of(request)
    try:
        return read(kind, data)
    except FairdealError as error:
        raise HTTPException(400, str(error)) from None


async def bytes_of(request: Request) -> bytes:
    """The request's body. Raises BrokenOff where the client went away before its end."""
    try:
        return await request.body()
    except ClientDisconnect:
        raise BrokenOff from None


class BrokenOff(HTTPException):
    """A client went away before its request was whole; nobody reads the answer."""

    def __init__(self) -> None:
        super().__init__(400, "the request broke off")


async def refused(request: Request, error: Exception) -> Response:
    """An HTTPException as JSON."""
    assert isinstance(error, HTTPException)
    if isinstance(error, BrokenOff):
        lines: Lines = request.app.state.lines
        lines.say("broken-off", f"{request.method} {request.url.path}: the request broke off")
    return Json({"ok": False, "message": error.detail}, error.status_code, error.headers)


async def failed(request: Request, error: Exception) -> Response:
    """A bug: the line is said by the server, the client hears that it was ours."""
    return Json({"ok": False, "message": "the server failed; what plays goes on"}, 500)
