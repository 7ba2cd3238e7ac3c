"""The appliance's settings: what `fairdeal kiosk install` was told, kept for the next time."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

import tomli_w

from rules.errors import FairdealError
from rules.settings import checked, read_toml, refuse_unknown, setting

FILE = Path("/etc/fairdeal/appliance.toml")
HEAD = "# Written by `fairdeal kiosk install`; change it with the same command.\n"


@dataclass(frozen=True, slots=True)
class ApplianceSettings:
    """One table's settings; `kiosk install` has an option for each."""

    source: str = setting("", "as for `referee`; empty: a Raspberry Pi camera, else camera 0")
    port: int = setting(8080, "of the page", low=1, high=65535)
    host: str = setting("127.0.0.1", "0.0.0.0 lets phones on the network pair")
    signals: str = setting("", "lamps and buttons, as for `referee`")
    screen: bool = setting(True, "whether a screen beside the table shows the page")
    rotate: int = setting(0, "the picture on the screen is turned by so much", unit="degrees",
        low=0, high=270)  # fmt: skip
    blank_min: int = setting(0, "the screen goes dark after so long without a touch; 0: never",
        unit="minutes", low=0, high=1440)  # fmt: skip
    memory_mb: int = setting(1500, "above this the referee is stopped and started again",
        unit="MiB", low=300, high=65536)  # fmt: skip
    screen_memory_mb: int = setting(1000, "the same for the browser, with its profile",
        unit="MiB", low=300, high=65536)  # fmt: skip

    def check(self) -> None:
        """Raises FairdealError for a value out of its bounds."""
        for field in fields(self):
            where = f"--{field.name.replace('_', '-')}"
            checked(getattr(self, field.name), field.default, field.metadata, where)
        if self.rotate % 90:
            raise FairdealError("0, 90, 180 or 270", str(self.rotate), where="--rotate")
        if self.port < 1024:
            raise FairdealError("a port from 1024 to 65535, which need no rights", str(self.port),
                                "take another", "--port")  # fmt: skip
        for text, name in ((self.source, "source"), (self.host, "host"), (self.signals, "signals")):
            if not text.isprintable():
                raise FairdealError("printable characters", ascii(text), where=f"--{name}")


def changed(old: ApplianceSettings, given: dict[str, Any]) -> ApplianceSettings:
    """The settings with what was given now (None: not given). Raises FairdealError."""
    fresh = replace(old, **{name: value for name, value in given.items() if value is not None})
    fresh.check()
    return fresh


def settings_text(settings: ApplianceSettings) -> str:
    """The settings as TOML."""
    return HEAD + tomli_w.dumps(asdict(settings))


def read_settings(path: Path) -> ApplianceSettings | None:
    """The settings in a file; None where there is none. Raises FairdealError."""
    if not path.exists():
        return None
    given = read_toml(path, "the appliance's settings")
    refuse_unknown(given, [field.name for field in fields(ApplianceSettings)], str(path))
    return changed(ApplianceSettings(), given)
