"""Assembles a running game from a user's words: game, deck, seats, journal, signals, observers."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from device.outputs import open_outputs
from device.performer import Output, Performer
from kiosk.game.camera_link import CameraHooks
from kiosk.game.inbox import Inbox
from kiosk.game.journal import GuardedJournal, Journal, SqliteJournal, open_journal
from kiosk.game.lamps import Lamps
from kiosk.game.loop import GameLoop, LoopParts
from kiosk.game.news import Summary
from kiosk.game.observers import Observer, Observers
from kiosk.game.seats import read_sides
from kiosk.game.session import GameSession, replayed
from kiosk.settings import Settings
from models.deck import Deck, check_complete, load_deck, shipped_decks
from rules.errors import FairdealError
from rules.game import Game, Setup, make_setup
from rules.games import game as game_named
from rules.referee import Session, begin
from vision.recognition.eyes import Eyes
from vision.scene.areas import layout_for
from vision.scene.watcher import Watcher
from vision.sources import Source


@dataclass(frozen=True, slots=True)
class GameRequest:
    """What a user asked for, checked. The words are those of `fairdeal referee --help`."""

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


@dataclass(frozen=True, slots=True)
class Company:
    """Who takes part in a running game beside the referee.

    `observers` hear of the game; `outputs` show its lamps beside those of `--signals`; `inbox`
    takes buttons and the wish to stop; `say` prints a line for people.
    """

    observers: tuple[Observer, ...] = ()
    outputs: tuple[Output, ...] = ()
    inbox: Inbox = field(default_factory=Inbox)
    hooks: CameraHooks = field(default_factory=CameraHooks)
    say: Callable[[str], None] = lambda line: print(line, file=sys.stderr, flush=True)


def read_request(
    name: str, deck: str | None, players: int, options: dict[str, str], seats: str | None
) -> GameRequest:
    """Checks the words for a game. Raises FairdealError."""
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
    return GameRequest(game, setup, read_sides(seats, players), loaded)


def _own_deck(game: Game) -> str:
    """The first shipped deck made for the game; else a deck of the game's own name."""
    own = [name for name in shipped_decks() if load_deck(name).game == game.name]
    return own[0] if own else game.name


def open_game(request: GameRequest, say: Callable[[str], None]) -> tuple[Session, Journal]:
    """The game and its journal: a new game, or one that was cut off."""
    journal = open_journal(request.journal)
    session = begin(request.game, request.setup)
    if isinstance(journal, SqliteJournal):
        cut = journal.unfinished(request.game.name)
        if request.resume and cut is not None:
            journal.go_on(cut.number)
            return replayed(begin(request.game, cut.setup), cut.events), journal
        if cut is not None:
            say("the last game was cut off: --resume goes on with it; this is a new one")
    if request.resume:
        journal.close()
        raise FairdealError(
            "a game that was cut off", f"none in {request.journal or 'no journal'}",
            "leave out --resume, or name its --journal (not a .jsonl)",
        )  # fmt: skip
    settings = {"deck": str(request.deck.folder), "seats": ",".join(request.sides)}
    journal.begin(request.game.name, request.setup, settings)
    return session, journal


@contextmanager
def stopped_by_signals(inbox: Inbox) -> Iterator[None]:
    """SIGINT (Ctrl-C) and SIGTERM end the run after the frame at hand."""

    def stop(number: int, frame: object) -> None:
        inbox.stop()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def run_game(
    request: GameRequest, source: Source, eyes: Eyes, company: Company | None = None
) -> Summary:
    """Referees one game from the source until it ends or somebody stops it."""
    company = company or Company()
    inbox, say = company.inbox, company.say
    with ExitStack() as stack:
        judged, journal = open_game(request, say)
        journal = GuardedJournal(journal, say)
        stack.callback(journal.close)
        device = request.settings.device
        outputs = open_outputs(request.signals, device, on_press=inbox.press, say=say)
        performer = stack.enter_context(Performer([*outputs, *company.outputs], device.signals))
        observers = Observers((Lamps(performer), *company.observers), say)
        session = GameSession(judged, journal, observers)
        layout = layout_for(request.game.name, request.sides)

        def new_watcher() -> Watcher:
            return Watcher(layout, request.sides, request.settings.vision)

        parts = LoopParts(source, eyes, new_watcher, session, inbox, company.hooks)
        loop = GameLoop(parts, resume_at=judged.at if request.resume else None)
        stack.enter_context(stopped_by_signals(inbox))
        session.begin(request.sides, is_resumed=request.resume)
        return loop.run(press_start=request.start and not request.resume)
