"""systemd's own tools accept the units; how exposed they are has a bound."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from needed_tools import SYSTEMD, needs

from kiosk.appliance import units
from kiosk.appliance.settings import ApplianceSettings

EXPOSURE = {units.SERVICE: 2.0, units.SCREEN: 4.5}  # of 10; docs/appliance.md has the scores
SYSTEM_UNITS = Path("/usr/lib/systemd/system")


@pytest.fixture
def system(tmp_path: Path) -> Path:
    """A folder with our units, the programs that they name, and this system's units."""
    for name in ("usr/bin/fairdeal", "usr/bin/cage", "usr/bin/chromium"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
        path.chmod(0o755)
    library = tmp_path / units.LIBRARY.lstrip("/")
    library.mkdir(parents=True)
    for name in units.HELPERS:
        (library / name).write_text(units.helper_text(name))
        (library / name).chmod(0o755)
    folder = tmp_path / units.UNITS.lstrip("/")
    folder.mkdir(parents=True)
    settings = ApplianceSettings()
    service = units.service_unit(settings, Path("/usr/bin/fairdeal"))
    (folder / units.SERVICE).write_text(service)
    screen = units.screen_unit(settings, "/usr/bin/cage", "/usr/bin/chromium", can_arrange=True)
    (folder / units.SCREEN).write_text(screen)
    shutil.copytree(SYSTEM_UNITS, tmp_path / "usr/lib/systemd/system", symlinks=True)
    return tmp_path


@needs(SYSTEMD)
def test_systemd_finds_no_fault_in_the_units(system: Path) -> None:
    done = subprocess.run(
        ["systemd-analyze", f"--root={system}", "--man=no", "verify", *units.BOTH],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    ours = [line for line in done.stderr.splitlines() if "fairdeal" in line]
    assert ours == []


@needs(SYSTEMD)
@pytest.mark.parametrize("name", list(EXPOSURE))
def test_how_exposed_the_units_are(system: Path, name: str) -> None:
    done = subprocess.run(
        ["systemd-analyze", f"--root={system}", "security", "--offline=true", "--no-pager", name],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    score = re.search(r"exposure level for \S+: ([\d.]+)", done.stdout)
    assert score is not None, done.stderr
    assert float(score[1]) <= EXPOSURE[name]


def test_a_table_without_network_or_time_starts() -> None:
    for name in units.BOTH:
        text = units.helper_text(name)
        for target in ("network", "time-sync", "timesync"):
            assert not re.search(rf"^(?:After|Wants|Requires)=.*{target}", text, re.MULTILINE)


def test_only_what_systemd_252_knows_is_used() -> None:
    for name in units.BOTH:
        text = units.helper_text(name)
        assert not re.search(r"^(?:RestartSteps|RestartMaxDelaySec|RestartMode)=", text, re.M)


def test_a_path_with_systemds_own_signs_is_written_safely() -> None:
    text = units.service_unit(ApplianceSettings(), Path("/opt/50% $HOME/fairdeal"))
    assert 'ExecStart="/opt/50%% $$HOME/fairdeal" kiosk --appliance' in text


def test_a_program_under_home_is_seen_by_the_unit() -> None:
    at_home = units.service_unit(ApplianceSettings(), Path("/home/pi/fairdeal/.venv/bin/fairdeal"))
    assert "ProtectHome=read-only\n" in at_home
    packaged = units.service_unit(ApplianceSettings(), Path("/usr/bin/fairdeal"))
    assert "ProtectHome=yes\n" in packaged


def test_users_are_in_the_groups_that_the_system_has() -> None:
    text = units.users_file(("video", "gpio"))
    assert "m fairdeal video\n" in text and "m fairdeal gpio\n" in text
    assert "m fairdeal-screen video\n" in text and "m fairdeal-screen gpio" not in text
