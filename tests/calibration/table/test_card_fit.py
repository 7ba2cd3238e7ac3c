import cv2
import numpy as np
import pytest

from calibration.plane import plane_of
from calibration.store import Calibration, Intrinsics
from calibration.table import card_fit
from kiosk.cli import main
from lab.cameras import synthetic
from models.deck import load_deck
from models.drawing.raster import face_picture
from rules.errors import FairdealError
from vision import mat

CARD = (63.0, 88.0)


def scene(seed, count=9, noise_px=0.4):
    rng = np.random.default_rng(seed)
    lens = synthetic.random_lens(rng)
    rotation, shift = synthetic.look_at(np.array([350, 225.0]), 0.9 * lens.fx, (8, 25), 5)
    corners = np.array([[0, 0], [63, 0], [63, 88], [0, 88.0]]) - (31.5, 44)
    quads = []
    for i in range(count):
        angle = rng.uniform(0, 2 * np.pi)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        place = np.array([100 + 250 * (i % 3), 80 + 140 * (i // 3)]) + rng.uniform(-25, 25, 2)
        mm = corners @ turn.T + place
        px = lens.project(np.column_stack([mm, np.zeros(4)]), rotation, shift)
        quads.append(np.roll(px + rng.normal(0, noise_px, px.shape), rng.integers(4), axis=0))
    known = Intrinsics(lens.fx, lens.fy, lens.cx, lens.cy, lens.distortion, 0.1, 12, "now")
    return lens, rotation, shift, known, np.array(quads)


@pytest.mark.parametrize("seed", range(5))
def test_lengths_on_the_table_are_right_within_a_percent(seed):
    lens, rotation, shift, known, quads = scene(seed)
    fit = card_fit.from_quads(quads, CARD, (700, 450), known, (lens.width, lens.height))
    calibration = Calibration("c", lens.width, lens.height, known, fit)
    ends = np.array([[50, 50, 0], [650, 50, 0], [650, 400, 0], [50, 400, 0.0]])
    mm = plane_of(calibration).to_mm(lens.project(ends, rotation, shift))
    sides = np.linalg.norm(mm - np.roll(mm, -1, axis=0), axis=1)
    assert np.allclose(sides, [600, 350, 600, 350], rtol=0.01)
    middle = plane_of(calibration).to_px([[350, 225]])
    assert np.allclose(middle, [[lens.width / 2, lens.height / 2]], atol=0.5)
    assert fit.seats == ("bottom", "left", "top", "right")


def test_the_uncertainty_covers_the_error_that_was_made():
    """The residual of few cards is small where nothing was measured; the uncertainty is not."""
    covered, few, many = 0, [], []
    for seed in range(8):
        lens, rotation, shift, known, quads = scene(seed)
        size = (lens.width, lens.height)
        try:
            fit = card_fit.from_quads(quads, CARD, (700, 450), known, size)
        except FairdealError as refused:
            assert "certain to" in str(refused)
            continue
        many.append(fit.error_mm)
        grid = np.stack(np.meshgrid(np.linspace(50, 650, 7), np.linspace(50, 400, 5)), -1)
        points = grid.reshape(-1, 2)
        pixels = lens.project(np.column_stack([points, np.zeros(len(points))]), rotation, shift)
        mm = plane_of(Calibration("c", *size, known, fit)).to_mm(pixels)
        a, b = mm - mm.mean(0), points - points.mean(0)
        u, _, v = np.linalg.svd(a.T @ b)
        worst = np.linalg.norm(a @ u @ v - b, axis=1).max()
        covered += worst < 3 * fit.error_mm
        try:
            few.append(card_fit.from_quads(quads[:5], CARD, (700, 450), known, size).error_mm)
        except FairdealError:
            few.append(float("inf"))
    assert len(many) >= 6 and covered == len(many)
    assert np.median(few) > 1.5 * np.median(many)


def test_one_wrong_quad_among_many_is_left_out():
    lens, _, _, known, quads = scene(7)
    quads[4, 1] += 40
    fit = card_fit.from_quads(quads, CARD, (700, 450), known, (lens.width, lens.height))
    assert fit.method == "8 cards"


def test_too_few_and_bunched_cards_are_refused():
    lens, _, _, known, quads = scene(8)
    size = (lens.width, lens.height)
    with pytest.raises(FairdealError, match="at least 4 cards, found 3"):
        card_fit.from_quads(quads[:3], CARD, (700, 450), known, size)
    with pytest.raises(FairdealError, match="at one place"):
        card_fit.from_quads(quads[[0, 0, 0, 0]] * 0.5, CARD, (700, 450), known, size)


def test_another_card_size_is_refused():
    lens, _, _, known, quads = scene(8)
    with pytest.raises(FairdealError, match=r"cards of 40x100 mm"):
        card_fit.from_quads(quads, (40, 100), (700, 450), known, (lens.width, lens.height))


def test_squares_that_all_lie_alike_are_no_cards_however_well_they_fit():
    """A table that is stretched would make cards of them: no camera sees one so."""
    lens, rotation, shift, known, _ = scene(9)
    square = np.array([[0, 0], [40, 0], [40, 40], [0, 40.0]])
    flat = np.array([np.add(square, (60 + 250 * (i % 3), 60 + 140 * (i // 3))) for i in range(9)])
    points = np.column_stack([flat.reshape(-1, 2), np.zeros(36)])
    quads = lens.project(points, rotation, shift).reshape(-1, 4, 2)
    for camera in (known, None):
        with pytest.raises(FairdealError, match="out of square"):
            card_fit.from_quads(quads, CARD, (700, 450), camera, (lens.width, lens.height))


def test_cards_of_a_deck_are_found_and_measured_by(tmp_path):
    lens, truth, picture = table_of_cards("plain52", 2)
    known = Intrinsics(lens.fx, lens.fy, lens.cx, lens.cy, lens.distortion, 0.1, 12, "now")
    fit = card_fit.from_deck(picture, "plain52", (700, 450), known)
    assert int(fit.method.split()[0]) >= 7 and 0.1 < fit.error_mm < 3.0
    calibration = Calibration("c", lens.width, lens.height, known, fit)
    ends = np.array([[50, 50, 0], [650, 50, 0], [650, 400, 0], [50, 400, 0.0]])
    mm = plane_of(calibration).to_mm(lens.project(ends, *truth))
    sides = np.linalg.norm(mm - np.roll(mm, -1, axis=0), axis=1)
    assert np.allclose(sides, [600, 350, 600, 350], rtol=0.01)


def test_the_mat_s_markers_are_no_cards(tmp_path, capsys):
    rng = np.random.default_rng(21)
    picture, _, _ = synthetic.mat_view(mat.MATS["table"], synthetic.random_lens(rng), rng, 15)
    cv2.imwrite(str(tmp_path / "mat.png"), picture)
    (tmp_path / "s").mkdir()
    words = ["--from", str(tmp_path), "--store", str(tmp_path / "s"), "--cards", "suds"]
    assert main(["calibrate", "table", *words]) == 2
    assert "expected at least 4 cards of the deck suds, found 0" in capsys.readouterr().err
    assert list((tmp_path / "s").iterdir()) == []


def table_of_cards(name, seed, px_per_mm=2.0):
    """Nine of a deck's cards on a cloth of 700x450 mm: the lens, rotation and shift, the view."""
    rng = np.random.default_rng(seed)
    lens = synthetic.random_lens(rng, 1920, 1080)
    deck = load_deck(name)
    cloth = rng.normal((70, 95, 60), 6, (round(450 * px_per_mm), round(700 * px_per_mm), 3))
    for i in range(9):
        card = face_picture(deck, deck.names[i], round(deck.height_mm * px_per_mm))
        middle = np.array(card.shape[1::-1]) / 2
        place = np.array([110 + 240 * (i % 3), 85 + 140 * (i // 3)]) * px_per_mm
        turn = cv2.getRotationMatrix2D(middle, rng.uniform(0, 360), 1)
        turn[:, 2] += place + rng.uniform(-20, 20, 2) - middle
        laid = cv2.warpAffine(card, turn, cloth.shape[1::-1])
        covers = laid[..., 3:] / 255
        cloth = cloth * (1 - covers) + laid[..., :3] * covers
    rotation, _ = synthetic.look_at(np.zeros(2), 1.0, (0, 15), 4)
    middle, distance = np.array([350.0, 225.0]), lens.fx * 700 / (0.85 * lens.width)
    shift = synthetic.aim(rotation, middle, lens, np.array([960, 540]), distance)
    table = cloth.clip(0, 255).astype(np.uint8)
    seen = synthetic.view(table, px_per_mm, (0, 0), lens, synthetic.rays(lens), rotation, shift, 90)
    colours = [synthetic.spoil(seen[..., k], np.random.default_rng(9)) for k in range(3)]
    return lens, (rotation, shift), np.dstack(colours)
