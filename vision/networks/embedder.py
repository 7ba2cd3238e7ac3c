"""The networks that look at single cards."""

from pathlib import Path

import numpy as np

from models.crop import cut
from models.weights import CORNERS, NAMER
from vision.networks.corners import BATCH, Corners, as_input
from vision.networks.engine import Engine

VERSION = 1


class Embedder:
    """The networks that look at single cards: crops to true corners, and crops to vectors."""

    def __init__(self, threads: int = 1, namer: Path = NAMER, corners: Path = CORNERS) -> None:
        self._namer = Engine(namer, VERSION, threads)
        self.corners = Corners(corners, threads)
        self.checksum: str = self._namer.report["sha256"][:16]

    def look(self, bgr: np.ndarray, quads: np.ndarray) -> np.ndarray:
        """Vectors (N, V) of the cards at `quads` (N, 4, 2), each upright."""
        starts = range(0, len(quads), BATCH)
        parts = [as_input([cut(bgr, q)[0] for q in quads[s : s + BATCH]]) for s in starts]
        return np.concatenate([self._namer.run(part)[0] for part in parts])
