"""How far a view slipped against the table's texture: direct alignment of a small picture.

Each block gives the normal equations of its own displacement (Lucas and Kanade 1981): an edge
tells one direction, a plain block none. A rigid motion is fitted to all blocks by iteratively
reweighted least squares (Tukey's biweight): hands, new cards and fans in hands count little. Wood
grain, joints and a pen's edge tell a slip where no corner is found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.scene.texture import (
    FULL,
    Blocks,
    Field,
    Numbers,
    Picture,
    jacobian,
    softened,
    sums,
)
from vision.scene.votes import corners_of, is_all_over, rigid, share_of

STEPS, DONE_PX = 10, 1e-3
WIDER = 2.0  # times CUT_PX more at the first step, half of that at each later one
CUT_PX = 0.5  # a block that disagrees by more with the fitted motion has no weight
RIDGE = 0.05  # holds the displacement of a plain block at 0
LEAST = 0.5  # weighted information below which the picture is too plain
TELLS = 0.05  # information x px², from which a block tells two motions apart
ALIKE = 0.5  # correlation from which a block shows its texture at all
SEEN = 0.6  # part of the texture from which the first fit stands


@dataclass(frozen=True, eq=False)
class Slip:
    """Where the view is: the motion (rad, px, px) about the middle of the small picture.

    `matrix`: (2, 3), from px of the texture to px of the picture. `corners`: (4, 2) px that the
    picture's corners went; `unsure_px`: their standard error. `seen` (0 to 1): the part of the
    texture that is seen where the motion takes it; `fits`: (N,) how well each block fits. `agreed`
    (0 to 1): the part of the blocks, all over the picture, that went along rather than stood.
    """

    motion: Numbers
    matrix: Numbers
    corners: Numbers
    unsure_px: float
    seen: float
    fits: Numbers
    agreed: float


@dataclass(frozen=True, eq=False)
class _Fit:
    """A motion, its covariance (3, 3), and how well each block fits (N,) and all do (0 to 1)."""

    motion: Numbers
    covariance: Numbers
    fitting: Numbers
    seen: float


@dataclass(frozen=True, eq=False)
class _Compared:
    """Each block beside a picture: what differs, squared (N,); the correlation, 0 to 1 (N,); how
    what differs pulls (N, 2); and how far (N,) px the block seems to be off."""

    misfit: Numbers
    alike: Numbers
    pull: Numbers
    apart: Numbers


def slip_of(reference: Blocks, small: Picture, starts: Sequence[Numbers] = ()) -> Slip | None:
    """How far a small picture (h, w) slipped; None where too little of the texture is seen.

    `starts`: motions that may be near, tried where the view does not stand nearly still.
    """
    if small.shape != reference.evened.shape:
        return None
    now = softened(small)
    fits = list(_fits(reference, now, starts))
    if not fits:
        return None
    best = max(fits, key=lambda fit: fit.seen)
    matrix, rest = _matrix(best.motion, small.shape), corners_of(small.shape)
    gone = rest @ matrix[:, :2].T + matrix[:, 2] - rest
    arms = jacobian(rest - rest.mean(axis=0))
    variances = np.einsum("nia,ab,nib->ni", arms, best.covariance, arms)
    agreed = _agreed(reference, now, best.motion)
    return Slip(
        best.motion, matrix, gone, float(np.sqrt(variances.max())), best.seen,
        best.fitting, agreed,
    )  # fmt: skip


def motion_of(moved: Numbers, shape: tuple[int, ...]) -> Numbers:
    """The motion that takes the corners of a picture (h, w) to `moved` (4, 2) px."""
    rest = corners_of(shape)
    turned, _ = rigid(rest, moved)
    return np.array([np.arctan2(turned[1, 0], turned[0, 0]), *(moved - rest).mean(axis=0)])


def _fits(reference: Blocks, now: Field, starts: Sequence[Numbers]) -> Iterator[_Fit]:
    """The fit of a view that stands nearly still, and, where that explains little, others."""
    near = _fit(reference, now, np.zeros(3))
    if near is not None:
        yield near
        if near.seen >= SEEN:
            return
    for start in (*starts, _correlated(reference.evened, now)):
        fit = _fit(reference, now, start)
        if fit is not None:
            yield fit


def _correlated(before: Field, now: Field) -> Numbers:
    """The motion without a turn that phase correlation tells, of those that are no standstill."""
    window = cv2.createHanningWindow(before.shape[::-1], cv2.CV_32F)
    here, there = np.fft.rfft2(before * window), np.fft.rfft2(now * window)
    cross = np.conj(here) * there
    peaks = np.fft.irfft2(cross / (np.abs(cross) + 1e-9), before.shape)
    peaks[np.ix_((-1, 0, 1), (-1, 0, 1))] = 0
    row, column = np.unravel_index(np.argmax(peaks), peaks.shape)
    height, width = before.shape
    x = (column + width / 2) % width - width / 2
    y = (row + height / 2) % height - height / 2
    return np.array([0.0, x, y])


def _fit(blocks: Blocks, now: Field, motion: Numbers) -> _Fit | None:
    """The motion near a given one by Gauss-Newton steps; None where too few blocks agree."""
    information, jacobians = blocks.information, blocks.jacobian
    known = np.trace(information, axis1=1, axis2=2) + FULL
    for number in range(STEPS):
        cut_px = CUT_PX * (1 + WIDER / 2**number)
        seen = _compared(blocks, now, motion)
        off = np.minimum(seen.apart / cut_px, 1)
        fitting = (1 - off**2) ** 2 * seen.alike
        weight = fitting / known
        normal = np.einsum("n,nia,nij,njb->ab", weight, jacobians, information, jacobians)
        if np.linalg.eigvalsh(normal[1:, 1:])[0] < LEAST:
            return None
        inverse = np.linalg.inv(normal + 1e-9 * np.eye(3))  # one block in the middle tells no turn
        each = weight[:, None] * np.einsum("nia,ni->na", jacobians, seen.pull)
        step = inverse @ each.sum(axis=0)
        motion = motion + step
        if np.abs(step[1:]).max() < DONE_PX and number > 2:
            break
    part = (fitting * blocks.weight).sum() / max((blocks.trust * blocks.weight).sum(), 1e-9)
    return _Fit(motion, inverse @ (each.T @ each) @ inverse, fitting, min(1.0, float(part)))


def _agreed(blocks: Blocks, now: Field, motion: Numbers) -> float:
    """The part of the blocks that went along, of those that tell and show the texture at all."""
    ought = blocks.jacobian @ motion
    tells = np.einsum("ni,nij,nj->n", ought, blocks.information, ought) > TELLS
    stood, gone = _compared(blocks, now, np.zeros(3)), _compared(blocks, now, motion)
    tells &= np.minimum(stood.apart, gone.apart) < CUT_PX
    tells &= np.maximum(stood.alike, gone.alike) > ALIKE
    went = gone.misfit < stood.misfit
    along, shape = blocks.middles[tells & went], blocks.evened.shape
    if not len(along) or not is_all_over(along, shape):
        return 0.0  # a mat, or a card, was pushed
    return share_of(blocks.middles, went, tells, np.array(shape[::-1], np.float64))


def _compared(blocks: Blocks, now: Field, motion: Numbers) -> _Compared:
    """The blocks beside a picture (h, w) that is moved back."""
    size, matrix = now.shape[::-1], _matrix(motion, now.shape)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    back = cv2.warpAffine(now, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    left = np.asarray(blocks.evened - back, np.float32)
    pull = np.stack([sums(one * left) for one in blocks.gradient], axis=-1)
    misfit, energy = sums(left * left), sums(np.asarray(back * back, np.float32))
    product = (blocks.energy + energy - misfit) / 2
    alike = np.clip(product / np.sqrt(blocks.energy * energy + 1e-9), 0, 1)
    held = blocks.information + RIDGE * np.eye(2)
    apart = np.linalg.norm(np.linalg.solve(held, pull[..., None])[..., 0], axis=1)
    return _Compared(misfit, alike, pull, np.asarray(apart))


def _matrix(motion: Numbers, shape: tuple[int, ...]) -> Numbers:
    cos, sin = np.cos(motion[0]), np.sin(motion[0])
    turned = np.array([[cos, -sin], [sin, cos]])
    middle = np.array(shape[1::-1]) / 2
    return np.column_stack([turned, motion[1:] + middle - turned @ middle])
