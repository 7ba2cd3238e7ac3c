"""The set-up's desk, and benches whose cameras film what a test gives them."""

import pytest
from filmed_bench import Clock, Film

from calibration import saved_setup
from kiosk.web.first_hour.bench import Bench
from kiosk.web.first_hour.desk import Desk


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path / "page", "film", clock=lambda: "2026-11-23T12:00:00+00:00")


@pytest.fixture
def bench_of(desk, tmp_path, monkeypatch):
    """A bench whose camera films the pictures that are given."""

    def made(pictures, recorded=False):
        film = Film(pictures, recorded)
        monkeypatch.setattr(saved_setup, "open_lit", lambda *_: film)
        return Bench("film", tmp_path / "calibration", desk, "mock", clock=Clock()), film

    return made
