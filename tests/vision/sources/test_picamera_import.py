"""Any failure to load picamera2 is one line, not only a missing module."""

import sys
import types

import pytest

from rules.errors import FairdealError
from vision.sources.picamera import load_picamera2


class Broken:
    """A finder that fails as a module does that was compiled against another numpy."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name == "picamera2":
            raise ValueError("numpy.dtype size changed, may indicate binary incompatibility")


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "picamera2", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Broken(), *sys.meta_path])


def test_a_library_built_against_another_numpy_is_one_line(broken: None) -> None:
    with pytest.raises(FairdealError, match=r"that can be loaded, found ValueError: numpy\.dtype"):
        load_picamera2()


def test_a_library_that_loads_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("picamera2")
    monkeypatch.setitem(sys.modules, "picamera2", module)
    assert load_picamera2() is module
