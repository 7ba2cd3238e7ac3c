"""Calls as the page shows them: numbered, open until they are put right, withdrawn if overruled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from kiosk.game.news import GameRejudged
from kiosk.game.overruling import CardIs, Overruling, SeatWas
from rules.contract.mistakes import Mistake
from rules.table.call import Call


@dataclass(frozen=True, slots=True)
class CallShown:
    """A call with its number in the game, from 1. `event`: the number of its event, from 1.

    `overruled`: what people said of its event, `card FACE`, `seat N` or `no mistake`; else empty.
    """

    n: int
    event: int
    at: float
    call: str
    rule: str
    message: str
    place: str | None = None
    seat: int | None = None
    card: str | None = None
    expected: tuple[str, ...] = ()
    sentence: str = ""
    is_open: bool = False
    is_withdrawn: bool = False
    overruled: str = ""


def rejudged(
    shown: Sequence[CallShown], news: GameRejudged
) -> tuple[tuple[CallShown, ...], list[tuple[int, Call]]]:
    """The calls after the game was judged again, and the new ones as (event, call).

    Calls that no longer hold are withdrawn.
    """
    left = [(event, call) for event, made in enumerate(news.calls, 1) for call in made]
    said = "" if news.overruling is None else overruled_text(news.overruling)
    at = 0 if news.overruling is None else news.overruling.event
    kept = []
    for old in shown:
        each = replace(old, overruled=said) if old.event == at else old
        if each.is_withdrawn:
            kept.append(each)
            continue
        same = next((new for new in left if is_shown_as(each, *new)), None)
        if same is not None:
            left.remove(same)
        kept.append(each if same is not None else replace(each, is_withdrawn=True))
    oldest = shown[0].event if shown else 0
    return tuple(kept), [new for new in left if new[0] >= oldest]


def overruled_text(overruling: Overruling) -> str:
    """What people said, in the words of `CallShown.overruled`."""
    match overruling:
        case CardIs(card=card):
            return f"card {card}"
        case SeatWas(seat=seat):
            return f"seat {seat}"
    return "no mistake"


def is_shown_as(shown: CallShown, event: int, call: Call) -> bool:
    """Whether a call of event `event` is the one that is shown."""
    key = (event, str(call.call), call.rule, call.place, call.seat, call.card)
    return key == (shown.event, shown.call, shown.rule, shown.place, shown.seat, shown.card)


def shown_call(call: Call, n: int, event: int, sentences: Mapping[str, str]) -> CallShown:
    """A call of event `event` as number `n`; `sentences`: those of the rules."""
    return CallShown(
        n, event, round(call.at, 3), str(call.call), call.rule, call.message, call.place,
        call.seat, call.card, tuple(call.expected or ()), sentences.get(call.rule, ""),
    )  # fmt: skip


def marked(calls: tuple[CallShown, ...], mistakes: tuple[Mistake, ...]) -> tuple[CallShown, ...]:
    """The calls, each mistake that is still open marked; of equal ones the newest are."""
    left = [(m.rule, m.place, m.card) for m in mistakes]
    marked = []
    for call in reversed(calls):
        key = (call.rule, call.place, call.card)
        is_open = call.call == "mistake" and not call.is_withdrawn and key in left
        if is_open:
            left.remove(key)
        marked.append(call if call.is_open == is_open else replace(call, is_open=is_open))
    return tuple(reversed(marked))
