"""`fairdeal doctor --self-test`: proves that an installed version works, before it takes over.

It needs no camera and no network, and writes nothing.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from calibration.finding import Finding, Verdict
from rules.errors import FairdealError

if TYPE_CHECKING:
    from kiosk.journal.reading import JournalReader

# Together they import every foreign library that a running table needs.
MODULES = (
    "kiosk.web.server", "kiosk.assembly", "kiosk.journal.file", "kiosk.printing.decks",
    "kiosk.terminal.watching", "vision.recognition.eyes", "vision.sources", "device.outputs",
    "calibration.cli",
)  # fmt: skip
SCRIPT, SEEN_AT_S = "suds", 10.2  # a shipped game, at a moment when no hand hides a card
GAMES_READ = 50  # the newest games of the journal
# Our own short game of Suds: two players, one wrong card, taken back.
EVENTS = b"""
{"at": 1.0, "event": "pressed", "button": "start"}
{"at": 2.0, "event": "placed", "card": "hat", "place": "pile/1", "seat": 1}
{"at": 3.0, "event": "placed", "card": "pants", "place": "pile/1", "seat": 2}
{"at": 4.0, "event": "removed", "card": "pants", "place": "pile/1", "seat": 2}
"""
CALLS = (("mistake", "out-of-sequence"), ("corrected", "out-of-sequence"))


def self_test(weights: Path, calibrations: Path, journal: Path) -> Iterator[Finding]:
    """Each part's result, in the order in which a game needs them."""
    from calibration.doctor import weights_there

    imported = _checked("imports", _imports)
    yield imported
    if imported.state is Verdict.BAD:
        return
    yield from weights_there(weights)
    yield _checked("picture", _picture)
    yield _checked("replay", _replay)
    yield _checked("journal", lambda: _journal(journal))
    yield from _calibrations(calibrations)


def _checked(name: str, check: Callable[[], str | Finding]) -> Finding:
    """The check's words or finding; whatever it raises is the version's fault, in one line."""
    try:
        found = check()
        return found if isinstance(found, Finding) else Finding(name, Verdict.GOOD, found)
    except FairdealError as error:
        return Finding(name, Verdict.BAD, str(error))
    except Exception as error:
        words = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        return Finding(name, Verdict.BAD, words)


def _imports() -> str:
    for name in MODULES:
        importlib.import_module(name)
    return f"{len(MODULES)} packages"


def _picture() -> str:
    """A drawn table is seen as it was drawn."""
    from models.deck import load_deck
    from models.drawing.play import Play
    from models.drawing.script import read_script
    from vision.recognition.eyes import Eyes

    play = Play(read_script(SCRIPT), load_deck(SCRIPT))
    picture = play.picture(SEEN_AT_S)
    tops = sorted({place: face for face, place, _ in play.cards}.values())
    seen = sorted(Eyes.open(SCRIPT, 2).see(picture).faces)
    if seen != tops:
        raise FairdealError(f"the cards {', '.join(tops)}", ", ".join(seen) or "none")
    return f"{len(seen)} cards"


def _replay() -> str:
    """A short game is judged as the rules say."""
    from rules.contract.game import make_setup
    from rules.contract.reader import read_events
    from rules.games import game
    from rules.judging.referee import begin, step

    suds = game("suds")
    session, said = begin(suds, make_setup(suds, 2, {})), []
    for event in read_events(EVENTS.splitlines(), suds, 2):
        session, calls = step(session, event)
        said += [(call.call.value, call.rule) for call in calls]
    if tuple(said) != CALLS:
        raise FairdealError(f"the calls {CALLS}", f"{tuple(said)}")
    return f"{len(said)} calls"


def _journal(path: Path) -> Finding:
    """The games of the version before are read, event by event and call by call.

    A single damaged game is no fault of a version; a game that is being played is left out.
    """
    from kiosk.journal.reading import JournalReader

    if not path.is_file():
        return Finding("journal", Verdict.GOOD, "none yet")
    with JournalReader(path) as journal:
        rows = journal.games()[-GAMES_READ:]
        over = [row.number for row in rows if journal.lock(row.number).is_free()]
        faults = [fault for number in over if (fault := _unreadable(journal, number))]
    if not faults:
        return Finding("journal", Verdict.GOOD, f"{len(over)} games read")
    state = Verdict.BAD if len(faults) == len(over) else Verdict.WARN
    words = f"{len(faults)} of {len(over)} games cannot be read: {faults[0]}"
    return Finding("journal", state, words)


def _unreadable(journal: JournalReader, number: int) -> str:
    """Why a game cannot be read; empty if it can."""
    try:
        journal.events(number)
        for _ in journal.calls(number):
            pass
    except FairdealError as error:
        return str(error)
    return ""


def _calibrations(folder: Path) -> Iterator[Finding]:
    """Those of the version before are read; an old or missing one is no fault of a version."""
    files = [p for p in sorted(folder.glob("*.toml")) if not p.name.startswith(".")]
    for path in files:
        yield _checked(f"calibration {path.stem}", partial(_camera, path))
    if not files:
        yield Finding("calibration", Verdict.GOOD, "none yet")


def _camera(path: Path) -> str:
    from calibration import store

    return store.load(path).camera
