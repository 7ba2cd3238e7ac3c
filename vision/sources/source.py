"""What every source of frames is, for those who read it and those who write one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Protocol, Self, runtime_checkable

from vision.frame import Frame


@dataclass(frozen=True, slots=True)
class Lost:
    """A live camera gives nothing: noticed `at` (s of the source's clock), for reason `why`."""

    at: float
    why: str


@dataclass(frozen=True, slots=True)
class Ended:
    """A recording is over."""


@runtime_checkable
class Steered(Protocol):
    """A camera whose light and focus are set through the program that films with it.

    Names, types and units are libcamera's (ExposureTime in µs, LensPosition in dioptres). It may
    be asked from any thread; raises FairdealError where the camera refuses or is not there.
    """

    def ranges(self) -> Mapping[str, tuple[Any, Any]]:
        """The controls that it has: the least and the largest value of each."""
        ...

    def metadata(self) -> Mapping[str, Any]:
        """With what settings the next picture was taken."""
        ...

    def set_controls(self, values: Mapping[str, Any]) -> None:
        """Takes effect some pictures later."""


class Source(ABC):
    """A context manager that gives frames.

    `recorded`: the frames are a recording's, whose clock begins at its first picture.
    `name`: for people. `drops`: frames overtaken by a newer one (0 unless played live).
    """

    recorded: bool = True
    name: str = ""

    @property
    def drops(self) -> int:
        """How many frames nobody worked on, for a newer one had come."""
        return 0

    @property
    def is_stuck(self) -> bool:
        """Whether the camera's driver hangs so that only a reboot of the machine helps."""
        return False

    @property
    def steered(self) -> Steered | None:
        """The camera's controls, where they are set through the one who films."""
        return None

    def age_s(self, frame: Frame) -> float | None:
        """How long ago the frame was taken (s); None for a recording, which knows no now."""
        return None

    @abstractmethod
    def read(self) -> Frame | None:
        """The next frame, waited for; None at a recording's end.

        Raises FairdealError: a picture that cannot be read, a camera that stays lost.
        """

    def watch(self, timeout_s: float) -> Frame | Lost | Ended | None:
        """As `read`, for a table that must go on without its camera.

        Back after `timeout_s` at the latest, with None when no frame came and that is no
        trouble yet; `Lost`, again in each call, while a live camera is gone.
        """
        frame = self.read()
        return Ended() if frame is None else frame

    def skip_to(self, at: float) -> None:  # noqa: B027 - a source that cannot skip need not
        """Leave out frames before `at` (s) where that is cheaper than reading them."""

    def close(self) -> None:  # noqa: B027 - a source may hold nothing
        """Give the camera or file back; harmless when done twice."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
