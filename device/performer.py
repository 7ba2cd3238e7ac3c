"""Plays calls on several outputs. Each has its own thread: none delays another or the game."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from device.rendering import DARK, Cue, Lights, Rest, cue_of, lights
from device.signals import LOST, WEIGHT, SignalSettings
from host.saying import to_stderr

if TYPE_CHECKING:
    from rules.table.call import Call

QUEUE = 4  # waiting cues per output
STALE_S = 3.0  # a cue that waited longer is dropped, mistakes excepted
PAUSES_S = (0.5, 1.0, 2.0, 5.0, 10.0)  # after each failure of an output; the last one repeats


class Output(Protocol):
    """A device with lamps and a tone. `show` may be slow or raise: only its own thread waits."""

    name: str

    def show(self, lights: Lights) -> None:
        """Shows these levels and sounds this tone from now on."""

    def close(self) -> None:
        """Switches everything off and releases the device."""


class _Worker:
    """One output's thread, with the newest resting state and a small queue of cues."""

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
        """Sets the resting state; the newest wins."""
        with self._change:
            before = self._rest
            if (rest.open_mistakes > 0, rest.lost) != (before.open_mistakes > 0, before.lost):
                self._rest_at = self.clock()
            self._rest = rest
            self._change.notify()

    def cue(self, cue: Cue) -> None:
        """Queues a cue. A mistake interrupts; a full queue drops the oldest of least weight."""
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
        """Asks the thread to end; join() waits for it."""
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
            except Exception as error:  # whatever one device raises, the others go on
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
        """Waits after a failure, however many calls come meanwhile."""
        end = time.monotonic() + pause_s
        with self._change:
            while not self._stopping and (left := end - time.monotonic()) > 0:
                self._change.wait(left)

    def _due(self) -> tuple[Lights, float]:
        """What to show now and for how long in s; called with the lock held."""
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
        """How long a cue plays in s: a corrected mistake stops after its tone."""
        if cue.call == "mistake" and not self._rest.open_mistakes:
            return cue.tone_s
        return cue.seconds


def _same(wanted: Lights, shown: Lights | None) -> bool:
    """Whether nothing has to be sent: the remaining length of a tone is no change."""
    if shown is None:
        return False
    return replace(wanted, tone_s=0.0) == replace(shown, tone_s=0.0)


class Performer:
    """Calls in, light and sound out. No method waits for a device. A context manager."""

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
        """Plays a call. A mistake also switches the mistake lamp on, `corrected` off."""
        change = {"mistake": 1, "corrected": -1}.get(call.call, 0)
        if change:
            self._update(change=change)
        cue = cue_of(call, self.settings)
        if cue is not None:
            for worker in self._workers:
                worker.cue(cue)

    def settle(self, open_mistakes: int) -> None:
        """Sets how many mistakes are open; call it after every event, undo and sighted included."""
        self._update(open_mistakes=max(0, open_mistakes))

    def lost(self, on: bool, *, heard: bool = True) -> None:
        """Sets whether the table is out of view: a lamp and, once, a tone."""
        if on and heard and not self._rest.lost:
            cue = Cue(LOST, self.settings.table[LOST])
            for worker in self._workers:
                worker.cue(cue)
        self._update(lost=on)

    def turn(self, seat: int | None) -> None:
        """Sets whose turn it is; None if nobody's or unknown."""
        self._update(turn=seat)

    def mute(self, on: bool) -> None:
        """Switches sound off or on; every call keeps its light."""
        self._update(muted=on)

    def night(self, on: bool) -> None:
        """Dims the lights to the settings' night level, or not."""
        self._update(night=on)

    @property
    def rest(self) -> Rest:
        """The resting state, between calls."""
        return self._rest

    @property
    def drops(self) -> dict[str, int]:
        """Cues dropped for newer or heavier ones, by output."""
        return {worker.name: worker.drops for worker in self._workers}

    @property
    def faults(self) -> dict[str, str]:
        """The fault of each failing output; working outputs are not included."""
        return {worker.name: worker.fault for worker in self._workers if worker.fault}

    @property
    def states(self) -> dict[str, str]:
        """The fault of each output; empty for one that works."""
        return {
            worker.name: worker.fault or str(getattr(worker.output, "fault", ""))
            for worker in self._workers
        }

    def close(self, timeout_s: float = 1.0) -> list[str]:
        """Stops all outputs and switches them off; returns the names of those that did not stop."""
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
            to_stderr(f"signals: {name} did not stop in time and was abandoned")

    def _update(self, *, change: int = 0, **new: object) -> None:
        with self._lock:
            if change:
                new["open_mistakes"] = max(0, self._rest.open_mistakes + change)
            self._rest = replace(self._rest, **new)  # type: ignore[arg-type]
            for worker in self._workers:
                worker.rest(self._rest)
