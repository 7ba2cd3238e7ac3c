"""The networks for single cards: corners, and the embedding that tells the face."""

from pathlib import Path

import numpy as np

from models.crop import cut
from models.weights import CORNERS, NAMER
from vision.networks.corners import BATCH, CornerNetwork, as_input
from vision.networks.engine import Engine
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
        self.checksum: str = self._namer.report["sha256"][:16]

    def embed(self, bgr: np.ndarray, quads: np.ndarray) -> np.ndarray:
        """Embeddings (N, V) of unit length of the upright cards at `quads` (N, 4, 2)."""
        starts = range(0, len(quads), BATCH)
        parts = [as_input([cut(bgr, q)[0] for q in quads[s : s + BATCH]]) for s in starts]
        return np.concatenate([self._namer.run(part)[0] for part in parts])
