"""Device settings from TOML: declared once, bounds checked, unknown keys refused."""

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, TypeVar

from device.signals import LOST, SEATS, SIGNALS, SignalSettings
from rules.errors import FairdealError
from rules.games import button_names
from rules.settings import checked, refuse_unknown, setting, table

T = TypeVar("T")
_PIN = {"low": 0, "high": 27}


@dataclass(frozen=True, slots=True)
class PinSettings:
    """GPIO pins, by Broadcom number (GPIO17 is 17). 0 stands for "not connected"."""

    mistake: int = setting(17, "GPIO of the mistake lamp", **_PIN)
    complete: int = setting(27, "GPIO of the complete lamp", **_PIN)
    turn: int = setting(22, "GPIO of the turn lamp", **_PIN)
    unsure: int = setting(23, "GPIO of the unsure lamp", **_PIN)
    buzzer: int = setting(18, "GPIO of the buzzer", **_PIN)
    buzzer_kind: str = setting(
        "tonal", "tonal: passive piezo; plain: active buzzer", choices=("tonal", "plain")
    )
    rgb: tuple[int, ...] = setting(
        (), "GPIOs of one RGB lamp: red, green, blue", lengths=(0, 3), **_PIN
    )
    seats: tuple[int, ...] = setting(
        (), "GPIOs of the seats' lamps or strips, seat 1 first", lengths=range(SEATS + 1), **_PIN
    )
    common_anode: bool = setting(False, "the RGB lamp has a common anode")
    debounce_s: float = setting(
        0.02, "s, time for which a button must not bounce", low=0.0, high=0.5
    )
    buttons: Mapping[str, int] = field(
        default_factory=lambda: MappingProxyType({"start": 24, "undo": 25}),
        metadata={"help": 'button -> GPIO; "out/2" is seat 2\'s', **_PIN},
    )


@dataclass(frozen=True, slots=True)
class BoardSettings:
    """The serial signal board."""

    port: str = setting("", "device file; empty: found by its USB ids")
    buttons: tuple[str, ...] = setting(
        ("start", "undo", "draw", "end", "no", "done"),
        'button 1 first; "out/2" is seat 2\'s',
        buttons=True,
    )


@dataclass(frozen=True, slots=True)
class DeviceSettings:
    """The settings of all outputs."""

    signals: SignalSettings = field(default_factory=SignalSettings)
    pins: PinSettings = field(default_factory=PinSettings)
    board: BoardSettings = field(default_factory=BoardSettings)


def button_of(text: str, where: str = "button") -> tuple[str, int | None]:
    """`"start"` -> ("start", None), `"out/2"` -> ("out", 2). FairdealError for anything else."""
    names = button_names()
    name, slash, seat = text.partition("/")
    if name in names and not slash:
        return name, None
    if name in names and seat.isascii() and seat.isdigit() and 1 <= int(seat) <= SEATS:
        return name, int(seat)
    raise FairdealError(
        f"one of {', '.join(names)}, with or without /seat", repr(text), where=where
    )


def read_settings(given: Mapping[str, Any], where: str = "settings") -> DeviceSettings:
    """Device settings from parsed TOML. FairdealError for unknown keys and values out of bounds."""
    groups = ("signals", "pins", "board")
    refuse_unknown(given, groups, where)
    tables = {name: table(given.get(name, {}), f"{where}, {name}") for name in groups}
    signals = dict(tables["signals"])
    calls = {call: signals.pop(call) for call in SIGNALS if call in signals}
    merged = dict(SIGNALS)
    for call, change in calls.items():
        inside = f"{where}, signals.{call}"
        if call == LOST:  # a lost view is nobody's
            known = [f.name for f in fields(merged[call]) if f.name != "seat"]
            refuse_unknown(table(change, inside), known, inside)
        merged[call] = _read(merged[call], table(change, inside), inside)
    base = replace(SignalSettings(), table=MappingProxyType(merged))
    settings = DeviceSettings(
        _read(base, signals, f"{where}, signals"),
        _read(PinSettings(), tables["pins"], f"{where}, pins"),
        _read(BoardSettings(), tables["board"], f"{where}, board"),
    )
    _refuse_shared_pins(settings.pins, where)
    return settings


def _read(base: T, given: Mapping[str, Any], where: str) -> T:
    """`base` with the given values, each checked by its declaration."""
    known = {f.name: f for f in fields(base) if f.name != "table"}  # type: ignore[arg-type]
    refuse_unknown(given, known, where)
    return replace(
        base, **{k: _value(known[k], getattr(base, k), v, f"{where}.{k}") for k, v in given.items()}
    )  # type: ignore[type-var]


def _value(declared: "Field[Any]", default: Any, value: Any, where: str) -> Any:
    rule = declared.metadata
    if isinstance(default, Mapping):
        pins = table(value, where)
        for name in pins:
            button_of(name, where)
        return MappingProxyType({k: checked(v, 0, rule, f"{where}.{k}") for k, v in pins.items()})
    if isinstance(default, tuple):
        return _several(value, rule, where)
    return checked(value, default, rule, where)


def _several(value: Any, rule: Mapping[str, Any], where: str) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise FairdealError("a list", repr(value), where=where)
    if rule.get("buttons"):
        for name in value:
            button_of(str(name), where)
        return tuple(value)
    if len(value) not in rule["lengths"]:
        raise FairdealError(
            f"{' or '.join(map(str, rule['lengths']))} pins", str(len(value)), where=where
        )
    return tuple(checked(each, 0, rule, where) for each in value)


def _refuse_shared_pins(pins: PinSettings, where: str) -> None:
    single = {n: getattr(pins, n) for n in ("mistake", "complete", "turn", "unsure", "buzzer")}
    many = {f"rgb {i}": p for i, p in enumerate(pins.rgb)}
    many |= {f"seat {i}": p for i, p in enumerate(pins.seats, 1)}
    taken: dict[int, str] = {}
    for name, pin in (single | many | {f"button {b}": p for b, p in pins.buttons.items()}).items():
        if pin and pin in taken:
            raise FairdealError(
                "a pin for each", f"GPIO{pin} for {taken[pin]} and {name}", where=f"{where}, pins"
            )
        taken[pin] = name
