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
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from kiosk.game.inbox import Inbox
from kiosk.game.news import EventJudged, FrameJudged, GameBegan, GameRejudged, News
from kiosk.speech.espeak import EspeakNg
from kiosk.web.evidence import Evidence
from kiosk.web.pictures import jpeg
from kiosk.web.shown_calls import CallShown
from kiosk.web.state import PageState, after, sounds_shown
from kiosk.web.topview import TopView, straightened, top_view
from kiosk.web.wire import Decoder, Message, WireError, encode
from rules.games import game as game_named

NO_CALL = {"ok": False, "message": "expected a call that the page shows, found none"}

# What the page asks of the running game: its answer goes back to the page.
Act = Callable[[dict[str, Any]], dict[str, Any]]


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
    `inbox`: its plan straightens what the page shows and moves places; its sounds are shown.
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
        self._plan, self._sounds, self._look = inbox.plan, inbox.sounds, inbox.look
        self._can_speak = EspeakNg().is_there
        self._view: tuple[object, TopView] = (None, TopView((0, 0), (0, 0)))
        self._path, self._act, self._evidence, self._deck = path, act, evidence, deck
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
        self._rejudged = threading.Event()
        self._changed: int | None = None
        self._pending: tuple[Any, float] | None = None  # an overruling's id, and when it is late
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
                self._changed = news.changed
                self._rejudged.set()
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
        last_body: dict[str, Any] = {}
        while True:
            self._news.wait(self._settings.tick_s)
            self._news.clear()
            state, frame = self._keep_evidence()
            view = self._seen_from_above(frame)
            body = straightened(state.to_json(), view, self._plan.moved)
            body["sounds"] = sounds_shown(self._sounds, self._can_speak)
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
                    self._begin_act(connection, message.body)
            self._answer_overruling(connection)

    def _begin_act(self, connection: socket.socket, body: dict[str, Any]) -> None:
        """Has the game do what the page asks. An overruling is answered once it was judged."""
        number = body.get("id")
        is_overruling = body.get("act") == "overrule"
        does = {
            "overrule": self._overrule, "move": self._move, "look": self._look_again,
            "settle": self._settle,
        }.get(str(body.get("act")), self._act)  # fmt: skip
        answer = does(body)
        if is_overruling and answer.get("ok"):
            self._pending = (number, time.monotonic() + self._settings.overrule_s)
            return
        connection.sendall(encode(Message("answer", {**answer, "id": number})))
        self._news.set()

    def _overrule(self, body: dict[str, Any]) -> dict[str, Any]:
        call = self._call(body)
        if call is None:
            return NO_CALL
        self._rejudged.clear()
        return self._act({**body, "event": call.event})

    def _look_again(self, body: dict[str, Any]) -> dict[str, Any]:
        """The referee looks at a call's card again; a face that is sure now answers for people."""
        call = self._call(body)
        if call is None or call.place is None:
            return NO_CALL
        looked = self._look.look(call.place)
        if looked is None:
            return {"ok": True, "card": None}
        if looked.is_sure:
            self._act({"act": "overrule", "event": call.event, "verdict": "card",
                       "card": looked.card})  # fmt: skip
        sure = round(looked.sure, 3)
        return {"ok": True, "card": looked.card, "sure": sure, "is_sure": looked.is_sure}

    def _settle(self, body: dict[str, Any]) -> dict[str, Any]:
        """People leave a call as it is: its question needs no answer."""
        call = self._call(body)
        if call is None:
            return NO_CALL
        with self._lock:
            self._state = replace(self._state, settled=self._state.settled | {call.n})
        return {"ok": True}

    def _call(self, body: dict[str, Any]) -> CallShown | None:
        with self._lock:
            return next((c for c in self._state.calls if c.n == body.get("call")), None)

    def _move(self, body: dict[str, Any]) -> dict[str, Any]:
        """Moves a place to a point of the view, or lets the game's layout find it again."""
        with self._lock:
            shown = self._state.game
        place, at = str(body.get("place")), body.get("at")
        if shown is None or not game_named(shown.name).is_place(place, shown.players):
            return {"ok": False, "message": f"expected a place of the game, found {place!a}"}
        if at is None:
            self._plan.free(place)
            return {"ok": True}
        x, y = self._view[1].camera_parts([float(at[0]), float(at[1])])
        if not self._plan.move(place, (float(x), float(y))):
            return {"ok": False, "message": "too many places were moved"}
        return {"ok": True}

    def _seen_from_above(self, frame: FrameJudged | None) -> TopView:
        """The view of the table from above; computed again where the scene knows its plane anew."""
        if frame is None:
            return self._view[1]
        size = (frame.frame.width, frame.frame.height)
        seen = self._plan.seen(size)
        if (size, seen) != self._view[0]:
            self._view = ((size, seen), top_view(size, seen))
        return self._view[1]

    def _answer_overruling(self, connection: socket.socket) -> None:
        if self._pending is None:
            return
        number, until = self._pending
        if self._rejudged.is_set():
            answer: dict[str, Any] = {"ok": True, "changed": self._changed}
        elif time.monotonic() > until:
            answer = {"ok": False, "message": "the referee did not take it; the call stays"}
        else:
            return
        self._pending = None
        connection.sendall(encode(Message("answer", {**answer, "id": number})))

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
