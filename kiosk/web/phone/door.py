"""The page over https, on a second port: browsers let a page film nowhere else.

It is opened when it is first needed, and serves the same page by the same rules. A connection
counts from its first byte: a slow handshake is within the bounds too.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool

from kiosk.serving.connections import GatedConfig, GatedProtocol, GatedServer
from kiosk.serving.listening import bound
from kiosk.web.phone.certificate import Certificate, certificate
from rules.errors import FairdealError

USUAL_PORT = 8443
HANDSHAKE_S = 10.0
LOOK_S = 3600.0  # between two looks whether the certificate still holds
REST_S = 1.0  # after a connection that could not be taken


class SecureDoor:
    """https on the page's host, by the rules of `config`; `server` serves already by the same.

    `folder`: of the certificate. `port`: 0 takes a free one; None takes the usual one, or a free
    one where that is taken.
    """

    def __init__(
        self, server: GatedServer, config: GatedConfig, host: str, folder: Path, port: int | None
    ) -> None:
        self._server, self._config = server, config
        self._host, self._folder, self._wish = host, folder, port
        self._certificate: Certificate | None = None
        self._context: ssl.SSLContext | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._opening = asyncio.Lock()
        self.port: int | None = None

    @property
    def was_used(self) -> bool:
        """Whether a certificate was made here before: phones may come by themselves."""
        return self._folder.is_dir()

    @property
    def authority(self) -> Path | None:
        """The file of the authority; None before the door is open."""
        return None if self._certificate is None else self._certificate.authority

    async def open(self) -> int:
        """The port; it listens from now on. Raises FairdealError."""
        async with self._opening:
            if self.port is None:
                if not self._config.loaded:
                    self._config.load()
                self._certificate = await run_in_threadpool(certificate, self._folder)
                self._context = self._certificate.context()
                listening = self._listening()
                listening.setblocking(False)
                self.port = listening.getsockname()[1]
                self._begin(self._accept(listening, self._context))
                self._begin(self._renew(self._context))
            return self.port

    async def close(self) -> None:
        """Takes no more connections."""
        for each in self._tasks:
            each.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _listening(self) -> socket.socket:
        if self._wish is not None:
            return bound(self._host, self._wish)
        try:
            return bound(self._host, USUAL_PORT)
        except FairdealError:
            return bound(self._host, 0)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _accept(self, listening: socket.socket, context: ssl.SSLContext) -> None:
        loop, gate = asyncio.get_running_loop(), self._config.gate
        with listening:
            while True:
                try:
                    connection, address = await loop.sock_accept(listening)
                except OSError:
                    await asyncio.sleep(REST_S)
                    continue
                if gate.lets_in(address[0]):
                    self._begin(self._greet(connection, context, address[0]))
                else:
                    connection.close()

    async def _greet(self, connection: socket.socket, context: ssl.SSLContext, host: str) -> None:
        """The handshake; then the page's protocol, which counts the connection itself."""
        try:
            await asyncio.get_running_loop().connect_accepted_socket(
                self._protocol, connection, ssl=context, ssl_handshake_timeout=HANDSHAKE_S
            )
        except OSError:  # also ssl.SSLError: a phone that does not trust the certificate yet
            connection.close()
        finally:
            self._config.gate.leaves(host)

    def _protocol(self) -> GatedProtocol:
        state = self._server.server_state
        return GatedProtocol(config=self._config, server_state=state, app_state={})

    async def _renew(self, context: ssl.SSLContext) -> None:
        """New connections get the new certificate."""
        while True:
            await asyncio.sleep(LOOK_S)
            with suppress(FairdealError):
                (await run_in_threadpool(certificate, self._folder)).load_into(context)
