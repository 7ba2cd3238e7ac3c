"""The confidence of a name: more where more speaks for it, and weights that can be fitted."""

import json

import numpy as np
import pytest

from rules.errors import FairdealError
from vision.evidence import Confidence, Evidence, fitted

GOOD = Evidence(likeness=0.95, margin=0.4, fit=0.8, half=0.9, duel=0.5, misfit=0.0, corners=0.98)
POOR = Evidence(likeness=0.45, margin=0.02, fit=0.2, half=0.4, duel=0.02, misfit=2.8, corners=0.3)


def test_good_evidence_is_sure_and_poor_evidence_is_not():
    confidence = Confidence.load()
    assert confidence.of(GOOD) > 0.9
    assert confidence.of(POOR) < 0.4


def test_margins_beyond_the_most_say_no_more():
    wide = Evidence(0.95, 1.0, 0.8, 0.9, 0.8, 0.0, 0.98)
    most = Evidence(0.95, 0.5, 0.8, 0.9, 0.5, 0.0, 0.98)
    assert np.array_equal(wide.features(), most.features())


def test_weights_are_found_again():
    rng = np.random.default_rng(4)
    features = np.c_[np.ones(4000), rng.normal(size=(4000, 2))]
    weights = np.array([0.5, 2.0, -1.0])
    is_right = rng.random(4000) < 1 / (1 + np.exp(-features @ weights))
    assert fitted(features, is_right.astype(float)) == pytest.approx(weights, abs=0.25)


@pytest.mark.parametrize("text", [None, "no json", "{}", json.dumps({"weights": [1, 2]}),
                                  json.dumps({"weights": "abcdefg"}),
                                  json.dumps({"weights": [1] * 9, "presence": [1] * 5}),
                                  ])  # fmt: skip
def test_missing_or_damaged_weights_are_one_line(tmp_path, text):
    path = tmp_path / "confidence.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(FairdealError) as told:
        Confidence.load(path)
    assert str(path) in str(told.value) and "\n" not in str(told.value)
