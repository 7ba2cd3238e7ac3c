"""The referee as a child: started, restarted with growing pauses, resumed after a power cut."""

import asyncio
import json
from typing import ClassVar

import pytest

from kiosk.cli import main
from kiosk.web import table as table_module
from kiosk.web.setup import TableSetup
from kiosk.web.table import PLAYING, RefereeProcess, TableSettings
from rules.errors import FairdealError

SETUP = TableSetup("suds", 2, "suds", ("bottom", "top"), {}, ("Anna", ""))


class FakeChild:
    """Ends as the test says: an exit code, or a FairdealError at its start; then it goes on."""

    endings: ClassVar[list] = []
    started: ClassVar[list] = []

    def __init__(self, what):
        self.said, self.is_running, self._code = [], False, asyncio.Event()

    @property
    def last_word(self):
        return self.said[-1] if self.said else ""

    async def start(self, words):
        type(self).started.append(words)
        ending = self.endings.pop(0) if self.endings else None
        if isinstance(ending, FairdealError):
            raise ending
        self._ending, self.is_running = ending, ending is None
        self.said = ["camera lost"] if ending else []

    async def ended(self):
        if self._ending is None:
            await asyncio.Event().wait()
        return self._ending

    async def stop(self):
        self.is_running = False
        return True


@pytest.fixture
def process(tmp_path, monkeypatch):
    """A referee whose pauses are noted, not waited for."""
    monkeypatch.setattr(table_module, "Child", FakeChild)
    FakeChild.endings, FakeChild.started = [], []
    pauses, heard = [], []

    async def sleep(seconds):
        pauses.append(seconds)
        await asyncio.sleep(0)

    settings = TableSettings("0", tmp_path / "link", tmp_path, pauses_s=(1.0, 2.0, 5.0))
    made = RefereeProcess(settings, heard.append, sleep)
    made.pauses, made.heard = pauses, heard
    return made


async def settled():
    for _ in range(50):
        await asyncio.sleep(0)


def test_a_referee_that_stops_goes_on_with_its_game_after_growing_pauses(process):
    async def run():
        FakeChild.endings = [1, 1, FairdealError("a camera", "none"), 1]
        await process.start(SETUP)
        await settled()
        assert process.pauses == [1.0, 2.0, 5.0, 5.0]
        assert process.state.is_running and process.state.why == "camera lost"
        assert [state.pause_s for state in process.heard if not state.is_running][-1] == 5.0
        assert process.state.names == ("Anna", "")
        first, *later = FakeChild.started
        assert "--resume" not in first
        assert all(words[-2:] == ["--resume", "auto"] for words in later)
        assert await process.stop() and not process.state.is_running
        assert process.state.names == ("Anna", "")  # for the report after the game

    asyncio.run(run())


def test_the_deck_of_the_game_is_known_until_the_game_is_given_up(process):
    async def run():
        assert process.deck == ""
        FakeChild.endings = [FairdealError("a camera", "none")]
        with pytest.raises(FairdealError):
            await process.start(SETUP)
        assert process.deck == ""
        await process.start(SETUP)
        assert process.deck == "suds"
        await process.stop()
        assert process.deck == ""

    asyncio.run(run())


def test_a_game_that_is_over_is_not_started_again(process, tmp_path):
    async def run():
        FakeChild.endings = [0]
        await process.start(SETUP)
        await settled()
        assert process.pauses == [] and not process.is_running
        assert process.state.names == ("Anna", "")
        assert not (tmp_path / PLAYING).exists()

    asyncio.run(run())


def test_a_referee_that_was_told_to_stop_in_mid_game_goes_on(process, tmp_path):
    """A machine that goes down stops the referee before the page's server."""

    async def run():
        process.is_over = lambda: False
        FakeChild.endings = [0]
        await process.start(SETUP)
        await settled()
        assert process.pauses == [1.0] and (tmp_path / PLAYING).exists()
        assert process.state.why == "the referee ended with code 0"
        await process.stop()

    asyncio.run(run())


def test_the_first_start_tells_its_error_and_leaves_nothing(process, tmp_path):
    async def run():
        FakeChild.endings = [FairdealError("a referee that starts", "no camera 0")]
        with pytest.raises(FairdealError, match="no camera 0"):
            await process.start(SETUP)
        assert not process.is_running and not (tmp_path / PLAYING).exists()

    asyncio.run(run())


def test_after_a_power_cut_the_game_goes_on_but_not_one_that_people_ended(process, tmp_path):
    async def run():
        await process.start(SETUP)
        await process.stop()  # the machine goes down
        assert json.loads((tmp_path / PLAYING).read_text())["game"] == "suds"
        await process.resume_cut(tmp_path / "decks")
        assert FakeChild.started[-1][-2:] == ["--resume", "auto"] and process.is_running
        assert await process.stop(is_over=True)
        await process.resume_cut(tmp_path / "decks")
        assert not process.is_running and len(FakeChild.started) == 2

    asyncio.run(run())


def test_a_second_game_is_refused_while_one_waits_for_its_restart(process):
    async def run():
        FakeChild.endings = [None]
        await process.start(SETUP)
        with pytest.raises(FairdealError, match="end it first"):
            await process.start(SETUP)

    asyncio.run(run())


def test_the_kiosk_records_every_game_where_it_is_told(tmp_path, monkeypatch):
    """The referee hears of the folder, and the page looks for recordings there."""
    heard = []

    async def serve(settings, link, table, hour):
        heard.append((settings, table))

    monkeypatch.setenv("FAIRDEAL_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("kiosk.web.server.serve", serve)
    monkeypatch.chdir(tmp_path)
    assert main(["kiosk", "--source", "simulated", "--record", "kept"]) == 0
    assert main(["kiosk", "--source", "simulated"]) == 0
    (settings, table), (usual, without) = heard
    assert settings.recordings == tmp_path / "kept" and usual.recordings is None
    words = table._words(SETUP, resume=False)
    assert words[words.index("--record") + 1] == str(tmp_path / "kept")
    assert "--record" not in without._words(SETUP, resume=False)
