"""What people see of a running table: in the terminal, line by line, and drawn on the picture."""

from __future__ import annotations

import io
import threading
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from rich.console import Console

from calibration.pictures import has_screen
from device.rendering import Lights
from kiosk.game.inbox import Inbox
from kiosk.game.news import (
    EventJudged,
    FrameJudged,
    GameBegan,
    LostBy,
    Summary,
    ViewFound,
    ViewLost,
)
from kiosk.overlay import COLOURS, draw_sightings, draw_table
from kiosk.terminal import watching
from kiosk.terminal.lines import JsonCalls, LostLines, PlainCalls
from kiosk.terminal.show import TerminalLamps, TerminalShow, WindowShow
from rules.contract.game import View, make_setup
from rules.games import game
from rules.table.call import Call
from rules.table.event import Placed
from vision.frame import Frame
from vision.scene.hand_blobs import Cover
from vision.scene.table import Table
from vision.scene.tracks import Track
from vision.scene.watcher import Observation
from vision.sightings import Sightings

QUAD = np.float32([[40, 30], [90, 30], [90, 100], [40, 100]])
GREY = np.full((180, 320, 3), 128, np.uint8)
MISTAKE = Call("mistake", "out-of-sequence", "Socks do not follow a hat.", seat=2, at=3.0)
VIEW = View(None, (("pile 1", "needs a T-shirt"),), "Suds, 2 players")


def track(face="hat", state="lying"):
    return Track(1, tuple(map(tuple, QUAD.tolist())), face, 0.9, state, "pile/1", 1)


def observation(*tracks):
    cover = Cover(np.zeros((8, 8), bool), np.zeros((8, 8), np.uint8))
    return Observation((), Table(), tracks, cover)


def seen(at=1.0, *tracks):
    """A frame that was judged in 20 ms."""
    return FrameJudged(Frame(GREY, at, 0), observation(*tracks), at, 0.02)


JUDGED = EventJudged(Placed(3.0, "socks", "pile/1", 2), (MISTAKE,), VIEW)
LOST = ViewLost(3.0, LostBy.CAMERA, "camera lost: unplugged")


def terminal():
    """A show on a wide terminal in memory, its lamps, and what is written."""
    console = Console(file=io.StringIO(), force_terminal=True, width=110, color_system=None)
    lamps = TerminalLamps()
    return TerminalShow(lamps, console), lamps, console.file


def test_the_terminal_shows_piles_calls_lamps_and_the_camera():
    show, lamps, text = terminal()
    with show:
        lamps.show(Lights((1.0, 0.0, 0.0, 0.0), tone_hz=330))
        show.hear(JUDGED)
        show.hear(seen(4.0, track()))
        said = text.getvalue()
    for words in ("Suds, 2 players", "needs a T-shirt", "Socks do not follow a hat.", "● mistake",
                  "○ complete", "330 Hz", "4.0 s"):  # fmt: skip
        assert words in said
    lamps.close()
    assert lamps.lights == Lights()


def test_the_terminal_shows_the_game_from_its_beginning():
    show, _, text = terminal()
    suds = game("suds")
    with show:
        show.hear(GameBegan(suds, make_setup(suds, 2), ("bottom", "left"), VIEW))
        show.hear(seen())
        for words in ("needs a T-shirt", "d draw, o out, m mute, q quit"):
            assert words in text.getvalue()


def test_the_terminal_says_that_the_table_is_out_of_view_until_it_is_back():
    show, _, text = terminal()
    with show:
        show.hear(LOST)
        show.hear(seen())
        assert "camera lost: unplugged" in text.getvalue()
        text.truncate(0)
        show.hear(ViewFound(4.0))
        assert "unplugged" not in text.getvalue() and "cards" in text.getvalue()


def test_the_terminal_is_drawn_ten_times_a_second_at_most():
    show, _, text = terminal()
    with show:
        show.hear(seen(1.0))
        length = len(text.getvalue())
        show.hear(seen(1.05))
        assert len(text.getvalue()) == length
        show.hear(seen(1.1))
        assert len(text.getvalue()) > length


def test_a_window_shows_the_picture_and_one_that_cannot_be_opened_is_left_alone(monkeypatch):
    pictures, inbox = [], Inbox()
    monkeypatch.setattr(cv2, "imshow", lambda title, picture: pictures.append(picture))
    monkeypatch.setattr(cv2, "waitKey", lambda ms: ord("q"))
    monkeypatch.setattr(cv2, "destroyAllWindows", lambda: None)
    with WindowShow(inbox, {"q": "start"}) as window:
        window.hear(JUDGED)
        window.hear(seen(4.0, track()))
        assert pictures[0].shape == (720, 1280, 3) and inbox.is_stopped

        def refuse(title, picture):
            raise cv2.error("no display")

        monkeypatch.setattr(cv2, "imshow", refuse)
        window.hear(seen(4.1))
        window.hear(seen(4.2))
        assert len(pictures) == 1


def test_a_screen_is_known_by_the_environment(monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not has_screen()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert has_screen()


def test_line_by_line_each_call_and_each_loss_is_one_line():
    lines = []
    observers = (PlainCalls(lines.append), LostLines(lines.append))
    later = ViewLost(3.1, LostBy.PLACE, "the camera was moved by 9 px")
    for news in (JUDGED, seen(), LOST, later, ViewFound(4.0), ViewFound(4.1)):
        for observer in observers:
            observer.hear(news)
    assert lines == ["   3.00 s  mistake    Socks do not follow a hat.",
                     "camera lost: unplugged", "the table is in view again"]  # fmt: skip


def test_calls_as_json_stop_the_game_when_nobody_reads_them():
    lines, inbox = [], Inbox()
    calls = JsonCalls(lines.append, inbox)
    calls.hear(JUDGED)
    assert lines == [MISTAKE.to_json()] and not inbox.is_stopped

    def refuse(line):
        raise BrokenPipeError

    calls = JsonCalls(refuse, inbox)
    calls.hear(JUDGED)
    calls.hear(JUDGED)
    assert isinstance(calls.gone, BrokenPipeError) and inbox.is_stopped


def changed(before, after):
    """(left, top, right, bottom) of what was drawn; None for nothing."""
    ys, xs = np.nonzero((before != after).any(axis=2))
    return (xs.min(), ys.min(), xs.max(), ys.max()) if len(xs) else None


def colour_at(picture, x, y):
    """The colour of COLOURS that is nearest to a pixel: lines are smoothed."""
    pixel = picture[y, x].astype(int)
    return min(COLOURS.values(), key=lambda colour: np.abs(pixel - colour).sum())


def test_sightings_are_outlined_and_named_on_a_copy():
    seen = Sightings(np.stack([QUAD, QUAD + 120]), (0.9, 0.8), ("hat", "unknown"), (0.98, 0.1),
                     (True, True))  # fmt: skip
    before = GREY.copy()
    drawn = draw_sightings(GREY, seen)
    assert np.array_equal(GREY, before) and drawn.shape == GREY.shape
    assert colour_at(drawn, 65, 30) == COLOURS["lying"]
    assert colour_at(drawn, 185, 150) == COLOURS["unknown"]
    assert np.array_equal(draw_sightings(GREY, Sightings.empty()), GREY)


@pytest.mark.parametrize(
    ("face", "state", "colour"),
    [("hat", "lying", "lying"), ("hat", "coming", "coming"), ("unknown", "lying", "unknown")],
)
def test_cards_followed_are_drawn_by_their_state(face, state, colour):
    drawn = draw_table(GREY, (track(face, state),))
    assert colour_at(drawn, 65, 30) == COLOURS[colour]


def test_a_covered_card_is_not_drawn_nor_what_may_be_a_hand():
    for face, state in (("hat", "covered"), ("unknown", "coming")):
        assert changed(GREY, draw_table(GREY, (track(face, state),))) is None


def test_lines_stand_above_and_calls_below():
    top = changed(GREY, draw_table(GREY, (), VIEW.lines, (), VIEW.headline))
    low = changed(GREY, draw_table(GREY, (), (), (MISTAKE,)))
    assert top[1] == 0 and top[3] < 90 and low[3] == 179 and low[1] > 90
    nasty = Call("notice", "r", "Été … 日本", at=1.0)
    assert changed(GREY, draw_table(GREY, (), (), (nasty,))) is not None


def test_without_a_terminal_the_game_is_written_line_by_line(monkeypatch, capsys):
    summary = Summary(30, 2, 12.34, {"mistake": 1, "corrected": 1}, 0.5)

    def run_game(request, source, eyes, company):
        for observer in company.observers:
            observer.hear(JUDGED)
        return summary

    monkeypatch.setattr(watching, "run_game", run_game)
    told = watching.run_shown(None, None, None)
    assert told == "12.3 s of play, 30 frames, 2 dropped; 1 corrected, 1 mistake"
    assert "Socks do not follow a hat." in capsys.readouterr().out


def test_in_a_terminal_the_game_is_drawn_on_a_thread_of_its_own(monkeypatch):
    monkeypatch.setattr(watching.sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(watching, "has_screen", lambda: False)
    text, heard = io.StringIO(), []

    class Shown(TerminalShow):
        def __init__(self, lamps):
            super().__init__(lamps, Console(file=text, force_terminal=True, width=100))

        def hear(self, news):
            heard.append(threading.current_thread().name)
            super().hear(news)

    def run_game(request, source, eyes, company):
        for observer in company.observers:
            observer.hear(JUDGED)
        assert [output.name for output in company.outputs] == ["terminal"]
        return Summary(1, 0, 1.0, {}, None)

    monkeypatch.setattr(watching, "TerminalShow", Shown)
    monkeypatch.setattr(watching, "run_game", run_game)
    request = SimpleNamespace(game=game("suds"))
    assert watching.run_shown(request, None, None) == "1.0 s of play, 1 frames; no calls"
    assert heard == ["observer-terminal"] and "needs a T-shirt" in text.getvalue()
