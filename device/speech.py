"""Spoken calls: their languages and their setting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from rules.settings import checked, refuse_unknown, setting

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
        for each in fields(self):
            value = getattr(self, each.name)
            checked(value, each.default, each.metadata, f"speech.{each.name}", MEND)

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> SpeechSettings:
        """Settings from text form. FairdealError for unknown keys and values out of bounds."""
        refuse_unknown(values, {each.name for each in fields(cls)}, "speech")
        return cls(**values)
