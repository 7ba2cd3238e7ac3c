"""The gate before every request: host, origin, role, size and rate (kiosk/web/security.py)."""

from __future__ import annotations

from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kiosk.serving.answers import Json
from kiosk.serving.shares import is_own_address, owner_of
from kiosk.web.access import Access, Client, Role
from kiosk.web.security import (
    FILMED_AT,
    FRAMES,
    HEADERS,
    UPLOADS,
    RateLimiter,
    allowed_names,
    is_known_host,
    is_same_origin,
)
from kiosk.web.settings import PageSettings

COOKIE = "fairdeal_token"
# What a device needs before it is paired: the page itself and the pairing.
OPEN_PATHS = ("/", "/pair", FILMED_AT, "/api/pair", "/api/me")
FILMS = "camera=(self), microphone=(), geolocation=()"


class Guard:
    """ASGI middleware. A refused request is one line of JSON with the right status."""

    def __init__(self, app: ASGIApp, settings: PageSettings, access: Access) -> None:
        self._app, self._settings, self._access = app, settings, access
        self._names = allowed_names(settings.host)
        self._rates = RateLimiter(settings.limits)
        self._frames = RateLimiter(settings.limits.of_frames())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lets a request through, or answers why not."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        request = Request(scope)
        client = self._client(request)
        scope["fairdeal_client"] = client
        why = self._refusal(request, client.role)
        if why is not None:
            status, message = why
            answer = Json({"ok": False, "message": message}, status_code=status)
            await answer(scope, receive, _with_headers(send, scope["path"]))
            return
        await self._app(scope, receive, _with_headers(send, scope["path"]))

    def _client(self, request: Request) -> Client:
        host = address_of(request)
        header = request.headers.get("authorization", "")
        token = request.cookies.get(COOKIE)
        if header.startswith("Bearer "):
            token = header.removeprefix("Bearer ").strip()
        return self._access.client_of(token, is_own_address(host))

    def _refusal(self, request: Request, role: Role) -> tuple[int, str] | None:
        headers: Headers = request.headers
        server = request.scope.get("server") or ("", 0)
        host = headers.get("host")
        if not is_known_host(host, self._names, (str(server[0]),)):
            return 421, "expected this machine's name or address as Host; use the page's address"
        path = request.url.path
        if not (role.may_look or path in OPEN_PATHS or path.startswith("/static/")):
            return 401, "this device is not paired; open /pair and type the six digits"
        if request.method in ("GET", "HEAD"):
            return None
        if not is_same_origin(headers.get("origin"), host, headers.get("sec-fetch-site")):
            return 403, "expected a request of the page itself, found one of another site"
        length = headers.get("content-length", "")
        most, rates = self._bounds(path, role)
        if not length.isdecimal() or int(length) > most:
            return 413, f"expected a body of at most {most} bytes with its Content-Length"
        if not rates.allows(owner_of(address_of(request)), self._settings.clock()):
            return 429, "too many requests; wait a second"
        return None

    def _bounds(self, path: str, role: Role) -> tuple[int, RateLimiter]:
        """How large a body may be, and how many may come."""
        limits = self._settings.limits
        if path == FRAMES and role.may_film:
            return limits.frame_bytes, self._frames
        is_upload = path.startswith(UPLOADS) and role.may_act
        return limits.upload_bytes if is_upload else limits.body_bytes, self._rates


def client_of(request: Request) -> Client:
    """Who asks, as the guard found it."""
    return request.scope["fairdeal_client"]


def role_of(request: Request) -> Role:
    """The role that the guard found for this request."""
    return client_of(request).role


def address_of(request: Request) -> str:
    """The client's address; no header says another one."""
    return request.client.host if request.client else ""


def must_act(request: Request) -> None:
    """Raises HTTPException 403 for a watcher."""
    if not role_of(request).may_act:
        raise HTTPException(403, "expected a paired referee, found a watcher; pair this device")


def must_film(request: Request) -> None:
    """Raises HTTPException 403 for a device that may not be the camera."""
    if not role_of(request).may_film:
        raise HTTPException(403, "expected a device that may film, found a watcher; pair it anew")


def answered(answer: dict[str, Any]) -> Response:
    """What the game, or the set-up, answered to an act."""
    found = {key: value for key, value in answer.items() if key != "id"}
    return Json(found, status_code=200 if answer.get("ok") else 409)


def _with_headers(send: Send, path: str) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            if path == FILMED_AT:
                headers["Permissions-Policy"] = FILMS
        await send(message)

    return sending
