"""How an act of the simulated table goes: the hand's way, and the cards that it carries."""

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from models.drawing.arms import Arm, floats
from models.drawing.steps import Step, Tempo, Verb
from models.drawing.tabletop import Lying

TICK_S = 0.1
_BEFORE_S, _AFTER_S = 0.1, 0.15  # the hand is at the card before it acts, and a little longer
_PUSH_S, _LIFT_S = 0.35, 0.6
# The grip lies this far from the card's centre towards the player, in card lengths.
GRIP = 0.12
Way = tuple[tuple[float, np.ndarray], ...]


@dataclass(slots=True)
class Act:
    """A step as it is acted: the hand's way, and the cards it carries from `take` to `give`."""

    step: Step
    points: Way
    begin: float
    end: float
    lifted: float
    cards: list[Lying] = field(default_factory=list)
    has_taken: bool = False
    has_given: bool = False
    arm: Arm | None = None


def handling_s(step: Step, tempo: Tempo) -> float:
    """Seconds from lifting a card to letting it go."""
    return {
        Verb.MOVE: tempo.carry, Verb.TURN: tempo.flip, Verb.PUSH: _PUSH_S, Verb.LIFT: _LIFT_S,
    }.get(step.verb, 0.0)  # fmt: skip


def begin_of(step: Step, tempo: Tempo) -> float:
    """When the hand comes into view, s."""
    if step.verb is Verb.LEAN:
        return step.at - tempo.come
    return step.at - tempo.come - handling_s(step, tempo) - _BEFORE_S


def end_of(step: Step, tempo: Tempo) -> float:
    """When the hand is out of view, s."""
    return step.at + step.stay + tempo.go + _AFTER_S


def way_of(step: Step, tempo: Tempo, first: np.ndarray, last: np.ndarray, outs: Way) -> Way:
    """The hand's way: from outside to `first` (x, y) px, with the card to `last`, out again.

    `outs`: when and where it is out of view, before and after.
    """
    lifted = step.at - handling_s(step, tempo)
    leave = step.at + step.stay
    way = [outs[0], (lifted - 0.08, first), (lifted + 0.04, first)]
    if step.verb is Verb.LIFT:
        way.append((step.at - _LIFT_S / 2, first + (outs[0][1] - first) * 0.12))
    return (*way, (step.at - 0.05, last), (leave + 0.1, last), outs[1])


def on_the_way(points: Way, at: float) -> np.ndarray:
    """Where on its way through `points` a hand is: it starts and stops softly."""
    for (t0, a), (t1, b) in pairwise(points):
        if at < t1:
            part = float(np.clip((at - t0) / max(1e-6, t1 - t0), 0, 1))
            return floats(a + (b - a) * (part * part * (3 - 2 * part)))
    return points[-1][1]
