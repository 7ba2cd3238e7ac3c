import argparse

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration import store
from rules.errors import FairdealError
from vision.lens import LensModel

LENS = store.Intrinsics(900.25, 901.5, 640.0, 360.5, (0.1, -0.2, 0.0, 1e-4, 0.0), 0.21, 12, "now")
TABLE = store.TableFit(
    ((1.0, 0.0, 3.5), (0.0, 1.0, 2.0), (0.0, 1e-5, 1.0)), 700.0, 450.0, "mat table", 0.3,
    ("bottom", "left", "top", "right"), "now",
)  # fmt: skip
LIGHT = store.LightLock((("exposure", 120.0), ("gain", 2.0)), 110.0, "now")
WHOLE = store.Calibration('odd "name" \\ \t é', 1280, 720, LENS, TABLE, LIGHT)


def test_a_calibration_reads_back_the_same(tmp_path):
    path = store.save(WHOLE, tmp_path)
    assert store.load(path, 1280, 720) == WHOLE
    assert store.load_or_new(tmp_path, WHOLE.camera, 1280, 720) == WHOLE
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_a_cut_off_file_is_refused_at_every_length(tmp_path):
    path = store.save(WHOLE, tmp_path)
    data = path.read_bytes()
    for length in range(len(data)):
        path.write_bytes(data[:length])
        with pytest.raises(FairdealError):
            store.load(path)


@settings(max_examples=150)
@given(st.data())
def test_an_edited_file_is_refused(tmp_path_factory, data):
    path = store.save(WHOLE, tmp_path_factory.mktemp("edited"))
    whole = bytearray(path.read_bytes())
    start = whole.index(b"version")  # the comment above says nothing that counts
    at = data.draw(st.integers(start, len(whole) - 1))
    new = data.draw(st.integers(0, 255).filter(lambda value: value != whole[at]))
    whole[at] = new
    path.write_bytes(bytes(whole))
    with pytest.raises(FairdealError):
        store.load(path)


def test_another_resolution_is_refused_with_the_reason(tmp_path):
    store.save(WHOLE, tmp_path)
    with pytest.raises(FairdealError, match="one at 1280x720; a calibration is valid for its"):
        store.find(tmp_path, WHOLE.camera, 640, 480)
    path = store.path_for(tmp_path, WHOLE.camera, 1280, 720)
    with pytest.raises(FairdealError, match="for 640x480, found one for 1280x720"):
        store.load(path, 640, 480)


def test_a_damaged_file_is_not_overwritten(tmp_path):
    path = store.save(WHOLE, tmp_path)
    path.write_bytes(path.read_bytes()[:-5])
    before = path.read_bytes()
    with pytest.raises(FairdealError, match="truncated or edited"):
        store.load_or_new(tmp_path, WHOLE.camera, 1280, 720)
    assert path.read_bytes() == before


def test_a_missing_file_says_what_to_run(tmp_path):
    with pytest.raises(FairdealError, match="run `fairdeal calibrate camera`"):
        store.find(tmp_path, "0", 640, 480)


@pytest.mark.parametrize("value", ["inf", "-inf", "nan", "-3", "0", "1e400", "[1]"])
def test_a_size_that_cannot_be_is_one_line(tmp_path, value):
    """A file with a right checksum may still hold nonsense."""
    path = store.save(store.Calibration("c", 1280, 720), tmp_path)
    body = f'camera = "c"\nwidth = 1280\nheight = {value}\n'
    text = f'version = 1\nchecksum = "{store.checksum_of(body)}"\n{body}'
    path.write_text(text)
    with pytest.raises(FairdealError, match=r"every entry of a calibration|TOML in UTF-8"):
        store.load(path)


def test_a_calibration_nested_past_the_recursion_limit_is_one_line(tmp_path):
    body = "camera = " + "[" * 100_000 + "\n"
    path = tmp_path / "c.toml"
    path.write_text(f'version = 1\nchecksum = "{store.checksum_of(body)}"\n{body}')
    with pytest.raises(FairdealError, match="nested too deeply"):
        store.load(path)


def test_a_streams_password_is_in_no_name_and_no_file(tmp_path):
    from calibration import inputs, saved_setup

    url = "rtsp://ann:s3cret@cam.local/table"
    args = argparse.Namespace(camera=None, source=url)
    name = inputs.camera_name(args)
    assert name == "rtsp://cam.local/table"
    path = store.save(store.Calibration(name, 1280, 720), tmp_path)
    assert "s3cret" not in path.name and "s3cret" not in path.read_text()
    assert store.path_for(tmp_path, url, 1280, 720) == path
    said: list[str] = []
    assert [c.camera for c in saved_setup.stored(url, tmp_path, said.append)] == [name]


def test_a_fisheye_lens_reads_back(tmp_path):
    lens = store.Intrinsics(600.0, 600.0, 640.0, 360.0, (0.02, 0.0, 0.0, 0.0), 0.2, 12, "now",
                            LensModel.FISHEYE)  # fmt: skip
    path = store.save(store.Calibration("c", 1280, 720, lens), tmp_path)
    found = store.load(path).intrinsics
    assert found == lens and found.lens.model is LensModel.FISHEYE
