"""`fairdeal referee GAME --source S …`: referees one game."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kiosk.game.assembly import Company, GameRequest
    from vision.recognition.eyes import Eyes
    from vision.sources import Source


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Adds `referee` with its arguments, which are a contract."""
    parser = subparsers.add_parser("referee", help="referee one game from a camera or a recording")
    add = parser.add_argument
    add("game", metavar="GAME", help="suds, …")
    add("--source", required=True, metavar="S", help="picamera, a camera number, a video file, "
        "a folder of pictures, a URL (rtsp, http), simulated[:script]")  # fmt: skip
    add("--deck", metavar="D", help="a shipped deck, or a deck folder (default: the game's own)")
    add("--players", type=int, metavar="N", help="default: the least the game takes")
    add("--option", action="append", default=[], metavar="K=V", help="an option of the game")
    add("--seats", metavar="SIDES", help="sides of the picture of seats 1..N, by commas "
        "(default: as calibrated, else bottom,left,top,right)")  # fmt: skip
    add("--headless", action="store_true", help="no view: calls as JSON Lines on standard output")
    add("--journal", metavar="FILE", help="SQLite, or text where it ends in .jsonl; none: nothing "
        "is kept (default: a live game in fairdeal's own folder, a recording nowhere)")  # fmt: skip
    add("--resume", action="store_true", help="go on with the game that was cut off")
    add("--signals", metavar="OUT", help="mock, gpio, board[:PORT], none; several by commas")
    add("--settings", type=Path, metavar="FILE", help="settings of lamps, pins, buttons and eyes")
    add("--live", action="store_true", help="play a recorded source in real time")
    add("--wait-start", action="store_true", help="a recorded game waits for a start button")
    add("--rate", type=float, metavar="R", help="pictures a second of a folder or camera")
    add("--threads", type=int, default=2, metavar="T", help="of the networks (default 2)")
    add("--store", type=Path, metavar="DIR", help="folder of the calibrations")
    # The page's server starts the referee with this; people use `fairdeal kiosk`.
    add("--page-link", type=Path, help=argparse.SUPPRESS)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """0 when the recording ends or the user stops; FairdealError for what the user can mend."""
    from calibration import saved_setup, store
    from kiosk.commands.replay import parse_options
    from kiosk.game.assembly import Company, read_request
    from kiosk.game.camera_link import CameraHooks
    from kiosk.game.paths import journal_for
    from kiosk.settings import load_settings
    from rules.errors import FairdealError
    from rules.games import game
    from vision.recognition.eyes import Eyes
    from vision.sources import open_source

    if not args.source.strip():
        raise FairdealError("a source of pictures", "an empty name", "name it with --source")
    settings = load_settings(args.settings)
    players = args.players if args.players is not None else game(args.game).players[0]
    folder = args.store or store.default_folder()
    calibrations = saved_setup.stored(args.source, folder, _say)
    sides = None if args.seats is not None else saved_setup.seats(calibrations, players)
    seats = ",".join(sides) if sides else args.seats
    request = read_request(args.game, args.deck, players, parse_options(args.option), seats)
    eyes = Eyes.open(request.deck, args.threads, score=settings.vision.score)
    with open_source(args.source, live=args.live, rate=args.rate) as source:
        light = saved_setup.light_setter(args.source, calibrations, _say, source)
        light()
        request = replace(
            request, signals=args.signals, journal=journal_for(args.journal, source.recorded),
            resume=args.resume, start=source.recorded and not args.wait_start,
            threads=args.threads, settings=settings,
        )  # fmt: skip
        hooks = CameraHooks(saved_setup.view_checker(calibrations, folder, _say), light)
        company = Company(hooks=hooks, say=_say)
        run_it = _headless if args.headless else _shown
        with _linked(args.page_link, request, company) as linked:
            run_it(request, source, eyes, linked)
    return 0


@contextmanager
def _linked(path: Path | None, request: GameRequest, company: Company) -> Iterator[Company]:
    """The company, with the page's server at the socket `path` among the observers."""
    if path is None:
        yield company
        return
    from kiosk.web.page import linked_page

    with linked_page(path, str(request.deck.folder), company.inbox, company.say) as link:
        yield replace(company, observers=(*company.observers, link))


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _print(line: str) -> None:
    print(line, flush=True)


def _headless(request: GameRequest, source: Source, eyes: Eyes, company: Company) -> None:
    """Calls as JSON Lines. A reader that stops reading holds up a recording, never a live game."""
    from contextlib import ExitStack

    from kiosk.game.assembly import run_game
    from kiosk.game.observers import Aside
    from kiosk.terminal.lines import JsonCalls, LostLines

    calls = JsonCalls(_print, company.inbox)
    with ExitStack() as stack:
        told = calls if source.recorded else stack.enter_context(Aside(calls, _say))
        observers = (told, LostLines(_say), *company.observers)
        run_game(request, source, eyes, replace(company, observers=observers))
    if calls.gone is not None:
        raise calls.gone


def _shown(request: GameRequest, source: Source, eyes: Eyes, company: Company) -> None:
    from kiosk.terminal.watching import run_shown

    print(run_shown(request, source, eyes, company))
