"""Messages between the referee and the page's server: a JSON object and an optional blob.

Each message is a header of two big-endian 32-bit lengths, then the JSON text in UTF-8, then the
blob (a JPEG). Both ends bound the lengths before they allocate.
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass, field
from typing import Any

_HEADER = struct.Struct(">II")
HEADER_BYTES = _HEADER.size
MAX_JSON_BYTES = 1 << 20
MAX_BLOB_BYTES = 8 << 20


class WireError(ValueError):
    """The other end sent what is no message; the connection is of no further use."""


@dataclass(frozen=True, slots=True)
class Message:
    """`kind` says what `body` holds; `blob` is a JPEG, or empty."""

    kind: str
    body: dict[str, Any] = field(default_factory=dict)
    blob: bytes = b""


def encode(message: Message) -> bytes:
    """The message as bytes. Raises WireError where it is over the bounds."""
    text = json.dumps({"kind": message.kind, **message.body}, separators=(",", ":")).encode()
    _check(len(text), len(message.blob))
    return _HEADER.pack(len(text), len(message.blob)) + text + message.blob


def lengths(header: bytes) -> tuple[int, int]:
    """The lengths of JSON text and blob. Raises WireError where they are over the bounds."""
    sizes = _HEADER.unpack(header)
    _check(*sizes)
    return sizes[0], sizes[1]


def decode(text: bytes, blob: bytes) -> Message:
    """The message of a JSON text and a blob. Raises WireError."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise WireError("expected JSON in UTF-8") from error
    if not isinstance(body, dict) or not isinstance(body.get("kind"), str):
        raise WireError("expected a JSON object with a kind")
    kind = body.pop("kind")
    return Message(kind, body, blob)


class Decoder:
    """Bytes in any portions in, whole messages out."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[Message]:
        """The messages that these bytes complete. Raises WireError."""
        self._buffer += data
        found = []
        while len(self._buffer) >= HEADER_BYTES:
            text, blob = lengths(bytes(self._buffer[:HEADER_BYTES]))
            end = HEADER_BYTES + text + blob
            if len(self._buffer) < end:
                break
            middle = HEADER_BYTES + text
            found.append(
                decode(bytes(self._buffer[HEADER_BYTES:middle]), bytes(self._buffer[middle:end]))
            )
            del self._buffer[:end]
        return found


def _check(text: int, blob: int) -> None:
    if text > MAX_JSON_BYTES or blob > MAX_BLOB_BYTES:
        raise WireError(
            f"expected at most {MAX_JSON_BYTES} bytes of JSON and {MAX_BLOB_BYTES} of picture, "
            f"found {text} and {blob}"
        )
