"""When each act of a random game happens, and what players do besides: push, lift, reach, lean."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from models.drawing.acts import handling_s
from models.drawing.steps import Step, Tempo, Verb

_CALM, _QUICK = 1.5, 0.6  # s between two acts, at which hands are as slow and as fast as they get
_ANSWER_S = 1.6  # until somebody puts a mistake right
_SWEEP_S = 0.4  # that a sweep takes longer
# Chances of what no event tells, by step.
_STAY, _PUSH, _LIFT, _REACH, _LEAN, _SECOND_HAND = 0.1, 0.05, 0.025, 0.04, 0.02, 0.15


@dataclass(frozen=True, slots=True)
class Untimed:
    """A step to come. `is_answer`: it puts the one before right, so people need time to see it."""

    step: Step
    is_answer: bool = False


def tempo_at(pace: float) -> Tempo:
    """How fast hands are where an act comes every `pace` s."""
    part = min(1.0, max(0.0, (pace - _QUICK) / (_CALM - _QUICK)))

    def between(quick: float, calm: float) -> float:
        return round(quick + (calm - quick) * part, 2)

    return Tempo(between(0.4, 0.7), between(0.35, 0.6), between(0.6, 0.9), between(0.25, 0.3))


class Timing:
    """Gives steps their times: an act every `pace` s on average, as far as hands can.

    A seat's next act waits until its hand is back, but now and then its other hand acts at once.
    A place's next act waits until the last one is done. `extras`: whether players do more than
    the game asks.
    """

    def __init__(self, rng: Random, pace: float, extras: bool) -> None:
        self._rng, self._pace, self._extras = rng, pace, extras
        self.tempo = tempo_at(pace)
        self._at = 1.0
        self._by_seat: dict[int | None, float] = {}
        self._by_place: dict[str, float] = {}
        self._tops: dict[str, str] = {}

    def timed(self, steps: Sequence[Untimed]) -> list[Step]:
        """The steps in the order of time."""
        made: list[Step] = []
        for untimed in steps:
            made.append(self._one(untimed))
            if self._extras and untimed.step.verb is not Verb.PRESS:
                made += self._more(untimed.step.seat)
        return sorted(made, key=lambda step: step.at)

    def _one(self, untimed: Untimed) -> Step:
        step, rng = untimed.step, self._rng
        if step.verb is Verb.PRESS:
            # The hand that presses has let go of its last card.
            free = self._by_seat.get(step.seat, 0.0) + self.tempo.go
            self._at = max(self._at + min(0.5, self._pace * 0.5), free)
            return replace(step, at=round(self._at, 2))
        gap = self._pace * rng.uniform(0.75, 1.25) + (_ANSWER_S if untimed.is_answer else 0.0)
        gap += _SWEEP_S if step.verb is Verb.SWEEP else 0.0
        step = self._placed_in_time(step, self._at + gap)
        if self._extras and step.verb is Verb.PLACE and rng.random() < _STAY:
            step = replace(step, stay=round(rng.uniform(0.4, 1.2), 2))
        self._at = step.at
        self._book(step)
        return step

    def _placed_in_time(self, step: Step, at: float) -> Step:
        """The step at `at` s or later, when its hand and its places are free."""
        tempo = self.tempo
        hold = handling_s(step, tempo)
        places = [place for place in (step.place, step.to) if place]
        free = max((self._by_place.get(place, 0.0) for place in places), default=0.0)
        at = max(at, free + hold + tempo.come + 0.25)
        if self._rng.random() >= _SECOND_HAND:
            at = max(at, self._by_seat.get(step.seat, 0.0) + hold + 0.6 * (tempo.come + tempo.go))
        return replace(step, at=round(at, 2))

    def _book(self, step: Step) -> None:
        done = step.at + step.stay
        self._by_seat[step.seat] = done
        for place in (step.place, step.to):
            if place:
                self._by_place[place] = done
        self._tops.pop(step.place, None)
        if step.verb is Verb.PLACE and step.on is None:
            self._tops[step.place] = step.face

    def _more(self, seat: int | None) -> list[Step]:
        """What somebody does that is no act of the game."""
        rng = self._rng
        chance = rng.random()
        for verb, share in (
            (Verb.PUSH, _PUSH), (Verb.LIFT, _LIFT), (Verb.REACH, _REACH), (Verb.LEAN, _LEAN),
        ):  # fmt: skip
            if chance < share:
                return self._extra(verb, seat)
            chance -= share
        return []

    def _extra(self, verb: Verb, seat: int | None) -> list[Step]:
        at = self._at + self._pace * self._rng.uniform(0.5, 1.0)
        if verb is Verb.LEAN:
            stay = round(self._rng.uniform(0.8, 2.5), 2)
            return [Step(round(at, 2), verb, seat=seat, stay=stay)]
        if not self._tops:
            return []
        place = self._rng.choice(sorted(self._tops))
        face = "" if verb is Verb.REACH else self._tops[place]
        step = self._placed_in_time(Step(at, verb, place, face, seat), at)
        self._by_seat[seat] = step.at
        if verb is not Verb.REACH:
            self._by_place[place] = step.at
            self._at = max(self._at, step.at)
        return [step]
