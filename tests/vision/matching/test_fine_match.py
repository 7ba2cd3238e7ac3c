"""Look-alikes at the card's own resolution: few patches, each aligned by itself."""

import cv2
import numpy as np
import pytest

from models.gallery import FINE
from vision.matching.fine_match import UNSEEN, FineCrop, compare, disagreement
from vision.matching.fine_templates import FineTemplates, View
from vision.matching.occlusion import CELLS, Occluder

LENGTH = 230
MARKS = ("7", "1", "3", "8")


def art(mark):
    """A card (480, 360) of one court-like picture whose corner mark alone differs."""
    rng = np.random.default_rng(5)
    noise = rng.integers(60, 220, (12, 9)).astype(np.uint8)
    picture = np.full(FINE, 235, np.uint8)
    picture[90:390, 70:290] = cv2.resize(noise, (220, 300), interpolation=cv2.INTER_CUBIC)
    for turn in (0, 1):
        if turn:
            picture = cv2.rotate(picture, cv2.ROTATE_180)
        cv2.putText(picture, mark, (14, 62), cv2.FONT_HERSHEY_SIMPLEX, 1.6, 30, 6)
    return cv2.rotate(picture, cv2.ROTATE_180)


def plain(picture):
    return picture


def dim(picture):
    return picture * 0.4


def frame(mark, change=plain):
    """The card on a table, (320, 420, 3), and its quad."""
    w = LENGTH * FINE[1] / FINE[0]
    quad = np.float32([[110, 45], [110 + w, 52], [106 + w, 50 + LENGTH], [104, 44 + LENGTH]])
    corners = np.float32([[0, 0], [FINE[1], 0], [FINE[1], FINE[0]], [0, FINE[0]]])
    small = cv2.GaussianBlur(art(mark), (0, 0), 0.8)
    to = cv2.getPerspectiveTransform(corners, quad)
    laid = cv2.warpPerspective(small, to, (420, 320), borderValue=90)
    noise = np.random.default_rng(2).normal(0, 3, laid.shape)
    grey = np.clip(change(laid.astype(np.float32)) + noise, 0, 255).astype(np.uint8)
    return cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), quad


def veiled(picture):
    """Glare that leaves a third of the contrast, stronger towards one corner."""
    y, x = np.mgrid[0 : picture.shape[0], 0 : picture.shape[1]]
    veil = 0.66 * np.exp(-((x - 140) ** 2 + (y - 80) ** 2) / 20000)
    return picture * (1 - veil) + 250 * veil


@pytest.fixture(scope="module")
def taught():
    return FineTemplates(np.stack([art(mark) for mark in MARKS]))


def view(mark, is_turned=False):
    return View(MARKS.index(mark), is_turned)


@pytest.mark.parametrize("change", [plain, veiled, dim], ids=lambda change: change.__name__)
@pytest.mark.parametrize(("there", "other"), [("7", "1"), ("1", "7"), ("3", "8"), ("8", "3")])
def test_the_mark_that_is_there_wins(taught, there, other, change):
    bgr, quad = frame(there, change)
    crop = FineCrop.cut(bgr, quad, [], 0.0)
    found = compare(crop, taught, view(there), view(other))
    assert found.margin > 0.2 and found.residual < 0.5
    assert compare(crop, taught, view(other), view(there)).margin == pytest.approx(-found.margin)


def test_corners_that_are_off_change_little(taught):
    bgr, quad = frame("3")
    off = quad + np.float32([[2, -2], [-2, 1], [2, 2], [-1, -2]])
    assert compare(FineCrop.cut(bgr, off, [], 0.0), taught, view("3"), view("8")).margin > 0.2


def test_patches_lie_on_the_marks_alone(taught):
    plan = taught.plan(view("7"), view("1"))
    assert len(plan.at) > 0 and plan.weights.sum() == pytest.approx(1)
    middle = plan.at / [240, 320]
    assert ((middle < 0.2).all(1) | (middle > 0.7).all(1)).all()


def test_a_view_turned_by_180_degrees_has_turned_patches(taught):
    straight = taught.plan(view("7"), view("1"))
    turned = taught.plan(view("7", True), view("1", True))
    assert np.allclose(turned.at + straight.at, turned.at[0] + straight.at[0])


def test_occluded_marks_decide_nothing(taught):
    bgr, quad = frame("7")
    over = quad + (quad[1] - quad[0]) * 0.1
    crop = FineCrop.cut(bgr, quad, [Occluder.whole(quad)], 0.0)
    assert compare(crop, taught, view("7"), view("1")) == UNSEEN
    assert compare(FineCrop.cut(bgr, quad, [Occluder.whole(over)], 0.0), taught, view("7"),
                   view("1")).visible < 1  # fmt: skip


@pytest.mark.parametrize("change", [plain, veiled], ids=lambda change: change.__name__)
def test_a_mark_that_was_not_taught_disagrees(taught, change):
    bgr, quad = frame("7", change)
    crop = FineCrop.cut(bgr, quad, [], 0.0)
    own, other = (
        disagreement(crop, taught, view(mark), np.ones(CELLS, bool)) for mark in ("7", "8")
    )
    assert own < 0.6 * other


def test_the_corner_of_a_card_that_lies_over_it_is_no_other_mark(taught):
    bgr, quad = frame("7")
    over = np.array([quad[1] + [12, -12], quad[1] + [-34, -12], quad[1] + [12, 44]], np.int32)
    covered = cv2.fillPoly(bgr.copy(), [over], (20, 20, 20))
    own, other = (
        disagreement(FineCrop.cut(covered, quad, [], 0.0), taught, view(mark), np.ones(CELLS, bool))
        for mark in ("7", "8")
    )
    assert own < 0.6 * other


def test_a_small_mark_on_plain_paper_has_patches():
    """A suit mark of 4 % of the height, as on a court card: it had none."""
    plain = np.full((2, *FINE), 235, np.uint8)
    cv2.circle(plain[0], (60, 90), 9, 30, -1)
    cv2.rectangle(plain[1], (52, 82), (68, 98), 30, -1)
    plan = FineTemplates(plain).plan(View(0, False), View(1, False))
    assert len(plan.weights) >= 1 and plan.weights.sum() == pytest.approx(1)
