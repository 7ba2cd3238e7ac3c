"""The settings of vision, declared once: default, unit, bounds, help."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.settings import check_fields, read_fields, setting

ONNX, INT8, NCNN = "onnxruntime", "onnxruntime-int8", "ncnn"
LOCATOR_ENGINES = (ONNX, INT8, NCNN)
NAMER_ENGINES = (ONNX, NCNN)  # eight bits change embeddings too much


def _setting(default: float, unit: str, low: float, high: float, text: str) -> Any:
    return setting(default, text, unit=unit, low=low, high=high)


@dataclass(frozen=True, slots=True)
class VisionSettings:
    """How long a card must lie, how much must change, how sure a name must be.

    Raises FairdealError for a value outside its bounds.
    """

    settle_s: float = _setting(0.12, "s", 0.0, 2.0, "how long a card lies still before it counts")
    still: float = _setting(
        0.04, "card lengths", 0.005, 0.2, "how far a card may seem to move and still lie still"
    )
    still_deg: float = _setting(5.0, "degrees", 0.5, 30.0, "how far it may seem to turn")
    lost_s: float = _setting(0.3, "s", 0.0, 2.0, "how long a card that is coming may go unseen")
    stays: float = _setting(
        0.35, "", 0.1, 1.0, "part of a card's crop that must be unchanged for the card to lie still"
    )
    slow: float = _setting(
        0.15, "card lengths", 0.0, 1.0, "way between two frames up to which a card is looked at"
    )
    let_go: float = _setting(
        0.04, "", 0.0, 1.0, "part of a hand that must move for it to have let go of a still card"
    )
    free: float = _setting(
        0.5, "", 0.05, 1.0, "part of a place that must look as before its cards came, hands or not"
    )
    gone_s: float = _setting(0.05, "s", 0.0, 2.0, "how long a place looks empty before it is")
    revealed_s: float = _setting(
        0.6, "s", 0.0, 5.0, "how long a card lies where a known one lay before it is judged"
    )
    doubt_s: float = _setting(
        1.0, "s", 0.2, 10.0, "how long a changed card may go unseen before it is taken as gone"
    )
    late_s: float = _setting(
        1.0, "s", 0.1, 10.0, "how long a card lies that came without a change being seen"
    )
    unknown_s: float = _setting(
        1.5, "s", 0.2, 10.0, "how long a card is looked at before it is called unknown"
    )
    again_s: float = _setting(0.4, "s", 0.1, 10.0, "how often an unknown card is named again")
    absorb_s: float = _setting(2.5, "s", 0.5, 60.0, "how long a change lies before it is the table")
    hold_s: float = _setting(20.0, "s", 1.0, 600.0, "how long an arm may rest on the table")
    name_enough: float = _setting(0.95, "", 0.1, 10.0, "evidence that names a card, summed up")
    name_margin: float = _setting(0.5, "", 0.0, 10.0, "evidence it needs over the next face")
    names_at_once: int = _setting(1, "cards", 1, 60, "how many cards are named in one frame")
    score: float = _setting(
        0.35, "", 0.05, 0.95, "least score of a located card; lower finds more, and more falsely"
    )
    low_width: int = _setting(320, "px", 80, 640, "width of the small picture of the table")
    changed_level: int = _setting(20, "of 255", 4, 120, "what counts as a change of the table")
    moved_level: int = _setting(14, "of 255", 4, 120, "what counts as a change between frames")
    fresh: float = _setting(0.3, "", 0.05, 1.0, "part of a new card's place that has changed")
    doubt: float = _setting(0.3, "", 0.05, 1.0, "part of a card that changed, to look again")
    alike: float = _setting(0.85, "", 0.5, 1.0, "part that looks as before the card, if it is gone")
    touched: float = _setting(0.06, "", 0.0, 0.5, "part of a card's rim under a hand, at most")
    blind_s: float = _setting(0.3, "s", 0.0, 5.0, "how long the view is lost before it is said")
    sighted_s: float = _setting(0.5, "s", 0.0, 5.0, "how long the view is good before it is said")
    dark_level: float = _setting(10.0, "of 255", 0.0, 100.0, "mean brightness that is too dark")

    def __post_init__(self) -> None:
        check_fields(self, "vision")

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> VisionSettings:
        """Settings from text form; unknown keys are refused (FairdealError)."""
        return read_fields(cls, values, "vision")


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """Which engine runs a network. `fairdeal bench engines` measures them and writes these.

    The corner network runs in ONNX Runtime only: NCNN crashes on the reductions in its head.

    Raises FairdealError for an engine that is not known.
    """

    locator: str = setting(ONNX, "engine of the locator", choices=LOCATOR_ENGINES)
    namer: str = setting(ONNX, "engine of the embedding network", choices=NAMER_ENGINES)
    reason: str = setting("", "what was measured when the engines were chosen")

    def __post_init__(self) -> None:
        check_fields(self, "engines")

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> EngineSettings:
        """Settings from text form; unknown keys are refused (FairdealError)."""
        return read_fields(cls, values, "engines")


DEFAULT_ENGINES = EngineSettings()
