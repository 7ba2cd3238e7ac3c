"""Opens what `fairdeal report` wrote, wherever it comes from: nothing in it is trusted.

A .fairdeal file is a zip. Only names that a report has are taken out, within the bounds that its
manifest declares, into a temporary folder; every byte is checked.
"""

from __future__ import annotations

import hashlib
import io
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import msgspec

from device.machine import disk_free
from host.scratch import scratch_folder
from kiosk.field.about import check_format
from kiosk.serving.schema import Message, read
from rules.errors import FairdealError
from rules.files import opened

MANIFEST = "manifest.json"
ENDING = ".fairdeal"
MOST_BYTES = 2 << 30  # of a report, and of all that is in it
MOST_TEXT = 64 << 20  # of a file that is no film
MOST_MANIFEST = 4 << 20
MOST_FILES = 20_000
MOST_DIRECTORY = 4 << 20  # bytes of the zip's own list of files
# Every name that a report has; nothing else is taken out of one.
NAMES = re.compile(
    r"(?:recording\.json|report\.json|truth\.json|game\.jsonl|overruled\.jsonl|kept\.jsonl"
    r"|deck/deck\.toml|deck/(?:taught|learned)\.npz|deck/faces/[A-Za-z0-9][A-Za-z0-9_-]{0,63}\.(?:jpg|png)"
    r"|calibration/camera-[0-9]{1,5}x[0-9]{1,5}\.toml|film/[0-9]{5}\.(?:mjpeg|jsonl))"
)
_PIECE = 1 << 20
_AGAIN = "ask for it once more"
_END, _END_BYTES, _MOST_COMMENT = b"PK\5\6", 22, 65_535
# What Python's reader raises for files that are none, or are damaged.
_DAMAGE = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, RuntimeError, NotImplementedError,
    OverflowError, UnicodeError, ValueError,
)  # fmt: skip


class Packed(Message, frozen=True):
    """A file of a report."""

    size: Annotated[int, msgspec.Meta(ge=0, le=MOST_BYTES)]
    sha256: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


class Manifest(Message, frozen=True):
    """`manifest.json`: every other file of a report with its size and checksum."""

    format: int
    version: Annotated[str, msgspec.Meta(max_length=200)]
    files: Annotated[dict[str, Packed], msgspec.Meta(max_length=MOST_FILES)]


class _Format(msgspec.Struct):
    format: int


@contextmanager
def opened_recording(path: Path) -> Iterator[Path]:
    """The folder of a recording: the one that is named, or what a report holds, unpacked."""
    if path.is_dir():
        yield path
        return
    with scratch_folder() as made:
        unpack(path, made)
        yield made


def unpack(path: Path, folder: Path) -> None:
    """Takes a report apart into an empty folder. FairdealError for one that is not whole."""
    expected = f"a {ENDING} file"
    with opened(path, expected) as file:
        try:
            _check_end(file, path)
            with zipfile.ZipFile(file) as packed:
                _unpack(packed, folder, path)
        except FairdealError:
            raise
        except _DAMAGE as error:
            found = f"a damaged one ({str(error)[:80] or type(error).__name__})"
            raise FairdealError(expected, found, _AGAIN, str(path)) from None


def _unpack(packed: zipfile.ZipFile, folder: Path, path: Path) -> None:
    entries = _entries(packed, path)
    head = entries.pop(MANIFEST, None)
    if head is None or head.file_size > MOST_MANIFEST:
        raise _refused(path, "a manifest", "none" if head is None else "a huge one")
    text = _read(packed, head, MOST_MANIFEST)
    check_format(read(_Format, text).format, str(path))
    manifest = read(Manifest, text)
    if set(manifest.files) != set(entries):
        raise _refused(path, "the files of its manifest", "others")
    total = sum(each.size for each in manifest.files.values())
    if total > MOST_BYTES:
        raise _refused(path, f"at most {MOST_BYTES >> 20} MB in it", f"{total >> 20} MB")
    free = disk_free(folder)
    if free is not None and total > free:
        raise FairdealError(f"{total >> 20} MB free on the disk", f"{free >> 20} MB", "free some")
    for name, entry in entries.items():
        _take(packed, entry, manifest.files[name], folder / name, path)


def _entries(packed: zipfile.ZipFile, path: Path) -> dict[str, zipfile.ZipInfo]:
    """The files of a report by name. FairdealError for a name or a kind that none has."""
    found: dict[str, zipfile.ZipInfo] = {}
    for entry in packed.infolist():
        name, mode = entry.filename, entry.external_attr >> 16
        if name in found or entry.orig_filename != name:
            raise _refused(path, "one file of each name", "two, or a name in disguise")
        if name != MANIFEST and NAMES.fullmatch(name) is None:
            raise _refused(path, "only a report's files", f"one named {ascii(name)[:60]}")
        if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
            raise _refused(path, "plain files", f"{name}, which is a link or a device")
        if entry.flag_bits & 0x1 or entry.compress_type not in (
            zipfile.ZIP_STORED,
            zipfile.ZIP_DEFLATED,
        ):
            raise _refused(path, "files that are stored plainly", f"{name} in another way")
        found[name] = entry
    if len(found) > MOST_FILES:
        raise _refused(path, f"at most {MOST_FILES} files", str(len(found)))
    return found


def _take(
    packed: zipfile.ZipFile, entry: zipfile.ZipInfo, said: Packed, to: Path, path: Path
) -> None:
    """One file, byte by byte within its size; a bomb never grows beyond it."""
    is_film = to.suffix == ".mjpeg"
    if said.size != entry.file_size or (said.size > MOST_TEXT and not is_film):
        raise _refused(path, f"{entry.filename} of a usual size", f"{entry.file_size} bytes")
    to.parent.mkdir(mode=0o700, exist_ok=True)
    checksum, left = hashlib.sha256(), said.size
    with packed.open(entry) as file, to.open("xb") as out:
        while piece := file.read(min(_PIECE, left + 1)):
            left -= len(piece)
            if left < 0:
                break
            checksum.update(piece)
            out.write(piece)
    if left or checksum.hexdigest() != said.sha256:
        raise _refused(path, f"{entry.filename} as it was written", "a damaged one", _AGAIN)


def _read(packed: zipfile.ZipFile, entry: zipfile.ZipInfo, most: int) -> bytes:
    with packed.open(entry) as file:
        return file.read(most)


def _check_end(file: io.BufferedReader, path: Path) -> None:
    """Bounds the list of files before it is read. A report is no zip64 and has no comment."""
    size = file.seek(0, io.SEEK_END)
    if size > MOST_BYTES:
        raise _refused(path, f"at most {MOST_BYTES >> 20} MB", f"{size >> 20} MB")
    file.seek(max(0, size - _END_BYTES))
    end = file.read(_END_BYTES)
    if len(end) < _END_BYTES or not end.startswith(_END):
        raise _refused(path, "a whole zip of `fairdeal report`", "another file, or a part", _AGAIN)
    count, directory, start = struct.unpack("<8xHxxII", end[:20].ljust(20, b"\0"))
    del start
    if count > MOST_FILES or directory > MOST_DIRECTORY:
        raise _refused(path, f"at most {MOST_FILES} files", f"{count}")
    file.seek(0)


def _refused(path: Path, expected: str, found: str, todo: str = "do not use it") -> FairdealError:
    return FairdealError(expected, found, todo, str(path))
