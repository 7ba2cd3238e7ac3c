"""The page over https: the same page, within the same bounds, whatever a client does."""

import asyncio
import socket
import ssl
import threading
from contextlib import contextmanager

import pytest
from needed_tools import programs
from patience import PATIENCE_S
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from kiosk.serving.connections import ConnectionLimits, Gate, GatedConfig, GatedServer
from kiosk.serving.lines import Lines
from kiosk.serving.listening import bound
from kiosk.web.phone import door as doors
from kiosk.web.phone.door import SecureDoor

STRANGER = "127.0.0.2"
EACH = 3

pytestmark = pytest.mark.skipif(not programs("openssl")(), reason="no openssl")


class Served:
    """A server on a thread of its own, with its secure door."""

    def __init__(self, folder, limits):
        self.said = []
        app = Starlette(routes=[Route("/", lambda request: PlainTextResponse(request.url.scheme))])
        self.gate = Gate(limits, Lines("page", self.said.append))
        config = GatedConfig(app, self.gate)
        self.server = GatedServer(config)
        self.server.capture_signals = no_signals
        self.door = SecureDoor(self.server, config, "127.0.0.1", folder / "certificate", 0)
        self.ready = threading.Event()
        self.thread = threading.Thread(target=lambda: asyncio.run(self._serve()))

    async def _serve(self):
        listening = bound("127.0.0.1", 0)
        self.plain = listening.getsockname()[1]
        self.port = await self.door.open()
        assert await self.door.open() == self.port  # it is opened once
        self.ready.set()
        await self.server.serve(sockets=[listening])
        await self.door.close()

    def connect(self, host="127.0.0.1"):
        """A connection to the secure port, no byte sent."""
        address = ("127.0.0.1", self.port)
        return socket.create_connection(address, PATIENCE_S, source_address=(host, 0))

    def get(self, host="127.0.0.1"):
        """The page, by a client that trusts this machine's authority alone."""
        trust = ssl.create_default_context(cafile=str(self.door.authority))
        with trust.wrap_socket(self.connect(host), server_hostname="localhost") as link:
            link.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            found = b""
            while part := link.recv(4096):
                found += part
            return found


@contextmanager
def no_signals():
    yield


@pytest.fixture
def served(tmp_path):
    served = Served(tmp_path, ConnectionLimits(each=EACH, headers_s=1.0))
    served.thread.start()
    assert served.ready.wait(PATIENCE_S)
    yield served
    served.server.should_exit = True
    served.thread.join(PATIENCE_S)
    assert not served.thread.is_alive()


def is_closed(link):
    """Whether the server has closed a connection; waits for it."""
    try:
        return link.recv(1) == b""
    except ConnectionResetError:
        return True


def test_the_page_is_served_over_https_to_who_trusts_the_machine(served):
    assert served.get().endswith(b"https")
    with pytest.raises(ssl.SSLCertVerificationError):
        ssl.create_default_context().wrap_socket(served.connect(), server_hostname="localhost")
    assert served.get().endswith(b"https")


def test_a_handshake_that_stalls_counts_and_is_ended(served, monkeypatch):
    held = [served.connect(STRANGER) for _ in range(EACH)]
    beyond = served.connect(STRANGER)
    assert is_closed(beyond) and any("refused" in line for line in served.said)
    assert served.get().endswith(b"https")  # others are served meanwhile
    held[0].sendall(b"GET / HTTP/1.1\r\n\r\n")  # no handshake at all
    assert is_closed(held[0])
    monkeypatch.setattr(doors, "HANDSHAKE_S", 0.05)
    assert is_closed(served.connect("127.0.0.3"))
    for each in (*held, beyond):
        each.close()


def test_what_was_let_in_is_given_back(served, monkeypatch):
    monkeypatch.setattr(doors, "HANDSHAKE_S", 0.05)
    for _ in range(3 * EACH):
        assert is_closed(served.connect(STRANGER))
    assert served.get(STRANGER).endswith(b"https")
    with served.connect(STRANGER) as link:  # a handshake, and then no request
        trust = ssl.create_default_context(cafile=str(served.door.authority))
        monkeypatch.setattr(doors, "HANDSHAKE_S", 10.0)
        with trust.wrap_socket(link, server_hostname="localhost") as secure:
            assert is_closed(secure)
