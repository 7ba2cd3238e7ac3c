"""Work on several threads: the same results in the same order as on one."""

import threading

import pytest

from vision.recognition.in_parallel import in_parallel


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_results_keep_the_order_of_the_items(threads):
    assert in_parallel(lambda n: n * n, range(7), threads) == [n * n for n in range(7)]
    assert in_parallel(lambda n: n, [], threads) == []


def test_two_threads_work_at_once():
    both = threading.Barrier(2, timeout=20)  # breaks if the two never meet
    assert sorted(in_parallel(lambda _: both.wait(), "ab", 2)) == [0, 1]


def test_one_item_needs_no_thread():
    assert in_parallel(lambda _: threading.current_thread(), ["a"], 4) == [threading.main_thread()]


def test_an_error_is_not_lost():
    with pytest.raises(ZeroDivisionError):
        in_parallel(lambda n: 1 // n, [1, 0], 2)
