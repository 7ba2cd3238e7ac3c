"""What `fairdeal kiosk status` says of units, versions, errors and the page."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from calibration.finding import Finding, Verdict
from kiosk.appliance.machine import Done, Machine
from kiosk.appliance.settings import ApplianceSettings, settings_text
from kiosk.appliance.status import addresses, examine

ACTIVE = """ActiveState=active
SubState=running
StatusText=Suds, 3 players
NRestarts=2
UnitFileState=enabled
"""
FAILED = "ActiveState=activating\nSubState=auto-restart\nStatusText=\nNRestarts=7\n"
LOG = """2026-11-23T05:00:00+00:00 pi systemd[1]: Started fairdeal.service
2026-11-23T05:00:01+00:00 pi fairdeal[70]: fairdeal: expected a free port 8080, found taken
"""


@pytest.fixture
def system(tmp_path: Path) -> Path:
    """An installed appliance."""
    for folder in ("etc/systemd/system", "etc/fairdeal", "sys/fs/cgroup"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "etc/os-release").write_text('PRETTY_NAME="Debian 12"\n')
    for name in ("fairdeal.service", "fairdeal-screen.service"):
        (tmp_path / "etc/systemd/system" / name).write_text("")
    (tmp_path / "etc/fairdeal/appliance.toml").write_text(settings_text(ApplianceSettings()))
    (tmp_path / "sys/fs/cgroup/cgroup.controllers").write_text("cpu memory pids\n")
    return tmp_path


def status(system: Path, unit: str = ACTIVE, log: str = "") -> dict[str, Finding]:
    def run(words: Sequence[str]) -> Done:
        if words[0] == "journalctl":
            return Done(0, log, "")
        return Done(0, "systemd 252 (252)\n" if "--version" in words else unit, "")

    return {finding.name: finding for finding in examine(Machine(system, run), "0.1.0")}


def test_all_is_well(system: Path) -> None:
    found = status(system)
    assert all(finding.state is Verdict.GOOD for finding in found.values())
    assert found["version"].words.startswith("fairdeal 0.1.0, Debian 12, systemd 252, ")
    words = found["fairdeal.service"].words
    assert words == "active, running, enabled, started again 2 times, Suds, 3 players"
    assert found["page"].words == "http://localhost:8080/"


def test_a_unit_that_is_not_up_is_bad_and_its_words_are_shown(system: Path) -> None:
    found = status(system, FAILED, LOG)
    assert found["fairdeal.service"].state is Verdict.BAD
    assert "journalctl -u fairdeal.service" in found["fairdeal.service"].todo
    assert found["said"].words.endswith("expected a free port 8080, found taken")


def test_a_kernel_without_the_memory_controller_is_told(system: Path) -> None:
    (system / "sys/fs/cgroup/cgroup.controllers").write_text("cpu pids\n")
    assert "cgroup_enable=memory" in status(system)["memory limit"].todo


def test_a_version_that_gave_way_is_told(system: Path) -> None:
    opt = system / "opt/fairdeal"
    (opt / "kept/1.0").mkdir(parents=True)
    (opt / "versions/2.0").mkdir(parents=True)
    (opt / "current").symlink_to("versions/2.0")
    (opt / "trial").write_text("kept/1.0\n")
    assert status(system)["update"].words == "2.0 runs, 1.0 kept, on trial"
    (opt / "trial").unlink()
    (opt / "current").unlink()
    (opt / "current").symlink_to("kept/1.0")
    (opt / "rolled-back").write_text("2.0 did not start 3 times; 1.0 runs\n")
    found = status(system)["update"]
    assert found.state is Verdict.WARN and "2.0 did not start 3 times" in found.words


def test_no_appliance_is_bad_with_the_command(tmp_path: Path) -> None:
    found = status(tmp_path)
    assert found["appliance"].state is Verdict.BAD
    assert found["appliance"].todo == "sudo fairdeal kiosk install"


def test_damaged_settings_are_told(system: Path) -> None:
    (system / "etc/fairdeal/appliance.toml").write_text("port = 'x'\n")
    assert status(system)["settings"].state is Verdict.BAD


def test_the_pages_addresses() -> None:
    assert addresses(ApplianceSettings(port=9000)) == ["http://localhost:9000/"]
    assert addresses(ApplianceSettings(host="0.0.0.0"))[1].endswith(".local:8080/")
    assert addresses(ApplianceSettings(host="10.0.0.7"))[1] == "http://10.0.0.7:8080/"
