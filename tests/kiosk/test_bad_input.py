"""What a user may get wrong, or what may break: one clear line each, as on the command line."""

from __future__ import annotations

import errno
import json
import shutil

import cv2
import gpiozero
import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin
from loop_scripts import NoEyes

from kiosk.cli import main
from kiosk.journal.text import TextCopy
from models.deck import SHIPPED
from vision.networks.locator import Locator
from vision.recognition.eyes import Eyes
from vision.sources.lock import CameraLock


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """Nothing is read from or left in the user's own folders."""
    monkeypatch.setenv("FAIRDEAL_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def quick(monkeypatch):
    """No networks: what is refused here does not hang on them."""
    monkeypatch.setattr(Eyes, "open", classmethod(lambda cls, deck, *_: NoEyes()))


@pytest.fixture
def pictures(tmp_path):
    """A folder with four grey pictures, their noise seeded."""
    folder = tmp_path / "pictures"
    folder.mkdir()
    for number in range(4):
        noise = np.random.default_rng(number).normal(120, 4, (90, 160, 3))
        cv2.imwrite(str(folder / f"{number}.png"), noise.clip(0, 255).astype(np.uint8))
    return folder


def refused(capsys, *words):
    """The one line that a command is refused with."""
    assert main([str(word) for word in words]) == 2
    said = capsys.readouterr()
    line = said.err.strip()
    assert "\n" not in line and "Traceback" not in line
    assert "expected " in line and "found " in line
    return line


def referee(*words):
    return ("referee", "suds", "--headless", "--signals", "none", *words)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("99", "a camera at /dev/video99"),
        ("/dev/video98", "a camera at /dev/video98"),
        ("picamera:x", "give a camera number"),
        ("no/such/file.mp4", "a source of pictures"),
        ("http://127.0.0.1:9/none.mjpg", "no picture came"),
        ("ftp://127.0.0.1/x", "a URL with rtsp or http"),
        ("simulated:chess", "chess"),
    ],
)
def test_no_camera(capsys, source, said):
    assert said in refused(capsys, *referee("--source", source))


@pytest.mark.usefixtures("quick")
def test_a_file_that_is_no_video(capsys, tmp_path):
    for name, content in (
        ("a.mp4", b"no video at all\n" * 9),
        ("b.mp4", b""),
        ("c.avi", b"\0" * 99),
    ):
        (tmp_path / name).write_bytes(content)
        assert "a video file" in refused(capsys, *referee("--source", tmp_path / name))


@pytest.mark.usefixtures("quick")
def test_two_referees_for_one_camera(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setattr("vision.sources.camera.UsbCamera._refuse_missing", lambda self: None)
    other = CameraLock("/dev/video7")
    other.take()
    line = refused(capsys, *referee("--source", "7"))
    other.give_back()
    assert "two referees for one camera" in line and "stop the other one" in line


@pytest.fixture
def short_deck(tmp_path):
    """The deck of Suds without its socks."""
    folder = tmp_path / "short"
    shutil.copytree(SHIPPED / "suds", folder)
    text = (folder / "deck.toml").read_text(encoding="utf-8")
    tables = text.split("[[faces]]")
    kept = [part for part in tables if 'name = "socks"' not in part]
    assert len(kept) == len(tables) - 1
    (folder / "deck.toml").write_text("[[faces]]".join(kept), encoding="utf-8")
    return folder


def test_a_deck_that_lacks_a_face(capsys, short_deck, pictures):
    line = refused(capsys, *referee("--source", pictures, "--deck", short_deck))
    assert "none for socks" in line and "calibrate deck" in line


def test_a_deck_of_another_game(capsys, pictures):
    assert "a deck for suds" in refused(
        capsys, *referee("--source", pictures, "--deck", "cat-in-the-hat")
    )


def test_a_deck_that_was_never_taught(capsys, tmp_path, pictures):
    folder = tmp_path / "untaught"
    shutil.copytree(SHIPPED / "suds", folder)
    (folder / "taught.npz").unlink()
    assert "calibrate deck" in refused(capsys, *referee("--source", pictures, "--deck", folder))


@pytest.mark.parametrize("damage", ["missing", "version", "cut off"])
def test_weights_that_are_missing_or_of_another_version(
    capsys, tmp_path, monkeypatch, pictures, damage
):
    weights, *rest = Locator.__init__.__defaults__
    copy = tmp_path / weights.name
    about = json.loads(weights.with_suffix(".json").read_text(encoding="utf-8"))
    about["version"] += damage == "version"
    copy.with_suffix(".json").write_text(json.dumps(about), encoding="utf-8")
    data = weights.read_bytes()
    if damage != "missing":
        copy.write_bytes(data[: len(data) // 2] if damage == "cut off" else data)
    monkeypatch.setattr(Locator.__init__, "__defaults__", (copy, *rest))
    line = refused(capsys, *referee("--source", pictures))
    assert "weights" in line and ("fetch" in line or "train" in line)


@pytest.mark.usefixtures("quick")
def test_gpio_that_is_busy_or_not_there(capsys, monkeypatch, pictures):
    words = ["referee", "suds", "--headless", "--source", pictures, "--signals", "gpio"]
    monkeypatch.setattr("device.outputs.pi_model", lambda: "")
    assert "a Raspberry Pi for --signals gpio" in refused(capsys, *words)
    factory = MockFactory(pin_class=MockPWMPin)
    monkeypatch.setattr("device.outputs.pi_model", lambda: "Raspberry Pi 5")
    monkeypatch.setattr("device.gpio.pins.lgpio_factory", lambda: factory)
    with gpiozero.LED(17, pin_factory=factory):
        line = refused(capsys, *words)
    assert "GPIO17 free for mistake" in line and "stop the other program" in line


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[pins\nmistake = 17", "TOML"),
        ("[lamps]\nmistake = 17", "'lamps'"),
        ("[pins]\nmistaken = 17", "'mistaken'"),
        ("[pins]\nmistake = 99", "from 0 to 27"),
        ("[pins]\nmistake = 18", "GPIO18 for"),
        ("[pins.buttons]\nshuffle = 5", "'shuffle'"),
        ('[board]\nbuttons = ["start", "shuffle"]', "'shuffle'"),
        ('[signals.mistake]\ntone = "moo"', "'moo'"),
        ("[signals.cheer]\nseconds = 1", "'cheer'"),
        ("[vision]\nsettle_s = 9", "from 0 to 2 s"),
        ("[vision]\nspeed = 9", "'speed'"),
        ("vision = 3", "a table"),
    ],
)
def test_bad_settings(capsys, tmp_path, pictures, text, said):
    file = tmp_path / "settings.toml"
    file.write_text(text, encoding="utf-8")
    assert said in refused(capsys, *referee("--source", pictures, "--settings", file))


@pytest.mark.usefixtures("quick")
def test_settings_that_are_not_there(capsys, tmp_path, pictures):
    words = referee("--source", pictures, "--settings", tmp_path / "none.toml")
    assert "a settings file" in refused(capsys, *words)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("signals", "said"),
    [("lamp", "--signals of mock"), ("board:/dev/no-such-port", "/dev/no-such-port"),
     ("none,mock", "none by itself")],
)  # fmt: skip
def test_signals_that_cannot_be_had(capsys, pictures, signals, said):
    words = ["referee", "suds", "--headless", "--source", pictures, "--signals", signals]
    assert said in refused(capsys, *words)


@pytest.mark.usefixtures("quick")
def test_a_full_disk_is_said_and_the_game_goes_on(capsys, tmp_path, pictures, monkeypatch):
    def full(self):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(TextCopy, "go_on", full)
    words = referee("--source", pictures, "--journal", tmp_path / "full.jsonl")
    assert main([str(word) for word in words]) == 0
    said = capsys.readouterr().err
    full, lost, early = [line for line in said.splitlines() if line.startswith("journal:")]
    assert "No space left" in full and "is kept once there is room" in full
    assert "the game goes on, and is not kept from here on" in lost
    assert "were told before they were kept" in early


@pytest.mark.usefixtures("quick")
def test_a_picture_too_dark_to_see_is_said(capsys, tmp_path):
    folder = tmp_path / "dark"
    folder.mkdir()
    for number in range(9):
        light = 120 if number < 2 else 2
        noise = np.random.default_rng(number).normal(light, 1, (90, 160, 3))
        cv2.imwrite(str(folder / f"{number}.png"), noise.clip(0, 255).astype(np.uint8))
    assert main([str(word) for word in referee("--source", folder, "--rate", "5")]) == 0
    assert "the picture is dark or covered" in capsys.readouterr().err


@pytest.mark.usefixtures("quick")
def test_a_damaged_calibration_is_said_and_left_alone(capsys, home, pictures):
    folder = home / "calibration"
    folder.mkdir(parents=True)
    plain = str(pictures).strip("/").replace("/", "-").replace("_", "_")
    file = folder / f"{plain[:80]}-160x90.toml"
    file.write_text('version = 1\nchecksum = "x"\n', encoding="utf-8")
    assert main([str(word) for word in referee("--source", pictures)]) == 0
    said = capsys.readouterr().err
    assert (
        said.count("\n") == 1 and "calibration not used" in said and "truncated or edited" in said
    )
    assert file.read_text(encoding="utf-8").endswith('"x"\n')


@pytest.mark.usefixtures("quick")
def test_pictures_of_two_sizes(capsys, pictures):
    cv2.imwrite(str(pictures / "9.png"), np.full((100, 200, 3), 120, np.uint8))
    line = refused(capsys, *referee("--source", pictures))
    assert "160x90 px as the first one" in line and "picture 5 of 200x100 px" in line


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("name", ["0.png", "0.avi"])
def test_pictures_on_which_no_card_can_be_seen(capsys, tmp_path, name):
    tiny = np.full((16, 16, 3), 120, np.uint8)
    if name.endswith(".png"):
        cv2.imwrite(str(tmp_path / name), tiny[:1, :1])
    else:
        film = cv2.VideoWriter(str(tmp_path / name), cv2.VideoWriter.fourcc(*"MJPG"), 5, (16, 16))
        for _ in range(5):
            film.write(tiny)
        film.release()
    said = refused(capsys, *referee("--source", tmp_path / name))
    assert "pictures of at least 32 px" in said


def test_an_empty_source(capsys):
    assert "a source of pictures" in refused(capsys, *referee("--source", ""))


@pytest.mark.parametrize(
    "words",
    [
        "referee suds",
        "referee suds --source x --players many",
        "print deck suds --paper a5",
        "sing",
    ],
)
def test_a_command_line_that_cannot_be_read_is_one_line(capsys, words):
    with pytest.raises(SystemExit) as left:
        main(words.split())
    said = capsys.readouterr().err
    assert left.value.code == 2 and said.count("\n") == 1 and "--help`" in said


@pytest.mark.usefixtures("quick")
def test_a_picture_too_dark_is_said_by_see(capsys, tmp_path):
    cv2.imwrite(str(tmp_path / "dark.png"), np.full((90, 160, 3), 3, np.uint8))
    (tmp_path / "none.png").write_bytes(b"no picture")
    assert main(["see", "--deck", "suds", str(tmp_path / "dark.png")]) == 0
    assert "light enough to see" in capsys.readouterr().err
    assert "a picture" in refused(capsys, "see", "--deck", "suds", tmp_path / "none.png")
