"""A phone's picture is judged by its headers; whatever is no plain JPEG is refused in one line."""

import random
import struct

import cv2
import numpy as np
import pytest

from kiosk.web.phone.jpeg import MOST_SEGMENTS, jpeg_size
from rules.errors import FairdealError

PICTURE = np.random.default_rng(3).integers(0, 255, (360, 640, 3), np.uint8)
PLAIN = cv2.imencode(".jpg", PICTURE)[1].tobytes()
PROGRESSIVE = cv2.imencode(".jpg", PICTURE, (cv2.IMWRITE_JPEG_PROGRESSIVE, 1))[1].tobytes()
FRAME = PLAIN.index(b"\xff\xc0")
SCAN = PLAIN.index(b"\xff\xda")


def with_size(width, height):
    """The picture, whose header names another size."""
    return PLAIN[: FRAME + 5] + struct.pack(">HH", height, width) + PLAIN[FRAME + 9 :]


def test_the_size_of_a_plain_picture():
    assert jpeg_size(PLAIN) == (640, 360)
    grey = cv2.imencode(".jpg", PICTURE[..., 0])[1].tobytes()
    assert jpeg_size(grey) == (640, 360)
    fill = PLAIN[:FRAME] + b"\xff\xff" + PLAIN[FRAME:]
    assert jpeg_size(fill) == (640, 360)


@pytest.mark.parametrize(
    ("data", "found"),
    {
        "empty": (b"", "something else"),
        "png": (cv2.imencode(".png", PICTURE)[1].tobytes(), "something else"),
        "cut": (PLAIN[:-200], "something else"),
        "headers only": (PLAIN[:FRAME] + b"\xff\xd9", "a damaged one"),
        "progressive": (PROGRESSIVE, "one of another kind"),
        "giant": (with_size(65_000, 65_000), "65000x65000"),
        "tiny": (with_size(1, 1), "1x1"),
        "no size": (with_size(0, 0), "0x0"),
        "two frames": (PLAIN[:SCAN] + PLAIN[FRAME:SCAN] + PLAIN[SCAN:], "two in one"),
        "scan of one colour": (
            PLAIN[: SCAN + 4] + b"\x01" + PLAIN[SCAN + 5 :], "one of several scans"
        ),
        "no frame": (PLAIN[:FRAME] + PLAIN[SCAN:], "one of several scans"),
        "segments": (
            PLAIN[:2] + b"\xff\xfe\x00\x02" * MOST_SEGMENTS + PLAIN[2:],
            f"one of more than {MOST_SEGMENTS} segments",
        ),
    }.values(),
)  # fmt: skip
def test_what_is_no_plain_picture_is_refused(data, found):
    with pytest.raises(FairdealError) as error:
        jpeg_size(data)
    assert found in str(error.value) and "\n" not in str(error.value)


def test_no_damage_raises_anything_but_a_refusal():
    rng = random.Random(5)
    outcomes = set()
    for _ in range(3000):
        data = bytearray(PLAIN[: SCAN + 40] + b"\xff\xd9")
        for _ in range(rng.randint(1, 6)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        try:
            outcomes.add(jpeg_size(bytes(data[: rng.randint(0, len(data))] if rng.random() < 0.3
                                         else data)) == (640, 360))  # fmt: skip
        except FairdealError:
            outcomes.add(None)
    assert outcomes == {True, False, None}
