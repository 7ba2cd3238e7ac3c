"""What a picture from a phone must be, judged by its headers; nothing is decoded here."""

from __future__ import annotations

from rules.errors import FairdealError

LEAST_SIDE, MOST_SIDE = 240, 1920  # px
MOST_SEGMENTS = 64
START, END = b"\xff\xd8", b"\xff\xd9"
BASELINE, SCAN = (0xC0, 0xC1), 0xDA
OTHER_FRAMES = (*range(0xC2, 0xC4), *range(0xC5, 0xC8), *range(0xC9, 0xCC), *range(0xCD, 0xD0))


def jpeg_size(data: bytes) -> tuple[int, int]:
    """Width and height (px) of a baseline JPEG of one scan, as browsers write it.

    Other kinds are refused, for a small file of many scans takes a decoder minutes. Raises
    FairdealError.
    """
    if not (data.startswith(START) and data.endswith(END)):
        raise _refused("something else")
    at, size, parts = len(START), None, 0
    for _ in range(MOST_SEGMENTS):
        marker, at, end = _segment(data, at)
        if marker in OTHER_FRAMES:
            raise _refused("one of another kind")
        if marker in BASELINE:
            if size is not None:
                raise _refused("two in one")
            size, parts = _frame(data[at:end])
        if marker == SCAN:
            if size is None or at >= end or data[at] != parts:
                raise _refused("one of several scans")
            return size
        at = end
    raise _refused(f"one of more than {MOST_SEGMENTS} segments")


def _segment(data: bytes, at: int) -> tuple[int, int, int]:
    """The marker of the segment at `at`, where its content begins, where it ends."""
    while data[at : at + 2] == b"\xff\xff":  # fill bytes
        at += 1
    head = data[at : at + 4]
    length = int.from_bytes(head[2:], "big") if len(head) == 4 and head[0] == 0xFF else 0
    end = at + 2 + length
    if length < 2 or end > len(data):
        raise _refused("a damaged one")
    return head[1], at + 4, end


def _frame(content: bytes) -> tuple[tuple[int, int], int]:
    """Width and height, and the number of colours, of a frame header."""
    if len(content) < 6 or content[0] != 8 or content[5] not in (1, 3):
        raise _refused("one of other pixels")
    height, width = int.from_bytes(content[1:3], "big"), int.from_bytes(content[3:5], "big")
    if not all(LEAST_SIDE <= side <= MOST_SIDE for side in (width, height)):
        raise FairdealError(f"a picture of {LEAST_SIDE} to {MOST_SIDE} px", f"{width}x{height}")
    return (width, height), content[5]


def _refused(found: str) -> FairdealError:
    return FairdealError("a picture as a JPEG of one scan", found)
