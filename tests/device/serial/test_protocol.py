"""The lines: what is written reads back, what is damaged is refused."""

import random
import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from device.rendering import Lights
from device.serial.protocol import (
    LONGEST,
    Decoder,
    Line,
    crc,
    decode,
    encode,
    lights_of,
    next_number,
    show_args,
)

DOCUMENT = Path(__file__).parents[3] / "docs/serial-protocol.md"
level = st.integers(0, 255).map(lambda byte: round(byte / 255, 3))
lights = st.builds(
    Lights,
    st.tuples(*[level] * 4),
    st.tuples(*[level] * 6),
    st.tuples(*[level] * 3),
    st.integers(1, 20_000),
    st.integers(1, 9_999).map(lambda ms: ms / 1000),
)
word = st.text("0123456789ABCDEFabcxyz-", min_size=1, max_size=12)
line = st.builds(
    Line, st.integers(0, 255), st.sampled_from("HSPABWNK"), st.lists(word, max_size=3).map(tuple)
)


def test_the_crc_is_the_one_of_the_book():
    assert crc(b"123456789") == 0x29B1  # the check value of CRC-16/CCITT-FALSE


def test_the_lines_in_the_document_are_what_the_code_speaks():
    text = DOCUMENT.read_text(encoding="utf-8")
    example = re.search(r"(\$07P\*[0-9A-F]{4})\\n", text)
    assert example is not None
    assert encode(Line(7, "P")) == example[1].encode() + b"\n"
    kinds = set(re.findall(r"^\| `\$\d\d([A-Z])", text, re.MULTILINE))
    assert kinds == set("HSPABWNK")


@given(line)
def test_a_line_reads_back(made):
    raw = encode(made)
    assert raw[:1] == b"$" and raw[-1:] == b"\n" and len(raw) <= LONGEST + 2
    assert decode(raw[1:-1]) == made
    assert Decoder().feed(raw) == [made]


@given(lights)
def test_lights_read_back(made):
    assert lights_of(show_args(made)) == made


def test_silence_has_no_length():
    assert show_args(Lights(tone_hz=0, tone_s=3.0))[3:] == ("0", "0")


@given(line, st.data())
def test_one_damaged_byte_is_never_taken_for_a_line(made, data):
    raw = bytearray(encode(made))
    at = data.draw(st.integers(0, len(raw) - 1))
    raw[at] ^= data.draw(st.integers(1, 255))
    # The next line comes whole: a damaged newline may cost it, but nothing false is ever heard.
    heard = [each for each in Decoder().feed(bytes(raw) + encode(made)) if each is not None]
    assert heard in ([], [made])


@given(st.lists(line, max_size=5), st.lists(st.integers(0, 200), max_size=10))
def test_portions_do_not_matter(lines, cuts):
    raw = b"".join(map(encode, lines))
    decoder, heard, last = Decoder(), [], 0
    for cut in [*sorted(cuts), len(raw)]:
        heard += decoder.feed(raw[last:cut])
        last = max(last, cut)
    assert heard == lines
    assert decoder.bad == 0


@given(st.binary(max_size=300), line)
def test_after_any_garbage_the_next_line_is_heard(garbage, made):
    assert Decoder().feed(garbage + encode(made))[-1] == made


def test_random_noise_is_hardly_ever_a_line():
    noise = random.Random(7).randbytes(200_000)
    assert [each for each in Decoder().feed(noise) if each is not None] == []


def test_an_endless_line_takes_no_memory():
    decoder = Decoder()
    decoder.feed(b"$" + b"A" * 100_000)
    assert decoder.feed(b"\n") == [None] and decoder.bad == 1
    assert decoder.feed(encode(Line(1, "P"))) == [Line(1, "P")]


def test_numbers_go_round_without_zero():
    seen, number = [], 0
    for _ in range(256):
        number = next_number(number)
        seen.append(number)
    assert seen[:3] == [1, 2, 3] and seen[254:] == [255, 1] and 0 not in seen


def test_args_that_are_none_are_refused():
    good = show_args(Lights())
    for index, bad in [(0, "00"), (1, "0" * 11 + "G"), (2, "00000"), (3, "-1"), (4, "x")]:
        assert lights_of((*good[:index], bad, *good[index + 1 :])) is None
    assert lights_of(good[:4]) is None
