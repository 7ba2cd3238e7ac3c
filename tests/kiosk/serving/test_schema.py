"""Messages by a schema: whatever JSON holds, a value of the schema comes out, or one line."""

import json
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.serving.schema import Message, Number, Part, Seat, Word, checked, read, read_file
from rules.errors import FairdealError


class Sit(Message, tag_field="act", tag="sit"):
    seat: Seat
    name: Word | None = None
    at: tuple[Part, Part] | None = None
    side: Literal["left", "right"] | None = None


class Count(Message, tag_field="act", tag="count"):
    n: Number
    share: Part = 0.5


Act = Sit | Count
DIGITS = "9" * 5000


def test_a_right_message_is_a_frozen_value():
    assert read(Act, b'{"act": "sit", "seat": 2, "at": [0, 0.5]}') == Sit(seat=2, at=(0.0, 0.5))
    assert checked(Act, {"act": "count", "n": 7}) == Count(n=7)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{"act": "sit", "seat": 0}', "expected seat as a whole number at least 1, found another"),
        ('{"act": "sit", "seat": true}', "expected seat as a whole number, found true or false"),
        ('{"act": "sit", "seat": "1"}', "expected seat as a whole number, found text"),
        ('{"act": "sit"}', "expected the key seat, found none"),
        ('{"act": "sit", "seat": 1, "x": 1}', "expected only known keys, found 'x'"),
        ('{"act": "sit", "seat": 1, "at": [true, 0]}', "expected at[0] as a number"),
        ('{"act": "sit", "seat": 1, "at": [0]}', "expected at as a list of length 2"),
        ('{"act": "sit", "seat": 1, "side": "up"}', "expected side as a word known there, found"),
        ('{"act": "stand"}', "expected act as a word known there, found 'stand'"),
        ('{"act": "count", "n": 1, "share": 1e309}', "expected share within its bounds"),
        ('{"act": "count", "n": 1, "share": ' + DIGITS + "}", "expected share within its bounds"),
        ('{"act": "count", "n": ' + DIGITS + "}", "expected n within its bounds"),
        ('{"act": "count", "n": 1, "share": NaN}', "expected JSON in UTF-8"),
        ('{"act": "sit", "seat": 1, "name": "\\ud800"}', "expected JSON in UTF-8"),
        ('{"act": "sit", "seat": 1, "\\ud800": 1}', "expected JSON in UTF-8"),
        ("[" * 100_000, "expected an object, found a list"),
        ('{"act": "sit", "x": ' + "[" * 100_000, "expected"),
        ("", "expected JSON in UTF-8, found 0 bytes"),
    ],
)  # fmt: skip
def test_what_does_not_keep_to_the_schema_is_one_line(text, line):
    with pytest.raises(FairdealError) as refused:
        read(Act, text.encode())
    assert str(refused.value).startswith(line) and len(str(refused.value)) < 200


def test_a_strange_key_is_repeated_short_and_printable():
    with pytest.raises(FairdealError) as refused:
        read(Act, json.dumps({"act": "count", "n": 1, "\x1b[2J\n" * 999: 1}).encode())
    assert len(str(refused.value)) < 120 and str(refused.value).isprintable()


@pytest.mark.parametrize("value", [{"act": "sit", "seat": 1, "name": "\ud800"}, {1: {2}}, 10**400])
def test_a_value_that_json_cannot_hold_is_one_line(value):
    with pytest.raises(FairdealError):
        checked(Act, value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)
NEAR = st.fixed_dictionaries({}, optional={
    "act": st.sampled_from(["sit", "count"]) | JSON, "seat": st.integers(0, 3) | JSON,
    "name": JSON, "at": st.lists(st.floats(0, 1), max_size=3) | JSON, "n": JSON, "share": JSON,
})  # fmt: skip


@settings(max_examples=300)
@given(JSON | NEAR | st.binary())
def test_whatever_comes_is_within_bounds_or_refused(value):
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    try:
        found = read(Act, data)
    except FairdealError as error:
        assert "\n" not in str(error)
        return
    if isinstance(found, Sit):
        assert 1 <= found.seat <= 99 and (found.name or "").encode("utf-8") is not None
    else:
        assert 0 <= found.n < 10**9 and 0.0 <= found.share <= 1.0


def test_a_file_is_read_by_a_schema_too(tmp_path):
    path = tmp_path / "last.json"
    for text in ("[" * 5000, "x" * (1 << 21), '{"act": "count", "n": -1}'):
        path.write_text(text)
        with pytest.raises(FairdealError):
            read_file(Act, path, "an act")
    with pytest.raises(FairdealError):
        read_file(Act, tmp_path / "none.json", "an act")
    path.write_text('{"act": "count", "n": 1}')
    assert read_file(Act, path, "an act") == Count(n=1)
