"""One sample of every kind of file that the program reads, and who reads it."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random

import cv2
import numpy as np

import models
from kiosk.journal.entries import EventEntry, GameHead
from kiosk.journal.file import JournalFile
from kiosk.journal.opening import read_journal
from lab.chaos.damage import Reader
from lab.players.players import PLAYERS
from lab.players.table import legal_game
from rules.contract.game import make_setup
from rules.contract.reader import read_events
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
    events = legal_game(PLAYERS["suds"], Random(seed)).events[:60]
    root = Path(models.__file__).parent
    deck = root / "decks" / "suds"
    scene = np.random.default_rng(seed).integers(0, 255, (120, 160, 3), np.uint8)
    script = (root / "scripts" / "suds.txt").read_bytes()
    found = [
        Kind("journal (SQLite)", ".sqlite", _journal(events), _read_journal, is_sealed=True),
        Kind("events (JSON Lines)", ".jsonl", _lines(events), _read_lines),
        Kind("settings (TOML)", ".toml", SETTINGS, _read_settings),
        Kind("deck (TOML)", ".toml", (deck / "deck.toml").read_bytes(), _read_deck),
        Kind("calibration (TOML)", ".toml", _calibration(), _read_calibration),
        Kind("script of the simulated table", ".txt", script, _read_script),
        Kind("picture (PNG)", ".png", _picture(scene, ".png"), _read_picture),
        Kind("picture (JPEG)", ".jpg", _picture(scene, ".jpg"), _read_picture),
    ]
    for name, path, read in (
        ("taught deck (npz)", deck / "taught.npz", _taught_reader()),
        ("weights' description (JSON)", root / "weights" / "locator.json", _read_weights),
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


def _journal(events: tuple[Event, ...]) -> bytes:
    suds = game_named("suds")
    setup = make_setup(suds, 2)
    session, entries = begin(suds, setup), []
    for event in events:
        session, calls = step(session, event)
        entries.append(EventEntry(event, calls, (0.25, 0.5)))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.sqlite"
        journal = JournalFile(path, clock=lambda: 1000.0)
        journal.append(journal.begin(GameHead("suds", 2, dict(setup.options))), entries)
        journal.close()
        return path.read_bytes()


def _lines(events: tuple[Event, ...]) -> bytes:
    return "".join(f"{event.to_json()}\n" for event in events).encode()


def _picture(scene: np.ndarray, suffix: str) -> bytes:
    return cv2.imencode(suffix, scene)[1].tobytes()


def _calibration() -> bytes:
    from calibration import store
    from calibration.store import Calibration

    with tempfile.TemporaryDirectory() as folder:
        path = store.save(Calibration("0", 1280, 720), Path(folder))
        return path.read_bytes()


def _read_journal(path: Path) -> object:
    return read_journal(path, 1)


def _read_lines(path: Path) -> object:
    return list(read_events(path.read_bytes().splitlines(), game_named("suds"), 2))


def _read_settings(path: Path) -> object:
    from calibration.settings import load_settings

    return load_settings(path)


def _read_deck(path: Path) -> object:
    from models.deck import load_deck

    folder = path.with_suffix(".deck")
    folder.mkdir(exist_ok=True)
    (folder / "deck.toml").write_bytes(path.read_bytes())
    try:
        return load_deck(str(folder)).name
    finally:
        (folder / "deck.toml").unlink()
        folder.rmdir()


def _read_calibration(path: Path) -> object:
    from calibration import store

    return store.load(path)


def _read_script(path: Path) -> object:
    from models.drawing.script import read_script, truth

    return truth(read_script(str(path)))


def _read_picture(path: Path) -> object:
    from models.picture_file import read_picture

    return read_picture(path).shape


def _taught_reader() -> Reader:
    from models.gallery import load_gallery
    from vision.networks.embedder import Embedder

    checksum = Embedder(threads=1).checksum

    def read(path: Path) -> object:
        return len(load_gallery(path, checksum).faces)

    return read


def _read_weights(path: Path) -> object:
    """The description of the shipped weights, damaged, beside the whole weights."""
    from vision.networks.engine import check_weights
    from vision.networks.locator import VERSION

    weights = path.with_suffix(".onnx")
    weights.symlink_to(Path(models.__file__).parent / "weights" / "locator.onnx")
    return check_weights(weights, VERSION)
