"""Opens a journal for a game: a new one, or one that was cut off and goes on."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from device.machine import is_clock_synchronised
from kiosk.journal import text as text_journal
from kiosk.journal.entries import EventEntry, GameHead, OverruledEntry, Spot
from kiosk.journal.file import JournalFile
from kiosk.journal.reading import JournalReader
from kiosk.journal.text import TextCopy
from kiosk.journal.writer import Journal, JournalWriter, MakeRoom, NoJournal, no_room
from rules.contract.game import make_setup
from rules.contract.reader import read_events
from rules.errors import FairdealError
from rules.games import game as game_named
from rules.judging.belief import begin, step
from rules.table.event import Event, is_card_event

RESUME_WITHIN_S = 6 * 3600.0  # without a number, games cut off longer ago are left alone
TEXT = ".jsonl"
Say = Callable[[str], None]


class Resume(Enum):
    """Which game to go on with, where no number is given."""

    LAST = "last"  # the last one that was cut off; an error where there is none
    AUTO = "auto"  # the same; a new game where there is none


Wish = Resume | int | None
"""A number: that game. None: a new game."""


def read_wish(text: str | None) -> Wish:
    """The word after `--resume`: `last`, `auto` or a game's number. Raises FairdealError."""
    if text is None:
        return None
    if text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    try:
        return Resume(text)
    except ValueError:
        raise FairdealError("--resume alone, with a game's number or `auto`", ascii(text),
                            "see `fairdeal games`") from None  # fmt: skip


@dataclass(frozen=True, slots=True)
class CutGame:
    """A game that was cut off: its number in the journal and what it was started with."""

    number: int
    head: GameHead
    last: float


@dataclass(frozen=True, slots=True)
class OpenedGame:
    """A game's journal. `events`: what happened before; `spots`: where the places lay then.

    `moved`: places that people put elsewhere, in parts of the picture.
    """

    journal: Journal
    number: int | None = None
    events: tuple[Event, ...] = ()
    spots: tuple[tuple[str, Spot], ...] = ()
    overruled: tuple[OverruledEntry, ...] = ()
    moved: tuple[tuple[str, Spot], ...] = ()


def file_of(path: Path) -> Path:
    """The SQLite file of a journal. A text journal has one beside it until its game is over."""
    return path.with_name(path.name + ".sqlite") if path.suffix == TEXT else path


def find_cut(
    path: Path | None, wish: Wish, asked: GameHead, now: float | None = None
) -> CutGame | None:
    """The game that `--resume` means; None for a new game. Raises FairdealError.

    Without a number it is the last unfinished game of the name of `asked` that nobody plays: of
    the same source, or, unless `auto` is asked for, of another one. A text journal without its
    SQLite file is read with the setup of `asked`.
    """
    if wish is None:
        return None
    none = "none in the journal" if path is not None else "no journal"
    if path is not None and path.suffix == TEXT:
        _import_text(path, asked)
    if path is not None and file_of(path).is_file():
        with JournalReader(file_of(path)) as journal:
            if isinstance(wish, int):
                return _numbered(journal, wish, asked.game)
            cut = cut_games(journal, asked.game, _since(now))
            own = [each for each in cut if each.head.source == asked.source]
            if own or (cut and wish is Resume.LAST):
                return (own or cut)[-1]
            none = f"none of {asked.game} in {path}"
    if wish is Resume.AUTO:
        return None
    raise FairdealError("a game that was cut off", none,
                        "leave out --resume, or see `fairdeal games`")  # fmt: skip


def cut_games(journal: JournalReader, game: str, since: float = 0.0) -> list[CutGame]:
    """Unfinished games with events that nobody plays, oldest first.

    `since`: time of day (s) of the last event; a game whose clock was not set has any age. Where
    the clock went back in mid-game, as in a start without a network, its beginning counts.
    """
    return [
        CutGame(row.number, row.head, row.last)
        for row in journal.games()
        if row.head.game == game
        and not row.is_ended
        and row.events
        and (max(row.began, row.last) >= since or row.head.is_clock_unsure)
        and journal.lock(row.number).is_free()
    ]


def is_played_by_another(path: Path, source: str) -> bool:
    """Whether a game of another source is being played in this journal now."""
    if not path.is_file():
        return False
    with JournalReader(path) as journal:
        return any(
            not row.is_ended
            and row.head.source != source
            and not journal.lock(row.number).is_free()
            for row in journal.games()
        )


def open_new(
    path: Path | None, head: GameHead, say: Say, make_room: MakeRoom = no_room,
    others: Iterable[Path] = (),
) -> OpenedGame:  # fmt: skip
    """The journal of a new game. Raises FairdealError where there can be none.

    `make_room`: has something given up when the disk is full. `others`: journals of other tables,
    whose games have other numbers.
    """
    if path is None:
        return OpenedGame(NoJournal())
    is_text = path.suffix == TEXT
    if is_text:
        text_journal.check_new(path)
    journal = JournalFile(file_of(path))
    copy = TextCopy(path) if is_text else None
    if not is_text:
        _say_cut(journal, head, say)
    number = journal.begin(head, above=_highest_of(others))
    lock = journal.lock(number)
    lock.take()
    writer = JournalWriter(journal, number, lock, say, copy, make_room=make_room)
    return OpenedGame(writer, number)


def _highest_of(paths: Iterable[Path]) -> int:
    """The highest number of a game in these journals; one that cannot be read has none."""
    highest = 0
    for path in paths:
        with suppress(FairdealError), JournalReader(path) as journal:
            highest = max(highest, journal.highest())
    return highest


def open_cut(path: Path, cut: CutGame, say: Say, make_room: MakeRoom = no_room) -> OpenedGame:
    """The journal of a game that goes on. FairdealError where it is damaged or being played."""
    journal = JournalFile(file_of(path), create=False)
    lock = journal.lock(cut.number)
    try:
        lock.take()
        missing = journal.row(cut.number).missing
        events = journal.events(cut.number)
        spots = _last_spots(journal, cut.number, events)
        overruled = tuple(journal.overrulings(cut.number))
        moved = tuple(journal.moved(cut.number).items())
        copy = None
        if path.suffix == TEXT:
            text_journal.mend(path, list(text_journal.lines_in(journal, cut.number)))
            copy = TextCopy(path)
    except BaseException:
        lock.release()
        journal.close()
        raise
    if missing:
        say(f"journal: at least {missing} events of game {cut.number} are lost by a damage; "
            f"it goes on after the first {len(events)}")  # fmt: skip
    writer = JournalWriter(journal, cut.number, lock, say, copy, make_room=make_room)
    return OpenedGame(writer, cut.number, events, spots, overruled, moved)


def read_journal(path: Path, number: int | None = None) -> tuple[Event, ...]:
    """The events of a game in a journal; the newest game's unless a number is given."""
    with JournalReader(path) as journal:
        if number is None:
            rows = journal.games()
            number = rows[-1].number if rows else 0
        return journal.events(number)


def _numbered(journal: JournalReader, number: int, game: str) -> CutGame:
    row = journal.row(number)
    if row.head.game != game:
        raise FairdealError(f"a game of {game}", f"game {number} of {row.head.game}",
                            "see `fairdeal games`")  # fmt: skip
    if row.is_ended:
        raise FairdealError("a game that was cut off", f"game {number}, which is over",
                            "see `fairdeal games`")  # fmt: skip
    return CutGame(number, row.head, row.last)


def _since(now: float | None) -> float:
    """The time of day (s) since which a game may have been cut off to be gone on with.

    A clock that no time server has set may be years behind or ahead: then all games count.
    """
    if now is None and is_clock_synchronised() is False:
        return -math.inf
    return (time.time() if now is None else now) - RESUME_WITHIN_S


def _say_cut(journal: JournalFile, head: GameHead, say: Say) -> None:
    cut = cut_games(journal, head.game, _since(None))
    if cut:
        when = time.strftime("%H:%M", time.localtime(cut[-1].last))
        say(f"game {cut[-1].number} was cut off at {when}: --resume {cut[-1].number} goes on with "
            "it; this is a new game")  # fmt: skip


def _last_spots(
    journal: JournalFile, number: int, events: tuple[Event, ...]
) -> tuple[tuple[str, Spot], ...]:
    found: dict[str, Spot] = {}
    for event, kept in zip(events, journal.lines(number), strict=True):
        if is_card_event(event) and kept.spot is not None:
            found[event.place] = kept.spot
    return tuple(found.items())


def _import_text(path: Path, head: GameHead) -> None:
    """Makes the SQLite file of a text journal that has none, e.g. of one that was copied here."""
    if file_of(path).is_file() or not path.is_file() or not path.stat().st_size:
        return
    lines = text_journal.without_calls(text_journal.read_lines(path))
    game = game_named(head.game)
    belief = begin(game, make_setup(game, head.players, head.options))
    entries = []
    for event in read_events(lines, game, head.players):
        belief, told = step(belief, event)
        entries.append(EventEntry(event, told.calls))
    journal = JournalFile(file_of(path))
    try:
        journal.append(journal.begin(head), entries)
    finally:
        journal.close()
