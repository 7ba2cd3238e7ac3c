"""The queue on the disk: in order, each once, bounded, kept after sending."""

import pytest

from kiosk.club.outbox import Outbox, OutboxLimits
from kiosk.club.payloads import SentCall, read

A, B = "a" * 16, "b" * 16


def call(session, n):
    return SentCall(
        session, n, n, float(n), "notice", "stuck", f"call {n}", 1.0, None, None, None, (), 5.0
    )


@pytest.fixture
def outbox(tmp_path):
    box = Outbox(tmp_path / "calls.sqlite", OutboxLimits(most=10))
    yield box
    box.close()


def test_calls_come_out_in_order_and_are_kept_over_a_restart(tmp_path):
    box = Outbox(tmp_path / "calls.sqlite")
    box.add([call(A, 1), call(A, 2)])
    box.close()
    box = Outbox(tmp_path / "calls.sqlite")
    box.add([call(B, 1)])
    letters = box.waiting(0, 10)
    assert [(each.session, each.n) for each in letters] == [(A, 1), (A, 2), (B, 1)]
    assert read(SentCall, letters[1].payload) == call(A, 2)
    box.confirm([letters[0].k])
    assert [each.n for each in box.waiting(0, 10)] == [2, 1]
    assert box.waiting(letters[1].k, 10) == letters[2:]
    box.close()


def test_the_same_call_is_kept_once(outbox):
    outbox.add([call(A, 1)])
    outbox.add([call(A, 1), call(A, 2)])
    assert [each.n for each in outbox.waiting(0, 10)] == [1, 2]


def test_confirmed_calls_can_be_asked_for_again(outbox):
    outbox.add([call(A, n) for n in range(1, 6)])
    outbox.confirm([each.k for each in outbox.waiting(0, 10)])
    assert [each.n for each in outbox.again(A, 2, 4, 10)] == [2, 3, 4]
    assert outbox.again(B, 1, 9, 10) == [] and outbox.sessions() == {A: 5}


def test_a_full_queue_drops_confirmed_calls_first_and_counts_the_others(outbox):
    outbox.add([call(A, n) for n in range(1, 9)])
    outbox.confirm([each.k for each in outbox.waiting(0, 4)])
    outbox.add([call(A, n) for n in range(9, 13)])
    assert [each.n for each in outbox.waiting(0, 20)] == [5, 6, 7, 8, 9, 10, 11, 12]
    assert outbox.lost == 0
    outbox.add([call(B, n) for n in range(1, 6)])
    assert outbox.lost == 3 and len(outbox.waiting(0, 20)) == 10


def test_only_its_owner_can_read_it(tmp_path, outbox):
    assert (tmp_path / "calls.sqlite").stat().st_mode & 0o777 == 0o600
