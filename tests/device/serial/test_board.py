"""The pyserial adapter against a fake board on a pseudo-terminal: real port, real threads."""

import os
import threading
import time

import pytest
from patience import PATIENCE_S

import device.serial.board
from device.outputs import open_outputs
from device.performer import Performer
from device.rendering import DARK, Lights
from device.serial import ports as serial_ports
from device.serial.board import Board
from device.serial.fake_board import FakeBoard
from device.serial.ports import find_ports, open_port
from device.settings import BoardSettings, DeviceSettings
from rules.errors import FairdealError
from rules.table.call import Call
from rules.table.event import Event, Pressed

LIT = Lights((1.0, 0.0, 0.0, 0.0))


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch):
    monkeypatch.setattr(device.serial.board, "PAUSES_S", (0.02, 0.05, 0.1))


@pytest.fixture
def fake():
    with FakeBoard() as board:
        yield board


def greeted(board: Board) -> bool:
    return board.welcome is not None


def test_lamps_and_buttons(fake):
    heard: list[tuple[str, int | None]] = []
    arrived = threading.Event()

    def on_press(button: str, seat: int | None) -> None:
        heard.append((button, seat))
        arrived.set()

    settings = BoardSettings(buttons=("start", "out/2"))
    with Board(fake.port, settings, on_press) as board:
        board.show(LIT)
        assert board.wait(lambda b: b.idle, PATIENCE_S)
        assert fake.lights == LIT
        fake.press(5)  # no such button in the settings
        fake.press(2)
        assert arrived.wait(PATIENCE_S)
        assert heard == [("out", 2)]
        board.show(DARK)
    assert fake.lights == DARK


def test_through_performer_and_spec(fake):
    events: list[Event] = []
    said: list[str] = []
    outputs = open_outputs(
        f"mock,board:{fake.port}", DeviceSettings(), events.append, lambda: 1.5, said.append
    )
    with Performer(outputs) as performer:
        performer.play(Call(call="mistake", rule="r", message="m"))
        assert outputs[1].wait(lambda b: fake.lights.lamps[0] == 1.0, PATIENCE_S)
        fake.press(1)
        assert outputs[1].wait(lambda b: bool(events), PATIENCE_S)
    assert events == [Pressed(1.5, "start")]
    assert fake.lights == DARK
    assert said[1] == f"signals: board fake at {fake.port}"


def test_a_rebooting_board_gets_its_lamps_back(fake):
    with Board(fake.port) as board:
        board.show(LIT)
        assert board.wait(lambda b: b.idle, PATIENCE_S)
        fake.reboot()  # a board that boots is dark until it is told
        assert board.wait(lambda b: fake.lights == LIT, PATIENCE_S)


def test_garbage_and_half_lines_do_no_harm(fake):
    with Board(fake.port) as board:
        assert board.wait(greeted, PATIENCE_S)
        for garbage in (b"\x00\xff$$$\n\n", b"$05K 1*00", b"$01A*12", os.urandom(500)):
            fake.say(garbage)
            board.show(LIT)
            board.show(DARK)
            assert board.wait(lambda b: b.idle, PATIENCE_S)
        assert fake.lights == DARK
        assert greeted(board)


def test_damaged_bytes_lose_and_double_nothing():
    with FakeBoard(damage=0.01, seed=3) as fake, Board(fake.port) as board:
        assert board.wait(greeted, PATIENCE_S)
        asked = [Lights((round(n / 255, 3), 0, 0, 0)) for n in range(100)]
        for lights in asked:
            board.show(lights)
            assert board.wait(lambda b: b.idle, PATIENCE_S)
        assert fake.shown == asked
        assert fake.damaged > 0 and board.counts["retries"] > 0


def test_an_unplugged_board_is_found_again_where_it_turns_up(monkeypatch):
    ports: list[str] = []
    monkeypatch.setattr(device.serial.board, "find_ports", lambda: ports)
    said: list[str] = []
    first = FakeBoard()
    ports.append(first.port)
    with Board(say=said.append) as board:
        board.show(LIT)
        assert board.wait(lambda b: first.lights == LIT, PATIENCE_S)
        ports.clear()
        first.close()
        assert board.wait(lambda b: not greeted(b), PATIENCE_S)
        board.show(Lights((0.0, 1.0, 0.0, 0.0)))
        with FakeBoard() as second:
            ports.append(second.port)
            assert board.wait(lambda b: second.lights.lamps == (0.0, 1.0, 0.0, 0.0), PATIENCE_S)
            assert board.fault == ""
        assert [line.split(",")[0] for line in said[:2]] == [
            f"signals: board fake at {first.port}",
            "signals: board lost",
        ]


def test_an_unplugged_board_is_said_once_not_at_every_try(tmp_path):
    said: list[str] = []
    other = FakeBoard()
    # A name of its own: another program may be given the number of the terminal that is closed.
    port = tmp_path / "board"
    port.symlink_to(other.port)
    with Board(str(port), say=said.append) as board:
        assert board.wait(greeted, PATIENCE_S)
        port.unlink()
        other.close()
        assert board.wait(lambda b: b._opened > 1 or "no such port" in b.fault, PATIENCE_S)
        tries = len(said)
        time.sleep(0.3)
        assert len(said) == tries <= 3


def test_a_deaf_board_holds_nobody_up(fake, monkeypatch):
    monkeypatch.setattr(device.serial.link, "SILENT_S", 0.3)
    with Board(fake.port) as board:
        assert board.wait(greeted, PATIENCE_S)
        fake.deaf = True
        for number in range(2000):
            board.show(Lights((number / 2000, 0, 0, 0)))
        # All were taken at once, though not one could be delivered.
        assert board.counts["delivered"] == 0 and board.counts["drops"] >= 1990
        assert board.wait(lambda b: not greeted(b), PATIENCE_S)
        assert "silence" in board.fault
        fake.deaf = False
        board.show(LIT)
        assert board.wait(lambda b: fake.lights == LIT, PATIENCE_S)


def test_a_device_that_speaks_something_else_is_named(fake, monkeypatch):
    monkeypatch.setattr(device.serial.link, "BOOT_S", 0.3)
    fake.babble = b"AT+CSQ: 31\r\n"
    said: list[str] = []
    with Board(fake.port, say=said.append) as board:
        assert board.wait(lambda b: bool(said), PATIENCE_S)
    assert f"expected a signal board at {fake.port}" in said[0]
    assert "another protocol" in said[0] and "flash it" in said[0]


def test_a_board_of_another_version_is_named(monkeypatch):
    said: list[str] = []
    with FakeBoard(version=2) as fake, Board(fake.port, say=said.append) as board:
        assert board.wait(lambda b: bool(said), PATIENCE_S)
        assert fake.shown == []
    assert "expected a board of protocol version 1" in said[0] and "found version 2" in said[0]


def test_ports_that_cannot_be_had_are_refused(fake, tmp_path, monkeypatch):
    with pytest.raises(FairdealError, match="no such port"):
        Board("/dev/ttyUSB99")
    nothing = tmp_path / "file"
    nothing.write_text("")
    with pytest.raises(FairdealError, match="expected a serial port"):
        Board(str(nothing))
    with Board(fake.port), pytest.raises(FairdealError, match=r"in use.*stop the other program"):
        Board(fake.port)
    monkeypatch.setattr(device.serial.board, "find_ports", lambda: [])
    with pytest.raises(FairdealError, match="expected a signal board on USB, found none"):
        open_outputs("board", say=lambda line: None)


def test_a_port_without_permission_is_named(fake, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: False)

    def refuse(*_: object, **__: object) -> None:
        raise device.serial.board.serial.SerialException(13, "Permission denied")

    monkeypatch.setattr(device.serial.board.serial, "Serial", refuse)
    with pytest.raises(FairdealError, match=r"no permission.*adduser \$USER dialout"):
        open_port(fake.port)


def test_likely_boards_are_known_by_their_usb_ids(monkeypatch):
    class Port:
        def __init__(self, name: str, vid: int | None, pid: int | None) -> None:
            self.device, self.vid, self.pid = name, vid, pid

    ports = [
        Port("/dev/ttyUSB1", 0x1A86, 0x7523),
        Port("/dev/ttyACM0", 0x2341, 0x0043),
        Port("/dev/ttyUSB0", 0x1A86, 0x1234),
        Port("/dev/ttyS0", None, None),
    ]
    monkeypatch.setattr(serial_ports.list_ports, "comports", lambda: ports)
    assert find_ports() == ["/dev/ttyACM0", "/dev/ttyUSB1"]


def test_close_returns_though_nobody_greets(fake):
    fake.deaf = True
    board = Board(fake.port)
    board.show(LIT)
    board.close()
    assert not board._thread.is_alive()
    board.close()
    board.show(LIT)


def test_whoever_may_wait_is_told_whether_a_board_greets(fake, monkeypatch):
    monkeypatch.setattr(device.serial.link, "BOOT_S", 0.2)
    with Board(fake.port) as board:
        board.greet()
        assert board.welcome is not None
    fake.deaf = True
    with Board(fake.port) as board, pytest.raises(FairdealError, match="found silence; flash it"):
        board.greet()
