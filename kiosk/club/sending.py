"""What a table publishes, and when: calls in order within a window, of the state the newest."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kiosk.club.mqtt import Broker, Message
from kiosk.club.outbox import DISK_ERRORS, Letter, Outbox
from kiosk.club.payloads import SentCall, text_of
from kiosk.club.topics import TableTopics


@dataclass(frozen=True, slots=True)
class SendLimits:
    """Bounds of what is on its way at once."""

    window: int = 20  # calls that the broker has not confirmed
    again: int = 500  # calls that are sent again at one request
    state_s: float = 0.2  # shortest time between two states
    memory: int = 10_000  # calls that wait in memory while the disk fails


class Sender:
    """One table's outgoing messages. All calls come from one thread."""

    def __init__(
        self,
        broker: Broker,
        topics: TableTopics,
        outbox: Outbox,
        say: Callable[[str], None],
        limits: SendLimits | None = None,
    ) -> None:
        self._broker, self._topics, self._outbox, self._say = broker, topics, outbox, say
        self._limits = limits or SendLimits()
        self._fresh: deque[SentCall] = deque(maxlen=self._limits.memory)
        self._again: deque[Letter] = deque(maxlen=4 * self._limits.again)
        self._calls: dict[int, int] = {}  # ticket → k of calls on their way
        self._last_k = 0
        self._state: dict[str, Any] | None = None
        self._state_ticket = 0
        self._state_number = 0
        self._state_at = float("-inf")
        self._told_lost = 0
        self._is_disk_bad = False

    def take(self, calls: list[SentCall]) -> None:
        """New calls; they go to the disk first."""
        self._fresh.extend(calls)

    def set_state(self, state: dict[str, Any]) -> None:
        """The newest state: what is published next."""
        self._state = state

    def reconnected(self) -> None:
        """The broker may have forgotten everything but what the client sends again by itself."""
        self._state_ticket = 0
        self._state_at = float("-inf")

    def publish(self, leaf: str, payload: dict[str, Any], *, is_kept: bool = False) -> None:
        """A JSON message on one of the table's topics, QoS 1."""
        self._broker.publish(Message(self._topics.of(leaf), text_of(payload), 1, is_kept))

    def publish_bytes(self, leaf: str, data: bytes, *, is_kept: bool = False) -> None:
        """The same with bytes: a picture."""
        self._broker.publish(Message(self._topics.of(leaf), data, 1, is_kept))

    def send_again(self, session: str, first: int, last: int) -> None:
        """A board misses these calls."""
        self._again.extend(self._outbox.again(session, first, last, self._limits.again))

    def keep(self) -> None:
        """Writes new calls to the disk. A disk that fails is said once; they wait in memory."""
        if not self._fresh:
            return
        calls = list(self._fresh)
        try:
            self._outbox.add(calls)
        except DISK_ERRORS as error:
            if not self._is_disk_bad:
                self._is_disk_bad = True
                self._say(f"club: expected a disk that takes calls, found {error}; free some space")
            return
        self._is_disk_bad = False
        for _ in calls:
            self._fresh.popleft()
        if self._outbox.lost > self._told_lost:
            self._say(f"club: the queue is full; {self._outbox.lost} calls were dropped unsent")
            self._told_lost = self._outbox.lost

    def confirm(self) -> None:
        """Takes note of what the broker has."""
        done = []
        while self._broker.confirmed:
            ticket = self._broker.confirmed.popleft()
            if ticket == self._state_ticket:
                self._state_ticket = 0
            k = self._calls.pop(ticket, None)
            if k is not None and k > 0:
                done.append(k)
        if done:
            self._outbox.confirm(done)

    def pump(self, now: float) -> None:
        """Sends what may be sent now. `now`: any clock that only rises (s)."""
        room = self._limits.window - len(self._calls)
        if room > 0:
            for letter in self._outbox.waiting(self._last_k, room):
                self._last_k = letter.k
                self._send_call(letter, letter.k)
        while self._again and len(self._calls) < self._limits.window:
            self._send_call(self._again.popleft(), -1)
        is_due = now - self._state_at >= self._limits.state_s
        if self._state is not None and not self._state_ticket and is_due:
            self._state_number += 1
            payload = {**self._state, "number": self._state_number}
            message = Message(self._topics.of("state"), text_of(payload), 1, True)
            self._state_ticket, self._state, self._state_at = (
                self._broker.publish(message),
                None,
                now,
            )

    @property
    def is_empty(self) -> bool:
        """Whether everything is with the broker."""
        is_sent = self._state is None and not self._state_ticket
        return is_sent and not (self._calls or self._fresh or self._again)

    def _send_call(self, letter: Letter, k: int) -> None:
        ticket = self._broker.publish(Message(self._topics.call(letter.n), letter.payload))
        self._calls[ticket] = k
