"""`fairdeal demo [GAME]`: the whole pipeline on a simulated table, with nothing attached."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from calibration.arguments import port, threads

if TYPE_CHECKING:
    from kiosk.assembly import Company


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Adds `demo [GAME]`."""
    parser = subparsers.add_parser("demo", help="a simulated game, filmed, judged and signalled")
    parser.add_argument("game", nargs="?", default="suds", metavar="GAME", help="default: suds")
    parser.add_argument("--script", metavar="S", help="a script of the simulated table")
    parser.add_argument("--players", type=int, metavar="N", help="default: the script's")
    parser.add_argument("--signals", metavar="OUT", help="as for `referee` (default: mock pins)")
    parser.add_argument("--threads", type=threads, default=2, metavar="T", help="of the networks")
    parser.add_argument("--page", action="store_true", help="show the game on a web page too")
    parser.add_argument("--port", type=port, default=8080, metavar="P", help="of the page")
    parser.add_argument("--open", action="store_true",
        help="show it on a web page, and open that where there is a screen")  # fmt: skip
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Plays the script to its end in real time and says what was seen."""
    from kiosk.assembly import Company, read_request
    from kiosk.terminal.watching import run_shown
    from models.drawing.script import read_script
    from vision.recognition.eyes import Eyes
    from vision.sources import open_source

    name = args.script or args.game
    players = read_script(name).players
    request = read_request(args.game, None, players, {}, None)
    request = replace(request, signals=args.signals or "mock")
    eyes = Eyes.open(request.deck, args.threads)
    with ExitStack() as stack:
        company, address = Company(), ""
        if args.page or args.open:
            company, address = stack.enter_context(_paged(args.port, str(request.deck.folder)))
        if args.open:
            _open(address)
        source = stack.enter_context(open_source(f"simulated:{name}", live=True))
        print(run_shown(request, source, eyes, company))
        if not company.inbox.is_stopped and (args.page or (address and sys.stdin.isatty())):
            print(f"The page stays at {address} until Ctrl-C.", flush=True)
            _wait_for_ctrl_c()
    return 0


@contextmanager
def _paged(port: int, deck: str) -> Iterator[tuple[Company, str]]:
    """The company of a game that is shown on the page, and its address. Raises FairdealError."""
    from kiosk.assembly import Company
    from kiosk.web.page import PagePlace, page_folder, served_page

    company, said = Company(), [""]

    def say(line: str) -> None:
        if line.startswith("page: http"):
            said[0] = line.removeprefix("page: ")
        company.say(line)

    place = PagePlace("127.0.0.1", port, page_folder())
    with served_page(place, deck, company.inbox, say) as link:
        yield replace(company, observers=(link,)), said[0]


def _open(address: str) -> None:
    """Opens the page in the user's browser; without a screen there is none."""
    import webbrowser

    from calibration.pictures import has_screen

    if has_screen():
        webbrowser.open(address)


def _wait_for_ctrl_c() -> None:
    with suppress(KeyboardInterrupt):
        signal.pause()
