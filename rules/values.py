"""Frozen values and how to get a changed one, quickly."""

from functools import lru_cache
from operator import attrgetter
from typing import Any, TypeVar

Value = TypeVar("Value")


def replace(value: Value, **changes: Any) -> Value:
    """`dataclasses.replace` for a frozen dataclass with slots, no parents and two fields or more.

    Three to four times as fast on a state of twenty fields, which is most of what judging costs.
    """
    kind: Any = type(value)
    fields, index = _shape(kind)
    kept = list(fields(value))
    for name, change in changes.items():
        kept[index[name]] = change
    return kind(*kept)


@lru_cache(maxsize=256)
def _shape(kind: Any) -> tuple[attrgetter, dict[str, int]]:
    names = kind.__slots__
    return attrgetter(*names), {name: i for i, name in enumerate(names)}
