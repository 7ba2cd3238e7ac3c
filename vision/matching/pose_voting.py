"""Pose voting: each keypoint match votes for where a whole card lies.

A SIFT keypoint (Lowe 2004) has a place, an angle and a size, so one match already gives a pose of
the whole card. A few matches that agree are enough for a candidate.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class VotingLimits:
    """px of a template of keypoints, radians, ratios, counts."""

    inlier_px: float = 6.0  # residual of an inlier of a rigid pose
    near_px: float = 25.0  # distance of the centres that two votes for one pose may have
    turn: float = float(np.radians(20))  # angle between two votes for one pose
    sizes: tuple[float, float] = (0.7, 1.43)  # of a keypoint against the taught one
    fewest: int = 3  # inliers of a rigid pose; fewer are chance
    fewest_any_size: int = 5  # votes for a pose of unknown size


LIMITS = VotingLimits()


@dataclass(frozen=True, slots=True, eq=False)
class Keypoints:
    """N keypoints: places `at` (N, 2) px, angles (N,) radians, sizes (N,) px, descriptors
    (N, 128)."""

    at: np.ndarray
    angles: np.ndarray
    sizes: np.ndarray
    descriptors: np.ndarray

    def __len__(self) -> int:
        return len(self.at)

    @classmethod
    def joined(cls, parts: "Sequence[Keypoints]") -> "Keypoints":
        """All parts in one, in their order."""
        return cls(*(np.concatenate(arrays) for arrays in zip(
            *((p.at, p.angles, p.sizes, p.descriptors) for p in parts), strict=True
        )))  # fmt: skip

    def where(self, chosen: np.ndarray) -> "Keypoints":
        """A selection by mask or numbers."""
        return Keypoints(
            self.at[chosen], self.angles[chosen], self.sizes[chosen], self.descriptors[chosen]
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Votes:
    """What each match (N,) says of the card: centre (N, 2), cosine and sine of its angle, size."""

    centres: np.ndarray
    turns: np.ndarray
    cosine: np.ndarray
    sine: np.ndarray
    grown: np.ndarray

    @classmethod
    def cast(
        cls, taught: Keypoints, seen: Keypoints, middle: np.ndarray, is_scaled: bool
    ) -> "_Votes":
        grown = seen.sizes / taught.sizes
        turns = seen.angles - taught.angles
        c, s = np.cos(turns), np.sin(turns)
        away = (taught.at - middle).T
        x, y = away * grown if is_scaled else away
        centres = seen.at - np.stack([c * x - s * y, s * x + c * y], axis=1)
        return cls(centres, turns, c, s, grown)


def _clusters(alike: np.ndarray, fewest: int) -> Iterator[tuple[int, np.ndarray]]:
    """Greedy clusters of votes that are `alike` (N, N) bool, the largest first: the seed's number
    and a mask (N,) of its voters. Each vote counts once."""
    free = np.ones(len(alike), bool)
    support = np.count_nonzero(alike, axis=1)  # by votes that are free
    while len(alike):
        standing = support * free
        seed = int(standing.argmax())
        if standing[seed] < fewest:
            return
        voters = alike[seed] & free
        free &= ~voters
        support -= np.count_nonzero(alike[:, voters], axis=1)
        yield seed, voters


def clusters_any_size(taught: Keypoints, seen: Keypoints, middle: np.ndarray) -> list[np.ndarray]:
    """Matches that agree on the pose of a card of any size: masks (N,) bool, the largest first.
    `middle` (2,): the centre of the taught picture."""
    votes = _Votes.cast(taught, seen, middle, is_scaled=True)
    grown, c, s = votes.grown, votes.cosine, votes.sine
    sizes = np.log(grown)
    x, y = votes.centres.T
    apart = np.square(x[:, None] - x) + np.square(y[:, None] - y)
    alike = apart < LIMITS.near_px**2 * grown[:, None] * grown
    alike &= c[:, None] * c + s[:, None] * s > np.cos(LIMITS.turn)
    alike &= np.abs(sizes[:, None] - sizes) < np.log(LIMITS.sizes[1])
    return [voters for _, voters in _clusters(alike, LIMITS.fewest_any_size)]


def rigid_poses(
    taught: Keypoints, seen: Keypoints, middle: np.ndarray
) -> list[tuple[np.ndarray, int]]:
    """Rigid motions (2, 3) taught → seen that matches agree on, and their numbers of inliers, most
    first.

    `taught` and `seen`: matched keypoints, pair by pair, of a card of known size; `middle` (2,):
    the centre of the taught picture.
    """
    grown = seen.sizes / taught.sizes
    fit = (grown > LIMITS.sizes[0]) & (grown < LIMITS.sizes[1])
    taught, seen = taught.where(fit), seen.where(fit)
    if len(seen) < LIMITS.fewest:
        return []
    votes = _Votes.cast(taught, seen, middle, is_scaled=False)
    c, s = votes.cosine, votes.sine
    x, y = votes.centres.T
    alike = np.square(x[:, None] - x) + np.square(y[:, None] - y) < LIMITS.near_px**2
    alike &= c[:, None] * c + s[:, None] * s > np.cos(LIMITS.turn)
    here, there = as_complex(taught.at), as_complex(seen.at)
    out: list[tuple[np.ndarray, int]] = []
    for seed, voters in _clusters(alike, LIMITS.fewest):
        turn = complex(c[seed], s[seed])
        shift = complex(x[seed], y[seed]) - turn * complex(*middle)
        found = _refined(here, there, voters, (turn, shift))
        if found is not None:
            out.append(found)
    return sorted(out, key=lambda one: -one[1])


def as_complex(points: np.ndarray) -> np.ndarray:
    """Points (N, 2) as complex numbers (N,): a rotation is then a product."""
    return points[:, 0] + 1j * points[:, 1].astype(np.float64)


def _refined(
    taught: np.ndarray, seen: np.ndarray, voters: np.ndarray, motion: tuple[complex, complex]
) -> tuple[np.ndarray, int] | None:
    """The motion (2, 3) near the rotation and shift `motion` with most inliers: fitted to the
    voters first, then to all. Points are complex (N,)."""
    turn, shift = motion
    keep = voters & (np.abs(turn * taught + shift - seen) < 3 * LIMITS.inlier_px)
    for reach in (2 * LIMITS.inlier_px, LIMITS.inlier_px, LIMITS.inlier_px):
        if np.count_nonzero(keep) < 2:
            return None
        turn, shift = rigid(taught[keep], seen[keep])
        keep = np.abs(turn * taught + shift - seen) < reach
    count = len(np.unique(np.round(seen[keep])))
    if count < LIMITS.fewest:
        return None
    return np.array([
        [turn.real, -turn.imag, shift.real], [turn.imag, turn.real, shift.imag]
    ]), count  # fmt: skip


def rigid(a: np.ndarray, b: np.ndarray) -> tuple[complex, complex]:
    """The least-squares rotation and shift from complex points `a` to `b` (N,) (Kabsch 1976)."""
    ma, mb = a.mean(), b.mean()
    turn = complex(np.vdot(a - ma, b - mb))
    turn = turn / abs(turn) if turn else 1.0 + 0j
    return turn, complex(mb - turn * ma)


def moved(points: np.ndarray, motion: np.ndarray) -> np.ndarray:
    """Points (N, 2) after an affine motion (2, 3)."""
    return points @ motion[:, :2].T + motion[:, 2]
