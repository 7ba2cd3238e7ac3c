import numpy as np
import pytest

from calibration.plane import plane_of
from calibration.store import Calibration, Intrinsics
from calibration.table import table_fit
from lab.cameras import synthetic
from rules.errors import FairdealError
from vision import mat

TABLE = mat.MATS["table"]


def known(lens):
    return Intrinsics(lens.fx, lens.fy, lens.cx, lens.cy, lens.distortion, 0.1, 12, "now")


def grid(m):
    xs, ys = np.meshgrid(np.linspace(0, m.width_mm, 15), np.linspace(0, m.height_mm, 10))
    return np.column_stack([xs.ravel(), ys.ravel()])


def worst_mm(fit, lens, rotation, shift, m):
    points = grid(m)
    pixels = lens.project(np.column_stack([points, np.zeros(len(points))]), rotation, shift)
    calibration = Calibration("c", lens.width, lens.height, known(lens), fit)
    back = plane_of(calibration).to_px(points)
    assert np.abs(back - pixels).max() < 3
    return np.linalg.norm(plane_of(calibration).to_mm(pixels) - points, axis=1).max()


@pytest.mark.parametrize("seed,tilt,turn", [(1, 0, 0), (2, 30, 4), (3, -35, 180), (4, 15, 90)])
def test_points_of_the_table_are_right_within_a_millimetre(seed, tilt, turn):
    rng = np.random.default_rng(seed)
    lens = synthetic.random_lens(rng)
    picture, rotation, shift = synthetic.mat_view(TABLE, lens, rng, tilt, turn)
    fit, found = table_fit.from_mat(picture, known(lens))
    assert found.mat is TABLE
    assert worst_mm(fit, lens, rotation, shift, TABLE) <= 1.0
    assert fit.error_mm <= 1.0


@pytest.mark.parametrize(
    "turn,sides",
    [(0, ("bottom", "left", "top", "right")), (90, ("left", "top", "right", "bottom")),
     (180, ("top", "right", "bottom", "left")), (270, ("right", "bottom", "left", "top"))],
)  # fmt: skip
def test_seats_are_named_by_the_side_of_the_picture(turn, sides):
    rng = np.random.default_rng(turn)
    lens = synthetic.random_lens(rng)
    picture, _, _ = synthetic.mat_view(TABLE, lens, rng, 10, turn)
    fit, _ = table_fit.from_mat(picture, known(lens))
    assert fit.seats == sides


@pytest.mark.parametrize("name", ["a3", "a4"])
def test_the_mat_says_itself_which_one_it_is(name):
    rng = np.random.default_rng(9)
    lens = synthetic.random_lens(rng)
    picture, rotation, shift = synthetic.mat_view(mat.MATS[name], lens, rng, 20)
    fit, found = table_fit.from_mat(picture, known(lens))
    assert found.mat.name == name
    assert worst_mm(fit, lens, rotation, shift, mat.MATS[name]) <= 1.0


def test_a_measured_scale_scales_the_table():
    rng = np.random.default_rng(3)
    lens = synthetic.random_lens(rng)
    picture, _, _ = synthetic.mat_view(TABLE, lens, rng)
    fit, _ = table_fit.from_mat(picture, known(lens), scale=0.97)
    assert fit.width_mm == pytest.approx(679.0)


@pytest.mark.parametrize("at", [(0.1, 0.5), (0.95, 0.5), (0.5, 0.05), (0.5, 1.0), (0.15, 0.15)])
def test_a_mat_half_out_of_view_is_refused(at):
    rng = np.random.default_rng(11)
    lens = synthetic.random_lens(rng)
    picture, _, _ = synthetic.mat_view(TABLE, lens, rng, at=at)
    with pytest.raises(FairdealError, match=r"mat"):
        table_fit.from_mat(picture, known(lens))


def test_a_mirrored_mat_and_no_mat_are_refused():
    rng = np.random.default_rng(12)
    lens = synthetic.random_lens(rng)
    picture, _, _ = synthetic.mat_view(TABLE, lens, rng)
    with pytest.raises(FairdealError, match="mirrored"):
        table_fit.from_mat(np.ascontiguousarray(picture[:, ::-1]), known(lens))
    with pytest.raises(FairdealError, match="0 of its markers"):
        table_fit.from_mat(np.full((720, 1280), 128, np.uint8), known(lens))


def test_a_bent_picture_without_a_lens_is_refused():
    rng = np.random.default_rng(13)
    lens = synthetic.Lens(1280, 720, 700, 700, 640, 360, (-0.25, 0.05, 0, 0, 0))
    picture, _, _ = synthetic.mat_view(TABLE, lens, rng, fill=0.95)
    with pytest.raises(FairdealError, match="calibrate camera"):
        table_fit.from_mat(picture, None)


def test_four_corners_give_the_table():
    corners = [(200, 100), (1000, 120), (1100, 650), (120, 640)]
    fit = table_fit.from_corners(corners, 700, 450, None, (1280, 720))
    mm = plane_of(Calibration("c", 1280, 720, None, fit)).to_mm(np.array(corners))
    assert np.allclose(mm, [[0, 0], [700, 0], [700, 450], [0, 450]], atol=1e-3)
    assert fit.seats == ("bottom", "left", "top", "right")


def test_corners_without_a_lens_say_their_uncertainty():
    corners = [(200, 100), (1000, 120), (1100, 650), (120, 640)]
    straight = Intrinsics(1100, 1100, 640, 360, (0.0,) * 5, 0.1, 12, "now")
    without = table_fit.from_corners(corners, 700, 450, None, (1280, 720)).error_mm
    with_lens = table_fit.from_corners(corners, 700, 450, straight, (1280, 720)).error_mm
    assert 1 < with_lens < 4 and without > with_lens + 1


def test_corners_without_a_lens_are_refused_beyond_a_limit():
    """A table of 1.5 m that fills the picture: a usual lens would put its points 20 mm off."""
    corners = [(20, 20), (1260, 20), (1260, 700), (20, 700)]
    with pytest.raises(FairdealError, match=r"certain to 12 mm, found \d+ mm, by four corners"):
        table_fit.from_corners(corners, 1500, 820, None, (1280, 720))
    lens = Intrinsics(1100, 1100, 640, 360, (0.0,) * 5, 0.1, 12, "now")
    assert table_fit.from_corners(corners, 1500, 820, lens, (1280, 720)).error_mm < 5


@pytest.mark.parametrize(
    "corners,words",
    [([(200, 100), (120, 640), (1100, 650), (1000, 120)], "counter-clockwise"),
     ([(200, 100), (1100, 650), (1000, 120), (120, 640)], "cross"),
     ([(200, 100), (1000, 120), (1300, 650), (120, 640)], "inside the picture"),
     ([(200, 100), (210, 100), (210, 110), (200, 110)], "less than 2 %"),
     ([(200, 100), (1000, 120), (1100, 650)], "four corners"),
     ([(200, 100), (1000, float("nan")), (1100, 650), (120, 640)], "inside")],
)  # fmt: skip
def test_bad_corners_are_refused(corners, words):
    with pytest.raises(FairdealError, match=words):
        table_fit.from_corners(corners, 700, 450, None, (1280, 720))


def test_a_table_of_no_size_is_refused():
    with pytest.raises(FairdealError, match="100 to 3000 mm"):
        table_fit.check_size(0, 450)
