"""The locator's rows to quads, nothing twice, and weights that cannot be used."""

import json
import shutil

import numpy as np
import pytest

from models.weights import LOCATOR
from rules.errors import FairdealError
from vision.networks.locator import (
    STRIDES,
    VERSION,
    Locator,
    prepare,
    read_boxes,
    to_located,
)
from vision.nms import PART_OF_CARD, suppress


def rows(*values):
    return np.array(values, np.float32).reshape(-1, 6)


def box(x, y, w=40, h=60):
    return np.float32([[x, y], [x + w, y], [x + w, y + h], [x, y + h]])


def test_a_row_becomes_a_quad_in_the_frame():
    found = to_located(rows([100, 50, 40, 60, 0.9, 0.0]), 0.5)
    assert found.quads[0] == pytest.approx(
        np.float32([[160, 40], [240, 40], [240, 160], [160, 160]])
    )
    assert found.scores == pytest.approx([0.9])


def test_a_turned_row_keeps_its_size_and_goes_clockwise():
    found = to_located(rows([100, 100, 40, 60, 0.9, 0.7]), 1.0)
    sides = np.linalg.norm(np.roll(found.quads[0], -1, 0) - found.quads[0], axis=1)
    assert sides == pytest.approx([40, 60, 40, 60], abs=1e-3)
    a, b, c = found.quads[0][:3]
    assert np.cross(np.append(b - a, 0), np.append(c - b, 0))[2] > 0


def test_the_best_come_first():
    found = to_located(rows([50, 50, 20, 30, 0.4, 0], [200, 50, 20, 30, 0.9, 0]), 1.0)
    assert found.scores == pytest.approx([0.9, 0.4])


def maps_of(level, row, column, sides, logit, angle):
    """What the network puts out for an input of 64×96 where one cell sees a card."""
    maps = []
    for k, stride in enumerate(STRIDES):
        h, w = 64 // stride, 96 // stride
        maps += [np.zeros((1, 4, h, w), np.float32), np.full((1, 1, h, w), -9, np.float32),
                 np.zeros((1, 2, h, w), np.float32)]  # fmt: skip
        if k == level:
            maps[-3][0, :, row, column] = sides
            maps[-2][0, 0, row, column] = logit
            maps[-1][0, :, row, column] = np.cos(2 * angle), np.sin(2 * angle)
    return maps


def test_a_cell_becomes_a_row_about_its_own_centre():
    found = read_boxes(maps_of(1, 2, 3, (1, 2, 1, 2), 2.0, 0.3), 0.35)
    assert found == pytest.approx(np.array([[56, 40, 32, 64, 1 / (1 + np.exp(-2)), 0.3]]))


def test_a_cell_off_the_centre_is_off_along_the_card():
    """The card lies a quarter turned: what is to the right of it is below in the picture."""
    (found,) = read_boxes(maps_of(0, 1, 1, (0, 1, 2, 1), 2.0, np.pi / 2), 0.35)
    assert found[:4] == pytest.approx([12, 20, 16, 16], abs=1e-5)


def test_cells_that_are_not_sure_enough_are_no_rows():
    maps = maps_of(2, 0, 0, (1, 1, 1, 1), 0.0, 0.0)
    assert len(read_boxes(maps, 0.45)) == 1 and len(read_boxes(maps, 0.55)) == 0


def test_no_rows_is_no_cards():
    assert len(to_located(np.zeros((0, 6), np.float32), 1.0)) == 0


def test_a_card_found_twice_is_kept_once_and_the_better_one():
    quads = np.stack([box(0, 0), box(2, 2), box(0, 3)])
    assert suppress(quads, 0.5, PART_OF_CARD).tolist() == [0]


def test_two_cards_half_over_each_other_are_two():
    assert suppress(np.stack([box(0, 0), box(0, 30), box(200, 0)]), 0.5, PART_OF_CARD).tolist() == [
        0,
        1,
        2,
    ]


@pytest.mark.parametrize("size", [(720, 1280), (504, 378), (100, 100), (33, 900)])
def test_the_input_has_sides_that_the_network_takes(size):
    array, scale = prepare(np.zeros((*size, 3), np.uint8), 512)
    assert array.dtype == np.float32 and array.shape[:2] == (1, 3)
    assert array.shape[2] % 32 == 0 and array.shape[3] % 32 == 0
    assert scale == pytest.approx(512 / max(size))


def test_an_empty_frame_gives_arrays_of_the_right_shape():
    found = Locator().locate(np.full((360, 640, 3), 120, np.uint8))
    assert found.quads.shape[1:] == (4, 2) and len(found.scores) == len(found.quads)


def copied(folder, **changes):
    path = folder / "locator.onnx"
    shutil.copy(LOCATOR, path)
    report = json.loads(LOCATOR.with_suffix(".json").read_text()) | changes
    path.with_suffix(".json").write_text(json.dumps(report))
    return path


def test_missing_weights_are_told_in_one_line(tmp_path):
    with pytest.raises(FairdealError, match=r"no file .*locator.onnx.*fairdeal train") as told:
        Locator(tmp_path / "locator.onnx")
    assert "\n" not in str(told.value)


def test_weights_of_another_version_are_refused(tmp_path):
    with pytest.raises(FairdealError, match=f"expected weights of version {VERSION}, found.* 99"):
        Locator(copied(tmp_path, version=99))


def test_damaged_weights_are_refused(tmp_path):
    path = copied(tmp_path)
    path.write_bytes(path.read_bytes()[:-1000])
    with pytest.raises(FairdealError, match="another checksum"):
        Locator(path)


def test_a_file_that_is_no_network_is_refused_in_one_line(tmp_path):
    import hashlib

    text = b"no network\nat all"
    path = copied(tmp_path, sha256=hashlib.sha256(text).hexdigest())
    path.write_bytes(text)
    with pytest.raises(FairdealError, match="the engine can read") as told:
        Locator(path)
    assert "\n" not in str(told.value)


def test_a_broken_report_is_refused(tmp_path):
    path = copied(tmp_path)
    path.with_suffix(".json").write_text("{")
    with pytest.raises(FairdealError, match="a report as JSON"):
        Locator(path)
