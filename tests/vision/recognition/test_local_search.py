"""A partly covered card is placed from a coarse pose, and its face is found."""

import numpy as np
import pytest
from covered_cards import covered, quad_at

from models.gallery import load_gallery
from vision.geometry import iou, scaled
from vision.matching.local_search import LocalSearch
from vision.matching.occlusion import Occluder
from vision.matching.template_match import normalised


@pytest.fixture(scope="module")
def gallery(suds, embedder):
    return load_gallery(suds.taught, embedder.checksum)


@pytest.fixture(scope="module")
def search(gallery):
    return LocalSearch([normalised(template) for template in gallery.templates])


@pytest.mark.parametrize("degrees", [0, 40, 200])
@pytest.mark.parametrize("face", ["pants", "socks", "t-shirt"])
def test_the_face_and_the_place_are_found_near_a_coarse_pose(suds, gallery, search, face, degrees):
    bgr, quad, above = covered(suds, face, degrees, 0.45)
    off = quad_at(suds, 287, 234, degrees + 4)
    cover = [Occluder.whole(above)]
    score, pose = search.near(bgr, off, cover, 3)[0]
    assert gallery.faces[pose.template] == face
    assert iou(pose.quad, quad) > 0.94 > iou(off, quad)
    assert 0 < score <= 1
    closer = search.refined(bgr, pose, cover, is_rigid=True)
    assert iou(closer.quad, quad) > 0.96
    assert np.linalg.norm(closer.quad - quad, axis=1).max() < 8  # upright, not only there


def test_the_other_half_turn_is_found_too(suds, gallery, search):
    bgr, quad, above = covered(suds, "pants", 20, 0.5)
    _, pose = search.near(bgr, np.roll(quad, 2, axis=0), [Occluder.whole(above)], 1)[0]
    assert gallery.faces[pose.template] == "pants"
    assert np.linalg.norm(pose.quad - quad, axis=1).max() < 8


def test_no_more_poses_than_asked_and_best_first(suds, search):
    bgr, quad, above = covered(suds, "hat", 0, 0.5)
    found = search.near(bgr, quad, [Occluder.whole(above)], 5)
    scores = [score for score, _ in found]
    assert len(found) == 5 and scores == sorted(scores, reverse=True)


def test_a_card_that_is_wholly_covered_has_no_likely_pose(suds, search):
    bgr, quad, _ = covered(suds, "hat", 0, 0.5)
    cover = [Occluder.whole(scaled(quad, 1.6))]
    assert all(score <= 0 for score, _ in search.near(bgr, quad, cover, 4))
