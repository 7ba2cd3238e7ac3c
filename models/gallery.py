"""A taught deck: an embedding and a template for each teaching picture, kept in `taught.npz`."""

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rules.errors import FairdealError
from rules.files import opened, write_file

VERSION = 1
BACK = "back"
MOST_PICTURES = 1024  # teaching pictures of a deck
MOST_MEMBER = 64 << 20  # bytes of one array, decompressed
VECTOR = 128  # values of an embedding, as the namer's network gives them
TEMPLATE = (160, 120, 3)  # px H × W and channels of a template
FINE = (480, 360)  # px H × W of a fine template: a suit mark is 60 px there and not 20
MOST_FINE = 380  # teaching pictures with fine templates; more would exceed MOST_MEMBER
LONGEST_NAME = 64  # characters


@dataclass(frozen=True, slots=True, eq=False)
class Gallery:
    """K teaching pictures as recognition compares them.

    faces: K names; a face may come more than once; "back" for a card's back.
    vectors: (K, V) float32, embeddings of unit length.
    templates: (K, H, W, 3) uint8 BGR, the upright cards cut to their corners.
    namer: checksum of the network that made the vectors.
    outline: (P, 2) float32, the cards' outline in shares of the template's width and height;
        None for a rectangle.
    fine: (K, *FINE) uint8, luminance of the same cards for the comparison of look-alikes; None in
        files of older versions, and for more than MOST_FINE pictures.
    """

    faces: tuple[str, ...]
    vectors: npt.NDArray[np.float32]
    templates: npt.NDArray[np.uint8]
    namer: str
    outline: npt.NDArray[np.float32] | None = None
    fine: npt.NDArray[np.uint8] | None = None

    @property
    def luminance(self) -> npt.NDArray[np.uint8]:
        """The fine templates (K, H, W); the templates' luminance where there are none."""
        if self.fine is not None:
            return self.fine
        weights = np.array([0.114, 0.587, 0.299], np.float32)  # BGR, ITU-R BT.601
        return np.rint(self.templates @ weights).astype(np.uint8)

    def joined(self, other: "Gallery") -> "Gallery":
        """Both galleries, of one deck and one namer, as one; the outline is this one's."""
        has_fine = self.fine is not None and other.fine is not None
        return Gallery(
            self.faces + other.faces,
            np.concatenate([self.vectors, other.vectors]),
            np.concatenate([self.templates, other.templates]),
            self.namer,
            self.outline,
            np.concatenate([self.fine, other.fine]) if has_fine else None,
        )

    def of(self, numbers: Sequence[int]) -> "Gallery":
        """Some of the pictures, in this order."""
        chosen = list(numbers)
        return replace(
            self,
            faces=tuple(self.faces[k] for k in chosen),
            vectors=self.vectors[chosen],
            templates=self.templates[chosen],
            fine=None if self.fine is None else self.fine[chosen],
        )

    def save(self, path: Path, **more: Any) -> None:
        """Replaces the file in one step, so that a power cut leaves the old one. `more`: further
        arrays by name.

        FairdealError where it cannot be written.
        """
        packed = io.BytesIO()
        if self.outline is not None:
            more["outline"] = self.outline
        if self.fine is not None and len(self.fine) <= MOST_FINE:
            more["fine"] = self.fine
        np.savez_compressed(
            packed,
            version=VERSION,
            faces=np.array(self.faces),
            vectors=self.vectors,
            looks=self.templates,
            namer=self.namer,
            **more,
        )
        write_file(path, packed.getvalue(), "a place for the taught deck")


def load_gallery(path: Path, namer: str) -> Gallery:
    """Reads a taught deck. FairdealError if it is missing, damaged, made by another network, or
    larger than its own data: each array's size is checked before it is allocated."""
    todo = "teach the deck again: `fairdeal calibrate deck`"
    if not path.is_file():
        raise FairdealError("a taught deck", f"no file {path}", todo)
    try:
        version, gallery = _read(path)
    except Exception as error:  # a damaged archive raises errors of many types
        what = str(error) if type(error) is ValueError else type(error).__name__
        raise FairdealError(
            "a file that `calibrate deck` wrote", f"{path}: {what}"[:300], todo
        ) from error
    if version != VERSION or gallery.namer != namer:
        raise FairdealError(
            "a deck taught with this namer's weights", f"{path} taught with others", todo
        )
    return gallery


def _read(path: Path) -> tuple[int, Gallery]:
    with opened(path, "a taught deck") as file, zipfile.ZipFile(file) as archive:
        faces = member(archive, "faces")
        gallery = Gallery(
            tuple(str(face) for face in faces.ravel()),
            member(archive, "vectors"),
            member(archive, "looks"),
            str(member(archive, "namer")),
            member(archive, "outline") if "outline.npy" in archive.namelist() else None,
            member(archive, "fine") if "fine.npy" in archive.namelist() else None,
        )
        version = int(member(archive, "version"))
    _check(gallery, faces)
    return version, gallery


def member(archive: zipfile.ZipFile, name: str) -> np.ndarray:
    """One array. ValueError if it is too large, or if its header disagrees with its data."""
    entry = archive.getinfo(f"{name}.npy")
    if entry.file_size > MOST_MEMBER:
        raise ValueError(f"more than {MOST_MEMBER >> 20} MB of {name}")
    with archive.open(entry) as file:
        data = file.read(entry.file_size)
    stream = io.BytesIO(data)
    major, _ = np.lib.format.read_magic(stream)
    read = (
        np.lib.format.read_array_header_1_0 if major == 1 else np.lib.format.read_array_header_2_0
    )
    shape, _, kind = read(stream)
    count = 1
    for side in shape:
        count *= side
    if kind.hasobject or count * kind.itemsize != len(data) - stream.tell():
        raise ValueError(f"{name} of another size than its header says")
    stream.seek(0)
    return np.lib.format.read_array(stream, allow_pickle=False)


def _check(gallery: Gallery, faces: np.ndarray) -> None:
    """ValueError for arrays of wrong kinds, shapes or values."""
    count = len(gallery.faces)
    vectors, templates, outline = gallery.vectors, gallery.templates, gallery.outline
    if faces.dtype.kind != "U" or faces.ndim != 1 or not 0 < count <= MOST_PICTURES:
        raise ValueError("faces that are no list of names")
    if not all(0 < len(face) <= LONGEST_NAME and face.isprintable() for face in gallery.faces):
        raise ValueError("a face without a usable name")
    if vectors.dtype != np.float32 or vectors.shape != (count, VECTOR):
        raise ValueError(f"vectors of {vectors.dtype} {vectors.shape} for {count} faces")
    if not (np.abs(np.linalg.norm(vectors, axis=1) - 1) < 0.01).all():
        raise ValueError("vectors that are not of unit length")
    if templates.dtype != np.uint8 or templates.shape != (count, *TEMPLATE):
        raise ValueError(f"templates of {templates.dtype} {templates.shape} for {count} faces")
    fine = gallery.fine
    if fine is not None and (fine.dtype != np.uint8 or fine.shape != (count, *FINE)):
        raise ValueError(f"fine templates of {fine.dtype} {fine.shape} for {count} faces")
    if outline is None:
        return
    if outline.dtype != np.float32 or outline.ndim != 2 or outline.shape[1] != 2:
        raise ValueError(f"an outline of {outline.dtype} {outline.shape}")
    if not 3 <= len(outline) <= 4096 or not (np.abs(outline - 0.5) <= 1).all():
        raise ValueError("an outline beyond its card")
