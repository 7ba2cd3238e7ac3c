"""How programs hear that they must end."""

import os
import signal
import threading

import pytest
from processes import PATIENCE_S, program

from calibration import entry
from host.stopping import leave, stopping, told

HANGS = """
import os, signal, threading
os.environ["FAIRDEAL_PATIENCE"] = "1"
from host import stopping
stopping.END_S = 1
with stopping.stopping(lambda number: print("heard", number, flush=True)):
    print("up", flush=True)
    while True:
        signal.pause()
"""
IGNORES = """
import signal
from host.stopping import leave, stopping
signal.signal(signal.SIGHUP, signal.SIG_IGN)
with stopping(leave):
    signal.raise_signal(signal.SIGHUP)
print("went on", flush=True)
"""


def test_the_innermost_hears_and_only_the_first_time():
    heard = []
    before = signal.getsignal(signal.SIGTERM)
    with stopping(lambda number: heard.append(("outer", number))):
        with stopping(lambda number: heard.append(("inner", number))):
            os.kill(os.getpid(), signal.SIGTERM)
            os.kill(os.getpid(), signal.SIGTERM)
            os.kill(os.getpid(), signal.SIGHUP)
        os.kill(os.getpid(), signal.SIGTERM)
        assert told() == signal.SIGTERM
    assert heard == [("inner", signal.SIGTERM)]
    assert told() == 0 and signal.getsignal(signal.SIGTERM) is before
    assert signal.alarm(0) == 0


def test_a_command_that_ends_by_itself_has_the_signals_exit_code():
    def run(_args):
        with stopping(lambda _: None):
            os.kill(os.getpid(), signal.SIGTERM)
        return 0

    assert entry.run("test", parser_of(run), []) == 128 + signal.SIGTERM


def test_a_command_that_does_nothing_about_it_leaves_through_its_blocks():
    left = []

    def run(_args):
        try:
            os.kill(os.getpid(), signal.SIGTERM)
            return 0
        finally:
            left.append(True)

    with pytest.raises(SystemExit) as ended:
        entry.run("test", parser_of(run), [])
    assert ended.value.code == 128 + signal.SIGTERM and left == [True]


def test_a_program_that_does_not_end_is_ended(tmp_path):
    with program(tmp_path, ["-c", HANGS]) as running:
        running.hears("up")
        running.child.terminate()
        assert running.child.wait(PATIENCE_S) == -signal.SIGALRM
        assert "heard 15" in running.said


def test_nohup_is_kept(tmp_path):
    with program(tmp_path, ["-c", IGNORES]) as running:
        assert running.child.wait(PATIENCE_S) == 0
        assert "went on" in running.said


def test_another_thread_hears_nothing():
    def work():
        with stopping(leave):
            pass

    thread = threading.Thread(target=work)
    before = signal.getsignal(signal.SIGTERM)
    thread.start()
    thread.join(PATIENCE_S)
    assert signal.getsignal(signal.SIGTERM) is before and not thread.is_alive()


def parser_of(run):
    def build():
        parser = entry.Parser(prog="test")
        parser.set_defaults(run=run)
        return parser

    return build
