"""Both command lines, `fairdeal` and `python -m calibration`, end in the same way."""

import os
import subprocess
import sys

import pytest

from calibration import entry

COMMANDS = {
    "lines on the way": ["-m", "calibration", "signals", "--signals", "none", "--yes"],
    "its help": ["-m", "calibration", "--help"],
    "fairdeal": ["-m", "kiosk.cli", "rules", "suds"],
    "fairdeal's help": ["-m", "kiosk.cli", "--help"],
    "fairdeal calibrate": ["-m", "kiosk.cli", "calibrate", "signals", "--signals", "none", "--yes"],
}


@pytest.mark.parametrize("words", COMMANDS.values(), ids=list(COMMANDS))
def test_a_reader_that_has_left_ends_it_quietly(words):
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, *words], stdout=write, stderr=subprocess.PIPE, text=True, timeout=60
    )
    os.close(write)
    assert "Traceback" not in done.stderr and "BrokenPipe" not in done.stderr
    # Where Python does not buffer, argparse itself overlooks that its help went nowhere.
    assert done.returncode in {entry.BROKEN_PIPE, 0 if "--help" in words else entry.BROKEN_PIPE}


def test_an_error_line_that_nobody_reads_ends_it_quietly_too():
    read, write = os.pipe()
    os.close(read)
    words = ["-m", "calibration", "camera", "--from", "/nowhere"]
    done = subprocess.run([sys.executable, *words], stdout=write, stderr=write, timeout=60)
    os.close(write)
    assert done.returncode == entry.BROKEN_PIPE


def test_what_is_wrong_with_the_words_is_one_line(capsys):
    for main in ("kiosk.cli", "calibration.__main__"):
        with pytest.raises(SystemExit) as stopped:
            __import__(main, fromlist=["main"]).main(["calibrate", "cameras"])
        assert stopped.value.code == 2
        assert capsys.readouterr().err.count("\n") == 1
