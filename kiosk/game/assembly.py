"""Puts a running table together from names: the game, the deck, the seats, the signals."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from device.outputs import open_outputs
from device.performer import Output, Performer
from kiosk.game.journal import GuardedJournal, Journal, SqliteJournal, open_journal
from kiosk.game.loop import Hooks, RunningTable, Summary
from kiosk.game.observers import Display
from kiosk.game.seats import read_sides
from kiosk.game.session import Judging, Listener, replayed
from kiosk.game.view_guard import Lookout
from kiosk.settings import Settings
from models.deck import Deck, check_complete, load_deck, shipped_decks
from rules.errors import FairdealError
from rules.event import Event
from rules.game import Game, Setup, make_setup
from rules.games import game as game_named
from rules.referee import Session, begin
from vision.recognition.eyes import Eyes
from vision.scene.areas import layout_for
from vision.scene.watcher import Watcher
from vision.sources import Source


@dataclass(frozen=True, slots=True)
class Order:
    """What a user asked for, checked: see `fairdeal referee --help` for the words."""

    game: Game
    setup: Setup
    sides: tuple[str, ...]
    deck: Deck
    signals: str | None = None
    journal: Path | None = None
    resume: bool = False
    start: bool = True
    threads: int = 2
    settings: Settings = field(default_factory=Settings)


def read_order(
    name: str, deck: str | None, players: int, options: dict[str, str], seats: str | None
) -> Order:
    """The order that these words make. Raises FairdealError."""
    game = game_named(name)
    setup = make_setup(game, players, options)
    loaded = load_deck(deck or _own_deck(game))
    strange = sorted(set(loaded.names) - game.cards)
    if strange:
        raise FairdealError(
            f"a deck for {game.name}", f"{loaded.name} with {strange[0]}",
            "name another with --deck",
        )  # fmt: skip
    check_complete(loaded, game.cards_of(players) if game.cards_of else game.cards)
    return Order(game, setup, read_sides(seats, players), loaded)


def _own_deck(game: Game) -> str:
    """The shipped deck of a game: by its own name, or as Soda by the plain pack's."""
    own = [name for name in shipped_decks() if load_deck(name).game == game.name]
    return own[0] if own else game.name


def open_game(order: Order, say: Callable[[str], None]) -> tuple[Session, Journal]:
    """The session, and the journal it is written to: a new game, or one that was cut off."""
    journal = open_journal(order.journal)
    session = begin(order.game, order.setup)
    if isinstance(journal, SqliteJournal):
        cut = journal.unfinished(order.game.name)
        if order.resume and cut is not None:
            journal.go_on(cut.number)
            return replayed(begin(order.game, cut.setup), cut.events), journal
        if cut is not None:
            say("the last game was cut off: --resume goes on with it; this is a new one")
    if order.resume:
        journal.close()
        raise FairdealError(
            "a game that was cut off", f"none in {order.journal or 'no journal'}",
            "leave out --resume, or name its --journal (not a .jsonl)",
        )  # fmt: skip
    settings = {"deck": str(order.deck.folder), "seats": ",".join(order.sides)}
    journal.begin(order.game.name, order.setup, settings)
    return session, journal


@contextmanager
def stopping(table: RunningTable) -> Iterator[None]:
    """Ctrl-C and a polite kill end the run after the frame at hand."""

    def stop(number: int, frame: object) -> None:
        table.stop()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def run_table(
    order: Order,
    source: Source,
    eyes: Eyes,
    *,
    display: Display | None = None,
    listener: Listener | None = None,
    more_outputs: tuple[Output, ...] = (),
    on_ready: Callable[[RunningTable, Judging], None] | None = None,
    hooks: Hooks | None = None,
    say: Callable[[str], None] = lambda line: print(line, file=sys.stderr, flush=True),
) -> Summary:
    """Referees one game from the source until it ends or the user stops it."""
    with ExitStack() as stack:
        session, journal = open_game(order, say)
        journal = GuardedJournal(journal, say)
        stack.callback(journal.close)
        resumed = order.resume
        running: list[RunningTable] = []

        def press(event: Event) -> None:
            for table in running:
                table.press(event)

        device = order.settings.device
        outputs = open_outputs(order.signals, device, on_press=press, say=say)
        performer = stack.enter_context(Performer([*outputs, *more_outputs], device.signals))
        judging = Judging(session, journal, performer, listener)

        def watcher() -> Watcher:
            layout = layout_for(order.game.name, order.sides)
            return Watcher(layout, order.sides, order.settings.vision)

        table = RunningTable(
            source, eyes, watcher(), judging,
            display=display, start=order.start and not resumed, resume=resumed,
            lookout=Lookout(), again=watcher, hooks=hooks,
        )  # fmt: skip
        running.append(table)
        if on_ready is not None:
            on_ready(table, judging)
        stack.enter_context(stopping(table))
        return table.run()
