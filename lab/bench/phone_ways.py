"""Ways of a phone's pictures over loopback: JPEG by WebSocket beside VP8 by WebRTC.

A child draws a game and sends it, picture by picture; this process receives and decodes it. Each
picture bears its number, so its way is known by the machine's clock. The libraries are no
dependencies of fairdeal; where one is missing, its name is said.
"""

from __future__ import annotations

import asyncio
import fractions
import json
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from importlib import import_module, metadata
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from host import children
from lab.page.phone import GAME, number_of, with_number
from models.drawing.script import read_script
from rules.errors import FairdealError
from vision.frame import Image
from vision.sources.phone import decoded
from vision.sources.simulated import SimulatedSource

PICTURES, RATE = 240, 15.0
QUALITY = 85  # of JPEG, as the page's
BITS_PER_S = 8_000_000  # of VP8
CLOCK = 90_000  # ticks a second of RTP's video
COMPARED = 12  # every so many pictures are compared with the drawn ones
LATE_S = 5.0  # a picture that has not come by then does not come
# What has to be installed for each way, beside fairdeal.
PACKAGES = {
    "websockets": ("websockets",),
    "aiortc": ("aiortc", "av", "aioice", "cffi", "cryptography", "dnspython", "google-crc32c",
               "ifaddr", "pycparser", "pyee", "pylibsrtp", "pyopenssl"),
}  # fmt: skip
Child = subprocess.Popen[bytes]


@dataclass
class Arrived:
    """What came: when (s, monotonic), by number; some pictures; this process's processor time."""

    at: dict[int, float] = field(default_factory=dict)
    kept: dict[int, Image] = field(default_factory=dict)
    cpu_s: float = 0.0
    began: float | None = None

    def take(self, bgr: Image) -> None:
        """A decoded picture."""
        number = number_of(bgr)
        self.at.setdefault(number, time.monotonic())
        if number % COMPARED == 0:
            self.kept.setdefault(number, bgr)
        self.began = time.process_time() if self.began is None else self.began
        self.cpu_s = time.process_time() - self.began


Receive = Callable[[Child, Arrived], AbstractAsyncContextManager[None]]


def report() -> Iterator[str]:
    """A line for each way."""
    drawn = list(pictures())
    known: dict[str, Receive] = {"websockets": by_socket, "aiortc": by_rtc}
    for way in PACKAGES:
        library(way)
        arrived = Arrived()
        words = [sys.executable, "-m", __name__, way]
        with children.start(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
            try:
                sent = asyncio.run(_received(child, known[way], arrived))
            finally:
                child.terminate()
        yield f"{way}: {_told(sent, arrived, drawn)}; installed {installed_mb(way):.0f} MB"


def _told(sent: dict[int, float], arrived: Arrived, drawn: list[Image]) -> str:
    ages = [1000 * (arrived.at[number] - at) for number, at in sent.items() if number in arrived.at]
    if not ages:
        return f"none of {len(sent)} pictures came"
    p50, p95 = np.percentile(ages, [50, 95])
    psnr = np.median([cv2.PSNR(drawn[number], bgr) for number, bgr in arrived.kept.items()])
    cpu_ms = 1000 * arrived.cpu_s / max(len(arrived.at) - 1, 1)
    return (
        f"{len(ages)} of {len(sent)} pictures; from the sender to the decoded picture p50 "
        f"{p50:.0f} ms, p95 {p95:.0f} ms; {cpu_ms:.1f} ms of the receiver's processor a picture; "
        f"PSNR {psnr:.1f} dB"
    )


def pictures() -> Iterator[Image]:
    """The drawn game, each picture with its number."""
    source = SimulatedSource(read_script(str(GAME)))
    for frame in islice(iter(source.read, None), PICTURES):
        yield with_number(frame.bgr, frame.number)


def library(name: str) -> Any:
    """A library that only this measurement needs. Raises FairdealError."""
    try:
        return import_module(name)
    except ImportError as error:
        raise FairdealError(f"the library {name}", "none", f"pip install {name}") from error


def installed_mb(way: str) -> float:
    """What a way takes on the disk."""
    found = [metadata.distribution(name) for name in PACKAGES[way]]
    paths = [Path(str(one.locate_file(file))) for one in found for file in one.files or ()]
    return sum(path.stat().st_size for path in paths if path.is_file()) / 1e6


# -- receiving ------------------------------------------------------------------------------


async def _received(child: Child, receive: Receive, arrived: Arrived) -> dict[int, float]:
    """Receives until the child has sent all; when it sent which."""
    async with receive(child, arrived):
        said = await asyncio.to_thread(_hear, child)
        until = time.monotonic() + LATE_S
        while len(arrived.at) < len(said) and time.monotonic() < until:
            await asyncio.sleep(0.05)
    return {int(number): at for number, at in said.items()}


@asynccontextmanager
async def by_socket(child: Child, arrived: Arrived) -> AsyncIterator[None]:
    """A server of a web socket, to which the child brings JPEGs."""

    async def hear(link: Any) -> None:
        async for data in link:
            bgr = decoded(data)
            if bgr is not None:
                arrived.take(bgr)

    serve = library("websockets.asyncio.server").serve
    async with serve(hear, "127.0.0.1", 0, max_size=None, compression=None) as server:
        _say(child, server.sockets[0].getsockname()[1])
        yield


@asynccontextmanager
async def by_rtc(child: Child, arrived: Arrived) -> AsyncIterator[None]:
    """A peer to which the child sends its track."""
    rtc, tasks = library("aiortc"), []
    peer = rtc.RTCPeerConnection()

    async def hear(track: Any) -> None:
        while True:
            frame = await track.recv()
            arrived.take(frame.to_ndarray(format="bgr24"))

    peer.on("track", lambda track: tasks.append(asyncio.create_task(hear(track))))
    offer = await asyncio.to_thread(_hear, child)
    await peer.setRemoteDescription(rtc.RTCSessionDescription(**offer))
    await peer.setLocalDescription(await peer.createAnswer())
    _say(child, vars(peer.localDescription))
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await peer.close()


def _hear(child: Child) -> Any:
    assert child.stdout is not None
    return json.loads(child.stdout.readline())


def _say(child: Child, words: object) -> None:
    assert child.stdin is not None
    child.stdin.write(json.dumps(words).encode() + b"\n")
    child.stdin.flush()


# -- sending, in a child --------------------------------------------------------------------


class Film:
    """The drawn pictures at their times. When all were sent, it says when each one was."""

    def __init__(self) -> None:
        self._drawn, self._sent = list(pictures()), list[float]()

    async def next(self) -> Image:
        """The next picture, once it is due."""
        if len(self._sent) == len(self._drawn):
            print(json.dumps(dict(enumerate(self._sent))), flush=True)
            await asyncio.Future()  # the parent ends this
        if self._sent:
            due = self._sent[0] + len(self._sent) / RATE
            await asyncio.sleep(due - time.monotonic())
        self._sent.append(time.monotonic())
        return self._drawn[len(self._sent) - 1]


async def send_by_socket(film: Film) -> None:
    """As the page does: each picture a JPEG."""
    connect = library("websockets.asyncio.client").connect
    port = json.loads(sys.stdin.readline())
    async with connect(f"ws://127.0.0.1:{port}", compression=None) as link:
        while True:
            _, data = cv2.imencode(".jpg", await film.next(), (cv2.IMWRITE_JPEG_QUALITY, QUALITY))
            await link.send(data.tobytes())


async def send_by_rtc(film: Film) -> None:
    """A track of VP8."""
    rtc, av, vpx = library("aiortc"), library("av"), library("aiortc.codecs.vpx")
    vpx.DEFAULT_BITRATE = vpx.MAX_BITRATE = BITS_PER_S
    peer, number = rtc.RTCPeerConnection(), 0

    class Track(rtc.VideoStreamTrack):  # type: ignore[name-defined, misc]
        async def recv(self) -> Any:
            nonlocal number
            frame = av.VideoFrame.from_ndarray(await film.next(), format="bgr24")
            frame.pts, frame.time_base = round(number * CLOCK / RATE), fractions.Fraction(1, CLOCK)
            number += 1
            return frame

    peer.addTrack(Track())
    await peer.setLocalDescription(await peer.createOffer())
    print(json.dumps(vars(peer.localDescription)), flush=True)
    answer = json.loads(await asyncio.to_thread(sys.stdin.readline))
    await peer.setRemoteDescription(rtc.RTCSessionDescription(**answer))
    await asyncio.Future()


if __name__ == "__main__":
    asyncio.run({"websockets": send_by_socket, "aiortc": send_by_rtc}[sys.argv[1]](Film()))
