"""What was taught is kept and read back; what cannot be used is refused in one line."""

import numpy as np
import pytest

from models.gallery import Gallery, load_gallery
from rules.errors import FairdealError


def gallery():
    rng = np.random.default_rng(4)
    vectors = rng.normal(size=(3, 8)).astype(np.float32)
    templates = rng.integers(0, 256, (3, 16, 12, 3)).astype(np.uint8)
    return Gallery(("hat", "hat", "back"), vectors, templates, "abc")


def test_it_reads_back_the_same(tmp_path):
    kept = gallery()
    kept.save(tmp_path / "taught.npz")
    read = load_gallery(tmp_path / "taught.npz", "abc")
    assert read.faces == kept.faces and read.namer == "abc"
    assert np.array_equal(read.vectors, kept.vectors) and np.array_equal(read.templates, kept.templates)
    assert [p.name for p in tmp_path.iterdir()] == ["taught.npz"]


def test_saving_again_replaces(tmp_path):
    kept = gallery()
    kept.save(tmp_path / "taught.npz")
    Gallery(("x",), kept.vectors[:1], kept.templates[:1], "abc").save(tmp_path / "taught.npz")
    assert load_gallery(tmp_path / "taught.npz", "abc").faces == ("x",)


def test_a_deck_that_was_not_taught(tmp_path):
    with pytest.raises(FairdealError, match=r"expected a taught deck.*fairdeal calibrate deck"):
        load_gallery(tmp_path / "taught.npz", "abc")


def test_a_deck_taught_with_other_weights(tmp_path):
    gallery().save(tmp_path / "taught.npz")
    with pytest.raises(FairdealError, match="taught with others; teach the deck again"):
        load_gallery(tmp_path / "taught.npz", "other")


@pytest.mark.parametrize("length", [0, 10, 300])
def test_a_damaged_file(tmp_path, length):
    path = tmp_path / "taught.npz"
    gallery().save(path)
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(FairdealError, match="a file that `calibrate deck` wrote") as told:
        load_gallery(path, "abc")
    assert "\n" not in str(told.value)
