"""What the referee saw and called in a game, against what happened and was due."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from lab.games.truth import FilmTruth, due_calls, truth_of_script
from models.drawing.steps import Script
from rules.table.event import Event, Placed, Removed

# An event or call may come so much before and after the act (s); a late name counts, too.
_EARLY_S, _LATE_S = 1.2, 3.0
JUDGED = ("mistake", "complete")
Told = dict[str, Any]  # an event or a call as JSON, with `told` (s)


@dataclass(frozen=True, slots=True)
class Mark:
    """One thing that is counted, and when (s). `what`: `event` (one that happened), `false` (one
    that did not), `mistake`, `complete` (due calls), `false mistake`, `false complete`, `question`
    (a needless one). `is_right`: told as it should be."""

    at: float
    what: str
    is_right: bool


@dataclass(slots=True)
class GameScore:
    """A game in figures. Latencies in s, from the card at rest to the told event or call.

    `certainties`: of each told event, how sure it was (0 to 1) and whether it happened so.
    `judged_s`: processor time of the work on `frames`, `frame_s` of each; `looks`: crops looked at.
    """

    acts: int = 0
    events: int = 0
    events_right: int = 0
    seats: int = 0
    seats_right: int = 0
    calls: dict[str, int] = field(default_factory=lambda: dict.fromkeys(JUDGED, 0))
    calls_right: dict[str, int] = field(default_factory=lambda: dict.fromkeys(JUDGED, 0))
    calls_false: dict[str, int] = field(default_factory=lambda: dict.fromkeys(JUDGED, 0))
    unsure: int = 0
    event_latencies: list[float] = field(default_factory=list)
    call_latencies: list[float] = field(default_factory=list)
    faults: list[tuple[float, str]] = field(default_factory=list)
    certainties: list[tuple[float, bool]] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    frames: int = 0
    judged_s: float = 0.0
    frame_s: list[float] = field(default_factory=list)
    looks: int = 0
    memory_mb: int = 0

    def worst_moment(self, around: float = 4.0) -> float | None:
        """The time (s) about which most faults stand; None where there are none."""
        counts = [
            (sum(abs(other - at) <= around for other, _ in self.faults), -at)
            for at, _ in self.faults
        ]
        return -max(counts)[1] if counts else None


def score(script: Script, options: dict[str, str], seen: dict[str, Any]) -> GameScore:
    """Scores a game by the truth of its script and the calls that the rules make of it."""
    return score_film(truth_of_script(script, options), seen)


def score_film(film: FilmTruth, seen: dict[str, Any]) -> GameScore:
    """Scores a filmed game by its truth and the calls that the rules make of it.

    A card that is lifted or peeked at and put back may be told as nothing, or as `removed` and
    `placed` of the same card at its place within 3 s. Calls must be the same either way.
    """
    made = GameScore(acts=film.acts)
    told = [event for event in seen["events"] if event["event"] in ("placed", "removed")]
    names = match_events(made, film.events, film.lying, told)
    calls = due_calls(film, film.options, film.events)
    due = [call for call in calls if call["call"] in JUDGED]
    _match_calls(made, due, [call for call in seen["calls"] if call["call"] in JUDGED], names)
    asked = [call for call in seen["calls"] if call["call"] == "unsure"]
    made.unsure = len(asked)
    _count_questions(made, [call for call in calls if call["call"] == "unsure"], asked)
    made.frames, made.judged_s = seen.get("frames", 0), seen.get("judged_s", 0.0)
    made.looks, made.memory_mb = seen.get("looks", 0), seen.get("memory_mb", 0)
    made.frame_s = [float(s) for s in seen.get("frame_s", ())]
    made.faults.sort()
    return made


def _count_questions(made: GameScore, due: list[Told], asked: list[Told]) -> None:
    """Questions that a referee who sees everything would not ask, too, are needless."""
    left = list(due)
    for question in sorted(asked, key=lambda call: float(call["told"])):
        at = float(question["told"])
        fits = [
            c for c in left
            if c["rule"] == question["rule"] and -_EARLY_S <= at - float(c["at"]) <= _LATE_S
        ]  # fmt: skip
        if fits:
            left.remove(fits[0])
        else:
            made.marks.append(Mark(at, "question", False))


class Names:
    """What the referee calls the places. Piles are numbered as they are born, others as they are.

    A pile that was missed shifts the numbers of those after it: that is no second fault.
    """

    def __init__(self) -> None:
        self._piles: dict[str, str] = {}
        self._lying: dict[str, int] = {}

    def copy(self) -> Names:
        """The same names, to be changed apart from these."""
        made = Names()
        made._piles, made._lying = dict(self._piles), dict(self._lying)
        return made

    def fits(self, place: str, seen: str) -> bool:
        """Whether `seen` may be this place."""
        if not place.startswith("pile/"):
            return place == seen
        known = self._piles.get(place)
        return known == seen if known else seen not in self._piles.values()

    def learn(self, place: str, seen: str) -> None:
        """From now on this place is called so."""
        if place.startswith("pile/"):
            self._piles[place] = seen

    def happened(self, event: Event) -> None:
        """Follows the truth: a pile that is gone gives its name back."""
        if not isinstance(event, Placed | Removed) or not event.place.startswith("pile/"):
            return
        if isinstance(event, Placed):
            self._lying[event.place] = self._lying.get(event.place, 0) + 1
        else:
            self._lying[event.place] -= 1
            if not self._lying[event.place]:
                self._piles.pop(event.place, None)


def match_events(
    made: GameScore, happened: Sequence[Event], lying: Sequence[tuple[str, str]], told: list[Told]
) -> dict[str, str]:
    """Pairs what happened with what was told, and counts it in `made`. `lying`: (face, place) of
    what lay there at the beginning. Returns all names that places had, for the calls."""
    names, left = Names(), sorted(told, key=lambda event: float(event["at"]))
    called: dict[str, str] = {}
    acts = [e for e in happened if isinstance(e, Placed | Removed) and e.at != 0.0]
    for number, event in enumerate(acts):
        made.events += 1
        found = _find(event, left, names, acts[number + 1 :])
        if found is None:
            made.faults.append((event.at, f"missed: {event.to_json()}"))
            made.marks.append(Mark(event.at, "event", False))
        else:
            left.remove(found)
            names.learn(event.place, found["place"])
            called[f"{event.place}@{event.at}"] = found["place"]
            _count(made, event, found)
        names.happened(event)
    _forget_uncovered(lying, left)
    for extra in _unexplained(left):
        made.certainties.append((float(extra.get("sure", 1.0)), False))
        made.faults.append((float(extra["at"]), f"false: {json.dumps(extra)}"))
        made.marks.append(Mark(float(extra["at"]), "false", False))
    return called


def _forget_uncovered(lying: Sequence[tuple[str, str]], left: list[Told]) -> None:
    """Takes out what lay from the beginning and was told when it came into view."""
    waiting = list(lying)
    for told in list(left):
        card = (told["card"], told["place"])
        if told["event"] == "placed" and card in waiting:
            waiting.remove(card)
            left.remove(told)


def _find(
    event: Placed | Removed, left: list[Told], names: Names, later: Sequence[Placed | Removed]
) -> Told | None:
    """The told event that is this one: the nearest in time. Of two piles that were born at once,
    with one face, it is the one of which `later` events were told."""
    fits = _fits(event, left, names)
    if len({told["place"] for told in fits}) < 2:
        return fits[0] if fits else None
    return max(fits, key=lambda told: _told_of(event, told, later, left, names))


def _told_of(
    event: Placed | Removed, found: Told, later: Sequence[Placed | Removed], left: list[Told],
    names: Names,
) -> int:  # fmt: skip
    """How many `later` events were told, if `found` is this one."""
    names, left, count = names.copy(), [told for told in left if told is not found], 0
    names.learn(event.place, found["place"])
    names.happened(event)
    for each in later:
        fits = _fits(each, left, names)
        if fits:
            left = [told for told in left if told is not fits[0]]
            names.learn(each.place, fits[0]["place"])
            count += 1
        names.happened(each)
    return count


def _fits(event: Placed | Removed, left: list[Told], names: Names) -> list[Told]:
    """The told events that may be this one, the nearest in time first."""
    fits = [
        told
        for told in left
        if (told["event"], told["card"]) == (event.kind, event.card)
        and -_EARLY_S <= float(told["at"]) - event.at <= _LATE_S
        and names.fits(event.place, told["place"])
    ]
    return sorted(fits, key=lambda told: abs(float(told["at"]) - event.at))


def _count(made: GameScore, event: Placed | Removed, found: Told) -> None:
    made.events_right += 1
    made.marks.append(Mark(event.at, "event", True))
    made.certainties.append((float(found.get("sure", 1.0)), True))
    if event.seat is not None:
        made.seats += 1
        made.seats_right += event.seat == found.get("seat")
        if event.seat != found.get("seat"):
            made.faults.append((event.at, f"seat {found.get('seat')}: {event.to_json()}"))
    if isinstance(event, Placed):
        made.event_latencies.append(max(0.0, float(found["told"]) - event.at))


def _unexplained(left: list[Told]) -> list[Told]:
    """Told events that stand for nothing.

    Not counted: a card that is named later (`unknown` placed, then removed), and one that was
    taken and is back at once, as a card that is lifted and put back.
    """
    rest = list(left)
    for first in left:
        if first not in rest:
            continue
        back = next((e for e in rest if _undoes(first, e)), None)
        if back is not None:
            rest.remove(first)
            rest.remove(back)
    return rest


def _undoes(first: Told, later: Told) -> bool:
    same = (first["place"], first["card"]) == (later["place"], later["card"])
    in_time = 0.0 <= float(later["at"]) - float(first["at"]) <= _LATE_S
    is_named_later = first["event"] == "placed" and first["card"] == "unknown"
    is_back = first["event"] == "removed"
    return same and in_time and first["event"] != later["event"] and (is_named_later or is_back)


def _match_calls(
    made: GameScore, due: list[Told], told: list[Told], called: dict[str, str]
) -> None:
    """Pairs due calls with those that were made; a call is right by its rule and its place."""
    left = sorted(told, key=lambda call: float(call["told"]))
    for call in sorted(due, key=lambda call: float(call["at"])):
        kind, at = call["call"], float(call["at"])
        made.calls[kind] += 1
        fits = [
            c
            for c in left
            if (c["call"], c["rule"]) == (kind, call["rule"])
            and -_EARLY_S <= float(c["told"]) - at <= _LATE_S
            and _is_place(call, c, called)
        ]
        if not fits:
            made.faults.append((at, f"missed call: {json.dumps(call)}"))
            made.marks.append(Mark(at, kind, False))
            continue
        left.remove(fits[0])
        made.marks.append(Mark(at, kind, True))
        made.calls_right[kind] += 1
        made.call_latencies.append(max(0.0, float(fits[0]["told"]) - at))
    for call in left:
        made.calls_false[call["call"]] += 1
        made.faults.append((float(call["told"]), f"false call: {json.dumps(call)}"))
        made.marks.append(Mark(float(call["told"]), f"false {call['call']}", False))


def _is_place(due: Told, told: Told, called: dict[str, str]) -> bool:
    place = due.get("place")
    if place is None or not str(place).startswith("pile/"):
        return place == told.get("place")
    return called.get(f"{place}@{due['at']}", told.get("place")) == told.get("place")
