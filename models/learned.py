"""The pictures that a deck learned at the table, kept in `learned.npz` beside `taught.npz`."""

import json
import zipfile
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from models.gallery import Gallery, load_gallery, member
from rules.errors import FairdealError
from rules.files import opened

FILE = "learned.npz"  # in the folder of a deck
LONGEST_ORIGIN = 2000  # characters


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a learned picture comes from.

    at: seconds since the epoch; game: its name; number: of the game in its journal, 0 without a
    journal; event: the event that told the card, from 1; place, seat: where and by whom it was laid
    (0: nobody knows); sure: of its name, 0 to 1; light: mean grey of the whole frame, 0 to 255;
    confirmed: "play" (the game went on) or "people" (somebody said that it is this card).
    """

    at: float
    game: str
    number: int
    event: int
    place: str
    seat: int
    sure: float
    light: float
    confirmed: str = "play"

    def to_json(self) -> str:
        """One line of JSON that `read_origin` reads back."""
        return json.dumps(asdict(self), ensure_ascii=False)


def read_origin(text: str) -> Origin:
    """An origin from its text form. Raises ValueError."""
    found = json.loads(text)
    if not isinstance(found, dict) or set(found) - set(Origin.__slots__):
        raise ValueError("an origin with other keys")
    try:
        return Origin(**{
            key: kind(found[key]) for key, kind in Origin.__annotations__.items() if key in found
        })  # fmt: skip
    except (TypeError, OverflowError) as error:
        raise ValueError(f"a value of a wrong type: {error}") from error


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """K learned pictures, and the origin of each."""

    gallery: Gallery
    origins: tuple[Origin, ...]

    def agreeing(self, taught: Gallery) -> Gallery | None:
        """The pictures that are nearer to a taught picture of their own face than to any other;
        None if there is none. Others were taught anew since, or are wrong."""
        alike = self.gallery.vectors @ taught.vectors.T
        names = np.array(taught.faces)
        own = names[None] == np.array(self.gallery.faces)[:, None]
        best = np.where(own, alike, -2.0).max(1), np.where(own, -2.0, alike).max(1)
        numbers = [int(k) for k in np.flatnonzero(best[0] > best[1])]
        return self.gallery.of(numbers) if numbers else None

    def save(self, path: Path) -> None:
        """Replaces the file in one step. FairdealError where it cannot be written."""
        lines = [origin.to_json()[:LONGEST_ORIGIN] for origin in self.origins]
        self.gallery.save(path, origins=np.array(lines))


def load_learned(path: Path, namer: str) -> Learned | None:
    """What a deck learned; None where it learned nothing. FairdealError for a damaged file, or one
    of another network."""
    if not path.is_file():
        return None
    todo = "delete the file: the taught pictures stay"
    try:
        gallery = load_gallery(path, namer)
        with opened(path, "learned pictures") as file, zipfile.ZipFile(file) as archive:
            origins = tuple(read_origin(str(text)) for text in member(archive, "origins").ravel())
        if len(origins) != len(gallery.faces):
            raise ValueError(f"{len(origins)} origins of {len(gallery.faces)} pictures")
    except FairdealError as error:
        raise FairdealError("what a deck learned at the table", error.found, todo) from error
    except Exception as error:  # a damaged archive raises errors of many types
        what = str(error) if type(error) is ValueError else type(error).__name__
        raise FairdealError(
            "what a deck learned at the table", f"{path}: {what}"[:300], todo
        ) from error
    return Learned(gallery, origins)
