"""Buttons wait for the cards that lay when they were pressed and are not told yet."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import replace

from kiosk.game.limits import LIMITS
from rules.table.event import Pressed

AT_ONCE = frozenset({"undo", "end"})  # buttons that wait for no card
AGAIN_S = 0.5  # after a press, s; a card that begins to rest later was laid after it


class Presses:
    """Who lays a card and presses "done" at once has laid it first, though the card is told later.

    A card that lies before `start` belongs to the set-up: `start` waits for one that is seen to
    rest, not for a hand, which may hold one. `undo` and `end` do not wait, unless a press before
    them does. Times in s.
    """

    def __init__(self) -> None:
        self._waiting: deque[Pressed] = deque()
        self._is_card_coming = self._is_settled = False

    def add(self, press: Pressed) -> None:
        """A press; its `at` is when it was pressed."""
        self._waiting.append(press)

    def told(self) -> None:
        """A card was told: what lay when a button was pressed may have been that one."""
        self._is_card_coming = False
        self._is_settled = bool(self._waiting) and self._waiting[0].button == "start"

    def before(
        self, at: float, since: float | None, came_since: float | None
    ) -> tuple[Pressed, ...]:
        """The presses that were pressed before an act that began at `since` at the earliest, or,
        but for `start`, before a hand came for it, at `came_since`: they count before it, at `at`.

        Who presses `start` may hold a card over the table; who says No or is done has seen one.
        """
        found: list[Pressed] = []
        while self._waiting:
            began = since if self._waiting[0].button == "start" else came_since
            if began is None or began <= self._waiting[0].at:
                break
            found.append(self._waiting.popleft())
            self._is_card_coming = self._is_settled = False
        return _dated(found, at)

    def due(
        self, at: float, untold_since: float | None, resting_since: float | None
    ) -> tuple[Pressed, ...]:
        """The presses that count now, in order.

        `untold_since`: since when the first of the cards rests, or may rest under a hand, that are
        not told yet; `resting_since`: the same of cards that are seen.
        """
        found: list[Pressed] = []
        while self._waiting:
            is_start = self._waiting[0].button == "start"
            if self._waits(self._waiting[0], at, resting_since if is_start else untold_since):
                break
            found.append(self._waiting.popleft())
            self._is_card_coming = self._is_settled = False
        return tuple(found)

    def held(
        self, at: float, untold_since: float | None, resting_since: float | None
    ) -> tuple[Pressed, ...]:
        """The presses that count after they have waited: from now on, at `at`."""
        return _dated(self.due(at, untold_since, resting_since), at)

    def _waits(self, press: Pressed, at: float, untold_since: float | None) -> bool:
        if untold_since is None or self._is_settled or press.button in AT_ONCE:
            self._is_card_coming = False
            return False
        # A hand moves the card as it lets go, so the card starts to rest again, soon.
        self._is_card_coming |= untold_since <= press.at
        is_soon = untold_since <= press.at + AGAIN_S
        return self._is_card_coming and is_soon and at - press.at < LIMITS.press_wait_s


def _dated(presses: Iterable[Pressed], at: float) -> tuple[Pressed, ...]:
    """The presses, which happen at `at` (s) at the earliest."""
    return tuple(replace(press, at=max(at, press.at)) for press in presses)
