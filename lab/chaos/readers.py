"""Who reads each kind of file that the program reads, as the commands do."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import models
from lab.chaos.damage import Reader
from rules.errors import FairdealError
from rules.games import game as game_named

SHIPPED = Path(models.__file__).parent
DECK = SHIPPED / "decks" / "suds"
FACE = "hat"


def journal(path: Path) -> object:
    """Everything of a journal's first game that has a checksum."""
    from kiosk.journal.reading import JournalReader

    with JournalReader(path) as opened:
        opened.games(), opened.moved(1), opened.lost_games()
        return (opened.events(1), list(opened.calls(1)), list(opened.overrulings(1)))


def log_of(file: bytes, counts: bytes, total: int) -> Reader:
    """Reads a write-ahead log beside the journal `file` and its `counts` of `total` events.

    What is read is the beginning of the game, and what is missing is counted, or it is a fault.
    """

    def read(path: Path) -> object:
        from kiosk.journal.reading import JournalReader

        with tempfile.TemporaryDirectory() as folder:
            whole = Path(folder) / "journal.sqlite"
            whole.write_bytes(file)
            whole.with_name("journal.sqlite.rows").write_bytes(counts)
            shutil.copy(path, whole.with_name("journal.sqlite-wal"))
            with JournalReader(whole) as opened:
                rows, lost = opened.games(), opened.lost_games()
                if not rows and not lost:
                    raise AssertionError("a game went without a word")
                kept = len(opened.events(1)) if rows else 0
                missing = rows[0].missing if rows else lost[1]
                return kept + missing == total

    return read


def events(path: Path) -> object:
    """As `fairdeal replay`, and the presses of `fairdeal referee`."""
    from kiosk.game.paths import read_presses
    from rules.contract.reader import read_events

    found = list(read_events(path.read_bytes().splitlines(), game_named("suds"), 2))
    try:
        read_presses(path, game_named("suds"), 2)
    except FairdealError:
        return found
    return found


def settings(path: Path) -> object:
    """As every command."""
    from calibration.settings import load_settings

    return load_settings(path)


def club(path: Path) -> object:
    """A table's club file, and the board's."""
    from kiosk.club.settings import read_club_file

    path.chmod(0o600)
    return read_club_file(path, is_table=True)


def deck(path: Path) -> object:
    """A deck's `deck.toml`, and the sheets that would be printed of it."""
    from kiosk.printing.decks import cards_of, sheet_for
    from models.deck import load_deck

    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(path, Path(folder) / "deck.toml")
        loaded = load_deck(folder)
        return loaded.name, len(cards_of(loaded)), sheet_for(loaded, "a4")


def art(path: Path) -> object:
    """A face's art: printed, and drawn for the simulated table."""
    from kiosk.printing.decks import print_deck
    from models.deck import load_deck
    from models.drawing.raster import face_picture

    with tempfile.TemporaryDirectory() as folder:
        faces = Path(folder) / "faces"
        faces.mkdir()
        shutil.copy(path, faces / f"{FACE}{path.suffix}")
        shutil.copy(path, faces / f"back{path.suffix}")
        (Path(folder) / "deck.toml").write_text(
            'name = "own"\nwidth_mm = 63\nheight_mm = 88\n[[faces]]\nname = "hat"\n'
        )
        print_deck(folder, Path(folder) / "own.pdf")
        return face_picture(load_deck(folder), FACE, 200).shape


def calibration(path: Path) -> object:
    """A calibration as it is stored."""
    from calibration import store

    return store.load(path)


def sealed_calibration(path: Path) -> object:
    """The same with a right checksum, whatever was damaged, and what a game makes of it."""
    from calibration import saved_setup, store

    text = path.read_bytes().decode("utf-8", "replace")
    head, _, body = text.partition("checksum = ")
    body = body.partition("\n")[2]
    sealed = f'{head}checksum = "{store.checksum_of(body)}"\n{body}'
    path.write_text(sealed, encoding="utf-8", newline="")
    found = store.load(path)
    return saved_setup.tables((found,)), saved_setup.seats((found,), 2)


def script(path: Path) -> object:
    """A script of the simulated table."""
    from models.drawing.script import read_script, truth

    return truth(read_script(str(path)))


def picture(path: Path) -> object:
    """A picture, as `fairdeal see` reads it."""
    from models.picture_file import read_picture

    return read_picture(path).shape


def video(path: Path) -> object:
    """A film to its end."""
    from vision.sources import open_source

    with open_source(str(path)) as source:
        count = 0
        while source.read() is not None:
            count += 1
        return count


def taught() -> Reader:
    """A taught deck."""
    from models.gallery import load_gallery
    from vision.networks.embedder import Embedder

    checksum = Embedder(threads=1).checksum

    def read(path: Path) -> object:
        return len(load_gallery(path, checksum).faces)

    return read


def weights(path: Path) -> object:
    """The description of the shipped weights, damaged, beside the whole weights."""
    from vision.networks.engine import check_weights
    from vision.networks.locator import VERSION

    beside = path.with_suffix(".onnx")
    beside.symlink_to(SHIPPED / "weights" / "locator.onnx")
    return check_weights(beside, VERSION)


def confidence(path: Path) -> object:
    """The fitted confidence."""
    from vision.recognition.confidence import Confidence

    Confidence.load(path)
    return None


def kept_by_the_page(path: Path) -> object:
    """What the page keeps as JSON: the last set-up, the set-up's steps, evidence, devices.

    Nothing of it but the devices is worth an error: a damaged file is one that is not there.
    """
    from kiosk.web.access import Access
    from kiosk.web.evidence import read_evidence
    from kiosk.web.first_hour.record import FILE, load_steps
    from kiosk.web.setup import load_last

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        call = folder / "1" / "000001"
        call.mkdir(parents=True)
        shutil.copy(path, folder / FILE)
        shutil.copy(path, call / "evidence.json")
        load_steps(folder), read_evidence(folder, "1", 1), load_last(path, folder)
    return len(Access(path).devices)
