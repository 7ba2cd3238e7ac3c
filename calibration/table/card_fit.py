"""The table's homography from cards of known size that lie on it.

Every card is a rectangle of the same size. Levenberg-Marquardt minimises the reprojection error
over the homography and the pose of each card.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.lens.intrinsics import today
from calibration.store import Intrinsics, TableFit
from calibration.table import uncertainty
from calibration.table.table_fit import (
    UNCERTAIN_MM,
    check_size,
    picture_sides,
    undistorted,
)  # fmt: skip
from rules.errors import FairdealError
from vision.homography import apply, rectangle

MIN_CARDS = 4
REFUSED_PX = 3.0  # largest rms error of the corners
MIN_SPREAD = 0.06  # least area of the cards' convex hull, of the picture
STRETCHED = 0.06  # largest deviation of the two millimetre axes from a square
_LAY = f"lay at least {MIN_CARDS} cards apart, all over the table, none over another"


def from_deck(
    picture: np.ndarray, deck_name: str, size_mm: tuple[float, float], lens: Intrinsics | None
) -> TableFit:
    """Finds the cards of a taught deck in the picture and fits the table to them.

    Only recognised cards count: to the locator alone the mat's markers look like cards, and
    recognition refines the corners.
    """
    from models.deck import load_deck
    from vision.recognition.eyes import Eyes
    from vision.sightings import UNKNOWN

    deck = load_deck(deck_name)
    if deck.outline != "card":
        raise FairdealError(
            "a deck of rectangular cards", f"{deck.outline}", "use the mat or --corners"
        )
    seen = Eyes.open(deck).see(picture)
    named = [k for k, face in enumerate(seen.faces) if face != UNKNOWN]
    if len(named) < MIN_CARDS:
        raise FairdealError(
            f"at least {MIN_CARDS} cards of the deck {deck.name}",
            f"{len(named)} (and {len(seen.faces) - len(named)} not recognised)", _LAY,
        )  # fmt: skip
    height, width = picture.shape[:2]
    card_mm = (deck.width_mm, deck.height_mm)
    return from_quads(seen.quads[named], card_mm, size_mm, lens, (width, height))


def from_quads(
    quads: np.ndarray,
    card_mm: tuple[float, float],
    size_mm: tuple[float, float],
    lens: Intrinsics | None,
    size_px: tuple[int, int],
    made: str = "",
) -> TableFit:
    """Fits the table to cards (N, 4, 2) px, clockwise, any corner first, of `card_mm` each.

    The table's centre is put at the picture's centre, its upper side along the picture's.
    FairdealError if there are too few cards, or they contradict each other.
    """
    check_size(*size_mm)
    quads = np.asarray(quads, np.float64).reshape(-1, 4, 2)
    if len(quads) < MIN_CARDS:
        raise FairdealError(f"at least {MIN_CARDS} cards", f"{len(quads)}", _LAY)
    straight = undistorted(quads, lens)
    spread = cv2.contourArea(cv2.convexHull(quads.reshape(-1, 2).astype(np.float32)))
    if spread < MIN_SPREAD * size_px[0] * size_px[1]:
        raise FairdealError("cards all over the table", "cards at one place", _LAY)
    kept, homography = _consistent(straight, card_mm)
    stretched = _stretched(homography, lens, size_px)
    if stretched > STRETCHED:
        raise FairdealError(
            f"cards of {card_mm[0]:g}x{card_mm[1]:g} mm", f"shapes {stretched:.0%} out of square",
            "check the deck's card size, turn some cards, and " + _LAY,
        )  # fmt: skip
    middle = undistorted(np.array([[size_px[0] / 2, size_px[1] / 2]]), lens)
    homography = _upright(homography, middle, size_mm)
    error_mm = _uncertainty_mm(straight[kept], card_mm, size_mm, middle, homography)
    if error_mm > UNCERTAIN_MM:
        raise FairdealError(
            f"a table certain to {UNCERTAIN_MM:g} mm", f"{error_mm:.0f} mm, by {kept.sum()} cards",
            "add cards near the table's corners, move the camera closer, and " + _LAY,
        )  # fmt: skip
    rows = tuple(tuple(float(v) for v in row) for row in homography)
    seats = picture_sides(homography, *size_mm, lens)
    words = f"{int(kept.sum())} cards"
    return TableFit(rows, *size_mm, words, error_mm, seats, made or today())


def _consistent(
    straight: np.ndarray, card_mm: tuple[float, float]
) -> tuple[np.ndarray, np.ndarray]:
    """Which cards (N,) agree with each other, and their homography; drops the worst ones.

    FairdealError if the rest still disagrees.
    """
    kept = np.ones(len(straight), bool)
    homography, errors = _solve(straight, card_mm)
    while errors.max() > REFUSED_PX and kept.sum() > max(MIN_CARDS, 0.6 * len(straight)):
        kept[np.flatnonzero(kept)[int(errors.argmax())]] = False
        homography, errors = _solve(straight[kept], card_mm)
    rms = float(np.sqrt((errors**2).mean()))
    if rms > REFUSED_PX:
        raise FairdealError(
            f"cards of {card_mm[0]:g}x{card_mm[1]:g} mm, within {REFUSED_PX:g} px", f"{rms:.1f} px",
            "check the deck, and " + _LAY,
        )  # fmt: skip
    return kept, homography


def _uncertainty_mm(
    quads: np.ndarray, card_mm: tuple[float, float], size_mm: tuple[float, float],
    middle_px: np.ndarray, homography: np.ndarray,
) -> float:  # fmt: skip
    """The standard error of the worst point of the table, mm: each card is left out once."""
    points = uncertainty.grid_mm(*size_mm)
    pixels = apply(np.linalg.inv(homography), points)

    def without(k: int) -> np.ndarray | None:
        try:
            other, _ = _solve(np.delete(quads, k, axis=0), card_mm)
        except (FairdealError, np.linalg.LinAlgError):
            return None
        return apply(_upright(other, middle_px, size_mm), pixels)

    return uncertainty.jackknife(len(quads), without, points)


def _solve(quads: np.ndarray, card_mm: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
    """The homography px → mm, and the rms error of each card in px."""
    best: tuple[float, np.ndarray, np.ndarray] | None = None
    areas = [cv2.contourArea(q.astype(np.float32)) for q in quads]
    first = int(np.argmax(areas))
    order = [first] + [i for i in range(len(quads)) if i != first]
    for turn in range(2):
        shapes = _start(quads[order], card_mm, turn)
        if shapes is None:
            continue
        vector, targets = shapes
        vector = _levenberg(vector, quads[order], targets)
        residual = _residual(vector, quads[order], targets).reshape(len(quads), -1)
        errors = np.empty(len(quads))
        errors[order] = np.sqrt((residual**2).sum(axis=1) / 4)
        total = float(np.sqrt((errors**2).mean()))
        if np.isfinite(total) and (best is None or total < best[0]):
            to_px = np.append(vector[:8], 1.0).reshape(3, 3)
            best = total, np.linalg.inv(to_px), errors
    if best is None:
        raise FairdealError(
            "cards that lie flat on one table", "shapes that do not", "lay them again"
        )
    return best[1], best[2]


def _stretched(homography: np.ndarray, lens: Intrinsics | None, size_px: tuple[int, int]) -> float:
    """Deviation of the millimetre axes from a square: difference in length, and skew.

    0 for a flat table seen by a pinhole camera. Cards of a wrong size that all lie alike are fitted
    by a stretched table. Without a lens the best focal length is taken.
    """
    to_px = np.linalg.inv(homography)
    width, height = size_px
    if lens is not None:
        cameras = [lens.lens.matrix]
    else:
        middle = (width / 2, height / 2)
        cameras = [
            np.array([[f, 0, middle[0]], [0, f, middle[1]], [0, 0, 1.0]])
            for f in np.geomspace(0.4 * width, 4 * width, 40)
        ]
    out = []
    for matrix in cameras:
        across, down = np.linalg.solve(matrix, to_px[:, :2]).T
        lengths = float(np.linalg.norm(across)), float(np.linalg.norm(down))
        askew = float(across @ down) / (lengths[0] * lengths[1])
        out.append(float(np.hypot(np.log(lengths[0] / lengths[1]), askew)))
    return min(out)


def _card(card_mm: tuple[float, float], turn: int) -> np.ndarray:
    return np.roll(rectangle(*card_mm), turn, axis=0)


def _start(
    quads: np.ndarray, card_mm: tuple[float, float], turn: int
) -> tuple[np.ndarray, list[np.ndarray]] | None:
    """The initial guess: the largest card sets the homography, which places the others."""
    targets = [_card(card_mm, turn)]
    to_px = cv2.getPerspectiveTransform(
        targets[0].astype(np.float32), quads[0].astype(np.float32)
    )  # fmt: skip
    vector = list((to_px / to_px[2, 2]).ravel()[:8])
    to_mm = np.linalg.inv(to_px)
    for quad in quads[1:]:
        mm = apply(to_mm, quad)
        if not np.isfinite(mm).all():
            return None
        choices = []
        for other in range(2):
            target = _card(card_mm, other)
            pose, error = _lay(target, mm)
            choices.append((error, pose, target))
        _, pose, target = min(choices, key=lambda c: c[0])
        vector += pose
        targets.append(target)
    return np.array(vector), targets


def _lay(target: np.ndarray, mm: np.ndarray) -> tuple[list[float], float]:
    """The best pose (x, y, angle) of `target` on `mm`, and its squared error."""
    a, b = target - target.mean(axis=0), mm - mm.mean(axis=0)
    angle = float(np.arctan2((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum(), (a * b).sum()))
    turned = a @ _turn(angle).T
    shift = mm.mean(axis=0) - target.mean(axis=0) @ _turn(angle).T
    return [float(shift[0]), float(shift[1]), angle], float(((turned - b) ** 2).sum())


def _turn(angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])


def _residual(vector: np.ndarray, quads: np.ndarray, targets: Sequence[np.ndarray]) -> np.ndarray:
    points = [targets[0]]
    for i, target in enumerate(targets[1:]):
        x, y, angle = vector[8 + 3 * i : 11 + 3 * i]
        points.append(target @ _turn(angle).T + (x, y))
    to_px = np.append(vector[:8], 1.0).reshape(3, 3)
    return (apply(to_px, np.concatenate(points)) - quads.reshape(-1, 2)).ravel()


def _levenberg(vector: np.ndarray, quads: np.ndarray, targets: Sequence[np.ndarray]) -> np.ndarray:
    damping, residual = 1e-3, _residual(vector, quads, targets)
    for _ in range(60):
        steps = 1e-6 * np.maximum(np.abs(vector), 1e-3)
        columns = [
            (_residual(vector + step * unit, quads, targets) - residual) / step
            for step, unit in zip(steps, np.eye(len(vector)), strict=True)
        ]
        jacobian = np.column_stack(columns)
        normal, slope = jacobian.T @ jacobian, jacobian.T @ residual
        while damping < 1e12:
            change = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-15), -slope)
            tried = _residual(vector + change, quads, targets)
            if tried @ tried < residual @ residual:
                break
            damping *= 10
        else:
            break
        gain = residual @ residual - tried @ tried
        vector, residual, damping = vector + change, tried, max(damping / 10, 1e-12)
        if gain < 1e-10 * (residual @ residual + 1e-12):
            break
    return vector


def _upright(
    homography: np.ndarray, middle_px: np.ndarray, size_mm: tuple[float, float]
) -> np.ndarray:
    """Rotated and shifted so that the centres of picture and table coincide, upright."""
    ends = apply(homography, middle_px + np.array([[-5.0, 0], [5.0, 0]]))
    angle = float(np.arctan2(*(ends[1] - ends[0])[::-1]))
    turn = np.eye(3)
    turn[:2, :2] = _turn(-angle)
    centre = apply(turn @ homography, middle_px)[0]
    turn[:2, 2] = np.array(size_mm) / 2 - centre
    out = turn @ homography
    return out / out[2, 2]
