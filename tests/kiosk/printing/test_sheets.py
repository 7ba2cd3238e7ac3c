import re
import zlib

import numpy as np
import pytest

from calibration.lens.board import Board, View, find
from kiosk.cli import main
from kiosk.printing.board import board_bits, board_pdf
from kiosk.printing.mat import OVERLAP_MM, Printed, mat_pdf, tiling_of
from kiosk.printing.paper import paper_mm
from rules.errors import FairdealError
from rules.games import game, names
from rules.table.layout import area_at, default_sides
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
    assert board_pdf(path, paper) == 1
    assert pages(path)[0] == pytest.approx(paper_mm(paper), abs=0.05)
    cells = rectangles_mm(path)
    left, right = cells[:, 0].min(), (cells[:, 0] + cells[:, 2]).max()
    low, high = cells[:, 1].min(), (cells[:, 1] + cells[:, 3]).max()
    assert (right - left, high - low) == pytest.approx(Board().size_mm, abs=0.02)
    page = paper_mm(paper)
    assert left > 3 and right < page[0] - 3 and low > 10 and high < page[1] - 3


def test_the_printed_cells_are_the_board_that_is_looked_for():
    paper = ~board_bits(Board()) * np.uint8(255)
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
    assert mat_pdf(path, MATS[size], paper) == count
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
        board_pdf(out, "b7")


@pytest.mark.parametrize("size,paper", [("a3", None), ("a4", None)])
def test_the_paper_follows_the_mats_size(tmp_path, size, paper):
    assert mat_pdf(tmp_path / "mat.pdf", MATS[size], paper) == 1
    assert main(["print", "mat", "--size", size, "--out", str(tmp_path / "cli.pdf")]) == 0
    assert sorted(pages(tmp_path / "cli.pdf")[0]) == pytest.approx(sorted(paper_mm(size)), abs=0.1)


@pytest.mark.parametrize("paper", ["a4", "letter", "a3"])
@pytest.mark.parametrize("size", list(MATS))
def test_no_seam_cuts_a_marker(size, paper):
    mat = MATS[size]
    tiling = tiling_of(mat, paper)
    for axis, count in ((0, tiling.columns), (1, tiling.rows)):
        whole = (mat.width_mm, mat.height_mm)[axis]
        assert (count - 1) * tiling.step_mm[axis] + tiling.room_mm[axis] >= whole - 1e-6
        for k in range(1, count):
            seam = k * tiling.step_mm[axis]
            for marker in mat.markers():
                low = (marker.x_mm, marker.y_mm)[axis]
                assert not (low < seam + OVERLAP_MM and seam < low + marker.side_mm)


@pytest.mark.parametrize("name", names())
def test_a_games_mat_shows_the_places_that_play_uses(tmp_path, name):
    """A card in the middle of a printed place is at that place for the scene's layout too."""
    rules = game(name)
    for players in range(rules.players[0], rules.players[1] + 1):
        printed = Printed.of_game(name, players)
        assert printed.areas == rules.layout.areas(default_sides(players))
        for area in printed.areas:
            x, y = np.mean(area.polygon, axis=0)
            assert area_at(printed.areas, x, y) == area.place
    assert mat_pdf(tmp_path / "mat.pdf", MATS["table"], "a4", printed) == 8
    assert mat_pdf(tmp_path / "plain.pdf", MATS["table"], "a4", Printed.plain(4)) == 8
    differ = (tmp_path / "mat.pdf").read_bytes() != (tmp_path / "plain.pdf").read_bytes()
    assert differ


def test_a_printed_mat_can_still_be_found():
    """The markers keep a cell of white around them, whatever is printed beside them."""
    mat = MATS["table"]
    boxes = [(m.x_mm, m.y_mm, m.side_mm) for m in mat.markers()]
    assert all(side / 6 <= min(x, y) for x, y, side in boxes)


def test_wrong_games_and_players_are_one_line(capsys, tmp_path):
    out = ["--out", str(tmp_path / "m.pdf")]
    assert main(["print", "mat", "--game", "chess", *out]) == 2
    assert main(["print", "mat", "--game", "soda", "--players", "8", *out]) == 2
    assert main(["print", "mat", "--players", "7", *out]) == 2
    assert capsys.readouterr().err.count("\n") == 3 and not (tmp_path / "m.pdf").exists()


def test_an_out_that_is_a_folder_leaves_no_partial_file(tmp_path, capsys):
    for target in (["mat"], ["board"], ["deck", "suds"]):
        assert main(["print", *target, "--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 3
    assert list(tmp_path.iterdir()) == [] and not list(tmp_path.parent.glob("*.part"))
