"""Open mistakes: plain functions over a tuple of them, shared by all games.

A wrong card is no part of a game's state but only an open mistake, so it can change nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from rules.table.call import Call, CallKind
from rules.table.event import CardEvent


class OpenedBy(Enum):
    """How a mistake was made, which is how it is put right."""

    PLACING = "placing"  # closed when the card is removed from there
    REMOVING = "removing"  # closed when the card lies there again
    BUTTON = "button"  # closed as its rule says
    LATE = "late"  # Soda: the removal of a card whose hand is over; closed when it is laid again


@dataclass(frozen=True, slots=True)
class Mistake:
    """One open mistake, with what its call named."""

    rule: str
    by: OpenedBy
    place: str | None = None
    card: str | None = None
    seat: int | None = None


Mistakes = tuple[Mistake, ...]


def opened(mistakes: Mistakes, call: Call, by: OpenedBy) -> Mistakes:
    """`mistakes` and the one that `call` names."""
    return (*mistakes, Mistake(call.rule, by, call.place, call.card, call.seat))


def find(mistakes: Mistakes, by: OpenedBy, place: str | None, card: str | None) -> Mistake | None:
    """The latest open mistake made `by` placing or removing this card here, or None."""
    for mistake in reversed(mistakes):
        if mistake.place == place and mistake.card == card and mistake.by is by:
            return mistake
    return None


def is_open(mistakes: Mistakes, rule: str, seat: int | None = None) -> bool:
    """Whether a mistake of this rule (of this seat, if given) is open."""
    return any(m.rule == rule and (seat is None or m.seat == seat) for m in mistakes)


def without(mistakes: Mistakes, closed: Mistake) -> Mistakes:
    """`mistakes` without the latest one that equals `closed`."""
    for i in range(len(mistakes) - 1, -1, -1):
        if mistakes[i] == closed:
            return mistakes[:i] + mistakes[i + 1 :]
    return mistakes


def close_by_removal(mistakes: Mistakes, event: CardEvent) -> tuple[Mistakes, tuple[Call, ...]]:
    """A card is removed: closes the mistake made by placing it here. No calls: it was none."""
    closed = find(mistakes, OpenedBy.PLACING, event.place, event.card) if mistakes else None
    if closed is None:
        return mistakes, ()
    return without(mistakes, closed), (corrected(closed),)


def close_by_placing(mistakes: Mistakes, event: CardEvent) -> tuple[Mistakes, tuple[Call, ...]]:
    """A card is placed: closes the mistake made by removing it from here. No calls: none."""
    closed = find(mistakes, OpenedBy.REMOVING, event.place, event.card) if mistakes else None
    if closed is None:
        return mistakes, ()
    return without(mistakes, closed), (corrected(closed),)


def close_rule(
    mistakes: Mistakes, rule: str, seat: int | None = None, by: OpenedBy | None = None
) -> tuple[Mistakes, tuple[Call, ...]]:
    """Closes every open mistake of a rule (of a seat, of a kind), one `corrected` each."""
    closed = tuple(
        m
        for m in mistakes
        if m.rule == rule and (seat is None or m.seat == seat) and (by is None or m.by is by)
    )
    if not closed:
        return mistakes, ()
    left = tuple(m for m in mistakes if m not in closed)
    return left, tuple(corrected(m) for m in closed)


def wrong_cards(mistakes: Mistakes, place: str) -> tuple[str, ...]:
    """The cards that lie wrongly at `place`, in the order they were laid."""
    return tuple(
        m.card for m in mistakes if m.place == place and m.by is OpenedBy.PLACING and m.card
    )


def corrected(mistake: Mistake) -> Call:
    """The call that a mistake is put right: same rule, place, card (the referee names it)."""
    message = "That is put right. Thank you, play on."
    place, seat, card = mistake.place, mistake.seat, mistake.card
    return Call(CallKind.CORRECTED, mistake.rule, message, place, seat, card)


def described(mistake: Mistake, say: Callable[[str], str]) -> str:
    """An open mistake in words, for a view: "the T-shirt at pile 1 (seat 2): too late"."""
    rule = mistake.rule.replace("-", " ")
    where = f" at {mistake.place.replace('/', ' ')}" if mistake.place else ""
    who = f" (seat {mistake.seat})" if mistake.seat else ""
    return f"{say(mistake.card)}{where}{who}: {rule}" if mistake.card else f"{rule}{where}{who}"
