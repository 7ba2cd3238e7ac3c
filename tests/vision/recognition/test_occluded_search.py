"""Partly occluded cards: the pose of the whole card, and its face."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from covered_cards import LENGTH, covered, laid, part_of, quad_at, twice

from models.drawing.raster import face_picture
from models.drawing.scene import Laid, Light, lay
from models.drawing.tables import draw_table
from models.gallery import load_gallery
from vision.geometry import iou, overlap, turned
from vision.matching.keypoints import KeypointMatcher
from vision.matching.masked_correlation import MaskedCorrelation
from vision.matching.occlusion import CELLS, Occluder
from vision.matching.partial_ranking import PartialRanking
from vision.matching.template_match import HEIGHT, LIMITS, WIDTH, normalised, pair_margin
from vision.recognition.namer import Namer
from vision.recognition.recogniser import Recogniser
from vision.recognition.verification import visible_correlation


@pytest.fixture(scope="module")
def gallery(suds, embedder):
    return load_gallery(suds.taught, embedder.checksum)


@pytest.mark.parametrize("degrees", [0, 40, 200])
def test_keypoints_give_the_pose_of_a_half_occluded_card(suds, gallery, degrees):
    bgr, quad, above = covered(suds, "sneakers", degrees, 0.55)
    keypoints = KeypointMatcher(gallery.templates, suds.height_mm / suds.width_mm)
    seen = keypoints.detect_around(bgr, part_of(quad, 0.55))
    poses = keypoints.poses(seen, [Occluder.whole(above)])
    assert poses and gallery.faces[poses[0].template] == "sneakers"
    assert iou(poses[0].quad, quad) > 0.9
    # Upright, not only somewhere near.
    assert np.linalg.norm(poses[0].quad - quad, axis=1).max() < 0.06 * LENGTH


def test_no_keypoints_no_pose(suds, gallery):
    keypoints = KeypointMatcher(gallery.templates, suds.height_mm / suds.width_mm)
    plain = np.full((480, 640, 3), 128, np.uint8)
    quad = quad_at(suds, 300, 240, 10)
    assert keypoints.poses(keypoints.detect_around(plain, quad), []) == []


def test_keypoints_on_an_occluder_are_left_out(suds, gallery):
    bgr, _, above = covered(suds, "hat", 0, 0.5)
    keypoints = KeypointMatcher(gallery.templates, suds.height_mm / suds.width_mm)
    seen = keypoints.detect_around(bgr, above)
    assert gallery.faces[keypoints.poses(seen, [])[0].template] == "back"
    assert all(
        gallery.faces[p.template] != "back" for p in keypoints.poses(seen, [Occluder.whole(above)])
    )


def test_an_occluded_card_is_named_with_its_whole_quad(suds, gallery, embedder):
    bgr, quad, above = covered(suds, "sneakers", 15, 0.7)
    namer = Namer(gallery, suds.outline, suds.height_mm / suds.width_mm, embedder)
    boxes = np.stack([above, part_of(quad, 0.7)]).astype(np.float32)
    named = namer.name(bgr, boxes)
    assert named.faces == ("back", "sneakers")
    assert iou(named.quads[1], quad) > 0.9


@pytest.mark.parametrize("degrees", [0, 25, 75, 200])
def test_a_box_that_is_small_shifted_and_turned_shows_the_card_of_a_known_size(
    suds, gallery, embedder, degrees
):
    known, below = quad_at(suds, 100, 120, 50), quad_at(suds, 400, 245, degrees + 40)
    quad = quad_at(suds, 395, 240, degrees)
    bgr = laid(suds, [("hat", known), ("pants", below), ("sneakers", quad)])
    namer = Namer(gallery, suds.outline, suds.height_mm / suds.width_mm, embedder)
    a = np.radians(12)
    turn = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    box = ((quad - quad.mean(0)) * 0.85 @ turn + quad.mean(0) + [10, -10]).astype(np.float32)
    found = namer.search.sized(bgr, box, known)
    assert found is not None and found.face == "sneakers"
    assert iou(found.quad, quad) > 0.95
    assert namer.search.sized(bgr, quad_at(suds, 160, 360, 0), known) is None  # bare felt


def test_a_box_around_a_whole_pile_shows_its_uppermost_card(suds, gallery, embedder):
    """White cards on white ones: the locator sees the outline of all of them."""
    known = quad_at(suds, 120, 130, 50)
    pile = [quad_at(suds, 400 + x, 245 + y, degrees) for x, y, degrees in (
        (-18, 10, 40), (16, 14, -35), (0, 0, 10),
    )]  # fmt: skip
    faces = ("pants", "socks", "sneakers")
    bgr = laid(suds, [("hat", known), *zip(faces, pile, strict=True)])
    box = cv2.boxPoints(cv2.minAreaRect(np.concatenate(pile)))
    assert overlap(box, pile[-1]) < 0.6
    namer = Namer(gallery, suds.outline, suds.height_mm / suds.width_mm, embedder)
    found = namer.search.sized(bgr, box.astype(np.float32), known)
    assert found is not None and found.face == "sneakers"
    assert iou(found.quad, pile[-1]) > 0.95


@pytest.mark.parametrize(("degrees", "reach"), [(0, 0.45), (30, 0.5), (200, 0.55)])
def test_a_card_that_was_not_located_is_found_beside_a_known_one(
    suds, gallery, embedder, degrees, reach
):
    bgr, quad, above = covered(suds, "sneakers", degrees, reach)
    namer = Namer(gallery, suds.outline, suds.height_mm / suds.width_mm, embedder)
    named = namer.name_all(bgr, above[None], np.array([0.9], np.float32))
    assert named.faces == ("back", "sneakers")
    assert iou(named.quads[1], quad) > 0.9


def test_a_card_of_a_sure_kind_keeps_its_registered_quad_though_its_corners_are_unsure(
    suds, gallery, embedder
):
    bgr, quad, _ = covered(suds, "sneakers", 0, 1.5)
    double = twice(gallery, "sneakers", "shoes")
    namer = Namer(double, suds.outline, suds.height_mm / suds.width_mm, embedder)
    [one] = namer.recogniser.recognise(bgr, quad[None])
    loose = quad + np.float32([40, 0])
    unsure = replace(one, evidence=replace(one.evidence, corners=0.0))
    assert not namer.is_named(unsure) and iou(namer.place(unsure, loose), quad) > 0.9
    nothing = replace(unsure.evidence, correlation=0.0, better_half=0.0, similarity=0.0)
    unlike = replace(unsure, evidence=nothing)
    assert namer.place(unlike, loose) is loose


def test_a_find_beside_a_known_card_is_unknown_if_only_its_kind_is_sure(suds, gallery, embedder):
    bgr, quad, above = covered(suds, "sneakers", 0, 0.5)
    double = twice(gallery, "sneakers", "shoes")
    namer = Namer(double, suds.outline, suds.height_mm / suds.width_mm, embedder)
    named = namer.name_all(bgr, above[None], np.array([0.9], np.float32))
    assert named.faces == ("back", "unknown")
    assert iou(named.quads[1], quad) > 0.9


def test_a_card_is_recognised_again_without_the_pixels_under_its_occluders(suds, gallery, embedder):
    bgr, quad, above = covered(suds, "sneakers", 0, 0.5)
    aspect = suds.height_mm / suds.width_mm
    namer = Namer(gallery, suds.outline, aspect, embedder)
    [one] = namer.recogniser.recognise(bgr, quad[None])
    there = replace(one, quad=quad)
    again = namer.recogniser.recognise_under(bgr, there, [Occluder.whole(above)])
    assert again.face == "sneakers"
    assert again.evidence.correlation > 0.9 > one.evidence.correlation
    assert namer.recogniser.recognise_under(bgr, there, [Occluder.whole(quad)]) is None


def test_nothing_is_found_beside_a_card_that_lies_alone(suds, gallery, embedder):
    bgr, quad, above = covered(suds, "sneakers", 15, 1.2)
    namer = Namer(gallery, suds.outline, suds.height_mm / suds.width_mm, embedder)
    both = np.stack([quad, above]).astype(np.float32)
    named = namer.name_all(bgr, both, np.array([0.9, 0.9], np.float32))
    assert sorted(named.faces) == ["back", "sneakers"]


def test_occluded_pixels_do_not_count(suds, gallery):
    """The half under another card lowers the correlation, unless that card is a known occluder."""
    bgr, quad, above = covered(suds, "sneakers", 0, 0.5)
    template = normalised(gallery.templates[gallery.faces.index("sneakers")])
    whole, all_visible = visible_correlation(bgr, quad, template, [])
    part, visible = visible_correlation(bgr, quad, template, [Occluder.whole(above)])
    assert whole < 0.75 and all_visible == 1.0
    assert part > 0.9 and 0.35 < visible < 0.55
    other = normalised(gallery.templates[gallery.faces.index("hat")])
    assert visible_correlation(bgr, quad, other, [Occluder.whole(above)])[0] < part - 0.2


def test_a_box_inside_a_named_card_is_that_card(suds, gallery, embedder):
    bgr, quad, _ = covered(suds, "sneakers", 15, 1.2)
    namer = Namer(gallery, suds.outline, suds.height_mm / suds.width_mm, embedder)
    inner = (quad.mean(0) + (quad - quad.mean(0)) * 0.4).astype(np.float32)
    cards = namer.recognise(bgr, np.stack([quad, inner]))
    assert cards[1] is cards[0]


def test_partial_ranking_finds_a_face_by_its_better_half(gallery):
    templates = [normalised(template) for template in gallery.templates]
    ranking = PartialRanking(templates)
    rng = np.random.default_rng(8)
    for k, template in enumerate(gallery.templates):
        half = template.copy()
        half[: HEIGHT * 2 // 5] = rng.integers(0, 256, (HEIGHT * 2 // 5, WIDTH, 3))
        assert ranking.nearest(normalised(half), 1) == [k]


def test_occluded_differences_decide_no_comparison():
    base = np.full((HEIGHT, WIDTH, 3), 230, np.uint8)
    cv2.circle(base, (60, 110), 25, (30, 60, 160), -1)
    marked = base.copy()
    cv2.putText(marked, "7", (45, 45), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (20, 20, 20), 4)
    a, b = normalised(marked), normalised(base)
    margin, residual = pair_margin(a, a, a, b)
    assert margin > 0.8 and residual < 0.1
    hidden = marked.copy()
    hidden[:70] = np.random.default_rng(1).integers(0, 256, (70, WIDTH, 3))
    crop = normalised(hidden)
    margin, residual = pair_margin(crop, a, crop, b)
    assert abs(margin) < 0.1 or residual >= LIMITS.residual_unseen


def test_the_face_of_a_half_occluded_card_is_compared(suds, gallery, embedder):
    bgr, quad, _ = covered(suds, "pants", 0, 0.5)
    recogniser = Recogniser(gallery, suds.outline, suds.height_mm / suds.width_mm, embedder)
    one = recogniser.recognise(bgr, quad[None])[0]
    assert "pants" in one.compared


def fanned(deck, faces):
    """A fan, each card lying on the one before: (picture, quads)."""
    scene = draw_table(np.random.default_rng(3), 480, 640, "felt").astype(np.float32)
    quads = [quad_at(deck, 230 + 62 * k, 240 + 8 * k * k, 12 - 14 * k) for k in range(len(faces))]
    for face, quad in zip(faces, quads, strict=True):
        lay(scene, Laid(face_picture(deck, face, 400), quad), Light(noise=0.0))
    return np.clip(scene, 0, 255).astype(np.uint8), quads


def test_the_cards_of_a_fan_are_named(suds, gallery, embedder):
    faces = ["socks", "boxers", "t-shirt", "pants"]
    bgr, quads = fanned(suds, faces)
    namer = Namer(gallery, suds.outline, suds.height_mm / suds.width_mm, embedder)
    named = namer.name_all(bgr, np.stack(quads), np.full(4, 0.9, np.float32))
    assert named.faces[:4] == tuple(faces)
    assert all(iou(a, b) > 0.95 for a, b in zip(named.quads, quads, strict=False))


@pytest.mark.parametrize("degrees", [0, 33, 170])
def test_masked_correlation_finds_the_pose_in_a_box(suds, gallery, degrees):
    bgr, quad, above = covered(suds, "socks", degrees, 0.5)
    k = gallery.faces.index("socks")
    correlation = MaskedCorrelation([normalised(template) for template in gallery.templates])
    cover = [Occluder.whole(above)]
    box = part_of(quad, 0.4)
    poses = correlation.poses(bgr, box, above, cover)
    best = max(poses, key=lambda pose: iou(pose.quad, quad))
    assert best.template == k and iou(best.quad, quad) > 0.75
    closer = correlation.refined(bgr, best, cover)
    assert iou(closer.quad, quad) > 0.93 > iou(box, quad)
    assert turned(closer.quad, quad) < 3


@pytest.mark.parametrize("is_rectangular", [True, False])
@pytest.mark.parametrize("off", [0, 40])
def test_a_whole_card_is_found_at_any_angle_unless_its_box_tells_it(
    suds, gallery, is_rectangular, off
):
    """A box of the card's own shape lies along a rectangular card; nothing is sought across it."""
    quad = quad_at(suds, 280, 240, 20)
    bgr = laid(suds, [("socks", quad)])
    templates = [normalised(template) for template in gallery.templates]
    correlation = MaskedCorrelation(templates, is_rectangular)
    turn = cv2.getRotationMatrix2D(tuple(map(float, quad.mean(0))), off, 1.0)
    box = cv2.transform(quad[None], turn)[0].astype(np.float32)
    poses = correlation.poses(bgr, box, quad, [], is_whole=True)
    found = max((iou(pose.quad, quad) for pose in poses), default=0.0)
    assert (found > 0.9) == (off == 0 or not is_rectangular)


def test_masked_correlation_finds_no_pose_on_a_plain_table(suds, gallery):
    correlation = MaskedCorrelation([normalised(template) for template in gallery.templates])
    plain = np.full((480, 640, 3), 128, np.uint8)
    quad = quad_at(suds, 300, 240, 10)
    assert correlation.poses(plain, quad, quad, []) == []


def test_an_occluder_hides_only_where_it_is_visible(suds):
    quad = quad_at(suds, 300, 240, 20)
    is_visible = np.ones(CELLS, bool)
    is_visible[:, CELLS[1] // 2 :] = False
    middle = quad.mean(0)
    left, right = (quad[0] + quad[3]) / 2, (quad[1] + quad[2]) / 2
    points = np.stack([(middle + left) / 2, (middle + right) / 2, left + 2 * (left - middle)])
    assert Occluder(quad, is_visible).contains(points).tolist() == [True, False, False]
    assert Occluder.whole(quad).contains(points).tolist() == [True, True, False]
    whole = np.ones((480, 640), np.float32)
    mask = Occluder(quad, is_visible).masked(whole, np.eye(3))
    for point, is_visible in zip(points, (0, 1, 1), strict=True):
        x, y = np.rint(point).astype(int)
        assert mask[y, x] == is_visible
    assert whole.all()  # the argument is not edited
