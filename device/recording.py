"""Recordings of real tables: their settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.settings import check_fields, read_fields, setting


@dataclass(frozen=True, slots=True)
class RecordingSettings:
    """The table `[recording]`. Raises FairdealError for a value out of bounds."""

    most_mb: int = setting(
        4096, "space that all recordings of a folder take; the oldest film goes first",
        unit="MB", low=50, high=1_000_000,
    )  # fmt: skip
    jpeg_quality: int = setting(
        90, "of the recorded pictures; a higher one takes more space", low=60, high=100
    )

    def __post_init__(self) -> None:
        check_fields(self, "recording")

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> RecordingSettings:
        """Settings from text form. FairdealError for unknown keys and values out of bounds."""
        return read_fields(cls, values, "recording")
