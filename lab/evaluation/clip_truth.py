"""Scores the events of a filmed game: the truth file against the events that were recorded."""

import json
from typing import Any

from kiosk.game.news import EventJudged, FrameJudged, News
from lab.games.score import GameScore, Told, match_events
from lab.games.truth import events_in
from rules.table.event import Event, Placed, Removed


class Dated:
    """Observer: keeps events and calls, dated by their frame plus the work on it (s).

    `calls`: (time, kind); `events`: as JSON, with `told`.
    """

    name = "dated events and calls"

    def __init__(self) -> None:
        self.calls: list[tuple[float, str]] = []
        self.events: list[Told] = []
        self._fresh: list[EventJudged] = []

    def hear(self, news: News) -> None:
        """Events and calls count as told when the work on their frame is done."""
        if isinstance(news, EventJudged):
            self._fresh.append(news)
        elif isinstance(news, FrameJudged):
            at = news.frame.at + news.work_s
            for judged in self._fresh:
                self.calls += [(at, call.call) for call in judged.calls]
                if isinstance(judged.event, Placed | Removed):
                    told = json.loads(judged.event.to_json()) | {"told": round(at, 3)}
                    self.events.append(told)
            self._fresh.clear()


def happened(truth: dict[str, Any]) -> list[Event]:
    """The cards placed and removed in a clip's truth file."""
    return [event for event in events_in(truth) if isinstance(event, Placed | Removed)]


def score_events(truth: dict[str, Any], told: list[Told]) -> GameScore:
    """How many events were told rightly, by kind, face, place and time."""
    made = GameScore()
    match_events(made, happened(truth), (), told)
    return made
