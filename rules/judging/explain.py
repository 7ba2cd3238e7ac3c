"""Why a call was made or a question asked: the courses of events for it and against it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rules.judging.hypothesis import History, Hypothesis, Key, Taken
from rules.table.call import Call
from rules.table.event import Alternatives, CardEvent, Event, Placed, Removed

APART = 0.01  # of a call's probability, by which a choice must change it to have told it apart
MOST_COURSES = 6


@dataclass(frozen=True, slots=True)
class CourseTaken:
    """One course of events, its weight, whether it makes the call, and the choices it took."""

    weight: float
    makes_it: bool
    taken: tuple[Taken, ...]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why call `call` was told with event `event`. `weight`: of all that makes it.

    `courses`: the heaviest first, with the choices that told them apart; none where all agree.
    """

    event: int
    call: Call
    weight: float
    courses: tuple[CourseTaken, ...] = ()


def reason(hypotheses: Iterable[Hypothesis], number: int, call: Call, key: Key) -> Reason:
    """Why event `number` brought this call, which claims `key`."""
    histories = [(h, key in h.claims) for each in hypotheses for h in each.histories]
    weight = sum(history.weight for history, makes_it in histories if makes_it)
    open_by = apart(histories)
    courses: dict[tuple[bool, tuple[Taken, ...]], float] = {}
    for history, makes_it in histories:
        taken = _last_faces(each for each in history.taken if each.event in open_by)
        courses[makes_it, taken] = courses.get((makes_it, taken), 0.0) + history.weight
    found = [CourseTaken(share, makes, taken) for (makes, taken), share in courses.items()]
    found.sort(key=lambda each: -each.weight)
    return Reason(number, call, weight, tuple(found[:MOST_COURSES]))


def _last_faces(taken: Iterable[Taken]) -> tuple[Taken, ...]:
    """What was taken; of a card that was split by its faces twice, the last time only."""
    last: dict[tuple[int, bool], Taken] = {}
    for each in taken:
        last[each.event, each.way < 0] = each
    return tuple(last.values())


def apart(histories: Iterable[tuple[History, bool]]) -> dict[int, float]:
    """The events whose choice changes how likely a call is, and by how much.

    `histories`: each with whether it makes the call.
    """
    shares: dict[int, dict[tuple[Taken, ...], list[float]]] = {}
    for history, makes_it in histories:
        for event in {each.event for each in history.taken}:
            taken = tuple(each for each in history.taken if each.event == event)
            share = shares.setdefault(event, {}).setdefault(taken, [0.0, 0.0])
            share[makes_it] += history.weight
    found = {}
    for event, ways in shares.items():
        likely = [yes / (no + yes) for no, yes in ways.values() if no + yes > 0]
        if likely and max(likely) - min(likely) >= APART:
            found[event] = max(likely) - min(likely)
    return found


def described(found: Reason, events: Mapping[int, Event]) -> list[str]:
    """A reason in lines for people. `events`: by number, those of the choices at least."""
    call = found.call
    what = f"{call.call} {call.rule}"
    where = " ".join(str(each) for each in (call.card, call.place) if each is not None)
    lines = [f"{what} {where}".rstrip() + f", told with event {found.event} at {call.at:g} s"]
    lines.append(f"  {call.message}")
    if all(course.makes_it for course in found.courses):
        lines.append("  every course of events that was considered makes this call")
        return lines
    asked = "would be a mistake" if call.call == "unsure" else "makes this call"
    lines.append(f"  {found.weight:.1%} of the weight {asked}:")
    for course in found.courses:
        verdict = "yes" if course.makes_it else "no "
        ways = "; ".join(_way_text(taken, events.get(taken.event)) for taken in course.taken)
        lines.append(f"  {verdict} {course.weight:6.1%}  {ways or 'otherwise'}")
    return lines


def _way_text(taken: Taken, event: Event | None) -> str:
    """One choice in words: what happened instead of, or as, event N."""
    at = f"event {taken.event}"
    if taken.faces:
        names = ", ".join(taken.faces[:6]) + (", …" if len(taken.faces) > 6 else "")
        return f"{at}: the card without a name is {names}"
    if not isinstance(event, (Placed, Removed)):
        return f"{at}: way {taken.way + 1}"
    if taken.way < 0:
        return f"{at}: an act right before it was not seen"
    ways = (event.ways or Alternatives()).ways
    if ways:
        return f"{at}: {_events_text(ways[taken.way].events)}"
    if taken.way == 0:
        return f"{at}: {_events_text((event,))}"
    if isinstance(event, Placed):
        return f"{at}: another card at {event.place}"
    return f"{at}: the {event.card} still lies at {event.place}"


def _events_text(events: tuple[CardEvent, ...]) -> str:
    if not events:
        return "nothing happened"
    return ", then ".join(
        f"{each.card} {each.kind} at {each.place}"
        + (f" by seat {each.seat}" if each.seat is not None else "")
        for each in events
    )
