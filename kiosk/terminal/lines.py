"""Observers that write lines: calls as JSON Lines or as sentences, and losses of the view."""

from __future__ import annotations

from collections.abc import Callable

from kiosk.game.inbox import Inbox
from kiosk.game.news import EventJudged, News, ViewFound, ViewLost

Write = Callable[[str], None]


class LostLines:
    """A line when the table goes out of view, and one when it is back; none while that lasts."""

    name = "view"

    def __init__(self, say: Write) -> None:
        self._say, self._is_lost = say, False

    def hear(self, news: News) -> None:
        """Says the first reason of a loss, and its end."""
        if isinstance(news, ViewLost) and not self._is_lost:
            self._is_lost = True
            self._say(news.why)
        elif isinstance(news, ViewFound) and self._is_lost:
            self._is_lost = False
            self._say("the table is in view again")


class JsonCalls:
    """Each call as a line of JSON. A reader that has left ends the game; `gone` then says how."""

    name = "calls"

    def __init__(self, write: Write, inbox: Inbox) -> None:
        self._write, self._inbox = write, inbox
        self.gone: OSError | None = None

    def hear(self, news: News) -> None:
        """Writes the calls of an event."""
        if not isinstance(news, EventJudged) or self.gone is not None:
            return
        try:
            for call in news.calls:
                self._write(call.to_json())
        except OSError as error:  # a closed pipe, a full disk: the command says it at its end
            self.gone = error
            self._inbox.stop()


class PlainCalls:
    """Each call as a sentence with its time."""

    name = "calls"

    def __init__(self, write: Write) -> None:
        self._write = write

    def hear(self, news: News) -> None:
        """Writes the calls of an event."""
        if isinstance(news, EventJudged):
            for call in news.calls:
                self._write(f"{call.at:7.2f} s  {call.call:<9}  {call.message}")
