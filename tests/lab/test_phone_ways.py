"""Ways of a phone's pictures are measured picture by picture; a missing library is one line."""

import sys

import numpy as np
import pytest

from kiosk.cli import main
from lab.bench.phone_ways import COMPARED, Arrived, pictures


@pytest.mark.parametrize("missing", ["websockets", "aiortc"])
def test_a_missing_library_is_said_in_one_line(monkeypatch, capsys, missing):
    monkeypatch.setattr("lab.bench.phone_ways.pictures", lambda: iter(()))
    for name in ("websockets", "aiortc"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setattr("lab.bench.phone_ways.PACKAGES", {missing: (missing,)})
    assert main(["bench", "phone-ways"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and f"the library {missing}, found none" in said


def test_a_picture_counts_once_by_its_number_and_some_are_kept():
    arrived, drawn = Arrived(), [bgr for bgr, _ in zip(pictures(), range(3), strict=False)]
    for number in (0, 1, 1, 2):
        arrived.take(drawn[number])
    assert list(arrived.at) == [0, 1, 2] and list(arrived.at.values()) == sorted(
        arrived.at.values()
    )
    assert list(arrived.kept) == [0] and COMPARED > 2
    assert np.array_equal(arrived.kept[0], drawn[0]) and arrived.cpu_s >= 0.0
