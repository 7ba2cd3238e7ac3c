"""Pipes, devices, sockets, folders, dangling links and huge files where a command takes a file."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import threading
from contextlib import contextmanager

import cv2
import numpy as np
import pytest
from loop_scripts import NoEyes

from kiosk.cli import main
from models.deck import SHIPPED
from vision.recognition.eyes import Eyes

LIMIT_S = 120  # a command that opens a pipe waits for ever


def sparse(path):
    with path.open("wb") as file:
        file.truncate(1 << 40)


def bound_socket(path):
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))


KINDS = {
    "pipe": os.mkfifo,
    "socket": bound_socket,
    "device": lambda path: path.symlink_to("/dev/zero"),
    "dangling": lambda path: path.symlink_to(path.with_name("nothing")),
    "folder": os.mkdir,
    "sparse": sparse,
}
REFEREE = ("referee", "suds", "--headless", "--signals", "none")
PLAY = (*REFEREE, "--source", "{good}")
# The file's name, the words of the command, and the kinds that are right there.
READERS = [
    ("1.jpg", ("see", "--deck", "suds", "{path}"), ()),
    ("1.png", (*REFEREE, "--source", "{path}"), ("folder",)),
    ("1.mp4", (*REFEREE, "--source", "{path}"), ("folder",)),
    ("deck", (*PLAY, "--deck", "{path}"), ()),
    ("settings.toml", (*PLAY, "--settings", "{path}"), ()),
    ("presses.jsonl", (*PLAY, "--presses", "{path}"), ()),
    ("club.toml", (*PLAY, "--club", "{path}"), ()),
    ("script.txt", (*REFEREE, "--source", "simulated:{path}"), ()),
    ("events.jsonl", ("replay", "suds", "{path}"), ("pipe", "sparse")),
    ("game.fairdeal", ("open", "{path}", "--headless"), ()),
    ("game.fairdeal", ("label", "{path}"), ()),
    ("recording", ("report", "{path}", "--yes"), ()),
    ("deck", ("print", "deck", "{path}"), ()),
    ("1.jpg", ("calibrate", "table", "--from", "{path}"), ()),
    ("1.jpg", ("calibrate", "deck", "own", "--from", "{path}"), ()),
    ("1.jpg", ("calibrate", "deck", "suds", "--check", "{path}"), ("folder",)),
    ("signals.toml", ("calibrate", "signals", "--signals", "mock", "--yes", "--settings",
                      "{path}"), ()),
    ("board.toml", ("club", "--club", "{path}"), ()),
]  # fmt: skip
# A regular file may be replaced, so a sparse one as well; some take a folder.
WRITERS = [
    ("deck.pdf", ("print", "deck", "suds", "--out", "{path}"), ("sparse",)),
    ("board.pdf", ("print", "board", "--out", "{path}"), ("sparse",)),
    ("mat.pdf", ("print", "mat", "--size", "a4", "--out", "{path}"), ("sparse",)),
    ("check.html", ("calibrate", "check", "--from", "{good}", "--page", "{path}"), ("sparse",)),
    ("proof.jpg", ("calibrate", "light", "--from", "{good}", "--proof", "{path}"), ("sparse",)),
    ("store", ("calibrate", "light", "--from", "{good}", "--store", "{path}"), ("folder",)),
    ("draw", ("see", "--deck", "suds", "--draw", "{path}", "{good}/0.png"), ("folder",)),
    ("own", ("calibrate", "deck", "own", "--from", "{good}", "--out", "{path}/deck"), ("folder",)),
]


@pytest.fixture(autouse=True)
def good(tmp_path, monkeypatch):
    """A folder with a picture; nothing is read from or left in the user's own folders."""
    monkeypatch.setenv("FAIRDEAL_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Eyes, "open", classmethod(lambda cls, deck, *_: NoEyes()))
    folder = tmp_path / "good"
    folder.mkdir()
    noise = np.random.default_rng(1).normal(120, 4, (90, 160, 3))
    cv2.imwrite(str(folder / "0.png"), noise.clip(0, 255).astype(np.uint8))
    return folder


@contextmanager
def within_limit():
    """The command must come back."""

    def late(number, frame):
        raise AssertionError("the command waits")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(LIMIT_S)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def refused(capsys, words, path, good):
    """The one line with which a command refuses; neither the path nor its folder changes."""
    before = (os.lstat(path), sorted(os.listdir(path.parent)))
    with within_limit():
        code = main([word.format(path=path, good=good) for word in words])
    said = capsys.readouterr().err
    assert code == 2 and said.count("\n") == 1 and "expected " in said, said
    after = os.lstat(path)
    assert (after.st_mode, after.st_ino, after.st_size) == (
        before[0].st_mode, before[0].st_ino, before[0].st_size,
    )  # fmt: skip
    assert sorted(os.listdir(path.parent)) == before[1]
    return said


def special(tmp_path, name, kind):
    """A file, socket, … of that kind, alone in a folder."""
    path = tmp_path / "special" / name
    path.parent.mkdir()
    KINDS[kind](path)
    if name.endswith(".toml") and path.is_file():
        path.chmod(0o600)
    return path


@pytest.mark.parametrize(
    ("name", "words", "kind"),
    [(name, words, kind) for name, words, right in READERS for kind in KINDS if kind not in right],
    ids=lambda value: str(value)[-40:],
)
def test_what_is_no_file_is_not_read(capsys, tmp_path, good, name, words, kind):
    refused(capsys, words, special(tmp_path, name, kind), good)


@pytest.mark.parametrize(
    ("name", "words", "kind"),
    [(name, words, kind) for name, words, right in WRITERS for kind in KINDS if kind not in right],
    ids=lambda value: str(value)[-40:],
)
def test_what_is_no_file_is_not_written(capsys, tmp_path, good, name, words, kind):
    refused(capsys, words, special(tmp_path, name, kind), good)


@pytest.mark.parametrize(("name", "words", "right"), WRITERS, ids=lambda value: str(value)[-40:])
def test_a_missing_folder_is_asked_for(capsys, tmp_path, good, name, words, right):
    path = tmp_path / "missing" / name
    with within_limit():
        assert main([word.format(path=path, good=good) for word in words]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "make it first, with mkdir -p" in said
    assert not path.parent.exists()


def test_replay_reads_a_pipe(capsys, tmp_path):
    path = tmp_path / "events"
    os.mkfifo(path)
    line = '{"at": 1.0, "event": "pressed", "button": "start"}\n'
    writer = threading.Thread(target=lambda: path.write_text(line))
    writer.start()
    with within_limit():
        assert main(["replay", "suds", str(path)]) == 0
    writer.join()


@pytest.mark.parametrize("number", ["9" * 5000, "0x" + "f" * 5000, "[" * 20_000, "1e99999"])
@pytest.mark.parametrize("key", ["width_mm", "corner_mm"])
def test_a_deck_with_a_number_beyond_all_bounds(capsys, tmp_path, key, number):
    folder = tmp_path / "deck"
    shutil.copytree(SHIPPED / "suds", folder)
    text = (folder / "deck.toml").read_text(encoding="utf-8")
    lines = [f"{key} = {number}" if line.startswith(key) else line for line in text.splitlines()]
    (folder / "deck.toml").write_text("\n".join(lines), encoding="utf-8")
    assert main(["print", "deck", str(folder)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "expected " in said


@pytest.mark.parametrize("seed", range(12))
def test_a_deck_whose_art_is_damaged(capsys, tmp_path, seed):
    rng = np.random.default_rng(seed)
    folder = tmp_path / "deck"
    shutil.copytree(SHIPPED / "suds", folder)
    art = folder / "faces" / "hat.svg"
    data = bytearray(art.read_bytes())
    if seed % 3 == 0:
        data = bytearray(rng.bytes(400))
    else:
        data[int(rng.integers(len(data)))] ^= 1 << int(rng.integers(8))
    art.write_bytes(bytes(data))
    code = main(["print", "deck", str(folder), "--out", str(tmp_path / "deck.pdf")])
    said = capsys.readouterr().err
    assert (code, said.count("\n")) in ((0, 0), (2, 1)), said
    assert code == 2 or (tmp_path / "deck.pdf").is_file()
