"""Viewers that follow a page as browsers do: events, and each new picture, on connections of
their own.

`python -m lab.page.viewers ADDRESS COUNT` follows until its input ends, then prints how much came.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from subprocess import PIPE
from urllib.parse import urlsplit

from host import children

READY = "following"


@dataclass
class Seen:
    """What all viewers of the process got."""

    states: int = 0
    pictures: int = 0


async def follow(host: str, port: int, seen: Seen) -> None:
    """Follows the events; fetches each new picture that they name, one at a time."""
    reader, writer = await asyncio.open_connection(host, port, limit=1 << 20)
    writer.write(_request("/api/events?pictures=1", host, port))
    fetching: asyncio.Task[None] | None = None
    shown = 0
    while line := await reader.readline():
        if not line.startswith(b"data: "):
            continue
        seen.states += 1
        number = json.loads(line[6:])["picture"]
        if number != shown and (fetching is None or fetching.done()):
            shown = number
            fetching = asyncio.create_task(_fetch(host, port, number, seen))


async def _fetch(host: str, port: int, number: int, seen: Seen) -> None:
    reader, writer = await asyncio.open_connection(host, port)
    writer.write(_request(f"/api/picture.jpg?n={number}", host, port, "close"))
    await reader.read(-1)
    writer.close()
    seen.pictures += 1


def _request(path: str, host: str, port: int, connection: str = "keep-alive") -> bytes:
    head = f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: {connection}\r\n\r\n"
    return head.encode()


async def _run(address: str, count: int) -> Seen:
    parts, seen = urlsplit(address), Seen()
    tasks = [
        asyncio.create_task(follow(parts.hostname or "localhost", parts.port or 80, seen))
        for _ in range(count)
    ]
    while seen.states < count:
        await asyncio.sleep(0.05)
    print(READY, flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    for task in tasks:
        task.cancel()
    return seen


@contextmanager
def viewers(address: str, count: int) -> Iterator[None]:
    """`count` viewers in a process of their own, all of them following."""
    if not count:
        yield
        return
    words = [sys.executable, "-m", "lab.page.viewers", address, str(count)]
    child = children.start(words, stdin=PIPE, stdout=PIPE)
    assert child.stdout is not None and child.stdin is not None
    try:
        if child.stdout.readline().decode().strip() != READY:
            raise RuntimeError("expected viewers that follow the page, found none")
        yield
    finally:
        child.stdin.close()
        child.wait(20)


if __name__ == "__main__":
    print(asyncio.run(_run(sys.argv[1], int(sys.argv[2]))))
