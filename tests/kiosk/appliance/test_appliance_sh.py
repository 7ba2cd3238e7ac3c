"""The helper around the referee's unit: growing pauses, the way back, words for the screen."""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from kiosk.appliance.units import FILES


class Helper:
    """The script with folders of its own. Time is a number here."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.notes, self.versions = folder, folder / "notes", folder / "opt"
        self.uptime_s = 100.0
        self.asked = folder / "asked"
        self.systemctl = folder / "systemctl"
        self.systemctl.write_text(f'#!/bin/sh\necho "$@" >> {self.asked}\n')
        self.systemctl.chmod(0o755)
        (folder / "settings.toml").write_text("port = 8123\n")

    def run(self, verb: str, **more: str) -> str:
        """What it prints: the pause, and a change of versions."""
        (self.folder / "uptime").write_text(f"{self.uptime_s:.2f} 12.0\n")
        environment = {
            "PATH": os.environ["PATH"], "FAIRDEAL_NOTES": str(self.notes),
            "FAIRDEAL_VERSIONS": str(self.versions), "FAIRDEAL_SLEEP": "echo",
            "FAIRDEAL_PROVED": str(self.folder / "proved"),
            "FAIRDEAL_UPTIME": str(self.folder / "uptime"),
            "FAIRDEAL_SYSTEMCTL": str(self.systemctl),
            "FAIRDEAL_SETTINGS": str(self.folder / "settings.toml"), **more,
        }  # fmt: skip
        done = subprocess.run(
            ["sh", str(FILES / "appliance.sh"), verb],
            env=environment, capture_output=True, text=True, check=True,
        )  # fmt: skip
        return done.stdout.strip()

    def fail(self, after_s: float = 5.0, result: str = "exit-code") -> str:
        """A start that fails after so long; the pause before it."""
        pause = self.run("start")
        self.uptime_s += after_s
        self.run("stopped", SERVICE_RESULT=result, EXIT_CODE="exited", EXIT_STATUS="2")
        return pause

    def said(self) -> dict[str, Any]:
        """What the screen's page reads, as JavaScript would."""
        text = (self.notes / "why.js").read_text()
        match = re.fullmatch(r"fairdealSays\((\{.*\})\);\n", text)
        assert match is not None, text
        return json.loads(match[1])


@pytest.fixture
def helper(tmp_path: Path) -> Helper:
    return Helper(tmp_path)


def test_pauses_grow_to_a_minute_and_a_long_run_ends_them(helper: Helper) -> None:
    assert [helper.fail() for _ in range(9)] == ["0", "0", "2", "6", "14", "30", "60", "60", "60"]
    assert helper.fail(after_s=3600) == "60"
    assert helper.fail() == "0"


def test_a_clean_stop_is_no_failure(helper: Helper) -> None:
    for _ in range(5):
        helper.fail()
    helper.run("stopped", SERVICE_RESULT="success")
    assert helper.run("start") == "0" and helper.said()["failures"] == 0


def test_the_screen_hears_why_and_when(helper: Helper) -> None:
    helper.run("start")
    assert helper.said() == {
        "state": "starting", "why": "", "cause": "", "failures": 0, "pause": 0, "port": 8123
    }  # fmt: skip
    helper.run("ready")
    assert helper.said()["state"] == "ready"
    helper.fail(result="watchdog")
    said = helper.said()
    assert said["state"] == "failed" and said["why"] == "it hung and was stopped"
    assert said["failures"] == 1
    helper.run("start")
    assert helper.said()["why"] == said["why"] and helper.said()["cause"] == "watchdog"


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ("oom-kill", "memory"),
        ("timeout", "too long"),
        ("signal", "SIGKILL"),
        ("resources", "exited"),
    ],
)
def test_what_systemd_found_is_said_in_words(helper: Helper, result: str, words: str) -> None:
    helper.run("start")
    helper.run("stopped", SERVICE_RESULT=result, EXIT_CODE="exited", EXIT_STATUS="SIGKILL")
    said = helper.said()
    assert words in said["why"] and said["cause"] == result


def test_words_with_quotes_and_controls_stay_words(helper: Helper) -> None:
    (helper.folder / "bin").mkdir()
    journalctl = helper.folder / "bin/journalctl"
    journalctl.write_text(
        "#!/bin/sh\nprintf 'noise\\nfairdeal: expected"
        ' "a\\\\b" </script>, found \\033[31mred\\n\'\n'
    )
    journalctl.chmod(0o755)
    helper.run("start")
    path = f"{helper.folder / 'bin'}:{os.environ['PATH']}"
    helper.run("stopped", SERVICE_RESULT="exit-code", PATH=path)
    assert helper.said()["why"] == 'expected "a\\b" </script>, found [31mred'


def test_the_screen_leaves_the_page_once_when_the_referee_stays_away(helper: Helper) -> None:
    for _ in range(4):
        helper.fail()
    assert helper.asked.read_text().splitlines() == [
        "try-restart --no-block fairdeal-screen.service"
    ]


def two_versions(helper: Helper) -> None:
    """A new version on trial beside the one before."""
    for path in ("versions/2.0", "kept/1.0"):
        program = helper.versions / path / "bin/fairdeal"
        program.parent.mkdir(parents=True)
        program.write_text("")
        program.chmod(0o755)
    (helper.versions / "current").symlink_to("versions/2.0")
    (helper.versions / "trial").write_text("kept/1.0\n")


def current(helper: Helper) -> str:
    return os.readlink(helper.versions / "current")


def test_a_new_version_that_fails_three_times_gives_way_to_the_one_before(helper: Helper) -> None:
    two_versions(helper)
    for _ in range(3):
        helper.fail()
        assert current(helper) == "versions/2.0"
    assert "1.0 runs" in helper.run("start")
    assert current(helper) == "kept/1.0" and not (helper.versions / "trial").exists()
    assert "2.0 did not start 3 times" in (helper.versions / "rolled-back").read_text()
    # It begins afresh: no pause is left over from the failed version.
    assert helper.said()["failures"] == 0
    for _ in range(5):
        helper.fail()
    assert current(helper) == "kept/1.0"


def test_a_version_that_has_proved_itself_stays(helper: Helper) -> None:
    two_versions(helper)
    (helper.folder / "proved").write_text("versions/2.0\n")
    for _ in range(5):
        helper.fail()
    assert current(helper) == "versions/2.0"


@pytest.mark.parametrize("where", ["../../etc", "/etc", "kept/../../x", "kept/none", ""])
def test_only_a_kept_version_is_gone_back_to(helper: Helper, where: str) -> None:
    two_versions(helper)
    (helper.versions / "trial").write_text(where)
    for _ in range(4):
        helper.fail()
    assert current(helper) == "versions/2.0"


def test_damaged_notes_count_as_none(helper: Helper) -> None:
    helper.run("start")
    for name in ("failures", "started"):
        (helper.notes / name).write_text("$(touch x)\n")
    assert helper.fail() == "0" and helper.said()["failures"] == 1


def test_another_verb_is_refused(tmp_path: Path) -> None:
    done = subprocess.run(
        ["sh", str(FILES / "appliance.sh"), "dance"],
        env={**os.environ, "FAIRDEAL_NOTES": str(tmp_path)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 2 and "found dance" in done.stderr
