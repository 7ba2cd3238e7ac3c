"""A picture of the table as blocks of texture, to which later pictures are aligned.

What lies on the table changes in a game: a block that shows something else at rest is renewed, so
the texture stays that of the table without being made anew at each change.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt
from cv2.typing import MatLike

BLOCK_PX = 24  # of the small picture
AROUND_PX, NOISE = 41, 5.0  # what a place is compared with, and grey levels that say nothing
SOFT_PX = 1.0  # sigma of the blur before
FULL = 5.0  # information that has half the weight: one dark edge must not outvote the grain
REST_LEVELS, REST_PART = 12, 0.02  # grey levels, and the part of a block that may change more
FITS = 0.5  # how well a block fits that shows the texture
FORGETS = 0.9  # of its trust, a look
RESTED = 10  # looks, some 5 s: a fan in a hand rests for shorter

Picture = npt.NDArray[np.uint8]
Field = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Blocks:
    """A picture as it is aligned to: evened (h, w), and its gradient (2, h, w).

    `information`: (N, 2, 2) of each block, `energy`: (N,) its squared sum. `weight`: (N,) what it
    counts at most, `trust`: (N,) how well it fits when it is seen again: noise never does.
    `jacobian`: (N, 2, 3) how its displacement depends on a motion (rad, px, px) about the
    picture's middle.
    """

    evened: Field
    gradient: Field
    information: Numbers
    energy: Numbers
    weight: Numbers
    trust: Numbers
    jacobian: Numbers

    @property
    def middles(self) -> Numbers:
        """The blocks' middles (N, 2), in px from the picture's left upper corner."""
        from_middle = np.stack([self.jacobian[:, 1, 0], -self.jacobian[:, 0, 0]], axis=1)
        return np.asarray(from_middle + np.array(self.evened.shape[::-1]) / 2)


@dataclass(frozen=True, eq=False)
class KeptTexture:
    """A texture that follows what lies on the table.

    `rested`: (N,) for how many looks each block has shown something else at rest; `before`: the
    small picture (h, w) of the last look.
    """

    texture: Blocks
    rested: npt.NDArray[np.int_]
    before: Picture
    is_new: bool = True

    def see(self, small: Picture, fits: Numbers) -> KeptTexture:
        """Takes the small picture of a view that stands; `fits`: (N,) how well each block does."""
        old = 0.0 if self.is_new else FORGETS * self.texture.trust
        known = replace(self.texture, trust=np.maximum(fits, old))
        differs = cv2.absdiff(self.before, small) > REST_LEVELS
        rests = sums(differs.astype(np.float32)) <= REST_PART * BLOCK_PX**2
        rested = np.where(rests & (fits < FITS), self.rested + 1, 0)
        due = rested >= RESTED
        if due.any():
            known, rested = _renewed(known, small, due), np.where(due, 0, rested)
        return KeptTexture(known, rested, small, False)


def keep(small: Picture) -> KeptTexture:
    """Begins with a small grey picture (h, w) of the table."""
    begun = texture(small)
    return KeptTexture(begun, np.zeros(len(begun.weight), int), small)


def texture(small: Picture) -> Blocks:
    """The texture of a small grey picture (h, w)."""
    picture = softened(small)
    gx, gy = (
        cv2.Sobel(picture, cv2.CV_32F, *way, ksize=3, scale=1 / 8) for way in ((1, 0), (0, 1))
    )
    xx, xy, yy = (sums(np.asarray(a, np.float32)) for a in (gx * gx, gx * gy, gy * gy))
    information = np.stack([xx, xy, xy, yy], axis=-1).reshape(-1, 2, 2)
    rows, columns = (side // BLOCK_PX for side in picture.shape)
    y, x = np.mgrid[:rows, :columns].reshape(2, -1)
    middles = (np.stack([x, y], axis=-1) + 0.5) * BLOCK_PX - np.array(picture.shape[::-1]) / 2
    weight = (xx + yy) / (xx + yy + FULL)
    gradient = np.asarray(np.stack([gx, gy]), np.float32)
    energy = sums(picture * picture)
    return Blocks(
        picture, gradient, information, energy, weight, np.ones(len(weight)), jacobian(middles)
    )


def softened(small: Picture) -> Field:
    """A small grey picture (h, w) as it is aligned: blurred a little, and evened."""
    return evened(cv2.GaussianBlur(small.astype(np.float32), (0, 0), SOFT_PX), NOISE)


def evened(picture: MatLike, noise: float) -> Field:
    """Each place freed of its surroundings' light and contrast; what is plain stays plain.

    `noise`: grey levels that say nothing.
    """
    near = picture - cv2.blur(picture, (AROUND_PX, AROUND_PX))
    spread = np.sqrt(np.maximum(cv2.blur(near * near, (AROUND_PX, AROUND_PX)), 0))
    return np.asarray(near / (spread + noise), np.float32)


def sums(field: Field) -> Numbers:
    """The sum of a field (h, w) over each block (N,)."""
    rows, columns = (side // BLOCK_PX for side in field.shape)
    kept = field[: rows * BLOCK_PX, : columns * BLOCK_PX]
    means = cv2.resize(kept, (columns, rows), interpolation=cv2.INTER_AREA)
    return np.asarray(means, np.float64).ravel() * BLOCK_PX**2


def jacobian(places: Numbers) -> Numbers:
    """(N, 2, 3): how places (N, 2) px from the picture's middle go with a motion."""
    out = np.zeros((len(places), 2, 3))
    out[:, 0, 0], out[:, 1, 0] = -places[:, 1], places[:, 0]
    out[:, 0, 1] = out[:, 1, 2] = 1
    return out


def _renewed(old: Blocks, small: Picture, which: Flags) -> Blocks:
    """The texture with the blocks `which` (N,) as a small picture shows them."""
    now = texture(small)
    rows, columns = (side // BLOCK_PX for side in old.evened.shape)
    blocks = np.kron(which.reshape(rows, columns), np.ones((BLOCK_PX, BLOCK_PX), bool))
    mask = np.zeros(old.evened.shape, bool)
    mask[: blocks.shape[0], : blocks.shape[1]] = blocks
    return replace(
        old,
        evened=np.where(mask, now.evened, old.evened),
        gradient=np.where(mask, now.gradient, old.gradient),
        information=np.where(which[:, None, None], now.information, old.information),
        energy=np.where(which, now.energy, old.energy),
        weight=np.where(which, now.weight, old.weight),
        trust=np.where(which, 0.0, old.trust),
    )
