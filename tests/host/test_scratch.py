"""Temporary folders go with their process."""

import os
import signal
import tempfile
from pathlib import Path

import pytest
from processes import PATIENCE_S, program, until

from host.scratch import PREFIX, scratch_folder

HOLDER = """
import signal
from host.scratch import scratch_folder
with scratch_folder() as folder:
    (folder / "secret").write_text("x")
    print("holds", folder, flush=True)
    signal.pause()
"""


@pytest.fixture
def parent(tmp_path, monkeypatch):
    """The system's temporary folder."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_folder_is_private_and_goes_with_its_block(parent):
    with scratch_folder() as folder:
        assert folder.parent == parent and folder.stat().st_mode & 0o777 == 0o700
        (folder / "file").write_text("x")
    assert list(parent.iterdir()) == []


def test_a_folder_goes_when_its_process_is_killed(tmp_path):
    with program(tmp_path, ["-c", HOLDER]) as running:
        folder = Path(running.hears("holds ").strip())
        assert (folder / "secret").exists()
        running.child.kill()
        running.child.wait(PATIENCE_S)
        until(lambda: not folder.exists(), "the folder's end")
        running.has_none()


def test_what_was_killed_with_its_janitor_goes_at_the_next_start(tmp_path, monkeypatch):
    with program(tmp_path, ["-c", HOLDER]) as running:
        folder = Path(running.hears("holds ").strip())
        monkeypatch.setattr(tempfile, "tempdir", str(folder.parent))
        with scratch_folder():
            assert folder.exists()  # its process lives
        for pid in (*running.living(), running.child.pid):
            os.kill(pid, signal.SIGKILL)
        running.child.wait(PATIENCE_S)
        running.has_none()
        assert (folder / "secret").exists()
        with scratch_folder():
            assert not folder.exists()


def test_a_link_and_a_file_of_that_name_stay(parent):
    kept = parent / "kept"
    kept.mkdir()
    (parent / f"{PREFIX}link").symlink_to(kept)
    (parent / f"{PREFIX}file").write_text("x")
    with scratch_folder():
        pass
    assert kept.exists() and (parent / f"{PREFIX}link").is_symlink()
    assert (parent / f"{PREFIX}file").exists()
