"""Labels: what people say of each event and call of a recording, and the truth that follows.

The calls that are due follow from the true events by the rules; a call that people found wrong
all the same is not due.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec

from kiosk.field.recording import Recording
from kiosk.field.truth import MOST_LABELS, Due, Happened, Truth, happened_of, head_of
from kiosk.game.overruling import CardIs, NoMistake, SeatWas
from kiosk.serving.schema import Message, Number, Text
from rules.contract.game import make_setup
from rules.contract.reader import read_events
from rules.errors import FairdealError
from rules.games import game as game_named
from rules.judging import referee
from rules.table.call import Call
from rules.table.event import Event

NEAR_S = 3.0  # between a call that was made and the same one that is due


class Label(Message, frozen=True):
    """What people say of an item (its number, from 0), or, without one, what was missing.

    `happened`: what really happened; None: nothing, or the call was wrong.
    """

    verdict: Literal["right", "wrong", "missing"]
    item: Number | None = None
    happened: Happened | None = None


class Labels(Message, frozen=True):
    """All labels of a recording. `light` and `table`: in people's words."""

    labels: Annotated[list[Label], msgspec.Meta(max_length=MOST_LABELS)]
    light: Text = ""
    table: Text = ""


@dataclass(frozen=True, slots=True)
class Item:
    """An event or a call of the film. `line`: its JSON; `suggested`: what people overruled."""

    n: int
    line: dict[str, Any]
    suggested: Label | None = None

    @property
    def is_call(self) -> bool:
        """Whether it is a call."""
        return "call" in self.line


def items_of(recording: Recording) -> tuple[Item, ...]:
    """What the film shows of cards and calls, in order. Overrulings are suggestions."""
    found: list[Item] = []
    number = 0
    for line in recording.lines:
        number += "event" in line
        is_act = line.get("event") in ("placed", "removed")
        if float(line["at"]) < recording.began or not (is_act or "call" in line):
            continue
        n = len(found)
        found.append(Item(n, line, _suggested(recording, number, n, line)))
    return tuple(found)


def _suggested(recording: Recording, number: int, n: int, line: dict[str, Any]) -> Label | None:
    for each in recording.overruled:
        if each.event != number:
            continue
        is_call = "call" in line
        match each:
            case CardIs(card=card) if not is_call:
                return Label(item=n, verdict="wrong", happened=_changed(line, card=card))
            case SeatWas(seat=seat) if not is_call:
                return Label(item=n, verdict="wrong", happened=_changed(line, seat=seat))
            case NoMistake() if is_call and line["call"] in ("mistake", "unsure"):
                return Label(item=n, verdict="wrong")
    return None


def _changed(line: dict[str, Any], **change: Any) -> Happened:
    found = {key: line.get(key) for key in ("at", "event", "card", "place", "seat")}
    return Happened(**{**found, **change})


def truth_of(recording: Recording, given: Labels, size: tuple[int, int]) -> Truth:
    """The truth by these labels; items without one count as right. Raises FairdealError."""
    items = items_of(recording)
    verdicts: dict[int, Label] = {}
    for label in given.labels:
        if label.item is not None:
            if label.item >= len(items):
                raise FairdealError(f"an item below {len(items)}", str(label.item))
            verdicts[label.item] = label
    made = [_happened(item, verdicts.get(item.n)) for item in items if not item.is_call]
    made += [label.happened for label in given.labels if label.verdict == "missing"]
    pressed = [each for each in map(happened_of, recording.events()) if each is not None]
    pressed = [each for each in pressed if each.event == "pressed"]
    begun = [each for each in made if each is not None]
    shown = sorted((*begun, *(p for p in pressed if p.at >= recording.began)), key=_at)
    wrong = [items[n].line for n, label in verdicts.items()
             if items[n].is_call and label.verdict == "wrong"]  # fmt: skip
    due = [call for call in _due(recording, shown) if not _is_refuted(call, wrong)]
    return Truth(
        **head_of(recording, size), light=given.light, table=given.table, events_truth=shown,
        pressed=pressed, expected_calls=[_due_of(call) for call in due],
    )  # fmt: skip


def _happened(item: Item, label: Label | None) -> Happened | None:
    if label is None or label.verdict == "right":
        return _changed(item.line)
    return label.happened


def _at(happened: Happened) -> float:
    return happened.at


def _due(recording: Recording, shown: Iterable[Happened]) -> list[Call]:
    """The calls that the rules make of what really happened, from the film's beginning on."""
    game = game_named(recording.about.game)
    setup = make_setup(game, recording.about.players, dict(recording.about.options))
    session = referee.begin(game, setup)
    for event in recording.events()[: recording.segments[0].began.events]:
        session, _ = referee.step(session, event)
    calls: list[Call] = []
    for event in _read(recording, shown):
        if event.at < session.at:
            continue
        session, made = referee.step(session, event)
        calls += made
    return calls


def _read(recording: Recording, shown: Iterable[Happened]) -> tuple[Event, ...]:
    lines = []
    for each in shown:
        found = msgspec.to_builtins(each)
        lines.append(json.dumps({k: v for k, v in found.items() if v is not None}).encode())
    game = game_named(recording.about.game)
    return tuple(read_events(lines, game, recording.about.players)) if lines else ()


def _is_refuted(call: Call, wrong: Iterable[dict[str, Any]]) -> bool:
    return any(
        line["call"] == call.call
        and line.get("place") == call.place
        and abs(float(line["at"]) - call.at) <= NEAR_S
        for line in wrong
    )


def _due_of(call: Call) -> Due:
    return Due(t=call.at, kind=call.call, rule=call.rule, place=call.place, face=call.card,
               seat=call.seat)  # fmt: skip
