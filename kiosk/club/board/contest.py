"""The routes of the tournament: begin, pair a round, enter a result, end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from kiosk.club.board import tournament as contest
from kiosk.web.guard import body_of, role_of

if TYPE_CHECKING:
    from kiosk.club.board.board import Board

WISH = {"kind": str, "players": list, "tables": list}
MORE = {"name": str, "seats": int, "rounds": int}


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
    wish = contest.make(await body_of(request, WISH, MORE))
    for table in wish.tables:
        board.room.knows(table)
    board.set_tournament(contest.next_round(wish, board.begun()))
    return JSONResponse({"ok": True})


async def _end(request: Request) -> Response:
    _board(request).set_tournament(None)
    return JSONResponse({"ok": True})


async def _round(request: Request) -> Response:
    board = _board(request)
    board.set_tournament(contest.next_round(_running(board), board.begun()))
    return JSONResponse({"ok": True})


async def _result(request: Request) -> Response:
    """A person enters a result: winners by player number; none is a tie; null takes it back."""
    board = _board(request)
    body = await body_of(request, {"table": str, "number": int}, {"winners": list})
    result = None
    if "winners" in body:
        winners = tuple(body["winners"])
        if not all(isinstance(each, int) for each in winners):
            raise HTTPException(400, "expected winners as player numbers, found something else")
        result = contest.Result(winners, not winners)
    running = contest.with_result(_running(board), body["table"], body["number"], result)
    board.set_tournament(running)
    return JSONResponse({"ok": True})


def _running(board: Board) -> contest.Tournament:
    if board.tournament is None:
        raise HTTPException(409, "expected a tournament, found none; begin one")
    return board.tournament


def _board(request: Request) -> Board:
    if not role_of(request).may_act:
        raise HTTPException(403, "expected a paired referee, found a watcher; pair this device")
    return request.app.state.board
