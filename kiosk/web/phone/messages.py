"""What a phone that films tells the page's server (docs/api.md)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from kiosk.serving.schema import Message, Number
from kiosk.web.phone.jpeg import LEAST_SIDE, MOST_SIDE

Pixels = Annotated[int, msgspec.Meta(ge=LEAST_SIDE, le=MOST_SIDE)]
Millis = Annotated[float, msgspec.Meta(ge=0.0, le=1e12)]  # of the phone's own clock
Key = Annotated[str, msgspec.Meta(max_length=32)]


class BeginFilming(Message, frozen=True):
    """A phone begins: its pictures' size; whether its screen stays awake; what moves by itself."""

    width: Pixels
    height: Pixels
    is_awake: bool
    is_locked: bool


class Told(Message, frozen=True):
    """The phone's time at which this was sent."""

    key: Key
    sent: Millis


class FrameHead(Message, frozen=True):
    """Before each picture: its number, when it was taken and sent, how many were dropped."""

    key: Key
    number: Number
    taken: Millis
    sent: Millis
    dropped: Number


class EndFilming(Message, frozen=True):
    """A phone stops; without its key somebody else stops it."""

    key: Key = ""


class ChooseCamera(Message, frozen=True):
    """Whether a phone is the table's camera, or its own one."""

    phone: bool
