"""The page of `fairdeal label`: the film of a recording, event by event. Its own small server."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from kiosk.field.about import DECK
from kiosk.field.film import Picture, Segment, decoded, jpeg_of
from kiosk.field.labels import Labels, items_of, truth_of
from kiosk.field.recording import Recording
from kiosk.field.truth import write_truth
from kiosk.serving.answers import Json, body_as, failed, refused
from kiosk.serving.connections import Gate, GatedConfig, GatedServer
from kiosk.serving.lines import Lines, quiet_logs
from kiosk.serving.listening import bound
from kiosk.web.access import Access
from kiosk.web.faces import face_jpeg
from kiosk.web.guard import Guard, must_act
from kiosk.web.security import Limits
from kiosk.web.settings import STATIC, PageSettings
from rules.errors import FairdealError
from rules.games import game as game_named

MOST_ITEMS_SHOWN = 20_000
LIMITS = Limits(body_bytes=8 << 20)  # all labels of a long game come at once


@dataclass(frozen=True, slots=True)
class Labelling:
    """A recording that is labelled, where its truth is written, and the name people gave it."""

    recording: Recording
    truth: Path
    name: str

    @property
    def pictures(self) -> list[tuple[Segment, Picture]]:
        """All pictures with their segments."""
        return [(s, p) for s in self.recording.segments for p in s.pictures]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the pictures (px)."""
        height, width = decoded(jpeg_of(*self.pictures[0]), "the first picture").shape[:2]
        return width, height


async def serve_labelling(labelling: Labelling, port: int, folder: Path) -> None:
    """Serves until it is stopped; prints the page's address. `folder`: an empty one."""
    lines = Lines("label")
    quiet_logs(lines)
    listening = bound("127.0.0.1", port)
    settings = PageSettings(port=listening.getsockname()[1], folder=folder, limits=LIMITS)
    app = make_labelling(labelling, settings)
    server = GatedServer(GatedConfig(app, Gate(settings.connections, lines)))
    print(f"page: http://127.0.0.1:{settings.port}/", flush=True)
    await server.serve(sockets=[listening])


def make_labelling(labelling: Labelling, settings: PageSettings) -> Starlette:
    """The application; only this machine may use it."""
    access = Access(settings.folder / "devices.json")
    app = Starlette(
        routes=[
            Route("/", _index),
            Route("/api/label", _shown, methods=["GET"]),
            Route("/api/label", _save, methods=["POST"]),
            Route("/api/label/pictures/{k:id}.jpg", _picture),
            Route("/api/faces/{face}.jpg", _face),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(Guard, settings=settings, access=access)],
        exception_handlers={HTTPException: refused, Exception: failed},
    )
    app.state.labelling, app.state.lines = labelling, Lines("label")
    app.state.pictures = labelling.pictures
    return app


async def _index(request: Request) -> Response:
    return FileResponse(STATIC / "label.html", headers={"Cache-Control": "no-cache"})


async def _shown(request: Request) -> Response:
    """The items of the recording, the times of its pictures, and the words that labels may use."""
    recording = _labelling(request).recording
    about = recording.about
    game = game_named(about.game)
    cards = game.cards_of(about.players) if game.cards_of else game.cards
    items = items_of(recording)[:MOST_ITEMS_SHOWN]
    seen = {str(item.line["place"]) for item in items if item.line.get("place")}
    return Json({
        "game": game.title, "players": about.players, "faces": sorted(cards),
        "names": list(about.names), "places": sorted(seen),
        "times": [picture.at for _, picture in request.app.state.pictures],
        "items": [
            {"n": item.n, "line": item.line,
             "suggested": msgspec.to_builtins(item.suggested)}
            for item in items
        ],
    })  # fmt: skip


async def _picture(request: Request) -> Response:
    pictures = request.app.state.pictures
    k = request.path_params["k"]
    if k >= len(pictures):
        raise HTTPException(404, "there is no such picture")
    try:
        jpeg = await run_in_threadpool(jpeg_of, *pictures[k])
    except FairdealError as error:
        raise HTTPException(404, str(error)) from None
    return Response(jpeg, media_type="image/jpeg", headers={"Cache-Control": "max-age=3600"})


async def _face(request: Request) -> Response:
    folder = _labelling(request).recording.folder / DECK
    try:
        jpeg = await run_in_threadpool(face_jpeg, str(folder), request.path_params["face"])
    except FairdealError as error:
        raise HTTPException(404, str(error)) from None
    return Response(jpeg, media_type="image/jpeg", headers={"Cache-Control": "max-age=3600"})


async def _save(request: Request) -> Response:
    must_act(request)
    labels = await body_as(request, Labels)
    labelling = _labelling(request)

    def write() -> int:
        truth = truth_of(labelling.recording, labels, labelling.size)
        write_truth(labelling.truth, msgspec.structs.replace(truth, clip=labelling.name))
        return len(truth.expected_calls)

    try:
        due = await run_in_threadpool(write)
    except FairdealError as error:
        raise HTTPException(409, str(error)) from None
    return Json({"ok": True, "file": labelling.truth.name, "due": due})


def _labelling(request: Request) -> Labelling:
    return request.app.state.labelling
