"""The networks for single cards: corners, and the embedding that tells the face."""

from pathlib import Path
from typing import Any

import numpy as np

from models.crop import cut
from models.weights import CORNERS, NAMER
from vision.networks.corners import BATCH, CornerNetwork, as_input
from vision.networks.engine import Engine, check_weights
from vision.settings import DEFAULT_ENGINES, EngineSettings

VERSION = 1


class Embedder:
    """Crops of upright cards to embeddings; `corners` refines their corners first.

    `checksum`: the first 16 digits of the embedding network's SHA-256. A gallery holds it too.
    """

    def __init__(
        self,
        threads: int = 1,
        engines: EngineSettings = DEFAULT_ENGINES,
        namer: Path = NAMER,
        corners: Path = CORNERS,
    ) -> None:
        self._namer = Engine(namer, VERSION, threads, "namer", engines.namer)
        self.corners = CornerNetwork(corners, threads)
        self.checksum = _checksum(self._namer.report)

    def embed(self, bgr: np.ndarray, quads: np.ndarray) -> np.ndarray:
        """Embeddings (N, V) of unit length of the upright cards at `quads` (N, 4, 2)."""
        starts = range(0, len(quads), BATCH)
        parts = [as_input([cut(bgr, q)[0] for q in quads[s : s + BATCH]]) for s in starts]
        return np.concatenate([self._namer.run(part)[0] for part in parts])

    def embed_ways(self, bgr: np.ndarray, turned: np.ndarray) -> np.ndarray:
        """Embeddings (W, N, V) of cards in W orientations (W, N, 4, 2); of two, one is upside
        down."""
        count, size = turned.shape[:2]
        if count != 2:
            return self.embed(bgr, turned.reshape(-1, 4, 2)).reshape(count, size, -1)
        parts = []
        for start in range(0, size, BATCH // 2):
            crops = [cut(bgr, quad)[0] for quad in turned[0, start : start + BATCH // 2]]
            # A card upside down gives the same crop, reversed: it is cut only once.
            both = [*crops, *(crop[::-1, ::-1] for crop in crops)]
            parts.append(self._namer.run(as_input(both))[0].reshape(2, len(crops), -1))
        return np.concatenate(parts, axis=1)


def namer_checksum(namer: Path = NAMER) -> str:
    """`Embedder.checksum` without opening the network, for galleries that are only listed.
    FairdealError if the weights are missing or damaged."""
    return _checksum(check_weights(namer, VERSION, "namer"))


def _checksum(report: dict[str, Any]) -> str:
    return str(report["sha256"])[:16]
