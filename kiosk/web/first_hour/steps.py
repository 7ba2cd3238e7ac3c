"""The six steps of the first hour, and what the page shows of them: frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from calibration.finding import Finding
from kiosk.web.state import CardShown


class Step(StrEnum):
    """A step, in the order in which the page offers them."""

    CAMERA = "camera"
    TABLE = "table"
    DECK = "deck"
    LAMPS = "lamps"
    TRIAL = "trial"
    CHECK = "check"


class Mark(StrEnum):
    """How a step stands. SKIPPED: left open on purpose; the health page shows it as open."""

    OPEN = "open"
    PASSED = "passed"
    SKIPPED = "skipped"


class Work(StrEnum):
    """What the set-up does at the moment."""

    LOOKING = "looking"  # the live picture, nothing else
    MEASURING = "measuring"
    TEACHING = "teaching"  # waits for one card after another
    BUILDING = "building"  # the deck is computed from its pictures
    PLAYING = "playing"  # lamps and tones, or the trial game


@dataclass(frozen=True, slots=True)
class Standing:
    """A step's mark, the words of its result, and the date and time of it (ISO 8601)."""

    mark: Mark = Mark.OPEN
    words: str = ""
    made: str = ""


@dataclass(frozen=True, slots=True)
class Meter:
    """Focus and light of the newest frame. `least` and `most` bound what is good.

    `focus`: steepness of the edges, in parts of the contrast. `light`: median level, 0 to 255.
    """

    focus: float
    focus_best: float
    focus_least: float
    light: float
    light_least: float
    light_most: float


@dataclass(frozen=True, slots=True)
class TableShown:
    """The table step. `markers`: of the mat, seen now. `proof`: number of the proof picture."""

    markers: int = 0
    mat: str = ""
    width_mm: float = 0.0
    height_mm: float = 0.0
    proof: int = 0


@dataclass(frozen=True, slots=True)
class FaceShown:
    """A face that is taught: whether its picture is there, and why it cannot be used."""

    face: str
    picture: int = 0  # changes with the picture; 0: none yet
    why: str = ""


Corners = tuple[tuple[float, float], ...]  # in parts of a picture, from the card's upper left


@dataclass(frozen=True, slots=True)
class CardOnSheet:
    """A card of a photograph of several; `doubt`: why it may be none."""

    corners: Corners
    face: str = ""
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class SheetShown:
    """A photograph of several cards, its size in px, its cards in reading order."""

    number: int
    size: tuple[int, int]
    cards: tuple[CardOnSheet, ...]


@dataclass(frozen=True, slots=True)
class AskedShown:
    """A doubtful picture: why, and up to four places of its card, each with the deck's outline if
    its cards are no rectangles."""

    name: str
    face: str
    why: str
    picture: int
    size: tuple[int, int]
    places: tuple[Corners, ...]
    outlines: tuple[Corners, ...]


@dataclass(frozen=True, slots=True)
class DeckShown:
    """The deck step. `asked`: the face to lay down now; `quad`: the card that is seen, 0 to 1.

    `chosen`: the deck of the trial and of the first game. `alike`: taught faces that look alike,
    with their likeness.
    """

    chosen: str = ""
    game: str = ""
    name: str = ""
    faces: tuple[FaceShown, ...] = ()
    asked: str = ""
    hint: str = ""
    quad: tuple[tuple[float, float], ...] = ()
    sheets: tuple[SheetShown, ...] = ()
    doubtful: tuple[AskedShown, ...] = ()
    alike: tuple[tuple[str, str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class LampShown:
    """A call's signal. `is_played`: it was tried."""

    call: str
    lamp: str
    colour: str
    pattern: str
    tone: str
    is_played: bool = False


@dataclass(frozen=True, slots=True)
class LampsShown:
    """The lamps step. `playing`: the call whose signal plays now."""

    signals: tuple[LampShown, ...] = ()
    playing: str = ""
    outputs: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TossShown:
    """The toss that was judged: its card, and the calls that it brought."""

    card: str
    place: str
    sure: float
    calls: tuple[tuple[str, str], ...] = ()  # kind, sentence
    picture: int = 0


@dataclass(frozen=True, slots=True)
class TrialShown:
    """The trial step: the cards as they are seen, and the newest toss."""

    game: str = ""
    deck: str = ""
    cards: tuple[CardShown, ...] = ()
    toss: TossShown | None = None


@dataclass(frozen=True, slots=True)
class CheckShown:
    """The table check. `asked`: the act that people are asked for, the `at`th of `count`, for
    `left_s` still. `result`, with `findings` and what was not seen, at the end: empty before."""

    asked: str = ""
    at: int = 0
    count: int = 0
    left_s: int = 0
    result: str = ""
    findings: tuple[Mapping[str, Any], ...] = ()
    unseen: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HourState:
    """Everything that the page shows of the set-up. `words`: what the command behind it said."""

    source: str = ""
    step: Step = Step.CAMERA
    steps: Mapping[Step, Standing] = field(default_factory=dict)
    work: Work = Work.LOOKING
    progress: float | None = None
    message: str = ""
    is_bad: bool = False
    words: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    lost: str = ""
    size: tuple[int, int] = (0, 0)
    meter: Meter | None = None
    table: TableShown = TableShown()
    deck: DeckShown = DeckShown()
    lamps: LampsShown = LampsShown()
    trial: TrialShown = TrialShown()
    check: CheckShown = CheckShown()

    def to_json(self) -> dict[str, Any]:
        """The JSON object of docs/api.md."""
        return {**asdict(self), "steps": steps_json(self.steps)}


def steps_json(steps: Mapping[Step, Standing]) -> list[dict[str, str]]:
    """All steps in their order, each with its name and standing."""
    found = ((step, steps.get(step, Standing())) for step in Step)
    return [
        {"name": step.value, "mark": each.mark.value, "words": each.words, "made": each.made}
        for step, each in found
    ]
