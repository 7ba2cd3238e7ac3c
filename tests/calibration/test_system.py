"""A system without OpenCV's libraries, a poor locale, numbers out of bounds: one line each."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from calibration import system
from calibration.arguments import number, whole
from kiosk.cli import main

LIBGL = "libGL.so.1: cannot open shared object file: No such file or directory"


def test_a_missing_library_is_named_with_its_package() -> None:
    words = system.library_fault(ImportError(LIBGL))
    assert "libGL.so.1" in words and "sudo apt install libxcb1 libgl1 libglib2.0-0" in words
    assert system.library_fault(ImportError("No module named x")) == ""
    assert system.opencv_fault() == ""


@pytest.fixture
def without_libgl(tmp_path: Path) -> dict[str, str]:
    """An environment in which `import cv2` fails as it does on a system without a desktop."""
    (tmp_path / "cv2.py").write_text(f"raise ImportError({LIBGL!r})\n")
    path = os.pathsep.join([str(tmp_path), str(Path(__file__).parents[2])])
    return {**os.environ, "PYTHONPATH": path}


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["-m", "calibration.system"], 2),
        (["-m", "kiosk.cli", "doctor"], 1),
        (["-m", "kiosk.cli", "calibrate", "table", "--source", "0"], 2),
        (["-m", "kiosk.cli", "see", "--deck", "suds", "none.png"], 2),
    ],
)
def test_commands_say_what_to_install(
    words: list[str], code: int, without_libgl: dict[str, str]
) -> None:
    done = subprocess.run(
        [sys.executable, *words], env=without_libgl, capture_output=True, text=True, timeout=120
    )
    said = done.stdout + done.stderr
    assert done.returncode == code and "Traceback" not in said
    assert "libGL.so.1" in said and "sudo apt install" in said


@pytest.mark.parametrize("words", [["rules", "suds"], ["rules", "sooty"], ["doctor"]])
@pytest.mark.parametrize("encoding", ["latin-1", "ascii"])
def test_a_locale_without_our_characters_is_no_traceback(words: list[str], encoding: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kiosk.cli", *words],
        env={**os.environ, "PYTHONIOENCODING": encoding}, capture_output=True, timeout=120,
    )  # fmt: skip
    assert b"Traceback" not in done.stderr and done.returncode in (0, 1) and done.stdout


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--version"])
    assert stopped.value.code == 0 and capsys.readouterr().out.startswith("fairdeal ")


@pytest.mark.parametrize(
    "words",
    [
        ["see", "--deck", "suds", "x.png", "--threads", "0"],
        ["see", "--deck", "suds", "x.png", "--threads", "-1"],
        ["see", "--deck", "suds", "x.png", "--threads", "100000"],
        ["referee", "suds", "--source", "x", "--deck", "suds", "--threads", "0"],
        ["demo", "--threads", "100000"],
        ["demo", "--port", "70000"],
        ["calibrate", "light", "--frames", "0"],
        ["calibrate", "camera", "--seconds", "nan"],
        ["referee", "suds", "--source", "x", "--deck", "suds", "--rate", "0"],
    ],
)
def test_numbers_out_of_bounds_are_refused(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(words)
    said = capsys.readouterr().err
    assert stopped.value.code == 2 and said.count("\n") == 1 and f"found {words[-1]}" in said


def test_bounds() -> None:
    assert whole(1, 5)("5") == 5 and number(0, 1)("0.5") == 0.5
