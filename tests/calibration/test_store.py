import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration import store
from rules.errors import FairdealError

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


@settings(max_examples=150, deadline=None)
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
