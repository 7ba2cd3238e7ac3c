"""What the measures of a table check mean: for each topic a verdict, with what would be needed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from calibration.finding import Verdict
from calibration.light import light
from kiosk.tablecheck.acts import Act, End
from kiosk.tablecheck.evidence import BareTable, CornerCard, Evidence
from vision.scene.shift_estimate import WIDTH_PX
from vision.scene.view_shift import MOVED_PX

GOOD, WARN, BAD = Verdict.GOOD, Verdict.WARN, Verdict.BAD
NOISE = 5.0  # levels, above which faces that look alike cannot be told apart
CARD_PX, FEW_PX = 80.0, 50.0  # length of a card in the picture
BLUR, BLURRED = 0.018, 0.03  # blur of a card's edges, in card lengths: poor, unusable
CONTRAST, FAINT = 30.0, 15.0  # levels between card and cloth
PATTERN = 25.0  # levels of the cloth's own contrast; up to 44 were refereed rightly
FOLLOWED = 0.05  # change of brightness that no lamp and no hand explains
RECOVERED = 0.15  # part of a lamp's darkness that a camera takes back by itself
TINT = 0.08  # change of blue to red
PILE = 0.8  # part of the looks in which a pile's top card is found
HIDDEN = 0.2  # part of the picture that a fan may hide
RATE, SLOW = 10.0, 5.0  # frames a second
NUDGED = 0.1  # card lengths


@dataclass(frozen=True, slots=True)
class TableFinding:
    """A topic and its case, by which it is worded; what was measured, and what is needed.

    `where`: places in the picture, or names, for the words.
    """

    topic: str
    case: str
    state: Verdict
    measured: float
    needed: float
    where: tuple[str, ...] = ()


def judge(evidence: Evidence) -> tuple[TableFinding, ...]:
    """The findings of what was seen; nothing is said of what was not."""
    return tuple(_all(evidence))


def _all(found: Evidence) -> Iterator[TableFinding]:
    if found.bare is not None:
        yield _light(found.bare)
        yield from _steady(found.bare, found.size)
        yield _cloth(found.bare, found.corner, found.is_asked)
    if found.corner is not None:
        yield _height(found.corner)
        yield _most("colour", found.corner.cast, light.CAST, float("inf"))
        yield _most("focus", found.corner.blur, BLUR, BLURRED)
    elif found.trembles is not None:
        limit = MOVED_PX * max(1.0, found.size[0] / WIDTH_PX)
        yield TableFinding("shake", "card", BAD, found.trembles, limit / 2)
    elif found.ends.get(Act.CORNER) is End.LATE and found.is_asked:
        yield TableFinding("corner", "bad", BAD, 0, 1)
    if found.pile is not None:
        yield _least("pile", found.pile, PILE, PILE / 2)
    yield from _held(found)
    yield from _exposure(found)
    yield from _lamp(found)
    yield from _mat(found)


def _light(bare: BareTable) -> TableFinding:
    """The one fault of the light that matters most."""
    if bare.bright < light.DIM:
        return TableFinding("light", "dark", BAD, bare.bright, light.DIM)
    if bare.level > light.BRIGHT:
        return TableFinding("light", "bright", BAD, bare.level, light.BRIGHT)
    is_steady = (bare.swing or 0.0) <= light.FLICKER and (bare.shake or 0.0) <= MOVED_PX
    if bare.noise > NOISE and is_steady:  # else it is no noise that differs
        return TableFinding("light", "grainy", WARN, bare.noise, NOISE)
    if bare.level < light.DARK:
        return TableFinding("light", "dim", WARN, bare.level, light.DARK)
    return TableFinding("light", "good", GOOD, bare.level, light.DARK)


def _steady(bare: BareTable, size: tuple[int, int]) -> Iterator[TableFinding]:
    """Glare, flicker, shake and pace."""
    state = BAD if bare.burnt > light.GLARE_BAD else WARN if bare.burnt > 0 else GOOD
    case = "good" if state is GOOD else "bad"
    yield TableFinding("glare", case, state, bare.burnt, light.GLARE_SHARE, bare.burnt_at)
    if bare.swing is not None:
        yield _most("flicker", bare.swing, light.FLICKER, light.FLICKER)
    if bare.shake is not None:
        limit = MOVED_PX * max(1.0, size[0] / WIDTH_PX)
        yield _most("shake", bare.shake, limit / 2, limit)
    if bare.rate:
        yield _least("rate", bare.rate, RATE, SLOW)


def _cloth(bare: BareTable, corner: CornerCard | None, is_asked: bool) -> TableFinding:
    if bare.cards and is_asked:  # in a film, cards may lie from the beginning
        return TableFinding("cloth", "cards", BAD, bare.cards, 0)
    if corner is not None and corner.contrast < CONTRAST:
        state = BAD if corner.contrast < FAINT else WARN
        return TableFinding("cloth", "faint", state, corner.contrast, CONTRAST)
    if bare.pattern > PATTERN:
        return TableFinding("cloth", "pattern", WARN, bare.pattern, PATTERN)
    if corner is None:
        return TableFinding("cloth", "plain", GOOD, bare.pattern, PATTERN)
    return TableFinding("cloth", "good", GOOD, corner.contrast, CONTRAST)


def _height(corner: CornerCard) -> TableFinding:
    return _least("height", corner.length, CARD_PX, FEW_PX)


def _held(found: Evidence) -> Iterator[TableFinding]:
    if found.hidden is None:
        return
    if found.fan_over:
        yield TableFinding("fan", "over", WARN, found.hidden, HIDDEN)
    else:
        yield _most("fan", found.hidden, HIDDEN, float("inf"))


def _exposure(found: Evidence) -> Iterator[TableFinding]:
    """Whether the camera changes its exposure by itself, by what a hand and a lamp bring."""
    if found.off is not None and found.recovered > RECOVERED:
        yield TableFinding("exposure", "lamp", BAD, found.recovered, RECOVERED)
    elif found.followed is not None:
        yield _most("exposure", found.followed, FOLLOWED, 2 * FOLLOWED)
    elif found.off is not None:
        yield TableFinding("exposure", "lamp-good", GOOD, found.recovered, RECOVERED)
    if found.back is None:
        return
    change, tint = abs(found.back - 1), abs(found.tint - 1)
    if change > FOLLOWED:
        yield TableFinding("back", "bad", WARN, change, FOLLOWED)
    elif tint > TINT:
        yield TableFinding("back", "tint", WARN, tint, TINT)
    else:
        yield TableFinding("back", "good", GOOD, change, FOLLOWED)


def _lamp(found: Evidence) -> Iterator[TableFinding]:
    if found.off is None:
        if found.is_asked and found.ends.get(Act.LAMP_OFF) is End.LATE:
            yield TableFinding("lamp", "none", GOOD, 1.0, 0.0)
        return
    if found.off_found and found.off_level >= light.DARK:
        yield TableFinding("lamp", "good", GOOD, found.off_level, light.DARK)
    else:
        yield TableFinding("lamp", "needed", WARN, found.off_level, light.DARK)


def _mat(found: Evidence) -> Iterator[TableFinding]:
    """Whether camera, mat or cards moved between begin and end."""
    limit = MOVED_PX * max(1.0, found.size[0] / WIDTH_PX)
    if found.stood is not None and found.stood > limit:
        yield TableFinding("stand", "bad", BAD, found.stood, limit)
        return
    if found.slipped is not None and found.slipped > limit:
        yield TableFinding("mat", "bad", WARN, found.slipped, limit)
    elif found.nudged is not None and found.nudged > NUDGED:
        yield TableFinding("mat", "card", WARN, found.nudged, NUDGED)
    elif found.slipped is not None:
        yield TableFinding("mat", "good", GOOD, found.slipped, limit)
    elif found.nudged is not None:
        yield TableFinding("mat", "card-good", GOOD, found.nudged, NUDGED)


def _least(topic: str, measured: float, needed: float, bad: float) -> TableFinding:
    """More is better."""
    state = BAD if measured < bad else WARN if measured < needed else GOOD
    return TableFinding(topic, "good" if state is GOOD else "bad", state, measured, needed)


def _most(topic: str, measured: float, needed: float, bad: float) -> TableFinding:
    """Less is better."""
    state = BAD if measured > bad else WARN if measured > needed else GOOD
    return TableFinding(topic, "good" if state is GOOD else "bad", state, measured, needed)
