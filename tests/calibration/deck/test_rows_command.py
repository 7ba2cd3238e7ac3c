"""`fairdeal calibrate deck NAME PICTURE…`: photographs of rows, PDFs and films from the command."""

import sys

import cv2
import numpy as np
import pytest

from calibration.deck.film_cards import film_sheets
from calibration.deck.row_finding import SheetFinder
from calibration.deck.sheet_files import pdf_pages
from kiosk.cli import main
from lab.evaluation.row_pictures import photographed
from models.deck import load_deck
from models.drawing.raster import face_picture
from models.drawing.scene import Laid, Light, expose, lay
from models.drawing.tables import draw_table
from rules.errors import FairdealError
from vision import geometry
from vision.networks.locator import Locator

FACES = ("boxers", "hat", "pants", "sneakers")


@pytest.fixture(scope="module")
def picture():
    return photographed(load_deck("suds"), FACES, (2, 2), 8, (1280, 960), "felt").bgr


def run(*words):
    return main(["calibrate", "deck", *map(str, words)])


def test_rows_are_taught_by_names_and_the_rest_is_missing(picture, tmp_path, capsys):
    cv2.imwrite(str(tmp_path / "rows.jpg"), picture)
    words = ("mine", tmp_path / "rows.jpg", "--game", "suds", "--out", tmp_path / "deck")
    assert run(*words) == 2
    said = capsys.readouterr().err
    assert "expected --names with 4 names in reading order, found none" in said
    assert cv2.imread(str(tmp_path / "deck" / "rows-1.jpg")) is not None
    assert run(*words, "--names", ",".join(FACES)) == 0
    assert "Missing faces: socks, t-shirt, wild" in capsys.readouterr().out
    assert load_deck(tmp_path / "deck").names == FACES
    assert run("mine", "--rows", "--out", tmp_path / "deck") == 2
    assert "expected a PICTURE with --rows and --names, found none" in capsys.readouterr().err


def test_a_folder_of_pictures_as_the_camera_named_them_is_taught_by_rows(picture, tmp_path, capsys):
    folder, out = tmp_path / "photos", tmp_path / "deck"
    folder.mkdir()
    cv2.imwrite(str(folder / "IMG_0412.jpg"), picture)
    words = ("mine", "--from", folder, "--out", out)
    assert run(*words) == 2
    assert "expected --names with 4 names in reading order" in capsys.readouterr().err
    assert run(*words, "--names", ",".join(FACES)) == 0
    assert load_deck(out).names == FACES
    (folder / "IMG_0412.jpg").rename(folder / "hat.jpg")
    assert run(*words, "--add", "--rows") == 2
    assert "expected --names with 4 names in reading order" in capsys.readouterr().err


def pdf_of(path, bgr):
    """A PDF of one page that shows the picture, as a scanner writes it."""
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen.canvas import Canvas

    png = path.with_suffix(".png")
    cv2.imwrite(str(png), bgr)
    sheet = Canvas(str(path), pagesize=(bgr.shape[1] / 2, bgr.shape[0] / 2))
    sheet.drawImage(ImageReader(str(png)), 0, 0, bgr.shape[1] / 2, bgr.shape[0] / 2)
    sheet.save()


def test_a_scan_as_pdf_is_read_page_by_page(picture, tmp_path):
    pytest.importorskip("pypdfium2")
    path = tmp_path / "scan.pdf"
    pdf_of(path, picture)
    [page] = pdf_pages(path)
    assert page.shape[1] / page.shape[0] == pytest.approx(4 / 3, abs=0.01)
    small = cv2.resize(page, picture.shape[1::-1], interpolation=cv2.INTER_AREA)
    assert np.abs(small.astype(int) - picture).mean() < 3
    path.write_bytes(b"%PDF-1.4 no more")
    with pytest.raises(FairdealError, match="expected a PDF without a password"):
        pdf_pages(path)


def test_without_the_package_a_pdf_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    with pytest.raises(FairdealError, match=r"pip install \"fairdeal\[pdf\]\""):
        pdf_pages(tmp_path / "scan.pdf")


def film(path, faces, shake):
    """Cards laid on one another, each for a second, filmed by a hand that shakes; each one is
    blurred on its way."""
    deck, rng = load_deck("suds"), np.random.default_rng(4)
    table = draw_table(rng, 520, 680, "felt", (70, 110, 40))
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 10, (640, 480))
    scene = table.astype(np.float32)
    for face in faces:
        angle = rng.uniform(-0.15, 0.15)
        c, s = np.cos(angle), np.sin(angle)
        corners = np.float32([[-90, -129], [90, -129], [90, 129], [-90, 129]])
        quad = corners @ np.float32([[c, s], [-s, c]]) + np.float32([340, 260])
        for step in range(12):
            shown = scene.copy()
            away = max(0, 3 - step) * 60  # on its way for three pictures
            lay(shown, Laid(face_picture(deck, face, 400), quad + np.float32([0, away])), Light())
            light = Light(noise=1.5, motion_px=(0.0, away / 6), blur_px=float(rng.uniform(0, 1)))
            bgr = expose(shown, light, rng)
            x, y = np.rint(rng.normal(20, shake, 2).clip(0, 40)).astype(int)
            writer.write(np.ascontiguousarray(bgr[y : y + 480, x : x + 640]))
        lay(scene, Laid(face_picture(deck, face, 400), quad), Light())
    writer.release()


@pytest.mark.parametrize("shake", [0.0, 3.0])
def test_a_film_brings_each_card_once_at_a_sharp_moment(tmp_path, embedder, shake):
    path = tmp_path / "laid.avi"
    film(path, ["hat", "socks", "wild", "hat", "pants"], shake)
    finder = SheetFinder(Locator(), embedder.corners)
    sheets = film_sheets(path, finder, embedder)
    assert len(sheets) == 4 and all(len(sheet.cards) == 1 for sheet in sheets)
    deck = load_deck("suds")
    quad = np.float32([[0, 0], [280, 0], [280, 400], [0, 400]])
    for sheet, face in zip(sheets, ["hat", "socks", "wild", "pants"], strict=True):
        [card] = sheet.cards
        assert geometry.length(card.quad) == pytest.approx(258, rel=0.06)
        art = face_picture(deck, face, 400)[..., :3]
        own = quad * np.float32([art.shape[1] / 280, art.shape[0] / 400])
        true = embedder.embed(np.ascontiguousarray(art), own[None])[0]
        seen = embedder.embed(sheet.bgr, card.quad[None])[0]
        assert float(true @ seen) > 0.8


def test_a_film_without_a_still_card_says_so(tmp_path, embedder):
    writer = cv2.VideoWriter(
        str(tmp_path / "x.avi"), cv2.VideoWriter_fourcc(*"MJPG"), 10, (320, 240)
    )
    for _ in range(10):
        writer.write(draw_table(np.random.default_rng(1), 240, 320, "felt", (70, 110, 40)))
    writer.release()
    with pytest.raises(FairdealError, match="lay each one down for a second"):
        film_sheets(tmp_path / "x.avi", SheetFinder(Locator(), embedder.corners), embedder)
