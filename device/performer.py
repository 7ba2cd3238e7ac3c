"""Plays calls on any number of outputs at once; a slow or failing one delays nobody else."""

from __future__ import annotations

import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from device.rendering import DARK, Cue, Lights, Rest, cue_of, lights
from device.signals import LOST, WEIGHT, SignalSettings

if TYPE_CHECKING:
    from rules.call import Call

QUEUE = 4
STALE_S = 3.0
PAUSES_S = (0.5, 1.0, 2.0, 5.0, 10.0)


class Output(Protocol):
    """Something that lights and sounds. `show` may be slow or fail: only its own worker waits."""

    name: str

    def show(self, lights: Lights) -> None:
        """Show these levels and sound this tone from now on."""

    def close(self) -> None:
        """Dark, silent, given back."""


class _Worker:
    """One output's thread: the newest rest, and a small queue of cues."""

    def __init__(
        self,
        output: Output,
        name: str,
        settings: SignalSettings,
        rest: Rest,
        clock: Callable[[], float],
    ) -> None:
        self.output, self.name, self.settings, self.clock = output, name, settings, clock
        self.drops = 0
        self.fault = ""
        self._rest, self._rest_at = rest, clock()
        self._cues: deque[tuple[float, Cue]] = deque()
        self._now: tuple[float, Cue] | None = None
        self._change = threading.Condition()
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name=f"signals-{name}", daemon=True)
        self._thread.start()

    def rest(self, rest: Rest) -> None:
        """The newest state wins; there is only one slot."""
        with self._change:
            before = self._rest
            if (rest.open_mistakes > 0, rest.lost) != (before.open_mistakes > 0, before.lost):
                self._rest_at = self.clock()
            self._rest = rest
            self._change.notify()

    def cue(self, cue: Cue) -> None:
        """Queue a cue. A mistake breaks in; a full queue loses its oldest of least weight."""
        with self._change:
            self._cues.append((self.clock(), cue))
            if cue.call == "mistake" and self._now is not None:
                self._now = None
            while len(self._cues) > QUEUE:
                least = min(WEIGHT.get(each.call, 0) for _, each in self._cues)
                lost = next(c for c in self._cues if WEIGHT.get(c[1].call, 0) == least)
                self._cues.remove(lost)
                self.drops += 1
            self._change.notify()

    def stop(self) -> None:
        """Ask the thread to end; join() waits."""
        with self._change:
            self._stopping = True
            self._change.notify()

    def join(self, timeout_s: float) -> bool:
        """True when the thread has ended within the time."""
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _run(self) -> None:
        shown: Lights | None = None
        failures = 0
        while True:
            with self._change:
                if self._stopping:
                    break
                wanted, until = self._due()
                if _same(wanted, shown) and not self.fault:
                    self._change.wait(until)
                    continue
            try:
                self.output.show(wanted)
                shown, failures, self.fault = wanted, 0, ""
            except Exception as error:  # whatever a device throws, the others play on
                self.fault = f"{type(error).__name__}: {error}"
                pause = PAUSES_S[min(failures, len(PAUSES_S) - 1)]
                failures += 1
                self._wait_out(pause)
        try:
            self.output.show(DARK)
        except Exception as error:
            self.fault = f"{type(error).__name__}: {error}"
        self.output.close()

    def _wait_out(self, pause_s: float) -> None:
        """A failing output is left alone for a while, however many calls come."""
        end = time.monotonic() + pause_s
        with self._change:
            while not self._stopping and (left := end - time.monotonic()) > 0:
                self._change.wait(left)

    def _due(self) -> tuple[Lights, float]:
        """What should show now and for how long; called with the lock held."""
        now = self.clock()
        if self._now is not None and now - self._now[0] >= self._length(self._now[1]):
            self._now = None
        while self._now is None and self._cues:
            heaviest = max(WEIGHT.get(cue.call, 0) for _, cue in self._cues)
            chosen = next(c for c in self._cues if WEIGHT.get(c[1].call, 0) == heaviest)
            self._cues.remove(chosen)
            if now - chosen[0] > STALE_S and chosen[1].call != "mistake":
                self.drops += 1
            else:
                self._now = (now, chosen[1])
        began, cue = self._now if self._now is not None else (now, None)
        return lights(self._rest, cue, now - began, now - self._rest_at, self.settings)

    def _length(self, cue: Cue) -> float:
        """A mistake put right or taken back meanwhile is heard out, and shown no longer."""
        if cue.call == "mistake" and not self._rest.open_mistakes:
            return cue.tone_s
        return cue.seconds


def _same(wanted: Lights, shown: Lights | None) -> bool:
    """Whether nothing has to be sent: the length of a tone that sounds already is no change."""
    if shown is None:
        return False
    return replace(wanted, tone_s=0.0) == replace(shown, tone_s=0.0)


class Performer:
    """Calls in, light and sound out. No method waits for a device; use it with `with`."""

    def __init__(
        self,
        outputs: Sequence[Output],
        settings: SignalSettings | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.settings = settings or SignalSettings()
        self._rest = Rest(muted=self.settings.muted, night=self.settings.night)
        self._workers: list[_Worker] = []
        self._lock = threading.Lock()
        names: set[str] = set()
        for output in outputs:
            name, number = output.name, 2
            while name in names:
                name, number = f"{output.name}-{number}", number + 1
            names.add(name)
            self._workers.append(_Worker(output, name, self.settings, self._rest, clock))

    def play(self, call: Call) -> None:
        """Play a call as it is made. A mistake also opens, and a corrected closes, its lamp."""
        change = {"mistake": 1, "corrected": -1}.get(call.call, 0)
        if change:
            self._update(change=change)
        cue = cue_of(call, self.settings)
        if cue is not None:
            for worker in self._workers:
                worker.cue(cue)

    def settle(self, open_mistakes: int) -> None:
        """The mistakes that are open now; say it after every event, undo and sighted too."""
        self._update(open_mistakes=max(0, open_mistakes))

    def lost(self, on: bool, *, heard: bool = True) -> None:
        """The table is out of view, or in view again: its lamp, and once a tone."""
        if on and heard and not self._rest.lost:
            cue = Cue(LOST, self.settings.table[LOST])
            for worker in self._workers:
                worker.cue(cue)
        self._update(lost=on)

    def turn(self, seat: int | None) -> None:
        """Whose turn it is; None when nobody's or not known."""
        self._update(turn=seat)

    def mute(self, on: bool) -> None:
        """No sound from now on; every call keeps its light."""
        self._update(muted=on)

    def night(self, on: bool) -> None:
        """Lights turned down to the settings' night level."""
        self._update(night=on)

    @property
    def rest(self) -> Rest:
        """What holds between calls."""
        return self._rest

    @property
    def drops(self) -> dict[str, int]:
        """Cues that were not played because newer or heavier ones came, by output."""
        return {worker.name: worker.drops for worker in self._workers}

    @property
    def faults(self) -> dict[str, str]:
        """What each failing output says; an output that works is not in it."""
        return {worker.name: worker.fault for worker in self._workers if worker.fault}

    def close(self, timeout_s: float = 1.0) -> list[str]:
        """Stop all outputs, dark and silent; the names of those that did not stop in time."""
        for worker in self._workers:
            worker.stop()
        end = time.monotonic() + timeout_s
        left = [w.name for w in self._workers if not w.join(max(0.0, end - time.monotonic()))]
        self._workers = [w for w in self._workers if w.name in left]
        return left

    def __enter__(self) -> Performer:
        return self

    def __exit__(self, *_: object) -> None:
        for name in self.close():
            print(f"signals: {name} did not stop in time; left behind", file=sys.stderr)

    def _update(self, *, change: int = 0, **new: object) -> None:
        with self._lock:
            if change:
                new["open_mistakes"] = max(0, self._rest.open_mistakes + change)
            self._rest = replace(self._rest, **new)  # type: ignore[arg-type]
            for worker in self._workers:
                worker.rest(self._rest)
