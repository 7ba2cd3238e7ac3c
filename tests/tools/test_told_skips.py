"""A test that is skipped is told last, with what brings it; CI takes none."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from needed_tools import ALL, ROOT, need, needs

HERE = Path(__file__).parent
TESTS = """
import pytest
from needed_tools import BROWSER, MOUNTING

def test_that_runs():
    pass

@pytest.mark.parametrize("number", range(3))
def test_a_page(number):
    pytest.skip(BROWSER.reason)

@pytest.mark.skipif(True, reason=MOUNTING.reason)
def test_a_disk():
    pass

def test_the_tide():
    pytest.skip("no moon")
"""


def ran(folder: Path, *words: str) -> tuple[int, list[str]]:
    """The exit status of those tests, and what was printed."""
    (folder / "test_it.py").write_text(TESTS)
    (folder / "pytest.ini").write_text(f"[pytest]\npythonpath = {HERE} {ROOT}\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "xdist.plugin", "-p", "told_skips"]
    done = subprocess.run(
        [*command, "-p", "no:cacheprovider", *words], cwd=folder, capture_output=True, text=True,
        timeout=120, env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )  # fmt: skip
    return done.returncode, done.stdout.splitlines()


LAST = [
    "5 tests were SKIPPED:",
    "    3  no chromium and chromedriver: the pages are not tested; make test-tools",
    "    1  no moon",
    "    1  no root, to mount a file system: full disks are not tested; run as root on Linux",
    "One command brings all that can be installed: make test-tools",
]


def test_groups_and_the_command_are_the_last_lines(tmp_path):
    status, lines = ran(tmp_path, "-n", "0")
    assert status == 0 and lines[-5:] == LAST


def test_where_none_may_be_skipped_one_is_a_failure_of_all_processes(tmp_path):
    status, lines = ran(tmp_path, "-n", "2", "--no-skips")
    assert status == 1 and lines[-6:-1] == LAST
    assert lines[-1] == "expected no skipped test, found 5 (--no-skips)"


def test_without_a_skip_nothing_is_told(tmp_path):
    status, lines = ran(tmp_path, "-n", "0", "--no-skips", "-k", "runs")
    assert status == 0 and not any("SKIPPED" in line for line in lines)


def test_what_is_needed_is_told_each_in_its_own_words():
    assert len({wanted.reason for wanted in ALL}) == len(ALL)
    for wanted in ALL:
        marked = needs(wanted)
        assert marked.args == (not wanted.is_there(),)
        if wanted.is_there():
            need(wanted)
        else:
            with pytest.raises(pytest.skip.Exception, match=wanted.what):
                need(wanted)
