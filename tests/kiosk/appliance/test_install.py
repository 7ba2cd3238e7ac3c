"""Installing, installing again and removing, in a folder that looks like a Debian system."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from needed_tools import SYSTEMD, need

from kiosk.appliance import install as appliance
from kiosk.appliance import machine as machines
from kiosk.appliance.machine import Done, Machine, check_open
from kiosk.appliance.settings import FILE, ApplianceSettings, changed, read_settings
from kiosk.cli import main
from rules.errors import FairdealError

PROGRAMS = ("cage", "Xwayland", "wlr-randr", "swayidle", "chromium", "systemctl", "fairdeal")
RELEASE = 'ID=debian\nVERSION_ID="12"\nPRETTY_NAME="Debian 12"\n'


@pytest.fixture
def system(tmp_path: Path) -> Path:
    """A folder with the files of a system that installing looks at."""
    for folder in ("usr/bin", "etc/systemd/system", "var/lib/fairdeal"):
        (tmp_path / folder).mkdir(parents=True)
    for name in PROGRAMS:
        (tmp_path / "usr/bin" / name).write_text("#!/bin/sh\n")
        (tmp_path / "usr/bin" / name).chmod(0o755)
    (tmp_path / "etc/os-release").write_text(RELEASE)
    (tmp_path / "etc/group").write_text("root:x:0:\nvideo:x:44:\ndialout:x:20:\nfairdeal:x:0:\n")
    (tmp_path / "etc/passwd").write_text("fairdeal:x:0:0::/:/bin/false\n")
    (tmp_path / "var/lib/fairdeal/journal.sqlite").write_text("games")
    return tmp_path


class Commands:
    """Records commands in place of running them."""

    def __init__(self, code: int = 0, err: str = "") -> None:
        self.ran: list[tuple[str, ...]] = []
        self._done = Done(code, "systemd 252 (252)", err)

    def __call__(self, words: Sequence[str]) -> Done:
        self.ran.append(tuple(words))
        return self._done


def files_of(root: Path) -> dict[str, tuple[str, int]]:
    """Every file's content and mode."""
    return {
        str(path.relative_to(root)): (path.read_text(), path.stat().st_mode & 0o777)
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def install(system: Path, settings: ApplianceSettings | None = None, **kw: bool) -> Commands:
    commands = Commands()
    appliance.install(
        Machine(system, commands), settings or ApplianceSettings(), machines.PACKAGED,
        lambda line: None, **kw,
    )  # fmt: skip
    return commands


def test_uninstall_takes_back_all_that_install_brought_and_keeps_the_games(system: Path) -> None:
    before = files_of(system)
    commands = install(system, ApplianceSettings(source="rtsp://u:geheim@camera/x", rotate=90))
    brought = files_of(system)
    service = brought["etc/systemd/system/fairdeal.service"][0]
    screen = brought["etc/systemd/system/fairdeal-screen.service"][0]
    assert "/usr/bin/fairdeal" in service and "cage -d -r -- " in screen
    # The stream's password stands in one file only, which others cannot read.
    secret = [path for path, (text, _) in brought.items() if "geheim" in text]
    assert secret == ["etc/fairdeal/appliance.toml"] and brought[secret[0]][1] == 0o640
    assert any("enable" in words for words in commands.ran)
    (system / "run/fairdeal-appliance").mkdir(parents=True)
    appliance.uninstall(Machine(system, Commands()), lambda line: None)
    assert files_of(system) == before
    appliance.uninstall(Machine(system, Commands()), lambda line: None, purge=True)
    assert not (system / "var/lib/fairdeal").exists()


def test_installing_twice_changes_nothing_and_keeps_the_settings(system: Path) -> None:
    first = changed(ApplianceSettings(), {"port": 9000, "rotate": 180})
    install(system, first)
    once = files_of(system)
    kept = read_settings(system / str(FILE).lstrip("/"))
    assert kept == first
    said: list[str] = []
    again = changed(kept, {"port": None, "rotate": None})
    appliance.install(Machine(system, Commands()), again, machines.PACKAGED, said.append)
    assert files_of(system) == once and not [line for line in said if line.startswith("write")]


def test_a_dry_run_says_each_step_and_takes_none(system: Path) -> None:
    before = files_of(system)
    said: list[str] = []
    commands = Commands()
    appliance.install(
        Machine(system, commands), ApplianceSettings(), machines.PACKAGED, said.append, dry=True
    )
    assert files_of(system) == before and commands.ran == []
    assert any(line.endswith("fairdeal-screen.service") for line in said)
    assert any(line.startswith("run systemctl") for line in said)


def test_without_a_screen_its_unit_goes_and_the_desktop_comes_back(system: Path) -> None:
    folder = system / "etc/systemd/system"
    (folder / "display-manager.service").symlink_to("/lib/systemd/system/lightdm.service")
    (folder / "default.target").symlink_to("/lib/systemd/system/graphical.target")
    commands = install(system)
    root = f"--root={system}"
    assert ("systemctl", root, "set-default", "multi-user.target") in commands.ran
    commands = install(system, ApplianceSettings(screen=False))
    assert ("systemctl", root, "set-default", "graphical.target") in commands.ran
    assert not (folder / "fairdeal-screen.service").exists()
    assert (folder / "fairdeal.service").exists()


@pytest.mark.parametrize(
    ("gone", "settings", "expected"),
    [
        ("usr/bin/cage", ApplianceSettings(), "no cage; sudo apt install cage"),
        ("usr/bin/Xwayland", ApplianceSettings(), "sudo apt install xwayland"),
        ("usr/bin/chromium", ApplianceSettings(), "--no-screen"),
        ("usr/bin/systemctl", ApplianceSettings(), "no systemctl"),
        ("usr/bin/fairdeal", ApplianceSettings(screen=False), "install the .deb there first"),
    ],
)
def test_what_a_system_lacks_is_one_line(
    system: Path, gone: str, settings: ApplianceSettings, expected: str
) -> None:
    (system / gone).unlink()
    with pytest.raises(FairdealError, match="expected") as refused:
        install(system, settings)
    assert expected in str(refused.value) and "\n" not in str(refused.value)


def test_newer_cage_is_turned_and_blanked_from_inside(system: Path) -> None:
    with pytest.raises(FairdealError, match="leave --blank-min at 0"):
        install(system, ApplianceSettings(blank_min=5))
    (system / "etc/os-release").write_text(RELEASE.replace("12", "13"))
    install(system, ApplianceSettings(rotate=270, blank_min=5))
    screen = (system / "etc/systemd/system/fairdeal-screen.service").read_text()
    assert "cage -d -- " in screen and "screen.sh 270 5 /usr/bin/chromium" in screen


@pytest.mark.parametrize(("help_text", "can"), [(" -r\t Rotate the output", False), (" -s", True)])
def test_a_running_cage_is_asked_what_it_can(
    help_text: str, can: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def run(words: Sequence[str]) -> Done:
        asked.append(list(words))
        return Done(0, "", help_text)

    machine = Machine(Path("/"), run)
    monkeypatch.setattr(Machine, "program", lambda self, name: f"/usr/bin/{name}")
    assert machines.can_arrange(machine) is can and asked == [["/usr/bin/cage", "-h"]]


@pytest.mark.parametrize(
    "release",
    ['ID=fedora\nPRETTY_NAME="Fedora 42"\n', RELEASE.replace("12", "11"), ""],
)
def test_another_system_is_refused(system: Path, release: str) -> None:
    (system / "etc/os-release").write_text(release)
    with pytest.raises(FairdealError, match="Debian 12 or newer"):
        install(system)


def test_an_older_systemd_is_refused(system: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(Path("/"), lambda words: Done(0, "systemd 247 (247.3)", ""))
    monkeypatch.setattr(Path, "is_dir", lambda self: True)
    monkeypatch.setattr(machines, "_check_os", lambda machine: None)
    monkeypatch.setattr(Machine, "program", lambda self, name: Path("/usr/bin") / name)
    with pytest.raises(FairdealError, match="systemd 252 or newer, found 247"):
        machines.check_machine(machine, screen=False)


def test_a_step_that_fails_is_told_with_its_reason(system: Path) -> None:
    machine = Machine(system, Commands(1, "Failed to enable unit: read-only\nmore"))
    with pytest.raises(FairdealError, match="found Failed to enable unit: read-only"):
        appliance.install(machine, ApplianceSettings(), machines.PACKAGED, lambda line: None)


def test_a_user_that_cannot_be_removed_is_told(system: Path) -> None:
    def run(words: Sequence[str]) -> Done:
        return Done(1, "", "userdel: not found") if words[0] == "userdel" else Done(0, "", "")

    with pytest.raises(FairdealError, match="found userdel: not found"):
        appliance.uninstall(Machine(system, run), lambda line: None)


def test_a_program_in_a_closed_home_is_refused(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    program = home / "fairdeal"
    program.write_text("")
    program.chmod(0o755)
    with pytest.raises(FairdealError, match="closed to others"):
        check_open(program)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"rotate": 45}, "0, 90, 180 or 270"),
        ({"port": 80}, "1024 to 65535"),
        ({"source": "a\nb"}, "printable"),
        ({"memory_mb": 1}, "300"),
    ],
)
def test_settings_out_of_bounds_are_refused(given: dict[str, object], expected: str) -> None:
    with pytest.raises(FairdealError, match=expected):
        changed(ApplianceSettings(), given)


def test_the_command_speaks_in_lines_and_codes(
    system: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert main(["kiosk", "install", "--root", str(system), "--dry-run", "--no-screen"]) == 0
    assert "fairdeal.service" in capsys.readouterr().out
    assert main(["kiosk", "install", "--root", str(system / "none")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    (system / "etc/fairdeal").mkdir()
    (system / "etc/fairdeal/appliance.toml").write_text("ports = 8080\n")
    assert main(["kiosk", "install", "--root", str(system)]) == 2
    assert "'ports'" in capsys.readouterr().err


def test_removing_needs_root_on_a_running_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(FairdealError, match="expected root"):
        appliance._carry_out(Machine(), [], lambda line: None, dry=False)


def test_offline_commands_work_on_a_real_folder(system: Path) -> None:
    """The commands for an image are systemd's own: they run here, where it is installed."""
    need(SYSTEMD)
    install(system)
    done = subprocess.run(
        ["systemctl", f"--root={system}", "enable", "fairdeal.service"],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    wants = system / "etc/systemd/system/multi-user.target.wants/fairdeal.service"
    assert wants.is_symlink()
