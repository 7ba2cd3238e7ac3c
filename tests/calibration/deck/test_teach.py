"""Teaching a deck from flat art and from pictures on a table; pictures that cannot be used."""

import cv2
import numpy as np
import pytest

from calibration.deck import teach, verdicts
from lab.evaluation.teaching_cards import draw_outline
from models.drawing.raster import face_picture
from models.drawing.scene import Laid, Light, expose, lay
from models.drawing.tables import draw_table
from rules.errors import FairdealError
from vision.sightings import Located


class Sees:
    """A locator that finds these quads and no others."""

    def __init__(self, *quads, scores=None):
        self._found = Located(np.float32(quads).reshape(-1, 4, 2),
                              np.float32(scores or [0.9] * len(quads)))  # fmt: skip

    def locate(self, bgr, regions=None):
        return self._found


def taken(face, path, locator, aspect):
    """The picture from one file; FairdealError where it is of no use."""

    def refuse(error):
        raise error

    [picture] = verdicts.read_pictures([(face, path)], locator, aspect, refuse)
    return picture


QUAD = np.float32([[210, 130], [350, 130], [350, 326], [210, 326]])


def photograph(deck, face, quad=QUAD):
    scene = draw_table(np.random.default_rng(1), 480, 640, "wood").astype(np.float32)
    lay(scene, Laid(face_picture(deck, face, 320), quad), Light())
    return expose(scene, Light(noise=1.0), np.random.default_rng(2))


def written(folder, bgr, name="hat.png"):
    cv2.imwrite(str(folder / name), bgr)
    return folder / name


def test_flat_art_is_laid_on_a_table(suds):
    art = face_picture(suds, suds.names[0], 480)
    picture = teach.picture_of_art("hat", art)
    h, w = art.shape[:2]
    assert picture.quad[2] - picture.quad[0] == pytest.approx([w, h])
    assert picture.bgr[0, 0].tolist() == list(teach.TABLE)
    x, y = picture.quad.mean(0).astype(int)
    assert picture.bgr[y, x].tolist() == pytest.approx(art[h // 2, w // 2, :3].tolist(), abs=2)


def test_art_that_fills_its_picture_is_flat_art(tmp_path, suds):
    path = written(tmp_path, face_picture(suds, "hat", 480)[..., :3])
    picture = taken("hat", path, Sees(), suds.height_mm / suds.width_mm)
    assert picture.face == "hat"
    assert np.linalg.norm(picture.quad[3] - picture.quad[0]) == pytest.approx(480)


@pytest.mark.parametrize("first", range(4))
def test_a_photograph_gives_the_upright_card(tmp_path, suds, first):
    path = written(tmp_path, photograph(suds, "hat"))
    picture = taken("hat", path, Sees(np.roll(QUAD, first, axis=0)), 1.4)
    assert picture.quad == pytest.approx(QUAD, abs=0.5)  # laid on the edges of the picture


def test_a_taught_photograph_is_like_its_flat_art(embedder, suds):
    names = suds.names[:5]
    flat = teach.build_gallery(
        [teach.picture_of_art(n, face_picture(suds, n, 480)) for n in names], embedder
    )
    taken = teach.build_gallery(
        [teach.TeachingPicture(n, photograph(suds, n), QUAD) for n in names], embedder
    )
    assert flat.faces == taken.faces == names and flat.namer == embedder.checksum
    assert np.linalg.norm(flat.vectors, axis=1) == pytest.approx(np.ones(5), abs=1e-3)
    likeness = taken.vectors @ flat.vectors.T
    assert (likeness.argmax(1) == np.arange(5)).sum() >= 4


def test_a_shipped_deck_teaches_every_face_and_its_back(suds):
    faces = [p.face for p in teach.pictures_of_deck(suds)]
    assert faces == [*suds.names, "back"]


def test_the_same_face_twice_is_no_twin_and_a_copy_is(embedder, suds):
    art = face_picture(suds, "hat", 480)
    other = face_picture(suds, "socks", 480)
    pictures = [teach.picture_of_art(n, a) for n, a in
                (("hat", art), ("hat", art), ("copy", art), ("socks", other))]  # fmt: skip
    found = teach.near_twins(teach.build_gallery(pictures, embedder), embedder)
    assert {frozenset(row[:2]) for row in found} >= {frozenset(("hat", "copy"))}
    assert all(a != b for a, b, _, _ in found)
    assert found[0][2] == pytest.approx(1.0, abs=0.01)


def refused(path, locator, aspect=1.4):
    with pytest.raises(FairdealError) as told:
        taken("hat", path, locator, aspect)
    assert "\n" not in str(told.value) and str(path) in str(told.value)
    return str(told.value)


def test_a_file_that_is_no_picture(tmp_path):
    path = tmp_path / "hat.jpg"
    path.write_text("no picture")
    assert "expected a picture" in refused(path, Sees())


def test_a_picture_too_small_or_too_dark(tmp_path):
    assert "60 px" in refused(written(tmp_path, np.full((50, 40, 3), 200, np.uint8)), Sees())
    assert "more light" in refused(written(tmp_path, np.full((300, 300, 3), 5, np.uint8)), Sees())


def test_a_table_without_a_card(tmp_path):
    path = written(tmp_path, np.full((480, 640, 3), 120, np.uint8))
    assert "found no card" in refused(path, Sees())
    assert "found no card" in refused(path, Sees(QUAD, scores=[0.4]))


def test_several_cards_of_one_size(tmp_path, suds):
    path = written(tmp_path, photograph(suds, "hat"))
    assert "found 2 cards" in refused(path, Sees(QUAD, QUAD + np.float32([200, 0])))


def test_a_small_find_beside_the_card_does_not_count(tmp_path, suds):
    small = (QUAD - QUAD[0]) * 0.3 + np.float32([20, 20])
    path = written(tmp_path, photograph(suds, "hat"))
    assert taken("hat", path, Sees(QUAD, small), 1.4).quad == pytest.approx(QUAD, abs=0.5)


class SeesEach:
    """A locator that finds in each picture what it is told for it, one after the other."""

    def __init__(self, *finds):
        self._finds = list(finds)

    def locate(self, bgr, regions=None):
        quads, scores = zip(*self._finds.pop(0), strict=True)
        return Located(np.float32(quads), np.float32(scores))


def test_most_pictures_of_a_deck_tell_which_find_is_the_card(tmp_path, suds):
    inner = np.float32([[240, 150], [320, 150], [320, 230], [240, 230]])
    names = suds.names[:7]
    files = [(n, written(tmp_path, photograph(suds, n), f"{n}.jpg")) for n in names]
    plain, misled = [(QUAD, 0.9)], [(inner, 0.9), (QUAD, 0.6)]
    why = []
    seen = SeesEach(*[plain] * 5, misled, [(inner, 0.9)])
    pictures = verdicts.read_pictures(files, seen, None, lambda error: why.append(str(error)))
    assert [p.face for p in pictures] == list(names)
    assert all(p.quad == pytest.approx(QUAD, abs=0.5) for p in pictures)
    assert not why  # of the last only its segmentation shows the whole card; the others confirm it


def test_a_card_that_no_sure_picture_is_like_is_asked_about(tmp_path, suds):
    inner = np.float32([[240, 150], [320, 150], [320, 230], [240, 230]])
    names = suds.names[:6]
    files = [(n, written(tmp_path, photograph(suds, n), f"{n}.jpg")) for n in names]
    strange = photograph(suds, "hat")
    noise = np.random.default_rng(4).integers(0, 255, strange.shape, np.uint8)
    x0, y0, x1, y1 = *QUAD.min(0).astype(int), *QUAD.max(0).astype(int)
    strange[y0 + 4 : y1 - 4, x0 + 4 : x1 - 4] = noise[y0 + 4 : y1 - 4, x0 + 4 : x1 - 4]
    files.append(("wild", written(tmp_path, strange, "wild.jpg")))
    why = []
    seen = SeesEach(*[[(QUAD, 0.9)]] * 6, [(inner, 0.9)])
    pictures = verdicts.read_pictures(files, seen, None, lambda error: why.append(str(error)))
    assert [p.face for p in pictures] == list(names)
    assert len(why) == 1 and str(files[6][1]) in why[0] and "plain ground" in why[0]


def test_an_upright_photograph_of_a_bare_table_is_no_flat_art(tmp_path, suds):
    files = [("hat", written(tmp_path, photograph(suds, "hat"), "hat.jpg"))]
    bare = np.random.default_rng(3).integers(90, 110, (640, 480, 3)).astype(np.uint8)
    files.append(("socks", written(tmp_path, bare, "socks.jpg")))
    why = []
    seen = SeesEach([(QUAD, 0.9)], [(QUAD, 0.1)])
    pictures = verdicts.read_pictures(files, seen, None, lambda error: why.append(str(error)))
    assert [p.face for p in pictures] == ["hat"]
    assert len(why) == 1 and "socks.jpg" in why[0] and "found no card" in why[0]


def test_a_photograph_saved_as_png_is_no_flat_art_and_a_frame_in_art_is_no_card(tmp_path, suds):
    """Both have a card's shape; a card that was photographed lies anywhere but in the middle."""
    upright = np.ascontiguousarray(photograph(suds, "hat")[60:400, 180:420])
    path = written(tmp_path, upright, "hat.png")
    quad = QUAD - np.float32([180, 60])
    assert taken("hat", path, Sees(quad), None).quad == pytest.approx(quad, abs=1)
    art = face_picture(suds, "socks", 480)[..., :3]
    h, w = art.shape[:2]
    frame = np.float32([[30, 40], [w - 30, 40], [w - 30, h - 40], [30, h - 40]])
    whole = taken("socks", written(tmp_path, art, "socks.png"), Sees(frame), None)
    assert np.linalg.norm(whole.quad[3] - whole.quad[0]) == pytest.approx(480)


def test_one_bad_picture_leaves_the_others(tmp_path, suds):
    files = [("hat", written(tmp_path, photograph(suds, "hat"))), ("socks", tmp_path / "none.jpg")]
    why = []
    pictures = verdicts.read_pictures(files, Sees(QUAD), 1.4, lambda error: why.append(str(error)))
    assert [p.face for p in pictures] == ["hat"] and "expected a picture" in why[0]


def test_a_bare_table_is_no_card_of_a_deck_of_another_outline(tmp_path, suds):
    mask = draw_outline(np.random.default_rng(3), "wavy", 320, 240)
    files = []
    for k in range(5):
        scene = draw_table(np.random.default_rng(k), 480, 400, "stone", (60, 60, 60))
        rng = np.random.default_rng(10 + k)
        face = np.dstack([np.full((320, 240, 3), rng.integers(150, 255, 3), np.uint8), mask])
        picture = scene.astype(np.float32)
        lay(picture, Laid(face, QUAD + np.float32([5 * k - 80, 0])), Light())
        files.append((f"face-{k}", written(tmp_path, expose(picture, Light(), rng), f"{k}.jpg")))
    bare = draw_table(np.random.default_rng(9), 560, 400, "stone", (60, 60, 60))
    files.append(("bare", written(tmp_path, bare, "bare.jpg")))
    seen = SeesEach(*[[(QUAD + np.float32([5 * k - 80, 0]), 0.9)] for k in range(5)], [(QUAD, 0.1)])
    why = []
    pictures = verdicts.read_pictures(files, seen, None, lambda error: why.append(str(error)))
    assert [p.face for p in pictures] == [f"face-{k}" for k in range(5)]
    assert all(p.outline is not None for p in pictures)
    assert len(why) == 1 and "found no card" in why[0]
