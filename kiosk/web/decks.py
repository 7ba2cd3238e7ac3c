"""What decks learn from games, and their history: switched, listed, undone (docs/api.md)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from calibration.deck.changes import Change, changes
from calibration.deck.history import revert, states
from calibration.settings import load_settings, own_settings, settings_file, write_value
from kiosk.serving.answers import Json, body_as
from kiosk.web.first_hour.steps import Work
from kiosk.web.messages import RevertDeck, SetLearning
from kiosk.web.pictures import jpeg
from kiosk.web.setup import listed_deck
from kiosk.web.starting import table_of
from models.deck import Deck, load_deck
from models.gallery import BACK
from models.learned import Origin, load_learned
from rules.errors import FairdealError
from rules.games import GAMES
from vision.networks.embedder import namer_checksum

LEARNED_QUALITY = 85

T = TypeVar("T")


def deck_routes() -> list[Route]:
    """The routes of decks that learn."""
    return [
        Route("/api/learning", _learning, methods=["GET"]),
        Route("/api/learning", _set_learning, methods=["POST"]),
        Route("/api/decks/history", _history),
        Route("/api/decks/learned/{k:id}.jpg", _learned_picture),
        Route("/api/decks/revert", _revert, methods=["POST"]),
    ]


async def _learning(request: Request) -> Response:
    """Whether decks learn from the games of this machine."""
    settings = await _done(lambda: load_settings(settings_file(None)), 409)
    return Json({"is_on": settings.machine.learn})


async def _set_learning(request: Request) -> Response:
    """Writes the setting; a referee reads it when its game begins."""
    table_of(request)
    wish = await body_as(request, SetLearning)
    await _done(lambda: _write_learning(wish.on), 409)
    return Json({"ok": True})


def _write_learning(is_on: bool) -> None:
    load_settings(settings_file(None))  # nothing is written into a file that no game can read
    write_value(own_settings(), "machine", "learn", is_on)


async def _history(request: Request) -> Response:
    """The states of a deck, newest first, and its pictures from games."""
    deck = await _asked_deck(request)
    return Json(await _done(lambda: deck_history(deck), 409))


def deck_history(deck: Deck) -> dict[str, Any]:
    """The JSON object of docs/api.md. Raises FairdealError for a deck that is not taught."""
    known = states(deck.folder, namer_checksum())
    return {
        "deck": deck.name,
        "states": [_shown(change) for change in reversed(changes(known))],
        "learned": [
            {"k": k, "face": face, **_origin(origin)}
            for k, (face, origin) in enumerate(known[-1].learned)
        ],
    }  # fmt: skip


def _shown(change: Change) -> dict[str, Any]:
    state = change.state
    return {
        "number": state.number, "what": change.what.value, "at": change.at,
        "faces": len([face for face in state.pictures if face != BACK]),
        "pictures": state.pictures.total(), "learned": len(state.learned),
        "new": dict(sorted(change.new.items())),
        "games": [_game(name, number) for name, number in change.games],
    }  # fmt: skip


def _origin(origin: Origin) -> dict[str, Any]:
    return {"at": origin.at, "game": _game(origin.game, origin.number)}


def _game(name: str, number: int) -> dict[str, Any]:
    return {"title": GAMES[name].title if name in GAMES else name, "number": number}


async def _learned_picture(request: Request) -> Response:
    """Picture K of those that the deck has from games."""
    deck = await _asked_deck(request)
    picture = await _done(lambda: _jpeg(deck, request.path_params["k"]), 404)
    return Response(picture, media_type="image/jpeg", headers={"Cache-Control": "max-age=3600"})


def _jpeg(deck: Deck, k: int) -> bytes:
    learned = load_learned(deck.learned, namer_checksum())
    count = 0 if learned is None else len(learned.origins)
    if learned is None or k >= count:
        raise FairdealError(f"one of {count} pictures from games", f"number {k}")
    return jpeg(learned.gallery.templates[k], quality=LEARNED_QUALITY)


async def _revert(request: Request) -> Response:
    """Makes a deck what it was. No game begins meanwhile."""
    table_of(request)
    wish = await body_as(request, RevertDeck)
    async with request.app.state.camera:
        deck = await _deck(request, wish.deck)
        await _done(lambda: _check_at_rest(request, deck), 409)
        await _done(lambda: revert(deck.folder, namer_checksum(), wish.number), 409)
    return Json({"ok": True})


def _check_at_rest(request: Request, deck: Deck) -> None:
    """FairdealError while a game is played with the deck, or learned from, and while the set-up
    makes it."""
    played = table_of(request).deck
    if played and load_deck(played).folder == deck.folder:
        raise FairdealError(f"no game with the deck {deck.name} under way", "one", "end it first")
    hour = request.app.state.hub.hour
    is_made = hour is not None and hour["work"] == Work.BUILDING
    if is_made and hour["deck"]["name"] == deck.folder.name:
        raise FairdealError(
            f"the deck {deck.name} at rest", "the set-up making it", "wait a moment"
        )


async def _asked_deck(request: Request) -> Deck:
    """The deck that `?deck=PATH` names."""
    return await _deck(request, request.query_params.get("deck", ""))


async def _deck(request: Request, path: str) -> Deck:
    folder = request.app.state.settings.folder / "decks"
    return await _done(lambda: listed_deck(path, folder), 404)


async def _done(act: Callable[[], T], status: int) -> T:
    """What an act on files gives; its FairdealError is the answer, with this status."""
    try:
        return await run_in_threadpool(act)
    except FairdealError as error:
        raise HTTPException(status, str(error)) from None
