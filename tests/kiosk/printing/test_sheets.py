import re
import zlib

import numpy as np
import pytest

from calibration.lens.board import Board, View, find
from kiosk.cli import main
from kiosk.printing import sheets
from rules.errors import FairdealError
from vision.mat import MATS, marker_bits, marker_picture

MM = 72 / 25.4


def pages(path):
    """Each page's size in mm."""
    boxes = re.findall(rb"/MediaBox \[ ([\d. ]+) \]", path.read_bytes())
    return [tuple(float(v) / MM for v in box.split()[2:]) for box in boxes]


def rectangles_mm(path):
    """All rectangles drawn on the first page: x, y, width, height in mm."""
    import base64

    data = path.read_bytes()
    stream = re.search(rb"stream\r?\n(.*?)endstream", data, re.S)[1].strip()
    text = zlib.decompress(base64.a85decode(stream, adobe=False).strip() if b"~>" not in stream
                           else base64.a85decode(b"<~" + stream, adobe=True))  # fmt: skip
    found = re.findall(rb"([-\d.]+) ([-\d.]+) ([-\d.]+) ([-\d.]+) re", text)
    return np.array([[float(v) / MM for v in row] for row in found])


@pytest.mark.parametrize("paper", ["a4", "letter", "a3"])
def test_the_board_is_printed_to_scale(tmp_path, paper):
    path = tmp_path / "board.pdf"
    assert sheets.board_pdf(path, paper) == 1
    assert pages(path)[0] == pytest.approx(sheets.paper_mm(paper), abs=0.05)
    cells = rectangles_mm(path)
    left, right = cells[:, 0].min(), (cells[:, 0] + cells[:, 2]).max()
    low, high = cells[:, 1].min(), (cells[:, 1] + cells[:, 3]).max()
    assert (right - left, high - low) == pytest.approx(Board().size_mm, abs=0.02)
    page = sheets.paper_mm(paper)
    assert left > 3 and right < page[0] - 3 and low > 10 and high < page[1] - 3


def test_the_printed_cells_are_the_board_that_is_looked_for():
    paper = ~sheets._board_bits(Board()) * np.uint8(255)
    framed = np.pad(paper, 40, constant_values=255)
    seen = find(Board(), framed)
    assert isinstance(seen, View) and len(seen.ids) == Board().corner_count
    affine = np.column_stack([seen.points_mm[:, :2], np.ones(len(seen.ids))])
    fit, *_ = np.linalg.lstsq(affine, seen.corners_px - 40, rcond=None)
    assert np.allclose(fit, [[56 / 24, 0], [0, 56 / 24], [-0.5, -0.5]], atol=0.02)


@pytest.mark.parametrize(
    "size,paper,count",
    [("table", "a4", 8), ("a3", "a3", 1), ("a4", "a4", 1), ("a4", "letter", 1), ("table", "a3", 4)],
)
def test_the_mat_is_tiled_over_as_many_sheets_as_it_needs(tmp_path, size, paper, count):
    path = tmp_path / "mat.pdf"
    assert sheets.mat_pdf(path, MATS[size], paper) == count
    assert len(pages(path)) == count


def test_marker_cells_are_the_markers():
    big = marker_picture(7, 60) < 128
    assert np.array_equal(np.kron(marker_bits(7), np.ones((10, 10), bool)), big)


def test_print_writes_the_files_and_says_so(tmp_path, capsys):
    out = tmp_path / "b.pdf"
    assert main(["print", "board", "--out", str(out)]) == 0
    assert out.read_bytes().startswith(b"%PDF") and "100 %" in capsys.readouterr().out
    assert main(["print", "mat", "--size", "a3", "--paper", "a3", "--out", str(out)]) == 0
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert main(["print", "board", "--out", str(blocked / "x.pdf")]) == 2
    with pytest.raises(FairdealError, match="a paper of"):
        sheets.board_pdf(out, "b7")
