"""`fairdeal calibrate signals`: plays every lamp and tone and asks whether it came."""

import argparse
import sys
import time
from collections.abc import Callable, Iterable

from device.performer import Performer
from device.signals import LOST, Signal
from rules.table.call import Call, CallKind


def run(args: argparse.Namespace) -> int:
    """Plays all signals on the outputs. Returns 0 if all came, else 1."""
    from calibration.settings import load_settings, settings_file
    from device.outputs import open_outputs
    from device.serial.board import Board

    settings = load_settings(settings_file(args.settings)).device
    said: list[str] = []
    outputs = open_outputs(args.signals, settings, say=said.append)
    if not outputs:
        print("no outputs to play on")
        return 1
    ask = _assume_yes if args.yes or not sys.stdin.isatty() else _ask
    for is_set, word in (
        (settings.signals.muted, "muted: no sound will come"),
        (settings.signals.night, f"night: light at {settings.signals.night_level:.0%}"),
    ):
        if is_set:
            print(word)
    with Performer(outputs, settings.signals) as performer:
        boards = [output for output in outputs if isinstance(output, Board)]
        for board in boards:
            board.greet()
        print(*said, sep="\n", file=sys.stderr)
        missed = play_all(performer, settings.signals.table.items(), ask, time.sleep)
        faults = {**performer.faults, **{board.name: board.fault for board in boards}}
        faults = {name: fault for name, fault in faults.items() if fault}
    for name, fault in faults.items():
        print(f"bad   {name}: {fault}")
    if missed:
        print("did not come: " + ", ".join(missed))
        print("check the wiring and the pins in the settings, then run this again")
    elif not faults:
        print("all signals came" if ask is _ask else "all signals were played, without asking")
    return 1 if missed or faults else 0


def play_all(
    performer: Performer,
    signals: Iterable[tuple[str, Signal]],
    ask: Callable[[str], bool],
    wait: Callable[[float], None],
) -> list[str]:
    """Plays each signal and asks. Returns the calls whose signal did not come."""
    missed = []
    for call, signal in signals:
        print(f"{call}: lamp {signal.lamp}, {signal.colour}, {signal.pattern}, tone {signal.tone}")
        begin(performer, call, signal)
        wait(signal.seconds)
        end(performer)
        if not ask(call):
            missed.append(call)
    return missed


def begin(performer: Performer, call: str, signal: Signal) -> None:
    """Starts the signal of a call as in a game."""
    if call == LOST:
        performer.lost(True)
    else:
        seat = 1 if signal.seat else None
        performer.play(Call(CallKind(call), "test", "this is a test", seat=seat))


def end(performer: Performer) -> None:
    """Switches off what a tried signal leaves lit."""
    performer.settle(0)
    performer.lost(False)


def _ask(call: str) -> bool:
    answer = input("  did it come, light and sound? [Y/n] ").strip().lower()
    return answer in ("", "y", "yes")


def _assume_yes(call: str) -> bool:
    return True
