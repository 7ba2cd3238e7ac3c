"""Work on several cards at once, on the threads that the eyes were given."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def in_parallel(
    work: Callable[[_Item], _Result], items: Sequence[_Item], threads: int
) -> list[_Result]:
    """The results of `work` on each of the items, in their order.

    OpenCV and the engines release Python's lock, so two threads take about half the time.
    """
    if threads == 1 or len(items) < 2:
        return [work(item) for item in items]
    with ThreadPoolExecutor(threads, "cards") as pool:
        return list(pool.map(work, items))
