"""Fitted weights of confidence, as they are written."""

import json

import numpy as np

from lab.fitting.weights_file import Fit, write_one
from models.weights import CONFIDENCE
from vision.recognition.confidence import PRESENCE, Confidence, Presence

BOX = Presence(
    score=0.9, is_card=0.9, corners=0.9, chance=0.5, agreement=0.9, covered=0.2, inliers=4,
    size_off=0.1, aspect_off=0.1, is_alone=False,
)  # fmt: skip


def test_weights_of_cards_alone_leave_those_of_names_as_they_are(tmp_path):
    path = tmp_path / "confidence.json"
    write_one("presence", Fit(np.full(PRESENCE, 0.25), 40, 30, {0.5: (0.9, 0.8)}), path, seed=5)
    shipped, written = (json.loads(each.read_text()) for each in (CONFIDENCE, path))
    assert written["kind"] == shipped["kind"] and written["twin"] == shipped["twin"]
    assert written["fitted on"] == shipped["fitted on"] | {"presence": 40}
    assert written["seed of presence"] == 5
    sum_of_features = float(BOX.features().sum())
    assert Confidence.load(path).is_card(BOX) == 1 / (1 + np.exp(-0.25 * sum_of_features))
