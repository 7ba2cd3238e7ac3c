"""Connections within bounds: how many, how many of one address, how long a request may take.

uvicorn accepts whatever comes and waits for ever for a request. Here a connection that is over a
bound is closed at once, and one whose request does not come in time is closed too. The table's own
screen, on this machine, has connections reserved.
"""

from __future__ import annotations

import asyncio
import resource
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import h11
import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol

from host.stopping import stopping
from kiosk.serving.lines import Lines, bug_line
from kiosk.serving.shares import Shares, is_own_address, owner_of

AT_ONCE = 32  # connections that are accepted before one is looked at: far fewer than descriptors
QUEUE = 512  # connections that wait in the kernel: beyond it a client tries again after a second
STOP_S = 2  # how long open pages may take to end when the server stops
SPARE_FILES = 96  # descriptors that are none of connections: journal, camera, children


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Bounds of connections. Times in s.

    `most`: at once; `each`: of one address but this machine's own; `reserved`: for this machine.
    `headers_s`: until a request's headers are there; `body_s`: until its body is.
    `unread_s`: a client that takes in nothing for so long is gone.
    """

    most: int = 400
    each: int = 32
    reserved: int = 64
    headers_s: float = 10.0
    body_s: float = 60.0
    unread_s: float = 30.0


class Gate:
    """Counts the connections of one server, and says what it refuses."""

    def __init__(self, limits: ConnectionLimits, lines: Lines) -> None:
        self.limits, self.lines = limits, lines
        most = min(limits.most, most_by_files())
        self.shares = Shares(most, min(limits.each, most // 2), limits.reserved)

    def lets_in(self, host: str) -> bool:
        """Whether a connection from this address may stay; it is counted then."""
        if self.shares.take(owner_of(host), is_own=is_own_address(host)):
            return True
        self.lines.say("connections", f"a connection from {host or '?'} was refused: "
            f"at most {self.shares.each} of one address, {self.shares.most} in all")  # fmt: skip
        return False

    def leaves(self, host: str) -> None:
        """A connection that was let in is closed."""
        self.shares.give_back(owner_of(host))


def most_by_files() -> int:
    """How many connections the limit of open files allows, each with a file that it sends."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max((soft - SPARE_FILES) // 2, 16)


class GatedConfig(uvicorn.Config):
    """How uvicorn serves a page: within bounds, quietly, and soon at an end."""

    def __init__(self, app: Starlette, gate: Gate) -> None:
        self.gate, app.state.lines = gate, gate.lines
        super().__init__(
            Contained(app, gate.lines), http=GatedProtocol, ws="none", log_config=None,
            access_log=False, lifespan="off", server_header=False, backlog=AT_ONCE,
            timeout_graceful_shutdown=STOP_S,
        )  # fmt: skip


class GatedServer(uvicorn.Server):
    """uvicorn on sockets that listen already. A crowd waits in the kernel's queue, not in ours.

    It ends by the same signals as every program of fairdeal; `serve` returns then.
    """

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """As uvicorn's; asyncio takes one number for both queues."""
        await super().startup(sockets)
        for each in sockets or ():
            each.listen(QUEUE)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """In place of uvicorn's, which would end the process before its caller could tidy up."""
        with stopping(lambda number: self.handle_exit(number, None)):
            yield


class GatedProtocol(H11Protocol):
    """uvicorn's HTTP/1.1 with a gate before it and a deadline for each request."""

    config: GatedConfig

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._host, self._is_in = "", False
        self._deadline: asyncio.TimerHandle | None = None
        self._awaited: object = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Lets the connection in, or closes it."""
        super().connection_made(transport)
        self._host = self.client[0] if self.client else ""
        self._is_in = self.config.gate.lets_in(self._host)
        if not self._is_in:
            transport.abort()
            return
        _give_up_after(transport, self.config.gate.limits.unread_s)
        self._await_request()

    def connection_lost(self, exc: Exception | None) -> None:
        """Makes room for another."""
        super().connection_lost(exc)
        self._end_deadline()
        if self._is_in:
            self._is_in = False
            self.config.gate.leaves(self._host)

    def data_received(self, data: bytes) -> None:
        """Takes what came, and notes what is still awaited."""
        if self._is_in:
            super().data_received(data)
            self._await_request()

    def on_response_complete(self) -> None:
        """The next request may come."""
        super().on_response_complete()
        self._await_request()

    def _await_request(self) -> None:
        """Headers and a body have their time, counted from when each begins; an answer has not."""
        state, limits = self.conn.their_state, self.config.gate.limits
        awaited = (state, self.cycle)
        if awaited == self._awaited:
            return
        self._awaited = awaited
        self._end_deadline()
        seconds = {h11.IDLE: limits.headers_s, h11.SEND_BODY: limits.body_s}.get(state)
        if seconds is not None and not self.transport.is_closing():
            self._deadline = self.loop.call_later(seconds, self.transport.abort)

    def _end_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class Contained:
    """ASGI: what the application did not catch is one line; the client has got a 500."""

    def __init__(self, app: Any, lines: Lines) -> None:
        self._app, self._lines = app, lines

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serves the request."""
        try:
            await self._app(scope, receive, send)
        except Exception as error:
            line = bug_line(error)
            self._lines.say(f"bug:{line}", f"{scope.get('method')} {scope.get('path')}: {line}")


def _give_up_after(transport: asyncio.Transport, seconds: float) -> None:
    """The kernel closes a connection whose other end has taken in nothing for so long (Linux)."""
    option = getattr(socket, "TCP_USER_TIMEOUT", None)
    connection = transport.get_extra_info("socket")
    if option is not None and connection is not None:
        connection.setsockopt(socket.IPPROTO_TCP, option, int(seconds * 1000))
