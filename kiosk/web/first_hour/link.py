"""The set-up's end of the page: sends state and pictures, takes orders."""

from __future__ import annotations

import socket
import threading
from pathlib import Path
from typing import Any, Self

from kiosk.serving.lines import Lines, bug_line
from kiosk.serving.schema import checked, shown
from kiosk.web.first_hour.desk import Desk, Order
from kiosk.web.first_hour.messages import OrderGiven
from kiosk.web.link import received
from kiosk.web.pictures import jpeg
from kiosk.web.wire import Decoder, Message, WireError, encode
from rules.errors import FairdealError

TICK_S = 0.1  # at most ten states and pictures a second
SEND_S = 5.0
RETRY_S = 0.5
JOIN_S = 2.0


class HourLink:
    """A context manager; its thread talks to the server's socket `path` and comes again."""

    def __init__(self, path: Path, desk: Desk, known: frozenset[str]) -> None:
        """`known`: the names of all orders."""
        self._path, self._desk, self._known = path, desk, known
        self._lines = Lines("first hour")
        self._is_stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="first-hour-link", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_stopped.set()
        self._thread.join(JOIN_S)

    def _run(self) -> None:
        while not self._is_stopped.is_set():
            try:
                with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
                    connection.settimeout(SEND_S)
                    connection.connect(str(self._path))
                    self._talk(connection)
            except (OSError, WireError):
                self._is_stopped.wait(RETRY_S)
            except Exception as error:  # a fault of ours must not end the page of the set-up
                line = bug_line(error)
                self._lines.say(f"link:{line}", f"the page's link failed and begins anew: {line}")
                self._is_stopped.wait(RETRY_S)

    def _talk(self, connection: socket.socket) -> None:
        """Sends until the connection ends. Raises OSError or WireError."""
        decoder, wants_pictures, last = Decoder(), False, -1
        sent: dict[str, Any] = {}
        while not self._is_stopped.wait(TICK_S):
            body = {"hour": self._desk.state.to_json()}
            if body != sent:
                sent = body
                connection.sendall(encode(Message("hour", body)))
            frame = self._desk.frame
            if wants_pictures and frame is not None and frame.number != last:
                last = frame.number
                connection.sendall(encode(Message("picture", {}, jpeg(frame.bgr))))
            for message in received(connection, decoder):
                if message.kind == "want":
                    wants_pictures = bool(message.body.get("pictures"))
                elif message.kind == "act":
                    answer = {**self._take(message.body.get("wish")), "id": message.body.get("id")}
                    connection.sendall(encode(Message("answer", answer)))

    def _take(self, wish: object) -> dict[str, Any]:
        try:
            given = checked(OrderGiven, wish)
            if given.order not in self._known:
                raise FairdealError(f"one of {', '.join(sorted(self._known))}", shown(given.order))
        except FairdealError as error:
            return {"ok": False, "message": str(error)}
        if not self._desk.put(Order(given.order, given.values)):
            return {"ok": False, "message": "too many orders wait; try again"}
        return {"ok": True}
