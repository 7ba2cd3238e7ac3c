"""The running table for people: a live view in the terminal, a window where there is a screen."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Self

import cv2
from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from calibration.pictures import has_screen
from device.rendering import Lights
from device.signals import LAMPS
from kiosk.game.observers import Unseen
from kiosk.overlay import draw_table
from kiosk.terminal.keys import HELP, Keyboard, Presses
from rules.call import Call
from rules.event import Event
from rules.game import View
from vision.frame import Frame
from vision.scene.watcher import Observation

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
WINDOW = "fairdeal"
WINDOW_WIDTH_PX = 1280


class TerminalLamps:
    """An output that keeps the lights, for the terminal to show."""

    name = "terminal"

    def __init__(self) -> None:
        self.lights = Lights()

    def show(self, lights: Lights) -> None:
        """Called from a device's thread; one assignment, nothing to lock."""
        self.lights = lights

    def close(self) -> None:
        """Dark."""
        self.lights = Lights()


class TerminalShow:
    """Piles, calls, lamps and buzzer in the terminal, and the picture in a window."""

    def __init__(
        self,
        view: Callable[[], View],
        lamps: TerminalLamps,
        on_quit: Callable[[], None],
        console: Console | None = None,
        window: bool | None = None,
    ) -> None:
        self._view, self._lamps, self._on_quit = view, lamps, on_quit
        self._console = console or Console()
        self._window = has_screen() if window is None else window
        self._calls: deque[Call] = deque(maxlen=12)
        self._events: deque[Event] = deque(maxlen=3)
        self._presses, self._keyboard = Presses(), Keyboard()
        self._lost, self._work_s, self._at, self._cards = "", 0.0, 0.0, 0
        self._live = Live(console=self._console, refresh_per_second=12, auto_refresh=False)
        self._drawn_at = -1.0

    def __enter__(self) -> Self:
        self._keyboard.__enter__()
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
        self._keyboard.__exit__(kind, error, trace)
        if self._window:
            cv2.destroyAllWindows()

    def heard(self, event: Event | None, calls: tuple[Call, ...]) -> None:
        """A listener for the judging."""
        if event is not None:
            self._events.append(event)
        self._calls.extend(calls)

    def frame(self, frame: Frame, observation: Observation, seconds: float) -> None:
        """Shows a frame; the terminal is drawn about ten times a second."""
        self._work_s, self._at = 0.9 * self._work_s + 0.1 * seconds, frame.at
        self._cards = len(observation.table.cards)
        if not 0 <= frame.at - self._drawn_at < 0.09:
            self._drawn_at = frame.at
            self._live.update(self._picture(), refresh=True)
        if self._window:
            self._show_window(frame, observation)

    def lost(self, why: str) -> None:
        """The table is out of view, or in view again."""
        self._lost = why
        self._live.update(self._picture(), refresh=True)

    def presses(self) -> tuple[tuple[str, int | None], ...]:
        """Keys since the last time; q stops the table."""
        pressed = self._presses.typed(self._keyboard.read())
        if self._presses.quit:
            self._on_quit()
        return pressed

    def _show_window(self, frame: Frame, observation: Observation) -> None:
        view = self._view()
        calls = tuple(call for call in self._calls if frame.at - call.at < 6.0)
        picture = draw_table(frame.bgr, observation.tracks, view.lines, calls, view.headline)
        height = round(WINDOW_WIDTH_PX * picture.shape[0] / picture.shape[1])
        try:
            cv2.imshow(WINDOW, cv2.resize(picture, (WINDOW_WIDTH_PX, height)))
            key = cv2.waitKey(1)
        except cv2.error:
            self._window = False  # a screen that takes no window: the terminal goes on alone
            return
        if key > 0 and self._presses.typed(chr(key & 0xFF)) == () and self._presses.quit:
            self._on_quit()

    def _picture(self) -> Group:
        view = self._view()
        piles = Grid(expand=True, show_header=False, box=None)
        piles.add_column(style="bold", no_wrap=True)
        piles.add_column()
        for label, text in view.lines:
            piles.add_row(label, text)
        said = Text("\n").join(
            Text(f"{call.at:6.1f}  {call.message}", STYLES.get(call.call, ""))
            for call in self._calls
        )
        eye = f"{self._at:6.1f} s   {self._cards} cards   {1000 * self._work_s:.0f} ms a frame"
        if self._lost:
            eye = self._lost
        return Group(
            Panel(piles, title=view.headline or "the table"),
            Panel(said or Text("no calls yet", "dim"), title="calls"),
            Text.assemble(*self._signals(), "    ", (eye, "red" if self._lost else "dim")),
            Text(HELP, "dim"),
        )

    def _signals(self) -> list[tuple[str, str]]:
        lights = self._lamps.lights
        shown = [
            (f"{'●' if level > 0.05 else '○'} {lamp}  ", LAMP_STYLES.get(lamp, ""))
            for lamp, level in zip(LAMPS, lights.lamps, strict=True)
        ]
        tone = f"♪ {lights.tone_hz} Hz" if lights.tone_hz else "♪ silent"
        return [*shown, (tone, "bold" if lights.tone_hz else "dim")]


class PlainShow(Unseen):
    """The same for a terminal that cannot be drawn on: one line a call."""

    def __init__(self, write: Callable[[str], None] = print) -> None:
        super().__init__(write)
        self._write = write

    def heard(self, event: Event | None, calls: tuple[Call, ...]) -> None:
        """A listener for the judging."""
        for call in calls:
            self._write(f"{call.at:7.2f} s  {call.call:<9}  {call.message}")
