"""What the commands load, and what they refuse in one line."""

from __future__ import annotations

import subprocess
import sys

import pytest

from kiosk.cli import main

LOADS = """
import sys
import kiosk.assembly, kiosk.terminal.watching, vision.sources.live, vision.sources.video
print(sorted({"torch", "ultralytics"} & set(sys.modules)))
"""


def test_refereeing_never_loads_what_only_training_needs():
    done = subprocess.run([sys.executable, "-c", LOADS], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


HEAVY = """
import sys
from kiosk.cli import build_parser
build_parser()
heavy = {"cv2", "numpy", "onnxruntime", "rich", "reportlab", "gpiozero", "serial", "torch"}
print(sorted(heavy & set(sys.modules)))
"""


def test_the_command_line_itself_loads_nothing_heavy():
    done = subprocess.run([sys.executable, "-c", HEAVY], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("referee chess --source x", "a game: suds"),
        ("referee suds --players 9 --source x", "2 to 4 players"),
        ("referee suds --seats top --source x", "--seats with 2"),
        ("referee suds --option variant=odd --source x", "variant"),
        ("referee suds --deck no/such/deck --source x", "expected"),
        ("see --deck no/such/deck a.jpg", "expected"),
    ],
)
def test_a_wrong_word_is_one_line_and_exit_code_2(words, said, capsys):
    assert main(words.split()) == 2
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1
