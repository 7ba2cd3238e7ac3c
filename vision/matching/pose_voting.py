"""Finds cards of a known size by points that agree: each match votes for where the card lies.

A point of SIFT (Lowe 2004) has a place, a direction and a size, so a single match already says
where the whole card would lie; on a table seen from above, where all cards are of one size, what
few matches say alike is worth a look.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

OFF = 6.0  # px that points may be off which agree
NEAR, TURN = 25.0, np.radians(20)  # px and angle of votes that may be for one place
SIZES = (0.7, 1.43)  # of a point, against the taught one
FEWEST = 3  # points that agree on a place,
SWARM = 5  # where the size is not known


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """Places `at` (N, 2) px, angles (N,) radians, sizes (N,) px and descriptors (N, 128)."""

    at: np.ndarray
    angles: np.ndarray
    sizes: np.ndarray
    descriptors: np.ndarray

    def __len__(self) -> int:
        return len(self.at)

    @classmethod
    def joined(cls, parts: "Sequence[Points]") -> "Points":
        """All of the parts, one after the other."""
        return cls(*(np.concatenate(arrays) for arrays in zip(
            *((p.at, p.angles, p.sizes, p.descriptors) for p in parts), strict=True
        )))  # fmt: skip

    def where(self, chosen: np.ndarray) -> "Points":
        """Those that are chosen, by mask or number."""
        return Points(
            self.at[chosen], self.angles[chosen], self.sizes[chosen], self.descriptors[chosen]
        )


def swarms(taught: Points, seen: Points, middle: np.ndarray) -> list[np.ndarray]:
    """Pairs of points that agree on the place of a card of any size: masks (N,) bool, the largest
    first. `middle` (2,) of the taught picture."""
    grown = seen.sizes / taught.sizes
    turns = seen.angles - taught.angles
    c, s = np.cos(turns), np.sin(turns)
    x, y = (taught.at - middle).T * grown
    centres = seen.at - np.stack([c * x - s * y, s * x + c * y], axis=1)
    sizes = np.log(grown)
    x, y = centres.T
    apart = np.square(x[:, None] - x) + np.square(y[:, None] - y)
    alike = apart < NEAR**2 * grown[:, None] * grown
    alike &= c[:, None] * c + s[:, None] * s > np.cos(TURN)
    alike &= np.abs(sizes[:, None] - sizes) < np.log(SIZES[1])
    out: list[np.ndarray] = []
    free = np.ones(len(seen), bool)
    while len(seen):
        support = (alike & free).sum(1) * free
        seed = int(support.argmax())
        if support[seed] < SWARM:
            break
        voters = alike[seed] & free
        free &= ~voters
        out.append(voters)
    return out


def elected(taught: Points, seen: Points, middle: np.ndarray) -> list[tuple[np.ndarray, int]]:
    """Where a card whose `taught` points were seen as `seen`, pair by pair, lies: rigid motions
    (2, 3) taught → seen that points agree on, and how many; the most first. `middle` (2,) of the
    taught picture."""
    grown = seen.sizes / taught.sizes
    fit = (grown > SIZES[0]) & (grown < SIZES[1])
    taught, seen = taught.where(fit), seen.where(fit)
    if len(seen) < FEWEST:
        return []
    turns = seen.angles - taught.angles
    c, s = np.cos(turns), np.sin(turns)
    x, y = (taught.at - middle).T
    centres = seen.at - np.stack([c * x - s * y, s * x + c * y], axis=1)
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    turned = np.abs(np.angle(np.exp(1j * (turns[:, None] - turns[None]))))
    alike = (apart < NEAR) & (turned < TURN)
    out: list[tuple[np.ndarray, int]] = []
    free = np.ones(len(seen), bool)
    while True:
        support = (alike & free).sum(1) * free
        seed = int(support.argmax())
        if support[seed] < FEWEST:
            return sorted(out, key=lambda one: -one[1])
        voters = alike[seed] & free
        free &= ~voters
        cast = np.array([[c[seed], -s[seed]], [s[seed], c[seed]]])
        start = np.hstack([cast, (centres[seed] - cast @ middle)[:, None]])
        found = _agreed(taught.at, seen.at, voters, start)
        if found is not None:
            out.append(found)


def _agreed(
    taught: np.ndarray, seen: np.ndarray, voters: np.ndarray, motion: np.ndarray
) -> tuple[np.ndarray, int] | None:
    """The motion near `motion` that most points agree on, told by voters first, then by all."""
    keep = voters & (_off(taught, seen, motion) < 3 * OFF)
    for reach in (2 * OFF, OFF, OFF):
        if np.count_nonzero(keep) < 2:
            return None
        motion = rigid(taught[keep], seen[keep])
        keep = _off(taught, seen, motion) < reach
    count = len(np.unique(np.round(seen[keep]), axis=0))
    return (motion, count) if count >= FEWEST else None


def _off(taught: np.ndarray, seen: np.ndarray, motion: np.ndarray) -> np.ndarray:
    return np.linalg.norm(moved(taught, motion) - seen, axis=1)


def rigid(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The turn and shift (2, 3) from points `a` to `b` (N, 2) with the least squares (Kabsch)."""
    ma, mb = a.mean(0), b.mean(0)
    u, _, vt = np.linalg.svd((a - ma).T @ (b - mb))
    flip = np.diag([1.0, np.sign(np.linalg.det(vt.T @ u.T))])
    turn = vt.T @ flip @ u.T
    return np.hstack([turn, (mb - turn @ ma)[:, None]])


def moved(points: np.ndarray, motion: np.ndarray) -> np.ndarray:
    """Points (N, 2) after a motion (2, 3)."""
    return points @ motion[:, :2].T + motion[:, 2]
