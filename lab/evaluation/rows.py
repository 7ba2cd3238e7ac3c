"""Teaches drawn decks from drawn photographs of rows: found, ordered, taken, and corner errors."""

from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np

from calibration.deck.ends import End, Taken, Unusable
from calibration.deck.proposals import CardFinder
from calibration.deck.row_finding import SheetFinder
from calibration.deck.sheet_checks import checked
from calibration.deck.sheets import CutCard, Sheet, cut_cards, found_sheet
from calibration.deck.teach import TeachingPicture
from calibration.deck.verdicts import ends_of
from lab.evaluation.row_pictures import RowDeck, RowPicture, draw_row_decks
from lab.evaluation.teaching import corner_errors
from lab.evaluation.teaching_pictures import Folder, Image, Sample
from rules.errors import FairdealError
from vision import geometry
from vision.geometry import Quad
from vision.networks.embedder import Embedder
from vision.networks.locator import Locator
from vision.recognition.closeup import Closeup

DECKS = 18
FOUND = 0.5  # IoU of a found card with the true one
WRONG = 0.02  # of the card's length: an error from which a card is taken wrongly
FAULT = 0.01  # an error that is shown


@dataclass(slots=True)
class RowTally:
    """Cards of one condition. `ordered`: those with their right place in the order; `taken` of
    those that lie alone; `errors`: of the taken ones, as shares of the card's length."""

    cards: int = 0
    found: int = 0
    false: int = 0
    ordered: int = 0
    alone: int = 0
    taken: int = 0
    unusable: int = 0
    touching: int = 0
    touching_taken: int = 0
    errors: list[float] = field(default_factory=list)


@dataclass(slots=True)
class RowResult:
    """The whole bench, its conditions, and what went wrong as (what, picture)."""

    pictures: int = 0
    whole: RowTally = field(default_factory=RowTally)
    parts: dict[str, RowTally] = field(default_factory=dict)
    faults: list[tuple[str, Image]] = field(default_factory=list)

    def tallies(self, notes: tuple[str, ...]) -> list[RowTally]:
        """The tallies that a picture with these notes adds to."""
        return [self.whole, *(self.parts.setdefault(note, RowTally()) for note in notes)]


def rows(seed: int, decks: int = DECKS, threads: int = 2, first: int = 0) -> RowResult:
    """Draws the photographs of `decks` decks and teaches each."""
    embedder, locator = Embedder(threads=threads), Locator(threads=threads)
    finder = CardFinder(Closeup(locator, embedder.corners))
    several = SheetFinder(locator, embedder.corners)
    result = RowResult()
    for number, deck in enumerate(draw_row_decks(seed, decks, first=first), first):
        add_deck(result, f"{number:02d}", deck, several, finder)
    return result


def add_deck(
    result: RowResult, name: str, deck: RowDeck, several: SheetFinder, finder: CardFinder
) -> None:
    """Teaches one deck of its photographs together, each card under its true name."""
    cuts: list[CutCard] = []
    owners: list[RowPicture] = []
    for picture in deck.pictures:
        result.pictures += 1
        try:
            sheet = found_sheet(picture.bgr, name, several)
        except FairdealError:
            sheet = Sheet(name, picture.bgr)
        sheet, names = _named(result, f"{name} {picture.notes}", picture, sheet)
        own = cut_cards(sheet, names, names, finder)
        cuts += own
        owners += [picture] * len(own)
    ends = ends_of([cut.photograph for cut in cuts], None)
    ends = [end for picture in deck.pictures
            for end in checked(*_of(picture, owners, cuts, ends))]  # fmt: skip
    errors = _errors(deck, cuts, ends)
    for cut, end, picture in zip(cuts, ends, owners, strict=True):
        _add_card(result, f"{name}/{end.face} {picture.notes}", picture, cut, end,
                  errors.get(end.face))  # fmt: skip


def _of(
    picture: RowPicture, owners: list[RowPicture], cuts: list[CutCard], ends: list[End]
) -> tuple[list[CutCard], list[End]]:
    own = [k for k, owner in enumerate(owners) if owner is picture]
    return [cuts[k] for k in own], [ends[k] for k in own]


def _named(
    result: RowResult, label: str, picture: RowPicture, sheet: Sheet
) -> tuple[Sheet, list[str]]:
    """The sheet without things that are no cards, its cards' true names, "" for a false one; what
    was found and its order are counted."""
    if len(sheet.cards) != len(picture.quads):
        sheet = sheet.sure
    names = [_true_name(card.quad, picture) for card in sheet.cards]
    known = [name for name in names if name]
    is_ordered = known == [face for face in picture.faces if face in known]
    false, found = len(names) - len(known), len(set(known))
    for tally in result.tallies(picture.notes):
        tally.cards += len(picture.faces)
        tally.found += found
        tally.false += false
        tally.ordered += found if is_ordered else 0
    if false or found < len(picture.faces) or not is_ordered:
        shown = picture.bgr.copy()
        for card in sheet.cards:
            cv2.polylines(shown, [np.rint(card.quad).astype(np.int32)], True, (0, 0, 255), 3)
        result.faults.append(
            (f"{label}: {found} of {len(picture.faces)} found, {false} false, order "
             f"{is_ordered}", shown)
        )  # fmt: skip
    return sheet, names


def _true_name(quad: Quad, picture: RowPicture) -> str:
    likeness = [geometry.iou(quad, true) for true in picture.quads]
    best = int(np.argmax(likeness))
    return picture.faces[best] if likeness[best] > FOUND else ""


def _errors(deck: RowDeck, cuts: list[CutCard], ends: list[End]) -> dict[str, float]:
    """The corner error of each taken card, as for single pictures, on the sheets."""
    taken: dict[str, TeachingPicture] = {}
    for cut, end in zip(cuts, ends, strict=True):
        if isinstance(end, Taken):
            outline = end.picture.outline
            taken[end.face] = replace(
                end.picture, quad=cut.on_sheet(end.picture.quad),
                outline=None if outline is None else cut.on_sheet(outline),
            )  # fmt: skip
    samples = tuple(Sample(face, picture.bgr, quad, picture.notes) for picture in deck.pictures
                    for face, quad in zip(picture.faces, picture.quads, strict=True))  # fmt: skip
    return corner_errors(Folder(deck.deck, samples), taken)


def _add_card(
    result: RowResult, label: str, picture: RowPicture, cut: CutCard, end: End, error: float | None
) -> None:
    is_touching = picture.faces.index(end.face) in picture.touching
    is_taken = isinstance(end, Taken)
    for tally in result.tallies(picture.notes):
        tally.alone += not is_touching
        tally.taken += is_taken and not is_touching
        tally.touching += is_touching
        tally.touching_taken += is_taken and is_touching
        tally.unusable += isinstance(end, Unusable)
        if error is not None and not is_touching:
            tally.errors.append(error)
    is_wrong = is_taken and (is_touching or error is None or error > FAULT)
    if is_wrong or not (is_taken or is_touching):
        shown = np.array(cut.photograph.as_taken[..., :3])
        if isinstance(end, Taken):
            outline = end.picture.quad if end.picture.outline is None else end.picture.outline
            cv2.polylines(shown, [np.rint(outline).astype(np.int32)], True, (0, 0, 255), 2)
        why = f"off {error or 0:.1%}" if isinstance(end, Taken) else str(end.reason)[:80]
        result.faults.append((f"{label}: {why}", shown))


def section(result: RowResult, command: str, machine: str) -> str:
    """The result as a table: the whole, then each condition."""
    lines = [
        f"Drawn photographs ({result.pictures}) of cards in rows: several layouts with gaps, in "
        "seven styles and six outlines, on nine kinds of tables, by a hand-held camera.", "",
        f"`{command}` on {machine}. Error: as for single pictures, in parts of the card's length; "
        f"wrongly: beyond {WRONG:.0%}.", "",
        "| | cards | found | false | in order | taken | within 1 % | wrongly | median | p95 "
        "| touching | of them taken |",
        "|" + "---|" * 12,
    ]  # fmt: skip
    lines += [_row(name, tally) for name, tally in
              [("all", result.whole), *sorted(result.parts.items())]]  # fmt: skip
    if result.faults:
        lines += ["", "Faults: " + "; ".join(what for what, _ in result.faults)]
    return "\n".join(lines) + "\n"


def _row(name: str, tally: RowTally) -> str:
    errors = np.array(tally.errors or [np.nan])
    cells = [
        str(tally.cards), str(tally.found), str(tally.false), str(tally.ordered),
        f"{tally.taken / max(1, tally.alone):.1%}", f"{(errors < FAULT).mean():.1%}",
        f"{(errors > WRONG).mean():.1%}", f"{np.median(errors):.2%}",
        f"{np.quantile(errors, 0.95):.2%}", str(tally.touching), str(tally.touching_taken),
    ]  # fmt: skip
    return f"| {name} | " + " | ".join(cells) + " |"


def write_faults(result: RowResult, folder: Path) -> list[Path]:
    """Writes the pictures that went wrong; returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for number, (what, bgr) in enumerate(result.faults):
        paths.append(folder / f"{number:02d}-{what.split()[0].replace('/', '-')}.jpg")
        cv2.imwrite(str(paths[-1]), bgr)
    return paths
