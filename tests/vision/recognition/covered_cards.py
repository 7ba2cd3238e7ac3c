"""Cards under other cards, drawn, and galleries for tests of the search for them."""

from dataclasses import replace

import numpy as np

from models.drawing.raster import face_picture
from models.drawing.scene import Laid, Light, lay
from models.drawing.tables import draw_table

LENGTH = 220.0  # px of a card


def quad_at(deck, x, y, degrees):
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * LENGTH / 2
    half = half * [deck.width_mm / deck.height_mm, 1]
    a = np.radians(degrees)
    c, s = np.cos(a), np.sin(a)
    return (half @ np.array([[c, s], [-s, c]]) + [x, y]).astype(np.float32)


def covered(deck, face, degrees, reach):
    """A table with a card whose right part, beyond `reach` of its width, lies under another:
    (picture, quad, quad of the upper card)."""
    below = quad_at(deck, 280, 240, degrees)
    along = below[1] - below[0]
    above = below + along * reach
    return laid(deck, [(face, below), ("back", above)]), below, above


def laid(deck, cards):
    """A picture of a felt table with cards (face, quad), the lowest first."""
    scene = draw_table(np.random.default_rng(3), 480, 640, "felt").astype(np.float32)
    for face, quad in cards:
        lay(scene, Laid(face_picture(deck, face, 400), quad), Light(noise=0.0))
    return np.clip(scene, 0, 255).astype(np.uint8)


def part_of(quad, share):
    """The left `share` of a quad, as a locator boxes the visible part."""
    return np.stack([
        quad[0], quad[0] + (quad[1] - quad[0]) * share,
        quad[3] + (quad[2] - quad[3]) * share, quad[3],
    ]).astype(np.float32)  # fmt: skip


def twice(gallery, face, name):
    """The gallery with that face a second time, under another name: the two are identical."""
    k = gallery.faces.index(face)
    return replace(
        gallery,
        faces=(*gallery.faces, name),
        vectors=np.concatenate([gallery.vectors, gallery.vectors[k : k + 1]]),
        templates=np.concatenate([gallery.templates, gallery.templates[k : k + 1]]),
        fine=np.concatenate([gallery.fine, gallery.fine[k : k + 1]]),
    )
