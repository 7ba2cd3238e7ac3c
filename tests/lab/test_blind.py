import numpy as np
import pytest

from lab.evaluation.blind import BlindEyes, BlindScore, blind_section
from vision.sightings import NOTHING, Located, Named

FACES = ("hat", "socks", "hat")
QUADS = np.arange(24, dtype=np.float32).reshape(3, 4, 2)


class TwoHats:
    """Eyes that see two hats and socks, each a little beside its box."""

    def locate(self, bgr):
        return Located(QUADS, np.full(3, 0.9, np.float32))

    def name(self, bgr, quads, quick=False, known=None):
        return Named(FACES, np.full(3, 0.99, np.float32), quads + 1, (True,) * 3, np.ones(3))


@pytest.fixture
def picture():
    return np.zeros((40, 60, 3), np.uint8)


def test_the_missed_face_is_located_and_looks_like_nothing(picture):
    eyes = BlindEyes(TwoHats(), "hat")
    assert len(eyes.locate(picture).quads) == 3
    named = eyes.name(picture, QUADS)
    assert named.faces == (NOTHING, "socks", NOTHING)
    assert named.confidences[0] < 0.5 < named.confidences[1]
    assert np.array_equal(named.quads[0], QUADS[0]) and np.array_equal(named.quads[1], QUADS[1] + 1)


@pytest.mark.parametrize("missed", [None, "wild"])
def test_eyes_that_miss_no_face_of_the_picture_see_all(picture, missed):
    assert BlindEyes(TwoHats(), missed).name(picture, QUADS).faces == FACES


def test_each_run_is_a_row():
    scores = [BlindScore("clip1", None, 0, 0, 0), BlindScore("clip1", "hat", 2, 1, 3)]
    table = blind_section(scores, "fairdeal evaluate blind")
    assert "| clip1 | none | 0 | 0 | 0 |" in table and "| clip1 | hat | 2 | 1 | 3 |" in table
