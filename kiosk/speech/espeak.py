"""espeak-ng as a synthesiser: one process a sentence, stopped when it takes too long."""

from __future__ import annotations

import shutil
import subprocess
import threading
from dataclasses import dataclass

from host import children

LONGEST_S = 15.0  # a sentence that takes longer is cut off
POLL_S = 0.05
WORDS_A_MINUTE = 160


@dataclass(frozen=True, slots=True)
class EspeakNg:
    """Says sentences by a local `espeak-ng`. `options`: more of its arguments."""

    command: str = "espeak-ng"
    options: tuple[str, ...] = ()

    @property
    def is_there(self) -> bool:
        """Whether it is installed."""
        return shutil.which(self.command) is not None

    def say(self, text: str, language: str, stop: threading.Event) -> str:
        """Says the text and waits for its end. Returns what went wrong, or nothing.

        The text goes through the pipe: nothing in it can be taken for an option.
        """
        words = [self.command, "-v", language, "-s", str(WORDS_A_MINUTE), "--stdin", *self.options]
        child = children.start(
            words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        said = threading.Event()
        found: list[bytes] = []

        def talk() -> None:
            found.append(child.communicate(text.encode())[1] or b"")
            said.set()

        thread = threading.Thread(target=talk, name="speech-espeak", daemon=True)
        thread.start()
        left_s = LONGEST_S
        while not said.wait(POLL_S) and not stop.is_set() and left_s > 0:
            left_s -= POLL_S
        if not said.is_set():
            child.kill()
        thread.join(1.0)
        if not child.returncode or child.returncode < 0:
            return ""
        lines = b"".join(found).decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else f"exit code {child.returncode}"
