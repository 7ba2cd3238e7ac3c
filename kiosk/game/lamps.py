"""Lamps and buzzer as an observer: news of the game in, light and sound out."""

from __future__ import annotations

from device.performer import Performer
from kiosk.game.news import EventJudged, GameBegan, GameRejudged, LostBy, News, ViewFound, ViewLost


class Lamps:
    """Plays calls and keeps the lamps of turn, open mistakes and lost view."""

    name = "lamps"

    def __init__(self, performer: Performer) -> None:
        self._performer = performer

    def hear(self, news: News) -> None:
        """Never waits: the performer has a thread for each output."""
        match news:
            case GameBegan() | GameRejudged():
                self._performer.settle(len(news.open_mistakes))
                self._performer.turn(news.view.turn)
            case EventJudged():
                for call in news.calls:
                    self._performer.play(call)
                self._performer.settle(len(news.open_mistakes))
                self._performer.turn(news.view.turn)
            case ViewLost():
                # A hand over the lens happens in play and is shown without a tone.
                self._performer.lost(True, heard=news.by is not LostBy.PICTURE)
            case ViewFound():
                self._performer.lost(False)
