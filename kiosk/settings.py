"""A user's settings file: what the device room and the eyes let be set, each declared there."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from device.settings import DeviceSettings, read_settings
from rules.errors import FairdealError
from vision.settings import VisionSettings

TABLES = ("signals", "pins", "board", "vision")


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a running table."""

    device: DeviceSettings = field(default_factory=DeviceSettings)
    vision: VisionSettings = field(default_factory=VisionSettings)


def load_settings(path: Path | None) -> Settings:
    """The settings of a TOML file (tables signals, pins, board, vision); None: the defaults.

    Raises FairdealError: no such file, no TOML, an unknown key, a value out of its bounds.
    """
    if path is None:
        return Settings()
    tables = _read(path)
    for name in tables:
        if name not in TABLES:
            raise FairdealError(
                f"one of {', '.join(TABLES)}", repr(name), "mend or remove it", str(path)
            )
    seen = tables.pop("vision", {})
    if not isinstance(seen, Mapping):
        raise FairdealError("a table", repr(seen), "write [vision]", f"{path}, vision")
    return Settings(read_settings(tables, str(path)), VisionSettings.read(seen))


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        found = error.strerror or "none"
        raise FairdealError("a settings file", found, "name another", str(path)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FairdealError("TOML in UTF-8", str(error), "mend that line", str(path)) from error
