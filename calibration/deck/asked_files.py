"""Keeps what is asked of a deck in its folder: `asked/asked.json` and a picture each."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from calibration.deck.deck_files import make_folder
from calibration.deck.ends import Asked
from calibration.deck.face_names import is_name
from calibration.deck.teach import TeachingPicture
from calibration.pictures import write
from models.picture_file import read_picture
from rules.errors import FairdealError
from rules.files import read_json, shown, write_file

FOLDER, LIST = "asked", "asked.json"
MOST = 1024  # questions of a deck
EXPECTED, TODO = "questions that `calibrate deck` wrote", "teach with --from again"
PARTS = "expected", "found", "todo", "where"


def keep_asked(deck_folder: Path, asked: Sequence[Asked]) -> None:
    """Replaces the questions that are kept in a deck's folder. FairdealError if they cannot be."""
    folder = deck_folder / FOLDER
    if folder.is_dir():
        shutil.rmtree(folder, ignore_errors=True)
    if not asked:
        return
    make_folder(folder)
    for one in asked:
        write(folder / f"{one.name}.jpg", one.bgr)
    entries = json.dumps([_entry(one) for one in asked], indent=1) + "\n"
    write_file(folder / LIST, entries, "a place for the questions")


def kept_asked(deck_folder: Path) -> list[Asked]:
    """The questions that are kept in a deck's folder. FairdealError for a damaged file."""
    path = deck_folder / FOLDER / LIST
    if not path.is_file():
        return []
    entries = read_json(path, EXPECTED, TODO)
    try:
        if not isinstance(entries, list) or len(entries) > MOST:
            raise ValueError("no list of questions")
        return [_asked(entry, path.parent) for entry in entries]
    except (ValueError, KeyError, TypeError) as error:
        raise FairdealError(EXPECTED, shown(str(error)), TODO, str(path)) from None


def _entry(one: Asked) -> dict[str, Any]:
    return {
        "name": one.name,
        "face": one.face,
        "scale": one.scale,
        "reason": {part: getattr(one.reason, part) for part in PARTS},
        "proposals": [
            {
                "quad": np.round(p.quad, 2).tolist(),
                "outline": None if p.outline is None else np.round(p.outline, 2).tolist(),
            }
            for p in one.proposals
        ],
    }


def _asked(entry: dict[str, Any], folder: Path) -> Asked:
    name, face, scale = str(entry["name"]), str(entry["face"]), float(entry["scale"])
    if not is_name(face) or not is_name(name.replace(".", "-")) or not 0 < scale <= 1:
        raise ValueError(f"a picture named {name!a}")
    bgr = read_picture(folder / f"{name}.jpg")
    reason = FairdealError(*(str(entry["reason"][part]) for part in PARTS))
    proposals = tuple(
        TeachingPicture(face, bgr, _points(one["quad"], 4), _outline(one["outline"]))
        for one in entry["proposals"]
    )
    return Asked(name, face, bgr, proposals, reason, scale)


def _outline(read: Any) -> np.ndarray | None:
    return None if read is None else _points(read)


def _points(read: Any, count: int | None = None) -> np.ndarray:
    points = np.array(read, np.float32)
    if points.ndim != 2 or points.shape[1] != 2 or not np.isfinite(points).all():
        raise ValueError("points that are none")
    if len(points) != (count or len(points)) or not 3 <= len(points) <= 4096:
        raise ValueError(f"{len(points)} points")
    return points
