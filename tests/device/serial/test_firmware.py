"""The firmware as built, in a simulated Uno, against the real adapter."""

import threading

import pytest
from needed_tools import FIRMWARE, needs
from patience import PATIENCE_S

from device.performer import Performer
from device.rendering import Lights
from device.serial.board import Board
from device.serial.simulated_uno import SimulatedUno
from device.settings import BoardSettings
from rules.table.call import Call

pytestmark = needs(FIRMWARE)


@pytest.fixture(autouse=True)
def patient_link(monkeypatch):
    """A simulator that the machine leaves waiting is no lost board."""
    monkeypatch.setattr("device.serial.link.SILENT_S", PATIENCE_S)
    monkeypatch.setattr("device.serial.link.BOOT_S", PATIENCE_S)


@pytest.fixture(scope="module")
def uno():
    with SimulatedUno() as running:
        yield running


@pytest.fixture
def board(uno):
    with Board(uno.port) as made:
        assert made.wait(lambda b: b.welcome is not None, 60)
        yield made


def test_it_says_what_it_is(board):
    about = board.welcome
    assert (about.name, about.lamps, about.seats, about.buttons) == ("fairdeal-uno", 4, 6, 6)


def test_levels_and_tones_reach_the_pins(uno, board):
    board.show(Lights((1.0, 0.5, 0.25, 0.1), (1, 0, 1, 0, 0, 1), tone_hz=440, tone_s=0.4))
    assert uno.wait(lambda u: u.lamps == (255, 128, 64, 26) and u.seats == (1, 0, 1, 0, 0, 1))
    assert uno.wait(lambda u: abs(u.hertz - 440) <= 5)
    assert uno.wait(lambda u: u.hertz == 0)  # it ends by itself
    assert uno.pins.lamps == (255, 128, 64, 26)
    board.show(Lights(tone_hz=1047, tone_s=5.0))
    assert uno.wait(lambda u: abs(u.hertz - 1047) <= 10)
    board.show(Lights())
    assert uno.wait(lambda u: u.lamps == (0, 0, 0, 0) and u.hertz == 0)


def test_every_button_is_heard_once(uno):
    heard: list[tuple[str, int | None]] = []
    arrived = threading.Condition()

    def on_press(button: str, seat: int | None) -> None:
        with arrived:
            heard.append((button, seat))
            arrived.notify_all()

    names = ("start", "undo", "draw", "out/1", "no", "done")
    with Board(uno.port, BoardSettings(buttons=names), on_press) as board:
        assert board.wait(lambda b: b.welcome is not None, 60)
        for number in range(1, 7):
            uno.say(f"press {number}")
            with arrived:
                assert arrived.wait_for(lambda n=number: len(heard) == n, 60)
            uno.say(f"release {number}")
    assert heard == [(n.split("/")[0], 1 if "/" in n else None) for n in names]


def test_a_reset_gets_its_lamps_back(uno, board):
    lit = (255, 0, 0, 0)
    board.show(Lights((1.0, 0, 0, 0)))
    assert uno.wait(lambda u: u.lamps == lit)
    boot = board.welcome.boot
    uno.say("reset")
    assert uno.wait(lambda u: u.lamps == (0, 0, 0, 0))
    assert uno.wait(lambda u: u.lamps == lit)
    assert board.welcome.boot != boot


def test_without_a_host_it_goes_dark_and_blinks(uno):
    with Board(uno.port) as board:
        board.show(Lights((1.0, 0, 0, 0)))
        assert uno.wait(lambda u: u.lamps[0] == 255)
    assert uno.wait(lambda u: u.lamps == (0, 0, 0, 0), 90)
    assert uno.wait(lambda u: u.own == 0, 90)
    assert uno.wait(lambda u: u.own == 1, 90)


def test_a_burst_of_garbage_and_full_buffers(uno):
    import serial

    with serial.Serial(uno.port, 115200, timeout=0, write_timeout=1) as port:
        port.write(bytes(range(256)) * 8 + b"$" * 100 + b"$00H 1*0000\n" + b"$00H" + b"A" * 300)
    with Board(uno.port) as board:
        assert board.wait(lambda b: b.welcome is not None, 60)
        board.show(Lights((0, 1.0, 0, 0)))
        assert uno.wait(lambda u: u.lamps == (0, 255, 0, 0))


def test_a_mistake_is_played_on_it(uno):
    with Performer([Board(uno.port)]) as performer:
        performer.play(Call(call="mistake", rule="r", message="m", seat=2))
        assert uno.wait(lambda u: u.lamps[0] == 255 and u.seats[1] == 1 and abs(u.hertz - 330) < 5)
        performer.settle(0)
        assert uno.wait(lambda u: u.lamps[0] == 0 and u.hertz == 0)
