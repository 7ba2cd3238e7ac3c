"""The device measurements, one row each: messages, presses, signals, the main loop."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from device.gpio.pins import MockPins
from device.performer import Output, Performer
from device.rendering import Lights
from device.serial.board import Board
from device.serial.fake_board import FakeBoard
from device.serial.simulated_uno import SimulatedUno
from device.settings import BoardSettings
from rules.table.call import Call, CallKind

# Each signal is played to its end before the next one: about 0.67 s each.
SIGNALS = 100
MISTAKE = Call(CallKind.MISTAKE, rule="out-of-sequence", message="", seat=1)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the report; `good` is None without a limit."""

    what: str
    found: str
    bar: str
    good: bool | None


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which `share` of the values lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def spread(values: Sequence[float]) -> str:
    """p50, p95 and the largest, in milliseconds."""
    parts = (quantile(values, 0.5), quantile(values, 0.95), max(values))
    return "p50 {:.2f}, p95 {:.2f}, max {:.2f} ms".format(*(1000 * part for part in parts))


def numbered(number: int) -> Lights:
    """A state that carries a number of up to 65,535 in its lamps."""
    return Lights((round(number % 256 / 255, 3), round(number // 256 / 255, 3), 0.0, 0.0))


def number_of(lights: Lights) -> int:
    """The number that `numbered` stored."""
    return round(lights.lamps[0] * 255) + 256 * round(lights.lamps[1] * 255)


def messages(count: int, seed: int) -> Row:
    """States over a pseudo-terminal with 1 % of the bytes damaged; each one is awaited."""
    with FakeBoard(damage=0.01, seed=seed) as fake, Board(fake.port) as board:
        board.wait(lambda b: b.welcome is not None, 10)
        began = time.perf_counter()
        for number in range(count):
            board.show(numbered(number))
            board.wait(lambda b: b.idle, 10)
        took = time.perf_counter() - began
        seen = [number_of(lights) for lights in fake.shown]
        lost = len(set(range(count)) - set(seen))
        doubled = len(seen) - len(set(seen))
        ordered = seen == sorted(seen)
        found = (
            f"{lost} lost, {doubled} doubled, {'in order' if ordered else 'OUT OF ORDER'}; "
            f"{fake.damaged} bytes damaged, {board.counts['retries']} lines said again, "
            f"{took:.0f} s"
        )
    good = lost == doubled == 0 and ordered
    return Row(f"{count:,} messages, 1 % of bytes damaged", found, "0 lost, 0 doubled", good)


def flood(count: int, seed: int) -> Row:
    """States sent without waiting: older ones may be dropped, the last one must arrive."""
    with FakeBoard(damage=0.01, seed=seed) as fake, Board(fake.port) as board:
        board.wait(lambda b: b.welcome is not None, 10)
        for number in range(count):
            board.show(numbered(number))
        board.wait(lambda b: b.idle, 10)
        seen = [number_of(lights) for lights in fake.shown]
        good = seen == sorted(set(seen)) and seen[-1] == count - 1
        found = f"{len(seen)} shown, {board.counts['drops']} gave way, last one shown: {good}"
    return Row(f"{count:,} messages at once, 1 % damaged", found, "newest wins", good)


class Ear:
    """Receives presses with their times."""

    def __init__(self) -> None:
        self.came: list[float] = []
        self._arrived = threading.Condition()

    def __call__(self, button: str, seat: int | None) -> None:
        now = time.perf_counter()
        with self._arrived:
            self.came.append(now)
            self._arrived.notify_all()

    def wait(self, count: int) -> bool:
        """Waits for so many presses."""
        with self._arrived:
            return self._arrived.wait_for(lambda: len(self.came) >= count, 5)


def presses(name: str, count: int, press: Callable[[], None], ear: Ear) -> Row:
    """Time from button to event, one press at a time."""
    times = []
    for number in range(count):
        began = time.perf_counter()
        press()
        if ear.wait(number + 1):
            times.append(ear.came[number] - began)
        time.sleep(0.002)
    extra = len(ear.came) - count
    found = f"{spread(times)}; {count - len(times)} lost, {extra} doubled of {count}"
    good = len(times) == count and extra == 0 and quantile(times, 0.95) <= 0.020
    return Row(f"button → event, {name}", found, "p95 ≤ 20 ms", good)


def signals(name: str, output: Output, count: int, wait: Callable[[bool], bool]) -> Row:
    """Time from a call to the mistake lamp, as the far side reports it."""
    times = []
    with Performer([output]) as performer:
        performer.mute(True)
        time.sleep(0.3)
        for _ in range(count):
            began = time.perf_counter()
            performer.play(MISTAKE)
            if wait(True):
                times.append(time.perf_counter() - began)
            performer.settle(0)
            wait(False)
    good = len(times) == count and quantile(times, 0.95) <= 0.010
    return Row(f"signal → pin, {name}", f"{spread(times)} of {count}", "p95 ≤ 10 ms", good)


def polled(lit: Callable[[], bool]) -> Callable[[bool], bool]:
    """Waits for a lamp, polled every 0.1 ms."""

    def wait(on: bool) -> bool:
        end = time.perf_counter() + 5
        while lit() != on:
            if time.perf_counter() > end:
                return False
            time.sleep(0.0001)
        return True

    return wait


def main_loop(rounds: int) -> list[Row]:
    """A main loop with calls, in turns with a working, a deaf and an unplugged board."""
    living, deaf, gone = FakeBoard(), FakeBoard(), FakeBoard()
    boards = [Board(fake.port) for fake in (living, deaf, gone)]
    for board in boards:
        board.wait(lambda b: b.welcome is not None, 10)
    deaf.deaf = True
    gone.close()
    outputs = [[], *([board] for board in boards)]
    names = ("no board", "a board that lives", "a deaf board", "an unplugged board")
    performers = {
        name: Performer([MockPins(), *more]) for name, more in zip(names, outputs, strict=True)
    }
    whole: dict[str, list[float]] = {name: [] for name in names}
    calls: dict[str, list[float]] = {name: [] for name in names}
    for number in range(rounds):
        # Each round begins with another variant, so that none always follows the same one.
        for name in (names * 2)[number % 4 : number % 4 + 4]:
            took = _loop_once(performers[name], number)
            whole[name].append(took[0])
            calls[name].append(took[1])
    for performer in performers.values():
        performer.close(timeout_s=3.0)
    for fake in (living, deaf):
        fake.close()
    return [_loop_row(name, whole, calls) for name in names]


def _loop_once(performer: Performer, number: int) -> tuple[float, float]:
    """One frame's work, then a mistake and its settling. Seconds of both, and of the latter."""
    frame = bytes(2_000_000)
    began = time.perf_counter()
    hashlib.sha256(frame).digest()
    called = time.perf_counter()
    performer.play(MISTAKE)
    performer.settle(number % 2)
    ended = time.perf_counter()
    time.sleep(0.002)
    return ended - began, ended - called


def _loop_row(name: str, whole: dict[str, list[float]], calls: dict[str, list[float]]) -> Row:
    loop_s, alone_s = (quantile(whole[each], 0.5) for each in (name, "no board"))
    calls_s, calls_alone_s = (quantile(calls[each], 0.5) for each in (name, "no board"))
    found = f"loop {spread(whole[name])}; in play and settle {spread(calls[name])}"
    if name == "no board":
        return Row(f"main loop, {name}", found, "", None)
    good = loop_s <= 1.05 * alone_s + 0.0001 and calls_s <= calls_alone_s + 0.0001
    return Row(f"main loop, {name}", found, "p50s as with no board, within 0.1 ms", good)


def uno_rows(count: int) -> list[Row]:
    """The board's own latency by its own clock: the built firmware in a simulated Uno."""
    ear, lit_s = Ear(), []
    with SimulatedUno() as uno, Board(uno.port, BoardSettings(), ear) as board:
        board.wait(lambda b: b.welcome is not None, 10)
        for number in range(count):
            uno.say("press 1")
            uno.wait_presses(number + 1)
            uno.say("release 1")
            time.sleep(0.05)
            for level in (1.0, 0.0):
                board.show(Lights((level, 0.0, 0.0, 0.0)))
                uno.wait(lambda pins, level=level: pins.lamps[0] == 255 * level)  # type: ignore[misc]
                lit_s.append(uno.pins.at - uno.pins.wire)
                board.wait(lambda b: b.idle, 5)
        said_s = list(uno.presses)
    good = len(said_s) == len(ear.came) == count and quantile(said_s, 0.95) <= 0.020
    found = f"{spread(said_s)}; {len(ear.came)} of {count} heard"
    wire = f"{spread(lit_s)} of {len(lit_s)}"
    return [
        Row("button → last byte of its line, firmware in simavr", found, "p95 ≤ 20 ms", good),
        Row(
            "first byte of a line → pin, firmware in simavr",
            wire,
            "p95 ≤ 10 ms",
            quantile(lit_s, 0.95) <= 0.010,
        ),
    ]
