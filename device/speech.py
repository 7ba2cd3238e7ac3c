"""Spoken calls: their languages and their setting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.settings import check_fields, read_fields, setting

LANGUAGES = ("en", "de")
MEND = "correct the settings file"


@dataclass(frozen=True, slots=True)
class SpeechSettings:
    """The table `[speech]`. Raises FairdealError for a value out of bounds."""

    language: str = setting(
        "", "language in which calls are spoken from the start; empty: they are not",
        choices=("", *LANGUAGES),
    )  # fmt: skip

    def __post_init__(self) -> None:
        check_fields(self, "speech")

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> SpeechSettings:
        """Settings from text form. FairdealError for unknown keys and values out of bounds."""
        return read_fields(cls, values, "speech")
