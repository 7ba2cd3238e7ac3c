"""What a deck was taught: a vector and a picture for each taught face, kept in `taught.npz`."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rules.errors import FairdealError

VERSION = 1
BACK = "back"


@dataclass(frozen=True, slots=True, eq=False)
class Gallery:
    """K taught pictures: faces (K names, a face may come more than once; "back" for a back),
    vectors (K, V) float32 of unit length, looks (K, H, W, 3) uint8, the upright cards cut to
    their corners, for the second look; `namer`: the checksum of the network that made them."""

    faces: tuple[str, ...]
    vectors: np.ndarray
    looks: np.ndarray
    namer: str

    def save(self, path: Path) -> None:
        """Writes the file in one go, so that a power cut leaves the old one."""
        fresh = path.with_suffix(".new.npz")
        np.savez_compressed(
            fresh,
            version=VERSION,
            faces=np.array(self.faces),
            vectors=self.vectors,
            looks=self.looks,
            namer=self.namer,
        )
        fresh.replace(path)


def load_gallery(path: Path, namer: str) -> Gallery:
    """Reads what was taught. FairdealError where it is missing, damaged or of another namer."""
    todo = "teach the deck again: `fairdeal calibrate deck`"
    if not path.is_file():
        raise FairdealError("a taught deck", f"no file {path}", todo)
    try:
        with np.load(path) as stored:
            version = int(stored["version"])
            gallery = Gallery(
                tuple(str(f) for f in stored["faces"]),
                stored["vectors"],
                stored["looks"],
                str(stored["namer"]),
            )
    except Exception as error:  # a damaged archive fails in many ways
        raise FairdealError(
            "a file that `calibrate deck` wrote", f"{path}: {type(error).__name__}", todo
        ) from error
    if version != VERSION or gallery.namer != namer:
        raise FairdealError(
            "a deck taught with this namer's weights", f"{path} taught with others", todo
        )
    return gallery
