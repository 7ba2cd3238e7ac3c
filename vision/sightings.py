"""What one frame shows: cards located, and cards named."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

UNKNOWN = "unknown"
BACK = "back"
NOTHING = "nothing"  # a false positive of the locator: no card lies there


def _frozen(values: npt.ArrayLike, kind: type, shape: tuple[int, ...], what: str) -> np.ndarray:
    array: np.ndarray = np.array(values, dtype=kind)
    if array.size == 0:
        array = array.reshape(shape)
    if array.shape != shape:
        raise ValueError(f"{what}: expected shape {shape}, found {array.shape}")
    array.flags.writeable = False
    return array


@dataclass(frozen=True, slots=True, eq=False)
class Located:
    """N located cards without names: quads (N, 4, 2) float32 px clockwise, any corner first;
    scores (N,) 0 to 1.

    The arrays are copied and made read-only. Raises ValueError if the shapes disagree.
    """

    quads: npt.NDArray[np.float32]
    scores: npt.NDArray[np.float32]

    def __post_init__(self) -> None:
        count = len(self.quads)
        object.__setattr__(self, "quads", _frozen(self.quads, np.float32, (count, 4, 2), "quads"))
        object.__setattr__(self, "scores", _frozen(self.scores, np.float32, (count,), "scores"))

    def __len__(self) -> int:
        return len(self.quads)

    @classmethod
    def empty(cls) -> Located:
        """No cards."""
        return cls(np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32))


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """The recogniser's answer for N located cards, in their order.

    faces (N,), "nothing" for a false positive; confidences (N,) 0 to 1; quads (N, 4, 2) px,
    clockwise from the upright face's top-left corner; face_up (N,) bool. `visible`: per card a
    grid (rows, columns) bool of the parts where its own picture shows; empty if nobody asked.
    """

    faces: tuple[str, ...]
    confidences: npt.NDArray[np.float32]
    quads: npt.NDArray[np.float32]
    face_up: npt.NDArray[np.bool_]
    visible: tuple[npt.NDArray[np.bool_], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Sightings:
    """N cards located and named, as a struct of arrays.

    quads (N, 4, 2) float32 px, clockwise from the upright face's top-left corner; scores (N,)
    of the locator; faces, "unknown" and "back" among them; confidences (N,) 0 to 1;
    face_up (N,) bool. Arrays are copied and made read-only; ValueError if the shapes disagree.
    """

    quads: npt.NDArray[np.float32]
    scores: npt.NDArray[np.float32]
    faces: tuple[str, ...]
    confidences: npt.NDArray[np.float32]
    face_up: npt.NDArray[np.bool_]

    def __post_init__(self) -> None:
        count = len(self.faces)
        shapes = {
            "quads": (np.float32, (count, 4, 2)),
            "scores": (np.float32, (count,)),
            "confidences": (np.float32, (count,)),
            "face_up": (np.bool_, (count,)),
        }
        for name, (kind, shape) in shapes.items():
            object.__setattr__(self, name, _frozen(getattr(self, name), kind, shape, name))
        object.__setattr__(self, "faces", tuple(self.faces))

    def __len__(self) -> int:
        return len(self.faces)

    @classmethod
    def empty(cls) -> Sightings:
        """No cards."""
        none = np.zeros(0, np.float32)
        return cls(np.zeros((0, 4, 2), np.float32), none, (), none, np.zeros(0, np.bool_))
