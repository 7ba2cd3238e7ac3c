"""A doubtful picture is asked about, kept, answered later, and shown on the sheet."""

import json
import shutil

import cv2
import numpy as np
import pytest

from calibration.deck.asked_files import kept_asked
from calibration.deck.ends import Answers, Asked, Taken, Unusable, read_answers
from calibration.deck.teaching import NothingTaken, Wish, teach_deck
from models.deck import load_deck
from models.drawing.raster import face_picture
from models.drawing.scene import Laid, Light, expose, lay
from models.drawing.tables import draw_table
from models.gallery import load_gallery
from rules.errors import FairdealError
from vision.geometry import iou
from vision.sightings import Located

QUAD = np.float32([[210, 130], [350, 130], [350, 326], [210, 326]])
ASIDE = QUAD + np.float32([200, 0])


class SeesByPicture:
    """A finder that sees in each picture what stands for it: its quads and their scores."""

    def __init__(self, finds):
        self._finds = list(finds)

    def locate(self, bgr, regions=None):
        quads, scores = zip(*self._finds.pop(0), strict=True)
        return Located(np.float32(quads), np.float32(scores))


@pytest.fixture(scope="module")
def photographed(tmp_path_factory, suds):
    """Photographs of two faces, written to a folder."""
    folder = tmp_path_factory.mktemp("pictures")
    for face in ("hat", "socks"):
        scene = draw_table(np.random.default_rng(1), 480, 640, "wood").astype(np.float32)
        lay(scene, Laid(face_picture(suds, face, 320), QUAD), Light())
        bgr = expose(scene, Light(noise=1.0), np.random.default_rng(2))
        cv2.imwrite(str(folder / f"{face}.jpg"), bgr, [cv2.IMWRITE_JPEG_QUALITY, 97])
    return folder


@pytest.fixture
def pictures(photographed, tmp_path):
    """A copy of them, of one test alone."""
    return shutil.copytree(photographed, tmp_path / "pictures")


SURE, WEAK = [(QUAD, 0.9)], [(QUAD, 0.3)]
SIZE = (63.0, 88.0)


@pytest.fixture(scope="module")
def first_step(photographed, tmp_path_factory, embedder):
    """A deck of which one picture is asked about: its folder, and how the teaching went."""
    out = tmp_path_factory.mktemp("asked") / "deck"
    wish = Wish("mine <b>", out, photographed, size=SIZE)
    return out, teach_deck(wish, SeesByPicture([SURE, WEAK]), embedder)


@pytest.fixture
def deck(first_step, tmp_path):
    """A copy of that deck, of one test alone."""
    return shutil.copytree(first_step[0], tmp_path / "deck")


def test_pictures_cut_to_their_cards_propose_the_whole_picture_first(tmp_path, embedder):
    folder = tmp_path / "cut"
    folder.mkdir()
    for face, count in (("hat", 1), ("socks", 2), ("boxers", 3)):
        art = np.full((300, 450, 3), (215, 225, 230), np.uint8)
        for k in range(count):
            x = 225 + 120 * k - 60 * (count - 1)
            for down in (70, -70):
                cv2.line(art, (x - 40, 150 - down), (x + 40, 150 + down), (90, 130, 30), 7)
        cv2.imwrite(str(folder / f"{face}.jpg"), art)
    mark = np.float32([[100, 80], [220, 80], [220, 240], [100, 240]])
    finds = [[(mark + at, 0.3), (mark + at + [60, 10], 0.3)] for at in (0, 30, -45)]
    wish = Wish("cut", tmp_path / "deck", folder, size=SIZE)
    with pytest.raises(NothingTaken) as nothing:
        teach_deck(wish, SeesByPicture(finds), embedder)
    for asked in nothing.value.asked:
        h, w = asked.bgr.shape[:2]
        whole = np.float32([[0, 0], [w, 0], [w, h], [0, h]])
        assert iou(asked.proposals[0].quad, whole) > 0.99 and len(asked.proposals) > 1
    yes = Wish("cut", tmp_path / "deck", folder, size=SIZE, answers=Answers(is_yes=True))
    taught = teach_deck(yes, SeesByPicture(finds), embedder)
    assert taught.asked == () and len(load_deck(tmp_path / "deck").names) == 3


def test_a_doubtful_picture_is_asked_and_the_deck_is_written(first_step):
    out, teaching = first_step
    assert load_deck(out).names == ("hat",) and teaching.missing == ("socks",)
    [asked] = teaching.asked
    assert (asked.name, asked.face) == ("socks", "socks")
    assert iou(asked.proposals[0].quad, QUAD) > 0.97
    [kept] = kept_asked(out)
    assert str(kept.reason) == str(asked.reason) and kept.name == "socks"
    for one, other in zip(kept.proposals, asked.proposals, strict=True):
        assert one.quad == pytest.approx(other.quad, abs=0.01)


@pytest.mark.parametrize("answer", ["accept", "yes", "corners"])
def test_an_answer_teaches_it_without_the_folder(deck, embedder, answer):
    corners = "socks=" + ",".join(f"{v + 3:g}" for v in QUAD.ravel())
    answers = read_answers(*{"accept": (["socks"], []), "yes": ([], [], True),
                             "corners": ([], [corners])}[answer])  # fmt: skip
    teaching = teach_deck(Wish("mine", deck, answers=answers), SeesByPicture([]), embedder)
    assert load_deck(deck).names == ("hat", "socks")
    assert teaching.missing == () and kept_asked(deck) == [] and not (deck / "asked").exists()
    gallery = load_gallery(deck / "taught.npz", embedder.checksum)
    assert gallery.faces == ("hat", "socks")
    [end] = teaching.ends
    assert isinstance(end, Taken)
    assert end.picture.quad == pytest.approx(QUAD, abs=2.0)  # 3 px beside: it is laid on the edge


def test_the_deck_taught_in_two_steps_is_that_of_one(deck, photographed, tmp_path, embedder):
    one, yes = tmp_path / "one", Answers(is_yes=True)
    teach_deck(Wish("mine", deck, answers=yes), SeesByPicture([]), embedder)
    wish = Wish("mine", one, photographed, size=SIZE, answers=yes)
    teach_deck(wish, SeesByPicture([SURE, WEAK]), embedder)
    a, b = (load_gallery(place / "taught.npz", embedder.checksum) for place in (deck, one))
    assert a.faces == b.faces
    assert np.sum(a.vectors * b.vectors, axis=1) == pytest.approx(np.ones(2), abs=0.01)


def test_the_second_proposal(pictures, tmp_path, embedder):
    finds = [SURE, [(ASIDE, 0.4), (QUAD, 0.3)]]
    answers = read_answers(["socks=2"], [])
    teaching = teach_deck(
        Wish("mine", tmp_path / "d", pictures, size=SIZE, answers=answers),
        SeesByPicture(finds), embedder,
    )  # fmt: skip
    quads = {end.name: end.picture.quad for end in teaching.ends}
    assert iou(quads["socks"], QUAD) > 0.97
    with pytest.raises(FairdealError, match=r"proposed outlines, found number 9"):
        teach_deck(
            Wish("m", tmp_path / "e", pictures, size=SIZE, answers=read_answers(["socks=9"], [])),
            SeesByPicture(finds), embedder,
        )  # fmt: skip


def test_corners_correct_a_taken_picture(pictures, tmp_path, embedder):
    corners = "hat=" + ",".join(f"{v:g}" for v in (QUAD + np.float32([30, 20])).ravel())
    wish = Wish("mine", tmp_path / "d", pictures, size=SIZE, answers=read_answers([], [corners]))
    teaching = teach_deck(wish, SeesByPicture([SURE, SURE]), embedder)
    quads = {end.name: end.picture.quad for end in teaching.ends}
    assert np.abs(quads["hat"] - QUAD).max() > 10 and quads["socks"] == pytest.approx(QUAD, abs=1)


def test_nothing_is_certain_and_nothing_is_lost(pictures, tmp_path, embedder):
    out = tmp_path / "deck"
    with pytest.raises(NothingTaken, match="2 to ask about"):
        teach_deck(Wish("mine", out, pictures), SeesByPicture([WEAK, WEAK]), embedder)
    assert not (out / "deck.toml").exists() and (out / "sheet.html").is_file()
    wish = Wish("mine", out, answers=Answers(is_yes=True), size=SIZE)
    assert teach_deck(wish, SeesByPicture([]), embedder).missing == ()
    assert load_deck(out).names == ("hat", "socks")


def test_a_black_picture_is_unusable_and_no_question(pictures, tmp_path, embedder):
    cv2.imwrite(str(pictures / "socks.jpg"), np.zeros((480, 640, 3), np.uint8))
    teaching = teach_deck(
        Wish("mine", tmp_path / "d", pictures, size=SIZE), SeesByPicture([SURE]), embedder
    )
    assert [type(end) for end in teaching.ends] == [Taken, Unusable]
    assert "more light" in str(teaching.refused[0]) and teaching.missing == ("socks",)


def test_the_sheet_shows_every_outline_the_asked_ones_first(first_step):
    png, page = first_step[1].sheet
    words = page.read_text(encoding="utf-8")
    assert words.count("data:image/jpeg;base64,") == 2 and "http" not in words
    assert words.index("socks?") < words.index('alt="hat"') and "mine &lt;b&gt;" in words
    sheet = cv2.imread(str(png)).astype(int)
    is_red = (sheet[..., 2] > 200) & (sheet[..., 1] < 90) & (sheet[..., 0] < 90)
    is_green = (sheet[..., 1] > 140) & (sheet[..., 2] < 100) & (sheet[..., 0] < 90)
    half = sheet.shape[1] // 2
    assert is_red[:, :half].any() and is_green[:, half:].any() and not is_green[:, :half].any()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda entry: entry.pop("scale"),
        lambda entry: entry.update(name="../../x"),
        lambda entry: entry["proposals"][0].update(quad=[[0, 0], [1, 1]]),
        lambda entry: entry["proposals"][0].update(quad=[["a", 0]] * 4),
        lambda entry: entry.update(scale=float("nan")),
    ],
)
def test_damaged_questions_are_one_line(deck, spoil):
    path = deck / "asked" / "asked.json"
    entries = json.loads(path.read_text())
    spoil(entries[0])
    path.write_text(json.dumps(entries))
    with pytest.raises(FairdealError, match="questions that `calibrate deck` wrote"):
        kept_asked(deck)


def test_a_picture_is_asked_about_once_at_its_own_size(tmp_path, pictures, embedder):
    """Corners are px of the file, though a large picture is kept smaller."""
    large = cv2.resize(cv2.imread(str(pictures / "socks.jpg")), None, fx=4, fy=4)
    cv2.imwrite(str(pictures / "socks.jpg"), large)
    corners = "socks=" + ",".join(f"{v:g}" for v in (QUAD * 4).ravel())
    wish = Wish("mine", tmp_path / "d", pictures, size=SIZE, answers=read_answers([], [corners]))
    teaching = teach_deck(wish, SeesByPicture([SURE, [(QUAD * 2.5, 0.2)]]), embedder)
    quads = {end.name: end for end in teaching.ends}
    one = quads["socks"]
    assert one.scale == pytest.approx(1600 / 2560)
    assert one.picture.quad / one.scale == pytest.approx(QUAD * 4, abs=6)
    assert not any(isinstance(end, Asked) for end in teaching.ends)
