"""What followers of the board are told: whole at first, then what changed; the newest wins.

An audience may be told later: `Delayed` holds changes back for a while.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from kiosk.serving.shares import Shares
from kiosk.web.access import Client, Role

# Pages that follow: in all, of one paired device, and kept for the board's own screen.
MOST_FOLLOWERS, EACH_FOLLOWERS, OWN_FOLLOWERS = 500, 8, 20
OWN = Client(Role.TABLE, "board")
QUIET_S = 15.0  # without news followers hear a sign of life
LEAST_APART_S = 0.05  # between two messages to one follower
MOST_HELD = 500_000  # changes that wait for their time; with more the oldest are told at once


@dataclass(slots=True, eq=False)
class Follower:
    """One page: which keys have changed since it was told."""

    stale: set[str] = field(default_factory=set)
    changed: asyncio.Event = field(default_factory=asyncio.Event)


class Feed:
    """Values by key, as JSON text, and everybody who follows them. Lives on one event loop."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}
        self._followers: set[Follower] = set()
        self._shares = Shares(MOST_FOLLOWERS, EACH_FOLLOWERS, OWN_FOLLOWERS)
        self._is_closed = False

    def close(self) -> None:
        """All followers are let go: the server ends."""
        self._is_closed = True
        for follower in self._followers:
            follower.changed.set()

    @property
    def followers(self) -> int:
        """How many pages follow now."""
        return len(self._followers)

    def put(self, key: str, value: str) -> None:
        """A new value; nobody is told where it is the old one."""
        if self.values.get(key) == value:
            return
        self.values[key] = value
        for follower in self._followers:
            follower.stale.add(key)
            follower.changed.set()

    def has_room(self, client: Client) -> bool:
        """Whether one more page of this client may follow."""
        return self._shares.has_room(client.name, is_own=client.role is Role.TABLE)

    async def follow(self, client: Client = OWN) -> AsyncIterator[str | None]:
        """JSON objects of key → value: all at once, then what changed; None when it is quiet."""
        if not self._shares.take(client.name, is_own=client.role is Role.TABLE):
            return
        follower = Follower()
        self._followers.add(follower)
        try:
            yield _object(self.values)
            while True:
                try:
                    await asyncio.wait_for(follower.changed.wait(), QUIET_S)
                except TimeoutError:
                    yield None
                    continue
                if self._is_closed:
                    return
                follower.changed.clear()
                stale, follower.stale = follower.stale, set()
                yield _object({key: self.values[key] for key in sorted(stale)})
                await asyncio.sleep(LEAST_APART_S)
        finally:
            self._followers.discard(follower)
            self._shares.give_back(client.name)


class Delayed:
    """A feed for an audience, `delay_s` behind. Times are the caller's (s)."""

    def __init__(self, delay_s: float) -> None:
        self.feed, self.delay_s = Feed(), delay_s
        self._held: deque[tuple[float, str, str]] = deque()

    def put(self, key: str, value: str, now: float) -> None:
        """A new value, told when its time has come."""
        self._held.append((now + self.delay_s, key, value))
        if len(self._held) > MOST_HELD:
            _, old_key, old = self._held.popleft()
            self.feed.put(old_key, old)

    def catch_up(self) -> None:
        """Tells all that is held, at once."""
        self.tick(float("inf"))

    def tick(self, now: float) -> None:
        """Tells what is due."""
        while self._held and self._held[0][0] <= now:
            _, key, value = self._held.popleft()
            self.feed.put(key, value)


def _object(values: dict[str, str]) -> str:
    return "{" + ",".join(f'"{key}":{value}' for key, value in values.items()) + "}"
