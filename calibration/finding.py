"""What a check found: a verdict, the words, and the remedy."""

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """How a check ended, from best to worst."""

    GOOD = "good"
    WARN = "warn"
    BAD = "bad"


@dataclass(frozen=True)
class Finding:
    """One result of a check; `todo` is the remedy, empty if all is well."""

    name: str
    state: Verdict
    words: str
    todo: str = ""

    @property
    def line(self) -> str:
        """The result on one line."""
        todo = f"; {self.todo}" if self.todo else ""
        return f"{self.state:5} {self.name}: {self.words}{todo}"
