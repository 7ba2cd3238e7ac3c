"""Files that users name: only regular ones are read and written, whole or not at all."""

from __future__ import annotations

import os
import socket
import stat

import pytest

from rules.errors import FairdealError
from rules.files import (
    check_folder,
    check_writable,
    parsed_json,
    read_bytes,
    read_json,
    read_text,
    shown,
    write_file,
)
from rules.settings import read_toml

KINDS = ("a folder", "a pipe", "a socket", "a device", "a link to nothing")


@pytest.fixture
def special(tmp_path):
    """A path of each kind that is no regular file."""
    paths = {kind: tmp_path / f"special-{number}" for number, kind in enumerate(KINDS)}
    paths["a folder"].mkdir()
    os.mkfifo(paths["a pipe"])
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(paths["a socket"]))
    paths["a device"].symlink_to("/dev/null")
    paths["a link to nothing"].symlink_to(tmp_path / "none")
    return paths


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_regular_file_is_neither_read_nor_written(special, kind):
    path = special[kind]
    before = os.lstat(path)
    for act in (
        lambda: read_bytes(path, "a file"),
        lambda: check_writable(path, "a file"),
        lambda: write_file(path, b"x", "a file"),
    ):
        with pytest.raises(FairdealError, match=f"expected a file, found {kind}"):
            act()
    assert os.lstat(path).st_mode == before.st_mode and os.lstat(path).st_ino == before.st_ino
    assert len(list(path.parent.iterdir())) == len(KINDS)


def test_a_file_is_replaced_whole_and_keeps_its_mode(tmp_path):
    path, link = tmp_path / "a.txt", tmp_path / "link"
    before = os.umask(0o027)
    try:
        write_file(path, "one", "a file")
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    path.chmod(0o604)
    link.symlink_to(path)
    assert write_file(link, "two", "a file") == link and link.is_symlink()
    assert path.read_text() == "two" and stat.S_IMODE(path.stat().st_mode) == 0o604
    with pytest.raises(FairdealError, match="a new file"):
        write_file(path, "three", "a file", is_new=True)
    assert path.read_text() == "two" and len(list(tmp_path.iterdir())) == 2


def test_a_failed_write_leaves_the_old_file_alone(tmp_path, monkeypatch):
    path = tmp_path / "a.txt"
    path.write_text("old")

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(FairdealError, match="found No space left"):
        write_file(path, "new", "a file")
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def test_a_missing_folder_is_asked_for(tmp_path):
    with pytest.raises(FairdealError, match="mkdir -p"):
        write_file(tmp_path / "none" / "a", b"", "a file")
    with pytest.raises(FairdealError, match="found none; make it first, with mkdir -p"):
        check_folder(tmp_path / "none", "a folder")
    assert list(tmp_path.iterdir()) == []


def test_a_huge_file_is_not_read(tmp_path):
    path = tmp_path / "sparse"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(FairdealError, match="at most 16 MB, found 1048576 MB"):
        read_bytes(path, "a file")


@pytest.mark.parametrize(
    ("text", "found"),
    [("[" * 100_000, "nested too deeply"), ("9" * 5000, "thousands of digits"), ("{", "Expecting"),
     (b"\xff\xfe\xfd", "UTF-8")],
)  # fmt: skip
def test_json_that_is_none_is_one_line(tmp_path, text, found):
    with pytest.raises(FairdealError, match=found):
        parsed_json(text, "JSON")
    path = tmp_path / "a.json"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(FairdealError, match=found):
        read_json(path, "JSON")


@pytest.mark.parametrize(
    "text",
    ["a = " + "9" * 5000, "a = " + "[" * 50_000, "a" + ".a" * 5000 + " = 1", "a = 0x" + "f" * 9000],
)
def test_toml_beyond_all_bounds_is_read_or_one_line_and_can_be_shown(tmp_path, text):
    path = tmp_path / "a.toml"
    path.write_text(text)
    try:
        value = read_toml(path, "settings")
    except FairdealError as error:
        assert len(str(error)) <= 1000
        return
    assert len(shown(value["a"])) < 200


def test_text_in_another_encoding_is_one_line(tmp_path):
    (tmp_path / "a").write_bytes(b"caf\xe9")
    with pytest.raises(FairdealError, match="in UTF-8"):
        read_text(tmp_path / "a", "a script")
