"""Corners at full resolution: each side laid on the edge that the picture shows there.

A side is searched as a line whose two ends move across it; it takes the strongest edge along its
whole length, weighed against how far that is from where the network put it. Four sides that cross
make the corners. A side without an edge of its own (another card on it) stays as it was.
"""

import cv2
import numpy as np

ALONG, ACROSS = 40, 33  # samples of a side
REACH = 0.045  # of the card's length, how far an edge is searched to either side
TRUST = 0.022  # of the card's length, standard deviation of the network's corners
WEAK = 3.0  # grey levels a sample; a line weaker than this is no edge


def to_edges(bgr: np.ndarray, quads: np.ndarray, rounds: int = 2) -> np.ndarray:
    """Quads (N, 4, 2) px whose sides lie on edges of the picture (H, W, 3)."""
    out = np.array(quads, np.float32)
    for i in range(len(out)):
        for k in range(rounds):
            out[i] = _one(bgr, out[i], REACH / (1 + k))
    return out


def _one(bgr: np.ndarray, quad: np.ndarray, reach: float) -> np.ndarray:
    length = float(max(np.linalg.norm(quad[3] - quad[0]), np.linalg.norm(quad[1] - quad[0])))
    reach_px = max(2.5, reach * length)
    lines = [_side(bgr, quad[k], quad[(k + 1) % 4], reach_px, TRUST * length) for k in range(4)]
    corners = [_cross(lines[k - 1], lines[k]) for k in range(4)]
    if any(c is None for c in corners):
        return quad
    new = np.array(corners, np.float32)
    if np.linalg.norm(new - quad, axis=1).max() > 2.5 * reach_px or not cv2.isContourConvex(new):
        return quad
    return new


def _side(
    bgr: np.ndarray, a: np.ndarray, b: np.ndarray, reach: float, trust: float
) -> tuple[np.ndarray, np.ndarray]:
    """The side from `a` to `b` moved onto its edge: its two ends."""
    along = b - a
    normal = np.array([along[1], -along[0]], np.float32) / max(1e-6, float(np.linalg.norm(along)))
    t = np.linspace(0.07, 0.93, ALONG, dtype=np.float32)
    d = np.linspace(-reach, reach, ACROSS, dtype=np.float32)
    points = a + t[:, None, None] * along + d[None, :, None] * normal
    strip = cv2.remap(
        bgr, points.astype(np.float32), None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    strip = cv2.blur(strip.astype(np.float32), (1, 3))
    slope = (strip[:, 2:] - strip[:, :-2]) / 2
    strength = np.minimum(np.abs(slope).max(2), 28.0)
    strength = np.pad(strength, ((0, 0), (1, 1)))
    ends = np.arange(ACROSS)
    lean = 10  # steps by which the two ends may differ
    first, last = np.meshgrid(ends, ends, indexing="ij")
    near = np.abs(first - last) <= lean
    first, last = first[near], last[near]
    at = np.rint(first[:, None] * (1 - t) + last[:, None] * t).astype(np.intp)
    score = strength[np.arange(ALONG), at].mean(1)
    off = (d[first] ** 2 + d[last] ** 2) / 2
    best = int(np.argmax(score * np.exp(-off / (2 * trust**2))))
    if score[best] < WEAK:
        return a, b
    # the ends of t lie inside the side: carry the line on to the corners
    d0, d1 = float(d[first[best]]), float(d[last[best]])
    step = (d1 - d0) / (t[-1] - t[0])
    return a + normal * (d0 - step * t[0]), a + along + normal * (d0 + step * (1 - t[0]))


def _cross(
    one: tuple[np.ndarray, np.ndarray], two: tuple[np.ndarray, np.ndarray]
) -> np.ndarray | None:
    """Where two lines, each given by two points, cross."""
    (x1, y1), (x2, y2), (x3, y3), (x4, y4) = *one, *two
    below = (x1 - x2) * (y3 - y4) - (y1 - y2) * (x3 - x4)
    if abs(below) < 1e-6:
        return None
    p, q = x1 * y2 - y1 * x2, x3 * y4 - y3 * x4
    return np.array(
        [(p * (x3 - x4) - (x1 - x2) * q) / below, (p * (y3 - y4) - (y1 - y2) * q) / below]
    )
