"""A child process of the page's server: started, listened to, stopped."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections import deque

from host import children
from host.patience import patient
from rules.errors import FairdealError

PROVE_S = 2.0  # a child that ends within this time did not start
STOP_S = 8.0  # until a child that does not stop is killed
WORDS_KEPT = 20
WORD_LENGTH = 300
_PROGRAM = re.compile(r"^fairdeal[a-z ]*: ")


class Child:
    """At most one process. Its last lines on standard error are kept for the health page."""

    def __init__(self, what: str) -> None:
        """`what` it is, in an error: "a referee"."""
        self._what = what
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self.said: deque[str] = deque(maxlen=WORDS_KEPT)

    @property
    def is_running(self) -> bool:
        """Whether it runs now."""
        return self._process is not None and self._process.returncode is None

    @property
    def last_word(self) -> str:
        """Its last line, without the program's name."""
        return _PROGRAM.sub("", self.said[-1]) if self.said else ""

    async def start(self, words: list[str]) -> None:
        """Starts it. Raises FairdealError with its own last line where it ends at once."""
        self.said.clear()
        self._process = process = await children.start_async(
            words, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
        )
        self._reader = asyncio.create_task(self._listen(process))
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), PROVE_S)
        if process.returncode not in (None, 0):
            await self._reader
            found = self.last_word or f"exit code {process.returncode}"
            raise FairdealError(f"{self._what} that starts", found)

    async def ended(self) -> int:
        """Waits for its end; the exit code, 0 where none was started."""
        if self._process is None:
            return 0
        code = await self._process.wait()
        if self._reader is not None:
            await self._reader
        return code

    async def stop(self) -> bool:
        """Asks it to end, and kills it where it does not. False where there was none."""
        process = self._process
        if process is None or process.returncode is not None:
            return False
        process.terminate()
        try:
            await asyncio.wait_for(process.wait(), patient(STOP_S))
        except TimeoutError:
            process.kill()
            await process.wait()
        return True

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        assert process.stderr is not None
        while True:
            try:
                line = await process.stderr.readline()
            except ValueError:  # a line longer than the reader's limit
                continue
            if not line:
                return
            text = line.decode("utf-8", "replace").strip()[:WORD_LENGTH]
            if text:
                self.said.append(text)
