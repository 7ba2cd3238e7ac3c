"""Which phone films, and what it sends: one at a time, its pictures in order, drops counted."""

from __future__ import annotations

import hmac
import secrets
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from calibration.finding import Finding, Verdict
from kiosk.web.access import Client
from kiosk.web.phone.clock import PhoneClock
from kiosk.web.phone.jpeg import jpeg_size
from kiosk.web.phone.messages import BeginFilming, FrameHead, Told
from kiosk.web.phone.outlet import Outlet
from rules.errors import FairdealError

RATE = 15.0  # pictures a second that are asked for,
IDLE_S = 0.5  # or one in so many seconds while nobody looks at them
SILENT_S = 2.0  # a phone that sends nothing for so long is shown as lost,
HELD_S = 8.0  # and after so long another one may film
AT_ONCE = 2  # pictures of one phone under way
COUNTED_S = 5.0  # the rate is that of the last so many seconds
SLOW, MANY = 8.0, 0.2  # pictures a second, and the share left out, that are worth a warning


@dataclass(slots=True)
class Filmed:
    """What one phone has sent. `name`: for people; times in s, monotonic."""

    key: str
    client: Client
    name: str
    wish: BeginFilming
    heard_at: float
    clock: PhoneClock = field(default_factory=PhoneClock)
    number: int = -1
    taken_at: float = float("-inf")
    under_way: int = 0
    is_lost: bool = False
    received: int = 0  # whole pictures that arrived
    dropped: int = 0  # by the phone, for two were under way
    late: int = 0  # overtaken by a newer one
    arrivals: deque[float] = field(default_factory=lambda: deque(maxlen=500))

    def rate(self, now: float) -> float:
        """Pictures a second of the last seconds."""
        return sum(now - at <= COUNTED_S for at in self.arrivals) / COUNTED_S

    @property
    def drops(self) -> int:
        """Pictures that were taken and not used."""
        return self.dropped + self.late

    def to_json(self) -> dict[str, Any]:
        """As docs/api.md has it."""
        return {"name": self.name, "is_lost": self.is_lost}


class Filming:
    """On the server's event loop. `on_change` hears which phone films; time is an argument."""

    def __init__(
        self, outlet: Outlet, on_change: Callable[[dict[str, Any] | None], None] = lambda _: None
    ) -> None:
        self._outlet, self._on_change = outlet, on_change
        self._filmed: Filmed | None = None

    def begin(self, wish: BeginFilming, client: Client, name: str, now: float) -> str:
        """A phone begins; the key of what it sends. Raises FairdealError: another one films."""
        other = self._filmed
        if other is not None and other.client != client and now - other.heard_at < HELD_S:
            raise FairdealError("no other phone that films", other.name, "stop that one first")
        self._filmed = Filmed(secrets.token_hex(12), client, name, wish, now)
        self._changed()
        return self._filmed.key

    def tell_time(self, told: Told, client: Client, now: float) -> None:
        """The phone's time of a message that arrived `now`. Raises FairdealError: not its turn."""
        self._of(told.key, client).clock.heard(told.sent / 1000, now)

    def expect(self, head: FrameHead, client: Client, now: float) -> Filmed:
        """A picture is under way, its first bytes are here. Raises FairdealError: not its turn,
        or too many at once. `done` must follow."""
        filmed = self._of(head.key, client)
        if filmed.under_way >= AT_ONCE:
            raise FairdealError(f"at most {AT_ONCE} pictures under way", "more")
        filmed.under_way += 1
        filmed.clock.heard(head.sent / 1000, now)
        return filmed

    def done(self, filmed: Filmed) -> None:
        """The picture is here, or broke off."""
        filmed.under_way -= 1

    def take(self, filmed: Filmed, head: FrameHead, data: bytes, now: float) -> None:
        """Gives a picture on, unless a newer one came before it. Raises FairdealError: it is none,
        or of another size than the phone said."""
        size, wished = jpeg_size(data), (filmed.wish.width, filmed.wish.height)
        if size != wished:
            raise FairdealError(f"pictures of {wished[0]}x{wished[1]}", f"{size[0]}x{size[1]}")
        filmed.heard_at, filmed.dropped = now, head.dropped
        filmed.received += 1
        filmed.arrivals.append(now)
        if filmed.is_lost:
            filmed.is_lost = False
            self._changed()
        if head.number <= filmed.number:
            filmed.late += 1
            return
        filmed.number = head.number
        filmed.taken_at = max(filmed.clock.here(head.taken / 1000, now), filmed.taken_at)
        self._outlet.give(filmed.taken_at, data)

    def end(self, why: str = "the phone has stopped filming") -> bool:
        """Nobody films any more; whether somebody did."""
        if self._filmed is None:
            return False
        self._filmed = None
        self._outlet.tell(why)
        self._changed()
        return True

    def is_of(self, key: str, client: Client) -> bool:
        """Whether this client films with this key."""
        filmed = self._filmed
        return filmed is not None and filmed.client == client and _are_same(filmed.key, key)

    def tick(self, now: float) -> None:
        """Notices a phone that fell silent."""
        filmed = self._filmed
        if filmed is None:
            return
        silent_s = now - filmed.heard_at
        if silent_s > HELD_S:
            self.end("no picture comes from the phone")
        elif silent_s > SILENT_S and not filmed.is_lost:
            filmed.is_lost = True
            self._changed()

    @property
    def pause_s(self) -> float:
        """How long a phone waits between two pictures."""
        return 1 / RATE if self._outlet.is_read else IDLE_S

    @property
    def counted(self) -> dict[str, int] | None:
        """Pictures since the phone began, as docs/api.md has them; None without a phone."""
        filmed = self._filmed
        if filmed is None:
            return None
        return {"received": filmed.received, "left_out": filmed.drops}

    def finding(self, now: float) -> Finding | None:
        """The phone as a part of the table's health; None without one."""
        filmed = self._filmed
        if filmed is None:
            return None
        name, wish, rate = filmed.name, filmed.wish, filmed.rate(now)
        if filmed.is_lost:
            words = f"{name}: no picture for {now - filmed.heard_at:.0f} s"
            return Finding("phone", Verdict.BAD, words, "look whether its page is still shown")
        words = (
            f"{name} films: {wish.width}x{wish.height}, {rate:.0f} pictures a second; "
            f"{filmed.received} received, {filmed.drops} left out; {_light(wish)}"
        )
        shown = max(filmed.number + 1 + filmed.dropped, 1)
        if not wish.is_awake:
            return Finding("phone", Verdict.WARN, words, "let its screen stay on: it cannot itself")
        if self._outlet.is_read and (rate < SLOW or filmed.drops / shown > MANY):
            return Finding("phone", Verdict.WARN, words, "bring phone and machine closer to the "
                "network's router")  # fmt: skip
        return Finding("phone", Verdict.GOOD, words)

    def _of(self, key: str, client: Client) -> Filmed:
        if self._filmed is None or not self.is_of(key, client):
            found = "one that stopped" if self._filmed is None else f"that {self._filmed.name} does"
            raise FairdealError("the phone that films", found, "begin again")
        return self._filmed

    def _changed(self) -> None:
        self._on_change(None if self._filmed is None else self._filmed.to_json())


def _light(wish: BeginFilming) -> str:
    if wish.is_locked:
        return "exposure and white balance locked"
    return "its browser does not let exposure and white balance be locked"


def _are_same(key: str, found: str) -> bool:
    return hmac.compare_digest(key.encode(), found.encode("utf-8", "replace"))
