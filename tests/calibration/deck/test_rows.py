"""Several cards in one picture: found, put in reading order, cut out, named, checked."""

import cv2
import numpy as np
import pytest

from calibration.deck.ends import Taken
from calibration.deck.named_sheets import all_ends, named, read_names
from calibration.deck.proposals import CardFinder
from calibration.deck.row_finding import SheetFinder
from calibration.deck.row_order import in_reading_order
from calibration.deck.sheet_checks import UNLIKE, misfits
from calibration.deck.sheets import Sheet, SheetCard, card_view, found_sheet, read_sheet
from lab.evaluation.row_pictures import LAYOUTS, SIZES, lay_out, photographed, seen_by_camera
from lab.evaluation.teaching import corner_error
from models.deck import load_deck
from models.drawing.raster import face_picture
from models.drawing.scene import Laid, Light, expose, lay
from models.drawing.tables import draw_table
from rules.errors import FairdealError
from vision import geometry
from vision.networks.locator import Locator
from vision.recognition.closeup import Closeup

FACES = ("boxers", "hat", "pants", "sneakers", "socks", "t-shirt")


@pytest.fixture(scope="module")
def finders(embedder):
    locator = Locator()
    return SheetFinder(locator, embedder.corners), CardFinder(Closeup(locator, embedder.corners))


@pytest.fixture(scope="module")
def rows():
    """Six cards in two rows, on felt."""
    return photographed(load_deck("suds"), FACES, (2, 3), 3, (1280, 960), "felt")


@pytest.mark.parametrize("seed", range(60))
def test_cards_are_read_row_by_row_from_the_left(seed):
    """Bowed, slanted, with gaps; portrait, square and landscape; whichever corner comes first."""
    rng = np.random.default_rng(seed)
    flat, _ = lay_out(rng, (0.7, 1.0, 1.4)[seed % 3], LAYOUTS[seed % len(LAYOUTS)])
    quads = seen_by_camera(rng, flat, SIZES[seed % len(SIZES)])
    mixed = [np.roll(quads[k], rng.integers(4), axis=0) for k in rng.permutation(len(quads))]
    found = in_reading_order(mixed)
    assert found.quads == pytest.approx(quads, abs=1e-3)
    assert [k for row in found.rows for k in row] == list(range(len(quads)))


def test_round_cards_follow_their_neighbours():
    """A circle's box has any direction: then the layout tells the rows."""
    rng = np.random.default_rng(5)
    places = [(x, y) for y in (200, 420) for x in (200, 430, 650)]
    quads = []
    for x, y in places:
        angle = rng.uniform(0, np.pi / 2)
        points = cv2.boxPoints(((x, y), (150, 150), np.degrees(angle)))
        quads.append(points.astype(np.float32))
    mixed = [quads[k] for k in rng.permutation(6)]
    centres = [geometry.centre(quad) for quad in in_reading_order(mixed).quads]
    assert np.stack(centres) == pytest.approx(np.float32(places), abs=1)


@pytest.mark.parametrize("seed", range(12))
def test_a_corner_that_is_off_shows_against_the_other_cards(seed):
    rng = np.random.default_rng(seed)
    flat, _ = lay_out(rng, 1.4, (3, 3), missing=0.0, touching=0.0)
    quads = seen_by_camera(rng, flat, (1600, 1200)).astype(np.float64)
    assert np.abs(misfits(quads)).max() < UNLIKE / 2
    length = np.linalg.norm(quads[4, 3] - quads[4, 0])
    quads[4, seed % 4] += 0.04 * length * np.array([np.cos(seed), np.sin(seed)])
    off = np.abs(misfits(quads)).max(1)
    assert off.argmax() == 4 and off[4] > UNLIKE > np.delete(off, 4).max()


def test_a_photograph_of_six_cards_teaches_six_faces(rows, finders):
    several, single = finders
    sheet = found_sheet(rows.bgr, "rows.jpg", several)
    assert len(sheet.cards) == 6 and all(card.doubt is None for card in sheet.cards)
    [given] = named([sheet], list(FACES), set(FACES))
    ends = all_ends([], [given], single, None)
    assert [(end.name, type(end)) for end in ends] == [(face, Taken) for face in FACES]
    cut, own = card_view(sheet, 2)
    assert cut.shape[0] > cut.shape[1] and (own > 0).all()
    for end, true in zip(ends, rows.quads, strict=True):
        taken = end.picture
        length = geometry.length(taken.quad) / geometry.length(true)
        # A cut is the sheet turned and scaled: side ratios stay.
        sides = [np.linalg.norm(q - np.roll(q, 1, axis=0), axis=1) for q in (taken.quad, true)]
        assert sides[0] / length == pytest.approx(sides[1], rel=0.01)


def test_touching_cards_are_asked(finders):
    deck, several, single = load_deck("suds"), *finders
    scene = draw_table(np.random.default_rng(1), 960, 1280, "felt", (70, 110, 40))
    scene = scene.astype(np.float32)
    lefts = (100, 310, 520, 800)  # the first three touch
    for face, left in zip(FACES, lefts, strict=False):
        quad = np.float32([[left, 300], [left + 209, 300], [left + 209, 600], [left, 600]])
        lay(scene, Laid(face_picture(deck, face, 400), quad), Light())
    bgr = expose(scene, Light(noise=1.0), np.random.default_rng(2))
    sheet = found_sheet(bgr, "rows.jpg", several).sure
    ends = all_ends([], named([sheet], list(FACES[: len(sheet.cards)]), set()), single, None)
    far = [geometry.centre(card.quad)[0] > 750 for card in sheet.cards]
    assert far == [False] * (len(far) - 1) + [True] and len(far) >= 3
    assert not any(isinstance(end, Taken) for end in ends[:-1])


def test_corners_that_a_person_laid_are_taken(rows, finders):
    _, single = finders
    cards = tuple(SheetCard(quad + 2, None, True) for quad in rows.quads)
    sheet = Sheet("rows.jpg", rows.bgr, cards)
    ends = all_ends([], named([sheet], list(FACES), set()), single, None)
    assert all(isinstance(end, Taken) for end in ends)


def test_names_are_checked_and_a_dash_leaves_one_out(rows, tmp_path):
    quads = rows.quads
    doubt = FairdealError("a card", "none")
    sheet = Sheet(
        "x", rows.bgr, (SheetCard(quads[0]), SheetCard(quads[1]), SheetCard(quads[2], doubt))
    )
    file = tmp_path / "names.txt"
    file.write_text("hat\n- , socks")
    assert read_names(str(file)) == ["hat", "-", "socks"] == read_names("Hat, -  socks")
    assert named([sheet], ["hat", "-", "socks"], set())[0].faces == ("hat", "", "socks")
    # As many names as sure cards: the thing that may be none is left out.
    assert named([sheet], ["hat", "socks"], set())[0].faces == ("hat", "socks")
    with pytest.raises(FairdealError, match=r"3 names, one for each card found, found 4"):
        named([sheet], ["a", "b", "c", "d"], set())
    with pytest.raises(FairdealError, match=r"found 'sock'; perhaps socks\?"):
        named([sheet], ["hat", "sock", "-"], set(FACES))


def test_a_picture_without_a_card_is_one_line(tmp_path, finders):
    empty = draw_table(np.random.default_rng(1), 480, 640, "felt", (70, 110, 40))
    with pytest.raises(FairdealError, match="expected cards in rows, found no card"):
        found_sheet(empty, "x", finders[0])
    path = tmp_path / "dark.png"
    cv2.imwrite(str(path), np.zeros((480, 640, 3), np.uint8))
    with pytest.raises(FairdealError, match="more light"):
        read_sheet(path, finders[0])


def test_the_error_measure_of_the_bench_knows_a_moved_corner(rows):
    moved = rows.quads[0].copy()
    moved[1] += 0.05 * geometry.length(moved)
    assert corner_error(moved, rows.quads[0]) == pytest.approx(0.05 * np.sqrt(2), rel=0.05)
