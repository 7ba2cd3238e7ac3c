"""Settings of all packages: declared once with their bounds, checked in one place.

A setting is a dataclass field made by `setting`. Bounds stand in its metadata: `low` and `high`
for numbers, `choices` for words, `unit` and `help` for people.
"""

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import field, fields
from pathlib import Path
from typing import Any, TypeVar

from rules.errors import FairdealError
from rules.files import read_bytes, reason_of, shown

MEND = "mend the settings"
T = TypeVar("T")


def setting(default: Any, help: str, **bounds: object) -> Any:
    """A dataclass field that is a setting: its default, its help, and its bounds."""
    return field(default=default, metadata={"help": help, **bounds})


def checked(value: Any, default: Any, rule: Mapping[str, Any], where: str, todo: str = "") -> Any:
    """The value if it has the kind of `default` and lies within `rule`; FairdealError otherwise.

    A whole number counts as a number, but not the other way round; a truth value is no number.
    """
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise FairdealError("true or false", shown(value), todo, where)
        return value
    if isinstance(default, str):
        choices = rule.get("choices")
        if not isinstance(value, str) or (choices and value not in choices):
            expected = "one of " + ", ".join(choices) if choices else "text"
            raise FairdealError(expected, shown(value), todo, where)
        return value
    whole = isinstance(default, int)
    kind = int if whole else (int, float)
    low, high = rule["low"], rule["high"]
    if isinstance(value, bool) or not isinstance(value, kind) or not low <= value <= high:
        what = "a whole number" if whole else "a number"
        expected = f"{what} from {low:g} to {high:g} {rule.get('unit', '')}".rstrip()
        raise FairdealError(expected, shown(value), todo, where)
    return value


def check_fields(settings: Any, name: str) -> None:
    """FairdealError for the first field of a settings dataclass that is out of its bounds.

    `name`: the table that holds the settings.
    """
    for each in fields(settings):
        value = getattr(settings, each.name)
        checked(value, each.default, each.metadata, f"{name}.{each.name}", MEND)


def read_fields(kind: type[T], values: Mapping[str, Any], name: str) -> T:
    """A settings dataclass from text form. FairdealError for unknown keys and bad values."""
    refuse_unknown(values, {each.name for each in fields(kind)}, name)  # type: ignore[arg-type]
    return kind(**values)


def table(value: object, where: str) -> Mapping[str, Any]:
    """The value if it is a table; FairdealError otherwise."""
    if not isinstance(value, Mapping):
        raise FairdealError("a table", shown(value), f"write [{where.rpartition(', ')[2]}]", where)
    return value


def refuse_unknown(given: Mapping[str, object], known: Collection[str], where: str) -> None:
    """FairdealError for the first key that is not known."""
    for key in given:
        if key not in known:
            raise FairdealError(
                f"one of {', '.join(sorted(known))}", shown(key), "mend or remove it", where
            )


def read_toml(path: Path, what: str, todo: str = "mend the file") -> dict[str, Any]:
    """The contents of a TOML file; `what` names it in the message.

    FairdealError if it cannot be read, or is no TOML in UTF-8.
    """
    try:
        text = read_bytes(path, what, "name another").decode("utf-8")
    except UnicodeDecodeError as error:
        raise FairdealError("TOML in UTF-8", str(error), todo, str(path)) from error
    return parsed_toml(text, str(path), todo)


def parsed_toml(text: str, where: str, todo: str = "mend the file") -> dict[str, Any]:
    """The contents of TOML text. FairdealError if it is none, or is nested too deeply, or has a
    number of more digits than Python reads."""
    try:
        return tomllib.loads(text)
    except ValueError as error:
        raise FairdealError("TOML in UTF-8", reason_of(error), todo, where) from error
    except RecursionError as error:
        raise FairdealError("TOML in UTF-8", "values nested too deeply", todo, where) from error
