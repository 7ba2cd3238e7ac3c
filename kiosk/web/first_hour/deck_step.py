"""Step 3, the deck: a shipped one, or one taught card by card, live and by photographs.

Every taught card is a picture in the teaching folder of its deck. `calibrate deck --from` makes the
deck of that folder, so pictures of the camera and photographs mix, and teaching can be left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from calibration.deck import live_teach
from calibration.deck.deck_report import shown_twins, twin_words
from calibration.deck.ends import Asked
from calibration.deck.face_names import faces_of
from calibration.deck.proposals import CardFinder, Finder
from calibration.deck.segmentation import Region
from calibration.deck.teaching import NothingTaken, Teaching, Wish, listed, teach_deck
from kiosk.web.first_hour import asked_step, rows_step
from kiosk.web.first_hour.bench import Bench
from kiosk.web.first_hour.camera_step import look as look_at_camera
from kiosk.web.first_hour.desk import Desk, Order
from kiosk.web.first_hour.pictures import is_name, kept_jpeg, number_of, teaching_folder
from kiosk.web.first_hour.resting import RestingFinder
from kiosk.web.first_hour.sheet_store import SheetStore
from kiosk.web.first_hour.steps import DeckShown, FaceShown, Mark, Step, Work
from kiosk.web.setup import listed_deck
from models.gallery import BACK
from rules.errors import FairdealError
from vision.frame import Image
from vision.networks.embedder import Embedder
from vision.sightings import Located

ORDERS = frozenset({"skip-face", "redo-face"})


def look(bench: Bench) -> None:
    """The live picture; photographs that were uploaded meanwhile appear."""
    _refresh(bench.desk)
    look_at_camera(bench)


def use(order: Order, bench: Bench) -> None:
    """Takes a deck that is there. Values: `deck`, one that the page lists."""
    desk, path = bench.desk, str(order.values.get("deck"))
    deck = listed_deck(path, desk.folder / "decks")
    desk.change(deck=DeckShown(chosen=path))
    words = f"{deck.name}: {len(deck.names)} faces"
    desk.mark(Step.DECK, Mark.PASSED, words)
    desk.tell("", words=(words,))


def begin(order: Order, bench: Bench) -> None:
    """Begins a deck, or goes on with it. Values: `game` whose faces are taught, `name`."""
    game, name = str(order.values.get("game")), str(order.values.get("name"))
    if not is_name(name):
        raise FairdealError("a name of small letters, digits and hyphens", ascii(name))
    faces = faces_of(game)
    if not faces:
        raise FairdealError("a game whose faces are known", ascii(game))
    ordered = live_teach.begin(faces).faces
    shown = bench.desk.state.deck
    bench.desk.change(deck=DeckShown(shown.chosen, game, name, tuple(map(FaceShown, ordered))))
    bench.desk.tell("")
    _refresh(bench.desk)


def refresh(order: Order, bench: Bench) -> None:
    """A photograph came or was taken back."""
    _refresh(bench.desk)


def forget(order: Order, bench: Bench) -> None:
    """Takes a face's picture back. Values: `face`."""
    shown, face = bench.desk.state.deck, str(order.values.get("face"))
    if face not in {one.face for one in shown.faces}:
        raise FairdealError("a face of this deck", ascii(face))
    for path in _files(bench.desk, face):
        path.unlink(missing_ok=True)
    _refresh(bench.desk)


def teach(order: Order, bench: Bench) -> None:
    """Asks for one card after another and takes its picture once it lies still."""
    desk = bench.desk
    missing = tuple(one.face for one in _named(desk).faces if not one.picture)
    desk.change(work=Work.TEACHING, message="", is_bad=False, words=())
    if not missing:
        desk.tell("Every face has its picture.")
        return
    finder = RestingFinder(_finder())
    bench.rewind()
    progress = live_teach.Progress(missing)
    while progress.face is not None and not desk.is_called_away(ORDERS):
        pressed = desk.take(ORDERS)
        if pressed is not None:
            progress = live_teach.press(progress, "s" if pressed.name == "skip-face" else "r")
        frame = bench.frame()
        located = finder.located(frame) if frame is not None else None
        if frame is not None and located is not None:
            taken = len(progress.pictures)
            progress = live_teach.step(progress, frame, located, None)
            _keep_new(desk, progress, taken)
        _show(desk, progress)
    desk.change(deck=replace(desk.state.deck, asked="", hint="", quad=()))
    _refresh(desk)
    desk.tell("")


def build(order: Order, bench: Bench) -> None:
    """Makes the deck of its pictures: `calibrate deck --from`, with its words."""
    desk, shown = bench.desk, _named(bench.desk)
    count = sum(1 for one in shown.faces if one.picture)
    desk.change(work=Work.BUILDING, progress=0.0, message="", is_bad=False, words=())
    embedder = Embedder()
    finder = Counting(
        _finder(embedder), lambda done: desk.change(progress=min(done / max(count, 1), 1.0))
    )
    out = desk.folder / "decks" / shown.name
    folder = teaching_folder(desk.folder, shown.name)
    has_singles = any(path.exists() for one in shown.faces for path in _files(desk, one.face))
    wish = Wish(shown.name, out, folder if has_singles else None, game=shown.game,
                answers=asked_step.remembered(desk), sheets=SheetStore(folder).named())  # fmt: skip
    try:
        teaching = teach_deck(wish, finder, embedder)
    except FairdealError as error:
        if isinstance(error, NothingTaken):
            _tell_why(desk, error.asked, error.refused)
        desk.mark(Step.DECK, Mark.OPEN, f"{shown.name} is not taught yet")
        raise
    finally:
        asked_step.show(desk)
    _told(desk, teaching, embedder)


def settle(order: Order, bench: Bench) -> None:
    """A person's answer to a doubtful picture. Values: as of `asked_step.answered`."""
    desk = bench.desk
    _named(desk)
    embedder = Embedder()
    try:
        teaching = asked_step.answered(order, desk, embedder)
    finally:
        asked_step.show(desk)
    if teaching is None:
        desk.tell("")
    else:
        _told(desk, teaching, embedder)


def _told(desk: Desk, teaching: Teaching, embedder: Embedder) -> None:
    """Shows what came of it; the step is passed once every face is taught."""
    shown = desk.state.deck
    _tell_why(desk, teaching.asked, teaching.refused)
    twins = shown_twins(teaching.gallery, embedder)
    alike = tuple((a, b, round(likeness, 2)) for a, b, likeness, _ in twins)
    desk.change(deck=replace(desk.state.deck, alike=alike))
    words = f"{shown.name}: {len(teaching.deck.names)} faces taught"
    if teaching.missing:
        desk.mark(Step.DECK, Mark.OPEN, words)
        if teaching.asked:  # the page asks for them one by one
            desk.tell("", words=(words,))
            return
        raise FairdealError(
            "a sure picture of every face", f"none of {listed(teaching.missing)}",
            "take these pictures again; the other faces are taught",
        )  # fmt: skip
    desk.change(deck=replace(desk.state.deck, chosen=str(teaching.deck.folder)))
    desk.mark(Step.DECK, Mark.PASSED, words)
    desk.tell("", words=(words, *twin_words(twins)))


@dataclass(slots=True)
class Counting:
    """A finder that says how many pictures it was asked for."""

    finder: Finder
    tell: Callable[[int], None]
    asked: int = 0

    def locate(self, bgr: Image, regions: Sequence[Region] | None = None) -> Located:
        """As `Finder.locate`."""
        found = self.finder.locate(bgr, regions)
        self.asked += 1
        self.tell(self.asked)
        return found


def _finder(embedder: Embedder | None = None) -> CardFinder:
    from vision.networks.locator import Locator
    from vision.recognition.closeup import Closeup

    return CardFinder(Closeup(Locator(), (embedder or Embedder()).corners))


def _named(desk: Desk) -> DeckShown:
    """The deck that is taught. Raises FairdealError where none is begun."""
    if not desk.state.deck.name:
        raise FairdealError("a game and a name for the deck", "none", "choose them first")
    return desk.state.deck


def _files(desk: Desk, face: str) -> list[Path]:
    folder = teaching_folder(desk.folder, desk.state.deck.name)
    return [folder / f"{face}{ending}" for ending in (".jpg", ".png")]


def _refresh(desk: Desk) -> None:
    """Which faces have a picture; a new picture has no fault yet."""
    faces = []
    store = SheetStore(teaching_folder(desk.folder, desk.state.deck.name))
    cuts = store.pictures()

    def on_sheets(face: str) -> list[Path]:
        return [cuts[face]] if face in cuts else []

    for one in desk.state.deck.faces:
        picture = max(map(number_of, (*_files(desk, one.face), *on_sheets(one.face))))
        faces.append(FaceShown(one.face, picture, one.why if picture == one.picture else ""))
    if tuple(faces) != desk.state.deck.faces:
        desk.change(deck=replace(desk.state.deck, faces=tuple(faces)))
    rows_step.refresh(desk)
    asked_step.show(desk)


def _keep_new(desk: Desk, progress: live_teach.Progress, before: int) -> None:
    folder = teaching_folder(desk.folder, desk.state.deck.name)
    for picture in progress.pictures[before:]:
        kept_jpeg(folder, picture.face, picture.bgr)
    if len(progress.pictures) > before:
        _refresh(desk)


def _show(desk: Desk, progress: live_teach.Progress) -> None:
    width, height = desk.state.size
    quad = progress.quad if progress.quad is not None and width else ()
    parts = tuple((round(float(x) / width, 4), round(float(y) / height, 4)) for x, y in quad)
    hint = progress.hint
    if progress.face == BACK and not hint:
        hint = "A card face down; skip it if the cards have two faces."
    shown = replace(desk.state.deck, asked=progress.face or "", hint=hint, quad=parts)
    done = progress.asked / len(progress.faces)
    desk.change(deck=shown, progress=done)


def _tell_why(desk: Desk, asked: Sequence[Asked], refused: Sequence[FairdealError]) -> None:
    """Writes beside each face why its picture is not used."""
    why = {one.face: str(one.reason) for one in asked}
    for error in refused:
        for shown in desk.state.deck.faces:
            if any(str(path) in str(error) for path in _files(desk, shown.face)):
                why[shown.face] = str(error)
    faces = tuple(
        replace(one, why=_without_paths(why.get(one.face, ""), desk.folder))
        for one in desk.state.deck.faces
    )
    desk.change(deck=replace(desk.state.deck, faces=faces))


def _without_paths(words: str, folder: Path) -> str:
    """The words without the folder's path: people know the face."""
    kept = [word for word in words.split() if str(folder) not in word]
    return " ".join(kept)
