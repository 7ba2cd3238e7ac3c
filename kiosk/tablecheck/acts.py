"""What the table check asks people to do, and for how long it waits."""

from __future__ import annotations

from enum import StrEnum


class Act(StrEnum):
    """What is asked, in order."""

    EMPTY = "empty"  # the bare table, nobody over it
    CORNER = "corner"  # a card where the farthest cards will lie
    PILE = "pile"  # three cards on one another
    FAN = "fan"  # cards held in a hand, as in play
    HAND = "hand"  # a hand over all cards, and away
    LAMP_OFF = "lamp-off"
    LAMP_ON = "lamp-on"


# Two minutes in all.
MOST_S = {
    Act.EMPTY: 15.0, Act.CORNER: 20.0, Act.PILE: 25.0, Act.FAN: 20.0, Act.HAND: 15.0,
    Act.LAMP_OFF: 13.0, Act.LAMP_ON: 12.0,
}  # fmt: skip


class End(StrEnum):
    """How an act ended."""

    SEEN = "seen"
    SKIPPED = "skipped"
    LATE = "late"  # nothing of it was seen in time
    CUT = "cut"  # the check or the film ended before
