"""Crops of cards: the same function feeds the networks in training and at run time."""

import cv2
import numpy as np

WIDTH, HEIGHT = 96, 128  # px
MARGIN = 0.1  # of the card's size, on each side, for the namer
COARSE = 0.5  # margin of the first corner search: a box may be off by a quarter
FINE = 0.15  # margin of the second corner search

_NEXT = [1, 2, 3, 0]
_TO_PLANE = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
_TO_PIXELS = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1]])


def rectangle(width: float, height: float) -> np.ndarray:
    """Corners (4, 2) float32 of an upright rectangle at the origin, clockwise from the top left."""
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)


def pixel_warp(homography: np.ndarray) -> np.ndarray:
    """The warp (3, 3) between pixel indices for a homography (3, 3) between picture planes.

    In a plane the first pixel's centre lies at (0.5, 0.5); OpenCV's warps put it at (0, 0).
    """
    return _TO_PIXELS @ homography @ _TO_PLANE


def inner_quad(width: int = WIDTH, height: int = HEIGHT, margin: float = MARGIN) -> np.ndarray:
    """Corners of an exactly located card in its crop, (4, 2) float32 px."""
    x, y = width * margin / (1 + 2 * margin), height * margin / (1 + 2 * margin)
    return np.array([[x, y], [width - x, y], [width - x, height - y], [x, height - y]], np.float32)


def cut(bgr: np.ndarray, quad: np.ndarray, margin: float = MARGIN) -> tuple[np.ndarray, np.ndarray]:
    """The crop (HEIGHT, WIDTH, 3) of the card at `quad` (4, 2), and the homography frame → crop."""
    return cut_to(bgr, quad, inner_quad(margin=margin), WIDTH, HEIGHT)


def cut_to(
    bgr: np.ndarray, quad: np.ndarray, corners: np.ndarray, width: int, height: int
) -> tuple[np.ndarray, np.ndarray]:
    """Warps a frame so that `quad` (4, 2) falls on `corners` (4, 2) of the crop.

    Returns the crop (height, width, 3) and the homography frame → crop. A card that is much
    larger than its crop is reduced first, because warping alone would alias.
    """
    to = cv2.getPerspectiveTransform(np.array(quad, np.float32), np.array(corners, np.float32))
    sides, wanted = (np.linalg.norm(box[_NEXT] - box, axis=1) for box in (quad, corners))
    shrink = float((sides / wanted).mean())
    whole = cv2.perspectiveTransform(
        rectangle(width, height)[None],
        np.linalg.inv(to),
    )[0]
    h, w = bgr.shape[:2]
    x0, y0 = np.floor(np.clip(whole.min(0) - 3, 0, [w - 2, h - 2])).astype(int)
    x1, y1 = np.ceil(np.clip(whole.max(0) + 4, [2, 2], [w, h])).astype(int)
    warp = pixel_warp(to)
    if shrink < 1.5 or x1 - x0 < 8 or y1 - y0 < 8:
        return cv2.warpPerspective(
            bgr, warp, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT
        ), to
    size = max(4, round((x1 - x0) / shrink)), max(4, round((y1 - y0) / shrink))
    small = cv2.resize(bgr[y0:y1, x0:x1], size, interpolation=cv2.INTER_AREA)
    fx, fy = size[0] / (x1 - x0), size[1] / (y1 - y0)
    back = np.array([[1 / fx, 0, x0 + 0.5 / fx - 0.5], [0, 1 / fy, y0 + 0.5 / fy - 0.5], [0, 0, 1]])
    return cv2.warpPerspective(
        small, warp @ back, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT
    ), to


def crop_to_corners(
    bgr: np.ndarray, quad: np.ndarray, width: int, height: int, pad: int
) -> np.ndarray:
    """The card cut to its corners, (height, width, 3) and `pad` px more on each side."""
    corners = rectangle(width, height) + pad
    return cut_to(bgr, quad, corners, width + 2 * pad, height + 2 * pad)[0]
