"""Questions for people: what the referee is unsure of, with the likely answers first.

An answer is an overruling (kiosk/game/overruling.py): journaled, and the game is judged again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from kiosk.web.shown_calls import CallShown
from rules.contract.game import PlaceView
from rules.judging.doubt import UNKNOWN
from rules.table.event import Event, Placed, Pressed, Removed

MOST_SHOWN = 3  # the newest
MOST_LIKELY = 6  # faces


class Asked(StrEnum):
    """What a question asks."""

    IS_IT = "is-it"  # was it that card?
    WHICH = "which"  # which card is it?
    TABLE = "table"  # is the table right as it lies?


@dataclass(frozen=True, slots=True)
class Question:
    """A question of call `call`. `card`: the face in doubt, null for a card without a name.

    `likely`: the faces that come first among the answers.
    """

    call: int
    asked: Asked
    place: str | None
    card: str | None
    likely: tuple[str, ...] = ()


def open_questions(
    calls: Sequence[CallShown], settled: frozenset[int], places: Iterable[PlaceView] = ()
) -> tuple[Question, ...]:
    """The newest questions that wait for an answer, oldest first. `settled`: calls that do not."""
    due = {each.place: each.faces for each in places}
    waiting = [
        call
        for call in calls
        if call.call == "unsure" and not call.is_withdrawn and not call.overruled
        and call.n not in settled
    ]  # fmt: skip
    found = (_question(call, due) for call in waiting)
    return tuple(each for each in found if each is not None)[-MOST_SHOWN:]


def settled_after(
    settled: frozenset[int], calls: Sequence[CallShown], event: Event | None
) -> frozenset[int]:
    """The calls that no longer wait for an answer, once this event happened.

    A card that was taken away or laid again answers for itself; so does an undo. A table that
    people play on is right.
    """
    unsure = [call for call in calls if call.call == "unsure" and call.n not in settled]
    match event:
        case Pressed(button="undo"):
            gone = [call.n for call in unsure[-1:]]
        case Removed() | Placed():
            gone = [
                call.n
                for call in unsure
                if call.place is None or (call.place == event.place and _is_over(call, event))
            ]
        case _:
            gone = []
    return settled | set(gone) if gone else settled


def _is_over(call: CallShown, event: Placed | Removed) -> bool:
    if isinstance(event, Placed):
        return event.card == call.card != UNKNOWN
    return call.card in (event.card, UNKNOWN) or event.card == UNKNOWN


def _question(call: CallShown, due: dict[str, tuple[str, ...]]) -> Question | None:
    if call.rule == "view-lost":
        return Question(call.n, Asked.TABLE, None, None)
    if call.place is None or call.card is None:
        return None  # nothing that an answer could change
    likely = tuple(dict.fromkeys((*call.expected, *due.get(call.place, ()))))[:MOST_LIKELY]
    if call.card == UNKNOWN:
        return Question(call.n, Asked.WHICH, call.place, None, likely)
    others = tuple(face for face in likely if face != call.card)
    return Question(call.n, Asked.IS_IT, call.place, call.card, others)
