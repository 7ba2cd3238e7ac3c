"""A recording and its report, for all tests of reports."""

import pytest
from recorded import RecordedGame, recording_in

from kiosk.field.recording import read_recording
from kiosk.field.report import Wish, write_report


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """A game of some 17 s with a mistake at its end."""
    folder = tmp_path_factory.mktemp("recordings")
    with RecordedGame(folder) as game:
        game.inbox.recording.turn(on=True)
        game.play()
    return read_recording(recording_in(folder))


@pytest.fixture(scope="module")
def report(recording, tmp_path_factory):
    """The whole recording as a report."""
    out = tmp_path_factory.mktemp("report") / "whole.fairdeal"
    return write_report(recording, Wish(note="socks"), out)
