"""`fairdeal see` refuses a bad picture in one line, before it allocates its pixels."""

import struct
import zlib

import cv2
import numpy as np
import pytest

from kiosk.cli import main
from vision.recognition.eyes import Eyes
from vision.sightings import Sightings


class NoCards:
    """Eyes that see an empty table."""

    def see(self, bgr):
        return Sightings.empty()


@pytest.fixture(autouse=True)
def no_cards(monkeypatch):
    monkeypatch.setattr(Eyes, "open", classmethod(lambda cls, deck, threads=1, **_: NoCards()))


def png_header(width, height):
    """A PNG of a few bytes whose header claims a size."""
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head))
    return b"\x89PNG\r\n\x1a\n" + chunk


def cmyk():
    """The start of a JPEG with four channels."""
    return b"\xff\xd8\xff\xc0" + struct.pack(">HBHHB", 20, 8, 480, 640, 4) + bytes(20)


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (png_header(100_000, 100_000), "100000×100000 px"),
        (png_header(25_000, 25_000), "25000×25000 px"),
        (png_header(2, 4000), "2×4000 px"),
        (cmyk(), "CMYK"),
        (b"\x00\x00\x00\x18ftypheic" + bytes(40), "HEIC"),
        (b"", "an empty file"),
    ],
)
def test_a_bad_picture_is_refused_in_one_line(tmp_path, capsys, data, found):
    path = tmp_path / "picture.jpg"
    path.write_bytes(data)
    assert main(["see", "--deck", "suds", str(path)]) == 2
    told = capsys.readouterr().err
    assert found in told and "picture.jpg" in told
    assert len(told.strip().splitlines()) == 1


def test_a_picture_is_rotated_as_its_exif_tag_says(tmp_path, capsys):
    picture = np.full((60, 90, 3), 128, np.uint8)
    _, data = cv2.imencode(".jpg", picture)
    tag = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"
    segment = b"\xff\xe1" + struct.pack(">H", len(tag) + 2) + tag
    raw = data.tobytes()
    path = tmp_path / "turned.jpg"
    path.write_bytes(raw[:2] + segment + raw[2:])
    assert main(["see", "--deck", "suds", str(path)]) == 0
    assert '"width": 60, "height": 90' in capsys.readouterr().out
