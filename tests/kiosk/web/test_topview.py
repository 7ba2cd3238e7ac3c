"""The table straightened: points there and back, pictures, bounds."""

import numpy as np
import pytest

from kiosk.web.topview import LONGEST, MOST_PX, straightened, top_view
from vision.homography import apply
from vision.lens import Lens
from vision.plane import Plane, TablePlane

SIZE = (1280, 720)
CARD_MM = (63.0, 88.0)
# A camera that looks at the table at a slant: the far side is half as large.
SLANT = np.array([[0.9, 0.1, -20.0], [0.0, 1.3, -10.0], [0.0, 0.0008, 1.0]])


def plane(lens=None):
    return Plane.of(SLANT, lens)


@pytest.mark.parametrize("lens", [None, Lens(900, 900, 640, 360, (-0.2, 0.05, 0.0, 0.0, 0.0))])
def test_points_go_there_and_back(lens):
    view = top_view(SIZE, plane(lens))
    at = np.array([[0.3, 0.4], [0.6, 0.8], [0.5, 0.5]])
    assert view.camera_parts(view.parts(at)) == pytest.approx(at, abs=1e-3)


def test_a_card_is_straight_and_as_large_everywhere_in_the_view():
    view = top_view(SIZE, plane())
    poses = np.array([[300.0, 200.0, 0.0], [700.0, 300.0, 0.0]])
    quads = plane().card_quads(poses, CARD_MM) / SIZE
    near, far = view.parts(quads) * view.size
    for quad in (near, far):
        sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
        assert sides == pytest.approx(np.array([63, 88, 63, 88]) * view.scale, rel=1e-6)


def test_the_picture_shows_at_each_point_what_the_camera_saw_there():
    xs, ys = np.meshgrid(np.arange(1280), np.arange(720))
    bgr = np.stack([xs // 5, ys // 3, np.zeros_like(xs)], axis=-1).astype(np.uint8)
    view = top_view(SIZE, plane())
    shown = view.straightened(bgr)
    assert shown.shape == (view.size[1], view.size[0], 3) and view.size[0] <= MOST_PX
    for part in ((0.4, 0.5), (0.6, 0.7)):
        x, y = view.camera_parts(part) * SIZE
        u, v = np.array(part) * view.size
        found = shown[int(v), int(u), :2].astype(float)
        assert found == pytest.approx([x / 5, y / 3], abs=2)


def test_a_calibrated_table_fills_the_view():
    table = TablePlane(Plane.of(np.diag([0.5, 0.5, 1.0])), SIZE, (640.0, 360.0))
    view = top_view(SIZE, table)
    assert view.parts([0.5, 0.5]) == pytest.approx([0.5, 0.5])
    assert view.parts([0.0, 0.0]) == pytest.approx([0.0192, 0.0192], abs=1e-3)


def test_the_far_end_at_a_slant_does_not_fill_the_view():
    steep = Plane.of(np.array([[1.0, 0, 0], [0, 1, 0], [0, -0.00135, 1.0]]))
    view = top_view(SIZE, steep)
    width, height = view.size
    assert 1 / LONGEST - 0.01 <= width / height <= LONGEST + 0.01
    near = apply(steep.homography, [[0.0, 700.0]])
    assert near.max() > view.corner[1] + height / view.scale  # what lies farther is cut off


def test_without_a_plane_the_camera_s_picture_is_shown():
    view = top_view(SIZE, None)
    bgr = np.zeros((720, 1280, 3), np.uint8)
    assert view.straightened(bgr) is bgr
    assert view.parts([0.2, 0.3]).tolist() == [0.2, 0.3]


def test_a_state_is_straightened_with_its_moved_places():
    view = top_view(SIZE, plane())
    quad = [[0.4, 0.4], [0.5, 0.4], [0.5, 0.6], [0.4, 0.6]]
    known = {"place": "pile/1", "label": "Pile 1", "text": "needs a hat", "faces": ["hat"]}
    body = {
        "table": {"cards": [{"number": 1, "quad": quad}], "width": 1280, "height": 720},
        "places": [known | {"moved": None}],
    }
    moved = {"pile/1": (0.5, 0.5), "pile/9": (0.1, 0.9)}
    found = straightened(body, view, moved)
    assert found["table"]["cards"][0]["quad"][0] == pytest.approx(
        view.parts([0.4, 0.4]).tolist(), abs=1e-3
    )
    assert (found["table"]["width"], found["table"]["height"]) == view.size
    assert [each["place"] for each in found["places"]] == ["pile/1", "pile/9"]
    assert found["places"][0]["moved"] == pytest.approx(view.parts([0.5, 0.5]).tolist(), abs=1e-3)
    assert body["places"][0]["moved"] is None
