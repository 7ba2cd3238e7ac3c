"""Cards of which a part is hidden: where the whole lies, and which it is."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from models.drawing.raster import face_picture
from models.drawing.scene import Laid, Light, lay
from models.drawing.tables import draw_table
from models.gallery import load_gallery
from vision.geometry import iou, turned
from vision.matching.keypoints import Keypoints
from vision.matching.masked_correlation import Sliding
from vision.matching.occlusion import CELLS, CoveringCard
from vision.matching.partial_ranking import Shortlist
from vision.matching.template_match import HEIGHT, HIDDEN, WIDTH, duel, normalised
from vision.recognition.namer import Namer
from vision.recognition.recogniser import Examiner
from vision.recognition.verification import fits

LENGTH = 220.0


@pytest.fixture(scope="module")
def gallery(suds, embedder):
    return load_gallery(suds.taught, embedder.checksum)


def quad_at(deck, x, y, degrees):
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * LENGTH / 2
    half = half * [deck.width_mm / deck.height_mm, 1]
    a = np.radians(degrees)
    c, s = np.cos(a), np.sin(a)
    return (half @ np.array([[c, s], [-s, c]]) + [x, y]).astype(np.float32)


def covered(deck, face, degrees, reach):
    """A table with a card whose right part, beyond `reach` of its width, lies under another:
    (picture, quad, quad of the upper card)."""
    scene = draw_table(np.random.default_rng(3), 480, 640, "felt").astype(np.float32)
    below = quad_at(deck, 280, 240, degrees)
    along = below[1] - below[0]
    above = below + along * reach
    for name, quad in ((face, below), ("back", above)):
        lay(scene, Laid(face_picture(deck, name, 400), quad), Light(noise=0.0))
    return np.clip(scene, 0, 255).astype(np.uint8), below, above


def part_of(quad, share):
    """The left `share` of a quad, as a locator would box what can be seen."""
    return np.stack([
        quad[0], quad[0] + (quad[1] - quad[0]) * share,
        quad[3] + (quad[2] - quad[3]) * share, quad[3],
    ]).astype(np.float32)  # fmt: skip


@pytest.mark.parametrize("degrees", [0, 40, 200])
def test_points_tell_where_a_half_hidden_card_lies(suds, gallery, degrees):
    bgr, quad, above = covered(suds, "sneakers", degrees, 0.55)
    keypoints = Keypoints(gallery.templates, suds.height_mm / suds.width_mm)
    seen = keypoints.look(bgr, part_of(quad, 0.55))
    places = keypoints.places(seen, [CoveringCard.whole(above)])
    assert places and gallery.faces[places[0].look] == "sneakers"
    assert iou(places[0].quad, quad) > 0.9
    # Upright, not only somewhere near.
    assert np.linalg.norm(places[0].quad - quad, axis=1).max() < 0.06 * LENGTH


def test_no_points_no_place(suds, gallery):
    keypoints = Keypoints(gallery.templates, suds.height_mm / suds.width_mm)
    plain = np.full((480, 640, 3), 128, np.uint8)
    quad = quad_at(suds, 300, 240, 10)
    assert keypoints.places(keypoints.look(plain, quad), []) == []


def test_points_of_a_covering_card_are_left_out(suds, gallery):
    bgr, _, above = covered(suds, "hat", 0, 0.5)
    keypoints = Keypoints(gallery.templates, suds.height_mm / suds.width_mm)
    seen = keypoints.look(bgr, above)
    assert gallery.faces[keypoints.places(seen, [])[0].look] == "back"
    assert all(
        gallery.faces[p.look] != "back" for p in keypoints.places(seen, [CoveringCard.whole(above)])
    )


def test_a_hidden_card_is_named_with_its_whole_quad(suds, gallery, embedder):
    bgr, quad, above = covered(suds, "sneakers", 15, 0.7)
    namer = Namer(gallery, suds.outline, suds.height_mm / suds.width_mm, embedder)
    boxes = np.stack([above, part_of(quad, 0.7)]).astype(np.float32)
    named = namer.name(bgr, boxes)
    assert named.faces == ("back", "sneakers")
    assert iou(named.quads[1], quad) > 0.9


@pytest.mark.parametrize(("degrees", "reach"), [(0, 0.45), (30, 0.5), (200, 0.55)])
def test_a_card_that_was_not_located_is_found_beside_a_known_one(
    suds, gallery, embedder, degrees, reach
):
    bgr, quad, above = covered(suds, "sneakers", degrees, reach)
    namer = Namer(gallery, suds.outline, suds.height_mm / suds.width_mm, embedder)
    named = namer.name_all(bgr, above[None], np.array([0.9], np.float32))
    assert named.faces == ("back", "sneakers")
    assert iou(named.quads[1], quad) > 0.9


def twice(gallery, face, name):
    """The gallery with that face once more, by another name: nothing tells them apart."""
    k = gallery.faces.index(face)
    return replace(
        gallery,
        faces=(*gallery.faces, name),
        vectors=np.concatenate([gallery.vectors, gallery.vectors[k : k + 1]]),
        templates=np.concatenate([gallery.templates, gallery.templates[k : k + 1]]),
    )


def test_a_card_of_a_sure_kind_lies_where_its_picture_does_whatever_the_corners(
    suds, gallery, embedder
):
    bgr, quad, _ = covered(suds, "sneakers", 0, 1.5)
    double = twice(gallery, "sneakers", "shoes")
    namer = Namer(double, suds.outline, suds.height_mm / suds.width_mm, embedder)
    [one] = namer.examiner.once(bgr, quad[None])
    loose = quad + np.float32([40, 0])
    unsure = replace(one, evidence=replace(one.evidence, corners=0.0))
    assert not namer.is_named(unsure) and iou(namer.place(unsure, loose), quad) > 0.9
    unlike = replace(unsure, evidence=replace(unsure.evidence, fit=0.0, half=0.0, likeness=0.0))
    assert namer.place(unlike, loose) is loose


def test_beside_a_known_card_lies_one_whose_kind_is_sure_though_its_name_is_not(
    suds, gallery, embedder
):
    bgr, quad, above = covered(suds, "sneakers", 0, 0.5)
    double = twice(gallery, "sneakers", "shoes")
    namer = Namer(double, suds.outline, suds.height_mm / suds.width_mm, embedder)
    named = namer.name_all(bgr, above[None], np.array([0.9], np.float32))
    assert named.faces == ("back", "unknown")
    assert iou(named.quads[1], quad) > 0.9


def test_a_card_is_looked_at_anew_once_it_is_known_what_lies_on_it(suds, gallery, embedder):
    bgr, quad, above = covered(suds, "sneakers", 0, 0.5)
    aspect = suds.height_mm / suds.width_mm
    namer = Namer(gallery, suds.outline, aspect, embedder)
    [one] = namer.examiner.once(bgr, quad[None])
    again = namer.examiner.bared(bgr, replace(one, quad=quad), [CoveringCard.whole(above)])
    assert again.face == "sneakers"
    assert again.evidence.fit > 0.9 > one.evidence.fit
    assert namer.examiner.bared(bgr, replace(one, quad=quad), [CoveringCard.whole(quad)]) is None


def test_beside_a_card_that_lies_alone_nothing_is_found(suds, gallery, embedder):
    bgr, quad, above = covered(suds, "sneakers", 15, 1.2)
    namer = Namer(gallery, suds.outline, suds.height_mm / suds.width_mm, embedder)
    both = np.stack([quad, above]).astype(np.float32)
    named = namer.name_all(bgr, both, np.array([0.9, 0.9], np.float32))
    assert sorted(named.faces) == ["back", "sneakers"]


def test_what_is_covered_does_not_count(suds, gallery):
    """The half under another card spoils the fit, unless it is known to lie there."""
    bgr, quad, above = covered(suds, "sneakers", 0, 0.5)
    look = normalised(gallery.templates[gallery.faces.index("sneakers")])
    whole, all_bare = fits(bgr, quad, look, [])
    part, bare = fits(bgr, quad, look, [CoveringCard.whole(above)])
    assert whole < 0.75 and all_bare == 1.0
    assert part > 0.9 and 0.35 < bare < 0.55
    other = normalised(gallery.templates[gallery.faces.index("hat")])
    assert fits(bgr, quad, other, [CoveringCard.whole(above)])[0] < part - 0.2


def test_a_box_within_a_named_card_is_of_that_card(suds, gallery, embedder):
    bgr, quad, _ = covered(suds, "sneakers", 15, 1.2)
    namer = Namer(gallery, suds.outline, suds.height_mm / suds.width_mm, embedder)
    inner = (quad.mean(0) + (quad - quad.mean(0)) * 0.4).astype(np.float32)
    examined = namer.examine(bgr, np.stack([quad, inner]))
    assert examined[1] is examined[0]


def test_the_shortlist_finds_a_face_by_its_better_half(gallery):
    looks = [normalised(look) for look in gallery.templates]
    shortlist = Shortlist(looks)
    rng = np.random.default_rng(8)
    for k, look in enumerate(gallery.templates):
        half = look.copy()
        half[: HEIGHT * 2 // 5] = rng.integers(0, 256, (HEIGHT * 2 // 5, WIDTH, 3))
        assert shortlist.likest(normalised(half), 1) == [k]


def test_what_cannot_be_seen_decides_no_duel():
    base = np.full((HEIGHT, WIDTH, 3), 230, np.uint8)
    cv2.circle(base, (60, 110), 25, (30, 60, 160), -1)
    marked = base.copy()
    cv2.putText(marked, "7", (45, 45), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (20, 20, 20), 4)
    a, b = normalised(marked), normalised(base)
    won, misfit = duel(a, a, a, b)
    assert won > 0.8 and misfit < 0.1
    hidden = marked.copy()
    hidden[:70] = np.random.default_rng(1).integers(0, 256, (70, WIDTH, 3))
    crop = normalised(hidden)
    won, misfit = duel(crop, a, crop, b)
    assert abs(won) < 0.1 or misfit >= HIDDEN


def test_faces_that_only_half_shows_are_compared_too(suds, gallery, embedder):
    bgr, quad, _ = covered(suds, "pants", 0, 0.5)
    examiner = Examiner(gallery, suds.outline, suds.height_mm / suds.width_mm, embedder)
    one = examiner.once(bgr, quad[None])[0]
    assert "pants" in one.compared


def fanned(deck, faces):
    """A fan, each card lying on the one before: (picture, quads)."""
    scene = draw_table(np.random.default_rng(3), 480, 640, "felt").astype(np.float32)
    quads = [quad_at(deck, 230 + 62 * k, 240 + 8 * k * k, 12 - 14 * k) for k in range(len(faces))]
    for face, quad in zip(faces, quads, strict=True):
        lay(scene, Laid(face_picture(deck, face, 400), quad), Light(noise=0.0))
    return np.clip(scene, 0, 255).astype(np.uint8), quads


def test_in_a_fan_each_card_lies_on_the_one_before(suds, gallery, embedder):
    faces = ["socks", "boxers", "t-shirt", "pants"]
    bgr, quads = fanned(suds, faces)
    namer = Namer(gallery, suds.outline, suds.height_mm / suds.width_mm, embedder)
    named = namer.name_all(bgr, np.stack(quads), np.full(4, 0.9, np.float32))
    assert named.faces[:4] == tuple(faces)
    assert all(iou(a, b) > 0.95 for a, b in zip(named.quads, quads, strict=False))


@pytest.mark.parametrize("degrees", [0, 33, 170])
def test_a_picture_that_slides_finds_its_place_about_a_box(suds, gallery, degrees):
    bgr, quad, above = covered(suds, "socks", degrees, 0.5)
    k = gallery.faces.index("socks")
    sliding = Sliding([normalised(look) for look in gallery.templates])
    cover = [CoveringCard.whole(above)]
    box = part_of(quad, 0.4)
    places = sliding.places(bgr, box, above, cover)
    best = max(places, key=lambda place: iou(place.quad, quad))
    assert best.look == k and iou(best.quad, quad) > 0.75
    closer = sliding.settled(bgr, best, cover)
    assert iou(closer.quad, quad) > 0.93 > iou(box, quad)
    assert turned(closer.quad, quad) < 3


def test_where_no_picture_fits_none_slides_to_a_place(suds, gallery):
    sliding = Sliding([normalised(look) for look in gallery.templates])
    plain = np.full((480, 640, 3), 128, np.uint8)
    quad = quad_at(suds, 300, 240, 10)
    assert sliding.places(plain, quad, quad, []) == []


def test_a_cover_holds_points_only_where_it_is_seen(suds):
    quad = quad_at(suds, 300, 240, 20)
    is_seen = np.ones(CELLS, bool)
    is_seen[:, CELLS[1] // 2 :] = False
    middle = quad.mean(0)
    left, right = (quad[0] + quad[3]) / 2, (quad[1] + quad[2]) / 2
    points = np.stack([(middle + left) / 2, (middle + right) / 2, left + 2 * (left - middle)])
    assert CoveringCard(quad, is_seen).holds(points).tolist() == [True, False, False]
    assert CoveringCard.whole(quad).holds(points).tolist() == [True, True, False]
    bare = np.ones((480, 640), np.float32)
    CoveringCard(quad, is_seen).blank(bare, np.eye(3))
    for point, free in zip(points, (0, 1, 1), strict=True):
        x, y = np.rint(point).astype(int)
        assert bare[y, x] == free


@pytest.mark.parametrize("grown", [0.7, 1.5])
def test_a_card_that_was_not_located_at_all_is_found_by_its_points(suds, gallery, embedder, grown):
    bgr, quad, _ = covered(suds, "sneakers", 200, 1.2)
    bgr = cv2.resize(bgr, None, fx=grown, fy=grown, interpolation=cv2.INTER_AREA)
    namer = Namer(gallery, suds.outline, suds.height_mm / suds.width_mm, embedder)
    named = namer.name_all(bgr, np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32))
    assert sorted(named.faces) == ["back", "sneakers"]
    assert iou(named.quads[named.faces.index("sneakers")], quad * np.float32(grown)) > 0.93


def test_on_an_empty_table_no_card_is_found_by_points(suds, gallery, embedder):
    namer = Namer(gallery, suds.outline, suds.height_mm / suds.width_mm, embedder)
    for table in ("felt", "wood", "cloth"):
        bgr = draw_table(np.random.default_rng(3), 480, 640, table)
        bgr = np.clip(bgr, 0, 255).astype(np.uint8)
        named = namer.name_all(bgr, np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32))
        assert named.faces == ()
