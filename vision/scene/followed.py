"""Which located boxes are followed: those that are no card known to lie there."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import numpy as np
import numpy.typing as npt

from vision import geometry
from vision.geometry import Quad
from vision.scene.background import Change
from vision.scene.hand_blobs import Cover
from vision.scene.lost_tops import LOST
from vision.scene.scene import Scene

LAID = 0.65  # IoU of a box with a card just laid under a hand: it is that card
JOLTED = 0.5  # part of the boxes of what lies that have changed at once: the view moved,
FEWEST = 4  # of at least so many boxes,
JOLT_S = 0.4  # s that a jolt lasts at most: what differs for longer is no jolt
SHIFTED = 0.5  # which have this IoU with it
FAINT = 0.15  # part of a box's place that has changed, where it fits no lying card or rests for
REST_S = 0.5  # s
OVER = 0.3  # part of a lying card under a box that lies on it
SLIGHT = 0.05  # part of the box's place that has changed, where that card's print is gone
FINGERS = 0.25  # part of it that a hand may take up then


def came(
    change: Change, cover: Cover, quads: npt.NDArray[np.float32], scene: Scene
) -> npt.NDArray[np.bool_]:
    """Which of the quads (N, 4, 2) px came with a change of the table. None do while the view is
    jolted: all cards seem changed then, those too that lay there without a name."""
    if not len(quads):
        return np.zeros(0, bool)
    x, y = _inside(quads, scene)
    share, hidden = change.changed[y, x].mean(axis=1), cover.mask[y, x].mean(axis=1)
    # A pale card on pale cards changes little, but lies where none of them does, or stays.
    is_faint = (share >= FAINT) & (hidden == 0)
    is_faint[is_faint] = [
        not scene.is_known_place(quads[k]) or _rested_s(change, x[k], y[k]) >= REST_S
        for k in np.flatnonzero(is_faint)
    ]
    is_over = ~is_faint & (share >= SLIGHT) & (hidden <= FINGERS)
    is_over[is_over] = [_hides_print(quad, scene) for quad in quads[is_over]]
    fresh = np.asarray((share >= scene.settings.fresh) | is_faint | is_over)
    if np.count_nonzero(fresh) < FEWEST:
        return fresh
    is_brief = np.median(change.changed_s[y, x], axis=1) < JOLT_S
    return fresh & (not _is_jolted(quads, fresh & is_brief, scene))


def _hides_print(quad: Quad, scene: Scene) -> bool:
    """Whether the print of a card shows no more where the quad lies on it: in dim light a pale card
    on it changes little else."""
    if scene.is_known_place(quad):
        return False
    below = [card for card in scene.table.cards if geometry.overlap(card.quad, quad) >= OVER]
    seen = (scene.pictures.likeness(card, scene.bgr, under=quad) for card in below)
    return any(alike is not None and alike < LOST for alike in seen)


def _rested_s(change: Change, x: npt.NDArray[np.int32], y: npt.NDArray[np.int32]) -> float:
    """For how long (s) most of the points (N,) that have changed have been so."""
    return float(np.median(change.changed_s[y, x][change.changed[y, x]]))


def _is_jolted(quads: npt.NDArray[np.float32], fresh: npt.NDArray[np.bool_], scene: Scene) -> bool:
    """Whether most boxes of what is known to lie, or has lain without a name since the first
    picture, have changed."""
    known = [card.quad for card in scene.table.cards]
    known += [card.quad for card in scene.candidates.coming if scene.is_first(card)]
    lying = [
        is_fresh
        for quad, is_fresh in zip(quads, fresh, strict=True)
        if any(geometry.iou(quad, other) >= SHIFTED for other in known)
    ]
    return len(lying) >= FEWEST and sum(lying) > JOLTED * len(lying)


def followed(
    quads: npt.NDArray[np.float32], fresh: npt.NDArray[np.bool_], scene: Scene
) -> npt.NDArray[np.intp]:
    """The indices of the quads (N, 4, 2) px that may be new cards; `fresh` (N,): as `came` says."""
    if not len(quads):
        return np.zeros(0, np.intp)
    x, y = _inside(quads, scene)
    unexplained = (scene.occupancy.owner[y, x] > 0).mean(axis=1) < 0.3
    stays = scene.settings.stays
    laid = [
        card for card in scene.table.cards
        if card.number in scene.hidden and scene.hidden[card.number].shown >= stays
    ]  # fmt: skip
    known = [card.quad for card in scene.table.cards]
    usual = median(geometry.length(quad) for quad in known) if len(known) >= 3 else None
    found = [
        k
        for k in np.flatnonzero(fresh | unexplained)
        if _fits(quads[k], bool(fresh[k]), known, usual)
        and not any(geometry.iou(quads[k], card.quad) > LAID for card in laid)
    ]
    return np.array(found, np.intp)


def _inside(
    quads: npt.NDArray[np.float32], scene: Scene
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    height, width = scene.occupancy.owner.shape
    points = geometry.inside_points(quads * np.float32(scene.scale)).astype(np.int32)
    return np.clip(points[..., 0], 0, width - 1), np.clip(points[..., 1], 0, height - 1)


def _fits(quad: Quad, fresh: bool, known: Sequence[Quad], usual: float | None) -> bool:
    """Neither a part of a card that is known, nor of another size than all cards; `usual`: how long
    (px) these are."""
    size = geometry.area(quad)
    # A box is often a little small: where something changed it may be a card just laid.
    part = 0.5 if fresh else 0.75
    for card in known:
        if size < part * geometry.area(card) and geometry.overlap(quad, card) > 0.8:
            return False
    return usual is None or 0.5 * usual <= geometry.length(quad) <= 1.8 * usual
