"""One sample of every kind of file that the program reads, and who reads it."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random

import cv2
import numpy as np

from kiosk.journal.entries import EventEntry, GameHead, OverruledEntry
from kiosk.journal.file import JournalFile
from lab.chaos import readers
from lab.chaos.damage import Reader
from lab.players.players import PLAYERS
from lab.players.table import legal_game
from rules.contract.game import make_setup
from rules.games import game as game_named
from rules.judging.referee import begin, step
from rules.table.event import Event

MOST_SAMPLE_BYTES = 3_000_000  # larger files are left to the tests: each copy would take long


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file. `is_sealed`: it has checksums, so a damage never changes what is read."""

    name: str
    suffix: str
    sample: bytes
    read: Reader
    is_sealed: bool = False


def kinds(seed: int) -> list[Kind]:
    """All kinds, with samples made from a seed or shipped."""
    rng = Random(seed)
    game = legal_game(PLAYERS["suds"], rng)
    while game.players != 2:
        game = legal_game(PLAYERS["suds"], rng)
    played = game.events[:60]
    return [*_texts(played), *_journals(played), *_pictures(seed), *_shipped()]


def _texts(played: tuple[Event, ...]) -> list[Kind]:
    deck = (readers.DECK / "deck.toml").read_bytes()
    script = (readers.SHIPPED / "scripts" / "suds.txt").read_bytes()
    calibration = _calibration()
    return [
        Kind("events (JSON Lines)", ".jsonl", _lines(played), readers.events),
        Kind("settings (TOML)", ".toml", SETTINGS, readers.settings),
        Kind("club file (TOML)", ".toml", CLUB, readers.club),
        Kind("deck (TOML)", ".toml", deck, readers.deck),
        Kind("calibration (TOML)", ".toml", calibration, readers.calibration, is_sealed=True),
        Kind("calibration with a right checksum", ".toml", calibration,
             readers.sealed_calibration),
        Kind("script of the simulated table", ".txt", script, readers.script),
        Kind("page's devices and set-up (JSON)", ".json", DEVICES, readers.kept_by_the_page),
    ]  # fmt: skip


def _journals(played: tuple[Event, ...]) -> list[Kind]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.sqlite"
        journal = JournalFile(path, clock=lambda: 1000.0)
        number = journal.begin(GameHead("suds", 2, dict(make_setup(game_named("suds"), 2).options)))
        for entry in _entries(played):
            journal.append(number, [entry])
        left = [path.with_name(path.name + end).read_bytes() for end in ("", "-wal", ".rows")]
        journal.close()
        whole = path.read_bytes()
    file, log, counts = left
    read = readers.log_of(file, counts, len(played))
    return [
        Kind("journal (SQLite)", ".sqlite", whole, readers.journal, is_sealed=True),
        Kind("journal's log (SQLite)", ".wal", log, read, is_sealed=True),
    ]


def _pictures(seed: int) -> list[Kind]:
    scene = np.random.default_rng(seed).integers(0, 255, (120, 160, 3), np.uint8)
    svg = (readers.DECK / "faces" / f"{readers.FACE}.svg").read_bytes()
    return [
        Kind("picture (PNG)", ".png", _picture(scene, ".png"), readers.picture),
        Kind("picture (JPEG)", ".jpg", _picture(scene, ".jpg"), readers.picture),
        Kind("film (AVI)", ".avi", _film(seed), readers.video),
        Kind("card art (SVG)", ".svg", svg, readers.art),
        Kind("card art (PNG)", ".png", _picture(scene[:, :100], ".png"), readers.art),
    ]


def _shipped() -> list[Kind]:
    weights = readers.SHIPPED / "weights"
    found = []
    for name, path, read in (
        ("taught deck (npz)", readers.DECK / "taught.npz", readers.taught()),
        ("weights' description (JSON)", weights / "locator.json", readers.weights),
        ("fitted confidence (JSON)", weights / "confidence.json", readers.confidence),
    ):
        if path.is_file() and path.stat().st_size <= MOST_SAMPLE_BYTES:
            found.append(Kind(name, path.suffix, path.read_bytes(), read))
    return found


SETTINGS = b"""[signals]
muted = false
night_level = 0.2
[signals.mistake]
lamp = "mistake"
colour = "red"
pattern = "blink"
[pins]
mistake = 17
seats = [5, 6]
[pins.buttons]
start = 24
"out/2" = 25
[vision]
doubt_s = 1.0
"""
CLUB = b"""[club]
name = "harbour"
home_assistant = true
[broker]
host = "broker.local"
port = 1883
user = "table-1"
password = "secret"
keepalive_s = 15
[table]
name = "table-1"
token = "0123456789abcdef0123456789abcdef"
"""
DEVICES = json.dumps(
    [{"number": n, "name": "phone", "role": "watcher", "digest": 16 * "beef"} for n in (1, 2)]
).encode()


def _entries(played: tuple[Event, ...]) -> list[EventEntry | OverruledEntry]:
    suds = game_named("suds")
    session = begin(suds, make_setup(suds, 2))
    found: list[EventEntry | OverruledEntry] = []
    for number, event in enumerate(played, 1):
        session, calls = step(session, event)
        found.append(EventEntry(event, calls, (0.25, 0.5)))
        if number % 5 == 0:
            found.append(OverruledEntry(number, '{"kind": "none"}'))
    return found


def _lines(played: tuple[Event, ...]) -> bytes:
    return "".join(f"{event.to_json()}\n" for event in played).encode()


def _picture(scene: np.ndarray, suffix: str) -> bytes:
    return cv2.imencode(suffix, scene)[1].tobytes()


def _film(seed: int) -> bytes:
    rng = np.random.default_rng(seed)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "film.avi"
        film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 5, (96, 64))
        for _ in range(8):
            film.write(rng.integers(0, 255, (64, 96, 3), np.uint8))
        film.release()
        return path.read_bytes()


def _calibration() -> bytes:
    from calibration import store

    plane = ((0.7, 0.01, -3.0), (0.0, 0.7, 2.0), (0.0, 0.0001, 1.0))
    table = store.TableFit(plane, 700.0, 450.0, "mat table", 0.4, ("bottom", "top"), "2026-11-01")
    lens = store.Intrinsics(900.0, 900.0, 640.0, 360.0, (0.1, -0.2, 0.0, 0.0, 0.05), 0.3, 11,
                            "2026-11-01")  # fmt: skip
    light = store.LightLock((("gain", 12.0),), 110.0, "2026-11-01")
    with tempfile.TemporaryDirectory() as folder:
        path = store.save(store.Calibration("0", 1280, 720, lens, table, light), Path(folder))
        return path.read_bytes()
