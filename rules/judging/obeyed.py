"""What it tells that players took back a card which they were told to take back."""

from __future__ import annotations

from collections.abc import Iterable

from rules.judging.hypothesis import Hypothesis, Key
from rules.judging.said import Spoken
from rules.table.call import CallKind
from rules.table.event import Event, Removed
from rules.values import replace

OBEYED = 0.1  # chance that players obey a false accusation, as a part of that of a right one


def obeyed(hypotheses: Iterable[Hypothesis], spoken: Spoken, event: Event) -> list[Hypothesis]:
    """The hypotheses after an event; those weigh less in which the card that it takes back broke no
    rule, though the players were told that it did."""
    found = list(hypotheses)
    if not isinstance(event, Removed):
        return found
    accused = {m for m in spoken.accused if m[1:] == (event.place, event.card)}
    keys = [key for key in spoken.told if key[0] is CallKind.MISTAKE and key[1:4] in accused]
    if not keys:
        return found
    return [_weighed(each, keys) for each in found]


def _weighed(each: Hypothesis, keys: list[Key]) -> Hypothesis:
    histories = tuple(
        h if all(key in h.claims for key in keys) else replace(h, weight=h.weight * OBEYED)
        for h in each.histories
    )
    return replace(each, histories=histories)
