"""The table of signals: how each kind of call is shown and sounded. Settings may change it.

Every colour has its own pattern and every sound comes with a light. So a call reaches people who
are deaf or colour-blind, and people in a loud room. No pattern flashes faster than three times a
second (WCAG 2.3.1, photosensitive epilepsy).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from rules.settings import setting

LOST = "lost"  # not a call of a game: the camera is lost or moved, so play is not judged
LAMPS = ("mistake", "complete", "turn", "unsure")
SEATS = 6

COLOURS: Mapping[str, tuple[float, float, float]] = MappingProxyType(
    {
        "off": (0.0, 0.0, 0.0),
        "red": (1.0, 0.0, 0.0),
        "green": (0.0, 1.0, 0.0),
        "blue": (0.0, 0.0, 1.0),
        "amber": (1.0, 0.45, 0.0),
        "white": (1.0, 1.0, 1.0),
        "violet": (0.6, 0.0, 1.0),
    }
)

Steps = tuple[tuple[float, float], ...]
"""Steps of (level 0..1, seconds), repeated for as long as the signal lasts."""

PATTERNS: Mapping[str, Steps] = MappingProxyType(
    {
        "steady": ((1.0, 60.0),),
        "blink": ((1.0, 0.25), (0.0, 0.25)),
        "slow": ((1.0, 0.8), (0.2, 0.8)),
        "double": ((1.0, 0.18), (0.0, 0.18), (1.0, 0.18), (0.0, 0.6)),
        "rise": ((0.15, 0.1), (0.4, 0.1), (0.7, 0.1), (1.0, 0.5), (0.0, 0.2)),
        "once": ((1.0, 0.6), (0.0, 60.0)),
        "wave": ((0.2, 0.12), (0.6, 0.12), (1.0, 0.24), (0.6, 0.12), (0.2, 0.12), (0.0, 0.12)),
        "off": ((0.0, 60.0),),
    }
)

Notes = tuple[tuple[int, float], ...]
"""Notes of (Hz, seconds), played once; 0 Hz is a rest."""

# The rhythms differ as well as the pitches: some buzzers have only one pitch.
TONES: Mapping[str, Notes] = MappingProxyType(
    {
        "silent": (),
        "wrong": ((330, 0.16), (0, 0.05), (220, 0.45)),
        "right": ((660, 0.08),),
        "chime": ((523, 0.12), (0, 0.02), (659, 0.12), (0, 0.02), (784, 0.3)),
        "fanfare": (
            *((523, 0.12), (0, 0.03), (523, 0.12), (0, 0.03), (659, 0.12), (0, 0.03)),
            *((784, 0.3), (0, 0.03), (659, 0.12), (0, 0.03), (1047, 0.6)),
        ),
        "level": ((523, 0.25), (0, 0.1), (523, 0.25)),
        "tick": ((880, 0.04),),
        "lost": ((440, 0.1), (0, 0.1), (440, 0.1), (0, 0.1), (440, 0.1)),
    }
)


@dataclass(frozen=True, slots=True)
class Signal:
    """How one kind of call is shown and sounded."""

    lamp: str = setting("turn", "the lamp", choices=(*LAMPS, "none"))
    colour: str = setting("white", "the RGB lamp's colour", choices=tuple(COLOURS))
    pattern: str = setting("once", "how the light changes", choices=tuple(PATTERNS))
    tone: str = setting("silent", "the tone", choices=tuple(TONES))
    seconds: float = setting(1.0, "s, how long the light plays", low=0.1, high=10.0)
    seat: bool = setting(False, "whether the light of the call's seat plays too")


SIGNALS: Mapping[str, Signal] = MappingProxyType(
    {
        "mistake": Signal("mistake", "red", "blink", "wrong", 1.5, True),
        "corrected": Signal("complete", "green", "once", "right", 0.6, True),
        "complete": Signal("complete", "green", "rise", "chime", 2.0, True),
        "notice": Signal("turn", "white", "double", "tick", 1.2, True),
        "win": Signal("complete", "green", "wave", "fanfare", 4.0, True),
        "tie": Signal("complete", "white", "wave", "level", 3.0, False),
        "unsure": Signal("unsure", "amber", "slow", "silent", 3.2, False),
        LOST: Signal("unsure", "amber", "blink", "lost", 1.5, False),
    }
)

# Priority when several calls come at once; a mistake interrupts whatever plays.
WEIGHT: Mapping[str, int] = MappingProxyType(
    {
        "mistake": 5,
        "win": 4,
        "tie": 4,
        LOST: 4,
        "complete": 3,
        "corrected": 2,
        "notice": 1,
        "unsure": 0,
    }
)


@dataclass(frozen=True, slots=True)
class SignalSettings:
    """The table of signals, and what holds between calls."""

    muted: bool = setting(False, "no sound; every call keeps its light")
    night: bool = setting(False, "lights dimmed to night_level")
    night_level: float = setting(0.15, "brightness by night, 0 to 1", low=0.01, high=1.0)
    mistake_stays: str = setting(
        "double", "pattern while a mistake is open", choices=tuple(PATTERNS)
    )
    lost_stays: str = setting(
        "slow", "pattern while the table is out of view", choices=tuple(PATTERNS)
    )
    turn_level: float = setting(
        0.3, "brightness of the lamps that say whose turn it is, 0 to 1", low=0, high=1
    )
    table: Mapping[str, Signal] = field(
        default_factory=lambda: SIGNALS, metadata={"help": "call -> signal"}
    )
