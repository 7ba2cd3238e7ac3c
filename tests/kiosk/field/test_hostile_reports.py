"""Reports that others made: what is refused, in one line, before it does harm."""

from __future__ import annotations

import io
import random
import stat
import struct
import zipfile
from pathlib import Path

import msgspec
import numpy as np
import pytest

from kiosk.field.film import decoded
from kiosk.field.opening import MANIFEST, MOST_FILES, unpack
from kiosk.field.recording import read_recording
from rules.errors import FairdealError

SEED = 20_261


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
