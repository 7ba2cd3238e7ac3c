"""`fairdeal games`: lists, exports and deletes the games of a journal."""

from __future__ import annotations

import argparse
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kiosk.journal.file import JournalFile
    from kiosk.journal.reading import JournalReader
    from kiosk.journal.schema import GameRow


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Adds `games [list|export|delete] [--journal FILE]`."""
    parser = subparsers.add_parser("games", help="list, export or delete recorded games")
    parser.add_argument("--journal", type=Path, metavar="FILE", help="default: that of live games")
    parser.set_defaults(run=run, do="list")
    acts = parser.add_subparsers(dest="do", metavar="list|export|delete")
    acts.add_parser("list", help="every game with its number (the default)")
    export = acts.add_parser("export", help="a game as JSON Lines that `fairdeal replay` reads")
    export.add_argument("number", type=int, metavar="N")
    export.add_argument("--calls", action="store_true", help="the calls too, after their events")
    export.add_argument("--out", type=Path, metavar="FILE", help="default: standard output")
    delete = acts.add_parser("delete", help="remove games for good")
    delete.add_argument("numbers", type=int, nargs="+", metavar="N")


def run(args: argparse.Namespace) -> int:
    """Returns 0; FairdealError for a game that is not there, is damaged or is being played."""
    paths = journals(args.journal)
    if args.do not in ("export", "delete"):  # no word is `list`
        _list_all(paths)
        return 0
    numbers = [args.number] if args.do == "export" else args.numbers
    path = chosen_journal(paths, numbers)
    if args.do == "export":
        with _read(path) as journal:
            _export(journal, args.number, calls=args.calls, out=args.out)
        return 0
    from kiosk.journal.file import JournalFile

    with JournalFile(path, create=False) as kept:
        _delete(kept, numbers)
    return 0


def _read(path: Path) -> JournalReader:
    from kiosk.journal.reading import JournalReader

    return JournalReader(path)


def journals(named: Path | None) -> tuple[Path, ...]:
    """The file that is named, else those of all tables of this machine."""
    from kiosk.game.paths import table_journals
    from kiosk.journal.opening import TEXT, file_of
    from rules.errors import FairdealError

    if named is not None:
        if named.suffix == TEXT and named.is_file() and not file_of(named).is_file():
            raise FairdealError("a journal of games", f"{named}, the text of one game",
                                "read it with `fairdeal replay`")  # fmt: skip
        return (file_of(named),)
    return table_journals()


def chosen_journal(paths: tuple[Path, ...], numbers: list[int]) -> Path:
    """The journal that the command is about. FairdealError where numbers fit several tables."""
    from rules.errors import FairdealError

    if not paths:
        raise FairdealError("a journal with games", "no games yet", "name one with --journal")
    if len(paths) == 1:
        return paths[0]
    fitting = []
    for path in paths:
        with suppress(FairdealError), _read(path) as journal:
            if {row.number for row in journal.games()}.issuperset(numbers):
                fitting.append(path)
    if len(fitting) > 1:
        raise FairdealError(
            "games of one table", f"such numbers in {' and '.join(p.name for p in fitting)}",
            f"name one with --journal, e.g. {fitting[0]}",
        )  # fmt: skip
    return fitting[0] if fitting else paths[0]


def _delete(journal: JournalFile, numbers: list[int]) -> None:
    for number in numbers:
        journal.row(number)
    for number in numbers:
        journal.delete(number)
        print(f"game {number} deleted")


def _list_all(paths: tuple[Path, ...]) -> None:
    """The games of each table. A journal that cannot be read is said last."""
    from rules.errors import FairdealError

    damaged: FairdealError | None = None
    for path in paths:
        try:
            with _read(path) as journal:
                if len(paths) > 1:
                    print(path)
                _list(journal)
        except FairdealError as error:
            damaged = error
    if not paths:
        print("no games yet")
    if damaged is not None:
        raise damaged


def _list(journal: JournalReader) -> None:
    rows, lost = journal.games(), journal.lost_games()
    for row in rows:
        print(_line(journal, row))
    for number, events in lost.items():
        print(f"{number:4}  lost: at least {events} events, by a damage of the journal")
    if not (rows or lost):
        print("no games yet")


def _line(journal: JournalReader, row: GameRow) -> str:
    import time

    began = time.strftime("%Y-%m-%d %H:%M", time.localtime(row.began))
    minutes = round(row.seconds / 60)
    state = "over" if row.is_ended else "cut off"
    if not row.is_ended and not journal.lock(row.number).is_free():
        state = "being played"
    players = f"{row.head.players} players"
    unsure = "  (the clock was not set)" if row.head.is_clock_unsure else ""
    if row.missing:
        unsure += f"  (at least {row.missing} later events are lost by a damage)"
    return (f"{row.number:4}  {began}  {row.head.game:15} {players}  {row.events:5} events  "
            f"{minutes:4} min  {state}{unsure}")  # fmt: skip


def _export(journal: JournalReader, number: int, *, calls: bool, out: Path | None) -> None:
    """What is whole before a damage is written; then the damage is said."""
    import sys

    from kiosk.journal.lock import MODE
    from kiosk.journal.text import lines_in
    from rules.errors import FairdealError
    from rules.files import write_file

    row = journal.row(number)
    lines = lines_in(journal, number, calls=calls)
    if out is None:
        for line in lines:
            print(line)
        sys.stdout.flush()
        _refuse_missing(row)
        return
    whole, damage = [], None
    try:
        for line in lines:
            whole.append(f"{line}\n")
    except FairdealError as error:
        damage = error
    write_file(out, "".join(whole), "a file for the game", mode=MODE, is_new=True)
    if damage is not None:
        raise damage
    _refuse_missing(row)


def _refuse_missing(row: GameRow) -> None:
    """FairdealError for a game whose last events are lost."""
    from rules.errors import FairdealError

    if row.missing:
        raise FairdealError(
            f"at least {row.events + row.missing} events of game {row.number}",
            f"{row.events}; the others are lost by a damage of the journal",
            "what is whole was written",
        )  # fmt: skip
