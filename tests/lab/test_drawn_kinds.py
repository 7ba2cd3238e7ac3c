"""Drawn decks by kind of art and border, and the pictures of them."""

import numpy as np
import pytest

from lab.evaluation.drawn_kinds import KINDS, draw_kind_deck, drawn_kind
from models.drawing.faces import differ


@pytest.mark.parametrize(("art", "border"), [("line", "none"), ("plain", "dark")])
def test_the_faces_of_a_kind_differ_and_share_its_shape(art, border):
    deck = draw_kind_deck(np.random.default_rng(3), art, border, 4)
    faces = [face for name, face in deck.faces.items() if name != "back"]
    assert len(faces) == 4 and "back" in deck.faces
    assert len({face.shape for face in deck.faces.values()}) == 1
    assert all(differ(a, b) for i, a in enumerate(faces) for b in faces[:i])


def test_the_pictures_of_a_kind_are_noted_and_the_same_for_one_seed():
    art, border = KINDS[0]
    notes: dict[str, tuple[str, ...]] = {}
    first, second = (
        drawn_kind(rng, draw_kind_deck(rng, art, border, 3), 2, "set", notes, ("art line",))
        for rng in (np.random.default_rng(4), np.random.default_rng(4))
    )
    assert list(notes) == ["set-00", "set-01"]
    assert all(words[0] == "art line" and len(words) == 2 for words in notes.values())
    for (_, bgr, truths), (_, again, _) in zip(first, second, strict=True):
        assert bgr.shape == (720, 1280, 3) and np.array_equal(bgr, again)
        assert all(0 <= truth.visible <= 1 for truth in truths)
