"""Draws an act over the table: the cards that it carries, and the arm that carries them."""

import cv2
import numpy as np

from models.drawing.acts import Act, height_at, on_the_way
from models.drawing.arms import Arm, floats
from models.drawing.carried import carried, raised
from models.drawing.scene import Laid, lay
from models.drawing.steps import Tempo, Verb
from models.drawing.tabletop import Tabletop


def draw_act(
    out: np.ndarray, act: Act, at: float, table: Tabletop, tempo: Tempo, is_alone: bool,
    is_even: bool,
) -> None:  # fmt: skip
    """Draws the carried cards and the arm over `out`, in the light of where they are.

    `is_alone`: no other act is drawn; `is_even`: the light is nearly the same everywhere.
    """
    w, h = table.size
    height = height_at(act, at)
    tip = on_the_way(act.points, at)
    arm, low, high = act.arm, np.zeros(2, int), np.zeros(2, int)
    if arm is not None:
        low = np.round(raised(tip, height, table.size) - floats(arm.tip)).astype(int)
        high = low + np.array(arm.keep.shape[1::-1])
    held = carried(act, at, tip, tempo, table) if act.has_taken and act.cards else []
    length = table.card[1]
    boxes = [table.around([quad], length * (0.1 + height)) for quad, _ in held]
    boxes += [(int(low[0]), int(low[1]), int(high[0]), int(high[1]))] if arm is not None else []
    if not boxes:
        return
    x0, y0 = max(0, min(b[0] for b in boxes)), max(0, min(b[1] for b in boxes))
    x1, y1 = min(w, max(b[2] for b in boxes)), min(h, max(b[3] for b in boxes))
    if x1 <= x0 or y1 <= y0:
        return
    # Two arms at once: the later one goes over a picture that is lit already.
    part = (table.unlit if is_alone else out)[y0:y1, x0:x1].copy()
    is_relit = not is_alone and not is_even
    field = table.field[y0:y1, x0:x1]
    if is_relit:
        part = cv2.divide(part, field, dtype=cv2.CV_8U)
    lift = (1.0 if act.step.verb in (Verb.PUSH, Verb.SQUARE) else 2.6) + 60 * height
    for quad, face in held:
        picture = table.pictures[face]
        lay(part, Laid(picture, quad - floats([x0, y0])), table.light, lift)
    if arm is not None:
        _put_arm(part, arm, low, (x0, y0, x1, y1))
    if is_alone or is_relit:
        part = cv2.multiply(part, field, dtype=cv2.CV_8U)
    out[y0:y1, x0:x1] = part


def _put_arm(part: np.ndarray, arm: Arm, low: np.ndarray, box: tuple[int, int, int, int]) -> None:
    """The arm, whose picture begins at `low` px, over the `box` that `part` is, in place."""
    x0, y0, x1, y1 = box
    high = low + np.array(arm.keep.shape[1::-1])
    a0, b0, a1, b1 = max(x0, low[0]), max(y0, low[1]), min(x1, high[0]), min(y1, high[1])
    if a1 <= a0 or b1 <= b0:
        return
    inside = np.s_[b0 - low[1] : b1 - low[1], a0 - low[0] : a1 - low[0]]
    below = part[b0 - y0 : b1 - y0, a0 - x0 : a1 - x0]
    kept = cv2.multiply(below, arm.keep[inside], scale=1 / 255)
    cv2.add(kept, arm.add[inside], below)
