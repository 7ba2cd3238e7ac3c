"""Ranks the templates for a partly occluded card by the half of it that matches best.

The embedding of half a card may be that of any face. Here all templates are compared cell by cell
at a coarse scale, as one matrix product: a millisecond for a deck.
"""

import cv2
import numpy as np

from vision.matching.template_match import HEIGHT, WIDTH

_STEP = 2  # px of a template in one px here
_CELL = 10  # px here of a cell
_LEAST_CONTRAST = 0.3  # of the mean; a cell with less says nothing


class PartialRanking:
    """Ranks the normalised templates (K of (HEIGHT, WIDTH, 3)) of a deck."""

    def __init__(self, templates: list[np.ndarray]) -> None:
        cells = np.stack([_cells(template) for template in templates], axis=1)
        self._templates = cells
        self._energy = (cells**2).sum(2)

    def nearest(self, part: np.ndarray, most: int) -> list[int]:
        """The numbers of the `most` templates whose better half correlates most with `part`, a
        normalised crop (HEIGHT, WIDTH, 3), 0 where it is occluded."""
        cells = _cells(part)
        seen = (cells**2).sum(1)[:, None]
        both = np.matmul(self._templates, cells[:, :, None])[..., 0]
        alike = both / np.sqrt(seen * self._energy + 1e-3)
        counts = (
            np.maximum(seen / max(float(seen.mean()), 1e-6), self._energy / self._energy.mean(0))
            >= _LEAST_CONTRAST
        )
        counts &= seen > 0
        ordered = np.sort(np.where(counts, alike, -1.0), axis=0)[::-1]
        half = np.maximum(1, counts.sum(0) // 2)
        sums = np.cumsum(ordered, axis=0)
        means = sums[half - 1, np.arange(len(half))] / half
        return [int(k) for k in np.argsort(-means, kind="stable")[:most]]


def lookalikes(templates: list[np.ndarray], names: np.ndarray, least: float) -> list[list[int]]:
    """For each normalised template the numbers of those of other faces that correlate with it by
    `least` or more, in the better half-turn, most alike first. `names` (K,)."""
    size = (WIDTH // _STEP, HEIGHT // _STEP)
    small = np.stack([cv2.resize(x, size, interpolation=cv2.INTER_AREA) for x in templates])

    def flat(pictures: np.ndarray) -> np.ndarray:
        rows = pictures.reshape(len(pictures), -1)
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6)

    straight, turned = flat(small), flat(small[:, ::-1, ::-1])
    alike = np.maximum(straight @ straight.T, straight @ turned.T)
    alike[names[:, None] == names] = -1.0
    order = np.argsort(-alike, axis=1, kind="stable")
    return [[int(k) for k in row if alike[i, k] >= least] for i, row in enumerate(order)]


def _cells(template: np.ndarray) -> np.ndarray:
    """(cells, values) float32 of a template."""
    small = cv2.resize(
        template, (WIDTH // _STEP, HEIGHT // _STEP), interpolation=cv2.INTER_AREA
    ).astype(np.float32)
    rows, columns = small.shape[0] // _CELL, small.shape[1] // _CELL
    split = small.reshape(rows, _CELL, columns, _CELL, 3).swapaxes(1, 2)
    return split.reshape(rows * columns, -1)
