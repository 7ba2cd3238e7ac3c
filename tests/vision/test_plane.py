"""The plane: both ways through lens and homography, and estimated from cards."""

import numpy as np
import pytest

from vision.homography import apply, rectangle
from vision.lens import Lens, LensModel
from vision.plane import Plane

CARD = (63.0, 88.0)
SIZE = (1280, 720)
BROWN = Lens(1100.0, 1095.0, 650.0, 352.0, (-0.28, 0.09, 0.0005, -0.0004, 0.01))
FISHEYE = Lens(620.0, 620.0, 640.0, 360.0, (0.03, -0.01, 0.004, -0.001), LensModel.FISHEYE)


def camera(tilt_deg: float, turn_deg: float, focal: float = 1100.0, high: float = 900.0):
    """The homography px → mm of a camera above the table, its middle in the picture's middle."""
    a, b = np.radians([tilt_deg, turn_deg])
    tilt = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
    turn = np.array([[np.cos(b), -np.sin(b), 0], [np.sin(b), np.cos(b), 0], [0, 0, 1]])
    matrix = np.array([[focal, 0, SIZE[0] / 2], [0, focal, SIZE[1] / 2], [0, 0, 1.0]])
    rotation = tilt @ turn
    to_px = matrix @ np.column_stack([rotation[:, 0], rotation[:, 1], [0, 0, high]])
    return np.linalg.inv(to_px)


def scattered(plane: Plane, count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Poses (N, 3) of cards all over the picture, and their outlines (N, 4, 2) px."""
    random = np.random.default_rng(seed)
    middles = plane.to_mm(random.uniform((160, 140), (SIZE[0] - 160, SIZE[1] - 140), (count, 2)))
    poses = np.column_stack([middles, random.uniform(-np.pi, np.pi, count)])
    return poses, plane.card_quads(poses, CARD)


def position_error(found: Plane, truth: Plane) -> float:
    """The worst error in mm over the picture after both are laid on each other rigidly."""
    grid = np.stack(np.meshgrid(np.linspace(100, 1180, 7), np.linspace(80, 640, 5)), -1)
    a, b = found.to_mm(grid.reshape(-1, 2)), truth.to_mm(grid.reshape(-1, 2))
    a, b = a - a.mean(0), b - b.mean(0)
    u, _, v = np.linalg.svd(a.T @ b)
    return float(np.linalg.norm(a @ u @ v - b, axis=1).max())


@pytest.mark.parametrize("lens", [None, BROWN, FISHEYE])
def test_pixels_to_millimetres_and_back(lens: Lens | None) -> None:
    plane = Plane.of(camera(25, 10), lens)
    points = np.random.default_rng(1).uniform((0, 0), SIZE, (200, 2))
    assert plane.to_mm(points).shape == (200, 2)
    assert np.abs(plane.to_px(plane.to_mm(points)) - points).max() < 0.01


def test_a_plane_without_a_lens_is_its_homography() -> None:
    matrix = camera(12, -40)
    points = np.array([[10.0, 20.0], [700.0, 300.0]])
    assert np.allclose(Plane.of(matrix).to_mm(points), apply(matrix, points))


def test_a_plane_is_a_value() -> None:
    assert Plane.of(camera(5, 5), BROWN) == Plane.of(camera(5, 5), BROWN)
    assert hash(Plane.of(camera(5, 5), BROWN)) == hash(Plane.of(camera(5, 5), BROWN))


@pytest.mark.parametrize("matrix", [np.zeros((3, 3)), np.eye(2), np.full((3, 3), np.nan)])
def test_no_plane_from_a_matrix_that_is_none(matrix: np.ndarray) -> None:
    with pytest.raises(ValueError):
        Plane.of(matrix)


@pytest.mark.parametrize("lens", [None, BROWN])
def test_poses_and_outlines_are_inverse(lens: Lens | None) -> None:
    plane = Plane.of(camera(30, 15), lens)
    poses, quads = scattered(plane, 12, 2)
    assert np.abs(plane.poses_mm(quads) - poses).max() < 0.05
    assert np.abs(plane.sizes_mm(quads) - CARD).max() < 0.05
    assert plane.have_card_size(np.roll(quads, 1, axis=1), CARD).all()


def test_what_is_larger_or_half_covered_has_not_a_cards_size() -> None:
    plane = Plane.of(camera(30, 0))
    poses, _ = scattered(plane, 6, 3)
    assert not plane.have_card_size(plane.card_quads(poses, (80.0, 110.0)), CARD).any()
    assert not plane.have_card_size(plane.card_quads(poses, (63.0, 44.0)), CARD).any()


def test_scale_falls_with_distance() -> None:
    plane = Plane.of(camera(30, 0))
    scales = plane.px_per_mm([[640.0, 40.0], [640.0, 360.0], [640.0, 680.0]])
    assert scales[0] != pytest.approx(scales[2], rel=0.2)
    assert min(scales[0], scales[2]) < scales[1] < max(scales[0], scales[2])
    quad = plane.to_px(rectangle(1.0, 1.0) + plane.to_mm([[640.0, 360.0]]) - 0.5)
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad.tolist()
    area = abs((cx - ax) * (dy - by) - (cy - ay) * (dx - bx)) / 2
    assert scales[1] == pytest.approx(np.sqrt(area), rel=1e-3)


@pytest.mark.parametrize("tilt", [0, 15, 35])
@pytest.mark.parametrize("lens", [None, BROWN])
def test_exact_cards_give_the_plane(tilt: float, lens: Lens | None) -> None:
    focal = 1100.0 if lens is None else lens.fx
    truth = Plane.of(camera(tilt, 20, focal), lens)
    if lens is not None:
        matrix = lens.matrix @ np.linalg.inv(
            np.array([[focal, 0, SIZE[0] / 2], [0, focal, SIZE[1] / 2], [0, 0, 1.0]])
        )
        truth = Plane.of(camera(tilt, 20, focal) @ np.linalg.inv(matrix), lens)
    _, quads = scattered(truth, 10, 4)
    found = Plane.from_cards(quads, CARD, SIZE, lens)
    assert position_error(found, truth) < 2.0
    assert np.abs(found.to_mm([SIZE[0] / 2, SIZE[1] / 2])).max() < 0.01
    assert np.abs(found.sizes_mm(quads) - CARD).max() < 1.0


def test_one_card_gives_a_usable_scale() -> None:
    truth = Plane.of(camera(10, 0))
    _, quads = scattered(truth, 1, 5)
    found = Plane.from_cards(quads, CARD, SIZE)
    assert found.have_card_size(quads, CARD, 0.03).all()
    assert position_error(found, truth) < 60
    assert found.error_mm > 5


@pytest.mark.parametrize("seed", range(6))
def test_noise_and_half_covered_cards_are_borne(seed: int) -> None:
    """A third of the boxes are too short; the error told covers the error made."""
    random = np.random.default_rng(seed)
    truth = Plane.of(camera(25, random.uniform(-90, 90)))
    poses, quads = scattered(truth, 9, seed)
    quads[:3] = truth.card_quads(poses[:3], (63.0, 52.0))
    quads += random.normal(0, 1.0, quads.shape)
    found = Plane.from_cards(quads, CARD, SIZE)
    made = position_error(found, truth)
    assert made < 25
    assert made < 4 * found.error_mm


def test_more_cards_are_told_as_surer() -> None:
    truth = Plane.of(camera(20, 0))
    few = Plane.from_cards(scattered(truth, 2, 7)[1], CARD, SIZE)
    many = Plane.from_cards(scattered(truth, 20, 7)[1], CARD, SIZE)
    assert many.error_mm < few.error_mm / 2


def test_no_card_is_no_plane() -> None:
    with pytest.raises(ValueError, match="at least one card"):
        Plane.from_cards(np.zeros((0, 4, 2)), CARD, SIZE)
