"""A phone's clock, mapped to this machine's: late messages change neither times nor order.

A message that is sent at p on the phone arrives at s here; s − p is the offset of the clocks plus
the time on the way. The least of some seconds is the offset plus the shortest way, a few
milliseconds in a home's network. Time is an argument.
"""

from __future__ import annotations

from collections import deque

KNOWN_S = 20.0  # clocks drift apart: what was measured earlier counts no more
STOPPED_S = 0.5  # so much later than known, for `STOPPED` messages in a row: the phone's clock
STOPPED = 15  # stood still, as it does while some phones sleep
OLDEST_S = 5.0  # no picture counts as older than so


class PhoneClock:
    """Times in s: the phone's since some moment of its own, this machine's monotonic."""

    def __init__(self) -> None:
        self._ways: deque[tuple[float, float]] = deque()  # (arrived, offset + way), growing
        self._late = 0

    def heard(self, sent: float, arrived: float) -> None:
        """A message that was sent at `sent` of the phone's time."""
        way = arrived - sent
        if self._ways and way > self._ways[0][1] + STOPPED_S:
            self._late += 1
            if self._late >= STOPPED:
                self._ways.clear()
        else:
            self._late = 0
        while self._ways and self._ways[-1][1] >= way:
            self._ways.pop()
        self._ways.append((arrived, way))
        while self._ways[0][0] < arrived - KNOWN_S:
            self._ways.popleft()

    def here(self, at: float, now: float) -> float:
        """This machine's time of what happened at `at` on the phone; never later than `now`."""
        offset = self._ways[0][1] if self._ways else now - at
        return min(max(at + offset, now - OLDEST_S), now)
