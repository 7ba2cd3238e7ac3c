"""What the table check has measured so far; `judging.py` says what it means."""

from __future__ import annotations

from dataclasses import dataclass, field

from kiosk.tablecheck.acts import Act, End
from kiosk.tablecheck.view import Lying, Small
from vision.frame import Image


@dataclass(frozen=True, slots=True)
class BareTable:
    """The table before the first card. Levels of 255.

    `bright`: 95th percentile. `noise`: standard deviation from frame to frame. `swing`: of the
    brightness, None where too little was seen. `burnt`: part of the picture. `pattern`: contrast
    of the cloth. `cards`: places that look like a card. `shake` (px): how far the view moves, None
    where the cloth shows nothing that could be followed. `rate`: frames a second.
    """

    level: float
    bright: float
    noise: float
    swing: float | None
    burnt: float
    burnt_at: tuple[str, ...]
    pattern: float
    cards: int
    shake: float | None
    rate: float


@dataclass(frozen=True, slots=True)
class CornerCard:
    """The card in the corner. `length` in px; `score`: the locator's; `cast`: of its white parts,
    how far blue and red differ.

    `blur`: width of its sharpest edges, in parts of its length. `contrast` (levels): between card
    and cloth at its faintest side.
    """

    length: float
    blur: float
    contrast: float
    score: float
    cast: float


@dataclass(slots=True)
class Evidence:
    """All of it. Nothing is known of what is None. `is_asked`: people do what is asked.

    `trembles` (px): what a card in the corner moves from look to look, that never lies still.
    `pile`: part of the looks at a pile in which its top card was found. `hidden`: part of the
    picture that a fan hides; `fan_over`: lying cards under it. `followed`: how far brightness
    changed elsewhere while a hand was in view. `off`: brightness with the lamp off, of that
    before; `recovered`: how much of that came back by itself. `off_level`: level (of 255) then.
    `off_found`: whether lying cards were found without the lamp. `back`: brightness after the lamp
    came on again, of that before; `tint`: the same of the ratio of blue and red. `slipped`, `stood`
    (px): what lay in the picture's middle and at its border moved between begin and end. `nudged`:
    how far the corner card moved, in card lengths.
    """

    is_asked: bool = True
    size: tuple[int, int] = (0, 0)
    bare: BareTable | None = None
    corner: CornerCard | None = None
    corner_at: Lying | None = None
    trembles: float | None = None
    pile: float | None = None
    hidden: float | None = None
    fan_over: int = 0
    followed: float | None = None
    off: float | None = None
    recovered: float = 0.0
    off_level: float = 0.0
    off_found: bool = True
    back: float | None = None
    tint: float = 1.0
    slipped: float | None = None
    stood: float | None = None
    nudged: float | None = None
    ends: dict[Act, End] = field(default_factory=dict)
    # Pictures that later ones are compared with
    first: Image | None = None
    rested: Small | None = None
    lit: Image | None = None
