"""A stand that gives way: the view is followed, and frames come in their first coordinates."""

import cv2
import numpy as np
import pytest

from kiosk.game.view_guard import ViewGuard, ViewState
from vision.frame import Frame

SIZE = (1280, 720)
RATE = 5.0


def table() -> np.ndarray:
    """A plain table with things on it, all over the picture."""
    rng = np.random.default_rng(3)
    bgr = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
    for _ in range(40):
        x, y = rng.integers(40, SIZE[0] - 120), rng.integers(40, SIZE[1] - 120)
        w, h = rng.integers(20, 80, 2)
        cv2.rectangle(bgr, (x, y), (x + w, y + h), rng.integers(0, 255, 3).tolist(), -1)
    return cv2.GaussianBlur(bgr, (0, 0), 1.0)


@pytest.fixture(scope="module")
def noisy():
    """Gives a picture the noise of its number; eight kinds come in turn."""
    rng = np.random.default_rng(5)
    shape = (8, SIZE[1], SIZE[0], 3)
    fields = (1.5 * rng.standard_normal(shape, np.float32)).round().astype(np.int16)
    return lambda bgr, number: cv2.add(bgr, fields[number % 8], dtype=cv2.CV_8U)


def slip(at: float, px_per_s: float) -> np.ndarray:
    matrix = cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), 0.01 * px_per_s * at, 1.0)
    matrix[:, 2] += (0.7 * px_per_s * at, -0.5 * px_per_s * at)
    return matrix


@pytest.mark.parametrize("px_per_s", [0.3, 1.0])
def test_a_slow_slip_is_followed_and_nothing_is_said(px_per_s, noisy):
    still, guard = table(), ViewGuard()
    corners = np.array([[0, 0, 1], [SIZE[0], 0, 1], [SIZE[0], SIZE[1], 1], [0, SIZE[1], 1]]).T
    errors = []
    for number in range(200):
        at = number / RATE
        slipped = cv2.warpAffine(still, slip(at, px_per_s), SIZE, borderMode=cv2.BORDER_REPLICATE)
        frame = Frame(noisy(slipped, number), at, number)
        assert guard.see(frame).state is ViewState.STANDS
        inner = guard.held(frame).bgr[60:-60, 60:-60]
        errors.append(cv2.absdiff(inner, still[60:-60, 60:-60]).mean())
    gone = np.abs((slip(40.0, px_per_s) @ corners).T - corners[:2].T).max()
    assert gone > 8.0  # px, so there was something to follow
    unfollowed = np.abs(slipped.astype(float) - still)[60:-60, 60:-60].mean()
    assert max(errors[10:]) < 0.5 * unfollowed


def fans(bgr: np.ndarray) -> np.ndarray:
    """Two fans of cards in hands, which stand while the view slips."""
    out = bgr.copy()
    for x, y in ((150, 570), (800, 0)):
        cards = np.random.default_rng(x).integers(20, 240, (11, 16, 3), np.uint8)
        out[y : y + 150, x : x + 240] = cv2.resize(cards, (240, 150))
    return out


def dark_wood() -> np.ndarray:
    """A table of faint grain, on which no corner is found, larger than the picture."""
    noise = np.random.default_rng(4).normal(0, 160, (SIZE[1] + 80, SIZE[0] + 80))
    lines = cv2.GaussianBlur(noise.astype(np.float32), (0, 0), sigmaX=32, sigmaY=4)
    return cv2.cvtColor((60 + lines).clip(0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR)


def test_a_slip_over_dark_wood_is_followed_under_fans_that_stand(noisy):
    wood, guard = dark_wood(), ViewGuard()
    for number in range(150):
        at = number / RATE
        matrix = slip(at, 0.4)
        matrix[:, 2] -= 40
        seen = fans(cv2.warpAffine(wood, matrix, SIZE))
        guard.see(Frame(noisy(seen, number), at, number))
    middle = np.array([SIZE[0] / 2, SIZE[1] / 2, 1])
    truth = slip(at, 0.4) @ middle
    assert guard.held(Frame(seen, at, number)).bgr is not seen
    assert np.linalg.norm(truth - middle[:2]) > 8
    held = guard.held(Frame(seen, at, number)).bgr[200:500, 300:900]
    first = cv2.warpAffine(wood, np.float32([[1, 0, -40], [0, 1, -40]]), SIZE)[200:500, 300:900]
    unfollowed = cv2.absdiff(seen[200:500, 300:900], first).mean()
    assert cv2.absdiff(held, first).mean() < 0.2 * unfollowed


def test_a_camera_that_stands_gives_its_own_frames(noisy):
    still, guard = table(), ViewGuard()
    for number in range(60):
        frame = Frame(noisy(still, number), number / RATE, number)
        guard.see(frame)
        assert guard.held(frame) is frame


@pytest.mark.parametrize("begins", [0, 20])
@pytest.mark.parametrize("size", [(64, 40), (16, 9), (1280, 12)])
def test_pictures_of_another_size_or_of_a_few_pixels_are_no_error(size, begins, noisy):
    """A camera may restart with a smaller picture."""
    still, guard = table(), ViewGuard()
    for number in range(40):
        bgr = noisy(still, number)
        if number >= begins:
            bgr = cv2.resize(bgr, size, interpolation=cv2.INTER_AREA)
        frame = Frame(bgr, number / RATE, number)
        guard.see(frame)
        assert guard.held(frame).bgr.shape == bgr.shape
