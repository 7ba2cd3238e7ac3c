"""How a child is tied to its parent: by Linux's signal, elsewhere by a pipe that closes."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
from processes import PATIENCE_S, program

from host import children

ROOT = Path(__file__).parents[2]
# A parent whose system sends no signal: the guard reads the pipe.
GUARDING = """
import os, signal, subprocess, sys
read = os.pipe()[0]
leash = ("import sys; from host.leash import main;"
         "sys.exit(main(sys.argv[1:], is_told=lambda: False))")
child = subprocess.Popen([sys.executable, "-c", leash, str(os.getpid()), str(read), *sys.argv[1:]],
                         pass_fds=(read,), stdout=subprocess.PIPE)
print("began", child.stdout.readline(), flush=True)
print("code", child.wait(), flush=True)
"""


def test_a_program_ends_with_its_parent_where_no_signal_tells(tmp_path):
    sleeps = "print('up', flush=True); import time; time.sleep(1000)"
    with program(tmp_path, ["-c", GUARDING, sys.executable, "-c", sleeps]) as running:
        running.hears("began b'up")
        assert len(running.living()) == 2  # the program and its guard
        running.child.kill()
        running.child.wait(PATIENCE_S)
        running.has_none()


def test_a_guard_ends_with_its_program_and_hides_no_exit_code(tmp_path):
    ends = "print('up', flush=True); raise SystemExit(7)"
    with program(tmp_path, ["-c", GUARDING, sys.executable, "-c", ends]) as running:
        assert running.hears("code ") == "7"
        running.has_none()


def test_a_child_whose_parent_ended_before_it_could_be_tied_never_runs(tmp_path):
    read, write = os.pipe()
    mark = tmp_path / "ran"
    done = subprocess.run(
        [sys.executable, str(children.LEASH), "1", str(read), "touch", str(mark)],
        pass_fds=(read,), check=False,
    )  # fmt: skip
    os.close(read)
    os.close(write)
    assert done.returncode == 0 and not mark.exists()


def test_a_program_that_cannot_be_started_says_so():
    child = children.start(["/no/such/program"], stderr=subprocess.PIPE)
    _, said = child.communicate(timeout=PATIENCE_S)
    assert (child.returncode, said) == (127, b"/no/such/program: No such file or directory\n")


def test_a_child_gets_its_streams_and_no_other_descriptor():
    names = "import os; print(sorted(map(int, os.listdir('/proc/self/fd')))[:4], input())"
    child = children.start(
        [sys.executable, "-c", names], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    said, _ = child.communicate(b"hello\n", timeout=PATIENCE_S)
    assert said == b"[0, 1, 2, 3] hello\n"  # 3: the folder that it lists
    assert child.returncode == 0


def calls(path: Path) -> set[str]:
    """The names of everything that a file calls, without their modules but for `os.system`."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = [ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return {name if name == "os.system" else name.rpartition(".")[2] for name in names}


@pytest.mark.parametrize("package", ["vision", "device", "calibration", "models", "kiosk", "lab"])
def test_every_process_that_lasts_is_tied_to_its_parent(package):
    """`subprocess.run` waits for its end; all others go through host/children.py."""
    untied = {
        "Popen",
        "create_subprocess_exec",
        "create_subprocess_shell",
        "posix_spawn",
        "os.system",
    }
    files = sorted((ROOT / package).rglob("*.py"))
    found = {str(path.relative_to(ROOT)): calls(path) & untied for path in files}
    assert files and {path: names for path, names in found.items() if names} == {}
