"""The confidence of a name: more where more speaks for it, and weights that can be fitted."""

import json
from dataclasses import replace

import numpy as np
import pytest

from rules.errors import FairdealError
from vision.recognition.confidence import Confidence, Evidence, Presence, fitted

GOOD = Evidence(
    similarity=0.95,
    similarity_margin=0.4,
    correlation=0.8,
    better_half=0.9,
    pair_margin=0.5,
    residual=0.0,
    fine_margin=0.6, fine_residual=0.1, colours=0.0, corners=0.98,
)  # fmt: skip
POOR = Evidence(
    similarity=0.45,
    similarity_margin=0.02,
    correlation=0.2,
    better_half=0.4,
    pair_margin=0.02,
    residual=2.8,
    fine_margin=0.02, fine_residual=0.9, colours=0.0, corners=0.3,
)  # fmt: skip


def test_good_evidence_is_sure_and_poor_evidence_is_not():
    confidence = Confidence.load()
    assert confidence.of(GOOD) > 0.9
    assert confidence.of(POOR) < 0.4


def test_margins_beyond_the_most_say_no_more():
    wide, most = replace(GOOD, similarity_margin=1.0), replace(GOOD, similarity_margin=0.5)
    assert np.array_equal(wide.kind_features(), most.kind_features())


def test_an_undecided_contest_of_look_alikes_is_unsure():
    confidence = Confidence.load()
    decided = replace(GOOD, similarity_margin=0.0, pair_margin=0.6, residual=0.8)
    undecided = replace(decided, pair_margin=0.01, residual=2.2, fine_margin=0.0)
    assert confidence.over_twins(decided) > 0.95
    assert confidence.over_twins(undecided) < 0.9
    assert confidence.over_twins(replace(GOOD, pair_margin=1.0)) == 1.0


def test_the_embedding_counts_against_look_alikes_where_patches_leave_them_open():
    confidence = Confidence.load()
    near, far = (replace(GOOD, similarity_margin=margin) for margin in (-0.2, 0.2))
    assert confidence.over_twins(near) == confidence.over_twins(far)
    near, far = (replace(one, fine_margin=0.0) for one in (near, far))
    assert confidence.over_twins(near) < 0.5 < confidence.over_twins(far)


def test_weights_are_found_again():
    rng = np.random.default_rng(4)
    features = np.c_[np.ones(4000), rng.normal(size=(4000, 2))]
    weights = np.array([0.5, 2.0, -1.0])
    is_right = rng.random(4000) < 1 / (1 + np.exp(-features @ weights))
    assert fitted(features, is_right.astype(float)) == pytest.approx(weights, abs=0.25)
    free = fitted(features[:, :2], is_right.astype(float), known=features[:, 2] * weights[2])
    assert free == pytest.approx(weights[:2], abs=0.25)


def test_colours_tell_look_alikes_apart_where_nothing_else_does():
    confidence = Confidence.load()
    open_ = replace(GOOD, similarity_margin=0.0, pair_margin=0.05, fine_margin=0.0)
    assert confidence.over_twins(open_) < 0.6
    assert confidence.over_twins(replace(open_, colours=0.9)) > 0.95
    assert confidence.over_twins(replace(open_, colours=-0.9)) < 0.05


@pytest.mark.parametrize("text", [None, "no json", "{}", json.dumps({"kind": [1, 2]}),
                                  json.dumps({"kind": "abcdefg"}),
                                  json.dumps({"kind": [1] * 7, "twin": [1] * 6, "presence": [1]}),
                                  ])  # fmt: skip
def test_missing_or_damaged_weights_are_one_line(tmp_path, text):
    path = tmp_path / "confidence.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(FairdealError) as told:
        Confidence.load(path)
    assert str(path) in str(told.value) and "\n" not in str(told.value)


def test_what_lies_free_and_is_none_of_the_deck_is_less_surely_a_card():
    confidence = Confidence.load()
    square = Presence(
        score=0.8, is_card=0.95, corners=0.6, chance=0.03, agreement=0.9, covered=0.0, inliers=0,
        size_off=0.1, aspect_off=0.05, is_alone=False,
    )  # fmt: skip
    assert confidence.is_card(square) < confidence.is_card(replace(square, covered=0.6))
    assert confidence.is_card(square) < confidence.is_card(replace(square, chance=0.6))


def test_a_faint_likeness_in_everything_is_no_likeness():
    faint = replace(GOOD, similarity=0.5, better_half=0.5, inliers=0)
    assert not faint.is_alike
    assert GOOD.is_alike and replace(faint, inliers=12).is_alike
    assert replace(faint, better_half=0.7).is_alike
