"""A table check in words: the terminal says what the page says (its catalogue `check`)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from calibration.finding import Verdict
from kiosk.speech.catalogue import messages
from kiosk.tablecheck.acts import Act
from kiosk.tablecheck.judging import TableFinding

PART = "check"
LANGUAGES = ("en", "de")
# Topics whose measures are parts of something: shown in per cent.
PARTS = frozenset({"glare", "flicker", "pile", "fan", "exposure", "back", "focus"})
_VARIABLE = re.compile(r"\{ \$([a-z]+) \}")


@dataclass(frozen=True, slots=True)
class Said:
    """A finding in words: what it is about, what was found, what to do (empty: nothing)."""

    topic: str
    words: str
    todo: str


def figure(finding: TableFinding, value: float) -> float:
    """A measure as it is shown: per cent for parts, one digit after the point below 10."""
    shown = value * 100 if finding.topic in PARTS else value
    return round(shown, 1) if abs(shown) < 10 else float(round(shown))


def finding_json(finding: TableFinding) -> dict[str, Any]:
    """A finding for the page, which words it by topic and case."""
    return {
        "topic": finding.topic, "case": finding.case, "state": finding.state.value,
        "measured": figure(finding, finding.measured), "needed": figure(finding, finding.needed),
        "where": list(finding.where),
    }  # fmt: skip


def said(finding: TableFinding, language: str) -> Said:
    """A finding in words."""
    name = f"check-{finding.topic}-{finding.case}"
    values = {
        "measured": _number(figure(finding, finding.measured), language),
        "needed": _number(figure(finding, finding.needed), language),
        "where": ", ".join(_where(finding, each, language) for each in finding.where),
    }
    return Said(
        text(f"check-topic-{finding.topic}", language), text(name, language, values),
        text(f"{name}-todo", language, values) if finding.state is not Verdict.GOOD else "",
    )  # fmt: skip


def asked(act: Act, language: str) -> str:
    """What people are asked to do."""
    return text(f"check-ask-{act}", language)


def text(name: str, language: str, values: dict[str, str] | None = None) -> str:
    """A text of the catalogue; the name itself where it has none."""
    found = messages(language, PART).get(name, name)
    return _VARIABLE.sub(lambda match: (values or {}).get(match[1], match[0]), found)


def _where(finding: TableFinding, each: str, language: str) -> str:
    if finding.topic == "lock" and finding.case == "refused":
        return each
    return text(f"check-where-{each.replace(' ', '-')}", language)


def _number(value: float, language: str) -> str:
    shown = f"{value:g}"
    return shown.replace(".", ",") if language == "de" else shown
