"""Both command lines, `fairdeal` and `python -m calibration`, end in the same way."""

import importlib
import os
import pty
import signal
import subprocess
import sys

import pytest
from needed_tools import FULL_DEVICE, needs

from calibration import entry
from kiosk.cli import main

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


@pytest.mark.parametrize("part", ["camera", "table", "light", "deck"])
def test_a_folder_that_may_not_be_read_is_one_line(part, tmp_path, monkeypatch, capsys):
    def refuse(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("pathlib.Path.iterdir", refuse)
    words = ["deck", "mine"] if part == "deck" else [part]
    assert main(["calibrate", *words, "--from", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and f"{tmp_path}: expected" in said
    assert "found Permission denied" in said


def test_what_is_wrong_with_the_words_is_one_line(capsys):
    for module in ("kiosk.cli", "calibration.__main__"):
        with pytest.raises(SystemExit) as stopped:
            importlib.import_module(module).main(["calibrate", "cameras"])
        assert stopped.value.code == 2
        assert capsys.readouterr().err.count("\n") == 1


@needs(FULL_DEVICE)
def test_a_full_disk_under_what_is_printed_is_one_line():
    command = [sys.executable, "-m", "kiosk.cli", "rules", "suds"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert "expected space for the output" in done.stderr
    assert len(done.stderr.splitlines()) == 1


PRINTS_ON = """
import argparse, signal, sys
from calibration import entry
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})  # on its way, not yet heard
def prints_on(args):
    while True:
        print("on", flush=True)
def build():
    parser = entry.Parser()
    parser.set_defaults(run=prints_on)
    return parser
sys.exit(entry.run("test", build, []))
"""


def test_a_closed_terminal_is_noticed_before_its_signal():
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(sys.executable, [sys.executable, "-c", PRINTS_ON])
    assert b"on" in os.read(terminal, 4096)
    os.close(terminal)
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 128 + signal.SIGHUP
