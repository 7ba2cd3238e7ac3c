"""Messages read by a schema: what does not keep to it is refused in one line.

A message is a `Message` with annotated fields; msgspec reads it and checks types and bounds.
JSON has neither NaN nor lone surrogates here, whatever Python's own reader lets through.
"""

from __future__ import annotations

import re
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, TypeVar, overload

import msgspec

from rules.errors import FairdealError
from rules.files import read_bytes

MOST_DIGITS = 9  # of an id: every one fits any counter, column and file name
MOST_ID = 10**MOST_DIGITS - 1
MOST_FILE = 1 << 20  # bytes
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
_WORD = re.compile(r"^Invalid (?:enum )?value '(?P<found>.*)'$", re.DOTALL)
_PLAIN = {
    "`int`": "a whole number", "`float`": "a number", "`str`": "text", "`bool`": "true or false",
    "`array`": "a list", "`object`": "an object", "`null`": "null",
}  # fmt: skip


class Message(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of all messages: frozen, by keyword, and without other keys than its own."""


@overload
def read(kind: type[T], data: bytes) -> T: ...
@overload
def read(kind: UnionType, data: bytes) -> Any: ...
def read(kind: Any, data: bytes) -> Any:
    """A value of `kind` from JSON text in UTF-8. Raises FairdealError.

    `kind`: a `Message`, a union of tagged ones, or any type that msgspec knows.
    """
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError as error:
        raise _refused(str(error)) from None
    except (ValueError, RecursionError):  # msgspec.DecodeError is a ValueError
        raise FairdealError("JSON in UTF-8", f"{len(data)} bytes of something else") from None


@overload
def checked(kind: type[T], value: object) -> T: ...
@overload
def checked(kind: UnionType, value: object) -> Any: ...
def checked(kind: Any, value: object) -> Any:
    """The same from a value that JSON brought already, e.g. a part of a message."""
    try:
        return read(kind, msgspec.json.encode(value))
    except (ValueError, TypeError, RecursionError, OverflowError):  # e.g. a lone surrogate
        raise FairdealError("a value that JSON can hold", "something else") from None


def read_file(kind: type[T], path: Path, expected: str) -> T:
    """The same from a file. Raises FairdealError, also for a file that is not there."""
    return read(kind, read_bytes(path, expected, most=MOST_FILE))


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
    word = _WORD.match(text)
    if word is not None:
        return FairdealError(f"{where} as a word known there", shown(word["found"]))
    got = _GOT.match(text)
    if got is None:  # "Number out of range"
        return FairdealError(f"{where or 'a number'} within its bounds", "a number beyond them")
    expected = _plain(got["expected"])
    found = _plain(got["found"]) if got["found"] else "another"
    return FairdealError(f"{where} as {expected}" if where else expected, found)


def _plain(words: str) -> str:
    for name, plain in _PLAIN.items():
        words = words.replace(name, plain)
    return words.replace("`", "").replace("<=", "at most").replace(">=", "at least")
