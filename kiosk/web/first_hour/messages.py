"""What the page asks of the set-up (docs/api.md)."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from kiosk.serving.schema import Message, Number, Part, Word
from kiosk.web.first_hour.steps import Step

Length = Annotated[int, msgspec.Meta(ge=1, le=10_000)]  # of a table (mm)
Corner = tuple[Part, Part]


class OrderGiven(Message, frozen=True):
    """An order with its values; which of them an order needs, its step checks."""

    order: Word
    step: Step | None = None
    deck: Annotated[str, msgspec.Meta(max_length=4096)] | None = None  # a path
    game: Word | None = None
    name: Word | None = None
    face: Word | None = None
    call: Word | None = None
    corners: tuple[Corner, Corner, Corner, Corner] | None = None
    width_mm: Length | None = None
    height_mm: Length | None = None
    sheet: Number | None = None
    card: Number | None = None
    number: Number | None = None
    names: Annotated[list[Word], msgspec.Meta(max_length=120)] | None = None

    @property
    def values(self) -> dict[str, Any]:
        """The values that were given, by their names."""
        found = msgspec.to_builtins(self)
        return {key: each for key, each in found.items() if key != "order" and each is not None}
