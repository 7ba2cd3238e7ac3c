import numpy as np
import pytest

from calibration.lens import intrinsics
from calibration.lens.board import Board, NoView, View, find
from lab.cameras import synthetic
from rules.errors import FairdealError

BOARD = Board()


def views_of(pictures, board=BOARD):
    return [find(board, picture, f"{i:02}.png") for i, picture in enumerate(pictures)]


@pytest.fixture(scope="module")
def truth():
    return synthetic.random_lens(np.random.default_rng(5))


@pytest.fixture(scope="module")
def pictures(truth):
    return synthetic.board_views(BOARD, truth, np.random.default_rng(6), count=11)


@pytest.fixture(scope="module")
def views(pictures):
    return views_of(pictures)


def test_a_drawn_lens_is_found_within_half_a_percent(truth, views):
    assert all(isinstance(view, View) for view in views)
    solved = intrinsics.solve(views)
    found = solved.lens
    assert found.error_px <= 0.5
    assert abs(found.fx / truth.fx - 1) < 0.005 and abs(found.fy / truth.fy - 1) < 0.005
    assert abs(found.cx - truth.cx) < 0.005 * truth.width
    assert abs(found.cy - truth.cy) < 0.005 * truth.width
    assert solved.missing == ()


def test_the_worst_view_is_named_and_dropped(views):
    shifted = views[3]
    rng = np.random.default_rng(1)
    noisy = shifted.corners_px + rng.normal(0, 6, shifted.corners_px.shape).astype(np.float32)
    bad = View("bad.png", shifted.ids, noisy, shifted.points_mm, shifted.width, shifted.height)
    solved = intrinsics.solve([*views[:3], bad, *views[4:]])
    assert [name for name, _ in solved.dropped] == ["bad.png"]
    assert solved.lens.error_px <= 0.5


def test_a_mean_error_above_one_pixel_is_refused(views):
    rng = np.random.default_rng(2)
    noisy = [
        View(v.name, v.ids, v.corners_px + rng.normal(0, 2, v.corners_px.shape).astype(np.float32),
             v.points_mm, v.width, v.height)
        for v in views
    ]  # fmt: skip
    with pytest.raises(FairdealError, match=r"at most 1 px, found .* px; .*worst: "):
        intrinsics.solve(noisy)


def test_too_few_views_are_refused_and_the_missing_ones_named(views):
    with pytest.raises(FairdealError, match=r"at least 6 pictures.*found 3; add these views: "):
        intrinsics.solve(views[:3])


def test_views_all_alike_are_refused(truth):
    rng = np.random.default_rng(3)
    flat = synthetic.board_views(BOARD, truth, rng, count=8, tilt_deg=0.0)
    with pytest.raises(FairdealError, match="tilted"):
        intrinsics.solve(views_of(flat))


def test_a_squeezed_board_is_refused(views):
    squeezed = [
        View(v.name, v.ids, v.corners_px, v.points_mm * [1, 1.06, 1], v.width, v.height)
        for v in views
    ]
    with pytest.raises(FairdealError):
        intrinsics.solve(squeezed)


def test_mirrored_blurred_and_empty_pictures_are_told_apart(pictures):
    import cv2

    def reason(picture):
        seen = find(BOARD, picture)
        return seen.reason.name.lower() if isinstance(seen, NoView) else "seen"

    assert reason(np.ascontiguousarray(pictures[0][:, ::-1])) == "mirrored"
    assert reason(cv2.GaussianBlur(pictures[0], (0, 0), 15)) == "blurred"
    noise = np.random.default_rng(0).integers(0, 255, (480, 640), dtype=np.uint8)
    assert reason(noise) == "none"
    assert reason(np.full((480, 640, 3), 90, np.uint8)) in ("none", "blurred")


@pytest.mark.parametrize("columns,rows", [(5, 7), (6, 10), (8, 9), (9, 11), (10, 7)])
def test_a_board_of_another_size_is_never_read(truth, columns, rows):
    other = Board(columns, rows, 24.0, 18.0)
    seen = views_of(synthetic.board_views(other, truth, np.random.default_rng(7), count=3))
    assert all(isinstance(view, NoView) for view in seen)
