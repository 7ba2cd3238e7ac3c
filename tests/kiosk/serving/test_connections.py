"""A real socket under crowds, half requests and silence: the table's own screen is served."""

import asyncio
import contextlib
import resource

import pytest
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import Route

from kiosk.serving.answers import body_as, refused
from kiosk.serving.connections import (
    SPARE_FILES,
    ConnectionLimits,
    Gate,
    GatedConfig,
    GatedServer,
)
from kiosk.serving.lines import Lines
from kiosk.serving.listening import bound, checked_port
from rules.errors import FairdealError

STRANGER, OTHER = "127.0.0.2", "127.0.0.3"  # loopback too, but not this machine's own name
WAIT_S = 60.0  # an upper bound
GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
LIMITS = ConnectionLimits(most=20, each=6, reserved=4, headers_s=0.2, body_s=0.2)
PATIENT = ConnectionLimits(most=20, each=6, reserved=4)


async def hello(request: Request):
    return PlainTextResponse("hello")


async def take(request: Request):
    return PlainTextResponse(str(await body_as(request, dict)))


async def bug(request: Request):
    raise KeyError("a bug\nof ours")


async def endless(request: Request):
    async def stream():
        while True:
            yield b"x"
            await asyncio.sleep(0.01)

    return StreamingResponse(stream())


@contextlib.asynccontextmanager
async def served(limits):
    """The port of a server in this event loop, what it said, and its gate."""
    said = []
    routes = [
        Route("/", hello), Route("/take", take, methods=["POST"]), Route("/bug", bug),
        Route("/endless", endless),
    ]  # fmt: skip
    app = Starlette(routes=routes, exception_handlers={HTTPException: refused})
    gate = Gate(limits, Lines("test", said.append))
    listening = bound("0.0.0.0", 0)
    server = GatedServer(GatedConfig(app, gate))
    server.capture_signals = contextlib.nullcontext
    work = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        async with asyncio.timeout(WAIT_S):
            yield listening.getsockname()[1], said, gate
    finally:
        server.should_exit = server.force_exit = True
        await work


async def connect(port, host="127.0.0.1"):
    return await asyncio.open_connection("127.0.0.1", port, local_addr=(host, 0))


async def asked(port, request=GET, host="127.0.0.1"):
    """The whole answer to one request; empty where the connection was closed."""
    reader, writer = await connect(port, host)
    writer.write(request.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n", 1))
    try:
        return await reader.read()
    except ConnectionError:
        return b""
    finally:
        writer.close()


async def is_closed(reader):
    try:
        return await reader.read() == b""
    except ConnectionError:
        return True


def test_one_address_has_its_share_and_this_machine_is_served():
    async def play():
        async with served(PATIENT) as (port, said, gate):
            crowd = [await connect(port, STRANGER) for _ in range(60)]
            closed = [asyncio.ensure_future(is_closed(reader)) for reader, _ in crowd]
            while sum(task.done() for task in closed) < 60 - PATIENT.each:
                await asyncio.sleep(0.01)
            assert b"hello" in await asked(port)
            assert b"hello" in await asked(port, host=OTHER)
            assert not await asked(port, host=STRANGER)
            assert gate.shares.total <= PATIENT.each + 2
            assert len(said) == 1 and "127.0.0.2 was refused: at most 6" in said[0]
            for task in closed:
                task.cancel()

    asyncio.run(play())


def test_many_addresses_leave_what_is_reserved_for_this_machine():
    async def play():
        async with served(PATIENT) as (port, _, gate):
            crowd = [await connect(port, f"127.0.0.{2 + n % 40}") for n in range(120)]
            while gate.shares.total < PATIENT.most - PATIENT.reserved:
                await asyncio.sleep(0.01)
            assert b"hello" in await asked(port)
            assert gate.shares.total <= PATIENT.most
            for _, writer in crowd:
                writer.close()

    asyncio.run(play())


@pytest.mark.parametrize(
    "sent",
    [
        b"", b"GET / HTTP/1.1\r\nHost: x\r\n", b"POST /take HTTP/1.1\r\nHost: x\r\n"
        b"Content-Length: 100\r\n\r\n{", GET + b"GET / HT",
    ],
)  # fmt: skip
def test_a_request_that_never_comes_is_given_up(sent):
    async def play():
        async with served(LIMITS) as (port, _, gate):
            reader, writer = await connect(port, STRANGER)
            writer.write(sent)
            with contextlib.suppress(ConnectionError):
                await reader.read()
            while gate.shares.total:
                await asyncio.sleep(0.01)
            writer.close()

    asyncio.run(play())


def test_headers_that_trickle_in_are_given_up_too():
    async def play():
        async with served(LIMITS) as (port, _, gate):
            reader, writer = await connect(port, STRANGER)
            end = asyncio.ensure_future(is_closed(reader))
            writer.write(b"GET / HTTP/1.1\r\n")
            while not end.done():
                writer.write(b"X-More: 1\r\n")
                await asyncio.sleep(0.02)
            assert end.result() and gate.shares.total == 0

    asyncio.run(play())


def test_an_answer_may_take_as_long_as_it_likes():
    async def play():
        async with served(LIMITS) as (port, _, gate):
            reader, writer = await connect(port, STRANGER)
            writer.write(GET.replace(b"/ ", b"/endless ", 1))
            until = asyncio.get_running_loop().time() + 4 * LIMITS.headers_s
            while asyncio.get_running_loop().time() < until:
                assert await reader.read(1 << 16)
            assert gate.shares.total == 1
            writer.close()

    asyncio.run(play())


def test_bodies_that_break_off_are_one_line():
    async def play():
        async with served(PATIENT) as (port, said, gate):
            for _ in range(30):
                _, writer = await connect(port)
                writer.write(b"POST /take HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n{")
                await writer.drain()
                writer.close()
            while gate.shares.total or not said:
                await asyncio.sleep(0.01)
            assert said == ["test: POST /take: the request broke off"]

    asyncio.run(play())


def test_a_bug_of_ours_is_one_line_and_a_500():
    async def play():
        async with served(PATIENT) as (port, said, _):
            for _ in range(5):
                assert b" 500 " in await asked(port, GET.replace(b"/ ", b"/bug ", 1))
            (line,) = said
            assert line.startswith("test: GET /bug: KeyError") and "test_connections.py" in line

    asyncio.run(play())


def test_connections_stay_below_the_limit_of_open_files(monkeypatch):
    for soft in (64, 256, 1024, 65536):
        monkeypatch.setattr(resource, "getrlimit", lambda _, soft=soft: (soft, soft))
        gate = Gate(ConnectionLimits(), Lines("test", print))
        assert 16 <= gate.shares.most <= 400
        if soft >= 2 * SPARE_FILES:
            assert 2 * gate.shares.most + SPARE_FILES <= soft


@pytest.mark.parametrize("host", ["", " ", "no.such.host.invalid", "a" * 300, "999.1.1.1"])
def test_a_host_that_is_none_is_one_line(host):
    with pytest.raises(FairdealError, match="mend --host"):
        bound(host, 0)


def test_a_port_that_is_none_is_one_line():
    with pytest.raises(FairdealError, match="mend --port"):
        checked_port(65536)
