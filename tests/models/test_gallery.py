"""What was taught is kept and read back; what cannot be used is refused in one line."""

import io
import tracemalloc
import zipfile
from dataclasses import replace

import numpy as np
import pytest

from models.gallery import TEMPLATE, VECTOR, Gallery, load_gallery
from rules.errors import FairdealError


def gallery():
    rng = np.random.default_rng(4)
    vectors = rng.normal(size=(3, VECTOR)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    templates = rng.integers(0, 256, (3, *TEMPLATE)).astype(np.uint8)
    return Gallery(("hat", "hat", "back"), vectors, templates, "abc")


def test_it_reads_back_the_same(tmp_path):
    kept = gallery()
    kept.save(tmp_path / "taught.npz")
    read = load_gallery(tmp_path / "taught.npz", "abc")
    assert read.faces == kept.faces and read.namer == "abc"
    assert np.array_equal(read.vectors, kept.vectors) and np.array_equal(
        read.templates, kept.templates
    )
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


def test_an_outline_reads_back(tmp_path):
    outline = np.float32([[0, 0.5], [0.5, 0], [1, 0.5], [0.5, 1]])
    replace(gallery(), outline=outline).save(tmp_path / "taught.npz")
    assert np.array_equal(load_gallery(tmp_path / "taught.npz", "abc").outline, outline)
    gallery().save(tmp_path / "taught.npz")
    assert load_gallery(tmp_path / "taught.npz", "abc").outline is None


def stored(**changes):
    """The arrays of a good file with these changes; None leaves one out."""
    kept = gallery()
    arrays = {"version": 1, "faces": np.array(kept.faces), "vectors": kept.vectors,
              "looks": kept.templates, "namer": "abc"}  # fmt: skip
    return {key: value for key, value in (arrays | changes).items() if value is not None}


WRONG = {
    "no faces": {"faces": np.array([], "U4")},
    "fewer faces": {"faces": np.array(["hat", "back"])},
    "more faces": {"faces": np.array(list("abcd"))},
    "faces as a table": {"faces": np.array([["hat", "x", "back"]])},
    "faces as numbers": {"faces": np.arange(3)},
    "a face without a name": {"faces": np.array(["hat", "", "back"])},
    "an escape sequence": {"faces": np.array(["hat", "\x1b[2J", "back"])},
    "flat vectors": {"vectors": gallery().vectors.ravel()},
    "short vectors": {"vectors": gallery().vectors[:, :64]},
    "double vectors": {"vectors": gallery().vectors.astype(np.float64)},
    "vectors of nan": {"vectors": gallery().vectors * np.nan},
    "long vectors": {"vectors": gallery().vectors * 3},
    "grey templates": {"looks": gallery().templates[..., 0]},
    "small templates": {"looks": gallery().templates[:, ::2, ::2]},
    "templates of floats": {"looks": gallery().templates.astype(np.float32)},
    "one template": {"looks": gallery().templates[:1]},
    "no templates": {"looks": None},
    "a version as text": {"version": "one"},
    "an outline of two points": {"outline": np.zeros((2, 2), np.float32)},
    "an outline far away": {"outline": np.full((9, 2), 7, np.float32)},
}


@pytest.mark.parametrize("kind", WRONG)
def test_wrong_arrays_are_one_line(tmp_path, kind):
    path = tmp_path / "taught.npz"
    np.savez_compressed(path, **stored(**WRONG[kind]))
    with pytest.raises(FairdealError, match="a file that `calibrate deck` wrote") as told:
        load_gallery(path, "abc")
    assert "\n" not in str(told.value) and "\x1b" not in str(told.value)


def claimed(shape, data=b""):
    """An array's file whose header claims a shape that its data does not have."""
    stream = io.BytesIO()
    header = {"descr": "|u1", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(stream, header)
    return stream.getvalue() + data


@pytest.mark.parametrize("data", [b"", bytes(70 << 20)])
def test_a_small_file_that_claims_gigabytes_allocates_none(tmp_path, data):
    path = tmp_path / "taught.npz"
    np.savez_compressed(path, **stored(looks=None))
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("looks.npy", claimed((200_000, 160, 120, 3), data))
    del data
    tracemalloc.start()
    with pytest.raises(FairdealError, match="a file that `calibrate deck` wrote"):
        load_gallery(path, "abc")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 160 << 20
