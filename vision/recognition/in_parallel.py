"""Work on several cards at once, on the threads that the eyes were given."""

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
_Kept = TypeVar("_Kept")
_here = threading.local()  # `is_worker`: whether this thread already works for `in_parallel`


def in_parallel(
    work: Callable[[_Item], _Result], items: Sequence[_Item], threads: int
) -> list[_Result]:
    """The results of `work` on each of the items, in their order.

    OpenCV and the engines release Python's lock, so two threads take about half the time. Work
    within such work is done one after the other: more threads than cores only wait.
    """
    if threads == 1 or len(items) < 2 or getattr(_here, "is_worker", False):
        return [work(item) for item in items]
    with ThreadPoolExecutor(threads, "cards", _be_worker) as pool:
        return list(pool.map(work, items))


def ahead(
    work: Callable[[_Item], _Result], items: Sequence[_Item], threads: int
) -> Iterator[_Result]:
    """The results of `work` on each of the items, in their order, as soon as they are there.

    So many `threads` work ahead of the reader, each on one item, as two items share nothing. What
    `work` raises comes up at its item; a single item has all threads to itself.
    """
    if threads == 1 or len(items) < 2:
        yield from map(work, items)
        return
    with ThreadPoolExecutor(threads, "pictures", _be_worker) as pool:
        waiting = deque(pool.submit(work, item) for item in items[:threads])
        for item in items[threads:]:
            result = waiting.popleft().result()
            waiting.append(pool.submit(work, item))
            yield result
        while waiting:
            yield waiting.popleft().result()


def in_waves(
    look: Callable[[_Item], _Result],
    settle: Callable[[_Item, _Result], _Kept | None],
    concerns: Callable[[_Kept, _Item], bool],
    items: Sequence[_Item],
    threads: int,
) -> None:
    """Looks at the items, `threads` at once, and settles each result in the items' order.

    What `settle` keeps and returns may change what `look` sees. An item which that `concerns` is
    looked at again if both were looked at together, so that the results are those of one thread.
    """
    for start in range(0, len(items), threads):
        wave = items[start : start + threads]
        kept: list[_Kept] = []
        for item, result in zip(wave, in_parallel(look, wave, threads), strict=True):
            is_stale = any(concerns(one, item) for one in kept)
            one = settle(item, look(item) if is_stale else result)
            if one is not None:
                kept.append(one)


def _be_worker() -> None:
    _here.is_worker = True
