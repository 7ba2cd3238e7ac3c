"""A card of the same face that was laid on another, or taken from it: only the face has moved."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Image
from vision.geometry import Mask, Quad

Picture = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Restacking:
    """What the picture must say. Lengths in px of a close picture.

    `same`: correlation of the moved face with this picture, from which it is that face; `plain`:
    from which it lies as it did, not the other way round; `clear`: by how much more it must be so
    the other way round; `smooth`: filters, the coarsest first; `moved`: how far a corner went,
    below which nothing happened; `apart`: from which on the edges tell a like card from a push;
    `far`: beyond which it is another card; `tint`: by how much its light may be coloured since;
    `better`: the part of what the other course leaves that the right one may leave.
    """

    same: float = 0.9
    plain: float = 0.97
    clear: float = 0.03
    smooth: tuple[int, ...] = (21, 7)
    moved: float = 1.5
    apart: float = 4.0
    far: float = 25.0
    tint: float = 1.2
    better: float = 0.85


RESTACKING = Restacking()


@dataclass(frozen=True, slots=True, eq=False)
class Course:
    """What became of a card whose face is seen. `kind`: "still"; "laid": another card of that face
    lies on it; "nudged": it was pushed; "gone": it went, and a like one below it shows; "open":
    laid or nudged. `corners` (4, 2): of the face now, in the close picture."""

    kind: str
    corners: Quad


def course(
    face: Image, upon: Image, below: Image, now: Image, card: Quad, inner: Mask, *, like: bool
) -> Course | None:
    """What happened, from close pictures (h, w, 3) that show the same place; None where the face is
    not found in `now`.

    `face`: the picture with the card; `upon`: the picture on which another one would lie; `below`:
    the picture without the card; `card` (4, 2): its corners; `inner` (h, w): its print; `like`:
    whether a card of its face lies right below it.
    """
    seen = _seen(face, now, card, inner)
    if seen is None:
        return None
    turned, found, card, corners = seen
    is_turned = turned is not face
    apart = _apart(card, corners)
    gain = _gain(turned, now, found, inner)
    if apart > RESTACKING.far or gain.max() > RESTACKING.tint * gain.min():
        return None
    if apart < RESTACKING.moved and not is_turned:
        return Course("still", corners)
    size = face.shape[1::-1]
    moved = cv2.warpAffine(turned * gain, found, size, borderMode=cv2.BORDER_REPLICATE)
    old, new = _soft(card, size), _soft(corners, size)
    edges = cv2.dilate((np.abs(old - new) > 0.1).view(np.uint8), np.ones((3, 3), np.uint8))
    place = edges.view(bool)
    if not place.any():  # exactly upon it
        return Course("laid", corners)

    def left(base: Image, part: Picture) -> float:
        made = base * gain + (moved - base * gain) * part[..., None]
        return float(np.abs(made - now)[place].mean())

    gone = left(below, np.zeros_like(new)) if like else np.inf
    kind = _kind(left(upon, new), left(below, new), gone)
    is_told = is_turned or kind != "laid" or apart >= RESTACKING.apart
    return Course(kind if is_told else "open", corners)


def shift(face: Image, now: Image, card: Quad, inner: Mask) -> float | None:
    """How far (px) the corners of a card (4, 2) went between two close pictures (h, w, 3), the
    furthest; None where its print is not found. `inner` (h, w): its print."""
    seen = _seen(face, now, card, inner)
    return None if seen is None else _apart(*seen[2:])


def _seen(
    face: Image, now: Image, card: Quad, inner: Mask
) -> tuple[Image, npt.NDArray[np.float64], Quad, Quad] | None:
    """The face as it lies now, its motion (2, 3), and its corners (4, 2) before and now; None
    where it is not found."""
    same, turned, motion = _found(face, now, inner)
    if motion is None or same < RESTACKING.same:
        return None
    before = card if turned is face else np.roll(card, 2, axis=0)
    corners = np.asarray(before @ motion[:, :2].T + motion[:, 2], np.float32)
    return turned, motion, before, corners


def _apart(before: Quad, now: Quad) -> float:
    """How far (px) the corner went that went furthest."""
    return float(np.linalg.norm(now - before, axis=1).max())


def _kind(laid: float, nudged: float, gone: float) -> str:
    """The course that leaves the smallest difference (grey levels)."""
    if gone <= min(laid, nudged):
        return "gone"
    if laid <= RESTACKING.better * nudged:
        return "laid"
    return "nudged" if nudged <= RESTACKING.better * laid else "open"


def _found(
    face: Image, now: Image, inner: Mask
) -> tuple[float, Image, npt.NDArray[np.float64] | None]:
    """How much alike the face is in this picture, the face as it lies there, and its motion."""
    same, motion = _motion(face, now, inner)
    if same >= RESTACKING.plain:
        return same, face, motion
    turned = np.ascontiguousarray(face[::-1, ::-1])
    other_same, other = _motion(turned, now, inner)
    is_turned = other_same > same + RESTACKING.clear
    return (other_same, turned, other) if is_turned else (same, face, motion)


def _motion(before: Image, now: Image, inner: Mask) -> tuple[float, npt.NDArray[np.float64] | None]:
    """How much alike a face is in the pictures, and its rigid motion (2, 3) between them."""
    then, seen = (
        np.asarray(cv2.cvtColor(one, cv2.COLOR_BGR2GRAY), np.float32) for one in (before, now)
    )
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 50, 1e-3)
    motion, same = np.eye(2, 3, dtype=np.float32), 0.0
    for smooth in RESTACKING.smooth:
        try:
            same, found = cv2.findTransformECC(
                then, seen, motion, cv2.MOTION_EUCLIDEAN, stop, inner.view(np.uint8), smooth
            )
        except cv2.error:  # it did not converge
            return 0.0, None
        motion = np.asarray(found, np.float32)
    return float(same), np.asarray(motion, np.float64)


def _gain(
    picture: Image, now: Image, motion: npt.NDArray[np.float64], inner: Mask
) -> npt.NDArray[np.float64]:
    """By how much (3,) this picture's light is brighter, by the face in both."""
    moved = cv2.warpAffine(picture, motion, picture.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    then, seen = moved[inner].mean(axis=0), now[inner].mean(axis=0)
    return np.asarray(seen / np.maximum(then, 1.0), np.float64)


def _soft(quad: Quad, size: tuple[int, int]) -> Picture:
    """A filled quad (4, 2) px in a picture of `size` (width, height), 0 to 1, with soft edges."""
    mask = np.zeros(size[::-1], np.float32)
    cv2.fillConvexPoly(mask, np.rint(quad * 16).astype(np.int32), 1.0, cv2.LINE_8, 4)
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), 0.7), np.float32)
