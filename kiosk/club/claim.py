"""Two tables with one name: the one that was there first keeps it. Pure; time is an argument."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from kiosk.club.payloads import Available


@dataclass(frozen=True, slots=True)
class ClaimTimes:
    """Times in s."""

    listen_s: float = 1.5  # after asking who has the name, until it is ours
    again_s: float = 30.0  # a refused table asks again after so long


class Stand(Enum):
    """Where a table stands with its name."""

    AWAY = "away"  # no connection
    ASKING = "asking"
    OURS = "ours"
    REFUSED = "refused"


class Claim:
    """One table's claim on its name. `own` is its announcement, online."""

    def __init__(self, own: Available, times: ClaimTimes | None = None) -> None:
        self._own, self._times = own, times or ClaimTimes()
        self._until = 0.0
        self.stand = Stand.AWAY
        self.other: Available | None = None

    def connect(self, own: Available, at: float) -> None:
        """A connection is there; `own` has its address. The caller asks who has the name."""
        self._own = own
        self.stand, self._until = Stand.ASKING, at + self._times.listen_s

    def lose(self) -> None:
        """The connection is gone."""
        self.stand = Stand.AWAY

    def hear(self, other: Available, at: float, *, is_live: bool) -> bool:
        """Somebody announced the name; whether we have to announce ourselves again.

        `is_live`: it was sent now; a retained one may be of a table that died with its broker.
        """
        if other.session == self._own.session:
            return False
        if self.stand is Stand.OURS:
            return True
        if other.is_online and is_live and self.stand is Stand.ASKING:
            self._refuse(other, at)
        return False

    def contend(self, other: Available, at: float) -> bool:
        """Somebody else asks who has the name; whether we answer by announcing ourselves."""
        if other.session == self._own.session:
            return False
        if self.stand is Stand.ASKING and _rank(other) < _rank(self._own):
            self._refuse(other, at)
        return self.stand is Stand.OURS

    def tick(self, at: float) -> bool:
        """Whether it is time to ask again (a refused table). Nobody answered: the name is ours."""
        if self.stand is Stand.ASKING and at >= self._until:
            self.stand, self.other = Stand.OURS, None
        if self.stand is Stand.REFUSED and at >= self._until:
            self.stand, self._until = Stand.ASKING, at + self._times.listen_s
            return True
        return False

    def _refuse(self, other: Available, at: float) -> None:
        self.stand, self.other = Stand.REFUSED, other
        self._until = at + self._times.again_s


def _rank(who: Available) -> tuple[float, str]:
    return who.since, who.session
