"""`fairdeal club --demo`: broker, four simulated tables and board, and nothing left behind."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from host import children
from host.scratch import scratch_folder
from kiosk.club.board import tournament as contest
from kiosk.club.board.board import BoardSettings
from kiosk.club.board.server import BoardPlace, serve_board
from kiosk.club.board.store import Store
from kiosk.club.broker import BrokerProcess
from kiosk.club.newclub import NewClub, accounts_of, write_club_files
from kiosk.club.settings import read_club_file
from kiosk.version import version

CLUB, TABLES = "demo", 4
PLAYERS = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Grace", "Hugo")
STOP_S = 10.0


def run_demo(host: str, port: int, delay_s: float) -> None:
    """Serves until Ctrl-C. Raises FairdealError, e.g. without Mosquitto."""
    with scratch_folder() as folder:
        club = NewClub.make(CLUB, TABLES)
        with BrokerProcess(folder, accounts_of(club)) as broker:
            write_club_files(folder, club, "127.0.0.1", broker.port)
            board = read_club_file(folder / "board.toml", is_table=False)
            with _tables(folder):
                place = BoardPlace(host, port, folder / "board")
                _begin_tournament(place.folder, club.tables)
                settings = BoardSettings(board, delay_s, version())
                with contextlib.suppress(KeyboardInterrupt):
                    asyncio.run(serve_board(settings, place, lambda line: print(line, flush=True)))


def _begin_tournament(folder: Path, tables: tuple[str, ...]) -> None:
    """Eight players, so that the board has something to show."""
    folder.mkdir(mode=0o700)
    wish = contest.make(contest.Wish(
        name="Club night", kind=contest.Kind.ROUND_ROBIN, players=list(PLAYERS),
        tables=list(tables),
    ))  # fmt: skip
    store = Store(folder / "board.sqlite")
    store.keep("tournament", asdict(contest.next_round(wish, [])))
    store.close()


@contextmanager
def _tables(folder: Path) -> Iterator[None]:
    """The simulated tables as a child process."""
    child = children.start([sys.executable, "-m", "kiosk.club.simulated", str(folder)])
    try:
        yield
    finally:
        child.terminate()
        try:
            child.wait(STOP_S)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
