"""Host and board joined by a fake wire, in made-up time: losses, reboots, versions."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from device.rendering import DARK, Lights
from device.serial.fake_board import LOST_S, PRESS_STALE_S, BoardSide
from device.serial.link import BOOT_S, PING_S, SILENT_S, Link
from device.serial.protocol import Line, encode

STEP_S = 0.001


def state(number: int) -> Lights:
    return Lights((round(number % 256 / 255, 3), round(number // 256 / 255, 3), 0.0, 0.0))


class Wire:
    """Both ends, and what is between them."""

    def __init__(self, damage: float = 0.0, seed: int = 0, version: int = 1) -> None:
        self.now = 0.0
        self.random, self.damage = random.Random(seed), damage
        self.link, self.board = Link(0x5E55, 0.0), BoardSide(1, 0.0, version)
        self.pressed: list[int] = []
        self.cut = False

    def spoil(self, data: bytes) -> bytes:
        if self.cut:
            return b""
        return bytes(
            b ^ self.random.randrange(1, 256) if self.random.random() < self.damage else b
            for b in data
        )

    def step(self) -> None:
        self.now += STEP_S
        out = self.spoil(self.link.send(self.now))
        back = self.board.receive(out, self.now) + self.board.send(self.now)
        self.pressed += self.link.receive(self.spoil(back), self.now)

    def run(self, ready, limit_s: float = 20.0) -> bool:
        end = self.now + limit_s
        while not ready() and self.now < end:
            self.step()
        return ready()

    def pass_time(self, seconds: float) -> None:
        self.run(lambda: False, seconds)


def test_it_greets_and_shows():
    wire = Wire()
    wire.link.show(state(1))
    assert wire.run(lambda: wire.link.idle, 1.0)
    assert wire.board.lights == state(1)
    assert wire.link.welcome is not None and wire.link.welcome.name == "fake"


@settings(max_examples=15)
@given(st.integers(0, 10_000), st.sampled_from([0.0, 0.01, 0.05]))
def test_nothing_is_lost_or_doubled_over_a_damaged_wire(seed, damage):
    wire = Wire(damage, seed)
    wire.run(lambda: wire.link.up)
    for number in range(30):
        wire.link.show(state(number))
        if number % 5 == 0:
            wire.board.press(number // 5 + 1, wire.now)
        assert wire.run(lambda: wire.link.idle and not wire.board.is_pressed)
    assert wire.board.shown == [state(number) for number in range(30)]
    assert wire.pressed == [1, 2, 3, 4, 5, 6]
    assert wire.link.drops == 0


def test_while_one_is_under_way_the_newest_wins():
    wire = Wire()
    wire.run(lambda: wire.link.up)
    wire.cut = True
    for number in range(5):
        wire.link.show(state(number))
        wire.step()
    wire.cut = False
    assert wire.run(lambda: wire.link.idle)
    assert wire.board.shown == [state(0), state(4)]
    assert wire.link.drops == 3


def test_a_rebooted_board_gets_its_lamps_back_without_the_tone():
    wire = Wire()
    lit = Lights((1.0, 0, 0, 0), tone_hz=330, tone_s=0.2)
    wire.link.show(lit)
    assert wire.run(lambda: wire.link.idle)
    assert wire.board.shown == [lit]
    wire.board = BoardSide(2, wire.now)
    assert wire.run(lambda: bool(wire.board.shown) and wire.link.idle, 1.0)
    assert wire.board.shown == [Lights((1.0, 0, 0, 0))]


def test_a_silent_board_is_dead_and_a_pinged_one_is_not():
    wire = Wire()
    wire.run(lambda: wire.link.up)
    wire.pass_time(4 * PING_S)
    assert not wire.link.is_dead(wire.now)
    assert not wire.board.lost
    wire.link.show(state(9))
    wire.pass_time(0.1)
    wire.cut = True
    wire.pass_time(max(SILENT_S, LOST_S) + 0.1)
    assert wire.link.is_dead(wire.now)
    assert wire.board.lost and wire.board.lights == DARK


def test_babble_is_dead_after_the_time_of_a_boot():
    link, now = Link(1, 0.0), 0.0
    while now < BOOT_S + 0.1:
        assert not (link.is_dead(now) and now < BOOT_S)
        link.send(now)
        link.receive(b"AT\r\nOK\r\n$GPGGA,1,2*47\r\n", now)
        now += 0.05
    assert link.is_dead(now) and not link.up and link.heard_bytes > 0


def test_another_version_is_refused_at_once():
    wire = Wire(version=2)
    wire.link.show(state(1))
    wire.pass_time(1.0)
    assert wire.link.is_dead(wire.now) and not wire.link.up
    assert wire.link.welcome is not None and wire.link.welcome.version == 2
    assert wire.board.shown == []


def test_a_press_that_waited_too_long_is_none():
    wire = Wire()
    wire.run(lambda: wire.link.up)
    wire.cut = True
    wire.board.press(1, wire.now)
    wire.pass_time(PRESS_STALE_S + 0.1)
    wire.cut = False
    wire.board.press(2, wire.now)
    wire.pass_time(0.3)
    assert wire.pressed == [2]


def test_a_press_heard_before_a_new_link_is_not_heard_again():
    wire = Wire()
    wire.run(lambda: wire.link.up)
    seen: list[int] = []
    wire.board.press(3, wire.now)
    while not seen:  # the press is heard, its answer is lost
        wire.now += STEP_S
        seen += wire.link.receive(wire.board.send(wire.now), wire.now)
    wire.link = Link(0x1234, wire.now, wire.link.last_press)
    wire.pass_time(1.0)
    assert seen == [3] and wire.pressed == []
    assert not wire.board.is_pressed


@given(st.lists(st.binary(max_size=60), max_size=10))
def test_no_bytes_upset_either_end(portions):
    wire = Wire()
    for portion in portions:
        wire.step()
        wire.link.receive(portion, wire.now)
        wire.board.receive(portion, wire.now)
    wire.link.show(state(3))
    assert wire.run(lambda: wire.link.idle and wire.board.lights == state(3), 3.0)


def test_well_formed_nonsense_upsets_nobody():
    wire = Wire()
    wire.run(lambda: wire.link.up)
    for args in [(), ("x",), ("1", "2", "3", "4", "5", "6", "7", "8")]:
        for kind in "HSPABWNKZ":
            wire.link.receive(encode(Line(1, kind, args)), wire.now)
            if kind != "H":
                wire.board.receive(encode(Line(1, kind, args)), wire.now)
    wire.link.show(state(3))
    assert wire.run(lambda: wire.link.idle and wire.board.lights == state(3), 3.0)
