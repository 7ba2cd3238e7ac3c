"""The pictures with known truth that the eyes are measured on."""

import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from kiosk.evaluate import Truth
from rules.errors import FairdealError

Item = tuple[str, np.ndarray, list[Truth]]


def stills(folder: Path) -> Iterator[Item]:
    """Photograph-like pictures with `truth.json` beside them."""
    for entry in _read(folder / "truth.json"):
        bgr = cv2.imread(str(folder / entry["image"]))
        truths = [Truth(np.float32(c["quad"]), c["face"] if c["face_up"] else "back", c["visible"])
                  for c in entry["cards"]]  # fmt: skip
        yield entry["image"], bgr, truths


def boxes(folder: Path) -> Iterator[Item]:
    """Real photographs with axis-aligned boxes in `labels.json`; the boxes stand for quads."""
    for entry in _read(folder / "labels.json"):
        bgr = cv2.imread(str(folder / "images" / Path(entry["image"]).name))
        truths = []
        for card in entry["cards"]:
            x0, y0, x1, y1 = card["box"]
            truths.append(
                Truth(np.float32([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]), card["label"], 1.0)
            )
        yield entry["image"], bgr, truths


def _read(path: Path):
    if not path.is_file():
        raise FairdealError(
            "a file with the truth", f"no file {path}", "name the folder of the set"
        )
    return json.loads(path.read_text(encoding="utf-8"))
