"""Simulated tables of a club: sample games judged for real, told to a real broker, no camera.

`python -m kiosk.club.simulated FOLDER` plays at every table whose club file lies in the folder,
until it is stopped.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import cv2
import numpy as np

from calibration import entry
from host.saying import to_stderr
from host.stopping import stopping
from kiosk.club.link import ClubLink
from kiosk.club.settings import ClubFile, read_club_file
from kiosk.game.inbox import Inbox
from kiosk.game.news import FrameJudged, GameEnded, Summary
from kiosk.game.observers import Observers
from kiosk.game.overruling import Overruling
from kiosk.game.session import GameSession
from kiosk.journal.writer import NoJournal
from kiosk.web.page import press_into
from models.deck import Deck, load_deck
from models.drawing.raster import face_picture
from rules.contract.game import Game, make_setup
from rules.contract.sample import read_sample
from rules.errors import FairdealError
from rules.games import game as game_named
from rules.judging import referee
from rules.table.cards import Table
from rules.table.event import Act, Placed
from vision.frame import Frame
from vision.scene.hand_blobs import Cover
from vision.scene.table import Table as SeenTable
from vision.scene.tracks import Track
from vision.scene.watcher import Observation

GAMES = ("suds", "sooty", "cat-in-the-hat", "soda")
SIDES = ("bottom", "top", "left", "right")
COVER = Cover(np.zeros((9, 16), bool), np.zeros((9, 16), np.uint8))


@dataclass(frozen=True, slots=True)
class Pace:
    """Times in s."""

    act_s: float = 2.0
    frame_s: float = 0.25
    rest_s: float = 8.0  # between two games


@dataclass(frozen=True, slots=True)
class Cloth:
    """A drawn table. Sizes in px."""

    width: int = 960
    height: int = 540
    card: int = 150
    colour: tuple[int, int, int] = (62, 92, 58)  # BGR
    pile_px: int = 9  # by which a card on another is set off
    shown: int = 6  # the topmost of a place


class SimulatedTable:
    """One table: game after game, each a session of its own, as a referee plays them."""

    def __init__(
        self, club: ClubFile, folder: Path, say: Callable[[str], None], pace: Pace | None = None
    ) -> None:
        self._club, self._folder, self._say = club, folder, say
        self._pace = pace or Pace()
        self.is_stopped = threading.Event()

    def run(self, first: int = 0) -> None:
        """Plays until it is stopped; `first`: which game comes first."""
        number = first
        while not self.is_stopped.is_set():
            self.play(game_named(GAMES[number % len(GAMES)]), seed=number)
            number += 1
            self.is_stopped.wait(self._pace.rest_s)

    def play(self, game: Game, seed: int) -> None:
        """One game from start to end, with an act in doubt."""
        inbox = Inbox()
        setup = make_setup(game, game.players[0])
        with ClubLink(self._club, self._folder, press_into(inbox), self._say) as link:
            observers = Observers((link,), self._say)
            session = GameSession(referee.begin(game, setup), NoJournal(), observers, wait_s=None)
            session.begin(SIDES[: setup.players])
            film = Film(link, session, inbox, load_deck(game.deck), self._pace)
            for act in doubtful(read_sample(game.sample), game, Random(seed)):
                if not film.roll(self._pace.act_s, self.is_stopped):
                    return
                session.happen(replace(act, at=film.at))
            film.roll(self._pace.act_s, self.is_stopped)
            session.close()
            session.tell(GameEnded(Summary(film.frames, 0, film.at, {}, None), True))


class Film:
    """Frames of the table as it lies; what people press and overrule is taken with each.

    `at`: the game's time now (s); it goes on with `clock` (s).
    """

    def __init__(
        self, link: ClubLink, session: GameSession, inbox: Inbox, deck: Deck, pace: Pace,
        at: float = 0.0, clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._clock = clock
        self._link, self._session, self._inbox, self._deck = link, session, inbox, deck
        self._pace, self._began = pace, clock() - at
        self._drawn: tuple[Table, np.ndarray, tuple[Track, ...]] | None = None
        self.frames = 0

    @property
    def at(self) -> float:
        """The game's time (s)."""
        return round(self._clock() - self._began, 3)

    def roll(self, seconds: float, is_stopped: threading.Event) -> bool:
        """Films for so long; False when it was stopped meanwhile."""
        until = self._clock() + seconds
        while self._clock() < until:
            for press in self._inbox.take():
                self._session.happen(replace(press, at=self.at))
            for overruling in self._inbox.take_overruled():
                self._overrule(overruling)
            self._session.release()
            self._show()
            if is_stopped.wait(self._pace.frame_s):
                return False
        return True

    def _overrule(self, overruling: Overruling) -> None:
        try:
            self._session.overrule(overruling)
        except FairdealError:
            return  # it does not fit the game as it is now

    def _show(self) -> None:
        table = dict(referee.seen_table(self._session.judged))
        if self._drawn is None or self._drawn[0] != table:
            self._drawn = (table, *drawn(table, self._deck))
        _, bgr, tracks = self._drawn
        self.frames += 1
        observation = Observation((), SeenTable(), tracks, COVER)
        self._link.hear(FrameJudged(Frame(bgr, self.at, self.frames), observation, self.at, 0.0))


def doubtful(acts: tuple[Act, ...], game: Game, rng: Random) -> list[Act]:
    """The acts, one of those that bring a mistake not seen well: a person is asked."""
    session = referee.begin(game, make_setup(game, game.players[0]))
    wrong = []
    for k, act in enumerate(acts):
        session, calls = referee.step(session, act)
        if isinstance(act, Placed) and any(call.call == "mistake" for call in calls):
            wrong.append(k)
    chosen = rng.choice(wrong) if wrong else -1
    return [
        replace(act, sure=0.9) if k == chosen and isinstance(act, Placed) else act
        for k, act in enumerate(acts)
    ]


def drawn(
    table: Table, deck: Deck, cloth: Cloth | None = None
) -> tuple[np.ndarray, tuple[Track, ...]]:
    """A picture of a table, (H, W, 3) uint8 BGR, and the cards in it; places side by side."""
    cloth = cloth or Cloth()
    bgr = np.full((cloth.height, cloth.width, 3), cloth.colour, np.uint8)
    places = [(place, faces) for place, faces in sorted(table.items()) if faces]
    columns = max(min(len(places), 5), 1)
    tracks: list[Track] = []
    for k, (place, faces) in enumerate(places):
        row, column = divmod(k, columns)
        left = 40 + column * (cloth.width - 60) // columns
        top = 50 + row * (cloth.card + 70)
        cv2.putText(bgr, place, (left, top - 10), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (235, 240, 235), 1,
                    cv2.LINE_AA)  # fmt: skip
        for step, face in enumerate(faces[-cloth.shown :]):
            x, y = left + step * cloth.pile_px, top + step * cloth.pile_px
            corners = _lay(bgr, deck, face, (x, y), cloth.card)
            if corners is not None:
                is_top = step == min(len(faces), cloth.shown) - 1
                state = "lying" if is_top else "covered"
                tracks.append(Track(len(tracks), corners, face, 0.99, state, place, None))
    bgr.setflags(write=False)
    return bgr, tuple(tracks)


def _lay(
    bgr: np.ndarray, deck: Deck, face: str, at: tuple[int, int], height: int
) -> tuple[tuple[float, float], ...] | None:
    """Draws a card; its corners, None where there is no room for it."""
    try:
        art = face_picture(deck, face if face in deck.names else "back", height)
    except FairdealError:
        return None
    (x, y), (rows, columns) = at, art.shape[:2]
    patch = bgr[y : y + rows, x : x + columns]
    if patch.shape[:2] != (rows, columns):
        return None
    alpha = art[..., 3:].astype(np.float32) / 255.0
    patch[:] = (art[..., :3] * alpha + patch * (1.0 - alpha)).astype(np.uint8)
    return ((x, y), (x + columns, y), (x + columns, y + rows), (x, y + rows))


def build_parser() -> entry.Parser:
    """The arguments of the process."""
    parser = entry.Parser(prog="python -m kiosk.club.simulated", description="Simulated tables.")
    parser.add_argument("folder", type=Path, help="club files table-*.toml; queues are kept there")
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Plays at all tables until SIGTERM or Ctrl-C."""
    tables = []
    for path in sorted(args.folder.glob("table-*.toml")):
        club = read_club_file(path, is_table=True)
        tables.append(SimulatedTable(club, args.folder / club.table, to_stderr))
    stopped = threading.Event()
    threads = [
        threading.Thread(target=table.run, args=(k,), name=f"table-{k}", daemon=True)
        for k, table in enumerate(tables)
    ]
    with stopping(lambda _: stopped.set()):
        for thread in threads:
            thread.start()
        stopped.wait()
    for table in tables:
        table.is_stopped.set()
    for thread in threads:
        thread.join(6.0)
    return 0


if __name__ == "__main__":
    sys.exit(entry.run("fairdeal club", build_parser, None))
