"""The page beside a running game: the server as a child process, and the observer that feeds it."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from host import children
from host.scratch import scratch_folder
from kiosk.game.inbox import Inbox
from kiosk.game.paths import default_journal
from kiosk.game.recording import RecordSwitch
from kiosk.game.sounds import Sounds
from kiosk.serving.schema import checked
from kiosk.speech.espeak import EspeakNg
from kiosk.web.evidence import Evidence
from kiosk.web.link import LinkSettings, PageLink
from kiosk.web.messages import GameAct, OverruleEvent, Press, Record, SetSounds
from rules.errors import FairdealError
from rules.table.event import Pressed

READY_S = 60.0  # a Pi imports the server in a few seconds, a loaded machine in many
STOP_S = 5.0
PAUSES_S = (0.5, 1.0, 2.0, 5.0, 10.0)  # before a server that ended is started again


@dataclass(frozen=True, slots=True)
class PagePlace:
    """Where the page listens, and the folder of its evidence and its list of paired devices."""

    host: str
    port: int
    folder: Path


def page_folder() -> Path:
    """The folder of evidence and paired devices, beside the default journal."""
    return default_journal().parent / "page"


@contextmanager
def served_page(
    place: PagePlace, deck: str, inbox: Inbox, say: Callable[[str], None],
    settings: LinkSettings | None = None,
) -> Iterator[PageLink]:  # fmt: skip
    """Serves the page while the game runs. Yields the observer for the game's company.

    `deck`: a shipped deck's name or a deck folder, for the pictures of faces. Raises FairdealError
    where the server cannot listen.
    """
    with scratch_folder() as runtime:
        path = runtime / "page"
        evidence = Evidence(place.folder / "evidence", say)
        act = press_into(inbox)
        with (
            ServerProcess(place, path, say),
            PageLink(path, act, evidence, deck, settings, inbox) as link,
        ):
            yield link


@contextmanager
def linked_page(
    path: Path, deck: str, inbox: Inbox, say: Callable[[str], None]
) -> Iterator[PageLink]:
    """The observer that feeds a server that listens, now or later, on the socket `path`."""
    evidence = Evidence(page_folder() / "evidence", say)
    with PageLink(path, press_into(inbox), evidence, deck, inbox=inbox) as link:
        yield link


def press_into(inbox: Inbox) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """What page and club may have done in a game: buttons pressed, events overruled, sounds set.

    What is none of these (kiosk/web/messages.py: GameAct) is refused; nothing is raised.
    """

    def act(body: dict[str, Any]) -> dict[str, Any]:
        try:
            wish: GameAct = checked(GameAct, body)
        except FairdealError as error:
            return {"ok": False, "message": str(error)}
        match wish:
            case Press():
                is_taken = inbox.press(Pressed(0.0, wish.button, wish.seat))
            case OverruleEvent():
                ruling = wish.ruling
                if ruling is None:
                    return {"ok": False, "message": "expected a card or a seat, found none"}
                is_taken = inbox.overrule(ruling)
            case SetSounds():
                return _set_sounds(inbox.sounds, wish)
            case Record():
                return _record(inbox.recording, wish)
        return {"ok": True} if is_taken else {"ok": False, "message": "too many acts wait"}

    return act


def _set_sounds(sounds: Sounds, wish: SetSounds) -> dict[str, Any]:
    if wish.speak and not EspeakNg().is_there:
        return {"ok": False, "message": "no espeak-ng is installed; sudo apt install espeak-ng"}
    if wish.speak is not None:
        sounds.speak(wish.speak)
    if wish.mute_s is not None:
        sounds.mute(float(wish.mute_s))
    return {"ok": True}


def _record(switch: RecordSwitch, wish: Record) -> dict[str, Any]:
    if not switch.turn(on=wish.on):
        return {"ok": False, "message": "this game cannot be recorded; start it on the page"}
    return {"ok": True}


class ServerProcess:
    """The server as a child: started, watched, started again when it ends, stopped at the end."""

    def __init__(self, place: PagePlace, socket_path: Path, say: Callable[[str], None]) -> None:
        self._say = say
        self._words = [
            sys.executable, "-m", "kiosk.web.server", "--link", str(socket_path),
            "--folder", str(place.folder),
            "--host", place.host, "--port", str(place.port),
        ]  # fmt: skip
        self._child: subprocess.Popen[bytes] | None = None
        self._is_stopped = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="page-server", daemon=True)

    def __enter__(self) -> Self:
        self._start()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_stopped.set()
        child = self._child
        if child is not None:
            child.terminate()
            try:
                child.wait(STOP_S)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait(STOP_S)
        self._thread.join(STOP_S)

    def _start(self) -> None:
        """Starts the child and waits until it listens. Raises FairdealError with its reason."""
        child = children.start(self._words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self._child = child
        if self._is_stopped.is_set():  # meanwhile; whoever stops it may not have seen this one
            child.terminate()
        killer = threading.Timer(READY_S, child.kill)
        killer.start()
        assert child.stdout is not None and child.stderr is not None
        try:
            line = child.stdout.readline().decode("utf-8", "replace").strip()
        except BaseException:  # a signal ends this program
            child.kill()
            raise
        finally:
            killer.cancel()
        if not line.startswith("page: "):
            why = child.stderr.read().decode("utf-8", "replace").strip().splitlines()
            child.wait()
            found = why[-1] if why else f"none after {READY_S:g} s"
            raise FairdealError("a page server that listens", found, "mend --port or --host")
        self._say(line)

    def _watch(self) -> None:
        tries = 0
        while not self._is_stopped.is_set():
            child = self._child
            if child is not None:
                assert child.stderr is not None
                with child:  # waits for its end, and closes its pipes
                    child.stderr.read()  # ends with the child
            if self._is_stopped.wait(PAUSES_S[min(tries, len(PAUSES_S) - 1)]):
                return
            tries += 1
            try:
                self._start()
                tries = 0
            except FairdealError as error:
                self._child = None
                self._say(f"page: {error}")
