"""Scores the events of a filmed game: the truth file against the events that were recorded."""

import json
from collections.abc import Iterator
from typing import Any

from kiosk.game.news import EventJudged, FrameJudged, News
from lab.games.score import GameScore, Told, match_events
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
    """The events of a clip's truth file: `events_truth`, or the acts of Suds in `events`."""
    if "events_truth" in truth:
        kinds = {"placed": Placed, "removed": Removed}
        return [
            kinds[one["event"]](one["at"], one["card"], one["place"], one.get("seat"))
            for one in truth["events_truth"]
            if one["event"] in kinds
        ]
    return [event for act in truth["events"] for event in _of_act(act, truth["seats"])]


def _of_act(act: dict[str, Any], sides: list[int]) -> Iterator[Event]:
    """A toss, a card taken back, or a sweep of a pile. `sides`: of the picture, in seats' order."""
    at, place, seat = act["t_settled"], f"pile/{act['pile']}", sides.index(act["seat"]) + 1
    if act["action"] == "toss":
        yield Placed(at, act["face"], place, seat)
    elif act["action"] == "take-back":
        yield Removed(at, act["face"], place, seat)
    elif act["action"] == "sweep":
        yield from (Removed(at, card, place, seat) for card in act["cards"])


def score_events(truth: dict[str, Any], told: list[Told]) -> GameScore:
    """How many events were told rightly, by kind, face, place and time."""
    made = GameScore()
    match_events(made, happened(truth), (), told)
    return made
