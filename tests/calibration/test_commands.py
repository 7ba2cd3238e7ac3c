import datetime
import importlib.machinery
import sys
import threading

import cv2
import numpy as np
import pytest

from calibration import doctor, signals, store
from calibration.lens.board import Board, Reason
from calibration.lens.camera import collect
from calibration.machine import machine_findings
from device.gpio.pins import MockPins
from device.machine import Machine
from device.performer import Performer
from device.serial.fake_board import FakeBoard
from device.signals import SIGNALS
from kiosk.cli import main
from lab.cameras import synthetic
from rules.errors import FairdealError
from vision import mat
from vision.sources import fake_picamera2

CAMERA = ["--camera", "cam"]


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    """A folder of board views and one of the mat, by one drawn camera."""
    rng = np.random.default_rng(21)
    lens = synthetic.random_lens(rng)
    board, table = tmp_path_factory.mktemp("board"), tmp_path_factory.mktemp("table")
    for i, picture in enumerate(synthetic.board_views(Board(), lens, rng, count=11)):
        cv2.imwrite(str(board / f"view{i:02}.png"), picture)
    picture, _, _ = synthetic.mat_view(mat.MATS["table"], lens, rng, 15)
    for i in range(2):
        cv2.imwrite(str(table / f"mat{i}.png"), picture)
    return board, table


def run(*words):
    return main(["calibrate", *map(str, words)])


def test_camera_then_table_then_check(pictures, tmp_path, capsys):
    board, table = pictures
    folder = ["--store", tmp_path, *CAMERA]
    assert run("camera", "--from", board, *folder) == 0
    assert "mean reprojection error" in capsys.readouterr().out
    assert run("table", "--from", table, *folder) == 0
    assert "table 700x450 mm by mat table" in capsys.readouterr().out
    found = store.find(tmp_path, "cam", 1280, 720)
    assert found.intrinsics.error_px < 0.5 and found.table.seats[0] == "bottom"
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"cam-1280x720.toml", "cam-1280x720-camera.jpg", "cam-1280x720-table.jpg",
                     "cam-1280x720-reference.png"}  # fmt: skip
    page = tmp_path / "check.html"
    assert run("check", "--from", table, *folder, "--page", page) == 0
    text = page.read_text()
    assert "data:image/jpeg;base64," in text and "not ready" not in text
    assert "as calibrated" in text and "markers, 0." in text


def test_a_table_from_pictures_of_two_views_is_refused(pictures, tmp_path, capsys):
    _, table = pictures
    two = tmp_path / "two"
    two.mkdir()
    mat0 = cv2.imread(str(table / "mat0.png"))
    noisy = np.random.default_rng(1).normal(0, 4, mat0.shape) + mat0
    with_hand = np.clip(noisy, 0, 255).astype(np.uint8)
    cv2.ellipse(with_hand, (600, 700), (120, 300), 10, 0, 360, (120, 150, 200), -1)
    for name, picture in (("a", mat0), ("b", with_hand), ("c", mat0)):
        cv2.imwrite(str(two / f"{name}.png"), picture)
    store_there = ["--store", tmp_path, *CAMERA]
    assert run("table", "--from", two, *store_there) == 0
    capsys.readouterr()
    for other in (np.roll(mat0, 30, axis=1), cv2.resize(mat0, (640, 360)), mat0[::-1] // 3):
        cv2.imwrite(str(two / "c.png"), other)
        before = (tmp_path / "cam-1280x720.toml").read_text()
        assert run("table", "--from", two, *store_there) == 2
        said = capsys.readouterr().err
        assert "expected pictures of one view" in said and "c.png" in said
        assert (tmp_path / "cam-1280x720.toml").read_text() == before


def test_check_without_a_calibration_is_not_ready(pictures, tmp_path):
    page = tmp_path / "check.html"
    words = ["--from", pictures[1], "--store", tmp_path, *CAMERA, "--page", page]
    assert run("check", *words) == 1
    assert "not ready" in page.read_text()


def test_bad_sets_are_refused_in_one_line_and_nothing_is_written(pictures, tmp_path, capsys):
    board, table = pictures
    bad = tmp_path / "bad"
    for folder in (bad, tmp_path / "s"):
        folder.mkdir()
    kinds = {
        "mirrored": lambda p: p[:, ::-1],
        "blurred": lambda p: cv2.GaussianBlur(p, (0, 0), 14),
        "no board": lambda p: np.random.default_rng(0).integers(0, 255, p.shape, np.uint8),
    }
    for words, spoil in kinds.items():
        for path in sorted(board.iterdir())[:7]:
            cv2.imwrite(str(bad / path.name), spoil(cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)))
        assert run("camera", "--from", bad, "--store", tmp_path / "s", *CAMERA) == 2
        error = capsys.readouterr().err
        assert words in error and error.count("\n") == 1
    for path in bad.iterdir():
        path.unlink()
    assert run("camera", "--from", bad, "--store", tmp_path / "s") == 2
    (bad / "x.jpg").write_bytes(b"no picture")
    assert run("camera", "--from", bad, "--store", tmp_path / "s") == 2
    assert run("camera", "--store", tmp_path / "s") == 2
    assert run("table", "--from", table, "--store", tmp_path / "s", "--size", "900x500") == 2
    assert "size is known" in capsys.readouterr().err
    assert run("table", "--from", table, "--store", tmp_path / "s", "--corners",
               "1,2", "3,4", "x", "5,6", "--size", "700x450") == 2  # fmt: skip
    assert list((tmp_path / "s").iterdir()) == []


@pytest.mark.parametrize("part", ["camera", "table", "light"])
def test_a_damaged_file_is_refused_before_the_work_and_left_alone(pictures, tmp_path, capsys, part):
    path = store.save(store.Calibration("cam", 1280, 720), tmp_path)
    path.write_text(path.read_text().replace("1280", "1281"))
    before = path.read_bytes()
    folder = pictures[0] if part == "camera" else pictures[1]
    assert run(part, "--from", folder, "--store", tmp_path, *CAMERA) == 2
    said = capsys.readouterr()
    assert "truncated or edited" in said.err and said.out == ""
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]


def test_a_board_of_another_maker_is_told_from_none(tmp_path, capsys):
    maker = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    board = cv2.aruco.CharucoBoard((7, 5), 30.0, 22.0, maker).generateImage((980, 700))
    for i in range(6):
        picture = cv2.copyMakeBorder(board, 20 + i, 20, 40, 60, cv2.BORDER_CONSTANT, value=240)
        cv2.imwrite(str(tmp_path / f"{i}.png"), picture)
    assert run("camera", "--from", tmp_path, "--store", tmp_path) == 2
    assert "not the expected board" in capsys.readouterr().err


def test_filming_with_a_mirrored_camera_is_said(pictures):
    shots = [cv2.imread(str(path))[:, ::-1] for path in sorted(pictures[0].iterdir())[:3]]
    frames = [(str(i), shot, i / 3) for i, shot in enumerate(shots)]
    views, refused, _ = collect(Board(), frames, 100.0, live=True)
    assert not views and {no.reason for no in refused} == {Reason.MIRRORED}


def test_a_proof_picture_of_no_known_kind_is_one_line(pictures, tmp_path, capsys):
    words = ["--from", pictures[1], "--store", tmp_path, "--proof", tmp_path / "proof.xyz"]
    assert run("light", *words) == 2
    assert "found proof.xyz" in capsys.readouterr().err


def test_filming_takes_new_views_only_and_stops_when_none_is_missing(pictures):
    shots = [cv2.imread(str(path)) for path in sorted(pictures[0].iterdir())]
    frames = [(f"{i}-{j}", shot, i + j / 3) for i, shot in enumerate(shots) for j in range(3)]
    views, _, last = collect(Board(), frames, 100.0, live=False)
    assert len(views) == len(shots) and last.shape == (720, 1280, 3)
    views, _, _ = collect(Board(), frames, 3.0, live=False)
    assert 3 <= len(views) <= 5


def test_every_signal_is_played_and_asked_for():
    pins, asked = MockPins(), []

    def ask(call):
        asked.append(call)
        return call != "win"

    with Performer([pins]) as performer:
        assert signals.play_all(performer, SIGNALS.items(), ask, lambda s: None) == ["win"]
    assert asked == list(SIGNALS)


def test_doctor_says_what_the_machine_reports():
    hot = Machine(83.2, True, True, True, 0, False)
    found = {f.name: f for f in machine_findings(hot)}
    assert found["temperature"].state == "bad" and "83" in found["temperature"].words
    assert found["power"].state == "bad" and "under-voltage now" in found["power"].words
    assert found["speed"].state == "warn" and found["disk"].state == "bad"
    assert "not synchronised" in found["clock"].words
    assert machine_findings(Machine()) == ()
    quiet = Machine(45.0, False, False, False, 10 * 2**30, True)
    assert {f.state for f in machine_findings(quiet)} == {"good"}
    before = Machine(under_voltage=False, under_voltage_before=True)
    assert [f.state for f in machine_findings(before)] == ["warn"]


def test_doctor_names_missing_weights_and_old_or_broken_calibrations(tmp_path):
    (tmp_path / "locator.onnx").write_bytes(b"x")
    locator, namer, _ = doctor.weights_there(tmp_path)
    assert "locator.json" in locator.words and "fairdeal train namer" in namer.todo
    (tmp_path / "locator.json").write_text('{"version": 99}')
    assert "version 99" in doctor.weights_there(tmp_path)[0].words
    assert doctor.calibrations(tmp_path)[0].state == "warn"
    lens = store.Intrinsics(9, 9, 6, 3, (0.0,) * 5, 0.2, 10, "2026-01-01T10:00+00:00")
    table = store.TableFit(((1.0, 0, 0), (0, 1.0, 0), (0, 0, 1.0)), 700, 450, "corners", 0.1,
                           ("bottom",), "2026-01-01T10:00+00:00")  # fmt: skip
    path = store.save(store.Calibration("cam", 64, 48, lens, table), tmp_path)
    day = datetime.date(2026, 1, 20)
    assert doctor.calibrations(tmp_path, day)[0].state == "good"
    old = doctor.calibrations(tmp_path, datetime.date(2026, 8, 1))[0]
    assert old.state == "warn" and "days old" in old.words
    path.write_text("x")
    assert doctor.calibrations(tmp_path, day)[0].state == "bad"


def test_doctor_names_the_pi_s_cameras(monkeypatch, tmp_path):
    def ask(*sensors):
        module = fake_picamera2.module(*sensors)
        module.__spec__ = importlib.machinery.ModuleSpec("picamera2", None)
        monkeypatch.setitem(sys.modules, "picamera2", module)
        return doctor.cameras(tmp_path, True)[0]

    found = ask(fake_picamera2.Sensor("imx708"), fake_picamera2.Sensor("imx477"))
    assert (found.state, found.words) == ("good", "imx708, imx477")
    assert ask().state == "warn" and "ribbon" in ask().todo


def test_doctor_runs_here_and_exits_by_what_it_found(tmp_path, capsys):
    code = main(["doctor", "--store", str(tmp_path)])
    text = capsys.readouterr().out
    assert code == (1 if "\nbad " in "\n" + text else 0)
    assert "disk:" in text and "pins:" in text


def test_signals_by_the_command_on_mock_pins(monkeypatch, capsys):
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    assert main(["calibrate", "signals", "--signals", "mock", "--yes"]) == 0
    text = capsys.readouterr().out
    assert all(f"{call}: lamp" in text for call in SIGNALS) and "without asking" in text
    assert main(["calibrate", "signals", "--signals", "none"]) == 1


def test_a_deck_is_printed_at_another_scale(tmp_path, capsys):
    pages = []
    for scale in ("1", "0.5"):
        out = tmp_path / f"{scale}.pdf"
        assert main(["print", "deck", "suds", "--scale", scale, "--out", str(out)]) == 0
        pages.append(out.read_bytes().count(b"/Type /Page\n"))
    assert pages[0] > 2 * pages[1] > 0
    assert main(["print", "deck", "suds", "--scale", "9", "--out", str(tmp_path / "x.pdf")]) == 2
    assert "a scale from" in capsys.readouterr().err and not (tmp_path / "x.pdf").exists()


def test_teaching_live_beeps_on_the_outputs_that_are_named(monkeypatch, capsys):
    asked = []

    def from_camera(source, faces, locator, aspect, signals):
        asked.append((source, "hat" in faces, signals))
        raise FairdealError("a camera", "none")

    monkeypatch.setattr("calibration.deck.live_teach.from_camera", from_camera)
    words = ["calibrate", "deck", "x", "--game", "suds", "--source", "0", "--signals", "board"]
    assert main(words) == 2 and "found none" in capsys.readouterr().err
    assert asked == [("0", True, "board")]


def test_signals_on_what_is_no_board_is_one_line(monkeypatch, capsys):
    monkeypatch.setattr("device.serial.link.BOOT_S", 0.3)
    with FakeBoard() as fake:
        fake.babble = b"Grbl 1.1h ['$' for help]\r\n"
        assert main(["calibrate", "signals", "--signals", f"board:{fake.port}", "--yes"]) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1
    assert "found data in another protocol; flash it" in said.err


def test_a_board_that_dies_while_signals_are_played_is_no_success(monkeypatch, capsys):
    monkeypatch.setattr("device.serial.link.SILENT_S", 0.2)
    with FakeBoard() as fake:

        def wait(seconds):
            fake.deaf = True
            threading.Event().wait(0.1)

        monkeypatch.setattr("time.sleep", wait)
        monkeypatch.setattr("device.serial.board.Board.wait", waiting)
        assert main(["calibrate", "signals", "--signals", f"board:{fake.port}", "--yes"]) == 1
    assert "found silence; check the cable" in capsys.readouterr().out


def waiting(board, ready, timeout_s):
    """Board.wait without time.sleep."""
    pause = threading.Event()
    return any(ready(board) or pause.wait(0.005) for _ in range(round(timeout_s / 0.005)))


def test_signals_say_that_sound_is_off_and_light_turned_down(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("calibration.signals.time.sleep", lambda _: None)
    settings = tmp_path / "night.toml"
    settings.write_text("[signals]\nmuted = true\nnight = true\nnight_level = 0.1\n")
    asked = ["calibrate", "signals", "--signals", "mock", "--settings", str(settings), "--yes"]
    assert main(asked) == 0
    said = capsys.readouterr().out
    assert "muted: no sound will come" in said and "night: light at 10%" in said
