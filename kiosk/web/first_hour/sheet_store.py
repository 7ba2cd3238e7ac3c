"""Photographs of several cards that teach a deck, on the disk: their cards, names and corners."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np

from calibration.deck.named_sheets import NamedSheet
from calibration.deck.sheets import LARGEST_PX, Sheet, SheetCard, card_view
from calibration.deck.table_pattern import without_pattern
from kiosk.serving.schema import Message, Number, Part, Text, Word, read_file
from kiosk.web.first_hour.pictures import kept_bytes, kept_jpeg
from models.picture_file import read_picture
from rules.errors import FairdealError
from vision.geometry import Quad

MOST_SHEETS, MOST_CARDS = 60, 120
CARD_PX = 240  # longer side of a cut card as the page shows it
FILE = "sheets.json"
WAITING = "in-"  # begins the name of a photograph that was not looked at yet

Point = tuple[Part, Part]
Corners = tuple[Point, Point, Point, Point]


class StoredCard(Message, frozen=True):
    """A card: its corners in parts of the picture, its face, why it may be no card, and whether a
    person has laid the corners."""

    corners: Corners
    face: Word = ""
    doubt: Text = ""
    is_given: bool = False


class StoredSheet(Message, frozen=True):
    """A photograph by its number, its size in px, and its cards in reading order."""

    number: Number
    width: Annotated[int, msgspec.Meta(ge=1, le=LARGEST_PX)]
    height: Annotated[int, msgspec.Meta(ge=1, le=LARGEST_PX)]
    cards: Annotated[list[StoredCard], msgspec.Meta(max_length=MOST_CARDS)]


class StoredSheets(Message, frozen=True):
    """All photographs of a deck."""

    sheets: Annotated[list[StoredSheet], msgspec.Meta(max_length=MOST_SHEETS)]


class SheetStore:
    """The sheets of one deck. `folder`: the deck's teaching folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "sheets"

    def all(self) -> list[StoredSheet]:
        """The sheets; none where there is no readable list."""
        try:
            return list(
                read_file(StoredSheets, self.folder / FILE, "the list of photographs").sheets
            )
        except FairdealError:
            return []

    def waiting(self) -> list[Path]:
        """Photographs that were sent and not looked at, the oldest first."""
        return sorted(self.folder.glob(f"{WAITING}*"))

    def put_waiting(self, data: bytes, ending: str) -> None:
        """Keeps a photograph until it is looked at. FairdealError if there are too many."""
        waiting = self.waiting()
        if len(waiting) + len(self.all()) >= MOST_SHEETS:
            raise FairdealError(f"at most {MOST_SHEETS} photographs of rows", "one more",
                                "take some away")  # fmt: skip
        number = 1 + max((int(path.stem.removeprefix(WAITING)) for path in waiting), default=0)
        kept_bytes(self.folder / f"{WAITING}{number:04d}{ending}", data)

    def add(self, sheet: Sheet, faces: Sequence[str]) -> StoredSheet:
        """Keeps a sheet whose cards were found, with the faces (N,) that they may have."""
        sheets = self.all()
        if len(sheet.cards) > MOST_CARDS:
            raise FairdealError(f"at most {MOST_CARDS} cards in a picture", str(len(sheet.cards)),
                                "photograph fewer at once")  # fmt: skip
        height, width = sheet.bgr.shape[:2]
        number = 1 + max((one.number for one in sheets), default=0)
        cards = [
            StoredCard(corners=_parts(card.quad, width, height), face=face,
                       doubt="" if card.doubt is None else card.doubt.found[:200])
            for card, face in zip(sheet.cards, faces, strict=True)
        ]  # fmt: skip
        stored = StoredSheet(number=number, width=width, height=height, cards=cards)
        kept_jpeg(self.folder, str(number), sheet.bgr, LARGEST_PX)
        self._cut(stored, sheet)
        self.write([*sheets, stored])
        return stored

    def write(self, sheets: list[StoredSheet]) -> None:
        """Keeps the list. FairdealError where the disk does not."""
        kept_bytes(self.folder / FILE, msgspec.json.encode(StoredSheets(sheets=sheets)))

    def change(self, changed: StoredSheet, is_cut_again: bool = False) -> None:
        """Keeps a sheet in the place of the one with its number."""
        if is_cut_again:
            self._cut(changed, self.loaded(changed))
        self.write([changed if one.number == changed.number else one for one in self.all()])

    def remove(self, number: int) -> None:
        """Takes a sheet away."""
        self.write([one for one in self.all() if one.number != number])
        for path in (self.picture(number), *self.folder.glob(f"{number}-*.jpg")):
            path.unlink(missing_ok=True)

    def picture(self, number: int) -> Path:
        """The photograph's file."""
        return self.folder / f"{number}.jpg"

    def card_picture(self, number: int, card: int) -> Path:
        """The file of a card cut out of it."""
        return self.folder / f"{number}-{card}.jpg"

    def pictures(self) -> dict[str, Path]:
        """The file of a cut card for each face that has one."""
        return {
            card.face: self.card_picture(sheet.number, k)
            for sheet in self.all()
            for k, card in enumerate(sheet.cards)
            if card.face
        }

    def loaded(self, stored: StoredSheet) -> Sheet:
        """The sheet with its picture. FairdealError if that is gone."""
        path = self.picture(stored.number)
        bgr = read_picture(path, LARGEST_PX)
        height, width = bgr.shape[:2]
        scale = np.array([width, height], np.float32)
        cards = tuple(SheetCard(np.array(card.corners, np.float32) * scale, None, card.is_given)
                      for card in stored.cards)  # fmt: skip
        return Sheet(f"photograph {stored.number}", bgr, cards)

    def named(self) -> tuple[NamedSheet, ...]:
        """The sheets with the names of their cards, as they are taught."""
        found = []
        for stored in self.all():
            faces = tuple(card.face for card in stored.cards)
            if any(faces):
                sheet = self.loaded(stored)
                even = without_pattern(sheet.bgr)
                found.append(NamedSheet(Sheet(sheet.where, sheet.bgr, sheet.cards, even), faces))
        return tuple(found)

    def _cut(self, stored: StoredSheet, sheet: Sheet) -> None:
        for k in range(len(sheet.cards)):
            bgr, _ = card_view(sheet, k)
            width = max(1, round(bgr.shape[1] * min(1.0, CARD_PX / max(bgr.shape[:2]))))
            kept_jpeg(self.folder, f"{stored.number}-{k}", bgr, width)


def _parts(quad: Quad, width: int, height: int) -> Corners:
    parts = np.clip(quad / np.array([width, height], np.float32), 0, 1)
    a, b, c, d = ((round(float(x), 5), round(float(y), 5)) for x, y in parts)
    return a, b, c, d
