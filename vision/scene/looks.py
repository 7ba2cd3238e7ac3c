"""Looks at candidates: which come first, what they bring, and which lead to one card."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from vision import geometry
from vision.frame import Image
from vision.geometry import Quad
from vision.scene.candidates import Candidate, is_named
from vision.scene.scene import SAME_PLACE, Scene
from vision.scene.table import Table
from vision.scene.tracks import Name
from vision.sightings import UNKNOWN

UNUSUAL = 0.1  # by which the logarithm of a card's length over its width differs from others'
MISFIT = 0.035  # by which the logarithm of a card's side differs from what it is on this table
LONGEST_S = 6.4  # s between two looks at a place that shows nothing new


def wait_s(looks: int, first: int, shortest_s: float, longest_s: float = LONGEST_S) -> float:
    """The time (s) from the last of so many looks at a place to the next one. Each look after the
    `first` ones doubles it."""
    return min(shortest_s * 2.0 ** max(0, looks - first), longest_s)


def priority(card: Candidate) -> tuple[float, ...]:
    """Cards with a face are confirmed first; then those that came with a change, the least
    looked at, the longest at rest."""
    return (not card.evidence, not card.fresh, card.looks, -card.frames, -card.score)


def looked_at(
    card: Candidate, bgr: Image, name: Name, scene: Scene, quick: bool = False
) -> Candidate:
    """The candidate with one look more at it: what `name` says of it in this frame."""
    quads = card.quad[None].astype(np.float32)
    known = nearest(card.quad, scene.table, lambda quad: scene.layout.misfit(quad, scene.size))
    named = name(bgr, quads, quick, known)
    visible = named.visible[0] if named.visible else None
    sure, quad = float(named.confidences[0]), np.asarray(named.quads[0], np.float32)
    return card.named(named.faces[0], sure, quad, bgr, visible)


def nearest(quad: Quad, table: Table, misfit: Callable[[Quad], float | None]) -> Quad | None:
    """The named card that lies nearest to a quad (4, 2): it says how large cards are there.

    One that has other sides than cards have on this table (`misfit`, as a logarithm) has an edge or
    a corner of a card below it for its own. Where no card fits, or the table's plane is not known,
    so has one that is longer for its width than most.
    """
    middle = geometry.centre(quad)
    quads = [card.quad for card in table.cards if card.face != UNKNOWN]
    off = [misfit(other) for other in quads]
    usual = np.array([each is not None and each <= MISFIT for each in off], bool)
    if quads and not usual.any():
        shapes = np.log([geometry.length(other) ** 2 / geometry.area(other) for other in quads])
        usual = np.abs(shapes - np.median(shapes)) <= UNUSUAL
    return min(
        (other for other, is_usual in zip(quads, usual, strict=True) if is_usual),
        key=lambda other: float(np.linalg.norm(geometry.centre(other) - middle)),
        default=None,
    )


def marked(cards: list[Candidate], scene: Scene) -> tuple[Candidate, ...]:
    """Marks as doubles all but the best fitting one of the candidates that lead to one card.

    Doubles are followed on: as new candidates they would be named again and again.
    """
    seen = [card for card in cards if card.upright is not None and card.evidence]
    seen.sort(key=lambda card: (
        not is_named(card, scene.settings), card.seen_at < scene.at,
        -geometry.iou(card.quad, card.place),
    ))  # fmt: skip
    first: list[Candidate] = []
    for card in seen:
        if all(
            card.best()[0] != other.best()[0] or geometry.iou(card.place, other.place) < SAME_PLACE
            for other in first
        ):
            first.append(card)
    doubles = {card.number for card in seen} - {card.number for card in first}
    return tuple(replace(card, is_double=card.number in doubles) for card in cards)
