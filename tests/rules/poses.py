"""Poses of cards on a table: before a seat, in the middle, beside another card."""

import random
from math import cos, radians, sin
from typing import Protocol

from rules.table.layout import Extent, Pose, Side


class Seated(Protocol):
    """A table with seats."""

    sides: tuple[Side, ...]
    extent: Extent


def before_seat(at: Seated, seat: int, along: float, deep: float, off: float = 0.0) -> Pose:
    """A pose before a seat: mm to the right of its middle and from its edge; degrees off."""
    side, e = at.sides[seat - 1], at.extent
    sharing, before = at.sides.count(side), at.sides[: seat - 1].count(side)
    length = e.width if side in (Side.BOTTOM, Side.TOP) else e.height
    along += length * (sharing - before - 0.5) / sharing
    x, y = {
        Side.BOTTOM: (e.left + along, e.bottom - deep),
        Side.TOP: (e.right - along, e.top + deep),
        Side.LEFT: (e.left + deep, e.top + along),
        Side.RIGHT: (e.right - deep, e.bottom - along),
    }[side]
    return Pose(x, y, (side.degrees + off) % 360)


def in_middle(at: Seated, x: float = 0.0, y: float = 0.0, degrees: float = 0.0) -> Pose:
    """A pose, mm from the middle of the table."""
    e = at.extent
    return Pose((e.left + e.right) / 2 + x, (e.top + e.bottom) / 2 + y, degrees % 360)


def shifted(pose: Pose, right: float, down: float, off: float = 0.0) -> Pose:
    """A pose beside another card, as that card is read (mm)."""
    c, s = cos(radians(pose.degrees)), sin(radians(pose.degrees))
    return Pose(
        pose.x + c * right - s * down, pose.y + s * right + c * down, (pose.degrees + off) % 360
    )


def wobbled(rng: random.Random, pose: Pose, mm: float = 4.0, degrees: float = 6.0) -> Pose:
    """Nearly that pose."""
    return Pose(
        pose.x + rng.gauss(0, mm / 2), pose.y + rng.gauss(0, mm / 2),
        (pose.degrees + rng.gauss(0, degrees / 2)) % 360,
    )  # fmt: skip
