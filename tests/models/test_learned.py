"""What a deck learned reads back as it was; what disagrees with the taught pictures is left out."""

from dataclasses import replace

import numpy as np
import pytest

from models.gallery import FINE, TEMPLATE, VECTOR, Gallery
from models.learned import Learned, Origin, load_learned, read_origin
from rules.errors import FairdealError

ORIGIN = Origin(1_700_000_000.5, "suds", 7, 3, "pile/1", 2, 0.99, 120.0, "people")


def gallery(**faces):
    """A gallery of faces by name: the axis along which each embedding points."""
    vectors = np.zeros((len(faces), VECTOR), np.float32)
    vectors[np.arange(len(faces)), list(faces.values())] = 1.0
    looks = np.random.default_rng(1).integers(0, 255, (len(faces), *TEMPLATE), np.uint8)
    fine = np.zeros((len(faces), *FINE), np.uint8)
    return Gallery(tuple(faces), vectors, looks, "namer", None, fine)


def test_an_origin_reads_back_the_same():
    assert read_origin(ORIGIN.to_json()) == ORIGIN
    assert read_origin(replace(ORIGIN, place="Stapel Ä").to_json()).place == "Stapel Ä"


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"at": "x"}', '{"at": 1, "what": 2}', "null"])
def test_what_is_no_origin_is_refused(text):
    with pytest.raises(ValueError):
        read_origin(text)


def test_learned_pictures_read_back_the_same(tmp_path):
    path = tmp_path / "learned.npz"
    assert load_learned(path, "namer") is None
    Learned(gallery(hat=0, socks=1), (ORIGIN, replace(ORIGIN, event=9))).save(path)
    found = load_learned(path, "namer")
    assert found.gallery.faces == ("hat", "socks")
    assert found.origins == (ORIGIN, replace(ORIGIN, event=9))
    assert (found.gallery.templates == gallery(hat=0, socks=1).templates).all()
    with pytest.raises(FairdealError, match="delete the file"):
        load_learned(path, "another namer")


def test_a_file_without_its_origins_is_refused(tmp_path):
    path = tmp_path / "learned.npz"
    gallery(hat=0).save(path)
    with pytest.raises(FairdealError, match="what a deck learned at the table"):
        load_learned(path, "namer")
    Learned(gallery(hat=0, socks=1), (ORIGIN,)).save(path)
    with pytest.raises(FairdealError, match="1 origins of 2 pictures"):
        load_learned(path, "namer")


def test_pictures_that_disagree_with_the_taught_ones_are_left_out():
    taught = gallery(hat=0, socks=1)
    right = Learned(gallery(hat=0), (ORIGIN,))
    wrong = Learned(gallery(hat=1), (ORIGIN,))
    strange = Learned(gallery(boxers=5), (ORIGIN,))
    assert right.agreeing(taught).faces == ("hat",)
    assert wrong.agreeing(taught) is None
    assert strange.agreeing(taught) is None
    both = replace(gallery(hat=0, socks=1), faces=("hat", "hat"))
    assert Learned(both, (ORIGIN, ORIGIN)).agreeing(taught).faces == ("hat",)


def test_galleries_join_and_give_parts():
    both = gallery(hat=0).joined(gallery(socks=1))
    assert both.faces == ("hat", "socks") and both.fine.shape == (2, *FINE)
    assert both.of([1]).faces == ("socks",) and both.of([1]).vectors[0, 1] == 1
    assert gallery(hat=0).joined(replace(gallery(socks=1), fine=None)).fine is None
