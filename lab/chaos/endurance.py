"""Hours of play in accelerated time: memory, threads and open files stay flat."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from device.gpio.pins import MockPins
from device.machine import Machine
from device.performer import Performer
from kiosk.game.health_watch import HealthWatch, Probes
from kiosk.game.inbox import Inbox
from kiosk.game.lamps import Lamps
from kiosk.game.loop import GameLoop, LoopParts
from kiosk.game.observers import Aside, Observers
from kiosk.game.session import GameSession
from kiosk.journal.entries import GameHead
from kiosk.journal.file import JournalFile
from kiosk.journal.opening import open_new
from kiosk.terminal.lines import PlainCalls
from lab.chaos.random_games import random_game
from lab.chaos.resources import Resources, resources_now
from lab.chaos.table import Clock, NoCards, TopWatcher
from lab.players.players import PLAYERS
from rules.contract.game import make_setup
from rules.games import game as game_named
from rules.judging.referee import begin
from rules.table.event import Pressed

TAIL_S = 3.0  # after the last act of a game
SAMPLES = 5


@dataclass(frozen=True, slots=True)
class EnduranceScore:
    """What was played. `samples`: (hours played, what the process took then)."""

    hours: float
    games: int
    frames: int
    events: int
    samples: tuple[tuple[float, Resources], ...]


def endurance(hours: float, seed: int) -> EnduranceScore:
    """Games of all kinds one after the other, each with journal, lamps, health and a listener."""
    rng, played_s, games, frames, events = Random(seed), 0.0, 0, 0, 0
    samples: list[tuple[float, Resources]] = []
    step_s = hours * 3600 / SAMPLES
    with tempfile.TemporaryDirectory(prefix="fairdeal-hours-") as folder:
        path = Path(folder) / "journal.sqlite"
        while played_s < hours * 3600:
            seconds, count = _play(rng.choice(sorted(PLAYERS)), rng, path)
            played_s, games, frames = played_s + seconds, games + 1, frames + count
            if played_s >= len(samples) * step_s:
                samples.append((played_s / 3600, resources_now()))
        journal = JournalFile(path, create=False)
        events = sum(row.events for row in journal.games())
        journal.close()
        samples.append((played_s / 3600, resources_now()))
    return EnduranceScore(played_s / 3600, games, frames, events, tuple(samples))


def _play(name: str, rng: Random, path: Path) -> tuple[float, int]:
    """One game: (seconds, frames)."""
    played, game = random_game(name, rng), game_named(name)
    setup = make_setup(game, played.players, played.options)
    opened = open_new(path, GameHead(name, setup.players, dict(setup.options)), _quiet)
    health = HealthWatch()
    pins = MockPins()
    probes = Probes(lambda: Machine(50.0), journal=lambda: opened.journal.fault)
    with Performer([pins]) as performer, health.reading(probes):
        listener = Aside(PlainCalls(_quiet), _quiet)
        with listener:
            observers = Observers((Lamps(performer), health, listener), _quiet)
            session = GameSession(begin(game, setup), opened.journal, observers)
            clock = Clock(played.events[-1].at + TAIL_S)
            watcher = TopWatcher(played.events, -1e-9, 0.0)
            presses = tuple(replace(e) for e in played.events if isinstance(e, Pressed))
            parts = LoopParts(
                clock, NoCards(), lambda: watcher, session, Inbox(), presses=presses,
                is_guarded=False, turn=health.take,
            )  # fmt: skip
            summary = GameLoop(parts).run()
    opened.journal.close()
    return summary.seconds, summary.frames


def _quiet(line: str) -> None:
    """Nobody reads it."""
