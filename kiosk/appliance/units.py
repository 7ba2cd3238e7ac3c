"""The files of an appliance: systemd units, users, the helpers around them."""

from __future__ import annotations

from pathlib import Path
from string import Template

from kiosk.appliance.settings import FILE, ApplianceSettings

FILES = Path(__file__).parent / "files"
LIBRARY = "/usr/local/lib/fairdeal"
UNITS = "/etc/systemd/system"
SERVICE, SCREEN = "fairdeal.service", "fairdeal-screen.service"
BOTH = (SERVICE, SCREEN)
HELPERS = ("appliance.sh", "screen.sh", "waiting.html")
USERS_FILE = "/etc/sysusers.d/fairdeal.conf"


def service_unit(settings: ApplianceSettings, program: Path) -> str:
    """The unit of the referee and its page. `program`: the `fairdeal` command."""
    is_at_home = any(program.is_relative_to(home) for home in ("/home", "/root"))
    return _filled(
        SERVICE, program=str(program), settings=str(FILE), library=LIBRARY,
        home="read-only" if is_at_home else "yes", memory_mb=str(settings.memory_mb),
    )  # fmt: skip


def screen_unit(settings: ApplianceSettings, cage: str, browser: str, *, can_arrange: bool) -> str:
    """The unit of the screen. `cage`, `browser`: absolute paths of the two programs.

    `can_arrange`: the compositor lets screen.sh turn the screen; otherwise it does so itself.
    """
    turns = "" if can_arrange else " -r" * (settings.rotate // 90)
    return _filled(
        SCREEN, cage=cage, turns=turns, browser=browser, library=LIBRARY,
        rotate=str(settings.rotate if can_arrange else 0),
        blank_min=str(settings.blank_min), screen_memory_mb=str(settings.screen_memory_mb),
    )  # fmt: skip


def users_file(groups: tuple[str, ...]) -> str:
    """The two system users, for systemd-sysusers(8). The browser's user sees no game file."""
    lines = [
        'u fairdeal - "fairdeal, the referee" /var/lib/fairdeal',
        'u fairdeal-screen - "fairdeal, the screen" /run/fairdeal-screen',
        *(f"m fairdeal {group}" for group in groups),
        *(f"m fairdeal-screen {group}" for group in groups if group in ("video", "render")),
    ]
    return "\n".join(lines) + "\n"


def helper_text(name: str) -> str:
    """A helper's text as it is shipped."""
    return (FILES / name).read_text(encoding="utf-8")


def _filled(name: str, **values: str) -> str:
    # systemd reads % as a specifier and $ as a variable: a path may hold either.
    safe = {key: value.replace("%", "%%").replace("$", "$$") for key, value in values.items()}
    return Template(helper_text(name)).substitute(safe)
