"""The live picture in a window, if there is a screen."""

from collections.abc import Callable, Iterable
from types import TracebackType

import cv2
import numpy as np

from calibration import pictures, proof
from rules.errors import FairdealError
from vision.sources.source import Source

WIDTH_PX = 1280  # largest width of the window; larger pictures are scaled down
TAKE, GIVE_UP = frozenset(" \r\n"), frozenset("q\x1b")


class Preview:
    """A window, shown only if `wanted`. A context manager."""

    def __init__(self, title: str, wanted: bool) -> None:
        self._title, self.is_shown = title, wanted

    def show(self, bgr: np.ndarray, hint: str, points_px: Iterable[np.ndarray] = ()) -> str:
        """Shows a picture (H, W, 3) with a hint and points; returns the key pressed, or ""."""
        if not self.is_shown:
            return ""
        share = min(1.0, WIDTH_PX / bgr.shape[1])
        out = cv2.resize(bgr, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        for x, y in points_px:
            cv2.circle(out, (round(float(x) * share), round(float(y) * share)), 4, proof.GREEN, -1)
        proof.label(out, hint, (12, 32), 0.7)
        try:
            cv2.imshow(self._title, out)
            key = cv2.waitKey(1)
        except cv2.error:  # OpenCV without GUI, or the screen was closed
            self.is_shown = False
            return ""
        return chr(key & 0xFF) if key >= 0 else ""

    def __enter__(self) -> "Preview":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.is_shown:
            cv2.destroyWindow(self._title)


def aim(source: Source, title: str, hint: Callable[[np.ndarray], str]) -> None:
    """Shows a live camera's picture, with a hint on it, until the user continues.

    Does nothing without a screen or a live camera. FairdealError if the user gives up.
    """
    if source.recorded or not pictures.has_screen():
        return
    with Preview(title, True) as preview:
        while (frame := source.read()) is not None:
            words = f"{hint(frame.bgr)} [space: go on, q: give up]"
            key = preview.show(frame.bgr, words.lstrip())
            if key in GIVE_UP and key:
                raise FairdealError("a picture of the table", "none: cancelled", "start again")
            if (key and key in TAKE) or not preview.is_shown:
                return
