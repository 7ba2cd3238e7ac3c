"""Where a phone's pictures leave the server: a local socket, read by the one who films."""

from __future__ import annotations

import asyncio
import errno

from rules.errors import FairdealError
from vision.sources.phone_wire import HEADER, NO_PICTURE, is_own

MOST_READERS = 4


class Outlet:
    """Gives the newest picture to each reader; one that is still busy with the last is left out."""

    def __init__(self) -> None:
        self._readers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None
        self._newest: bytes | None = None
        self._words = "none"

    @property
    def is_read(self) -> bool:
        """Whether somebody looks at the pictures."""
        return bool(self._readers)

    async def open(self, address: str) -> None:
        """Listens at an address without a file. Raises FairdealError: another server does."""
        try:
            self._server = await asyncio.start_unix_server(self._serve, address)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise FairdealError(
                    "one page on this machine to which phones bring pictures", "another one",
                    "end the other one",
                ) from error  # fmt: skip
            found = error.strerror or str(error)
            raise FairdealError("Linux, for a phone's pictures", found) from error

    async def close(self) -> None:
        """Gives the socket back."""
        if self._server is not None:
            self._server.close()
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
        if not is_own(writer.get_extra_info("socket")) or len(self._readers) >= MOST_READERS:
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
