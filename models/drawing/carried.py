"""How the cards of an act lie in the hand, on the way, or sliding: a quad and a face each."""

from dataclasses import replace

import numpy as np

from models.drawing.acts import SLIDE_S, Act, grip_of, height_at
from models.drawing.arms import floats
from models.drawing.steps import How, Step, Tempo, Verb
from models.drawing.tabletop import Lying, Tabletop, copied

_SLIDE = 1.25  # how far a tossed card slides, in card lengths
_MOST = 5  # of a carried pile no more is to be seen


def tossed_from(card: Lying, away: np.ndarray, length: float) -> np.ndarray:
    """Where a card is let go that slides to where it will lie."""
    return floats(card.centre + away * length * _SLIDE)


def carried(act: Act, at: float, tip: np.ndarray, tempo: Tempo, table: Tabletop) -> list[
    tuple[np.ndarray, str]
]:  # fmt: skip
    """Quads (4, 2) px and faces of the act's cards at `at` s, bottom to top."""
    made = []
    squeeze = _squeeze(act.step, at, tempo)
    for card in _moved(act, at, tip, table)[-_MOST:]:
        face = card.face
        if act.step.verb is Verb.TURN and (act.step.at - at) / tempo.flip < 0.5:
            face = act.step.becomes
        quad = table.quad(card, squeeze)
        made.append((raised(quad, height_at(act, at), table.size), face))
    return made


def raised(points: np.ndarray, height: float, size: tuple[int, int]) -> np.ndarray:
    """Points (..., 2) px seen from above, held so much nearer to the camera: larger, outwards."""
    middle = floats(size) / 2
    return floats(middle + (points - middle) * (1 + height))


def _squeeze(step: Step, at: float, tempo: Tempo) -> float:
    """The part of its width that a card shows while it is turned or tilted."""
    if step.verb is Verb.TURN:
        part = np.clip((step.at - at) / tempo.flip, 0, 1)
        return max(0.08, abs(2 * float(part) - 1))
    if step.verb is Verb.PEEK:
        tilt = np.clip(min(at - (step.at - step.wait - 0.7), step.at - at) / 0.3, 0, 1)
        return 1 - 0.55 * float(tilt)
    return 1.0


def _moved(act: Act, at: float, tip: np.ndarray, table: Tabletop) -> list[Lying]:
    step = act.step
    if step.how == How.TOSS and at >= act.lifted:
        return [_sliding(act, at)]
    if step.how == How.DROP:
        return [_falling(act, at)]
    if step.verb in (Verb.SQUARE, Verb.PEEK):
        part = float(np.clip((at - act.lifted) / max(0.1, step.at - act.lifted), 0, 1))
        return [_between(a, b, part) for a, b in zip(act.starts, act.cards, strict=True)]
    assert act.arm is not None
    grip = floats(act.arm.away) * table.card[1] * grip_of(step)
    centre = act.cards[-1].centre
    swing = float(np.linalg.norm(tip - grip - centre)) / max(table.size)
    made = []
    for card in act.cards:
        moved = copied(card)
        moved.centre = tip - grip + (card.centre - centre)
        moved.degrees += 22 * swing
        made.append(moved)
    return made


def _sliding(act: Act, at: float) -> Lying:
    """It slows down and stops turning."""
    card = act.cards[0]
    left = 1 - float(np.clip((at - act.lifted) / SLIDE_S, 0, 1))
    begin = act.starts[0]
    return _between(begin, card, 1 - left * left)


def _falling(act: Act, at: float) -> Lying:
    card = act.cards[0]
    left = float(np.clip((act.step.at - at) / 0.25, 0, 1))
    return replace(copied(card), degrees=card.degrees + 60 * left)


def _between(a: Lying, b: Lying, part: float) -> Lying:
    centre = floats(a.centre + (b.centre - a.centre) * part)
    degrees = a.degrees + (b.degrees - a.degrees) * part
    return replace(b, centre=centre, degrees=degrees)
