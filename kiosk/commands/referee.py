"""`fairdeal referee GAME --source S …`: referees one game."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from calibration.arguments import number, threads

if TYPE_CHECKING:
    from calibration.settings import Settings
    from calibration.store import Calibration
    from kiosk.assembly import Company, GameRequest
    from kiosk.game.resuming import GameWords
    from vision.recognition.eyes import Eyes
    from vision.sources import Source


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Adds `referee` with its arguments, which are a contract."""
    parser = subparsers.add_parser("referee", help="referee one game from a camera or a recording")
    add = parser.add_argument
    add("game", metavar="GAME", help="suds, …")
    add("--source", required=True, metavar="S", help="picamera, a camera number, phone, a "
        "video file, a folder of pictures, a URL (rtsp, http), simulated[:script]")  # fmt: skip
    add("--deck", metavar="D", help="a shipped deck, or a deck folder (default: the game's own)")
    add("--incomplete", action="store_true", help="play though the deck lacks faces: their cards "
        "are unknown")  # fmt: skip
    add("--learn", action="store_true", help="after the game the deck keeps a few pictures of "
        "cards that were seen clearly (see `fairdeal calibrate deck --history`)")  # fmt: skip
    add("--players", type=int, metavar="N", help="default: the least the game takes")
    add("--option", action="append", default=[], metavar="K=V", help="an option of the game")
    add("--seats", metavar="SIDES", help="sides of the picture of seats 1..N, by commas "
        "(default: as calibrated, else bottom,left,top,right)")  # fmt: skip
    add("--headless", action="store_true", help="no view: calls as JSON Lines on standard output")
    add("--journal", metavar="FILE", help="SQLite, or text where it ends in .jsonl; none: nothing "
        "is kept (default: a live game in fairdeal's own folder, a recording nowhere)")  # fmt: skip
    add("--resume", nargs="?", const="last", metavar="N", help="go on with the game that was cut "
        "off, or with game N; auto: a new game where there is none")  # fmt: skip
    add("--signals", metavar="OUT", help="mock, gpio, board[:PORT], none; several by commas")
    add("--settings", type=Path, metavar="FILE", help="settings of lamps, pins, buttons and eyes")
    add("--live", action="store_true", help="play a recorded source in real time")
    add("--wait-start", action="store_true", help="a recorded game waits for a start button")
    add("--presses", type=Path, metavar="FILE", help="buttons of a recorded game: `pressed` events "
        "as JSON Lines, in the film's time; nothing else starts the game")  # fmt: skip
    add("--rate", type=number(0.1, 240), metavar="R",
        help="pictures a second of a folder or camera")  # fmt: skip
    add("--threads", type=threads, default=2, metavar="T", help="of the networks (default 2)")
    add("--store", type=Path, metavar="DIR", help="folder of the calibrations")
    add("--club", type=Path, metavar="FILE", help="this table's club file, mode 0600: the game is "
        "told to the club's broker")  # fmt: skip
    add("--record", type=Path, metavar="DIR", help="record the table there: film, game, deck, "
        "calibration; nothing leaves this machine (see `fairdeal report`)")  # fmt: skip
    # The page's server starts the referee with this; people use `fairdeal kiosk`.
    add("--page-link", type=Path, help=argparse.SUPPRESS)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """0 when the recording ends or the user stops; FairdealError for what the user can mend."""
    from calibration import saved_setup, store
    from calibration.settings import load_settings, settings_file
    from kiosk.game.camera_link import CameraHooks
    from kiosk.game.paths import journal_for
    from rules.errors import FairdealError
    from vision.recognition.eyes import Eyes
    from vision.sources import open_source

    if not args.source.strip():
        raise FairdealError("a source of pictures", "an empty name", "name it with --source")
    folder = args.store or store.default_folder()
    calibrations = saved_setup.stored(args.source, folder, _say)
    settings = load_settings(settings_file(args.settings))
    request = request_of(args, calibrations, settings)
    chosen = request.settings
    eyes = Eyes.open(request.deck, args.threads, chosen.vision.score, chosen.engines)
    with (
        _learning(args.learn, request) as attentive,
        open_source(args.source, live=args.live, rate=args.rate) as source,
    ):
        light = saved_setup.light_setter(args.source, calibrations, _say, source)
        light()
        if request.cut is None:
            kept = journal_for(args.journal, source.recorded, request.source)
            request = replace(request, journal=kept)
        is_started = not args.wait_start and args.presses is None
        request = replace(request, start=source.recorded and is_started)
        hooks = CameraHooks(saved_setup.view_checker(calibrations, folder, _say), light)
        company = replace(attentive, hooks=hooks)
        run_it = _headless if args.headless else _shown
        with (
            _linked(args.page_link, request, company) as paged,
            _in_club(args.club, paged) as linked,
            _recorded(args, request, source, calibrations, linked) as (filmed, attended),
        ):
            run_it(request, filmed, eyes, attended)
    return 0


def request_of(
    args: argparse.Namespace, calibrations: Sequence[Calibration], settings: Settings
) -> GameRequest:
    """What the words mean; a game that goes on has those of its journal."""
    from calibration import saved_setup
    from kiosk.assembly import read_request
    from kiosk.game.paths import journal_for, read_presses, source_name
    from kiosk.game.resuming import words_of
    from kiosk.journal.opening import find_cut, read_wish

    words, name = _words(args), source_name(args.source)
    is_new = args.resume is None
    journal = journal_for(args.journal, recorded=False, source=name, is_new=is_new)
    cut = find_cut(journal, read_wish(args.resume), words.head(name))
    if cut is not None:
        words = words_of(cut, words)
        _say(f"game {cut.number} goes on")
    players = words.player_count
    sides = None if words.seats else saved_setup.seats(calibrations, players)
    seats = ",".join(sides) if sides else words.seats
    # A game that goes on was begun with its deck.
    is_incomplete = args.incomplete or settings.machine.incomplete_decks or cut is not None
    options = dict(words.options or {})
    request = read_request(words.game, words.deck, players, options, seats, is_incomplete)
    if request.deck.missing:
        _say(f"cards of these faces are unknown: {', '.join(request.deck.missing)}")
    return replace(
        request, signals=args.signals, journal=journal, cut=cut, source=name,
        presses=read_presses(args.presses, request.game, players),
        threads=args.threads, settings=settings, tables=saved_setup.tables(calibrations),
    )  # fmt: skip


def _words(args: argparse.Namespace) -> GameWords:
    from kiosk.commands.replay import parse_options
    from kiosk.game.resuming import GameWords
    from rules.games import game

    game(args.game)  # an unknown game is said before all else
    return GameWords(
        args.game, args.players, parse_options(args.option) or None, args.deck, args.seats
    )


@contextmanager
def _learning(is_asked: bool, request: GameRequest) -> Iterator[Company]:
    """A company in which the deck learns from the game, if that is wanted. Raises FairdealError."""
    from kiosk.assembly import Company

    company = Company(say=_say)
    if not (is_asked or request.settings.machine.learn):
        yield company
        return
    from kiosk.game.lesson import learning

    with learning(request.deck, company.inbox, _say, is_asked=is_asked) as learners:
        yield replace(company, observers=learners)


@contextmanager
def _linked(path: Path | None, request: GameRequest, company: Company) -> Iterator[Company]:
    """The company, with the page's server at the socket `path` among the observers."""
    if path is None:
        yield company
        return
    from kiosk.web.page import linked_page

    with linked_page(path, str(request.deck.folder), company.inbox, company.say) as link:
        yield replace(company, observers=(*company.observers, link))


@contextmanager
def _in_club(path: Path | None, company: Company) -> Iterator[Company]:
    """The company, with the club's broker among the observers. Raises FairdealError."""
    if path is None:
        yield company
        return
    from kiosk.club.link import ClubLink
    from kiosk.club.places import table_folder
    from kiosk.club.settings import read_club_file
    from kiosk.web.page import press_into

    club = read_club_file(path, is_table=True)
    folder = table_folder(club.club, club.table)
    with ClubLink(club, folder, press_into(company.inbox), company.say) as link:
        yield replace(company, observers=(*company.observers, link))


@contextmanager
def _recorded(
    args: argparse.Namespace, request: GameRequest, source: Source,
    calibrations: Sequence[Calibration], company: Company,
) -> Iterator[tuple[Source, Company]]:  # fmt: skip
    """Source and company with a recorder; none where neither `--record` nor a page can ask."""
    if args.record is None and args.page_link is None:
        yield source, company
        return
    from kiosk.field.filmed import Filmed
    from kiosk.field.recorder import Recorder
    from kiosk.field.writing import Recordings
    from kiosk.game.paths import recordings_folder

    folder = args.record or recordings_folder()
    is_live = args.live or not source.recorded
    recordings = Recordings(folder, request, calibrations, is_live, request.start)
    settings = request.settings.recording
    with Recorder(recordings, company.inbox, settings, company.say) as recorder:
        company.inbox.recording.turn(on=args.record is not None)
        with_it = replace(company, observers=(*company.observers, recorder))
        yield Filmed(source, recorder), with_it


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _print(line: str) -> None:
    print(line, flush=True)


def _headless(request: GameRequest, source: Source, eyes: Eyes, company: Company) -> None:
    """Calls as JSON Lines. A reader that stops reading holds up a recording, never a live game."""
    from contextlib import ExitStack

    from kiosk.assembly import run_game
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
