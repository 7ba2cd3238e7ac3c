"""Reports: what is in them, and what is refused of files that others made."""

from __future__ import annotations

import io
import json
import os
import random
import stat
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import msgspec
import numpy as np
import pytest
from recorded import RecordedGame, recording_in

from kiosk.cli import main
from kiosk.field.film import decoded, jpegs
from kiosk.field.opening import MANIFEST, MOST_FILES, opened_recording, unpack
from kiosk.field.recording import read_recording
from kiosk.field.report import Mark, Wish, contents, keep_mark, mark_of, write_report
from rules.errors import FairdealError

SEED = 20_261


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """A game of some 17 s with a mistake at its end."""
    folder = tmp_path_factory.mktemp("recordings")
    with RecordedGame(folder) as game:
        game.inbox.recording.turn(on=True)
        game.play()
    return read_recording(recording_in(folder))


@pytest.fixture(scope="module")
def report(recording, tmp_path_factory):
    """The whole recording as a report."""
    out = tmp_path_factory.mktemp("report") / "whole.fairdeal"
    return write_report(recording, Wish(note="socks"), out)


def test_a_report_reads_back_as_it_was_recorded(recording, report):
    with opened_recording(report) as folder:
        found = read_recording(folder)
        assert found.lines == recording.lines and found.about == recording.about
        kept = [jpeg for segment in found.segments for _, jpeg in jpegs(segment)]
    assert kept == [jpeg for segment in recording.segments for _, jpeg in jpegs(segment)]


def test_it_holds_the_seconds_around_a_call_and_what_was_before(recording, tmp_path, monkeypatch):
    monkeypatch.setattr("kiosk.field.report.AFTER_S", 2.0)
    wish = Wish(mark=Mark(at=2.0, call="mistake"))
    out = write_report(recording, wish, tmp_path / "part.fairdeal")
    with opened_recording(out) as folder:
        found = read_recording(folder)
    assert found.until < recording.until
    assert contents(recording, wish).pictures == found.pictures
    assert len(found.events()) < len(recording.events())


def test_players_are_seats_unless_their_names_are_wanted(recording, tmp_path):
    for names, expected in (((), []), (("Ada", "Max"), ["Ada", "Max"])):
        out = write_report(recording, Wish(names=names), tmp_path / f"{len(names)}.fairdeal")
        with opened_recording(out) as folder:
            assert read_recording(folder).about.names == expected
    assert "names: none, seats only" in list(contents(recording, Wish()).lines())


def test_outside_the_chosen_part_the_picture_is_black(recording, tmp_path):
    wish = Wish(part=(0.5, 0.0, 0.5, 1.0))
    with opened_recording(write_report(recording, wish, tmp_path / "a.fairdeal")) as folder:
        _, jpeg = next(jpegs(read_recording(folder).segments[0]))
    bgr = decoded(jpeg, "picture")
    width = bgr.shape[1]
    assert bgr[:, : width // 2 - 8].max() < 12 < np.median(bgr[:, width // 2 + 8 :])


@pytest.mark.parametrize(
    "text",
    ["", "1,2,3", "a,b,c,d", "0,0,0,1", "0.5,0,0.6,1", "-0.1,0,0.5,1", "0,0,nan,1", "0,0,1,9"],
)
def test_a_part_that_is_none_is_refused(recording, tmp_path, capsys, text):
    words = ["report", str(recording.folder), "--out", str(tmp_path / "x.fairdeal"), "--yes"]
    assert main([*words, f"--part={text}"]) == 2
    assert capsys.readouterr().err.count("\n") == 1 and not (tmp_path / "x.fairdeal").exists()


def test_the_command_takes_the_part_of_the_picture(recording, tmp_path, capsys):
    out = tmp_path / "p.fairdeal"
    words = ["report", str(recording.folder), "--all", "--out", str(out), "--yes"]
    assert main([*words, "--part", "0.5,0,0.5,1"]) == 0
    with opened_recording(out) as folder:
        bgr = next(read_recording(folder).frames()).bgr
    assert bgr[:, : bgr.shape[1] // 2 - 8].max() < 12
    capsys.readouterr()
    assert main(["open", str(out), "--as-recorded"]) == 0
    assert capsys.readouterr().out.count('"call"') == len(recording.calls)


def test_a_moment_that_was_not_filmed_is_refused(recording, tmp_path):
    with pytest.raises(FairdealError, match="a moment of the film"):
        write_report(recording, Wish(mark=Mark(at=99.0, call="mistake")), tmp_path / "x")


def test_nothing_is_written_over_and_nothing_is_left_of_a_failure(recording, report, monkeypatch):
    with pytest.raises(FairdealError, match="which exists"):
        write_report(recording, Wish(), report)
    monkeypatch.setattr("kiosk.field.report.MOST_BYTES", 10)
    with pytest.raises(FairdealError, match="save the part"):
        write_report(recording, Wish(), report.with_name("other.fairdeal"))
    assert [path.name for path in report.parent.iterdir()] == [report.name]


def test_the_command_shows_what_is_in_it_before_it_saves(recording, tmp_path, capsys):
    keep_mark(recording.folder, mark_of(recording.calls[0]))
    out = tmp_path / "c.fairdeal"
    words = ["report", str(recording.folder), "--out", str(out)]
    assert main(words) == 2  # no terminal to ask at
    shown = capsys.readouterr().out
    assert "film: " in shown and "names: none" in shown and not out.exists()
    assert main([*words, "--yes"]) == 0 and out.is_file()
    assert main(["open", str(out), "--as-recorded"]) == 0
    assert '"call": "mistake"' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("names", "note"),
    [("Jörg,Zoë", "das waren Socken: »grün«"), ("李雷,さくら", "これは違う"), ("Ωμέγα,שרה", "خطأ")],
)
def test_a_report_is_the_same_in_any_language_and_script(recording, tmp_path, names, note):
    """Also where the machine's own language has none of these letters."""
    out = tmp_path / "spiel-ß-局.fairdeal"
    words = ["report", str(recording.folder), "--all", "--yes", "--out", str(out)]
    command = [sys.executable, "-X", "utf8=0", "-m", "kiosk.cli", *words]
    command += ["--names", names, "--note", note]
    machine = {**os.environ, "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(command, env=machine, capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    with opened_recording(out) as folder:
        found = read_recording(folder)
        said = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    assert ",".join(found.about.names) == names and said["note"] == note
    assert found.calls == recording.calls and found.events() == recording.events()


# -- hostile files --------------------------------------------------------------------------


def repacked(report: Path, tmp_path: Path, change) -> Path:
    """A copy of a report whose files `change` (name → bytes) was allowed to change."""
    with zipfile.ZipFile(report) as packed:
        files = {name: packed.read(name) for name in packed.namelist()}
    out = tmp_path / "hostile.fairdeal"
    with zipfile.ZipFile(out, "w") as packed:
        for name, data in change(files).items():
            packed.writestr(name, data)
    return out


def refused(path: Path, tmp_path: Path) -> str:
    folder = tmp_path / "unpacked"
    folder.mkdir(exist_ok=True)
    with pytest.raises(FairdealError) as error:
        unpack(path, folder)
    assert "\n" not in str(error.value)
    assert {each.name for each in tmp_path.iterdir()} <= {"unpacked", path.name}
    return str(error.value)


@pytest.mark.parametrize(
    "name",
    ["../evil", "/etc/evil", "film/../../evil", "deck\\..\\evil", "film/00001.exe", "a\0b",
     "deck/faces/..jpg", "deck/faces/" + "x" * 300 + ".jpg", "film/", "FILM/00001.mjpeg"],
)  # fmt: skip
def test_a_name_that_no_report_has_is_refused(report, tmp_path, name):
    path = repacked(report, tmp_path, lambda files: files | {name: b"x"})
    said = refused(path, tmp_path)
    assert "only a report's files" in said or "disguise" in said


def test_links_twins_and_encrypted_files_are_refused(report, tmp_path):
    for kind in ("link", "twin"):
        path = repacked(report, tmp_path, dict)
        with zipfile.ZipFile(path, "a") as packed, pytest.warns() if kind == "twin" else _calm():
            entry = zipfile.ZipInfo("truth.json" if kind == "link" else "game.jsonl")
            entry.external_attr = (stat.S_IFLNK if kind == "link" else stat.S_IFREG) << 16
            packed.writestr(entry, "/etc/passwd")
        assert "plain files" in refused(path, tmp_path) or kind == "twin"


def _calm():
    return io.BytesIO()  # a context that does nothing


def test_a_bomb_is_refused_before_it_grows(report, tmp_path):
    bomb = bytes(300 << 20)

    def change(files):
        manifest = msgspec.json.decode(files[MANIFEST])
        manifest["files"]["game.jsonl"]["size"] = 10
        return files | {"game.jsonl": bomb, MANIFEST: msgspec.json.encode(manifest)}

    with zipfile.ZipFile(report) as packed:
        files = {name: packed.read(name) for name in packed.namelist()}
    path = tmp_path / "bomb.fairdeal"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in change(files).items():
            packed.writestr(name, data)
    refused(path, tmp_path)
    grown = sum(each.stat().st_size for each in tmp_path.rglob("*") if each.is_file())
    assert grown < 5 << 20


def test_a_lie_about_sizes_in_the_zip_itself_is_refused(report, tmp_path):
    """The zip says a small size, the manifest too, and the data goes on."""
    data = bytearray(report.read_bytes())
    name = b"game.jsonl"
    at = data.rfind(b"PK\1\2", 0, data.rfind(name))
    struct.pack_into("<I", data, at + 24, 5)
    path = tmp_path / "lie.fairdeal"
    path.write_bytes(data)
    refused(path, tmp_path)


def test_a_newer_report_is_refused_by_one_line(report, tmp_path):
    def newer(files):
        manifest = msgspec.json.decode(files[MANIFEST]) | {"format": 2, "signature": "x"}
        return files | {MANIFEST: msgspec.json.encode(manifest)}

    assert "update fairdeal" in refused(repacked(report, tmp_path, newer), tmp_path)


@pytest.mark.parametrize("change", ["missing", "more", "no manifest", "changed"])
def test_files_that_do_not_keep_to_the_manifest_are_refused(report, tmp_path, change):
    def changed(files):
        if change == "missing":
            del files["game.jsonl"]
        elif change == "more":
            files["truth.json"] = b"{}"
        elif change == "no manifest":
            del files[MANIFEST]
        else:
            files["game.jsonl"] = files["game.jsonl"].replace(b"hat", b"cat")
        return files

    refused(repacked(report, tmp_path, changed), tmp_path)


def test_a_giant_picture_is_refused(report, tmp_path):
    """A JPEG whose head says 60,000 px: it is not decoded."""
    jpeg = bytearray(cv_jpeg())
    at = jpeg.find(b"\xff\xc0")
    struct.pack_into(">HH", jpeg, at + 5, 60_000, 60_000)
    with pytest.raises(FairdealError, match="usual size"):
        decoded(bytes(jpeg), "a film")


def cv_jpeg() -> bytes:
    from kiosk.field.writing import jpeg_encoder

    return jpeg_encoder(80)(np.zeros((64, 64, 3), np.uint8))


def test_a_list_of_too_many_files_is_not_read(tmp_path):
    path = tmp_path / "many.fairdeal"
    path.write_bytes(struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 65535, 65535, 5 << 20, 0, 0))
    assert f"at most {MOST_FILES} files" in refused(path, tmp_path)


def test_damaged_reports_are_one_line_whatever_the_damage(report, tmp_path):
    """Bytes changed, cut out, doubled and swapped at random places, by seed."""
    whole, rng = report.read_bytes(), random.Random(SEED)
    folder = tmp_path / "unpacked"
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(rng.randint(1, 3)):
            # The zip's own structures stand at the end: half of the damages go there.
            low = max(0, len(data) - 4000) if rng.random() < 0.5 else 0
            at = rng.randrange(low, len(data))
            kind = rng.randrange(4)
            if kind == 0:
                data[at] ^= 1 << rng.randrange(8)
            elif kind == 1:
                del data[at : at + rng.randint(1, 400)]
            elif kind == 2:
                data[at:at] = data[at : at + rng.randint(1, 400)]
            else:
                data[at : at + 4] = rng.randbytes(4)
            if len(data) < 100:
                break
        path = tmp_path / "damaged.fairdeal"
        path.write_bytes(data)
        folder.mkdir()
        try:
            unpack(path, folder)
            read_recording(folder)  # a damage between the files changes nothing
        except FairdealError as error:
            assert "\n" not in str(error)
        for each in sorted(folder.rglob("*"), reverse=True):
            each.rmdir() if each.is_dir() else each.unlink()
        folder.rmdir()
