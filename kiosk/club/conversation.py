"""A table's side of the talk with its club: its name, its commands, the questions of boards."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec

from kiosk.club import payloads
from kiosk.club.claim import Claim, ClaimTimes, Stand
from kiosk.club.commands import Answer, Commands
from kiosk.club.homeassistant import discovery
from kiosk.club.mqtt import Broker, Message
from kiosk.club.payloads import AskCalls, AskWho, Available, Question
from kiosk.club.pictures import EvidencePost
from kiosk.club.sending import Sender
from kiosk.club.topics import BIRTH, TableTopics
from kiosk.web.state import PageState
from rules.errors import FairdealError, plain


@dataclass(frozen=True, slots=True)
class Desk:
    """What a conversation works with. `own`: our announcement; `say` prints a line."""

    topics: TableTopics
    own: Available
    broker: Broker
    sender: Sender
    commands: Commands
    post: EvidencePost
    say: Callable[[str], None]
    home_assistant: bool = False
    times: ClaimTimes = field(default_factory=ClaimTimes)


class Conversation:
    """All calls come from the link's thread. `now`: the table's time of day (s since 1970)."""

    def __init__(self, desk: Desk) -> None:
        self._desk, self._own = desk, desk.own
        self._claim = Claim(desk.own, desk.times)
        self._connections, self._announced = 0, -1
        self._is_overwritten = False
        self._refused_by = ""
        self._bad: set[str] = set()

    @property
    def is_ours(self) -> bool:
        """Whether the table's name is ours: only then anything is published."""
        return self._claim.stand is Stand.OURS

    def subscriptions(self) -> tuple[str, ...]:
        """What the table listens to."""
        leaves = ("available", "cmd", "ask", "button")
        topics = tuple(self._desk.topics.of(leaf) for leaf in leaves)
        return (*topics, BIRTH) if self._desk.home_assistant else topics

    def look(self, page: PageState, now: float) -> bool:
        """Takes what came in. Whether we have just announced ourselves: the state is due."""
        self._connect(now)
        self._receive(page, now)
        if self._claim.tick(now):
            self._ask_who()
        if not self.is_ours:
            return False
        late = self._desk.commands.late(now)
        if late is not None:
            self._answer(late)
        if self._announced == self._connections and not self._is_overwritten:
            return False
        self._announced, self._is_overwritten = self._connections, False
        self._desk.sender.publish("available", self._own.to_payload(), is_kept=True)
        self._discover()
        return True

    def rejudged(self, changed: int) -> None:
        """The game was judged again: whoever asked for it is told."""
        answer = self._desk.commands.rejudged(changed)
        if answer is not None and self.is_ours:
            self._answer(answer)

    def leave(self) -> bool:
        """The game is over: the table is offline. Whether there was anything to say."""
        if not (self.is_ours and self._desk.broker.is_connected):
            return False
        self._desk.sender.publish("available", self._own.offline.to_payload(), is_kept=True)
        return True

    # -- the name ---------------------------------------------------------------------------

    def _connect(self, now: float) -> None:
        broker = self._desk.broker
        if not broker.is_connected:
            self._claim.lose()
        elif self._connections != broker.connections or self._claim.stand is Stand.AWAY:
            self._connections = broker.connections
            self._own = msgspec.structs.replace(self._own, address=broker.address)
            self._claim.connect(self._own, now)
            self._desk.sender.reconnected()
            self._ask_who()

    def _ask_who(self) -> None:
        self._desk.sender.publish("ask", {"ask": "who", **self._own.to_payload()})

    def _tell_refusal(self) -> None:
        other, topics = self._claim.other, self._desk.topics
        if other is None or other.session == self._refused_by:
            return
        self._refused_by = other.session
        self._desk.say(plain(
            f"club: expected one table {topics.table} in {topics.club}, found one at {other.shown}"
            f" and this one at {self._own.shown}; rename one in its club file. This game is "
            "refereed all the same, and its calls wait on the disk"
        ))  # fmt: skip

    def _discover(self) -> None:
        desk = self._desk
        if desk.home_assistant:
            device = discovery(desk.topics, self._own.software, desk.commands.press_code)
            data = json.dumps(device, separators=(",", ":")).encode()
            desk.broker.publish(Message(desk.topics.discovery(), data, 1, True))

    # -- what comes in ----------------------------------------------------------------------

    def _receive(self, page: PageState, now: float) -> None:
        received = self._desk.broker.received
        while received:
            message = received.popleft()
            leaf = message.topic.rpartition("/")[2]
            try:
                self._take(message, leaf, page, now)
            except FairdealError as error:
                if leaf not in self._bad:  # said once for each topic: rubbish comes in numbers
                    self._bad.add(leaf)
                    self._desk.say(plain(f"club: {message.topic}: {error}"))

    def _take(self, message: Message, leaf: str, page: PageState, now: float) -> None:
        if message.topic == BIRTH:
            if message.payload == b"online" and self.is_ours:
                self._discover()
        elif leaf == "available":
            if message.payload:
                self._hear_other(message, now)
        elif message.is_kept:
            raise FairdealError(f"no retained message on {leaf}", "one", "clear it at the broker")
        elif leaf == "ask":
            self._take_question(payloads.read_question(message.payload), now)
        elif not self.is_ours:
            return
        elif leaf == "cmd":
            answer = self._desk.commands.command(message.payload, page, now)
            if answer is not None:
                self._answer(answer)
        elif leaf == "button" and self._desk.commands.press(message.payload, now):
            self._discover()  # with the next code

    def _hear_other(self, message: Message, now: float) -> None:
        other = payloads.read(Available, message.payload)
        if self._claim.hear(other, now, is_live=not message.is_kept):
            self._is_overwritten = True
        self._tell_refusal()

    def _take_question(self, asked: Question, now: float) -> None:
        if isinstance(asked, AskWho):
            if self._claim.contend(asked, now):
                self._is_overwritten = True  # announced again: that is the answer
            self._tell_refusal()
            return
        if not self.is_ours or not self._desk.commands.allows_question(now):
            return
        if isinstance(asked, AskCalls):
            self._desk.sender.send_again(asked.session, asked.first, asked.last)
        else:
            self._send_evidence(asked.session, asked.call)

    def _send_evidence(self, session: str, n: int) -> None:
        """The pictures first, then what they are: with it all of them are there."""
        about, pictures = self._desk.post.parts(session, n)
        for name, data in pictures:
            self._desk.sender.publish_bytes(f"evidence/{n}/{name}", data)
        self._desk.sender.publish(f"evidence/{n}/about", {"session": session, "n": n, **about})

    def _answer(self, answer: Answer) -> None:
        self._desk.sender.publish(f"answer/{answer.command}", answer.body)
