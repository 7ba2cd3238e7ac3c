"""The page and the club's board, served from prepared answers: any view, without a game."""

from __future__ import annotations

import contextlib
import io
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import segno
from staged_views import View

from kiosk.club.board.app import STATIC as BOARD
from kiosk.web.app import STATIC as PAGE
from kiosk.web.faces import face_jpeg
from rules.errors import FairdealError
from rules.games import game

KINDS = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".ftl": "text/plain; charset=utf-8",
    ".jpg": "image/jpeg",
}
FACES = "/api/faces/"
KEPT = "max-age=3600"  # scripts and styles too: each view loaded and compiled them anew


@dataclass
class Stage:
    """What the page is answered. `answers`: JSON by path; `event`: the name and value of the first
    server-sent event; `picture`: every picture but those of faces."""

    address: str = ""
    is_board: bool = False
    page: str = "index.html"
    event: tuple[str, Any] = ("state", None)
    answers: Mapping[str, Any] = field(default_factory=dict)
    picture: bytes = b""
    closed: threading.Event = field(default_factory=threading.Event)

    def set(self, view: View) -> None:
        """Shows another moment, to pages that are opened from now on."""
        self.event = ("change" if view.is_board else "state", view.event)
        self.picture, self.answers = view.picture, view.answers
        self.is_board, self.page = view.is_board, view.page
        self.closed.set()
        self.closed = threading.Event()


class _Handler(BaseHTTPRequestHandler):
    """Answers from the server's stage."""

    stage: Stage

    def do_GET(self) -> None:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # the page went on
            self._answer()

    def _answer(self) -> None:
        path = unquote(urlsplit(self.path).path)
        if path == "/api/events":
            self._follow()
        elif path.startswith(FACES):
            self._face(path.removeprefix(FACES).removesuffix(".jpg"))
        elif path in ("/api/pair/qr.svg", "/api/phone/qr.svg"):
            drawn = io.BytesIO()
            segno.make(self.stage.address).save(drawn, kind="svg", scale=4)
            self._send(200, KINDS[".svg"], drawn.getvalue())
        elif path in self.stage.answers:
            self._json(self.stage.answers[path])
        elif path.startswith("/api/") and path.endswith(".jpg"):
            self._send(200, "image/jpeg", self.stage.picture)
        elif path.startswith("/api/"):
            self._json({"ok": False, "message": "there is no such thing"}, 404)
        else:
            self._static(path)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self._json(self.stage.answers.get(urlsplit(self.path).path, {"ok": True}))

    do_DELETE = do_POST

    def _static(self, path: str) -> None:
        folder = BOARD if self.stage.is_board else PAGE
        file = folder / self.stage.page
        if path.startswith("/static/club/"):
            file = BOARD / path.removeprefix("/static/club/")
        elif path.startswith("/static/"):
            file = PAGE / path.removeprefix("/static/")
        kept = KEPT if path.startswith("/static/") else "no-store"
        self._send(200, KINDS.get(file.suffix, "text/plain"), file.read_bytes(), kept)

    def _face(self, name: str) -> None:
        deck = parse_qs(urlsplit(self.path).query).get("deck", [""])[0]
        if "/" in name:
            of, name = name.split("/")
            deck = game(of).deck
        try:
            self._send(200, "image/jpeg", face_jpeg(deck, name), KEPT)
        except FairdealError as error:
            self._json({"ok": False, "message": str(error)}, 404)

    def _follow(self) -> None:
        name, value = self.stage.event
        closed = self.stage.closed
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.wfile.write(f"event: {name}\ndata: {json.dumps(value)}\n\n".encode())
        self.wfile.flush()
        closed.wait()

    def _json(self, value: Any, status: int = 200) -> None:
        self._send(status, "application/json", json.dumps(value).encode())

    def _send(self, status: int, kind: str, body: bytes, kept: str = "no-store") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", kept)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Nothing is said."""


@contextmanager
def staged_page() -> Iterator[Stage]:
    """A stage on a free port."""
    stage = Stage()
    handler = type("Handler", (_Handler,), {"stage": stage})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    stage.address = f"http://127.0.0.1:{server.server_port}/"
    thread = threading.Thread(target=server.serve_forever, name="staged page")
    thread.start()
    try:
        yield stage
    finally:
        stage.closed.set()
        server.shutdown()
        server.server_close()
        thread.join()
