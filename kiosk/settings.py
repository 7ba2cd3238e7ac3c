"""A user's settings file. Each setting is declared by the package that uses it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from device.settings import DeviceSettings, read_settings
from rules.settings import read_toml, refuse_unknown, table
from vision.settings import VisionSettings

TABLES = ("signals", "pins", "board", "vision")


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a running game."""

    device: DeviceSettings = field(default_factory=DeviceSettings)
    vision: VisionSettings = field(default_factory=VisionSettings)


def load_settings(path: Path | None) -> Settings:
    """The settings of a TOML file (tables signals, pins, board, vision); None: the defaults.

    Raises FairdealError: no such file, no TOML, an unknown key, a value out of its bounds.
    """
    if path is None:
        return Settings()
    tables = read_toml(path, "a settings file")
    refuse_unknown(tables, TABLES, str(path))
    vision = table(tables.pop("vision", {}), f"{path}, vision")
    return Settings(read_settings(tables, str(path)), VisionSettings.read(vision))
