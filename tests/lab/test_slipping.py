"""The measure of a view that slips: a table at rest, seen by a camera that gives way."""

import cv2
import numpy as np
import pytest

from lab.cameras import slipping
from rules.errors import FairdealError

SIZE = (1280, 720)


@pytest.fixture(scope="module")
def film(tmp_path_factory):
    """Ten seconds of a wooden table with things on it, at 5 frames a second."""
    rng = np.random.default_rng(2)
    noise = rng.normal(0, 160, (SIZE[1], SIZE[0])).astype(np.float32)
    wood = (80 + cv2.GaussianBlur(noise, (0, 0), sigmaX=24, sigmaY=4)).clip(0, 255)
    bgr = cv2.cvtColor(wood.astype(np.uint8), cv2.COLOR_GRAY2BGR)
    for _ in range(12):
        x, y = (int(v) for v in rng.integers((60, 60), (1100, 600)))
        cv2.rectangle(bgr, (x, y), (x + 90, y + 130), rng.integers(0, 255, 3).tolist(), -1)
    path = tmp_path_factory.mktemp("films") / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 5.0, SIZE)
    for _ in range(50):
        writer.write(bgr)
    writer.release()
    return path


def test_the_error_of_a_held_view_is_a_part_of_the_slip(film):
    score = slipping.slip_score(film, "drift", seed=3)
    assert score.film == "table" and score.moved_s == 0
    assert score.unheld_px > 3
    assert score.mean_px < 0.2 * score.unheld_px and score.largest_px < 0.5 * score.unheld_px


def test_a_knock_swings_out_and_is_not_held_at_once(film):
    score = slipping.slip_score(film, "knock", seed=3)
    assert score.largest_px > 5 * score.mean_px


def test_the_command_prints_a_row_for_each_film(film, capsys):
    assert slipping.main([str(film), "--seed", "3"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert len(rows) == 3 and rows[2].startswith("| table | 0.")


def test_a_film_that_is_missing_is_named(tmp_path, capsys):
    with pytest.raises(FairdealError, match=r"none\.avi"):
        slipping.slip_score(tmp_path / "none.avi", "drift", seed=3)
    assert slipping.main([str(tmp_path / "none.avi")]) == 2
    assert "none.avi" in capsys.readouterr().err
