"""The broker is killed, or hangs, at random moments of games: is a call lost, late or doubled?"""

from __future__ import annotations

import multiprocessing
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from kiosk.club.broker import BrokerProcess
from kiosk.club.link import ClubLink
from kiosk.club.newclub import BOARD, NewClub, accounts_of, write_club_files
from kiosk.club.settings import read_club_file
from kiosk.game.inbox import Inbox
from kiosk.game.news import EventJudged, GameEnded, News, Summary
from kiosk.game.observers import Observer, Observers
from kiosk.game.session import GameSession
from kiosk.journal.writer import NoJournal
from kiosk.web.page import press_into
from lab.chaos.random_games import random_game
from lab.club.watched import CallKey, WatchedBoard
from lab.evaluation.report import machine
from lab.players.players import PLAYERS
from rules.contract.game import make_setup
from rules.games import game as game_named
from rules.judging.referee import begin

TABLES = 5  # that play at once
ACT_S = 0.1  # between two events
AWAY_S = (0.0, 2.0)  # the broker is away, or hangs, so long
BETWEEN_S = (0.1, 1.5)  # between two kills
HANGS = 0.25  # share of the trials in which it hangs instead
SETTLE_S = 150.0  # at the end, until all calls are there


@dataclass
class KillScore:
    """What came out. Times in s."""

    games: int = 0
    kills: int = 0
    hangs: int = 0
    made: set[CallKey] = field(default_factory=set)
    waits: list[float] = field(default_factory=list)
    idle_waits: list[float] = field(default_factory=list)
    lost: int = 0
    doubled: int = 0
    strange: int = 0
    duplicates: int = 0
    settled_s: float = 0.0
    seconds: float = 0.0


@dataclass
class TableScore:
    """What one table's process saw."""

    games: int = 0
    made: set[CallKey] = field(default_factory=set)
    waits: list[float] = field(default_factory=list)
    idle_waits: list[float] = field(default_factory=list)


class _Truth:
    """Hears the game beside the club: every call that the players were told."""

    name = "truth"

    def __init__(self, made: set[CallKey], table: str, session: str) -> None:
        self._made, self._key, self._n = made, (table, session), 0

    def hear(self, news: News) -> None:
        """As in Observer."""
        if isinstance(news, EventJudged):
            for _ in news.calls:
                self._n += 1
                self._made.add((*self._key, self._n))


class _Timed:
    """An observer, with how long each message held the game up. Without one: the machine alone."""

    name = "timed"

    def __init__(self, observer: Observer | None, waits: list[float]) -> None:
        self._observer, self._waits = observer, waits

    def hear(self, news: News) -> None:
        """As in Observer."""
        began = time.perf_counter()
        if self._observer is not None:
            self._observer.hear(news)
        self._waits.append(time.perf_counter() - began)


def kill_trials(games: int, seed: int, say: Callable[[str], None]) -> KillScore:
    """Plays `games` random games at several tables while the broker comes and goes."""
    score, rng = KillScore(), Random(seed)
    club = NewClub.make("trial", TABLES)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="fairdeal-trial-") as name:
        folder = Path(name)
        with BrokerProcess(folder, accounts_of(club)) as broker:
            write_club_files(folder, club, "127.0.0.1", broker.port)
            board_file = read_club_file(folder / f"{BOARD}.toml", is_table=False)
            with WatchedBoard(board_file, folder / "board", lambda _: None) as board:
                _play_all(folder, club, broker, games, rng, score)
                say(f"{score.games} games, {score.kills} kills, {score.hangs} hangs; settling")
                score.settled_s = _settle(folder, club, board, score)
                assert board.board is not None
                score.duplicates = board.board.room.duplicates
            kept = board.kept()
    score.lost, score.strange = len(score.made - kept), len(kept - score.made)
    score.doubled = len(board.twice)
    score.seconds = time.monotonic() - began
    return score


def _play_all(
    folder: Path, club: NewClub, broker: BrokerProcess, games: int, rng: Random, score: KillScore
) -> None:
    seeds = [rng.random() for _ in range(games)]
    context = multiprocessing.get_context("spawn")  # a table is a process of its own
    with ProcessPoolExecutor(TABLES, mp_context=context) as pool:
        played = [
            pool.submit(_play_table, folder, table, seeds[k::TABLES])
            for k, table in enumerate(club.tables)
        ]
        while not all(each.done() for each in played):
            time.sleep(rng.uniform(*BETWEEN_S))
            _fail(broker, rng, score)
        for each in played:
            found = each.result()
            score.games += found.games
            score.made |= found.made
            score.waits += found.waits
            score.idle_waits += found.idle_waits


def _fail(broker: BrokerProcess, rng: Random, score: KillScore) -> None:
    """The broker is gone, or hangs, for a while."""
    away_s = rng.uniform(*AWAY_S)
    if rng.random() < HANGS:
        score.hangs += 1
        broker.pause(True)
        time.sleep(away_s)
        broker.pause(False)
        return
    score.kills += 1
    broker.kill()
    time.sleep(away_s)
    broker.start()


def _play_table(folder: Path, table: str, seeds: list[float]) -> TableScore:
    """Games one after the other, as a referee plays them."""
    score, club = TableScore(), read_club_file(folder / f"{table}.toml", is_table=True)
    for seed in seeds:
        rng = Random(seed)
        game = game_named(rng.choice(sorted(PLAYERS)))
        played = random_game(game.name, rng)
        inbox = Inbox()
        with ClubLink(club, folder / table, press_into(inbox), lambda _: None) as link:
            truth = _Truth(score.made, table, link.session)
            timed, nobody = _Timed(link, score.waits), _Timed(None, score.idle_waits)
            observers = Observers((timed, nobody, truth), lambda _: None)
            setup = make_setup(game, played.players, played.options)
            session = GameSession(begin(game, setup), NoJournal(), observers, wait_s=None)
            session.begin(("bottom",) * played.players)
            for k, event in enumerate(played.events):
                session.happen(replace(event, at=k * ACT_S))
                time.sleep(ACT_S)
            session.close()
            session.tell(GameEnded(Summary(0, 0, len(played.events) * ACT_S, {}, None), True))
        score.games += 1
    return score


def _settle(folder: Path, club: NewClub, board: WatchedBoard, score: KillScore) -> float:
    """The next game begins at every table, and the board catches up. The time that took (s)."""
    began = time.monotonic()
    links = []
    for table in club.tables:
        file = read_club_file(folder / f"{table}.toml", is_table=True)
        links.append(ClubLink(file, folder / table, press_into(Inbox()), lambda _: None))
    for link in links:
        link.__enter__()
    try:
        while time.monotonic() - began < SETTLE_S and score.made - board.kept():
            time.sleep(0.5)
    finally:
        for link in links:
            link.__exit__()
    return time.monotonic() - began


def kills_section(games: int, seed: int, say: Callable[[str], None]) -> str:
    """The trial as a section of Markdown."""
    score = kill_trials(games, seed, say)
    rows = (
        ("games", score.games), ("calls", len(score.made)),
        ("broker killed (SIGKILL, nothing kept)", score.kills),
        ("broker hanging (SIGSTOP)", score.hangs),
        ("**calls lost**", score.lost), ("**calls doubled on the board**", score.doubled),
        ("calls on the board that no table made", score.strange),
        ("duplicates that the board recognised", score.duplicates),
        ("time for which the club held a message up: p50, p99, longest", _spread(score.waits)),
        ("the same of an observer that does nothing", _spread(score.idle_waits)),
        ("after the last game, until all calls were there", f"{score.settled_s:.0f} s"),
    )  # fmt: skip
    table = "\n".join(f"| {what} | {count} |" for what, count in rows)
    command = f"`fairdeal evaluate club-kills --club-games {games} --seed {seed}`"
    return f"{command}, {machine()}\n\n| what | count |\n|---|---|\n{table}\n"


def _spread(waits: list[float]) -> str:
    ordered = sorted(waits)
    chosen = (0.5, 0.99, 1.0)
    return ", ".join(f"{1e3 * ordered[int(p * (len(ordered) - 1))]:.3f} ms" for p in chosen)
