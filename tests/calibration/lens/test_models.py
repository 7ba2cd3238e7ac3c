"""Lens models: chosen by fit, valid to the corners, and honest where no view reached."""

import numpy as np
import pytest

from calibration.lens import intrinsics
from calibration.lens.board import Board, View, opencv_board
from calibration.lens.models import corner_deviations_px, fit_lens, is_monotone
from rules.errors import FairdealError
from vision.homography import rectangle
from vision.lens import Lens, LensModel

WIDTH, HEIGHT = SIZE = (1280, 720)
POINTS = np.asarray(opencv_board(Board()).getChessboardCorners(), np.float32)
NARROW = Lens(1100, 1100, 640, 360, (-0.2, 0.05, 0, 0, 0))
WIDE = Lens(700, 700, 645, 355, (-0.2, 0.045, 0.0005, -0.0003, -0.0035))
FISHEYE = Lens(600, 600, 640, 360, (0.02, -0.008, 0.002, -0.0004), LensModel.FISHEYE)
MIDDLE = ((0.5, 0.5), (0.3, 0.3), (0.7, 0.3), (0.3, 0.7), (0.7, 0.7), (0.5, 0.3), (0.5, 0.7),
          (0.3, 0.5), (0.7, 0.5))  # fmt: skip
CORNERS = ((0.5, 0.5), (0.08, 0.1), (0.92, 0.1), (0.08, 0.9), (0.92, 0.9), (0.5, 0.1), (0.5, 0.9),
           (0.1, 0.5), (0.9, 0.5))  # fmt: skip
TILTS = ((1, 0), (-1, 0), (0, 1), (0, -1), (0.7, 0.7), (-0.7, 0.7), (0.7, -0.7), (-0.7, -0.7),
         (0.1, 0.1))  # fmt: skip


def turned(x: float, y: float, z: float) -> np.ndarray:
    """A rotation (3, 3) by degrees about x, then y, then z."""
    a, b, c = np.radians([x, y, z])
    about_x = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
    about_y = np.array([[np.cos(b), 0, np.sin(b)], [0, 1, 0], [-np.sin(b), 0, np.cos(b)]])
    about_z = np.array([[np.cos(c), -np.sin(c), 0], [np.sin(c), np.cos(c), 0], [0, 0, 1]])
    return about_x @ about_y @ about_z


def views_of(lens: Lens, places: tuple[tuple[float, float], ...], seed: int = 1) -> list[View]:
    """Views of the board at places of the picture, with 0.15 px of noise."""
    random = np.random.default_rng(seed)
    out = []
    for i in range(14):
        place = np.array(places[i % 9]) * SIZE + random.uniform(-0.05, 0.05, 2) * SIZE
        lean = np.array(TILTS[(i * 4 + 1) % 9]) * 30 * random.uniform(0.85, 1.1)
        ray = np.append((lens.undistort(place) - (lens.cx, lens.cy)) / (lens.fx, lens.fy), 1)
        centre = ray / np.linalg.norm(ray) * random.uniform(280, 400)
        turn = random.choice([0, 90, 180, 270]) + random.uniform(-15, 15)
        there = (POINTS - POINTS.mean(0)) @ turned(*lean, turn).T + centre
        angle = np.degrees(np.arctan2(np.linalg.norm(there[:, :2], axis=1), there[:, 2]))
        ahead = angle < 80
        pixels = np.full((len(there), 2), -1.0)
        flat = there[ahead, :2] / there[ahead, 2:]
        pixels[ahead] = lens.distort(flat * (lens.fx, lens.fy) + (lens.cx, lens.cy))
        inside = (pixels > 4).all(axis=1) & (pixels < np.array(SIZE) - 4).all(axis=1)
        if inside.sum() < 12:
            continue
        pixels = pixels[inside] + random.normal(0, 0.15, (int(inside.sum()), 2))
        ids = np.flatnonzero(inside)
        out.append(View(str(i), ids, pixels.astype(np.float32), POINTS[inside], WIDTH, HEIGHT))
    return out


def corner_error_px(found: Lens, truth: Lens) -> float:
    """How far the fitted lens puts the true rays of the picture's corners from them."""
    corners = rectangle(WIDTH, HEIGHT)
    rays = (truth.undistort(corners) - (truth.cx, truth.cy)) / (truth.fx, truth.fy)
    pixels = found.distort(rays * (found.fx, found.fy) + (found.cx, found.cy))
    return float(np.linalg.norm(pixels - corners, axis=1).max())


@pytest.mark.parametrize(
    ("truth", "model"), [(NARROW, LensModel.BROWN), (WIDE, LensModel.BROWN), (FISHEYE, "fisheye")]
)
def test_views_in_the_corners_give_a_lens_that_is_right_there(truth: Lens, model: str) -> None:
    views = views_of(truth, CORNERS)
    solved = intrinsics.solve(views)
    assert solved.lens.model == model and solved.lens.error_px < 0.4
    assert corner_error_px(solved.lens.lens, truth) < 3
    assert corner_error_px(solved.lens.lens, truth) < 3 * solved.corner_px


def test_a_guess_in_the_corners_of_a_wide_lens_is_refused() -> None:
    """Its error is 14 px there, though the views fit within 0.2 px."""
    views = views_of(WIDE, MIDDLE)
    fit = fit_lens(views)
    assert fit.mean < 0.3 and corner_error_px(fit.lens, WIDE) > 8
    assert corner_deviations_px(fit, views).max() > 8
    with pytest.raises(FairdealError, match=r"corners, found \d+ px; add views"):
        intrinsics.solve(views)


def test_a_model_that_folds_back_in_the_picture_is_refused() -> None:
    views = views_of(FISHEYE, MIDDLE)
    assert fit_lens(views).mean < 0.3
    with pytest.raises(FairdealError, match="one that folds back; add views"):
        intrinsics.solve(views)


def test_corners_that_are_uncertain_are_asked_for() -> None:
    uncertain = np.array([3.0, 0.5, 0.5, 4.0])
    words = intrinsics._missing_corners(uncertain, WIDTH)
    assert words == (
        "the board in the picture's corners, where it may be cut off: upper left, lower left",
    )
    assert intrinsics._missing_corners(uncertain / 3, WIDTH) == ()
    assert "upper right" in intrinsics.missing_corners(views_of(WIDE, MIDDLE))[0]
    assert intrinsics.missing_corners(views_of(FISHEYE, CORNERS)) == ()


def test_monotone_models() -> None:
    assert is_monotone(NARROW, SIZE) and is_monotone(WIDE, SIZE) and is_monotone(FISHEYE, SIZE)
    assert not is_monotone(Lens(560, 560, 640, 360, (-0.3, 0.01, 0, 0, 0)), SIZE)
    assert not is_monotone(Lens(600, 600, 640, 360, (-0.3, 0, 0, 0), LensModel.FISHEYE), SIZE)
