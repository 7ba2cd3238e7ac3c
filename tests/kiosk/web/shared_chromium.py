"""One Chromium for all tests of a process: each gets a context of its own, as a fresh profile.

Its start takes a second of the processor, a context a twentieth. It ends with the process.
"""

from __future__ import annotations

import atexit
import json
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import websocket
from patience import PATIENCE_S

from host import children
from host.scratch import scratch_folder

FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--hide-scrollbars", "--lang=en", "--remote-debugging-port=0", "--disable-dev-shm-usage",
    # Several windows at once, none of which counts as hidden
    "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding",
    "--disable-background-timer-throttling", "--no-default-browser-check", "about:blank",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Chromium:
    """A running browser. `address`: where its debugger listens; `commands`: its web socket."""

    child: subprocess.Popen[bytes]
    address: str
    commands: str

    @contextmanager
    def window(self, width: int, height: int) -> Iterator[str]:
        """A window of a fresh context, by its handle; nothing of it is left at the end."""
        context = self._do("Target.createBrowserContext")["browserContextId"]
        try:
            yield self._do(
                "Target.createTarget", url="about:blank", browserContextId=context,
                width=width, height=height, newWindow=True,
            )["targetId"]  # fmt: skip
        finally:
            self._do("Target.disposeBrowserContext", browserContextId=context)

    def _do(self, method: str, **params: object) -> dict[str, str]:
        """What a command of the DevTools protocol answers."""
        link = websocket.create_connection(
            self.commands, timeout=PATIENCE_S, suppress_origin=True, enable_multithread=False
        )
        try:
            link.send(json.dumps({"id": 1, "method": method, "params": params}))
            while (answer := json.loads(link.recv())).get("id") != 1:
                pass
        finally:
            link.close()
        assert "result" in answer, answer
        return answer["result"]


def chromium() -> Chromium:
    """The browser of this process; another one where it has crashed."""
    found = _started()
    if found.child.poll() is not None:
        _started.cache_clear()
        found = _started()
    return found


@cache
def _started() -> Chromium:
    with ExitStack() as stack:
        folder = stack.enter_context(scratch_folder())
        words = ["chromium", *FLAGS, f"--user-data-dir={folder}"]
        child = children.start(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        stack.callback(child.wait, PATIENCE_S)
        stack.callback(child.terminate)
        port, path = _listening(child, folder / "DevToolsActivePort")
        found = Chromium(child, f"127.0.0.1:{port}", f"ws://127.0.0.1:{port}{path}")
        atexit.register(stack.pop_all().close)
    return found


def _listening(child: subprocess.Popen[bytes], path: Path) -> tuple[str, str]:
    """Port and path of the debugger, once it listens and shows its first window."""
    until = time.monotonic() + PATIENCE_S
    while True:
        assert child.poll() is None and time.monotonic() < until, "chromium does not start"
        words = path.read_text().split() if path.is_file() else []
        if len(words) == 2 and _has_page(words[0]):
            return words[0], words[1]
        time.sleep(0.02)


def _has_page(port: str) -> bool:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list", timeout=PATIENCE_S) as answer:
        return any(each["type"] == "page" for each in json.load(answer))
