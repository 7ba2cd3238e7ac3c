"""The busiest table of each game, as the page is told of it: random play, judged and drawn."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any

import cv2
import numpy as np

from kiosk.game.news import FrameJudged, News
from kiosk.game.observers import Observers
from kiosk.game.session import GameSession
from kiosk.journal.writer import NoJournal
from kiosk.web.hub import Hub
from kiosk.web.pictures import jpeg
from kiosk.web.state import PageState, after
from lab.games.acts import random_game
from models.deck import load_deck
from models.drawing.raster import face_picture
from rules.contract.game import make_setup
from rules.games import game
from rules.judging import referee
from rules.table.event import Placed
from rules.table.layout import default_sides
from vision.frame import Frame, Image
from vision.scene.hand_blobs import Cover
from vision.scene.table import Corners, Table
from vision.scene.tracks import Track
from vision.scene.watcher import Observation

WIDTH, HEIGHT = 1280, 720
# Cards as long as the generated games have them at most, px.
CARD_PX = {"suds": 132, "sooty": 104, "cat-in-the-hat": 120, "soda": 104, "dirty-laundry": 92}
TABLE_BGR = (60, 90, 140)
SEED, EVENTS = 3, 90
# Each of 24 letters: without a space, with one, and as wide as letters are.
NAMES = (
    "Wilhelmina-Theodora Lang",
    "Bartholomäusvonhohenfels",
    "Maximilian Schwarzenberg",
    "MMMMMMMMMMMMMMMMMMMMMMMM",
    "Christopherson MacDonald",
    "Ottilie Wolkenstein-Rode",
)
# Piles of Suds lie where people begin them: here near each other.
PILES = ((0.2, 0.24), (0.44, 0.3), (0.68, 0.22), (0.3, 0.68), (0.54, 0.66), (0.78, 0.62))


@dataclass(frozen=True)
class BusyTable:
    """A moment of a game: the page's state as its server sends it, and the table's picture."""

    name: str
    state: dict[str, Any]
    picture: bytes
    cards: int


class _Listener:
    """Keeps the state of the page after each piece of news."""

    name = "page"

    def __init__(self) -> None:
        self.state = PageState()

    def hear(self, news: News) -> None:
        self.state = after(self.state, news)


@cache
def busy_table(name: str, players: int) -> BusyTable:
    """The moment of a random game at which cards lie at most places while a mistake is open."""
    played = random_game(name, Random(SEED), players, EVENTS)
    setup = make_setup(game(name), players, played.options)
    heard = _Listener()
    start = referee.begin(game(name), setup)
    session = GameSession(start, NoJournal(), Observers((heard,), print), wait_s=None)
    sides = default_sides(players)
    session.begin(tuple(map(str, sides)))
    best, moment = (-1, -1, -1), (heard.state, {})
    at = 0.0
    laid = [Placed(0.0, face, place, None) for face, place in played.lying]
    for event in (*laid, *(event for group in played.groups for event in group.events)):
        at = max(at, event.at)
        session.happen(replace(event, at=at))
        table = {
            place: faces for place, faces in referee.seen_table(session.judged).items() if faces
        }
        open_now = sum(call.is_open for call in heard.state.calls)
        worth = (min(open_now, 1), len(table), sum(map(len, table.values())))
        if worth > best:
            best, moment = worth, (heard.state, table)
    state, table = moment
    bgr, tracks = _drawn(name, table, sides)
    cover = Cover(np.zeros((9, 16), bool), np.zeros((9, 16), np.uint8))
    seen = Observation((), Table(), tracks, cover)
    shown = after(state, FrameJudged(Frame(bgr, state.at, 1), seen, state.at, 0.02))
    return BusyTable(name, _sent(shown, name, players), jpeg(bgr), len(tracks))


def _sent(state: PageState, name: str, players: int) -> dict[str, Any]:
    """The state as the server sends it: a game with names, recorded, followed by two pages."""
    hub = Hub()
    found = state.to_json()
    recording = {"is_there": True, "is_on": True, "drops": 12, "name": "2026-11-23-200115"}
    game_shown = {**found["game"], "deck": game(name).deck}
    hub.state = {**found, "game": game_shown, "recording": {**found["recording"], **recording}}
    hub.is_connected, hub.picture_number = True, 1
    names = list(NAMES[:players])
    hub.referee = {"is_running": True, "why": "", "pause_s": None, "tries": 0, "names": names}
    return hub.snapshot()


@dataclass(frozen=True)
class _Row:
    """Where the cards of a place lie: the first one's middle, the way to the next, degrees."""

    x: float
    y: float
    along: tuple[float, float]
    degrees: float


def _drawn(
    name: str, table: dict[str, tuple[str, ...]], sides: Any
) -> tuple[Image, tuple[Track, ...]]:
    """The table's picture and the cards in it."""
    areas = {area.place: area.polygon for area in game(name).layout.areas(sides)}
    piles = iter(PILES)
    bgr = np.full((HEIGHT, WIDTH, 3), TABLE_BGR, np.uint8)
    tracks: list[Track] = []
    deck, tall = load_deck(game(name).deck), CARD_PX[name]
    for place, faces in table.items():
        polygon = areas.get(place)
        if polygon is None:
            x, y = next(piles)
            row = _Row(x * WIDTH, y * HEIGHT, (9.0, 6.0), 0.0)
        else:
            row = _row(polygon, len(faces), tall)
        is_fan = math.hypot(*row.along) > 0.2 * tall
        for k, face in enumerate(faces):
            art = np.asarray(face_picture(deck, face, tall))
            middle = (row.x + k * row.along[0], row.y + k * row.along[1])
            corners = _lay(bgr, art, middle, row.degrees)
            state = "lying" if is_fan or k == len(faces) - 1 else "covered"
            tracks.append(Track(len(tracks) + 1, corners, face, 0.99, state, place, None))
    return bgr, tuple(tracks)


def _row(polygon: Any, count: int, tall: int) -> _Row:
    """A row in an area, from its player's left to the right."""
    corners = np.asarray(polygon) * (WIDTH, HEIGHT)
    way = corners[1] - corners[0]
    room = float(np.hypot(*way))
    wide = 0.72 * tall
    step = min(max(room - 1.3 * wide, 0.0) / max(count - 1, 1), 0.4 * wide)
    along = way / room * step
    middle = corners.mean(axis=0)
    half = tall / 2 + 4
    middle = np.clip(middle, half, (WIDTH - half, HEIGHT - half))
    first = middle - along * (count - 1) / 2
    degrees = math.degrees(math.atan2(way[1], way[0]))
    return _Row(float(first[0]), float(first[1]), (float(along[0]), float(along[1])), degrees)


def _lay(bgr: Image, art: Image, middle: tuple[float, float], degrees: float) -> Corners:
    """Draws a card onto the picture. Returns its corners."""
    tall, wide = art.shape[:2]
    turn = cv2.getRotationMatrix2D((wide / 2, tall / 2), -degrees, 1.0)
    turn[:, 2] += np.asarray(middle) - (wide / 2, tall / 2)
    ends = np.array([[0, 0], [wide, 0], [wide, tall], [0, tall]], np.float64)
    corners = ends @ turn[:, :2].T + turn[:, 2]
    left, top = np.floor(np.maximum(corners.min(axis=0), 0)).astype(int)
    right, low = np.ceil(np.minimum(corners.max(axis=0), (WIDTH, HEIGHT))).astype(int)
    turn[:, 2] -= (left, top)
    size = (int(right - left), int(low - top))
    laid = cv2.warpAffine(art, turn, size, flags=cv2.INTER_AREA).astype(np.float32)
    alpha, patch = laid[..., 3:] / 255, bgr[top:low, left:right]
    patch[:] = (laid[..., :3] * alpha + patch * (1 - alpha)).astype(np.uint8)
    return tuple((float(x), float(y)) for x, y in corners)  # type: ignore[return-value]
