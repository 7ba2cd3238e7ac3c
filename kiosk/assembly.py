"""Assembles a running game from a user's words: game, deck, seats, journal, signals, observers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from calibration.settings import Settings
from device.machine import is_clock_synchronised, read_machine
from device.outputs import open_outputs
from device.performer import Output, Performer
from host.saying import to_stderr
from host.stopping import stopping
from kiosk.game.camera_link import CameraHooks
from kiosk.game.health_watch import HealthWatch, Probes
from kiosk.game.inbox import Inbox
from kiosk.game.lamps import Lamps
from kiosk.game.limits import LIMITS
from kiosk.game.loop import GameLoop, LoopParts, ResumedAt
from kiosk.game.loop_parts import Looks
from kiosk.game.news import EventJudged, News, Summary
from kiosk.game.observers import Observer, Observers
from kiosk.game.overruling import read_overruling
from kiosk.game.paths import default_journal, other_journals
from kiosk.game.plan import TablePlan
from kiosk.game.reboot import RebootWatch
from kiosk.game.room import EVIDENCE, RoomKeeper, Stores
from kiosk.game.seats import read_sides
from kiosk.game.session import GamePast, GameSession
from kiosk.game.systemd import SystemdNotifier
from kiosk.journal.entries import GameHead, MovedEntry
from kiosk.journal.opening import CutGame, OpenedGame, file_of, open_cut, open_new
from kiosk.journal.writer import Journal
from kiosk.speech.espeak import EspeakNg
from kiosk.speech.observer import Speech
from models.deck import Deck, check_complete, load_deck, missing_faces
from rules.contract.game import Game, Setup, make_setup
from rules.errors import FairdealError
from rules.games import game as game_named
from rules.judging.referee import begin
from rules.table.event import Event, Pressed
from rules.table.layout import Side
from vision.plane import TablePlane
from vision.scene.places import GamePlaces
from vision.scene.watcher import Watcher
from vision.sources import Source


@dataclass(frozen=True, slots=True)
class GameRequest:
    """What a user asked for, checked. The words are those of `fairdeal referee --help`.

    `cut`: a game that was cut off and goes on; `source`: its pictures' name, without a password;
    `presses`: buttons of a recording, in its time; `tables`: the calibrated planes.
    """

    game: Game
    setup: Setup
    sides: tuple[str, ...]
    deck: Deck
    signals: str | None = None
    journal: Path | None = None
    cut: CutGame | None = None
    source: str = ""
    presses: tuple[Pressed, ...] = ()
    start: bool = True
    threads: int = 2
    settings: Settings = field(default_factory=Settings)
    tables: tuple[TablePlane, ...] = ()


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
    say: Callable[[str], None] = to_stderr


def read_request(
    name: str, deck: str | None, players: int, options: dict[str, str], seats: str | None,
    is_incomplete: bool = False,
) -> GameRequest:  # fmt: skip
    """Checks the words for a game. `is_incomplete`: the deck may lack faces; their cards are then
    unknown. Raises FairdealError."""
    game = game_named(name)
    setup = make_setup(game, players, options)
    loaded = load_deck(deck or game.deck)
    strange = sorted(set(loaded.names) - game.cards)
    if strange:
        raise FairdealError(
            f"a deck for {game.name}", f"{loaded.name} with {strange[0]}",
            "name another with --deck",
        )  # fmt: skip
    needed = game.cards_of(players) if game.cards_of else game.cards
    if is_incomplete:
        missing = {*loaded.missing, *missing_faces(loaded.names, needed)}
        loaded = replace(loaded, missing=tuple(sorted(missing)))
    else:
        check_complete(loaded, needed)
    return GameRequest(game, setup, read_sides(seats, players), loaded)


def open_game(request: GameRequest, say: Callable[[str], None], room: RoomKeeper) -> OpenedGame:
    """The journal of the game: a new one, or one that was cut off. Raises FairdealError."""
    if request.cut is not None and request.journal is not None:
        return open_cut(request.journal, request.cut, say, room.make)
    if request.journal is not None and request.journal.parent == default_journal().parent:
        request.journal.parent.mkdir(parents=True, exist_ok=True)  # the program's own folder
    others = other_journals(request.journal)
    return open_new(request.journal, head_of(request), say, room.make, others)


def head_of(request: GameRequest) -> GameHead:
    """What the journal keeps of a request."""
    setup, sides = request.setup, ",".join(request.sides)
    deck = str(request.deck.folder)
    return GameHead(
        request.game.name, setup.players, dict(setup.options), deck, sides, request.source,
        is_clock_synchronised() is False,
    )  # fmt: skip


@contextmanager
def stopped_by_signals(inbox: Inbox) -> Iterator[None]:
    """Ctrl-C, SIGTERM and a closed terminal end the run after the frame at hand."""
    with stopping(lambda _: inbox.stop()):
        yield


def run_game(
    request: GameRequest, source: Source, eyes: Looks, company: Company | None = None
) -> Summary:
    """Referees one game from the source until it ends or somebody stops it."""
    company = company or Company()
    inbox = company.inbox
    with ExitStack() as stack:
        health, notifier = HealthWatch(), SystemdNotifier()
        say = _noted(health, company.say)
        room = RoomKeeper(_stores(request), request.settings.machine, say)
        opened = open_game(request, say, room)
        stack.callback(opened.journal.close)
        keep = opened.journal.write
        inbox.plan.restore(opened.moved, lambda place, at: keep(MovedEntry(place, at)))
        device = request.settings.device
        outputs = open_outputs(request.signals, device, on_press=inbox.press, say=say)
        performer = stack.enter_context(Performer([*outputs, *company.outputs], device.signals))
        tidy = _tidying(request, source, room, say)
        probes = _probes(request, source, performer, opened.journal)
        stack.enter_context(health.reading(replace(probes, tidy=tidy)))
        start = StartWatch(any(_is_start(event) for event in opened.events))
        inbox.sounds.speak(request.settings.speech.language)
        speech = stack.enter_context(Speech(inbox.sounds, EspeakNg(), say))
        look = inbox.look.through(eyes.name)
        ours = (Lamps(performer, inbox.sounds), start, health, notifier, speech, look)
        observers = Observers((*ours, *company.observers), say)
        session = _session(request, opened, observers, is_live=not source.recorded)
        resumed = ResumedAt.after(opened)
        watchers = _watchers(request, start, inbox.plan)
        parts = LoopParts(
            source, eyes, watchers, session, inbox, company.hooks, request.presses,
            turn=_turn(notifier, health),
        )  # fmt: skip
        loop = GameLoop(parts, resumed=resumed)
        stack.enter_context(stopped_by_signals(inbox))
        session.begin(request.sides, is_resumed=resumed is not None, number=opened.number)
        summary = loop.run(press_start=request.start and resumed is None)
    if session.overdue:
        say(f"journal: calls of {session.overdue} events were told before they were kept")
    return summary


def _noted(health: HealthWatch, say: Callable[[str], None]) -> Callable[[str], None]:
    """Says a line, and keeps it for the table's health."""

    def both(line: str) -> None:
        health.note(line)
        say(line)

    return both


def _turn(notifier: SystemdNotifier, health: HealthWatch) -> Callable[[], News | None]:
    """What happens on each turn of the loop."""

    def turn() -> News | None:
        notifier.beat()
        return health.take()

    return turn


def _session(
    request: GameRequest, opened: OpenedGame, observers: Observers, *, is_live: bool
) -> GameSession:
    """The game, with what happened before. A recording waits for the journal, a table does not."""
    overruled = tuple(read_overruling(entry.ruling) for entry in opened.overruled)
    return GameSession(
        begin(request.game, request.setup), opened.journal, observers,
        GamePast(opened.events, overruled), wait_s=LIMITS.durable_wait_s if is_live else None,
    )  # fmt: skip


def _tidying(
    request: GameRequest, source: Source, room: RoomKeeper, say: Callable[[str], None]
) -> Callable[[], None]:
    """What is done every few seconds beside the game."""
    reboot = RebootWatch(request.settings.machine.reboot_after_s, say)

    def tidy() -> None:
        room.keep()
        reboot.see(is_stuck=source.is_stuck)

    return tidy


def _probes(request: GameRequest, source: Source, performer: Performer, journal: Journal) -> Probes:
    folder = (request.journal or default_journal()).parent
    return Probes(
        lambda: read_machine(folder), lambda: performer.states, lambda: journal.fault,
        lambda: source.drops, lambda: source.is_stuck,
    )  # fmt: skip


def _stores(request: GameRequest) -> Stores:
    """What of this table is on the disk."""
    journal = file_of(request.journal) if request.journal is not None else None
    return Stores(journal, default_journal().parent / EVIDENCE)


@dataclass(slots=True)
class StartWatch:
    """Knows whether `start` was pressed: where some cards lie depends on it."""

    is_playing: bool
    name: str = "start"

    def hear(self, news: News) -> None:
        """As in Observer."""
        if isinstance(news, EventJudged) and _is_start(news.event):
            self.is_playing = True


def _is_start(event: Event | None) -> bool:
    return isinstance(event, Pressed) and event.button == "start"


def _watchers(request: GameRequest, start: StartWatch, plan: TablePlan) -> Callable[[], Watcher]:
    game, deck = request.game, request.deck
    sides = tuple(Side(side) for side in request.sides)

    def new_watcher() -> Watcher:
        size_mm = (deck.width_mm, deck.height_mm)
        places = GamePlaces(
            game.layout, sides, size_mm, is_playing=lambda: start.is_playing,
            moved=lambda: plan.moved,
        )  # fmt: skip
        plan.watch(places)
        return Watcher(places, request.sides, request.settings.vision)

    return new_watcher
