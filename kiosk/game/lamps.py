"""Lamps and buzzer as an observer: news of the game in, light and sound out."""

from __future__ import annotations

from device.performer import Performer
from kiosk.game.news import EventJudged, GameBegan, GameRejudged, LostBy, News, ViewFound, ViewLost
from kiosk.game.sounds import Sounds


class Lamps:
    """Plays calls and keeps the lamps of turn, open mistakes and lost view."""

    name = "lamps"

    def __init__(self, performer: Performer, sounds: Sounds | None = None) -> None:
        self._performer, self._sounds = performer, sounds or Sounds()

    def hear(self, news: News) -> None:
        """Never waits: the performer has a thread for each output."""
        is_muted = self._performer.settings.muted or self._sounds.is_muted
        if is_muted != self._performer.rest.muted:
            self._performer.mute(is_muted)
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
