"""What a table tells its club: news of the game in, state and calls to publish out. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from kiosk.club.payloads import SentCall
from kiosk.game.news import EventJudged, GameBegan, GameEnded, GameRejudged, News
from kiosk.web.state import PageState, after
from rules.contract.game import View
from rules.table.event import Pressed, is_card_event

MOST_HEADLINE = 200  # characters
CERTAIN = 1.0


@dataclass(frozen=True, slots=True)
class Told:
    """A table as its club knows it. `sures`: of the newest calls, by number.

    `wins`: for each event that counted, newest last, the seats that it made win, and whether it
    ended in a tie: an undo takes the last one back.
    """

    page: PageState = field(default_factory=PageState)
    view: View | None = None
    phase: str = "idle"
    sures: tuple[tuple[int, float], ...] = ()
    wins: tuple[tuple[tuple[int, ...], bool], ...] = ()

    def calls_after(self, n: int, session: str, now: float) -> list[SentCall]:
        """The calls numbered above `n`, as they are sent."""
        sures = dict(self.sures)
        return [
            SentCall(
                session, call.n, call.event, call.at, call.call, call.rule, call.message,
                sures.get(call.n, CERTAIN), call.place, call.seat, call.card, call.expected, now,
            )
            for call in self.page.calls if call.n > n
        ]  # fmt: skip

    def result(self) -> dict[str, Any] | None:
        """Who won: the seats of the first event with a win. None while nobody did."""
        for seats, is_tie in self.wins:
            if seats or is_tie:
                return {"winners": list(seats), "tie": is_tie}
        return None

    def to_payload(self) -> dict[str, Any]:
        """The state without session, number and time (`docs/club.md`)."""
        page, view = self.page, self.view
        game = page.game
        return {
            "phase": self.phase,
            "game": None if game is None else {
                "name": game.name, "title": game.title, "players": game.players,
                "options": game.options, "number": game.number,
            },
            "at": round(page.at, 1),
            "turn": page.turn,
            "headline": page.headline[:MOST_HEADLINE],
            "lines": [{"label": label, "text": text} for label, text in page.lines],
            "places": [] if view is None else [
                {"place": p.place, "label": p.label, "text": p.text} for p in view.places
            ],
            "scores": [] if view is None else [
                {"seat": seat, "text": text} for seat, text in view.scores
            ],
            "mistakes": [
                {"rule": m.rule, "place": m.place, "card": m.card, "seat": m.seat}
                for m in page.mistakes
            ],
            "lost": page.lost,
            "calls": page.calls_made,
            "open": [call.n for call in page.calls if call.is_open],
            "withdrawn": [call.n for call in page.calls if call.is_withdrawn],
            "result": self.result(),
        }  # fmt: skip


def told_after(told: Told, news: News) -> Told:
    """What is told once this news is known. Frames are none of it."""
    made = told.page.calls_made
    page = after(told.page, news)
    match news:
        case GameBegan():
            return Told(page, news.view, "playing")
        case EventJudged():
            event = news.event
            sure = event.sure if event is not None and is_card_event(event) else CERTAIN
            fresh = tuple((call.n, sure) for call in page.calls if call.n > made)
            wins = _wins_after(told, news)
            kept = (*told.sures, *fresh)[-len(page.calls) :] if page.calls else ()
            return replace(told, page=page, view=news.view, sures=kept, wins=wins)
        case GameRejudged():
            wins = tuple(
                wins for calls in news.calls if any(_won(calls)) for wins in (_won(calls),)
            )
            return replace(told, page=page, view=news.view, wins=wins)
        case GameEnded():
            is_done = news.is_over or told.result() is not None
            return replace(told, page=page, phase="over" if is_done else "stopped")
        case _:
            return replace(told, page=page)


def _won(calls: tuple) -> tuple[tuple[int, ...], bool]:
    seats = tuple(call.seat for call in calls if call.call == "win" and call.seat is not None)
    return seats, any(call.call == "tie" for call in calls)


def _wins_after(told: Told, news: EventJudged) -> tuple[tuple[tuple[int, ...], bool], ...]:
    if isinstance(news.event, Pressed) and news.event.button == "undo":
        return told.wins[:-1]
    is_ignored = not news.calls and news.view == told.view
    return told.wins if is_ignored else (*told.wins, _won(news.calls))
