"""Printed decks: every card once, backs behind their fronts, to scale, and plain refusals."""

import re
import subprocess
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest
from needed_tools import POPPLER, needs
from reportlab.pdfbase.pdfmetrics import stringWidth

from kiosk.printing.decks import (
    UNPRINTABLE_MM,
    cards_of,
    foot_parts,
    mark_reach_mm,
    print_deck,
    ruler_has_words,
    sheet_for,
)  # fmt: skip
from kiosk.printing.paper import PAPERS_MM
from models.deck import load_deck, shipped_decks
from models.drawing.raster import face_picture
from models.drawing.vector import NotPlain, draw_svg, ground_of, size_of
from rules.errors import FairdealError

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 63 88">'


def pages(pdf: Path) -> list[tuple[float, float]]:
    """Each page's width and height, mm."""
    boxes = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", pdf.read_bytes())
    return [(float(wide) / 72 * 25.4, float(tall) / 72 * 25.4) for wide, tall in boxes]


@pytest.mark.parametrize("paper", PAPERS_MM)
@pytest.mark.parametrize("name", shipped_decks())
def test_every_deck_prints_on_every_paper(tmp_path: Path, name: str, paper: str) -> None:
    out = print_deck(name, tmp_path / "deck.pdf", paper)
    deck = load_deck(name)
    sheet = sheet_for(deck, paper)
    found = pages(out)
    assert len(found) == 2 * -(-len(cards_of(deck)) // sheet.room)
    assert all(page == pytest.approx(PAPERS_MM[paper], abs=0.01) for page in found)
    assert list(out.parent.iterdir()) == [out]


def test_the_same_deck_prints_the_same_bytes(tmp_path: Path) -> None:
    one, two = (print_deck("suds", tmp_path / name).read_bytes() for name in ("a.pdf", "b.pdf"))
    assert one == two


def test_nine_cards_lie_in_the_middle_of_an_a4_page() -> None:
    sheet = sheet_for(load_deck("suds"), "a4")
    assert (sheet.columns, sheet.rows) == (3, 3)
    assert sheet.corner_mm == pytest.approx((10.5, 16.5))
    assert sheet.cell_mm(0) == pytest.approx((10.5, 16.5 + 2 * 88))
    assert sheet.cell_mm(8) == pytest.approx((10.5 + 2 * 63, 16.5))


@pytest.mark.parametrize("paper", PAPERS_MM)
@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0])
def test_a_back_lies_behind_its_front(paper: str, scale: float) -> None:
    sheet = sheet_for(load_deck("suds"), paper, scale)
    for number in range(sheet.room):
        front, back = sheet.cell_mm(number), sheet.cell_mm(number, behind=True)
        # Turned over at the long edge, x is counted from the other side.
        assert back[0] == pytest.approx(sheet.paper_mm[0] - front[0] - sheet.card_mm[0])
        assert back[1] == front[1]


def test_two_sided_cards_are_printed_once_with_their_other_side_behind() -> None:
    deck = load_deck("dirty-laundry")
    cards = Counter(cards_of(deck))
    assert cards["machine", "machine-broken"] == 3
    assert cards["p3-white-stain", "p3-white-stain-ruined"] == 1
    assert cards["clothesline", "back"] == 1
    assert cards["hand-wash", "back"] == 6
    fronts = {front for front, _ in cards}
    assert not any(front.endswith(("-ruined", "-broken")) for front in fronts)
    shown = fronts | {behind for _, behind in cards}
    assert set(deck.names) <= shown


@pytest.mark.parametrize(
    ("paper", "scale", "part"),
    [
        ("a7", 1.0, "a paper of"),
        ("a4", 0.0, "a scale from"),
        ("a4", -1.0, "a scale from"),
        ("a4", float("nan"), "a scale from"),
        ("letter", 3.0 + 1e-9, "a scale from"),
        ("a4", 3.0, None),
    ],
)
def test_papers_and_scales_are_checked(paper: str, scale: float, part: str | None) -> None:
    deck = load_deck("suds")
    if part is None:
        assert sheet_for(deck, paper, scale).room == 1
        return
    with pytest.raises(FairdealError, match=part):
        sheet_for(deck, paper, scale)


def test_a_place_that_cannot_be_written_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(FairdealError, match="a file for the PDF"):
        print_deck("suds", tmp_path / "file" / "deck.pdf")
    with pytest.raises(FairdealError, match=r"no folder .*; make it first, with mkdir -p"):
        print_deck("suds", tmp_path / "none" / "deck.pdf")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def own_deck(folder: Path, art: str) -> Path:
    """A deck of one face, drawn by somebody else."""
    (folder / "faces").mkdir(parents=True)
    (folder / "deck.toml").write_text(
        'name = "own"\nwidth_mm = 63\nheight_mm = 88\ngame = "suds"\n[[faces]]\nname = "hat"\n'
    )
    (folder / "faces" / "hat.svg").write_text(art)
    cv2.imwrite(str(folder / "faces" / "back.png"), np.full((88, 63, 3), 90, np.uint8))
    return folder


def test_art_beyond_the_plain_style_is_printed_as_pixels(tmp_path: Path) -> None:
    art = HEAD + '<polygon points="5,5 50,5 30,80" fill="red"/></svg>'
    out = print_deck(own_deck(tmp_path / "own", art), tmp_path / "own.pdf")
    assert len(pages(out)) == 2
    assert b"/Subtype /Image" in out.read_bytes()


def test_shipped_decks_print_as_vectors(tmp_path: Path) -> None:
    for name in shipped_decks():
        assert b"/Subtype /Image" not in print_deck(name, tmp_path / "deck.pdf").read_bytes()


@pytest.mark.parametrize(
    "body",
    [
        '<rect x="1" y="1" width="5" height="5"/>',
        '<rect x="1" y="1" height="5" fill="#ffffff"/>',
        '<text fill="#ffffff">6</text>',
        '<path d="M0 0 A5 5 0 0 1 9 9" fill="#ffffff"/>',
        '<path d="M0 0 L5" fill="#ffffff"/>',
        '<g transform="skewX(20)"/>',
        '<circle cx="1" cy="1" r="x" fill="#ffffff"/>',
    ],
)
def test_what_is_not_plain_svg_is_said(body: str) -> None:
    from reportlab.pdfgen.canvas import Canvas

    with pytest.raises(NotPlain):
        draw_svg(Canvas("unused.pdf"), HEAD + body + "</svg>", 63, 88)


@pytest.mark.parametrize(
    "text", ["", "<svg", "<svg/>", HEAD.replace("0 0 63", "1 0 63") + "</svg>"]
)
def test_a_drawing_without_a_size_is_said(text: str) -> None:
    with pytest.raises(NotPlain):
        size_of(text)


def test_the_ground_is_the_first_rectangle() -> None:
    body = '<circle r="2" fill="#111111"/><rect fill="#222222"/><rect fill="#333333"/>'
    assert ground_of(HEAD + body + "</svg>") == "#222222"
    assert ground_of(HEAD + "</svg>") is None


@needs(POPPLER)
@pytest.mark.parametrize("name", shipped_decks())
def test_the_pdf_shows_what_the_rasteriser_shows(tmp_path: Path, name: str) -> None:
    """Two renderers and two ways from the art agree, card by card, at the true size."""
    pdf, dpi = print_deck(name, tmp_path / "deck.pdf"), 101.6  # 4 px a mm
    command = ["pdftoppm", "-r", str(dpi), "-f", "1", "-l", "1", "-png", str(pdf)]
    subprocess.run([*command, str(tmp_path / "page")], check=True, timeout=60)
    page = cv2.imread(str(next(tmp_path.glob("page*.png"))))
    deck = load_deck(name)
    sheet = sheet_for(deck, "a4")
    for number, (front, _) in enumerate(cards_of(deck)[: sheet.room]):
        left, low = sheet.cell_mm(number)
        top = sheet.paper_mm[1] - low - deck.height_mm
        x, y = round(left * 4), round(top * 4)
        printed = page[y : y + 352, x : x + 252].astype(int)
        drawn = face_picture(deck, front, 352)[..., :3].astype(int)
        inside = np.s_[16:-16, 16:-16]
        assert np.abs(printed - drawn)[inside].mean() < 6, front


@pytest.mark.parametrize("paper", PAPERS_MM)
@pytest.mark.parametrize("name", shipped_decks())
def test_marks_and_words_stay_where_a_printer_prints(name: str, paper: str) -> None:
    sheet = sheet_for(load_deck(name), paper)
    left, low = sheet.corner_mm
    assert left - mark_reach_mm(left) >= UNPRINTABLE_MM
    assert low - mark_reach_mm(low) >= UNPRINTABLE_MM
    parts = foot_parts(sheet, "Dirty Laundry, sheet 10 of 14, fronts")
    assert parts and parts[0][0].startswith("Dirty Laundry")
    marks = [left + k * sheet.card_mm[0] for k in range(sheet.columns + 1)]
    for words, x, y in parts:
        end = x + stringWidth(words, "Helvetica", 5.5) / 72 * 25.4
        assert y >= UNPRINTABLE_MM and end < sheet.paper_mm[0] - UNPRINTABLE_MM
        crossed = [mark for mark in marks if x < mark < end]
        assert not crossed or y + 2 < low - mark_reach_mm(low)


def test_a_folder_as_target_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(FairdealError, match="a file for the PDF, found a folder"):
        print_deck("suds", tmp_path / "folder")
    assert [path.name for path in tmp_path.rglob("*")] == ["folder"]


def test_the_ruler_is_explained_on_a4() -> None:
    """The words beside the ruler fit between it and the rim that a printer leaves white."""
    sheet = sheet_for(load_deck("suds"), "a4")
    assert ruler_has_words(sheet)
