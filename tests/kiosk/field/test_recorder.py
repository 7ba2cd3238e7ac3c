"""What is recorded of a game: every picture with its time, all that happened, nothing more."""

from __future__ import annotations

import random
import threading
import zlib
from collections import deque
from pathlib import Path

import numpy as np
import pytest
from patience import PATIENCE_S
from recorded import RATE, RecordedGame, recording_in, settings

from kiosk.field import recorder as recorder_module
from kiosk.field.about import ABOUT, FILM, read_about
from kiosk.field.film import Began, SegmentWriter, jpegs, read_segment
from kiosk.field.labels import items_of
from kiosk.field.recording import read_recording
from kiosk.field.space import Space, recordings_in
from kiosk.game.overruling import CardIs
from rules.errors import FairdealError
from rules.table.event import Placed
from vision.frame import Frame

SEED = 20_262


def filmed(folder, **of_field):
    with RecordedGame(folder, **of_field) as game:
        game.inbox.recording.turn(on=True)
        game.play()
    return game


def test_every_picture_is_kept_with_its_exact_time(tmp_path):
    game = filmed(tmp_path)
    found = read_recording(recording_in(tmp_path))
    frames = list(found.frames())
    assert [frame.at for frame in frames] == [round(k / RATE, 3) for k in range(game.number)]
    for frame in frames:
        colour = frame.bgr.reshape(-1, 3).mean(0)
        assert np.abs(colour - (frame.number % 200, 40, 255 - frame.number % 200)).max() < 6


def test_events_calls_and_overrulings_are_kept(tmp_path):
    with RecordedGame(tmp_path) as game:
        game.inbox.recording.turn(on=True)
        game.play()
        game.session.overrule(CardIs(4, "boxers"))
        game.film(0.5)
    found = read_recording(recording_in(tmp_path))
    cards = [line["card"] for line in found.lines if line.get("event") == "placed"]
    assert cards == ["hat", "t-shirt", "socks"]
    assert [call["call"] for call in found.calls] == ["mistake"]
    assert found.overruled == (CardIs(4, "boxers"),)


def test_nothing_is_recorded_until_it_is_switched_on(tmp_path):
    with RecordedGame(tmp_path) as game:
        game.play()
    assert list(tmp_path.iterdir()) == []


def test_one_that_begins_in_mid_game_knows_what_was_before(tmp_path):
    with RecordedGame(tmp_path) as game:
        game.play()
        game.inbox.recording.turn(on=True)
        game.film(2)
        game.inbox.recording.turn(on=False)
        game.film(2)
    found = read_recording(recording_in(tmp_path))
    assert found.segments[0].began.events == 4 and not found.is_whole
    assert len(found.events()) == 4
    assert found.pictures == 20


def test_a_power_cut_leaves_all_but_the_last_second(tmp_path):
    """The files as they are while the recorder still writes, cut off at every byte."""
    writer = SegmentWriter(tmp_path, 1, Began(at=0.0))
    jpeg = bytes(range(256)) * 4
    for k in range(40):
        writer.add(k / RATE, jpeg)
    film, index = (path.read_bytes() for path in writer.paths)
    written = index.count(b"\n") - 1
    assert written >= 40 - 1.1 * RATE  # of 40 pictures, at most a second's waits
    for cut in range(0, len(index), 37):
        writer.paths[1].write_bytes(index[:cut])
        found = read_segment(writer.paths[1])
        whole = index[:cut].count(b"\n")
        assert (found is None) == (whole == 0)
        if found is not None:
            assert len(found.pictures) == min(whole - 1, len(film) // len(jpeg))
            assert all(zlib.crc32(data) == line.crc for line, data in jpegs(found))
    writer.close()


def test_a_changed_picture_is_refused(tmp_path):
    filmed(tmp_path)
    folder = recording_in(tmp_path)
    path = next((folder / FILM).glob("*.mjpeg"))
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(FairdealError, match="as they were recorded"):
        list(read_recording(folder).frames())


def test_the_oldest_film_goes_first(tmp_path):
    for k in range(3):
        folder = tmp_path / f"{k}"
        (folder / FILM).mkdir(parents=True)
        (folder / ABOUT).write_text("{}")
        for number in (1, 2):
            writer = SegmentWriter(folder / FILM, number, Began(at=0.0))
            writer.add(0.0, bytes(400_000))
            writer.close()
    space = Space(tmp_path, 1, 0, free=lambda path: 10**12)
    assert space.make(tmp_path / "2" / FILM / "00002.mjpeg")
    assert [path.name for path in recordings_in(tmp_path)] == ["2"]
    assert len(list((tmp_path / "2" / FILM).glob("*.mjpeg"))) == 2


def test_a_disk_that_is_nearly_full_ends_the_recording_and_not_the_game(tmp_path, monkeypatch):
    monkeypatch.setattr("kiosk.field.space.Space._is_full", lambda self: True)
    game = filmed(tmp_path)
    assert any("nearly full" in line and "the game goes on" in line for line in game.said)
    assert not game.inbox.recording.is_on
    assert "nearly full" in game.inbox.recording.recorded.fault
    assert game.session.judged is not None


def test_a_disk_that_takes_nothing_ends_the_recording_and_not_the_game(tmp_path, monkeypatch):
    def refuse(self, at, jpeg):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(SegmentWriter, "add", refuse)
    game = filmed(tmp_path)
    assert any("No space left" in line for line in game.said)
    assert game.session.counts["mistake"] == 1


def test_a_slow_disk_drops_pictures_and_never_holds_the_game(tmp_path, monkeypatch):
    held = threading.Event()
    add = SegmentWriter.add
    monkeypatch.setattr(SegmentWriter, "add", lambda *of: (held.wait(PATIENCE_S), add(*of)))
    with RecordedGame(tmp_path) as game:
        game.inbox.recording.turn(on=True)
        picture = np.zeros((64, 96, 3), np.uint8)
        for k in range(50):
            game.recorder.see(Frame(picture, k / RATE, k))
        drops = game.inbox.recording.recorded.drops
        assert drops >= 50 - recorder_module.MOST_WAITING - 1
        held.set()
    found = read_recording(recording_in(tmp_path))
    assert found.pictures == 50 - drops
    assert found.about.drops == drops


def test_a_slow_disk_holds_a_recorded_source_and_drops_nothing(tmp_path, monkeypatch):
    held, full = threading.Event(), threading.Event()
    add = SegmentWriter.add

    class Queue(deque):
        def append(self, item):
            super().append(item)
            if len(self) >= recorder_module.MOST_WAITING:
                full.set()

    monkeypatch.setattr(SegmentWriter, "add", lambda *of: (held.wait(PATIENCE_S), add(*of)))
    monkeypatch.setattr(recorder_module, "deque", Queue)
    picture = np.zeros((64, 96, 3), np.uint8)
    with RecordedGame(tmp_path, is_live=False) as game:
        game.inbox.recording.turn(on=True)
        frames = [Frame(picture, k / RATE, k) for k in range(50)]
        player = threading.Thread(target=lambda: [game.recorder.see(frame) for frame in frames])
        player.start()
        assert full.wait(PATIENCE_S)
        held.set()
        player.join(PATIENCE_S)
        assert not player.is_alive()
    found = read_recording(recording_in(tmp_path))
    assert [frame.number for frame in found.frames()] == list(range(50))
    assert found.about.drops == 0 and not found.about.is_live


def test_a_disk_that_hangs_for_ever_takes_no_memory(tmp_path, monkeypatch):
    held = threading.Event()
    monkeypatch.setattr(SegmentWriter, "add", lambda *of: held.wait(PATIENCE_S))
    monkeypatch.setattr(recorder_module, "MOST_NEWS", 20)
    with RecordedGame(tmp_path) as game:
        game.inbox.recording.turn(on=True)
        game.recorder.see(Frame(np.zeros((64, 96, 3), np.uint8), 0.0, 0))
        for k in range(60):
            game.session.happen(Placed(0.1 * k, "hat", f"pile/{k % 5 + 1}", 1))
        assert not game.inbox.recording.is_on
        assert game.inbox.recording.recorded.fault == "the disk hangs"
        held.set()


def test_a_second_recording_of_the_same_second_has_a_folder_of_its_own(tmp_path):
    filmed(tmp_path)
    filmed(tmp_path)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert len(names) == 2 and names[1] == f"{names[0]}-1"


def test_a_newer_recording_is_refused_in_a_line(tmp_path):
    filmed(tmp_path)
    path = recording_in(tmp_path) / ABOUT
    path.write_text(path.read_text().replace('"format": 1', '"format": 2, "more": []'))
    with pytest.raises(FairdealError, match="format 2; update fairdeal"):
        read_about(path.parent)


def test_damaged_recordings_are_one_line_whatever_the_damage(tmp_path):
    """Bytes, numbers and lines of its texts changed at random places, by seed."""
    filmed(tmp_path)
    folder, rng = recording_in(tmp_path), random.Random(SEED)
    texts = [path for path in sorted(folder.rglob("*.json*")) if path.stat().st_size]
    for _ in range(400):
        path = rng.choice(texts)
        whole = data = path.read_bytes()
        at = rng.randrange(len(data))
        strange = rng.choice((b"1e999", b"-1", b"NaN", b"null", b"[]", b'"x"', b"9" * 30, b"\xff"))
        data = data[:at] + strange + data[at + rng.randrange(12) :]
        if rng.random() < 0.3:
            lines = data.splitlines(keepends=True)
            rng.shuffle(lines)
            data = b"".join(lines)
        path.write_bytes(data)
        try:
            found = read_recording(folder)
            items_of(found)
            found.events()
            list(found.frames())
        except FairdealError as error:
            assert "\n" not in str(error)
        path.write_bytes(whole)


def test_no_address_and_no_path_is_kept(tmp_path):
    game = filmed(tmp_path)
    folder: Path = recording_in(tmp_path)
    kept = b"".join(path.read_bytes() for path in folder.rglob("*.json*"))
    assert str(game.request.deck.folder).encode() not in kept
    assert settings().recording.most_mb == 4096
