"""The small picture of the table: quiet and bright enough to compare, also in dim light."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Image
from vision.scene.difference import distance

_BRIGHTEST = 0.995  # part of the values that are darker than the brightest ones
_NOISY = 2.5  # grey levels of noise from which on a picture is noisy
_LIGHT = 9  # px over which light is alike
_TARGET = 230.0  # grey levels, of the brightest ones once they are brightened
_FULL = 252.0  # grey levels, from which a brightened picture loses its whites
_MOST = 2.0  # times brighter
_RESTS = 1.6  # times that noise, from which on a pixel does not rest
_NEW = 0.3  # part of a frame in the mean of what rests
_EVERY = 3  # px between samples
_LOOKS_EVERY = 30  # frames, of which two tell the noise
_LOOKS = 3  # in a row that must find it; of the first frames one look is enough


def shrink(bgr: Image, width: int, is_noisy: bool = False) -> Image:
    """The picture at `width` px across. Each pixel is the mean of four (five times as fast as the
    mean of all, and quiet enough), or of all where the picture `is_noisy`."""
    height = max(round(bgr.shape[0] * width / bgr.shape[1]), 1)
    how = cv2.INTER_AREA if is_noisy else cv2.INTER_LINEAR
    return cv2.resize(bgr, (width, height), interpolation=how)  # type: ignore[return-value]


class SmallPictures:
    """Makes the small pictures, `width` px across.

    In dim light a hand differs from the table by less than what counts as a change, and noise hides
    the print of pale cards. Once the frames are noisy, all pictures are brightened by one `gain`,
    which falls when the light comes on, and what rests is averaged over some frames. `is_noisy`:
    whether they are.
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self._last: Image | None = None  # the first frame of a look
        self._frames = 0
        self._looks = _LOOKS - 1
        self.is_noisy = False
        self._noise = 0.0
        self._mean: npt.NDArray[np.float32] | None = None
        self.gain = 1.0

    def see(self, bgr: Image) -> tuple[Image, bool]:
        """The small picture of the next frame, and whether those before were made less bright or
        brighter."""
        before = self.gain
        if not self.is_noisy:
            self._look(bgr)
        low = self.of(bgr)
        if self.gain > 1.0 and _brightest(low) > _FULL:
            bright = _brightest(shrink(bgr, self._width))
            self.gain = max(1.0, min(self.gain, _TARGET / bright))
            low = self.of(bgr)
        is_anew = self.gain != before
        return (self._quieter(low, is_anew) if self.is_noisy else low), is_anew

    def of(self, bgr: Image) -> Image:
        """A frame as small and as bright as the last one."""
        low = shrink(bgr, self._width, self.is_noisy)
        return low if self.gain == 1.0 else cv2.convertScaleAbs(low, alpha=self.gain)  # type: ignore[return-value]

    def _quieter(self, low: Image, is_anew: bool) -> Image:
        """The picture with the noise of what rests averaged over the last frames."""
        if self._mean is None or self._mean.shape != low.shape or is_anew:
            self._mean = low.astype(np.float32)
            return low
        mean: Image = cv2.convertScaleAbs(self._mean)  # type: ignore[assignment]
        far = distance(low, mean) / np.float32(_RESTS * self._noise * self.gain)
        # Softly: a shadow that wanders is followed, and makes no jump.
        part = np.minimum(_NEW + (1.0 - _NEW) * far**4, 1.0)[..., None]
        self._mean += part * (low - self._mean)
        return cv2.convertScaleAbs(self._mean)  # type: ignore[return-value]

    def _look(self, bgr: Image) -> None:
        """Two frames of each look tell the noise."""
        self._frames += 1
        if self._last is None:
            if self._frames % _LOOKS_EVERY == 1:
                self._last = shrink(bgr, self._width)
            return
        last, low = self._last, shrink(bgr, self._width)
        if np.array_equal(last, low):
            return  # one frame, given twice
        self._last = None
        self._noise = _noise(last, low) if last.shape == low.shape else 0.0
        self._looks = self._looks + 1 if self._noise >= _NOISY else 0
        self.is_noisy = self._looks >= _LOOKS
        if self.is_noisy:
            self.gain = min(max(_TARGET / max(_brightest(low), 1.0), 1.0), _MOST)


def _noise(a: Image, b: Image) -> float:
    """The median difference of two pictures of a table but for their light, grey levels."""
    apart = cv2.subtract(
        cv2.cvtColor(a, cv2.COLOR_BGR2GRAY), cv2.cvtColor(b, cv2.COLOR_BGR2GRAY), dtype=cv2.CV_32F
    )
    return float(np.median(np.abs(apart - cv2.blur(apart, (_LIGHT, _LIGHT)))))


def _brightest(low: Image) -> float:
    return float(np.quantile(low[::_EVERY, ::_EVERY], _BRIGHTEST))
