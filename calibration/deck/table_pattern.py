"""Takes a periodic pattern out of the table of a teaching picture: checks, stripes, tiles.

The pattern's waves are found in the picture's rim by a Fourier transform. The phase of each wave
follows the perspective (geometric phase analysis, Hÿtch et al. 1998). One period of the pattern,
the tile, is the mean of the table's pixels at each phase.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.deck.segmentation import Image
from calibration.deck.wide_blur import Grey, softened

Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PatternSettings:
    """Sizes are shares of the reduced picture's longer side unless they say otherwise."""

    side_px: int = 400  # longer side of the reduced picture
    rim: float = 0.08  # width of the rim that shows the table
    longest: float = 0.2  # period of a wave
    shortest_px: float = 4.0
    power: float = 0.1  # share of the rim's contrast in the strongest wave
    second: float = 0.35  # of its amplitude: the second wave of a pattern, else these are stripes
    apart: float = 0.35  # least sine of the angle between the waves
    strange: float = 0.15  # periods by which a phase may leave the polynomial
    explained: float = 0.6  # share of the rim's contrast that the pattern explains
    contrast: float = 7.0  # grey levels (RMS) of a pattern that matters
    spread: float = 0.05  # Gaussian sigma of the local brightness
    lights: tuple[float, float] = (0.05, 20.0)  # least and most of that brightness
    lit: int = 2  # rounds of tile and local brightness from the rim alone
    rounds: int = 6  # of all of them
    bright: float = 250.0  # grey level from which a pixel is over-exposed
    unlike: float = 12.0  # least grey levels, all channels, of a pixel that is no table
    noise: float = 4.0  # the same in median residuals of the rim
    share: float = 0.35  # the same in contrasts of the pattern
    thread: float = 0.008  # lines this thin between two squares are table
    smallest: float = 0.004  # share of the picture's area of a thing on the table
    hole: float = 0.03  # the same of a hole in it


SETTINGS = PatternSettings()
BINS = 64  # of the tile in each direction
TERMS = 3, 6, 6, 10  # of the phase's polynomial that are fitted, after its gradient


def without_pattern(bgr: Image) -> Image | None:
    """The picture (H, W, 3) uint8 with a plain table; None if its table has no periodic pattern.

    Shading, noise and everything that lies on the table stay.
    """
    scale = min(1.0, SETTINGS.side_px / max(bgr.shape[:2]))
    small = cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    picture = small.astype(np.float32)
    rim = _rim(small.shape[:2])
    grey = _main_colour(picture, rim)
    waves = _waves(grey, rim)
    if not waves:
        return None
    phases = [_phase(grey, rim, wave) for wave in waves]
    places = [_at(phase, small.shape[:2], small.shape[:2]) for phase in phases]
    # Over-exposed pixels tell little of the light and the pattern.
    told = np.where(small.max(2) < SETTINGS.bright, np.float32(1), np.float32(0.02))
    table = rim
    light = np.ones(rim.shape, np.float32)
    for number in range(SETTINGS.rounds):
        tile = _tile(picture / light[..., None], places, table * told)
        pattern = _laid(tile, places)
        light = _light(picture, pattern, table * told)
        if number < SETTINGS.lit:
            continue
        if number == SETTINGS.lit and not _is_explained(picture, pattern, light, rim > 0):
            return None
        period = 1 / float(np.linalg.norm(waves[0]))
        thing = _things(picture, pattern, light, rim, told, period)
        table = 1 - thing
    return _evened(bgr, tile, phases, light, thing)


def _rim(shape: tuple[int, int]) -> Grey:
    width = max(4, round(SETTINGS.rim * max(shape)))
    rim = np.ones(shape, np.float32)
    rim[width:-width, width:-width] = 0
    return rim


def _main_colour(picture: Grey, rim: Grey) -> Grey:
    """The picture along the direction in colour in which the rim differs most, shading removed."""
    colours = picture[rim > 0]
    middle = colours.mean(0)
    _, axes = cv2.eigen(np.cov((colours - middle).T))[1:]
    grey = ((picture - middle) @ axes[0].astype(np.float32)).astype(np.float32)
    return grey - softened(grey, 0.12 * max(grey.shape))


def _waves(grey: Grey, rim: Grey) -> list[Matrix]:
    """One or two waves (2,) in periods per px, x and y; none without a clear one."""
    count = 1 << int(2 * max(grey.shape) - 1).bit_length()
    spectrum = np.abs(np.fft.rfft2(grey * rim, (count, count)))
    y, x = np.fft.fftfreq(count)[:, None], np.fft.rfftfreq(count)[None]
    length = np.hypot(x, y)
    is_usual = length > 1 / (SETTINGS.longest * max(grey.shape))
    is_usual &= length < 1 / SETTINGS.shortest_px
    spectrum = spectrum * is_usual
    waves, tops = [], []
    for _ in range(2):
        row, column = np.unravel_index(int(spectrum.argmax()), spectrum.shape)
        waves.append(np.array([x[0, column], y[row, 0]]))
        tops.append(float(spectrum[row, column]))
        sine = np.abs(x * waves[0][1] - y * waves[0][0])
        sine = sine / np.maximum(length * np.linalg.norm(waves[0]), 1e-9)
        spectrum = spectrum * (sine > SETTINGS.apart)
    # A wave a·cos has the peak a·N/2 of the transform and the power a²/2 of a pixel.
    area = float(rim.sum())
    share = 2 * (tops[0] / area) ** 2 / max(1e-6, float((grey**2 * rim).sum()) / area)
    if share < SETTINGS.power:
        return []
    return waves if tops[1] > SETTINGS.second * tops[0] else waves[:1]


def _terms(x: Grey, y: Grey) -> Grey:
    """Polynomial terms (10, N) up to the third degree."""
    return np.stack([np.broadcast_to(a * b, x.shape) for a, b in _products(x, y)])


def _products(x: Grey, y: Grey) -> Iterator[tuple[Grey, Grey]]:
    """The two factors of each term, in the order of `_terms`."""
    across, down = ([np.ones((), np.float32), z, z * z, z * z * z] for z in (x, y))
    return ((across[i], down[d - i]) for d in range(4) for i in range(d + 1))


def _grid(shape: tuple[int, int]) -> tuple[Grey, Grey]:
    """x and y of the pixels' centres about the middle, in widths of the picture, (H, W) each."""
    height, width = shape
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    return (x + 0.5 - width / 2) / width, (y + 0.5 - height / 2) / width


def _phase(grey: Grey, rim: Grey, wave: Matrix) -> Matrix:
    """The wave's phase in periods as a polynomial (10,) of the place, fitted to the rim."""
    x, y = _grid(grey.shape)
    width = grey.shape[1]
    own = np.zeros(10)
    own[1:3] = wave[1] * width, wave[0] * width
    sigma = 1 / float(np.linalg.norm(wave))
    inside = np.maximum(softened(rim, sigma), 1e-3)
    terms = _terms(x.ravel(), y.ravel())
    for number, used in enumerate((0, *TERMS)):
        angle = 2 * np.pi * (own.astype(np.float32) @ terms).reshape(grey.shape)
        real = softened(grey * rim * np.cos(angle), sigma) / inside
        turned = -softened(grey * rim * np.sin(angle), sigma) / inside
        left = real + 1j * turned
        weight = np.abs(left) ** 2 * rim
        if number == 0:
            own[1:3] += _frequency(left, weight) * width
            continue
        common = np.angle((left * weight).sum())
        rest = np.angle(left * np.exp(-1j * common)) / (2 * np.pi)
        own[0] += common / (2 * np.pi)
        weight = weight * np.exp(-((rest / SETTINGS.strange) ** 2))
        inner = slice(None, None, 3)
        rows = terms[:used, inner].T
        own[:used] += _solved(rows, rest.ravel()[inner], weight.ravel()[inner])
    return own


def _frequency(left: npt.NDArray[np.complexfloating], weight: Grey) -> Matrix:
    """The mean gradient (2,) of the phase downwards and to the right, in periods per px."""
    down = (weight[1:] * left[1:] * np.conj(left[:-1])).sum()
    across = (weight[:, 1:] * left[:, 1:] * np.conj(left[:, :-1])).sum()
    return np.angle([down, across]) / (2 * np.pi)


def _solved(rows: npt.NDArray[np.floating], values: Grey, weights: Grey) -> Matrix:
    """Weighted least squares with a small ridge."""
    ridge = 1e-6 * float(weights.sum()) * np.eye(rows.shape[1])
    weighed = rows * weights[:, None]
    return np.asarray(np.linalg.solve(rows.T @ weighed + ridge, weighed.T @ values))


def _at(phase: Matrix, shape: tuple[int, int], fitted: tuple[int, int]) -> Grey:
    """The phase (H, W), 0..1, in a picture of `shape`; `fitted`: the reduced picture's shape."""
    x, y = _grid(shape)
    y = y * np.float32(shape[1] / shape[0] * fitted[0] / fitted[1])
    total = np.zeros(shape, np.float32)
    for share, (across, down) in zip(phase, _products(x, y), strict=True):
        total += np.float32(share) * across * down
    return total % 1


def _tile(colours: Grey, places: list[Grey], table: Grey) -> Grey:
    """One period of the pattern, (BINS, BINS or 1, 3): the mean of the table's colours there."""
    cells = [np.minimum((place * BINS).astype(int), BINS - 1) for place in places]
    shape = (BINS, BINS if len(cells) > 1 else 1)
    cell = (cells[0] * BINS + cells[1] if len(cells) > 1 else cells[0]).ravel()
    counts = np.bincount(cell, table.ravel(), int(np.prod(shape))).reshape(*shape, 1)
    sums = [np.bincount(cell, (table * colours[..., c]).ravel(), int(np.prod(shape)))
            for c in range(3)]  # fmt: skip
    total = np.concatenate([np.stack(sums, 1).reshape(*shape, 3), counts], 2).astype(np.float32)
    soft = _blurred(total, 0.6) + 1e-3 * _blurred(total, 3.0)  # empty cells take their neighbours'
    return np.asarray(soft[..., :3] / (soft[..., 3:] + 1e-6), np.float32)


def _blurred(tile: Grey, sigma: float) -> Grey:
    pad = 9
    across = pad if tile.shape[1] > 1 else 0
    wide = np.pad(tile, ((pad, pad), (across, across), (0, 0)), mode="wrap")
    soft = cv2.GaussianBlur(wide, (0, 0), sigma)
    return np.asarray(soft[pad:-pad, across : soft.shape[1] - across], np.float32)


def _laid(tile: Grey, places: list[Grey]) -> Grey:
    """The pattern (H, W, 3) at these phases."""
    across = 2 if tile.shape[1] > 1 else 0
    wide = np.pad(tile, ((2, 2), (across, across), (0, 0)), mode="wrap")
    first = places[0] * BINS + np.float32(1.5)
    second = places[1] * BINS + np.float32(1.5) if across else np.zeros_like(first)
    return np.asarray(cv2.remap(wide, second, first, cv2.INTER_LINEAR), np.float32)


def _is_explained(picture: Grey, pattern: Grey, light: Grey, rim: npt.NDArray[np.bool_]) -> bool:
    """Whether the pattern in this light explains the rim's colours, and stands out."""
    seen, shown, bright = picture[rim], pattern[rim], light[rim][:, None]
    middle = shown.mean(0)
    rest = float(((seen - np.minimum(shown * bright, 255)) ** 2).sum())
    all_of_it = float(((seen - np.minimum(middle * bright, 255)) ** 2).sum())
    stands_out = float(np.sqrt(((shown - middle) ** 2).mean())) > SETTINGS.contrast
    return stands_out and rest < (1 - SETTINGS.explained) * all_of_it


def _light(picture: Grey, pattern: Grey, table: Grey) -> Grey:
    """Local brightness (H, W) of the table, as a factor of the pattern."""
    sigma = SETTINGS.spread * max(table.shape)
    seen, shown = table * (picture * pattern).sum(2), table * (pattern**2).sum(2)
    upper, lower = (softened(one, sigma) + 1e-2 * softened(one, 5 * sigma) for one in (seen, shown))
    return np.asarray(np.clip(upper / (lower + 1e-6), *SETTINGS.lights), np.float32)


def _things(
    picture: Grey, pattern: Grey, light: Grey, rim: Grey, told: Grey, period: float
) -> Grey:
    """Where (H, W), 0 or 1, something lies on the table. `period` in px."""
    rest = _rest(picture, pattern * light[..., None])
    # In a shadow the pattern is darker; over a period it still has to be the same.
    sigma = 0.5 * period
    seen, shown = (cv2.GaussianBlur(told * one.sum(2), (0, 0), sigma)
                   for one in (picture * pattern, pattern**2))  # fmt: skip
    own = (seen / np.maximum(shown, 1e-6))[..., None]
    rest = np.minimum(rest, _rest(picture, pattern * own))
    shown = pattern[rim > 0]
    contrast = float(np.sqrt(((shown - shown.mean(0)) ** 2).sum(1).mean()))
    noise = float(np.median(rest[rim > 0]))
    limit = max(SETTINGS.unlike, min(SETTINGS.noise * noise, SETTINGS.share * contrast))
    thread = max(2, round(SETTINGS.thread * max(rest.shape)))
    thick = cv2.morphologyEx((rest > limit).astype(np.uint8), cv2.MORPH_OPEN, _disc(thread))
    whole = cv2.morphologyEx(thick, cv2.MORPH_CLOSE, _disc(max(3, round(0.6 * period))))
    return _large_parts(np.asarray(whole, np.uint8))


def _rest(picture: Grey, pattern: Grey) -> Grey:
    """What the pattern leaves of each pixel (H, W), all channels; edges may be off by a pixel."""
    kernel = np.ones((3, 3), np.uint8)
    shown = np.minimum(pattern, 255)
    over = picture - cv2.dilate(shown, kernel)
    under = cv2.erode(shown, kernel) - picture
    return np.asarray(np.linalg.norm(np.maximum(0, np.maximum(over, under)), axis=2), np.float32)


def _large_parts(mask: Image) -> Grey:
    """The mask without small parts and small holes."""
    for value in (0, 1):
        _, labels, stats, _ = cv2.connectedComponentsWithStats((mask == value).astype(np.uint8))
        limit = (SETTINGS.smallest if value else SETTINGS.hole) * mask.size
        is_small = stats[:, cv2.CC_STAT_AREA] < limit
        is_small[0] = False
        mask = np.where(is_small[labels], np.uint8(1 - value), mask)
    return mask.astype(np.float32)


def _evened(bgr: Image, tile: Grey, phases: list[Matrix], light: Grey, thing: Grey) -> Image:
    """The picture (H, W, 3) in which the table has the pattern's mean colour."""
    height, width = bgr.shape[:2]
    places = [_at(phase, (height, width), thing.shape) for phase in phases]
    bright, on_it = (cv2.resize(one, (width, height), interpolation=cv2.INTER_LINEAR)
                     for one in (light, thing))  # fmt: skip
    share = (bright * (1 - on_it))[..., None]
    pattern = np.minimum(_laid(tile, places) * bright[..., None], 255)
    pattern = pattern * (1 - on_it)[..., None]
    even = bgr - pattern + share * tile.mean((0, 1))
    return np.asarray(np.clip(np.rint(even), 0, 255), np.uint8)


def _disc(px: int) -> Image:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (px, px)), np.uint8)
