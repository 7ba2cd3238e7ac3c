"""A game as a short film: the frames around each call that has evidence, with the call drawn in.

`python -m kiosk.web.film EVIDENCE OUT.webm --title … [--overruled 3,7]` runs as a process of its
own at low priority, so that play and page keep the processor.
"""

from __future__ import annotations

import argparse
import os
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration import entry
from kiosk.overlay import COLOURS
from kiosk.web.evidence import read_evidence
from kiosk.web.pictures import Image
from rules.errors import FairdealError
from vision.sightings import UNKNOWN

NICE = 15  # of the process that encodes
_TEXT, _GROUND, _QUIET = (246, 248, 244), (15, 12, 10), (203, 192, 180)  # BGR
_FONT = cv2.FONT_HERSHEY_SIMPLEX


@dataclass(frozen=True, slots=True)
class FilmSettings:
    """How long and how large a film is. Lengths in px, times in s."""

    width: int = 960
    height: int = 640  # 100 px of it for the words
    fps: float = 10.0
    title_s: float = 1.5
    rest_s: float = 1.5  # the frame of the call stands still so long
    most_calls: int = 60  # the newest; with 4.5 s each a film has 4.5 minutes at most


def evidence_calls(folder: Path) -> list[int]:
    """The numbers of the calls with evidence in a game's folder, in order."""
    try:
        names = [path.name for path in folder.iterdir() if (path / "evidence.json").is_file()]
    except OSError:
        return []
    return sorted(int(name) for name in names if name.isdecimal())


def film_frames(
    folder: Path, title: str, overruled: frozenset[int], settings: FilmSettings
) -> Iterator[Image]:
    """The frames of a film, (height, width, 3) uint8 BGR. `overruled`: numbers of events."""
    numbers = evidence_calls(folder)[-settings.most_calls :]
    blank = np.full((settings.height - 100, settings.width, 3), _GROUND, np.uint8)
    counted = f"{len(numbers)} calls" if len(numbers) != 1 else "1 call"
    first = _worded(blank, title, counted, _TEXT, settings)
    yield from (first for _ in range(round(settings.title_s * settings.fps)))
    for n in numbers:
        found = read_evidence(folder.parent, folder.name, n)
        if found is not None:
            yield from _call_frames(folder / f"{n:06d}", found, overruled, settings)


def _call_frames(
    folder: Path, found: dict[str, Any], overruled: frozenset[int], settings: FilmSettings
) -> Iterator[Image]:
    call = found["call"]
    was_overruled = call["event"] in overruled
    colour = _QUIET if was_overruled else COLOURS.get(call["call"], _TEXT)
    for k, frame in enumerate(found["frames"]):
        picture = cv2.imread(str(folder / f"{k}.jpg"))
        if picture is None:
            continue
        shown = _fitted(_outlined(np.asarray(picture, np.uint8), frame["cards"], call), settings)
        is_called = k >= found["rest"]
        head = f"{int(call['at']) // 60}:{int(call['at']) % 60:02d}"
        head += "  overruled by the players" if is_called and was_overruled else ""
        words = call["message"] if is_called else ""
        still = _worded(shown, words, head, colour, settings)
        count = 1 + round(settings.rest_s * settings.fps) * (k == found["rest"])
        yield from (still for _ in range(count))


def _fitted(picture: Image, settings: FilmSettings) -> Image:
    """The picture within the film's upper part, at its own shape."""
    room = np.full((settings.height - 100, settings.width, 3), _GROUND, np.uint8)
    scale = min(room.shape[1] / picture.shape[1], room.shape[0] / picture.shape[0])
    size = (round(picture.shape[1] * scale), round(picture.shape[0] * scale))
    x, y = (room.shape[1] - size[0]) // 2, (room.shape[0] - size[1]) // 2
    room[y : y + size[1], x : x + size[0]] = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return room


def _outlined(picture: Image, cards: Sequence[dict[str, Any]], call: dict[str, Any]) -> Image:
    """The cards outlined, the call's in its colour."""
    height, width = picture.shape[:2]
    for card in cards:
        is_it = card["face"] == call["card"] and card["place"] in (call["place"], None)
        may_be_hand = card["state"] == "coming" and card["face"] == UNKNOWN
        if (card["state"] == "covered" or may_be_hand) and not is_it:
            continue
        quad = np.array(card["quad"]) * [width, height]
        colour = COLOURS.get(call["call"], _TEXT) if is_it else _TEXT
        points = [np.round(quad).astype(np.int32)]
        cv2.polylines(picture, points, True, colour, 4 if is_it else 1, cv2.LINE_AA)
    return picture


def _worded(
    room: Image, words: str, head: str, colour: tuple[int, int, int], settings: FilmSettings
) -> Image:
    """The picture with the words below it, in two lines at most."""
    frame = np.full((settings.height, settings.width, 3), _GROUND, np.uint8)
    frame[: room.shape[0]] = room
    y = room.shape[0] + 26
    cv2.putText(frame, ascii_text(head), (16, y), _FONT, 0.6, _QUIET, 1, cv2.LINE_AA)
    for line in textwrap.wrap(ascii_text(words), 56)[:2]:
        y += 32
        cv2.putText(frame, line, (16, y), _FONT, 0.85, colour, 2, cv2.LINE_AA)
    return frame


def ascii_text(text: str) -> str:
    """OpenCV's drawing font has ASCII only."""
    return text.replace("…", "...").replace("–", "-").encode("ascii", "replace").decode()


def write_film(path: Path, frames: Iterator[Image], settings: FilmSettings) -> int:
    """Writes a WebM (VP8) and returns its number of frames. FairdealError: it cannot be written."""
    code = cv2.VideoWriter.fourcc(*"VP80")
    writer = cv2.VideoWriter(str(path), code, settings.fps, (settings.width, settings.height))
    if not writer.isOpened():
        raise FairdealError("an OpenCV that writes WebM", "none", "install opencv-python by pip")
    count = 0
    try:
        for frame in frames:
            writer.write(frame)
            count += 1
    finally:
        writer.release()
    return count


def build_parser() -> entry.Parser:
    """The arguments of the process."""
    parser = entry.Parser(prog="python -m kiosk.web.film", description="A game as a film.")
    parser.add_argument("folder", type=Path, help="a game's evidence")
    parser.add_argument("out", type=Path, help="the film, .webm")
    parser.add_argument("--title", default="")
    parser.add_argument("--overruled", default="", help="numbers of events, by commas")
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Writes the film. Raises FairdealError where there is nothing to show."""
    os.nice(NICE)
    cv2.setNumThreads(1)
    if not evidence_calls(args.folder):
        raise FairdealError("evidence of this game", "none", "it is kept while a page is served")
    overruled = frozenset(int(n) for n in args.overruled.split(",") if n.isdecimal())
    settings = FilmSettings()
    write_film(args.out, film_frames(args.folder, args.title, overruled, settings), settings)
    return 0


if __name__ == "__main__":
    sys.exit(entry.run("fairdeal page", build_parser, None))
