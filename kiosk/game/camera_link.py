"""Whether the camera's pictures can be judged by: gone, frozen, just back, or of another size.

Time is an argument.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kiosk.game.frozen_feed import FrozenFeed
from kiosk.game.limits import LIMITS
from rules.errors import FairdealError
from vision.frame import Frame
from vision.sources import Lost, Source


def _nothing(*_: object) -> None:
    return None


@dataclass(frozen=True, slots=True)
class CameraHooks:
    """`first` is called with the first frame, `back` when a lost camera gives pictures again."""

    first: Callable[[Frame], None] = _nothing
    back: Callable[[], None] = _nothing


@dataclass(frozen=True, slots=True)
class CameraReport:
    """What a frame says of its camera.

    `lost`: the frame is not to be used. `is_found`: a lost camera counts again from here on.
    `is_resized`: the frames have another size than before, so all is looked at from the start.
    """

    lost: Lost | None = None
    is_found: bool = False
    is_resized: bool = False


class CameraLink:
    """Follows one camera, frame by frame."""

    def __init__(self, source: Source, hooks: CameraHooks) -> None:
        self._source, self._hooks = source, hooks
        self._frozen = None if source.recorded else FrozenFeed()
        self._is_lost = False
        self._back_at: float | None = None
        self._size: tuple[int, int] | None = None

    def lose(self) -> None:
        """The source says that the camera is gone."""
        self._is_lost, self._back_at = True, None

    def see(self, frame: Frame, at: float) -> CameraReport:
        """Takes a frame of game time `at` (s). Raises FairdealError: a recording changes size."""
        lost = self._frozen.see(frame) if self._frozen is not None else None
        if lost is not None:
            self.lose()
            return CameraReport(lost)
        return CameraReport(None, self._come_back(at), self._check_size(frame))

    def _come_back(self, at: float) -> bool:
        """A camera that gives pictures again counts once it has done so for a while."""
        if not self._is_lost:
            return False
        if self._back_at is None:
            self._back_at = at
            self._hooks.back()
        elif at - self._back_at >= LIMITS.settle_s:
            self._is_lost, self._back_at = False, None
            return True
        return False

    def _check_size(self, frame: Frame) -> bool:
        """A camera may come back with another picture size; a recording may not."""
        size, before = (frame.width, frame.height), self._size
        self._size = size
        if before is None:
            self._hooks.first(frame)
            return False
        if size == before:
            return False
        if self._source.recorded:
            raise FairdealError(
                f"pictures of {before[0]}x{before[1]} px as the first one",
                f"picture {frame.number + 1} of {size[0]}x{size[1]} px",
                "take out what does not belong there", self._source.name,
            )  # fmt: skip
        return True
