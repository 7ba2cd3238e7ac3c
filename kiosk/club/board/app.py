"""The board's web application: tables and tournament, events, evidence, acts (docs/club.md)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Literal

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from kiosk.club.board.board import Board
from kiosk.club.board.contest import contest_routes
from kiosk.club.board.feed import Feed
from kiosk.club.payloads import CallNumber, Seat, Session, Word
from kiosk.serving import schema
from kiosk.serving.answers import Json, body_as, failed, refused
from kiosk.web.access import Access
from kiosk.web.faces import face_jpeg
from kiosk.web.guard import Guard, answered, client_of, must_act, role_of
from kiosk.web.messages import Verdict
from kiosk.web.pairing import pairing_routes
from kiosk.web.settings import STATIC as PAGE_STATIC
from kiosk.web.settings import PageSettings
from rules.errors import FairdealError
from rules.games import game as game_named

STATIC = Path(__file__).parent / "static"
RIGHT = "right"
JPEG = "image/jpeg"


class TableAct(schema.Message, frozen=True):
    """A button that the board has a table press."""

    table: Word
    act: Literal["undo", "start"]


class Decision(schema.Message, frozen=True):
    """A person decides a call; with RIGHT it stays."""

    table: Word
    session: Session
    call: CallNumber
    verdict: Verdict | Literal["right"]
    card: Word | None = None
    seat: Seat | None = None

    @property
    def ruling(self) -> dict[str, Any]:
        """What the table is told."""
        more = {"card": self.card, "seat": self.seat}
        given = {key: value for key, value in more.items() if value is not None}
        return {"call": self.call, "verdict": self.verdict, **given}


def make_board_app(board: Board, access: Access, settings: PageSettings) -> Starlette:
    """The application; `access` says who may do what, as on a table's page."""
    evidence = "/api/evidence/{table}/{session}/{n:id}"
    routes = [
        Route("/", _index),
        Route("/api/board", _board),
        Route("/api/events", _events),
        Route("/api/me", _me),
        Route("/api/act", _act, methods=["POST"]),
        Route("/api/decide", _decide, methods=["POST"]),
        Route("/api/log/{table}", _log),
        Route("/api/games/{game}", _game),
        Route("/api/faces/{game}/{face}.jpg", _face),
        Route(evidence, _evidence),
        Route(evidence + "/{name}.jpg", _evidence_picture),
        *contest_routes(),
        *pairing_routes(),
        Mount("/static/club", StaticFiles(directory=STATIC)),
        Mount("/static", StaticFiles(directory=PAGE_STATIC)),
    ]
    app = Starlette(
        routes=routes,
        middleware=[Middleware(Guard, settings=settings, access=access)],
        exception_handlers={
            HTTPException: refused, FairdealError: _mendable, Exception: failed,
        },
    )  # fmt: skip
    app.state.lines, app.state.on_tries = board.lines, board.tries.show
    app.state.board, app.state.access, app.state.settings = board, access, settings
    return app


async def _index(request: Request) -> Response:
    return FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-cache"})


def _feed(request: Request) -> Feed:
    """Watchers, and a screen for an audience, hear of everything later."""
    board = board_of(request)
    is_audience = "audience" in request.query_params or not role_of(request).may_act
    return board.late.feed if is_audience and board.late.delay_s else board.live


async def _board(request: Request) -> Response:
    values = _feed(request).values
    text = "{" + ",".join(f'"{key}":{value}' for key, value in values.items()) + "}"
    return Response(text, media_type="application/json", headers={"Cache-Control": "no-store"})


async def _events(request: Request) -> Response:
    """Server-sent events: `change` with key → value; the first one has all keys."""

    client, feed = client_of(request), _feed(request)
    if not feed.has_room(client):
        raise HTTPException(429, "too many pages of this device follow the board; close some")

    async def stream() -> AsyncIterator[str]:
        yield "retry: 1000\n\n"
        async for change in feed.follow(client):
            yield ": still here\n\n" if change is None else f"event: change\ndata: {change}\n\n"

    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(stream(), media_type="text/event-stream", headers=headers)


async def _me(request: Request) -> Response:
    role = role_of(request)
    is_late = _feed(request) is not board_of(request).live
    return Json({"role": role.value, "may_act": role.may_act, "is_late": is_late})


async def _act(request: Request) -> Response:
    must_act(request)
    wish = await body_as(request, TableAct)
    return answered(await board_of(request).command(wish.table, {"act": wish.act}))


async def _decide(request: Request) -> Response:
    """A person decides a call: it was right, or it is overruled at its table."""
    must_act(request)
    wish = await body_as(request, Decision)
    board = board_of(request)
    table = board.room.knows(wish.table)
    answer: dict[str, Any] = {"ok": True}
    if wish.verdict != RIGHT:
        if table.session != wish.session:
            raise HTTPException(409, "that game is over; its calls stay as they are")
        answer = await board.command(wish.table, {"act": "overrule", **wish.ruling})
    if answer.get("ok"):
        board.decide(wish.table, wish.session, wish.call, wish.verdict)
    return answered(answer)


async def _log(request: Request) -> Response:
    must_act(request)  # an audience would be ahead of its delay
    board = board_of(request)
    return Json({"calls": board.log(request.path_params["table"])})


async def _evidence(request: Request) -> Response:
    _may_see_evidence(request)
    found = await board_of(request).evidence(*_call_of(request))
    if found is None:
        raise HTTPException(404, "the table has no pictures of this call, or is not there")
    return Json(found)


async def _evidence_picture(request: Request) -> Response:
    _may_see_evidence(request)
    name = request.path_params["name"]
    picture = board_of(request).exhibits.picture(*_call_of(request), name)
    if picture is None:
        raise HTTPException(404, "there is no such picture")
    return Response(picture, media_type=JPEG, headers={"Cache-Control": "private, max-age=600"})


async def _game(request: Request) -> Response:
    """The faces of a game, for "that card is …"."""
    game = game_named(request.path_params["game"])
    return Json({"name": game.name, "title": game.title, "faces": sorted(game.cards)})


async def _face(request: Request) -> Response:
    game, face = game_named(request.path_params["game"]), request.path_params["face"]
    picture = await run_in_threadpool(face_jpeg, game.deck, face)
    return Response(picture, media_type=JPEG, headers={"Cache-Control": "max-age=3600"})


def board_of(request: Request) -> Board:
    """The board that the application serves."""
    return request.app.state.board


def _call_of(request: Request) -> tuple[str, str, int]:
    """Table, session and number of the call that a path names. Raises FairdealError."""
    key = request.path_params
    checked = schema.checked
    return key["table"], checked(Session, key["session"]), checked(CallNumber, key["n"])


def _may_see_evidence(request: Request) -> None:
    if board_of(request).late.delay_s:
        must_act(request)


async def _mendable(request: Request, error: Exception) -> Response:
    is_get = request.method in ("GET", "HEAD")
    return Json({"ok": False, "message": str(error)}, status_code=404 if is_get else 409)
