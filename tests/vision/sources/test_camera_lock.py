"""The camera's lock: held once, and never through a link."""

import os
from pathlib import Path

import pytest

from rules.errors import FairdealError
from vision.sources import lock
from vision.sources.lock import CameraLock

NAME = "fairdeal-camera-dev-video0.lock"


def test_a_camera_is_held_once(tmp_path: Path) -> None:
    one, two = CameraLock("/dev/video0", tmp_path), CameraLock("/dev/video0", tmp_path)
    one.take()
    with pytest.raises(FairdealError, match="two referees for one camera"):
        two.take()
    one.give_back()
    two.take()
    two.give_back()


@pytest.mark.parametrize("make", [os.symlink, os.link])
def test_a_link_is_not_followed(tmp_path: Path, make) -> None:
    target = tmp_path / "target"
    target.write_text("precious")
    folder = tmp_path / "locks"
    folder.mkdir()
    make(target, folder / NAME)
    with pytest.raises(FairdealError, match="a lock file for the camera"):
        CameraLock("/dev/video0", folder).take()
    assert target.read_text() == "precious"


def test_without_a_runtime_folder_it_is_a_folder_of_the_users_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    monkeypatch.setattr(lock.tempfile, "gettempdir", lambda: str(tmp_path))
    held = CameraLock("/dev/video0")
    held.take()
    folder = tmp_path / f"fairdeal-{os.getuid()}"
    assert (folder / NAME).is_file() and folder.stat().st_mode & 0o077 == 0
    held.give_back()


def test_a_folder_that_is_a_link_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    monkeypatch.setattr(lock.tempfile, "gettempdir", lambda: str(tmp_path))
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / f"fairdeal-{os.getuid()}").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FairdealError, match="belongs to somebody else"):
        CameraLock("/dev/video0").take()
