"""Sheets whose cards have names: read from words, taught together with single pictures."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from calibration.deck.deck_files import numbered
from calibration.deck.ends import Asked, End
from calibration.deck.face_names import is_name, nearest_name
from calibration.deck.photographs import read_photographs
from calibration.deck.proposals import Finder
from calibration.deck.sheet_checks import checked
from calibration.deck.sheets import CutCard, Sheet, cut_cards
from calibration.deck.verdicts import ends_of
from models.gallery import BACK
from rules.errors import FairdealError
from rules.files import read_bytes

NONE = "-"  # the name of what is no card, or is not wanted
LONGEST = 1 << 16  # bytes of a file of names


@dataclass(frozen=True, slots=True, eq=False)
class NamedSheet:
    """A sheet and the faces (N,) of its cards; "" leaves one out."""

    sheet: Sheet
    faces: tuple[str, ...]


def read_names(words: str) -> list[str]:
    """Names as typed, `a,b c`, or those in a file of that name."""
    if words and Path(words).is_file():
        words = read_bytes(Path(words), "a file of names", most=LONGEST).decode("utf-8", "replace")
    return [name.strip().lower() for name in words.replace(",", " ").split()]


def named(sheets: Sequence[Sheet], names: Sequence[str], known: set[str]) -> list[NamedSheet]:
    """The sheets with the names of their cards in reading order. FairdealError for another number
    of names, and for one that is no face.

    Things that may be no cards are left out, if there are as many names as sure cards. known: the
    faces of the game; empty if any name will do.
    """
    cards = sum(len(sheet.cards) for sheet in sheets)
    sure = [sheet.sure for sheet in sheets]
    if len(names) == sum(len(sheet.cards) for sheet in sure) != cards:
        sheets, cards = sure, len(names)
    if len(names) != cards:
        raise FairdealError(f"{cards} names, one for each card found", str(len(names)),
                            f"{NONE} leaves a card out")  # fmt: skip
    for name in names:
        _check(name, known)
    left = iter("" if name == NONE else name for name in names)
    return [NamedSheet(sheet, tuple(next(left) for _ in sheet.cards)) for sheet in sheets]


def _check(name: str, known: set[str]) -> None:
    if name in (NONE, BACK) or (name in known if known else is_name(name)):
        return
    near = nearest_name(name, known) if known else None
    expected = "a face of the game" if known else "a face of small letters, digits and hyphens"
    todo = f"perhaps {near}?" if near else f"{NONE} leaves a card out"
    raise FairdealError(expected, ascii(name)[:80], todo)


def all_ends(
    files: Sequence[tuple[str, Path]], sheets: Sequence[NamedSheet], finder: Finder,
    aspect: float | None,
) -> list[End]:  # fmt: skip
    """The end of each file with its face, then of each named card of the sheets. All of them vote
    together. aspect: height / width of the cards, if known."""
    faces = [face for sheet in sheets for face in sheet.faces if face]
    names = numbered([*(face for face, _ in files), *faces])
    left = iter(names[len(files) :])
    cuts = [_cut(sheet, left, finder) for sheet in sheets]
    photographs = read_photographs(files, finder, aspect)
    ends = ends_of([*photographs, *(cut.photograph for own in cuts for cut in own)], aspect)
    told, first = ends[: len(files)], len(files)
    for own in cuts:
        mine = checked(own, ends[first : first + len(own)])
        told += [_laid(cut, end) if cut.is_given else end
                 for cut, end in zip(own, mine, strict=True)]  # fmt: skip
        first += len(own)
    return told


def _cut(one: NamedSheet, names: Iterator[str], finder: Finder) -> list[CutCard]:
    own = [next(names) if face else "" for face in one.faces]
    return cut_cards(one.sheet, one.faces, own, finder)


def _laid(cut: CutCard, end: End) -> End:
    """The card where a person has laid its corners."""
    photograph = cut.photograph
    asked = Asked(end.name, end.face, photograph.as_taken[..., :3], (),
                  FairdealError("corners", "given ones"))  # fmt: skip
    return asked.with_corners(cut.in_cut(cut.quad))
