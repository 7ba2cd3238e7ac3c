"""The running game for people: a live view in the terminal, a window where there is a screen."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from types import TracebackType
from typing import Self

import cv2
from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from device.rendering import Lights
from device.signals import LAMPS
from kiosk.game.inbox import Inbox
from kiosk.game.news import EventJudged, FrameJudged, GameBegan, News, ViewFound, ViewLost
from kiosk.overlay import draw_table
from kiosk.terminal.keys import Presses, help_text
from rules.contract.game import View
from rules.table.call import Call

STYLES = {
    "mistake": "bold red",
    "corrected": "green",
    "complete": "bold green",
    "notice": "cyan",
    "win": "bold yellow",
    "tie": "bold yellow",
    "unsure": "magenta",
}
LAMP_STYLES = {"mistake": "red", "complete": "green", "turn": "yellow", "unsure": "magenta"}
CALLS_SHOWN = 12
REDRAW_S = 0.09  # between two pictures of the terminal
WORK_MEMORY = 0.9  # weight of earlier frames in the shown work per frame
LIT = 0.05  # level from which on a lamp is shown as lit
NO_VIEW = View(None, (), "")
WINDOW = "fairdeal"
WINDOW_WIDTH_PX = 1280
WINDOW_CALL_S = 6.0  # a call is drawn into the window for so long


class TerminalLamps:
    """An output that keeps the lights, for the terminal to show."""

    name = "terminal"

    def __init__(self) -> None:
        self.lights = Lights()

    def show(self, lights: Lights) -> None:
        """Called from a device's thread; one assignment needs no lock."""
        self.lights = lights

    def close(self) -> None:
        """Dark."""
        self.lights = Lights()


class TerminalShow:
    """Observer: piles, calls, lamps and buzzer in the terminal. Drawing takes milliseconds."""

    name = "terminal"

    def __init__(self, lamps: TerminalLamps, console: Console | None = None) -> None:
        self._lamps = lamps
        self._view = NO_VIEW
        self._keys = ""
        self._calls: deque[Call] = deque(maxlen=CALLS_SHOWN)
        self._eye = _Eye()
        self._live = Live(console=console or Console(), auto_refresh=False)
        self._drawn_at: float | None = None

    def __enter__(self) -> Self:
        self._live.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._live.update(self._picture(), refresh=True)
        self._live.__exit__(kind, error, trace)

    def hear(self, news: News) -> None:
        """Draws losses of the view at once, and the rest with a frame, ten times a second."""
        match news:
            case GameBegan():
                self._view = news.view
                self._keys = help_text(news.game.keys)
            case EventJudged():
                self._view = news.view
                self._calls.extend(news.calls)
            case FrameJudged():
                self._eye.see(news)
                if self._drawn_at is None or not 0 <= news.at - self._drawn_at < REDRAW_S:
                    self._drawn_at = news.at
                    self._draw()
            case ViewLost():
                self._eye.lost = news.why
                self._draw()
            case ViewFound():
                self._eye.lost = ""
                self._draw()

    def _draw(self) -> None:
        self._live.update(self._picture(), refresh=True)

    def _picture(self) -> Group:
        piles = Grid(expand=True, show_header=False, box=None)
        piles.add_column(style="bold", no_wrap=True)
        piles.add_column()
        for label, text in self._view.lines:
            piles.add_row(label, text)
        said = Text("\n").join(
            Text(f"{call.at:6.1f}  {call.message}", STYLES.get(call.call, ""))
            for call in self._calls
        )
        style = "red" if self._eye.lost else "dim"
        return Group(
            Panel(piles, title=self._view.headline or "the table"),
            Panel(said or Text("no calls yet", "dim"), title="calls"),
            Text.assemble(*self._signals(), "    ", (self._eye.text(), style)),
            Text(self._keys, "dim"),
        )

    def _signals(self) -> list[tuple[str, str]]:
        lights = self._lamps.lights
        shown = [
            (f"{'●' if level > LIT else '○'} {lamp}  ", LAMP_STYLES.get(lamp, ""))
            for lamp, level in zip(LAMPS, lights.lamps, strict=True)
        ]
        tone = f"♪ {lights.tone_hz} Hz" if lights.tone_hz else "♪ silent"
        return [*shown, (tone, "bold" if lights.tone_hz else "dim")]


class _Eye:
    """What the terminal says of the camera."""

    def __init__(self) -> None:
        self.lost = ""
        self._work_s, self._at, self._cards = 0.0, 0.0, 0

    def see(self, news: FrameJudged) -> None:
        """Takes a frame's time, work and count of cards."""
        self._work_s = WORK_MEMORY * self._work_s + (1 - WORK_MEMORY) * news.work_s
        self._at, self._cards = news.at, len(news.observation.table.cards)

    def text(self) -> str:
        """The line for people."""
        work = f"{1000 * self._work_s:.0f} ms a frame"
        return self.lost or f"{self._at:6.1f} s   {self._cards} cards   {work}"


class WindowShow:
    """Observer: the picture with cards and calls drawn on it, in a window.

    It is heard on the loop's thread: OpenCV's windows work on the main thread only.
    """

    name = "window"

    def __init__(self, inbox: Inbox, keys: Mapping[str, str]) -> None:
        self._presses = Presses(inbox, keys)
        self._view = NO_VIEW
        self._calls: deque[Call] = deque(maxlen=CALLS_SHOWN)
        self._is_open = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        cv2.destroyAllWindows()

    def hear(self, news: News) -> None:
        """Draws each frame; a screen that takes no window is left alone."""
        match news:
            case GameBegan():
                self._view = news.view
            case EventJudged():
                self._view = news.view
                self._calls.extend(news.calls)
            case FrameJudged():
                if self._is_open:
                    self._draw(news)

    def _draw(self, news: FrameJudged) -> None:
        calls = tuple(call for call in self._calls if news.at - call.at < WINDOW_CALL_S)
        picture = draw_table(
            news.frame.bgr, news.observation.tracks, self._view.lines, calls, self._view.headline
        )
        height = round(WINDOW_WIDTH_PX * picture.shape[0] / picture.shape[1])
        try:
            cv2.imshow(WINDOW, cv2.resize(picture, (WINDOW_WIDTH_PX, height)))
            key = cv2.waitKey(1)
        except cv2.error:
            self._is_open = False
            return
        if key > 0:
            self._presses.typed(chr(key & 0xFF))
