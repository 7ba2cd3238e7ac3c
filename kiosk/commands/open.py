"""`fairdeal open FILE`: judges a recording or a report again, on the page or as lines."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from calibration.arguments import port, threads

if TYPE_CHECKING:
    from kiosk.assembly import Company
    from kiosk.field.replay import Replay


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Adds `open FILE`."""
    parser = subparsers.add_parser("open", help="judge a recording or a .fairdeal file again")
    add = parser.add_argument
    add("file", type=Path, metavar="FILE", help="a .fairdeal file, or a recording's folder")
    add("--headless", action="store_true", help="calls as JSON Lines, as fast as it goes")
    add("--as-recorded", action="store_true", help="print events and calls as they were, and judge "
        "nothing")  # fmt: skip
    add("--deck", type=Path, metavar="DIR", help="judge with this deck instead of the recorded one")
    add("--port", type=port, default=8080, metavar="P", help="of the page")
    add("--threads", type=threads, default=2, metavar="T", help="of the networks (default 2)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Returns 0; FairdealError for a file that cannot be opened."""
    from kiosk.assembly import Company
    from kiosk.field.opening import opened_recording
    from kiosk.field.recording import read_recording
    from kiosk.field.replay import replay_of

    with ExitStack() as stack:
        folder = stack.enter_context(opened_recording(args.file))
        recording = read_recording(folder)
        if args.as_recorded:
            _print_lines(recording.lines)
            return 0
        replay = stack.enter_context(replay_of(recording, args.threads, _say))
        if args.deck is not None:
            replay = replay.with_deck(args.deck)
        _judge(args, replay, Company(say=_say), stack)
    return 0


def _judge(args: argparse.Namespace, replay: Replay, company: Company, stack: ExitStack) -> None:
    from kiosk.assembly import run_game
    from kiosk.terminal.lines import JsonCalls
    from kiosk.terminal.watching import run_shown
    from vision.recognition.eyes import Eyes
    from vision.sources.paced import Unhurried

    settings = replay.request.settings
    eyes = Eyes.open(replay.request.deck, args.threads, settings.vision.score, settings.engines)
    source = replay.source(company.inbox)
    if args.headless:
        calls = JsonCalls(lambda line: print(line, flush=True), company.inbox)
        run_game(replay.request, source, eyes, replace(company, observers=(calls,)))
        if calls.gone is not None:
            raise calls.gone
        return
    paged = stack.enter_context(_paged(args.port, str(replay.request.deck.folder), company))
    with Unhurried(source) as played:
        print(run_shown(replay.request, played, eyes, paged))
    if not company.inbox.is_stopped and sys.stdin.isatty():
        _stay()


def _paged(port_number: int, deck: str, company: Company):  # type: ignore[no-untyped-def]
    from contextlib import contextmanager

    from host.scratch import scratch_folder
    from kiosk.web.page import PagePlace, served_page

    @contextmanager
    def served():  # type: ignore[no-untyped-def]
        # A folder of its own: the evidence of this table's real games stays.
        with scratch_folder() as made:
            place = PagePlace("127.0.0.1", port_number, made)
            with served_page(place, deck, company.inbox, company.say) as link:
                yield replace(company, observers=(link,))

    return served()


def _stay() -> None:
    import signal
    from contextlib import suppress

    print("The page stays until Ctrl-C.", flush=True)
    with suppress(KeyboardInterrupt):
        signal.pause()


def _print_lines(lines: tuple[dict, ...]) -> None:
    import json

    for line in lines:
        print(json.dumps(line), flush=True)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
