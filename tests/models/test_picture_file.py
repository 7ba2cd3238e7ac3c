"""Picture files: what is refused, before it is decoded; what is turned and reduced."""

import struct
import tracemalloc
import zlib

import cv2
import numpy as np
import pytest

from models.picture_file import LONGEST_SIDE, has_alpha, read_art, read_picture
from rules.errors import FairdealError

HALVES = np.zeros((60, 100, 3), np.uint8)
HALVES[:, :50] = (0, 0, 255)  # red on the left


def written(path, ending=".jpg"):
    path.write_bytes(cv2.imencode(ending, HALVES)[1].tobytes())
    return path


def refused(path):
    with pytest.raises(FairdealError) as told:
        read_picture(path)
    assert "\n" not in str(told.value) and str(path) in str(told.value)
    return str(told.value)


@pytest.mark.parametrize("ending", [".jpg", ".png"])
def test_reads_what_opencv_wrote(tmp_path, ending):
    bgr = read_picture(written(tmp_path / f"a{ending}", ending))
    assert bgr.shape == (60, 100, 3) and bgr[30, 20, 2] > 240 and bgr[30, 80].max() < 15


def test_alpha_is_kept_for_art_alone(tmp_path):
    path = tmp_path / "a.png"
    path.write_bytes(cv2.imencode(".png", np.dstack([HALVES, HALVES[..., 2]]))[1].tobytes())
    assert has_alpha(path) and read_picture(path).shape == (60, 100, 3)
    art = read_art(path)
    assert art.shape == (60, 100, 4) and art[30, 20, 3] == 255 and art[30, 80, 3] == 0
    plain = written(tmp_path / "b.png", ".png")
    assert not has_alpha(plain) and read_art(plain).shape == (60, 100, 3)
    assert not has_alpha(written(tmp_path / "c.jpg"))


def with_exif(jpeg, orientation):
    """The JPEG with an EXIF block that holds the orientation alone."""
    tiff = (
        b"MM\0*" + struct.pack(">IH", 8, 1) + struct.pack(">HHIHHI", 0x112, 3, 1, orientation, 0, 0)
    )
    block = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(block) + 2) + block + jpeg[2:]


def test_the_exif_tag_turns_the_picture(tmp_path):
    path = written(tmp_path / "a.jpg")
    path.write_bytes(with_exif(path.read_bytes(), 6))  # 90° clockwise: left comes to the top
    bgr = read_picture(path)
    assert bgr.shape == (100, 60, 3) and bgr[20, 30, 2] > 240 and bgr[80, 30].max() < 15


def test_a_large_jpeg_is_reduced_only_where_enough_is_left(tmp_path):
    path = tmp_path / "a.jpg"
    path.write_bytes(cv2.imencode(".jpg", np.full((1200, 4000, 3), 99, np.uint8))[1].tobytes())
    assert read_picture(path, 1600).shape == (600, 2000, 3)
    assert read_picture(path, 900).shape == (300, 1000, 3)
    assert read_picture(path).shape == (1200, 4000, 3)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "an empty file"),
        (b"no picture", "a file that is none"),
        (b"\0\0\0\x18ftypheic", "a HEIC or AVIF file"),
        (b"RIFF....WEBP", "a WebP file"),
        (b"\xff\xd8\xff\xe0", "a damaged JPEG file"),
        (b"%PDF-1.7", "a PDF file"),
    ],
)
def test_what_is_no_jpeg_or_png_is_named(tmp_path, data, said):
    path = tmp_path / "hat.jpg"
    path.write_bytes(data)
    assert said in refused(path)


def test_half_a_file_is_damaged(tmp_path):
    path = written(tmp_path / "a.png", ".png")
    path.write_bytes(path.read_bytes()[:60])
    assert "damaged" in refused(path)


def test_cmyk_is_named(tmp_path):
    from PIL import Image as image

    path = tmp_path / "a.jpg"
    image.new("CMYK", (90, 60)).save(path)
    assert "CMYK" in refused(path)


def png_of(width, height):
    body = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = struct.pack(">I", 13) + b"IHDR" + body + struct.pack(">I", zlib.crc32(b"IHDR" + body))
    return b"\x89PNG\r\n\x1a\n" + chunk + struct.pack(">I", 0) + b"IDAT" + struct.pack(">I", 0)


@pytest.mark.parametrize(
    "size", [(100_000, 100_000), (LONGEST_SIDE, LONGEST_SIDE), (4000, 2), (2, 4000), (0, 9)]
)
def test_a_header_is_refused_before_anything_is_allocated(tmp_path, size):
    path = tmp_path / "a.png"
    path.write_bytes(png_of(*size))
    tracemalloc.start()
    assert f"{size[0]}×{size[1]} px" in refused(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5 << 20


def test_a_file_that_is_none(tmp_path):
    assert "No such file" in refused(tmp_path / "none.jpg")
    assert "found a folder" in refused(tmp_path)
