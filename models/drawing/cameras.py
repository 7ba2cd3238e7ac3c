"""What cameras do to a picture: faults that any film can be given, by name.

A camera changes pictures only; what happens on the table stays as it is. Frames go through in the
order of time, because exposure and motion blur depend on the last ones.
"""

from collections.abc import Callable, Sequence

import cv2
import numpy as np

from models.drawing.arms import floats

# Frames a second of a slow stream, and of all others.
SLOW_RATE, RATE = 8.0, 15.0
_DRIFT_PX, _DRIFT_DEGREES, _DRIFT_S = 12.0, 0.6, 40.0
_BIG = 24  # the block size of light that changes softly over the picture, px


class Camera:
    """A camera with faults. `size` (width, height) px. The same seed gives the same course."""

    def __init__(self, names: Sequence[str], seed: int, size: tuple[int, int]) -> None:
        self._faults = [_FAULTS[name] for name in _FAULTS if name in names]
        self._size = size
        rng = self._rng = np.random.default_rng([seed, 11])
        self._phase = float(rng.uniform(0, 2 * np.pi))
        self._turn = float(rng.choice([-1, 1]))
        self._way = floats(rng.choice([-1, 1], 2) * rng.uniform(0.5, 1, 2))
        self._knocks = np.cumsum(rng.uniform(4, 12, 60))
        self._stays = rng.normal(0, 2.5, (60, 2)) * (rng.random(60) < 0.5)[:, None]
        self._sun_s = float(rng.uniform(25, 60))
        self._cast = floats(1 + rng.uniform(-0.14, 0.14, 3))
        self._grid = np.meshgrid(
            np.linspace(0, 1, max(2, size[0] // _BIG)), np.linspace(0, 1, max(2, size[1] // _BIG))
        )
        self._last: np.ndarray | None = None
        self._first_mean, self._gain, self._at = 0.0, 1.0, 0.0

    def film(self, picture: np.ndarray, at: float) -> np.ndarray:
        """The picture (H, W, 3) uint8 as this camera gives it at `at` s."""
        for fault in self._faults:
            picture = fault(self, picture, at)
        self._at = at
        return picture

    def drifted(self, at: float) -> np.ndarray:
        """Where a stand that gives way has taken the view at `at` s, (2, 3) from px to px."""
        part = min(1.0, at / _DRIFT_S)
        w, h = self._size
        view = cv2.getRotationMatrix2D((w / 2, h / 2), _DRIFT_DEGREES * self._turn * part, 1.0)
        return np.asarray(view + np.array([[0, 0, x] for x in self._way * _DRIFT_PX * part]))

    def knocked(self, at: float) -> np.ndarray:
        """Where knocks have taken the view at `at` s, (2, 3) from px to px."""
        since = at - self._knocks[self._knocks <= at]
        swing = float((9 * np.exp(-since * 7) * np.cos(since * 50)).sum())
        # The view comes back when the next knock moves it: it never wanders far.
        stays = self._stays[len(since) - 1] * (1 - np.exp(-since[-1] * 7)) if len(since) else (0, 0)
        return np.array([[1, 0, swing + stays[0]], [0, 1, swing * 0.6 + stays[1]]])

    def _drift(self, picture: np.ndarray, at: float) -> np.ndarray:
        """The stand gives way: up to 12 px and .6 degrees in 40 s."""
        return _moved(picture, self.drifted(at))

    def _knock(self, picture: np.ndarray, at: float) -> np.ndarray:
        """A jolt that swings out; now and then the view stays some px off."""
        view = self.knocked(at)
        return _moved(picture, view) if np.abs(view[:, 2]).sum() > 0.05 else picture

    def _sun(self, picture: np.ndarray, at: float) -> np.ndarray:
        """A bright stripe wanders over the table and back."""
        x, y = self._grid
        way = abs((at / self._sun_s + self._phase) % 2 - 1)
        far = np.abs(x - 0.1 - 0.8 * way + y * 0.22 * self._turn) * self._size[0]
        stripe = 1 + 0.8 / (1 + np.exp(np.clip((far - 110) / 9, -30, 30)))
        return self._lit(picture, stripe)

    def _head(self, picture: np.ndarray, at: float) -> np.ndarray:
        """The soft shadow of a head that comes over the table and goes."""
        x, y = self._grid
        lean = max(0.0, np.sin(at * 0.7 + self._phase)) ** 0.5
        x0 = 0.5 + 0.35 * np.sin(at * 0.21 + self._phase)
        far = np.hypot((x - x0) * 16 / 9, y - (1.1 - 0.5 * lean)) / 0.42
        return self._lit(picture, 1 - 0.45 * lean * np.exp(-(far**2)))

    def _flicker(self, picture: np.ndarray, at: float) -> np.ndarray:
        """Bands of a lamp on the mains run down the picture."""
        y = np.arange(self._size[1]) / self._size[1]
        wave = 1 + 0.10 * np.sin(2 * np.pi * (y * 2.3 + at * 1.7) + self._phase)
        return self._lit(picture, np.repeat(wave[:, None], 2, 1))

    def _tint(self, picture: np.ndarray, at: float) -> np.ndarray:
        """A colour cast whose white balance wanders."""
        wander = 0.06 * np.sin(2 * np.pi * at / 17 + self._phase)
        return _through(picture, self._cast * floats([1 + wander, 1, 1 - wander]))

    def _exposure(self, picture: np.ndarray, at: float) -> np.ndarray:
        """The mean brightness is kept, a little late: a bright sleeve darkens all the rest."""
        mean = float(cv2.mean(cv2.resize(picture, None, fx=0.05, fy=0.05))[1])
        self._first_mean = self._first_mean or mean
        target = float(np.clip((self._first_mean / max(mean, 1)) ** 2, 0.65, 1.55))
        self._gain += (target - self._gain) * min(1.0, 2.5 * max(0.0, at - self._at))
        return _through(picture, np.full(3, self._gain, np.float32))

    def _blur(self, picture: np.ndarray, at: float) -> np.ndarray:
        """A long exposure: what moves is smeared, what rests stays sharp."""
        last, self._last = self._last, picture
        if last is None:
            return picture
        moved = cv2.absdiff(picture, last).max(2)
        mask = cv2.blur((moved > 24).astype(np.float32), (25, 25))
        mask = np.clip(mask * 6 - 0.4, 0, 1)[..., None]
        both = cv2.addWeighted(picture, 0.6, last, 0.4, 0)
        smeared = cv2.GaussianBlur(both, (0, 0), 3.0)
        return np.asarray(picture * (1 - mask) + smeared * mask, np.uint8)

    def _dark(self, picture: np.ndarray, at: float) -> np.ndarray:
        """Little light: half as bright, with the noise of a sensor at its limit."""
        # Each frame has noise of its own: one field that is shifted looks like a view that slips.
        noise = self._rng.standard_normal((*picture.shape[:2], 1), np.float32) * 9
        return np.clip(picture * np.float32(0.55) + noise, 0, 255).astype(np.uint8)

    def _stream(self, picture: np.ndarray, at: float) -> np.ndarray:
        """Compressed as a messenger does: half the detail, strong blocks."""
        w, h = self._size
        small = cv2.resize(picture, (w * 3 // 4, h * 3 // 4), interpolation=cv2.INTER_AREA)
        coded = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 32])[1]
        decoded = cv2.imdecode(coded, cv2.IMREAD_COLOR)
        assert decoded is not None
        return cv2.resize(decoded, (w, h), interpolation=cv2.INTER_LINEAR)

    def _rate(self, picture: np.ndarray, at: float) -> np.ndarray:
        """8 frames a second: the source leaves frames out, the picture stays."""
        return picture

    def _lit(self, picture: np.ndarray, factors: np.ndarray) -> np.ndarray:
        """The picture times factors (any smaller h, w) of the light, in linear light."""
        field = cv2.resize(floats(factors) ** (1 / 2.2), self._size, interpolation=cv2.INTER_LINEAR)
        return cv2.multiply(picture, cv2.merge([field] * 3), dtype=cv2.CV_8U)


Fault = Callable[[Camera, np.ndarray, float], np.ndarray]
# In the order in which they happen: light on the table, the view, the sensor, the transmission.
_FAULTS: dict[str, Fault] = {
    "sun": Camera._sun, "head": Camera._head, "flicker": Camera._flicker, "drift": Camera._drift,
    "knock": Camera._knock, "blur": Camera._blur, "tint": Camera._tint,
    "exposure": Camera._exposure, "dark": Camera._dark, "rate": Camera._rate,
    "stream": Camera._stream,
}  # fmt: skip
CAMERAS = tuple(_FAULTS)


def rate_of(names: Sequence[str]) -> float:
    """Frames a second of a camera with these faults."""
    return SLOW_RATE if "rate" in names else RATE


def _moved(picture: np.ndarray, view: np.ndarray) -> np.ndarray:
    return cv2.warpAffine(picture, view, picture.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)


def _through(picture: np.ndarray, gains: np.ndarray) -> np.ndarray:
    """Each colour times its gain in linear light."""
    steps = (np.arange(256)[:, None] / 255) ** 2.2 * gains
    table = np.clip(steps, 0, 1) ** (1 / 2.2) * 255
    return cv2.LUT(picture, table[None].round().astype(np.uint8))
