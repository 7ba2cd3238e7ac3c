"""A phone's clock is mapped to the machine's, however late its messages come."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.web.phone.clock import KNOWN_S, OLDEST_S, STOPPED, PhoneClock

OFFSET = 5000.0  # the machine's clock less the phone's
LEAST_WAY = 0.004


def heard(clock, sent, way):
    """A message that takes `way` s; when it arrived."""
    clock.heard(sent, sent + OFFSET + way)
    return sent + OFFSET + way


@given(st.lists(st.floats(LEAST_WAY, 1.5), min_size=5, max_size=200))
def test_times_are_right_to_the_shortest_way_however_late_pictures_come(ways):
    clock = PhoneClock()
    for k in range(5):
        heard(clock, 0.01 * k, LEAST_WAY)
    mapped = []
    for k, way in enumerate(ways[: int(KNOWN_S / 0.1) - 5]):
        taken = 1.0 + 0.1 * k
        now = heard(clock, taken + 0.01, way)
        mapped.append(clock.here(taken, now) - OFFSET - taken)
    assert all(-1e-9 <= off <= LEAST_WAY + 1e-9 for off in mapped)


def test_a_clock_that_drifts_is_followed():
    clock, drift = PhoneClock(), 1e-4
    for k in range(6000):
        sent = 0.1 * k
        clock.heard(sent, sent * (1 + drift) + OFFSET + LEAST_WAY)
    now = 600.0 * (1 + drift) + OFFSET
    assert clock.here(600.0, now) == pytest.approx(now, abs=drift * KNOWN_S + LEAST_WAY)


def test_a_clock_that_stood_still_is_known_anew_after_some_messages():
    clock = PhoneClock()
    for k in range(20):
        heard(clock, 0.1 * k, LEAST_WAY)
    for k in range(STOPPED):  # it slept for 3 s
        now = heard(clock, 2.0 + 0.1 * k, 3.0 + LEAST_WAY)
    assert clock.here(3.4, now) == pytest.approx(3.4 + OFFSET + 3.0, abs=2 * LEAST_WAY)


@given(st.floats(0, 1e9), st.floats(0, 1e9))
def test_no_picture_comes_from_the_future_or_from_long_ago(sent, at):
    clock = PhoneClock()
    clock.heard(sent, 100.0)
    assert 100.0 - OLDEST_S <= clock.here(at, 100.0) <= 100.0
