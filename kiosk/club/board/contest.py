"""The routes of the tournament: begin, pair a round, enter a result, end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kiosk.club.board import tournament as contest
from kiosk.serving import schema
from kiosk.serving.answers import Json, body_as
from kiosk.web.guard import must_act

if TYPE_CHECKING:
    from kiosk.club.board.board import Board


class Entered(schema.Message, frozen=True):
    """A person enters a result: winners by number (empty: a tie); null removes it."""

    table: schema.Word
    number: schema.Number
    winners: Annotated[list[schema.Number], Meta(max_length=contest.MOST_SEATS)] | None = None


def contest_routes() -> list[Route]:
    """The routes; all need a referee. The tournament itself is part of the board's events."""
    return [
        Route("/api/tournament", _begin, methods=["POST"]),
        Route("/api/tournament", _end, methods=["DELETE"]),
        Route("/api/tournament/round", _round, methods=["POST"]),
        Route("/api/tournament/result", _result, methods=["POST"]),
    ]


async def _begin(request: Request) -> Response:
    board = _board(request)
    wish = contest.make(await body_as(request, contest.Wish))
    for table in wish.tables:
        board.room.knows(table)
    board.set_tournament(contest.next_round(wish, board.begun()))
    return Json({"ok": True})


async def _end(request: Request) -> Response:
    _board(request).set_tournament(None)
    return Json({"ok": True})


async def _round(request: Request) -> Response:
    board = _board(request)
    board.set_tournament(contest.next_round(_running(board), board.begun()))
    return Json({"ok": True})


async def _result(request: Request) -> Response:
    board = _board(request)
    entered = await body_as(request, Entered)
    result = None
    if entered.winners is not None:
        result = contest.Result(tuple(dict.fromkeys(entered.winners)), not entered.winners)
    running = contest.with_result(_running(board), entered.table, entered.number, result)
    board.set_tournament(running)
    return Json({"ok": True})


def _running(board: Board) -> contest.Tournament:
    if board.tournament is None:
        raise HTTPException(409, "expected a tournament, found none; begin one")
    return board.tournament


def _board(request: Request) -> Board:
    must_act(request)
    return request.app.state.board
