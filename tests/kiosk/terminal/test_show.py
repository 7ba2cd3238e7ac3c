"""What people see of a running table: in the terminal, line by line, and drawn on the picture."""

from __future__ import annotations

import io
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from rich.console import Console

from calibration.pictures import has_screen
from device.rendering import Lights
from kiosk.game.loop import Summary
from kiosk.overlay import COLOURS, draw_sightings, draw_table
from kiosk.terminal import show as shows
from kiosk.terminal import watching
from kiosk.terminal.show import PlainShow, TerminalLamps, TerminalShow
from rules.call import Call
from rules.event import Event
from rules.game import View, make_setup
from rules.games import game
from vision.frame import Frame
from vision.scene.hands import Cover
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


def frame(at=1.0, number=0):
    return Frame(GREY, at, number)


def terminal(**more):
    """A show on a wide terminal in memory, its lamps, and whether it was asked to quit."""
    console = Console(file=io.StringIO(), force_terminal=True, width=110, color_system=None)
    lamps, quits = TerminalLamps(), []
    show = TerminalShow(lambda: VIEW, lamps, lambda: quits.append(True), console,
                        more.pop("window", False))  # fmt: skip
    return show, lamps, quits, console.file


def test_the_terminal_shows_piles_calls_lamps_and_the_camera():
    show, lamps, _, text = terminal()
    with show:
        lamps.show(Lights((1.0, 0.0, 0.0, 0.0), tone_hz=330))
        show.heard(Event(3.0, "placed", "socks", "pile/1", 2), (MISTAKE,))
        show.frame(frame(4.0), observation(track()), 0.02)
        said = text.getvalue()
    for words in ("Suds, 2 players", "needs a T-shirt", "Socks do not follow a hat.", "● mistake",
                  "○ complete", "330 Hz", "4.0 s", "q quit"):  # fmt: skip
        assert words in said
    lamps.close()
    assert lamps.lights == Lights()


def test_the_terminal_says_that_the_table_is_out_of_view_until_it_is_back():
    show, _, _, text = terminal()
    with show:
        show.lost("camera lost: unplugged")
        show.frame(frame(), observation(), 0.01)
        assert "camera lost: unplugged" in text.getvalue()
        text.truncate(0)
        show.lost("")
        assert "unplugged" not in text.getvalue() and "cards" in text.getvalue()


def test_the_terminal_is_drawn_ten_times_a_second_at_most():
    show, _, _, text = terminal()
    with show:
        show.frame(frame(1.0), observation(), 0.01)
        length = len(text.getvalue())
        show.frame(frame(1.05), observation(), 0.01)
        assert len(text.getvalue()) == length
        show.frame(frame(1.1), observation(), 0.01)
        assert len(text.getvalue()) > length


def test_keys_press_buttons_and_q_quits(monkeypatch):
    show, _, quits, _ = terminal()
    typed = ["s2o", "q"]
    monkeypatch.setattr(show._keyboard, "read", lambda: typed.pop(0))
    with show:
        assert show.presses() == (("start", None), ("out", 2)) and not quits
        assert show.presses() == () and quits == [True]


def test_a_window_shows_the_picture_and_one_that_cannot_be_opened_is_done_without(monkeypatch):
    seen = []
    monkeypatch.setattr(cv2, "imshow", lambda title, picture: seen.append(picture))
    monkeypatch.setattr(cv2, "waitKey", lambda ms: ord("q"))
    monkeypatch.setattr(cv2, "destroyAllWindows", lambda: None)
    show, _, quits, _ = terminal(window=True)
    with show:
        show.heard(None, (MISTAKE,))
        show.frame(frame(4.0), observation(track()), 0.01)
        assert seen[0].shape == (720, 1280, 3) and quits == [True]

        def refuse(title, picture):
            raise cv2.error("no display")

        monkeypatch.setattr(cv2, "imshow", refuse)
        show.frame(frame(4.1), observation(), 0.01)
        show.frame(frame(4.2), observation(), 0.01)
        assert len(seen) == 1


def test_a_screen_is_known_by_the_environment(monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not has_screen()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert has_screen()


def test_line_by_line_each_call_and_each_loss_is_one_line():
    lines = []
    plain = PlainShow(lines.append)
    plain.heard(Event(3.0, "placed", "socks", "pile/1"), (MISTAKE,))
    plain.frame(frame(), observation(), 0.01)
    for why in ("camera lost: no picture for 2.5 s", "camera lost: no picture for 2.6 s", "", ""):
        plain.lost(why)
    assert plain.presses() == ()
    assert lines == ["   3.00 s  mistake    Socks do not follow a hat.",
                     "camera lost: no picture for 2.5 s", "the table is in view again"]  # fmt: skip


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


def order():
    suds = game("suds")
    return SimpleNamespace(game=suds, setup=make_setup(suds, 2))


def test_a_table_without_a_terminal_is_told_line_by_line(monkeypatch, capsys):
    summary = Summary(30, 2, 12.34, {"mistake": 1, "corrected": 1}, 0.5)
    asked = {}

    def run_table(order, source, eyes, **more):
        asked.update(more)
        more["listener"](None, (MISTAKE,))
        return summary

    monkeypatch.setattr(watching, "run_table", run_table)
    told = watching.run_shown(order(), None, None)
    assert told == "12.3 s of play, 30 frames, 2 dropped; 1 corrected, 1 mistake"
    assert isinstance(asked["display"], PlainShow)
    assert "Socks do not follow a hat." in capsys.readouterr().out


def test_in_a_terminal_the_game_that_is_judged_is_shown_and_q_stops_it(monkeypatch):
    monkeypatch.setattr(watching.sys.stdout, "isatty", lambda: True, raising=False)
    made, stopped = [], []

    def make(view, lamps, on_quit):
        console = Console(file=io.StringIO(), force_terminal=True, width=100)
        made.append((view, on_quit))
        return shows.TerminalShow(view, lamps, on_quit, console, False)

    def run_table(order, source, eyes, *, on_ready, more_outputs, **more):
        view, on_quit = made[0]
        assert "pile" not in str(view())
        judging = SimpleNamespace(session=watching.referee.begin(order.game, order.setup))
        for event in (Event(0.0, "pressed", button="start"),
                      Event(1.0, "placed", "hat", "pile/1", 1)):  # fmt: skip
            judging.session, _ = watching.referee.step(judging.session, event)
        on_ready(SimpleNamespace(stop=lambda: stopped.append(True)), judging)
        assert view() == watching.referee.view(judging.session) and view().lines
        on_quit()
        assert [output.name for output in more_outputs] == ["terminal"]
        return Summary(1, 0, 1.0, {}, None)

    monkeypatch.setattr(watching, "TerminalShow", make)
    monkeypatch.setattr(watching, "run_table", run_table)
    assert watching.run_shown(order(), None, None) == "1.0 s of play, 1 frames; no calls"
    assert stopped == [True]
