"""Work on several threads: the same results in the same order as on one."""

import threading

import pytest
from patience import PATIENCE_S

from vision.recognition.in_parallel import ahead, in_parallel, in_waves


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_results_keep_the_order_of_the_items(threads):
    assert in_parallel(lambda n: n * n, range(7), threads) == [n * n for n in range(7)]
    assert in_parallel(lambda n: n, [], threads) == []


def test_two_threads_work_at_once():
    both = threading.Barrier(2, timeout=PATIENCE_S)  # breaks if the two never meet
    assert sorted(in_parallel(lambda _: both.wait(), "ab", 2)) == [0, 1]


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_work_ahead_comes_in_order_and_is_not_done_for_all_at_once(threads):
    begun = []

    def work(n):
        begun.append(n)
        return n * n

    for n, result in enumerate(ahead(work, range(9), threads)):
        assert result == n * n
        assert len(begun) <= n + 1 + threads
    assert sorted(begun) == list(range(9))


def test_two_threads_work_ahead_at_once_and_an_error_comes_at_its_item():
    both = threading.Barrier(2, timeout=PATIENCE_S)

    def work(n):
        if n < 2:
            both.wait()
        return 1 // (2 - n)

    seen = []
    with pytest.raises(ZeroDivisionError):
        seen.extend(ahead(work, [0, 1, 2, 3], 2))
    results = ahead(work, [0, 1, 2, 3], 2)
    assert [next(results), next(results)] == [0, 1]
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_one_item_needs_no_thread():
    assert in_parallel(lambda _: threading.current_thread(), ["a"], 4) == [threading.main_thread()]


def test_an_error_is_not_lost():
    with pytest.raises(ZeroDivisionError):
        in_parallel(lambda n: 1 // n, [1, 0], 2)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_waves_settle_as_one_thread_does(threads):
    """Each item sees what the items before it left; only odd ones leave something."""
    seen, left = [], []

    def look(n):
        return n, tuple(left)

    def settle(n, found):
        seen.append(found)
        if n % 2 == 0:
            return None
        left.append(n)
        return n

    in_waves(look, settle, lambda one, n: n == one + 1, range(6), threads)
    assert [n for n, _ in seen] == list(range(6))
    assert dict(seen)[2] == (1,)
    assert dict(seen)[4][-1] == 3


def test_work_within_work_starts_no_threads():
    def inner(_):
        return threading.current_thread()

    for started in in_parallel(lambda n: in_parallel(inner, [n, n], 2), range(2), 2):
        assert started[0] is started[1]
