"""Teaches a deck from its pictures and a person's answers: a wish in, what came of it out."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from calibration.deck import live_teach, teach
from calibration.deck.asked_files import keep_asked, kept_asked
from calibration.deck.contact_sheet import write_sheet
from calibration.deck.deck_files import faces_in, keep_pictures, teaching_files, write_deck
from calibration.deck.ends import (
    NO_ANSWERS,
    Answers,
    Asked,
    End,
    Taken,
    Unusable,
    with_outline,
)
from calibration.deck.face_names import (
    cards_of,
    faces_of,
    game_of_faces,
    game_of_folder,
    shipped_deck,
    taught_face,
)
from calibration.deck.history import keep_state
from calibration.deck.named_sheets import NamedSheet, all_ends
from calibration.deck.outline import deck_outline
from calibration.deck.proposals import Finder
from calibration.deck.teach import TeachingPicture
from calibration.deck.verdicts import finished
from models.deck import Deck, load_deck, missing_faces
from models.gallery import BACK, Gallery, load_gallery
from rules.errors import FairdealError
from vision.networks.embedder import Embedder

WIDTH_MM = 63.0  # of a card whose size nobody gave
ASPECTS = 0.8, 2.0  # height / width that a measured card may have
NAMES_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Wish:
    """How a deck is to be taught. Of `folder` (pictures <face>.jpg|png) and `source` (a camera) at
    most one is given; `sheets` show several cards each. With none of them, `answers` settle what
    the deck in `out` has asked.

    size: (width, height) mm of a card. is_more: adds to the deck that is in `out` already.
    """

    name: str
    out: Path
    folder: Path | None = None
    source: str | None = None
    signals: str | None = None
    game: str = ""
    size: tuple[float, float] | None = None
    outline: str | None = None
    answers: Answers = NO_ANSWERS
    is_more: bool = False
    sheets: tuple[NamedSheet, ...] = ()

    @property
    def keeps(self) -> bool:
        """Whether what the deck in `out` has learnt stays."""
        has_new = self.folder is not None or self.source is not None or bool(self.sheets)
        return self.is_more or not has_new


@dataclass(frozen=True, slots=True, eq=False)
class Teaching:
    """What came of it: the deck as written, the end of each picture looked at, the files that were
    not used, and the contact sheet."""

    deck: Deck
    gallery: Gallery
    ends: tuple[End, ...]
    refused: tuple[FairdealError, ...]
    sheet: tuple[Path, Path]

    @property
    def missing(self) -> tuple[str, ...]:
        """The faces that the deck still lacks."""
        return self.deck.missing

    @property
    def asked(self) -> tuple[Asked, ...]:
        """The pictures that wait for an answer."""
        return tuple(end for end in self.ends if isinstance(end, Asked))


class NothingTaken(FairdealError):
    """No picture is taken without an answer. The questions are kept."""

    def __init__(self, asked: tuple[Asked, ...], refused: tuple[FairdealError, ...]) -> None:
        self.asked, self.refused = asked, refused
        if asked:
            super().__init__("a card that is certain", f"{len(asked)} to ask about",
                             "look at the sheet and answer")  # fmt: skip
        else:
            super().__init__("at least one usable picture", "none", "photograph each face alone")


def teach_deck(wish: Wish, finder: Finder, embedder: Embedder) -> Teaching:
    """Writes the deck with every face that is taken, and keeps what is asked in its folder.

    Raises FairdealError: NothingTaken, faces of the deck in `wish.out` that would be lost, a wrong
    answer, a place that cannot be written. Then the deck in `wish.out` stays as it was.
    """
    refused: list[FairdealError] = []
    old = _old(wish, embedder)
    game, expected, ends = _ends(wish, finder, old, refused)
    refused += [end.reason for end in ends if isinstance(end, Unusable)]
    taken = [end.picture for end in ends if isinstance(end, Taken)]
    asked = tuple(end for end in ends if isinstance(end, Asked))
    try:
        if not taken and (old is None or not asked):
            write_questions(wish, ends)
            raise NothingTaken(asked, tuple(refused))
        deck = _deck(wish, game, taken, old)
        _check_kept(deck)
        deck = replace(deck, missing=_missing(deck, expected, ends, old))
    except FairdealError:
        if wish.source and taken:
            keep_pictures(taken, wish.out.with_name(wish.out.name + "-pictures"))
        raise
    gallery = _gallery(taken, old, embedder)
    keep_state(wish.out)
    if old is None:  # other cards may lie in this folder from now on
        deck.learned.unlink(missing_ok=True)
    write_deck(deck, gallery)
    sheet = write_questions(wish, ends)
    return Teaching(deck, gallery, tuple(ends), tuple(refused), sheet)


def write_questions(wish: Wish, ends: list[End]) -> tuple[Path, Path]:
    """Keeps the asked pictures, and writes the sheet. Returns the sheet's paths."""
    keep_asked(wish.out, [end for end in ends if isinstance(end, Asked)])
    return write_sheet(wish.out, Path(wish.name).name, ends)


def _old(wish: Wish, embedder: Embedder) -> tuple[Deck, Gallery] | None:
    """The deck to which pictures are added; None for a new one."""
    if not wish.keeps or not (wish.out / "taught.npz").is_file():
        return None
    return load_deck(wish.out), load_gallery(wish.out / "taught.npz", embedder.checksum)


def _ends(
    wish: Wish,
    finder: Finder,
    old: tuple[Deck, Gallery] | None,
    refused: list[FairdealError],
) -> tuple[str, set[str], list[End]]:
    """The game (or ""), the faces that the deck should have, and the end of each picture."""
    game = wish.game or game_of_folder(wish.out)
    known = faces_of(game)
    taught = teach.pictures_of_gallery(old[1]) if old is not None else []
    kept = kept_asked(wish.out) if wish.keeps else []
    aspect = wish.size[1] / wish.size[0] if wish.size else None
    if aspect is None and old is not None:
        aspect = old[0].height_mm / old[0].width_mm
    if wish.source:
        wanted = known - {picture.face for picture in taught}
        pictures = live_teach.from_camera(wish.source, wanted, finder, aspect, wish.signals)
        return game, known, [*_names(pictures), *_waiting(kept, {p.face for p in pictures})]
    expected: set[str] = set()
    ends: list[End] = []
    if wish.folder is not None or wish.sheets:
        known |= cards_of(game)
        files, expected = _files(wish.folder, known, refused)
        expected |= {face for sheet in wish.sheets for face in sheet.faces if face} - {BACK}
        ends = all_ends(files, wish.sheets, finder, aspect)
        kept = _waiting(kept, {end.face for end in ends})
        game = game or game_of_faces(expected)
    elif not kept:
        raise FairdealError("pictures that wait for an answer", f"none in {wish.out}",
                            "give --from DIR with the pictures")  # fmt: skip
    return game, expected, finished(wish.answers.settled([*ends, *kept]), taught)


def _files(
    folder: Path | None, known: set[str], refused: list[FairdealError]
) -> tuple[list[tuple[str, Path]], set[str]]:
    """The usable files of a folder with their faces, and all faces that its files name."""
    if folder is None:
        return [], set()
    return teaching_files(folder, known, refused.append), faces_in(folder, known)


def _waiting(kept: list[Asked], faces: set[str]) -> list[Asked]:
    """The questions of faces that have no new picture."""
    return [one for one in kept if one.face not in faces]


def _names(pictures: Iterable[TeachingPicture]) -> list[End]:
    return [Taken(picture.face, picture) for picture in pictures]


def _deck(
    wish: Wish, game: str, taken: list[TeachingPicture], old: tuple[Deck, Gallery] | None
) -> Deck:
    taught = [] if old is None else list(old[1].faces)
    names = [n for n in dict.fromkeys([*taught, *(p.face for p in taken)]) if n != BACK]
    game = game or game_of_faces(set(names))
    shipped = shipped_deck(game)
    known = {face.name: face for face in shipped.faces} if shipped else {}
    known |= {} if old is None else {face.name: face for face in old[0].faces}
    faces = tuple(taught_face(known.get(name), name, names) for name in names)
    if old is not None:
        return replace(old[0], faces=faces, game=game)
    width, height = wish.size or (WIDTH_MM, round(WIDTH_MM * _aspect(taken), 1))
    learnt, polygon = deck_outline(taken)
    # Flat art and a few pictures may leave the outline open: then the hint counts.
    outline = wish.outline or "card" if polygon is None else learnt
    return Deck(Path(wish.name).name, game, width, height, outline, faces, BACK, wish.out)


def _gallery(
    taken: list[TeachingPicture], old: tuple[Deck, Gallery] | None, embedder: Embedder
) -> Gallery:
    if old is None:
        common = teach.common_outline(taken)
        return teach.build_gallery([with_outline(one, common) for one in taken], embedder)
    if not taken:
        return old[1]
    cut = [with_outline(one, old[1].outline) for one in taken]
    return old[1].joined(teach.build_gallery(cut, embedder))


def _missing(
    deck: Deck, expected: set[str], ends: list[End], old: tuple[Deck, Gallery] | None
) -> tuple[str, ...]:
    """The faces of the game, of the files and of what the deck lacked before, that it has not."""
    needed = {*expected, *(end.face for end in ends), *(old[0].missing if old is not None else ())}
    needed |= cards_of(deck.game) if deck.game else set()
    return tuple(missing_faces(deck.names, needed - {BACK}))


def _check_kept(deck: Deck) -> None:
    """FairdealError if a face of the deck in this folder would be lost."""
    if not (deck.folder / "deck.toml").is_file():
        return
    lost = sorted(set(load_deck(deck.folder).names) - set(deck.names))
    if lost:
        raise FairdealError(
            f"every face of the deck in {deck.folder}", f"no sure picture of {listed(lost)}",
            "keep its faces with --add, or name another --out",
        )  # fmt: skip


def _aspect(pictures: Iterable[TeachingPicture]) -> float:
    """Median height / width of the cards in the pictures."""
    sizes = [
        np.linalg.norm(p.quad[3] - p.quad[0]) / np.linalg.norm(p.quad[1] - p.quad[0])
        for p in pictures
    ]
    return float(np.clip(np.median(sizes), *ASPECTS))


def listed(names: Iterable[str]) -> str:
    """The first names, and how many more there are."""
    names = list(names)
    more = len(names) - NAMES_SHOWN
    return ", ".join(names[:NAMES_SHOWN]) + (f" and {more} more" if more > 0 else "")
