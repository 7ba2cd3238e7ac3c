"""How an act of the simulated table goes: the hand's way, and the cards that it carries."""

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from models.drawing.arms import Arm, floats
from models.drawing.steps import How, Step, Tempo, Verb
from models.drawing.tabletop import Lying

TICK_S = 0.1
_BEFORE_S, _AFTER_S = 0.1, 0.15  # the hand is at the card before it acts, and a little longer
_PUSH_S, _LIFT_S = 0.35, 0.6
# Seconds that an act takes from the hand's coming to its end, beside `Step.wait`.
_TAKES_S = {
    Verb.PUSH: _PUSH_S, Verb.LIFT: _LIFT_S, Verb.HOLD: 0.2, Verb.SQUARE: 0.7, Verb.PEEK: 0.7,
    Verb.LOOK: 0.7, Verb.RAISE: 0.9, Verb.BRUSH: 0.9,
}  # fmt: skip
SLIDE_S, DROP_S = 0.36, 0.25  # how long a card slides, and falls
_LAND_S = 0.25  # from hovering to the table
# Whose card, or whose hand alone, comes with the hand.
BROUGHT = frozenset({Verb.PLACE, Verb.HOLD})
EMPTY_HANDED = frozenset({Verb.REACH, Verb.BRUSH, Verb.REST, Verb.ELBOW})
# What takes cards up and lays them down again at their place.
PUT_BACK = frozenset({Verb.PUSH, Verb.LIFT, Verb.PEEK, Verb.LOOK, Verb.RAISE, Verb.SQUARE})
WHOLE_PILE = frozenset({Verb.RAISE, Verb.SQUARE, Verb.SWEEP})
# The grip lies this far from the card's centre towards the player, in card lengths.
GRIP = 0.12
_BEYOND = 1.5  # and so far beyond it where the forearm does the work
Way = tuple[tuple[float, np.ndarray], ...]


@dataclass(slots=True)
class Act:
    """A step as it is acted: the hand's way, and the cards it carries from `take` to `give`.

    `starts`: how its cards lay when they were taken. `height`: at most so much nearer to the
    camera, part of the distance. `arm` is None for what no hand does.
    """

    step: Step
    points: Way
    begin: float
    end: float
    lifted: float
    cards: list[Lying] = field(default_factory=list)
    has_taken: bool = False
    has_given: bool = False
    arm: Arm | None = None
    height: float = 0.0
    starts: list[Lying] = field(default_factory=list)


def handling_s(step: Step, tempo: Tempo) -> float:
    """Seconds from lifting a card to letting it go."""
    if step.how == How.TOSS:
        return SLIDE_S
    if step.how == How.DROP:
        return DROP_S
    usual = {Verb.MOVE: tempo.carry, Verb.TURN: tempo.flip, **_TAKES_S}
    return usual.get(step.verb, 0.0) + step.wait


def grip_of(step: Step) -> float:
    """How far the fingers' ends lie from the work towards the player, in card lengths."""
    uses_forearm = step.how == How.FOREARM or step.verb is Verb.BRUSH
    return -_BEYOND if uses_forearm else GRIP


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
    if step.how == How.TOSS:
        return (outs[0], (lifted, first), (lifted + 0.12, first), outs[1])
    way = [outs[0], (lifted - 0.08, first), (lifted + 0.04, first)]
    back = outs[0][1] - first
    if step.verb is Verb.LIFT:
        way.append((step.at - _LIFT_S / 2, first + back * 0.12))
    elif step.verb in (Verb.LOOK, Verb.RAISE, Verb.PEEK, Verb.SQUARE):
        aside = first + back / max(1.0, float(np.linalg.norm(back))) * _ASIDE_PX[step.verb]
        way += [(lifted + 0.35, aside), (step.at - 0.3, aside)]
    elif step.wait and step.verb in (*BROUGHT, Verb.REST):
        way += list(_trembling(step, lifted + 0.1, step.at - _LAND_S, first))
    return (*way, (step.at - 0.05, last), (leave + 0.1, last), outs[1])


# How far a hand goes aside, px of a picture 720 px high.
_ASIDE_PX = {Verb.LOOK: 95.0, Verb.RAISE: 40.0, Verb.PEEK: 12.0, Verb.SQUARE: 6.0}


def _trembling(step: Step, begin: float, end: float, where: np.ndarray) -> Way:
    """A hand that holds still is never quite still."""
    rng = np.random.default_rng([round(step.at * 100), 3])
    spread = 5.0 if step.verb is not Verb.REST else 1.5
    times = np.arange(begin, end, 0.25)
    return tuple((float(t), floats(where + rng.normal(0, spread, 2))) for t in times)


def height_at(act: Act, at: float) -> float:
    """How much nearer to the camera than the table the hand and its cards are, 0 on it."""
    step = act.step
    if not act.height or at <= act.begin:
        return act.height
    if step.verb in BROUGHT:
        landed = step.at if step.verb is Verb.PLACE else step.at + 99.0
        return act.height * float(np.clip((landed - 0.04 - at) / _LAND_S, 0, 1))
    up = float(np.clip((at - act.lifted) / 0.3, 0, 1) * np.clip((step.at - 0.02 - at) / 0.3, 0, 1))
    return act.height * up


def on_the_way(points: Way, at: float) -> np.ndarray:
    """Where on its way through `points` a hand is: it starts and stops softly."""
    for (t0, a), (t1, b) in pairwise(points):
        if at < t1:
            part = float(np.clip((at - t0) / max(1e-6, t1 - t0), 0, 1))
            return floats(a + (b - a) * (part * part * (3 - 2 * part)))
    return points[-1][1]
