"""The referee's end of the page: an observer that sends state and pictures to the server.

The loop only leaves its news here. A thread of our own encodes and sends; a server that is away,
slow or hanging costs the game nothing: the thread waits for it, and newer state replaces older.
"""

from __future__ import annotations

import select
import socket
import threading
import time
from collections import deque
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from kiosk.game.inbox import Inbox
from kiosk.game.news import EventJudged, FrameJudged, GameBegan, GameRejudged, News
from kiosk.serving.lines import Lines, bug_line
from kiosk.speech.espeak import EspeakNg
from kiosk.web.acts import Act, Answer, PageActs
from kiosk.web.evidence import Evidence
from kiosk.web.pictures import jpeg
from kiosk.web.shown_calls import CallShown
from kiosk.web.state import PageState, after, sounds_shown
from kiosk.web.topview import TopView, straightened, top_view
from kiosk.web.wire import Decoder, Message, WireError, encode


@dataclass(frozen=True, slots=True)
class LinkSettings:
    """Times in s. `picture_share`: of one core's time, what live pictures may take."""

    tick_s: float = 0.1  # at most ten states and pictures a second
    picture_share: float = 0.03
    send_s: float = 5.0  # a server that takes nothing for so long is left
    retry_s: float = 0.5  # between two attempts to reach the server
    overrule_s: float = 2.0  # until the game has been judged again
    join_s: float = 2.0


class PageLink:
    """An observer (`kiosk.game.observers.Observer`) and a context manager.

    `path`: the server's socket. `act` does what people ask for on the page (press, overrule).
    `inbox`: its plan straightens what the page shows and moves places; its sounds and recording
    are shown.
    """

    name = "page"

    def __init__(
        self,
        path: Path,
        act: Act,
        evidence: Evidence,
        deck: str = "",
        settings: LinkSettings | None = None,
        inbox: Inbox | None = None,
    ) -> None:
        inbox = inbox or Inbox()
        self._plan, self._sounds, self._recording = inbox.plan, inbox.sounds, inbox.recording
        self._can_speak = EspeakNg().is_there
        self._view: tuple[object, TopView] = (None, TopView((0, 0), (0, 0)))
        self._path, self._evidence, self._deck = path, evidence, deck
        self._settings = settings or LinkSettings()
        self._state = PageState()
        self._frame: FrameJudged | None = None
        # What evidence is kept of, in order: a game's number where one begins, then its calls.
        self._calls: deque[GameBegan | CallShown] = deque(maxlen=1000)
        # Frames that wait for the thread, at full size: bounded, the oldest goes first.
        self._samples: deque[FrameJudged] = deque(maxlen=12)
        self._sampled_at = float("-inf")
        self._lock = threading.Lock()
        self._news = threading.Event()
        self._is_stopped = threading.Event()
        self._lines = Lines("page")
        self._acts = PageActs(
            act, inbox, self._shows, self._settle, lambda: self._view[1],
            self._settings.overrule_s,
        )  # fmt: skip
        self._thread = threading.Thread(target=self._run, name="page-link", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_stopped.set()
        self._news.set()
        self._thread.join(self._settings.join_s)

    def hear(self, news: News) -> None:
        """Takes the news; on the loop's thread, without waiting."""
        with self._lock:
            made = self._state.calls_made
            self._state = after(self._state, news)
            if isinstance(news, GameBegan):
                self._calls.append(news)
                if news.is_resumed:  # its calls so far keep their numbers
                    last = self._evidence.last(news.number)
                    self._state = replace(self._state, calls_made=last)
            if isinstance(news, FrameJudged):
                self._frame = news
                self._sample(news)
            elif isinstance(news, EventJudged):
                self._calls.extend(call for call in self._state.calls if call.n > made)
            elif isinstance(news, GameRejudged):
                self._acts.hear(news)
        if not isinstance(news, FrameJudged):  # frames wait for the next tick
            self._news.set()

    @property
    def calls_made(self) -> int:
        """The number of the newest call; 0 without any."""
        with self._lock:
            return self._state.calls_made

    # -- the thread -------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._is_stopped.is_set():
            try:
                with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
                    connection.settimeout(self._settings.send_s)
                    connection.connect(str(self._path))
                    self._talk(connection)
            except (OSError, WireError):
                self._rest(self._settings.retry_s)
            except Exception as error:  # a fault of ours must not end the page while the game runs
                line = bug_line(error)
                self._lines.say(f"link:{line}", f"the page's link failed and begins anew: {line}")
                self._is_stopped.wait(self._settings.retry_s)
        self._keep_evidence()
        self._evidence.finish()

    def _rest(self, seconds: float) -> None:
        """Waits while the server is away; evidence is kept all the same."""
        until = time.monotonic() + seconds
        while time.monotonic() < until and not self._is_stopped.is_set():
            self._keep_evidence()
            self._is_stopped.wait(self._settings.tick_s)

    def _talk(self, connection: socket.socket) -> None:
        """Sends until the connection ends. Raises OSError or WireError."""
        decoder, wants_pictures, last_frame = Decoder(), False, -1
        picture_due = 0.0
        self._acts.forget()
        last_body: dict[str, Any] = {}
        while True:
            self._news.wait(self._settings.tick_s)
            self._news.clear()
            state, frame = self._keep_evidence()
            view = self._seen_from_above(frame)
            body = straightened(state.to_json(), view, self._plan.moved)
            body["sounds"] = sounds_shown(self._sounds, self._can_speak)
            body["recording"] = self._recording.shown()
            if body["game"] is not None:
                body["game"]["deck"] = self._deck
            if body != last_body:
                last_body = body
                connection.sendall(encode(Message("state", body)))
            is_due = wants_pictures and time.monotonic() >= picture_due
            if is_due and frame is not None and frame.frame.number != last_frame:
                last_frame, began = frame.frame.number, time.thread_time()
                picture = jpeg(view.straightened(frame.frame.bgr))
                connection.sendall(encode(Message("picture", {}, picture)))
                took = time.thread_time() - began
                picture_due = time.monotonic() + took / self._settings.picture_share
            if self._is_stopped.is_set():
                return
            for message in received(connection, decoder):
                if message.kind == "want":
                    wants_pictures = bool(message.body.get("pictures"))
                elif message.kind == "act":
                    number, wish = message.body.get("id"), message.body.get("wish")
                    answer = self._acts.begin(number, wish, time.monotonic())
                    if answer is not None:
                        self._answer(connection, number, answer)
                        self._news.set()
            for number, answer in self._acts.due(time.monotonic()):
                self._answer(connection, number, answer)

    def _answer(self, connection: socket.socket, number: Any, answer: Answer) -> None:
        connection.sendall(encode(Message("answer", {**answer, "id": number})))

    def _shows(self) -> PageState:
        with self._lock:
            return self._state

    def _settle(self, n: int) -> None:
        with self._lock:
            self._state = replace(self._state, settled=self._state.settled | {n})

    def _seen_from_above(self, frame: FrameJudged | None) -> TopView:
        """The view of the table from above; computed again where the scene knows its plane anew."""
        if frame is None:
            return self._view[1]
        size = (frame.frame.width, frame.frame.height)
        seen = self._plan.seen(size)
        if (size, seen) != self._view[0]:
            self._view = ((size, seen), top_view(size, seen))
        return self._view[1]

    def _keep_evidence(self) -> tuple[PageState, FrameJudged | None]:
        with self._lock:
            state, frame = self._state, self._frame
            calls, samples = list(self._calls), list(self._samples)
            self._calls.clear()
            self._samples.clear()
        for sample in samples:
            self._evidence.see(sample)
        for call in calls:
            if isinstance(call, GameBegan):
                self._evidence.begin(call.number, is_resumed=call.is_resumed)
            else:
                self._evidence.expect(call)
        self._evidence.write_due(state.at)
        return state, frame

    def _sample(self, news: FrameJudged) -> None:
        """Keeps a frame for evidence where the last one lies far enough back."""
        if not 0.0 <= news.at - self._sampled_at < self._evidence.apart_s:
            self._sampled_at = news.at
            self._samples.append(news)


def received(connection: socket.socket, decoder: Decoder) -> list[Message]:
    """What has come so far; waits for nothing. Raises OSError where the server is gone."""
    # A socket with a timeout waits in recv, whatever its flags say.
    if not select.select([connection], [], [], 0.0)[0]:
        return []
    data = connection.recv(1 << 16)
    if not data:
        raise ConnectionResetError("the page's server closed the connection")
    return decoder.feed(data)
