"""A taught deck: an embedding and a template for each teaching picture, kept in `taught.npz`."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from rules.errors import FairdealError

VERSION = 1
BACK = "back"


@dataclass(frozen=True, slots=True, eq=False)
class Gallery:
    """K teaching pictures as recognition compares them.

    faces: K names; a face may come more than once; "back" for a card's back.
    vectors: (K, V) float32, embeddings of unit length.
    templates: (K, H, W, 3) uint8 BGR, the upright cards cut to their corners.
    namer: checksum of the network that made the vectors.
    """

    faces: tuple[str, ...]
    vectors: npt.NDArray[np.float32]
    templates: npt.NDArray[np.uint8]
    namer: str

    def save(self, path: Path) -> None:
        """Replaces the file in one step, so that a power cut leaves the old one."""
        fresh = path.with_suffix(".new.npz")
        np.savez_compressed(
            fresh,
            version=VERSION,
            faces=np.array(self.faces),
            vectors=self.vectors,
            looks=self.templates,
            namer=self.namer,
        )
        fresh.replace(path)


def load_gallery(path: Path, namer: str) -> Gallery:
    """Reads a taught deck. FairdealError if it is missing, damaged or made by another network."""
    todo = "teach the deck again: `fairdeal calibrate deck`"
    if not path.is_file():
        raise FairdealError("a taught deck", f"no file {path}", todo)
    try:
        with np.load(path) as stored:
            version = int(stored["version"])
            gallery = Gallery(
                tuple(str(face) for face in stored["faces"]),
                stored["vectors"],
                stored["looks"],
                str(stored["namer"]),
            )
    except Exception as error:  # a damaged archive raises errors of many types
        raise FairdealError(
            "a file that `calibrate deck` wrote", f"{path}: {type(error).__name__}", todo
        ) from error
    if version != VERSION or gallery.namer != namer:
        raise FairdealError(
            "a deck taught with this namer's weights", f"{path} taught with others", todo
        )
    return gallery
