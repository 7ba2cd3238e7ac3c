"""Step 4, lamps and tones: each signal is tried, as `calibrate signals` does."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from calibration import signals
from calibration.settings import load_settings, settings_file
from device.outputs import open_outputs
from device.performer import Performer
from device.serial.board import Board
from device.settings import DeviceSettings
from kiosk.web.first_hour.bench import Bench
from kiosk.web.first_hour.desk import Desk, Order
from kiosk.web.first_hour.steps import LampShown, LampsShown, Mark, Step, Work
from rules.errors import FairdealError

ORDERS = frozenset({"lamp", "lamps-all", "lamps-came", "lamps-missing"})
NO_OUTPUTS = "There are no lamps: the referee was started with --signals none."


def look(bench: Bench) -> None:
    """Opens the outputs and plays what the page asks for, until it asks for another step."""
    desk = bench.desk
    settings = load_settings(settings_file(None)).device
    said: list[str] = []
    outputs = open_outputs(bench.signals, settings, say=said.append)
    names = tuple(output.name for output in outputs)
    desk.change(lamps=shown(settings, names), words=tuple(said))
    if not outputs:
        desk.tell(NO_OUTPUTS, is_bad=True)
    with Performer(outputs, settings.signals) as performer:
        for board in outputs:
            if isinstance(board, Board):
                board.greet()
        _play_orders(bench, performer, settings)


def _play_orders(bench: Bench, performer: Performer, settings: DeviceSettings) -> None:
    desk, player = bench.desk, Player(performer, settings, time.monotonic)
    while not desk.is_called_away(ORDERS):
        order = desk.take(ORDERS)
        if order is not None:
            _obey(order, desk, player)
        player.step()
        faults = tuple(f"{name}: {fault}" for name, fault in sorted(performer.faults.items()))
        now = replace(desk.state.lamps, playing=player.playing, faults=faults)
        now = replace(now, signals=tuple(
            replace(one, is_played=one.is_played or one.call == player.playing)
            for one in now.signals
        ))  # fmt: skip
        if now != desk.state.lamps:
            desk.change(lamps=now, work=Work.PLAYING if player.playing else Work.LOOKING)
        bench.frame()
    player.end()


class Player:
    """Plays the signals that wait, one after the other. `clock` in s."""

    def __init__(
        self, performer: Performer, settings: DeviceSettings, clock: Callable[[], float]
    ) -> None:
        self._performer, self._clock = performer, clock
        self._table = dict(settings.signals.table)
        self._waiting: list[str] = []
        self._until = 0.0
        self.playing = ""

    def play(self, calls: list[str]) -> None:
        """Plays these instead of what waits. Raises FairdealError for an unknown call."""
        for call in calls:
            if call not in self._table:
                raise FairdealError(f"one of {', '.join(self._table)}", ascii(call))
        self.end()
        self._waiting = list(calls)

    def play_all(self) -> None:
        """Plays every signal once."""
        self.play(list(self._table))

    def step(self) -> None:
        """Begins the next signal once the one at hand is over."""
        if self.playing and self._clock() >= self._until:
            self.end()
        if not self.playing and self._waiting:
            self.playing = self._waiting.pop(0)
            signal = self._table[self.playing]
            signals.begin(self._performer, self.playing, signal)
            self._until = self._clock() + signal.seconds

    def end(self) -> None:
        """Stops the signal at hand."""
        if self.playing:
            signals.end(self._performer)
        self.playing = ""


def shown(settings: DeviceSettings, outputs: tuple[str, ...]) -> LampsShown:
    """All signals, none tried."""
    table = settings.signals.table
    return LampsShown(
        tuple(LampShown(call, s.lamp, s.colour, s.pattern, s.tone) for call, s in table.items()),
        outputs=outputs,
    )


def _obey(order: Order, desk: Desk, player: Player) -> None:
    lamps = desk.state.lamps
    desk.change(message="", is_bad=False)
    match order.name:
        case "lamp":
            try:
                player.play([str(order.values.get("call"))])
            except FairdealError as error:
                desk.tell(str(error), is_bad=True)
        case "lamps-all":
            player.play_all()
        case "lamps-came" if lamps.outputs and all(one.is_played for one in lamps.signals):
            words = f"all {len(lamps.signals)} signals came on {', '.join(lamps.outputs)}"
            desk.mark(Step.LAMPS, Mark.PASSED, words)
            desk.tell("", words=(words,))
        case "lamps-came":
            desk.tell("Play every signal first.", is_bad=True)
        case "lamps-missing":
            desk.mark(Step.LAMPS, Mark.OPEN, "a signal did not come")
            desk.tell("Check the wiring and the pins in the settings, then try again.", is_bad=True)
