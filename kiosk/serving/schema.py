"""Messages read by a schema: what does not keep to it is refused in one line.

A message is a `Message` with annotated fields; msgspec reads it and checks types and bounds.
JSON has neither NaN nor lone surrogates here, whatever Python's own reader lets through.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, TypeVar

import msgspec

from rules.errors import FairdealError

MOST_DIGITS = 9  # of an id: every one fits any counter, column and file name
MOST_ID = 10**MOST_DIGITS - 1
SHOWN = 40  # characters of a key or value that a refusal repeats

Number = Annotated[int, msgspec.Meta(ge=0, le=MOST_ID)]
Seat = Annotated[int, msgspec.Meta(ge=1, le=99)]
Part = Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]  # of a picture's width or height
Word = Annotated[str, msgspec.Meta(max_length=80)]  # a name of the program's own: button, face
Text = Annotated[str, msgspec.Meta(max_length=200)]  # what people type

T = TypeVar("T")

_AT = re.compile(r" - at `\$\.?(?P<where>[^`]*)`$")
_GOT = re.compile(r"^Expected (?P<expected>.*?)(?:, got (?P<found>.*))?$", re.DOTALL)
_KEY = re.compile(r"^Object (?P<what>missing required|contains unknown) field `(?P<key>.*)`$", re.S)
_PLAIN = {
    "`int`": "a whole number", "`float`": "a number", "`str`": "text", "`bool`": "true or false",
    "`array`": "a list", "`object`": "an object", "`null`": "null",
}  # fmt: skip


class Message(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of all messages: frozen, by keyword, and without other keys than its own."""


def read(kind: type[T], data: bytes) -> T:
    """A value of `kind` from JSON text in UTF-8. Raises FairdealError.

    `kind`: a `Message`, a union of tagged ones, or any type that msgspec knows.
    """
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError as error:
        raise _refused(str(error)) from None
    except (ValueError, RecursionError):  # msgspec.DecodeError is a ValueError
        raise FairdealError("JSON in UTF-8", f"{len(data)} bytes of something else") from None


def checked(kind: type[T], value: object) -> T:
    """The same from a value that JSON brought already, e.g. a part of a message."""
    try:
        return read(kind, msgspec.json.encode(value))
    except (ValueError, TypeError, RecursionError, OverflowError):  # e.g. a lone surrogate
        raise FairdealError("a value that JSON can hold", "something else") from None


def read_file(kind: type[T], path: Path, most_bytes: int = 1 << 20) -> T:
    """The same from a file. Raises FairdealError, also for a file that is not there."""
    try:
        with path.open("rb") as file:
            data = file.read(most_bytes + 1)
    except (OSError, ValueError) as error:
        found = getattr(error, "strerror", None) or str(error)
        raise FairdealError(f"a file {path.name}", found) from None
    if len(data) > most_bytes:
        raise FairdealError(f"a file {path.name} of at most {most_bytes} bytes", "a larger one")
    return read(kind, data)


def shown(value: object) -> str:
    """A strange value as an error line may repeat it: short, printable ASCII."""
    text = ascii(value)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


def _refused(words: str) -> FairdealError:
    """msgspec's words as ours: "expected seat as a whole number, found text"."""
    at = _AT.search(words)
    where = shown(at["where"])[1:-1] if at else ""
    text = words[: at.start()] if at else words
    key = _KEY.match(text)
    if key is not None:
        inside = f" in {where}" if where else ""
        if key["what"] == "missing required":
            return FairdealError(f"the key {key['key']}{inside}", "none")
        return FairdealError(f"only known keys{inside}", shown(key["key"]))
    got = _GOT.match(text)
    if got is None:  # "Number out of range", "Invalid value 'x'"
        return FairdealError(f"{where or 'a message'} within its bounds", "another")
    expected = _plain(got["expected"])
    found = _plain(got["found"]) if got["found"] else "another"
    return FairdealError(f"{where} as {expected}" if where else expected, found)


def _plain(words: str) -> str:
    for name, plain in _PLAIN.items():
        words = words.replace(name, plain)
    return words.replace("`", "").replace("<=", "at most").replace(">=", "at least")
