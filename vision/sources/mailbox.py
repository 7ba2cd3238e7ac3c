"""A one-slot mailbox between the camera's thread and the referee's: the newest wins."""

from __future__ import annotations

import threading
from typing import Generic, TypeVar

Item = TypeVar("Item")


class Closed:
    """Nothing more comes."""


class Mailbox(Generic[Item]):
    """Holds at most one item; putting another one drops the first and counts it."""

    def __init__(self) -> None:
        self._filled = threading.Condition()
        self._item: Item | None = None
        self._closed = False
        self._error: BaseException | None = None
        self._drops = 0

    @property
    def drops(self) -> int:
        """How many items were overtaken by a newer one before anybody took them."""
        with self._filled:
            return self._drops

    @property
    def is_closed(self) -> bool:
        """Whether the sender has said that nothing more comes."""
        with self._filled:
            return self._closed

    def put(self, item: Item) -> None:
        """Leave an item; whatever still lay there is dropped. Ignored once closed."""
        with self._filled:
            if self._closed:
                return
            if self._item is not None:
                self._drops += 1
            self._item = item
            self._filled.notify()

    def take(self, timeout_s: float | None = None) -> Item | None:
        """The item, as soon as there is one; None after `timeout_s` or when closed and empty."""
        with self._filled:
            self._filled.wait_for(lambda: self._item is not None or self._closed, timeout_s)
            item, self._item = self._item, None
            self._filled.notify()
            return item

    def receive(self, timeout_s: float) -> Item | Closed | None:
        """As `take`; Closed once nothing more comes, or the error with which it was closed."""
        with self._filled:
            item = self.take(timeout_s)
            if item is not None or not self._closed:
                return item
            if self._error is not None:
                raise self._error
            return Closed()

    def wait_until_empty(self) -> None:
        """Back once the last item was taken, or the mailbox is closed."""
        with self._filled:
            self._filled.wait_for(lambda: self._item is None or self._closed)

    def close(self, error: BaseException | None = None) -> None:
        """Say that nothing more comes, and why; an item that lies there can still be taken."""
        with self._filled:
            self._error = self._error or error
            self._closed = True
            self._filled.notify_all()
