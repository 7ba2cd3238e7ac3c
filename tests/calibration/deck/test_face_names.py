"""File names and the faces they mean."""

from pathlib import Path

import pytest

from calibration.deck.face_names import (
    check_name,
    face_of_file,
    faces_of,
    is_camera_name,
    nearest_name,
)
from rules.errors import FairdealError

SUDS = faces_of("suds")
PACK = faces_of("soda")


@pytest.mark.parametrize(
    ("name", "face"),
    [
        ("hat.jpg", "hat"),
        ("T_Shirt.2.JPG", "t-shirt"),
        ("t shirt.png", "t-shirt"),
        ("7c.jpeg", "7c"),
    ],
)
def test_a_file_is_named_after_its_face(name, face):
    assert face_of_file(Path("folder") / name) == face


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("jack-clubs", "jc"), ("king-of-hearts", "kh"), ("hearts-10", "10h"), ("ten-spades", "10s"),
        ("ace-of-diamonds", "ad"),
    ],
)  # fmt: skip
def test_a_spelt_card_means_its_code(name, meant):
    assert meant in PACK and nearest_name(name, PACK) == meant


def test_a_misspelt_face_means_the_nearest_one():
    assert nearest_name("sneaker", SUDS) == "sneakers"
    assert nearest_name("tshirt", SUDS) == "t-shirt"
    assert nearest_name("xylophone", SUDS) is None


def test_a_wrong_name_is_told_with_the_names_that_the_game_knows():
    with pytest.raises(FairdealError, match=r"boxers, hat.*found 'sneaker'; perhaps sneakers\?"):
        check_name("sneaker", Path("sneaker.jpg"), SUDS)
    with pytest.raises(FairdealError, match=r"10c, 10d.* more\), found 'jack-clubs'; perhaps jc"):
        check_name("jack-clubs", Path("jack-clubs.jpg"), PACK)
    with pytest.raises(FairdealError, match="letters, digits and hyphens"):
        check_name("h\x1bat", Path("x.jpg"), set())
    check_name("back", Path("back.jpg"), SUDS)


@pytest.mark.parametrize(
    ("name", "is_cameras"),
    [("IMG_0412.JPG", True), ("DSCN12.jpg", True), ("PXL_20261125_10.jpg", True),
     ("20261125_101500.jpg", True), ("WhatsApp Image 2026-11-25.jpeg", True), ("scan1.png", True),
     ("10.jpg", False), ("2c.jpg", False), ("hat.2.jpg", False), ("face-1234.png", False),
     ("scanner.jpg", False)],
)  # fmt: skip
def test_what_cameras_call_their_pictures(name, is_cameras):
    assert is_camera_name(Path("folder") / name) == is_cameras
