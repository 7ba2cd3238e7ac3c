"""Lines of several threads stay whole, and nobody has to read them."""

import io
import sys

import pytest

from host.saying import to_stderr


class Writes(io.StringIO):
    """Keeps each write by itself: what two threads write may take turns between them."""

    def __init__(self):
        super().__init__()
        self.parts = []

    def write(self, text):
        self.parts.append(text)
        return len(text)


def test_a_line_is_one_write(monkeypatch):
    stderr = Writes()
    monkeypatch.setattr(sys, "stderr", stderr)
    to_stderr("club: the broker is away")
    to_stderr("club: a connection was refused")
    assert stderr.parts == ["club: the broker is away\n", "club: a connection was refused\n"]


@pytest.mark.parametrize("gone", ["closed", "none"])
def test_a_reader_who_is_gone_stops_nothing(monkeypatch, gone):
    stderr = io.StringIO()
    stderr.close()
    monkeypatch.setattr(sys, "stderr", stderr if gone == "closed" else None)
    to_stderr("nobody hears it")
    assert sys.stderr is (stderr if gone == "closed" else None)
