"""`fairdeal replay`: judges recorded events and prints the calls, one JSON line each."""

import argparse
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from rules.errors import FairdealError
from rules.files import special_kind
from rules.games import NAMES

if TYPE_CHECKING:
    from rules.table.call import Call

# A line that does not end is not read for ever; a part of it is no JSON and is refused.
_LINE_BYTES = 16 * 2**20


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Adds `replay GAME [--players N] [--option k=v]… FILE`."""
    parser = subparsers.add_parser("replay", help="judge recorded events (JSON Lines)")
    parser.add_argument("game", metavar="GAME", help=", ".join(NAMES))
    parser.add_argument("file", metavar="FILE", help="events, one JSON object a line; "
                        "calls among them are left out; - is stdin")  # fmt: skip
    parser.add_argument("--players", type=int, help="number of players (default: the least)")
    parser.add_argument(
        "--option", action="append", default=[], metavar="K=V", help="an option of the game"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Returns 0, or 2 with one line on standard error when the input is refused."""
    try:
        _replay(args)
    except FairdealError as error:
        # The line begins with `line N:` or `expected`, as the rulings say.
        print(error, file=sys.stderr)
        return 2
    return 0


def _replay(args: argparse.Namespace) -> None:
    from kiosk.journal.text import without_calls
    from rules.contract.game import make_setup
    from rules.contract.reader import read_events
    from rules.games import game as game_named
    from rules.judging.belief import begin, close, step

    game = game_named(args.game)
    players = game.players[0] if args.players is None else args.players
    belief = begin(game, make_setup(game, players, parse_options(args.option)))
    with _lines(args.file) as lines:
        for event in read_events(without_calls(lines), game, players):
            belief, told = step(belief, event)
            _print(told.calls)
    _print(close(belief).calls)


def _print(calls: "Iterable[Call]") -> None:
    try:
        for call in calls:
            print(call.to_json(), flush=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        # What could not be written must not be tried again when the program ends.
        sys.stdout = None
        todo = "make room there, or print the calls elsewhere"
        raise FairdealError("to print the calls", _reason(error), todo) from None


def parse_options(options: Iterable[str]) -> dict[str, str]:
    """`k=v` texts as a mapping. Raises FairdealError on a text without `=`."""
    chosen = {}
    for option in options:
        name, equals, value = option.partition("=")
        if not equals or not name:
            raise FairdealError("an option as NAME=VALUE", ascii(option))
        chosen[name] = value
    return chosen


@contextmanager
def _lines(path: str) -> Iterator[Iterable[bytes]]:
    if path == "-":
        if sys.stdin is None:
            raise FairdealError("events on standard input", "that it is closed")
        yield _read(sys.stdin.buffer, "standard input")
        return
    try:
        if special_kind(Path(path)) not in ("", "a pipe"):  # a pipe may be `<(fairdeal …)`
            found = special_kind(Path(path))
            raise FairdealError("a file of events", f"{path!a}: {found}", "name another file")
        file = Path(path).open("rb")  # noqa: SIM115  closed below
    except (OSError, ValueError) as error:
        raise FairdealError("a file of events", f"{path!a}: {_reason(error)}") from None
    with file:
        yield _read(file, f"{path!a}")


def _read(file: BinaryIO, name: str) -> Iterator[bytes]:
    try:
        yield from iter(lambda: file.readline(_LINE_BYTES), b"")
    except OSError as error:
        raise FairdealError("a file of events", f"{name}: {_reason(error)}") from None


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
