"""Renders a call to lamp levels and a tone at one moment. Pure: time is an argument."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from device.signals import (
    COLOURS,
    LAMPS,
    LOST,
    PATTERNS,
    SEATS,
    TONES,
    Signal,
    SignalSettings,
    Steps,
)

if TYPE_CHECKING:
    from rules.table.call import Call

FOREVER_S = 3600.0


@dataclass(frozen=True, slots=True)
class Lights:
    """Levels 0..1 of each lamp of LAMPS and of six seats, the RGB lamp's colour, the tone.

    `tone_hz` 0 is silence. `tone_s` bounds the tone, so that a device that loses its host falls
    silent.
    """

    lamps: tuple[float, ...] = (0.0,) * len(LAMPS)
    seats: tuple[float, ...] = (0.0,) * SEATS
    colour: tuple[float, float, float] = (0.0, 0.0, 0.0)
    tone_hz: int = 0
    tone_s: float = 0.0


DARK = Lights()


@dataclass(frozen=True, slots=True)
class Rest:
    """The resting state, between calls."""

    open_mistakes: int = 0
    turn: int | None = None
    muted: bool = False
    night: bool = False
    lost: bool = False


@dataclass(frozen=True, slots=True)
class Cue:
    """One call to play: its signal, and the seat whose light plays with it."""

    call: str
    signal: Signal
    seat: int | None = None

    @property
    def tone_s(self) -> float:
        """The length of its tone in s."""
        return sum(seconds for _, seconds in TONES[self.signal.tone])

    @property
    def seconds(self) -> float:
        """The length of light and tone in s, whichever is longer."""
        return max(self.signal.seconds, self.tone_s)


def cue_of(call: Call, settings: SignalSettings) -> Cue | None:
    """The cue of a call; None if the table of signals lacks this kind of call."""
    signal = settings.table.get(call.call)
    if signal is None:
        return None
    return Cue(call.call, signal, call.seat if signal.seat else None)


def lights(
    rest: Rest, cue: Cue | None, cue_s: float, rest_s: float, settings: SignalSettings
) -> tuple[Lights, float]:
    """The lights `cue_s` into the cue and `rest_s` into the rest, and for how long they hold, s."""
    lamps, seats, colour, until = _resting(rest, rest_s, settings)
    tone = (0, 0.0)
    if cue is not None and cue_s < cue.seconds:
        level, left = _step(PATTERNS[cue.signal.pattern], cue_s)
        if cue_s >= cue.signal.seconds:
            level, left = 0.0, FOREVER_S
        if cue.signal.lamp != "none":
            lamps[cue.signal.lamp] = level
        if cue.seat is not None and 1 <= cue.seat <= SEATS:
            seats[cue.seat - 1] = level
        colour = _scaled(cue.signal.colour, level)
        hertz, sounding = _note(cue, cue_s)
        tone = (hertz, sounding if hertz else 0.0)
        ends = cue.seconds - cue_s
        lit = cue.signal.seconds - cue_s
        until = min(until, left, sounding, ends, lit if lit > 0 else ends)
    dim = settings.night_level if rest.night else 1.0
    shown = Lights(
        tuple(round(lamps[name] * dim, 3) for name in LAMPS),
        tuple(round(level * dim, 3) for level in seats),
        (round(colour[0] * dim, 3), round(colour[1] * dim, 3), round(colour[2] * dim, 3)),
        *((0, 0.0) if rest.muted else (tone[0], round(tone[1], 3))),
    )
    return shown, max(until, 0.001)


Colour = tuple[float, float, float]


def _resting(
    rest: Rest, rest_s: float, settings: SignalSettings
) -> tuple[dict[str, float], list[float], Colour, float]:
    """Lamps by name, seats, the RGB colour of the resting state, and for how long they hold, s."""
    lamps = dict.fromkeys(LAMPS, 0.0)
    seats = [0.0] * SEATS
    colour = (0.0, 0.0, 0.0)
    until = FOREVER_S
    if rest.turn is not None and 1 <= rest.turn <= SEATS:
        lamps["turn"] = seats[rest.turn - 1] = settings.turn_level
    if rest.open_mistakes:
        level, left = _step(PATTERNS[settings.mistake_stays], rest_s)
        lamps["mistake"], until = level, left
        colour = _scaled(settings.table["mistake"].colour, level)
    if rest.lost:
        level, left = _step(PATTERNS[settings.lost_stays], rest_s)
        lamps[settings.table[LOST].lamp], until = level, min(until, left)
        if not rest.open_mistakes:
            colour = _scaled(settings.table[LOST].colour, level)
    return lamps, seats, colour, until


def _step(steps: Steps, at: float) -> tuple[float, float]:
    """The level at a time in a repeating pattern, and for how many seconds it still holds."""
    at %= sum(seconds for _, seconds in steps)
    for level, seconds in steps:
        if at < seconds:
            return level, seconds - at
        at -= seconds
    return steps[-1][0], 0.001


def _note(cue: Cue, at: float) -> tuple[int, float]:
    for hertz, seconds in TONES[cue.signal.tone]:
        if at < seconds:
            return hertz, seconds - at
        at -= seconds
    return 0, FOREVER_S


def _scaled(colour: str, level: float) -> Colour:
    red, green, blue = COLOURS[colour]
    return red * level, green * level, blue * level
