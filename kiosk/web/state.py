"""The state of a table as the page shows it: news of the game in, one JSON object out.

`PageState` is frozen; `after(state, news)` gives the next one. docs/api.md describes the JSON,
docs/api.schema.json is its schema.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any

from kiosk.game.health import Health
from kiosk.game.news import (
    EventJudged,
    FrameJudged,
    GameBegan,
    GameEnded,
    GameRejudged,
    HealthRead,
    News,
    ViewFound,
    ViewLost,
)
from kiosk.game.recording import RecordSwitch
from kiosk.game.sounds import Sounds
from kiosk.web.questions import open_questions, settled_after
from kiosk.web.shown_calls import CallShown, marked, rejudged, shown_call
from rules.contract.game import SHARED_RULES, PlaceView, View
from rules.contract.mistakes import Mistake
from rules.table.event import Event, Pressed
from rules.table.layout import Area, Side
from vision.scene.tracks import Track

VERSION = 1
CALLS_SHOWN = 40  # the newest; older ones are asked for by number
COORDINATE_DIGITS = 4
MUTED_STEP_S = 10
BRIEF_S = 3.0  # how long a lamp that marks a moment (complete, unsure) counts as lit


class Phase(StrEnum):
    """Where the table stands: no game, a game under way, or its end."""

    IDLE = "idle"
    PLAYING = "playing"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class CardShown:
    """A card as it is followed. `quad`: 4 (x, y) in parts of the picture, 0 to 1."""

    number: int
    face: str
    place: str | None
    quad: tuple[tuple[float, float], ...]
    state: str
    seat: int | None
    confidence: float


@dataclass(frozen=True, slots=True)
class GameShown:
    """What the game is, for the whole of its length."""

    name: str
    title: str
    players: int
    options: dict[str, str]
    sides: tuple[str, ...]
    buttons: tuple[str, ...]
    faces: tuple[str, ...]
    deck: str
    number: int | None = None
    areas: tuple[Area, ...] = ()  # the usual places, where the game's layout names any
    # The rule sheet's sentence of each rule; not part of the JSON of the game.
    sentences: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PageState:
    """Everything that the page shows at a moment. `at`: the game's time (s)."""

    phase: Phase = Phase.IDLE
    game: GameShown | None = None
    at: float = 0.0
    headline: str = ""
    turn: int | None = None
    lines: tuple[tuple[str, str], ...] = ()
    places: tuple[PlaceView, ...] = ()
    scores: tuple[tuple[int, str], ...] = ()
    is_started: bool = False
    cards: tuple[CardShown, ...] = ()
    picture: tuple[int, int] = (0, 0)
    calls: tuple[CallShown, ...] = ()
    calls_made: int = 0
    events: int = 0
    mistakes: tuple[Mistake, ...] = ()
    lost: str = ""
    work_ms: float = 0.0
    frames_per_s: float = 0.0
    brief: dict[str, float] = field(default_factory=dict)
    last_frame_at: float = 0.0
    settled: frozenset[int] = frozenset()  # calls whose question needs no answer any more
    health: Health | None = None

    def to_json(self) -> dict[str, Any]:
        """The JSON object of docs/api.md, without the sequence number."""
        return {
            "version": VERSION,
            "phase": self.phase.value,
            "game": None if self.game is None else _plain(asdict(self.game)),
            "at": round(self.at, 3),
            "headline": self.headline,
            "turn": self.turn,
            "is_started": self.is_started,
            "lines": [{"label": label, "text": text} for label, text in self.lines],
            "places": [{**asdict(each), "moved": None} for each in self.places],
            "scores": [{"seat": seat, "text": text} for seat, text in self.scores],
            "table": {
                "cards": [asdict(card) for card in self.cards],
                "width": self.picture[0],
                "height": self.picture[1],
            },
            "calls": [asdict(call) for call in self.calls],
            "calls_made": self.calls_made,
            "mistakes": [
                {"rule": m.rule, "place": m.place, "card": m.card, "seat": m.seat}
                for m in self.mistakes
            ],
            "lamps": self.lamps(),
            "lost": self.lost,
            "sounds": sounds_shown(Sounds(), False),
            "recording": RecordSwitch().shown(),
            "questions": [
                asdict(each) for each in open_questions(self.calls, self.settled, self.places)
            ],
            "health": self._health(),
        }

    def _health(self) -> dict[str, Any]:
        """Figures of the last frames; the parts and errors as the game last read them."""
        health = self.health
        latency = None if health is None else health.camera.latency_s
        return {
            "frames_per_s": round(self.frames_per_s, 1),
            "work_ms": round(self.work_ms, 1),
            "latency_ms": None if latency is None else round(1000 * latency, 1),
            "drops": 0 if health is None else health.camera.drops,
            "parts": [] if health is None else [asdict(each) for each in health.findings()],
            "errors": [] if health is None else [asdict(each) for each in health.errors],
        }

    def lamps(self) -> dict[str, bool]:
        """Which of the four lamps are lit, as on the real table."""
        return {
            "mistake": bool(self.mistakes),
            "complete": self._is_brief("complete"),
            "turn": self.turn is not None,
            "unsure": self._is_brief("unsure"),
        }

    @property
    def sentences(self) -> dict[str, str]:
        """The rule sheet's sentence of each rule of the game."""
        return {} if self.game is None else self.game.sentences

    def _is_brief(self, call: str) -> bool:
        return self.at - self.brief.get(call, -BRIEF_S) < BRIEF_S


def after(state: PageState, news: News) -> PageState:
    """The state once this news is known."""
    match news:
        case GameBegan():
            return _begun(news)
        case FrameJudged():
            return _with_frame(state, news)
        case EventJudged():
            return _with_event(state, news)
        case GameRejudged():
            return _rejudged(state, news)
        case ViewLost():
            return replace(state, lost=news.why, at=max(state.at, news.at))
        case HealthRead():
            return replace(state, health=news.health)
        case ViewFound():
            return replace(state, lost="", at=max(state.at, news.at))
        case GameEnded():
            return replace(state, phase=Phase.OVER if news.is_over else Phase.IDLE)
        case _:
            return state


def _begun(news: GameBegan) -> PageState:
    game, setup = news.game, news.setup
    faces = game.cards_of(setup.players) if game.cards_of else game.cards
    shown = GameShown(
        game.name, game.title, setup.players, dict(setup.options), tuple(map(str, news.sides)),
        tuple(sorted(game.buttons)), tuple(sorted(faces)), "", news.number,
        tuple(game.layout.areas([Side(side) for side in news.sides])),
        {rule.id: rule.sentence for rule in (*game.rules, *SHARED_RULES)},
    )  # fmt: skip
    state = PageState(phase=Phase.PLAYING, game=shown, at=news.at, mistakes=news.open_mistakes)
    return _with_view(state, news.view)


def _with_view(state: PageState, view: View) -> PageState:
    return replace(
        state, headline=view.headline, turn=view.turn, lines=view.lines, places=view.places,
        scores=view.scores,
    )  # fmt: skip


def _is_start(event: Event | None) -> bool:
    return isinstance(event, Pressed) and event.button == "start"


def _with_frame(state: PageState, news: FrameJudged) -> PageState:
    apart = news.at - state.last_frame_at
    rate = state.frames_per_s if apart <= 0 else 0.9 * state.frames_per_s + 0.1 / apart
    work = 0.9 * state.work_ms + 100.0 * news.work_s
    return replace(
        state, cards=shown_cards(news), picture=(news.frame.width, news.frame.height),
        at=news.at, work_ms=work,
        frames_per_s=rate, last_frame_at=news.at,
    )  # fmt: skip


def shown_cards(news: FrameJudged) -> tuple[CardShown, ...]:
    """The cards of a frame, as the page draws them."""
    width, height = news.frame.width, news.frame.height
    return tuple(_card(track, width, height) for track in news.observation.tracks)


def _card(track: Track, width: int, height: int) -> CardShown:
    quad = tuple(
        (round(x / width, COORDINATE_DIGITS), round(y / height, COORDINATE_DIGITS))
        for x, y in track.corners
    )
    return CardShown(
        track.number, track.face, track.place, quad, str(track.state), track.seat,
        round(track.confidence, 3),
    )  # fmt: skip


def _with_event(state: PageState, news: EventJudged) -> PageState:
    state = _with_view(state, news.view)
    event_of = news.event
    event = news.number or state.events + (news.event is not None)
    at = state.at if news.event is None else max(state.at, news.event.at)
    about = news.about or (event,) * len(news.calls)
    shown = [
        shown_call(call, state.calls_made + k, of, state.sentences)
        for k, (call, of) in enumerate(zip(news.calls, about, strict=True), 1)
    ]
    brief = {**state.brief, **{str(call.call): at for call in news.calls}}
    calls = (*state.calls, *shown)[-CALLS_SHOWN:]
    return replace(
        state, events=event, at=at, brief=brief, mistakes=news.open_mistakes,
        calls_made=state.calls_made + len(shown), calls=marked(calls, news.open_mistakes),
        is_started=state.is_started or _is_start(event_of),
        settled=settled_after(state.settled, state.calls, event_of),
    )  # fmt: skip


def _rejudged(state: PageState, news: GameRejudged) -> PageState:
    """Calls that no longer hold are withdrawn, new ones follow; numbers are never used again."""
    kept, fresh = rejudged(state.calls, news)
    made = state.calls_made
    new = [
        shown_call(call, made + k, event, state.sentences)
        for k, (event, call) in enumerate(fresh, 1)
    ]
    calls = (*kept, *new)[-CALLS_SHOWN:]
    return replace(
        _with_view(state, news.view), mistakes=news.open_mistakes, calls_made=made + len(new),
        calls=marked(calls, news.open_mistakes),
    )  # fmt: skip


def sounds_shown(sounds: Sounds, can_speak: bool) -> dict[str, Any]:
    """What people set of the table's sounds; `muted_s` in steps, for each change is sent."""
    muted_s = math.ceil(sounds.muted_s / MUTED_STEP_S) * MUTED_STEP_S
    return {"speak": sounds.language, "can_speak": can_speak, "muted_s": muted_s}


def _plain(game: dict[str, Any]) -> dict[str, Any]:
    return {
        key: list(value) if isinstance(value, tuple) else value
        for key, value in game.items()
        if key != "sentences"
    }
