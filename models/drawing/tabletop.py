"""The cards of the simulated table at rest: kept drawn and lit, so that a frame costs little."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from models.drawing.arms import floats
from models.drawing.scene import Laid, Light, lay
from models.drawing.steps import THING
from rules.errors import FairdealError


@dataclass(slots=True)
class Lying:
    """A card on the table: its face, place, centre (x, y) px and turn in degrees clockwise."""

    face: str
    place: str
    centre: np.ndarray
    degrees: float
    half_covers: bool = False


def copied(card: Lying) -> Lying:
    """The same card, apart from the first."""
    return replace(card, centre=card.centre.copy())


class Tabletop:
    """Draws cards onto a bare table: `unlit` and `lit`, (H, W, 3) uint8, are always up to date.

    `pictures`: BGRA by face. `card` (width, length) px. `field`: the light's factors.
    """

    def __init__(
        self,
        bare: np.ndarray,
        field: np.ndarray,
        light: Light,
        pictures: dict[str, np.ndarray],
        card: tuple[float, float],
    ) -> None:
        self.light, self.pictures, self.field = light, pictures, field
        self.cards: list[Lying] = []
        self._bare, self.card = bare, card
        self.size = (bare.shape[1], bare.shape[0])
        self.unlit = bare.copy()
        self.lit = cv2.multiply(self.unlit, field, dtype=cv2.CV_8U)

    def top(self, place: str, face: str = "") -> Lying:
        """The topmost card of a place, or its topmost of a face. FairdealError: none lies there."""
        for card in self.cards[::-1]:
            if card.place == place and face in ("", card.face):
                return card
        expected = f"{face or 'a card'} at {place} before a hand sets out for it"
        raise FairdealError(expected, "nothing there yet", "put the script's steps further apart")

    def put_down(self, card: Lying) -> None:
        """Lays a card on top."""
        self.cards.append(card)
        quad = self.quad(card)
        lay(self.unlit, Laid(self.pictures[card.face], quad), self.light)
        self._relight(self.around([quad]))

    def take(self, taken: list[Lying]) -> None:
        """Takes these cards away and draws what lay under them."""
        self.cards = [card for card in self.cards if not any(card is t for t in taken)]
        x0, y0, x1, y1 = box = self.around([self.quad(card) for card in taken])
        part = self.unlit[y0:y1, x0:x1]
        part[:] = self._bare[y0:y1, x0:x1]
        for card in self.cards:
            quad = self.quad(card)
            a0, b0, a1, b1 = self.around([quad])
            if a0 < x1 and x0 < a1 and b0 < y1 and y0 < b1:
                lay(part, Laid(self.pictures[card.face], quad - floats([x0, y0])), self.light)
        self._relight(box)

    def around(self, quads: list[np.ndarray], pad: float = 0.0) -> tuple[int, int, int, int]:
        """The box (x0, y0, x1, y1) px about these quads and their shadows, inside the table."""
        corners = np.concatenate(quads)
        pad += self.card[1] * 0.08 + 6
        w, h = self.size
        x0, y0 = np.clip(np.floor(corners.min(0) - pad), 0, [w, h]).astype(int)
        x1, y1 = np.clip(np.ceil(corners.max(0) + pad), 0, [w, h]).astype(int)
        return int(x0), int(y0), int(x1), int(y1)

    def quad(self, card: Lying, squeeze: float = 1.0) -> np.ndarray:
        """The card's corners, (4, 2) px; the camera stands a little off the middle."""
        half = floats([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2
        length = self.card[1]
        if card.face.startswith(THING):  # in the sizes of its own picture
            half *= floats(self.pictures[card.face].shape[1::-1]) / (length * 1.4) * length
        else:
            half *= floats([self.card[0] * squeeze, length])
        a = np.radians(card.degrees)
        spin = floats([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        points = half @ spin.T + card.centre
        w, h = self.size
        unit = (points - floats([w / 2, h / 2])) / w
        far = 1 + 0.012 * unit[:, 1:] - 0.02 * (unit**2).sum(1, keepdims=True)
        return floats(unit * far * w + floats([w / 2, h / 2]))

    def _relight(self, box: tuple[int, int, int, int]) -> None:
        x0, y0, x1, y1 = box
        if x1 > x0 and y1 > y0:
            self.lit[y0:y1, x0:x1] = cv2.multiply(
                self.unlit[y0:y1, x0:x1], self.field[y0:y1, x0:x1], dtype=cv2.CV_8U
            )
