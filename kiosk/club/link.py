"""A table's end of the club: an observer that publishes the game and obeys signed commands.

The loop only leaves its news here. A thread of our own keeps calls on the disk, draws evidence and
speaks to the broker; a broker that is away, slow or full costs the game nothing.
"""

from __future__ import annotations

import secrets
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from kiosk.club import payloads
from kiosk.club.claim import ClaimTimes
from kiosk.club.commands import Act, Commands
from kiosk.club.conversation import Conversation, Desk
from kiosk.club.mqtt import Broker, Message
from kiosk.club.outbox import Outbox
from kiosk.club.payloads import Available, SentCall
from kiosk.club.pictures import EvidencePost
from kiosk.club.sending import Sender
from kiosk.club.settings import ClubFile
from kiosk.club.telling import Told, told_after
from kiosk.club.topics import TableTopics
from kiosk.game.news import FrameJudged, GameRejudged, News
from kiosk.version import version

MOST_WAITING = 10_000  # messages that wait for the thread


@dataclass(frozen=True, slots=True)
class LinkTimes:
    """Times in s."""

    tick_s: float = 0.05  # news of the game are looked for so often
    goodbye_s: float = 3.0  # at the end, for what is still on its way
    join_s: float = 5.0
    claim: ClaimTimes = field(default_factory=ClaimTimes)


class ClubLink:
    """An observer (`kiosk.game.observers.Observer`) and a context manager.

    `folder`: of the queue and the evidence; `act` does what a command asks for in the game.
    """

    name = "club"

    def __init__(
        self,
        club: ClubFile,
        folder: Path,
        act: Act,
        say: Callable[[str], None],
        times: LinkTimes | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Raises FairdealError where the queue or the certificates cannot be used."""
        self._times, self._clock, self._say = times or LinkTimes(), clock, say
        self.session = secrets.token_hex(8)
        topics = TableTopics(club.club, club.table)
        own = Available(
            "online", self.session, clock(), host=socket.gethostname(), software=version()
        )
        self._told = Told()
        # No lock, and nobody is woken: on a busy machine either can cost the game its turn.
        self._waiting: deque[tuple[News, float]] = deque()
        self._woken, self._is_stopped = threading.Event(), threading.Event()
        self._drops = 0
        self._post = EvidencePost(folder / "evidence", self.session, say)
        folder.mkdir(parents=True, exist_ok=True)
        self._outbox = Outbox(folder / "calls.sqlite")
        gone = payloads.text_of(own.offline.to_payload())
        will = Message(topics.of("available"), gone, 1, True)
        client = f"fairdeal-{self.session}"
        self._broker = Broker(club.broker, client, self._woken.set, say, will=will)
        self._sender = Sender(self._broker, topics, self._outbox, say)
        commands = Commands(club.token, club.club, club.table, self.session, act)
        self._talk = Conversation(Desk(
            topics, own, self._broker, self._sender, commands, self._post, say,
            club.home_assistant, self._times.claim,
        ))  # fmt: skip
        self._thread = threading.Thread(target=self._run, name="observer-club", daemon=True)

    def __enter__(self) -> Self:
        self._broker.start(self._talk.subscriptions())
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_stopped.set()
        self._woken.set()
        self._thread.join(self._times.join_s)

    def hear(self, news: News) -> None:
        """Takes the news; on the loop's thread, without waiting."""
        if isinstance(news, FrameJudged):
            self._post.sample(news)
            return
        if len(self._waiting) >= MOST_WAITING:  # the disk has been hanging for minutes
            self._drops += 1
            return
        self._waiting.append((news, self._clock()))

    # -- the thread -------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._is_stopped.is_set():
            self._rest(self._times.tick_s)
            self._turn()
        until = time.monotonic() + self._times.goodbye_s
        self._turn()
        self._drain(until)
        if self._talk.leave():
            self._drain(until, is_leaving=True)
        if self._drops:
            self._say(f"club: {self._drops} messages of the game were dropped: the disk hung")
        self._broker.stop()
        self._outbox.close()

    def _drain(self, until: float, *, is_leaving: bool = False) -> None:
        """Waits until the broker has everything, or is away, or the time is up."""
        while self._broker.is_connected and time.monotonic() < until:
            if is_leaving and self._broker.confirmed:
                return
            if not is_leaving and (self._sender.is_empty or not self._talk.is_ours):
                return
            self._rest(0.05)
            if not is_leaving:
                self._turn()

    def _rest(self, seconds: float) -> None:
        """Waits for the broker, or for the time in which news are looked for."""
        self._woken.wait(seconds)
        self._woken.clear()

    def _turn(self) -> None:
        """One look around: news to the disk, messages in, messages out."""
        told = self._take_news()
        if self._talk.look(told.page, self._clock()):
            calls = {s: n for s, n in self._outbox.sessions().items() if s != self.session}
            earlier = {"session": self.session, "calls": calls}
            self._sender.publish("sessions", earlier, is_kept=True)
            self._set_state(told)
        self._sender.confirm()
        if self._talk.is_ours:
            self._sender.pump(time.monotonic())

    def _take_news(self) -> Told:
        """News into the state and into calls, the calls onto the disk, evidence into pictures."""
        calls: list[SentCall] = []
        changed: list[int] = []
        is_dirty = bool(self._waiting)
        while self._waiting:
            news, at = self._waiting.popleft()
            made = self._told.page.calls_made
            self._told = told_after(self._told, news)
            calls += self._told.calls_after(made, self.session, at)
            if isinstance(news, GameRejudged) and news.overruling is not None:
                changed.append(news.changed)
        self._sender.take(calls)
        self._sender.keep()
        for picture in self._post.work(self._told.page, [call.n for call in calls]):
            if self._talk.is_ours:
                self._sender.publish_bytes("picture", picture, is_kept=True)
        if is_dirty:
            self._set_state(self._told)
        for count in changed:
            self._talk.rejudged(count)
        return self._told

    def _set_state(self, told: Told) -> None:
        sent = round(self._clock(), 3)
        self._sender.set_state({"session": self.session, "sent": sent, **told.to_payload()})
