"""What happened in a filmed game, and what the referee told of it."""

import json
from collections.abc import Iterator
from typing import Any

from kiosk.game.news import EventJudged, FrameJudged, News
from lab.games.score import GameScore, Told, match_events
from rules.event import Event, Placed, Removed


class ToldEvents:
    """Observer: keeps the events, dated by the frame that brought them and the work on it (s)."""

    name = "told events"

    def __init__(self) -> None:
        self.events: list[Told] = []
        self._fresh: list[Event] = []

    def hear(self, news: News) -> None:
        """An event counts as told when the work on its frame is done."""
        if isinstance(news, EventJudged) and isinstance(news.event, Placed | Removed):
            self._fresh.append(news.event)
        elif isinstance(news, FrameJudged):
            told = round(news.frame.at + news.work_s, 3)
            self.events += [json.loads(event.to_json()) | {"told": told} for event in self._fresh]
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
