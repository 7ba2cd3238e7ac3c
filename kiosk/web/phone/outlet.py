"""Where a phone's pictures leave the server: a local socket, read by the one who films."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from pathlib import Path

from kiosk.serving.listening import checked_path
from rules.errors import FairdealError
from vision.sources.phone_wire import HEADER, NO_PICTURE
from vision.sources.private import make_private

MOST_READERS = 4


class Outlet:
    """Gives the newest picture to each reader; one that is still busy with the last is left out."""

    def __init__(self) -> None:
        self._readers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None
        self._path: Path | None = None
        self._newest: bytes | None = None
        self._words = "none"

    @property
    def is_read(self) -> bool:
        """Whether somebody looks at the pictures."""
        return bool(self._readers)

    async def open(self, path: Path) -> None:
        """Listens at `path`. Raises FairdealError: another server does, or it is not ours."""
        checked_path(path)
        try:
            make_private(path.parent)
            if _is_answered(path):
                raise FairdealError(
                    "one page on this machine to which phones bring pictures", "another one",
                    "end the other one",
                )  # fmt: skip
            path.unlink(missing_ok=True)
            self._server = await asyncio.start_unix_server(self._serve, os.fspath(path))
            os.chmod(path, 0o600)
        except OSError as error:
            raise FairdealError(
                "a local socket for a phone's pictures", f"{path}: {error.strerror}", "remove it"
            ) from error
        self._path = path

    async def close(self) -> None:
        """Gives the socket back."""
        if self._server is not None and self._path is not None:
            self._server.close()
            self._path.unlink(missing_ok=True)
        for each in self._readers:
            each.close()

    def give(self, at: float, data: bytes) -> None:
        """A picture that was taken `at` (s, monotonic)."""
        self._newest = HEADER.pack(at, len(data)) + data
        for each in self._readers:
            if each.transport.get_write_buffer_size() == 0:
                each.write(self._newest)

    def tell(self, words: str) -> None:
        """No pictures come; `words` say why."""
        self._newest, self._words = None, words
        for each in self._readers:
            each.write(_said(words))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._readers) >= MOST_READERS:
            writer.close()
            return
        self._readers.add(writer)
        try:
            writer.write(_said(self._words) if self._newest is None else self._newest)
            await reader.read()  # it sends nothing: this ends with it
        except ConnectionError:
            pass
        finally:
            self._readers.discard(writer)
            writer.close()


def _said(words: str) -> bytes:
    text = words.encode()
    return HEADER.pack(NO_PICTURE, len(text)) + text


def _is_answered(path: Path) -> bool:
    """Whether a server listens there."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asking, contextlib.suppress(OSError):
        asking.connect(os.fspath(path))
        return True
    return False
