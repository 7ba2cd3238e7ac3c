"""A user's settings file: read, refused, and one table of it written."""

from dataclasses import replace

import pytest

from calibration.settings import (
    Settings,
    load_settings,
    own_settings,
    settings_file,
    write_table,
    write_value,
)
from rules.errors import FairdealError
from vision.settings import NCNN, ONNX


def test_no_file_is_the_defaults():
    assert load_settings(None) == Settings()


def test_lamps_and_eyes_are_set_in_one_file(tmp_path):
    file = tmp_path / "settings.toml"
    file.write_text("[signals]\nmuted = true\n[pins]\nturn = 4\n[vision]\nsettle_s = 0.3\n")
    settings = load_settings(file)
    assert settings.device.signals.muted and settings.device.pins.turn == 4
    assert settings.vision.settle_s == 0.3
    assert settings.vision.gone_s == Settings().vision.gone_s


def test_the_machines_own_file_is_read_unless_another_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("FAIRDEAL_HOME", str(tmp_path))
    assert settings_file(None) is None
    own_settings().write_text("[signals]\nmuted = true\n")
    assert settings_file(None) == tmp_path / "settings.toml"
    other = tmp_path / "other.toml"
    assert settings_file(other) == other


def test_a_table_is_written_and_the_rest_stays_as_it_is(monkeypatch, tmp_path):
    with pytest.raises(FairdealError, match="mkdir -p"):
        write_table(tmp_path / "new" / "settings.toml", "engines", {})
    monkeypatch.setenv("FAIRDEAL_HOME", str(tmp_path / "new"))  # the program's own is made
    file = own_settings()
    write_table(file, "engines", {"locator": NCNN})
    assert load_settings(file).engines.locator == NCNN
    file.write_text("# my lamps\n[pins]\nturn = 4  # the blue one\n\n[engines]\nlocator = 'ncnn'\n")
    write_table(file, "engines", {"locator": ONNX})
    text = file.read_text()
    assert "# my lamps" in text and "# the blue one" in text
    settings = load_settings(file)
    assert settings.engines.locator == ONNX and settings.device.pins.turn == 4


@pytest.mark.parametrize("text", [
    "", "[machine]  # mine\nkeep_free_mb = 300\n", "machine = { keep_free_mb = 300 }\n",
    "machine.keep_free_mb = 300\nmachine.learn = true  # at home\n", "[pins]\nturn = 4\n",
])  # fmt: skip
def test_one_value_is_written_and_the_rest_stays_as_it_is(tmp_path, text):
    file = tmp_path / "settings.toml"
    file.write_text(text)
    before = load_settings(file)
    for is_on in (True, True, False):
        write_value(file, "machine", "learn", is_on)
        found = load_settings(file)
        assert found.machine == replace(before.machine, learn=is_on)
        assert found.device == before.device
    comments = [each for each in ("# mine", "# at home") if each in text]
    assert all(each in file.read_text() for each in comments)


def test_a_value_of_what_is_no_table_is_refused(tmp_path):
    file = tmp_path / "settings.toml"
    file.write_text("machine = 3\n")
    with pytest.raises(FairdealError, match="expected a settings file to write"):
        write_value(file, "machine", "learn", True)
    assert file.read_text() == "machine = 3\n"


@pytest.mark.parametrize("text", ["[engines]\nlocator = 'tpu'\n", "[engines]\neyes = 'ncnn'\n"])
def test_an_engine_that_is_not_known_is_refused(tmp_path, text):
    file = tmp_path / "settings.toml"
    file.write_text(text)
    with pytest.raises(FairdealError, match="expected one of"):
        load_settings(file)


def test_a_file_that_is_missing_or_no_toml_is_refused(tmp_path):
    with pytest.raises(FairdealError, match=r"expected a settings file"):
        load_settings(tmp_path / "none.toml")
    bad = tmp_path / "bad.toml"
    bad.write_bytes(b"[pins\xff")
    with pytest.raises(FairdealError, match="expected TOML"):
        load_settings(bad)
    with pytest.raises(FairdealError, match="expected a settings file to write"):
        write_table(bad, "engines", {})
