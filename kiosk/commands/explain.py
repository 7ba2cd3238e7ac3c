"""`fairdeal explain`: why a call was made, or a question asked, in a recorded game."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kiosk.journal.reading import JournalReader
    from rules.judging.explain import Reason
    from rules.table.event import Event


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Adds `explain GAME [CALL] [--journal FILE]`."""
    parser = subparsers.add_parser("explain", help="why a call was made, or a question asked")
    parser.add_argument("game", metavar="GAME",
                        help="its number, or a journal: its newest game")  # fmt: skip
    parser.add_argument("call", metavar="CALL", type=int, nargs="?",
                        help="the call's number in the game, from 1; left out: all of them in a "
                        "line each")  # fmt: skip
    parser.add_argument("--journal", type=Path, metavar="FILE", help="default: that of live games")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Returns 0; FairdealError for a game or a call that is not there."""
    from rules.errors import FairdealError
    from rules.judging.explain import described

    with _journal(args) as journal:
        number = _number(args.game, journal)
        found = list(_reasons(journal, number))
        if args.call is None:
            for n, (reason, _) in enumerate(found, 1):
                call = reason.call
                print(f"{n:4}  {call.at:8.2f} s  {call.call:9} {call.rule}: {call.message}")
            return 0
        if not 1 <= args.call <= len(found):
            expected = f"a call from 1 to {len(found)} of game {number}"
            raise FairdealError(expected, str(args.call), "leave it out to see all calls")
        reason, events = found[args.call - 1]
        for line in described(reason, events):
            print(line)
    return 0


def _journal(args: argparse.Namespace) -> JournalReader:
    from kiosk.commands.games import chosen_journal, journals
    from kiosk.journal.opening import file_of
    from kiosk.journal.reading import JournalReader

    if not args.game.isdecimal():
        return JournalReader(file_of(Path(args.game)))
    return JournalReader(chosen_journal(journals(args.journal), [int(args.game)]))


def _number(game: str, journal: JournalReader) -> int:
    from rules.errors import FairdealError

    if game.isdecimal():
        return int(game)
    rows = journal.games()
    if not rows:
        raise FairdealError("a journal with games", f"none in {journal.path}")
    return rows[-1].number


def _reasons(journal: JournalReader, number: int) -> Iterator[tuple[Reason, dict[int, Event]]]:
    """Why each call of a game was made, in the order in which they came; what was overruled later
    is taken into account. With each the events so far, by number."""
    from kiosk.game.overruling import Judging, read_overruling
    from rules.contract.game import make_setup
    from rules.games import game as game_named
    from rules.judging.explain import Reason
    from rules.judging.referee import begin

    head = journal.row(number).head
    game = game_named(head.game)
    overruled = [read_overruling(each.ruling) for each in journal.overrulings(number)]
    judging = Judging(begin(game, make_setup(game, head.players, head.options)), overruled)
    events: dict[int, Event] = {}
    for n, event in enumerate(journal.events(number), 1):
        events[n] = event
        told = judging.take(event)
        reasons = told.reasons or tuple(Reason(n, call, 1.0) for call in told.calls)
        yield from ((reason, events) for reason in reasons)
    if journal.row(number).is_ended:
        told = judging.close()
        reasons = told.reasons or tuple(Reason(len(events), call, 1.0) for call in told.calls)
        yield from ((reason, events) for reason in reasons)
