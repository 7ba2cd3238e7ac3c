"""Messages between the referee and the page's server."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.web.wire import MAX_BLOB_BYTES, Decoder, Message, WireError, encode

BODIES = st.dictionaries(
    st.text(max_size=8).filter(lambda key: key != "kind"), st.integers() | st.text(max_size=20)
)


@given(st.lists(st.tuples(BODIES, st.binary(max_size=50)), max_size=5), st.integers(1, 40))
def test_messages_survive_any_portions(parts, portion):
    messages = [Message("state", body, blob) for body, blob in parts]
    data = b"".join(map(encode, messages))
    decoder, found = Decoder(), []
    for start in range(0, len(data), portion):
        found += decoder.feed(data[start : start + portion])
    assert found == messages


@pytest.mark.parametrize(
    "data",
    [
        b"\xff\xff\xff\xff\x00\x00\x00\x00",
        b"\x00\x00\x00\x02\x00\x00\x00\x00[]",
        b"\x00\x00\x00\x02\x00\x00\x00\x00{}",
        b"\x00\x00\x00\x01\x00\x00\x00\x00\xff",
    ],
)
def test_what_is_no_message_is_refused(data):
    with pytest.raises(WireError):
        Decoder().feed(data)


def test_a_picture_over_the_bound_is_not_sent():
    with pytest.raises(WireError):
        encode(Message("picture", {}, bytes(MAX_BLOB_BYTES + 1)))
