"""When each act of a random game happens, and what players do besides: push, lift, reach, lean."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from lab.games.manners import TOGETHER_S, Habits
from models.drawing.acts import handling_s
from models.drawing.steps import How, Step, Tempo, Verb

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
    the game asks; `habits`: their table manners.
    """

    def __init__(
        self, rng: Random, pace: float, extras: bool, habits: Habits | None = None
    ) -> None:
        self._rng, self._pace, self._extras, self._habits = rng, pace, extras, habits
        self._last: Step | None = None
        self.tempo = tempo_at(pace)
        self._at = 1.0
        self._by_seat: dict[int | None, float] = {}
        self._by_place: dict[str, float] = {}
        self._tops: dict[str, str] = {}  # the card on top by place, where that is known

    def timed(self, steps: Sequence[Untimed]) -> list[Step]:
        """The steps in the order of time."""
        made: list[Step] = []
        for index, untimed in enumerate(steps):
            made.append(self._one(untimed))
            if untimed.step.verb is Verb.PRESS:
                continue
            if self._extras:
                made += self._more(untimed.step.seat)
            if self._habits:
                upcoming = steps[index + 1].step if index + 1 < len(steps) else None
                made += self._added(self._habits, untimed.step.seat, upcoming)
        return sorted(made, key=lambda step: step.at)

    def _one(self, untimed: Untimed) -> Step:
        step, rng = untimed.step, self._rng
        if step.verb is Verb.PRESS:
            # The hand that presses has let go of its last card.
            free = self._by_seat.get(step.seat, 0.0) + self.tempo.go
            self._at = max(self._at + min(0.5, self._pace * 0.5), free)
            return replace(step, at=round(self._at, 2))
        if self._habits:
            if not untimed.is_answer and (pair := self._together(self._habits, step)):
                return pair
            step = self._habits.changed(step)
        gap = self._pace * rng.uniform(0.75, 1.25) + (_ANSWER_S if untimed.is_answer else 0.0)
        gap += _SWEEP_S if step.verb is Verb.SWEEP else 0.0
        step = self._placed_in_time(step, self._at + gap)
        may_stay = self._extras and step.verb is Verb.PLACE
        if may_stay and rng.random() < _STAY and step.how != How.TOSS:
            step = replace(step, stay=round(rng.uniform(0.4, 1.2), 2))
        self._at = step.at
        self._book(step)
        return step

    def _together(self, habits: Habits, step: Step) -> Step | None:
        """The step at once with the last one, if two hands do both and its place is free."""
        if self._last is None or not habits.is_together(step, self._last):
            return None
        step = replace(step, at=round(self._last.at + TOGETHER_S - 0.01, 2))
        if self._by_place.get(step.place, 0.0) + self.tempo.come + 0.25 > step.at:
            return None
        self._at = step.at
        self._book(step)
        return step

    def _added(self, habits: Habits, seat: int | None, upcoming: Step | None) -> list[Step]:
        """What is no act, when hands and places are free for it."""
        made: list[Step] = []
        at = self._at + self._pace * self._rng.uniform(0.4, 0.9)
        for step in habits.added(seat, upcoming):
            step = self._placed_in_time(step, at + step.at)
            made.append(step)
            if step.verb in (Verb.REST, Verb.ELBOW):
                self._by_place[step.place] = step.at + self.tempo.go
                continue
            self._by_seat[step.seat] = max(step.at, self._by_seat.get(step.seat, 0.0))
            for place in (step.place, step.to):
                if place:
                    self._by_place[place] = step.at
        return made

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
        self._last, done = step, step.at + step.stay
        if self._habits:
            self._habits.booked(step)
        self._by_seat[step.seat] = done
        for place in (step.place, step.to):
            if place:
                self._by_place[place] = done
        for place in (step.place, step.to):
            self._tops.pop(place, None)
        onto = step.to if step.verb is Verb.MOVE else step.place
        if step.verb in (Verb.PLACE, Verb.MOVE) and step.on is None:
            self._tops[onto] = step.face

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
