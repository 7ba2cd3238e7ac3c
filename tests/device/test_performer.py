"""One performer, many outputs: nobody waits for anybody."""

import threading
import time

import pytest
from patience import PATIENCE_S

from device.performer import QUEUE, Performer
from device.rendering import Lights
from device.signals import LAMPS
from rules.table.call import Call

MISTAKE, COMPLETE = LAMPS.index("mistake"), LAMPS.index("complete")


def call(kind: str, seat: int | None = None) -> Call:
    return Call(call=kind, rule="r", message="m", seat=seat)


class Recorder:
    """An output that keeps what it was shown; it can be held up and made to fail."""

    def __init__(self, name: str = "recorder") -> None:
        self.name, self.seen, self.closed = name, [], False
        self.gate = threading.Event()
        self.gate.set()
        self.fails = False
        self.arrived = threading.Condition()

    def show(self, lights: Lights) -> None:
        self.gate.wait(PATIENCE_S)
        if self.fails:
            raise OSError("unplugged")
        with self.arrived:
            self.seen.append(lights)
            self.arrived.notify_all()

    def close(self) -> None:
        self.closed = True

    def wait(self, ready, timeout_s: float = PATIENCE_S) -> bool:
        with self.arrived:
            return self.arrived.wait_for(lambda: any(map(ready, self.seen)), timeout_s)

    def last(self, ready, timeout_s: float = PATIENCE_S) -> bool:
        with self.arrived:
            return self.arrived.wait_for(lambda: self.seen and ready(self.seen[-1]), timeout_s)


def lit(lights: Lights) -> bool:
    return lights.lamps[MISTAKE] > 0


def test_a_mistake_reaches_every_output():
    outputs = [Recorder("a"), Recorder("b"), Recorder("a")]
    with Performer(outputs) as performer:
        performer.play(call("mistake", 1))
        assert all(o.wait(lambda s: lit(s) and s.tone_hz > 0 and s.seats[0] > 0) for o in outputs)
        assert list(performer.drops) == ["a", "b", "a-2"]
    assert all(o.closed and o.seen[-1] == Lights() for o in outputs)


def test_a_stuck_output_delays_neither_caller_nor_the_others():
    stuck, well = Recorder("stuck"), Recorder("well")
    stuck.gate.clear()
    performer = Performer([stuck, well])
    for _ in range(200):
        performer.play(call("notice"))
    performer.play(call("mistake"))
    assert well.wait(lit)
    assert not stuck.seen
    assert performer.drops["stuck"] >= 200 - QUEUE
    assert "stuck" in performer.close(timeout_s=0.05)
    wait_for(lambda: well.closed)
    stuck.gate.set()
    assert performer.close(timeout_s=PATIENCE_S) == []


def test_a_full_queue_keeps_the_mistake():
    output = Recorder()
    output.gate.clear()
    with Performer([output]) as performer:
        performer.play(call("mistake"))
        performer.settle(0)
        for _ in range(20):
            performer.play(call("complete"))
        output.gate.set()
        assert output.wait(lambda s: s.tone_hz == 330)


def test_a_failing_output_is_named_and_comes_back():
    bad, well = Recorder("bad"), Recorder("well")
    bad.fails = True
    with Performer([bad, well]) as performer:
        performer.play(call("mistake"))
        assert well.wait(lit)
        wait_for(lambda: performer.faults == {"bad": "OSError: unplugged"})
        bad.fails = False
        assert bad.wait(lit)
        wait_for(lambda: performer.faults == {})


def wait_for(ready) -> None:
    end = time.monotonic() + PATIENCE_S
    while not ready():
        assert time.monotonic() < end
        time.sleep(0.001)


@pytest.mark.parametrize("put_right", ["corrected", "settle"])
def test_the_lamp_stays_until_the_last_mistake_is_put_right(put_right):
    output = Recorder()
    with Performer([output]) as performer:
        performer.play(call("mistake"))
        performer.play(call("mistake"))
        assert performer.rest.open_mistakes == 2
        performer.play(call("corrected"))
        assert performer.rest.open_mistakes == 1
        assert output.wait(lit)
        if put_right == "settle":
            performer.settle(0)  # undo
        else:
            performer.play(call("corrected"))
        assert output.last(lambda s: s == Lights())
        performer.settle(3)  # undo of what had put them right
        assert output.last(lit)


def test_a_mistake_breaks_in_on_a_long_cue():
    output = Recorder()
    with Performer([output]) as performer:
        performer.play(call("win"))
        assert output.wait(lambda s: s.lamps[COMPLETE] > 0)
        performer.play(call("mistake"))
        assert output.last(lambda s: lit(s) and s.tone_hz == 330, timeout_s=PATIENCE_S)


def test_mute_night_and_turn_reach_the_outputs():
    output = Recorder()
    with Performer([output]) as performer:
        performer.turn(2)
        assert output.last(lambda s: s.seats[1] == performer.settings.turn_level)
        performer.night(True)
        assert output.last(lambda s: 0 < s.seats[1] < 0.1)
        performer.mute(True)
        performer.turn(None)
        performer.play(call("mistake"))
        assert output.wait(lit)
        assert all(s.tone_hz == 0 for s in output.seen)


def test_no_outputs_is_quiet():
    with Performer([]) as performer:
        performer.play(call("mistake"))
        assert performer.drops == {}
