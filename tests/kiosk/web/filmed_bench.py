"""A camera of the set-up that films the pictures of a test, and a clock that the test sets."""

import numpy as np

from vision.frame import Frame
from vision.sources.source import Ended, Source

SIZE = (320, 180)


def checked(level=150):
    """A sharp picture of a checked cloth, `level` its brighter squares."""
    rows, columns = np.indices((SIZE[1], SIZE[0])) // 12
    grey = np.where((rows + columns) % 2, level, level // 3).astype(np.uint8)
    return np.repeat(grey[..., None], 3, axis=2)


class Film(Source):
    """Pictures at 10 a second; what stands in the list is given as it is."""

    name = "film"

    def __init__(self, pictures, recorded=True):
        self.recorded, self._pictures, self._number = recorded, list(pictures), 0
        self.skipped_to = []

    def read(self):
        return None

    def watch(self, timeout_s):
        if self._number >= len(self._pictures):
            return Ended()
        picture = self._pictures[self._number]
        self._number += 1
        if not isinstance(picture, np.ndarray):
            return picture
        return Frame(picture, self._number / 10, self._number)

    def skip_to(self, at):
        self.skipped_to.append(round(at, 3))


class Clock:
    """Time that the test sets."""

    def __init__(self):
        self.at = 0.0

    def __call__(self):
        return self.at
