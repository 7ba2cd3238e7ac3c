"""A user's settings file. Each setting is declared by the package that uses it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from calibration.store import default_folder
from device.machine import MachineSettings
from device.recording import RecordingSettings
from device.settings import DeviceSettings, read_settings
from device.speech import SpeechSettings
from rules.errors import FairdealError
from rules.files import read_text, write_file
from rules.settings import read_toml, refuse_unknown, table
from vision.settings import EngineSettings, VisionSettings

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

TABLES = ("signals", "pins", "board", "vision", "engines", "machine", "speech", "recording")


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a running game."""

    device: DeviceSettings = field(default_factory=DeviceSettings)
    vision: VisionSettings = field(default_factory=VisionSettings)
    engines: EngineSettings = field(default_factory=EngineSettings)
    machine: MachineSettings = field(default_factory=MachineSettings)
    speech: SpeechSettings = field(default_factory=SpeechSettings)
    recording: RecordingSettings = field(default_factory=RecordingSettings)


def settings_file(named: Path | None) -> Path | None:
    """The file that a command reads: the one that is named, else this machine's if there is one."""
    if named is not None:
        return named
    own = own_settings()
    return own if own.is_file() else None


def own_settings() -> Path:
    """This machine's settings file: `settings.toml` beside the folder of calibrations."""
    return default_folder().parent / "settings.toml"


def load_settings(path: Path | None) -> Settings:
    """The settings of a TOML file (tables of `TABLES`); None: the defaults.

    Raises FairdealError: no such file, no TOML, an unknown key, a value out of its bounds.
    """
    if path is None:
        return Settings()
    tables = read_toml(path, "a settings file")
    refuse_unknown(tables, TABLES, str(path))
    vision = table(tables.pop("vision", {}), f"{path}, vision")
    engines = table(tables.pop("engines", {}), f"{path}, engines")
    machine = table(tables.pop("machine", {}), f"{path}, machine")
    speech = table(tables.pop("speech", {}), f"{path}, speech")
    recordings = table(tables.pop("recording", {}), f"{path}, recording")
    return Settings(
        read_settings(tables, str(path)), VisionSettings.read(vision),
        EngineSettings.read(engines), MachineSettings.read(machine),
        SpeechSettings.read(speech), RecordingSettings.read(recordings),
    )  # fmt: skip


def write_table(path: Path, name: str, values: dict[str, str]) -> None:
    """Sets one table of a settings file, which is made if it is missing; the rest stays as it is,
    comments too.

    Raises FairdealError if the file is no TOML or cannot be written.
    """

    def change(document: TOMLDocument) -> None:
        document[name] = values

    _rewrite(path, change)


def write_value(path: Path, name: str, key: str, value: bool) -> None:
    """Sets one key of a table in the same way. Raises FairdealError as `write_table`."""

    def change(document: TOMLDocument) -> None:
        document.setdefault(name, {})[key] = value

    _rewrite(path, change)


def _rewrite(path: Path, change: Callable[[TOMLDocument], None]) -> None:
    import tomlkit  # here: a program that only reads starts sooner
    from tomlkit.exceptions import TOMLKitError

    expected, todo = "a settings file to write", "mend or move it"
    text = read_text(path, expected, todo) if path.exists() else ""
    try:
        document = tomlkit.parse(text)
        change(document)
        fresh = tomlkit.dumps(document)
        if path == own_settings():
            path.parent.mkdir(parents=True, exist_ok=True)
    except (OSError, RecursionError, ValueError, TypeError, TOMLKitError) as error:
        raise FairdealError(expected, str(error), todo, str(path)) from error
    write_file(path, fresh, expected, todo)
