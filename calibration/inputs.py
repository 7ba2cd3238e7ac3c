"""Inputs that the sub-commands share: the camera's name, the store, pictures."""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np

from calibration import pictures, preview, saved_setup, store
from rules.errors import FairdealError
from vision.scene import shift_estimate, view_shift
from vision.sources.source import Source

Shot = tuple[str, np.ndarray, float]
OTHER_VIEW = 15.0  # mean difference in grey levels of two views, if no shift can be measured


def camera_name(args: argparse.Namespace) -> str:
    """The name under which this camera is stored: by default the source as typed."""
    return store.public_name(args.camera or args.source or "camera")


def store_folder(args: argparse.Namespace) -> Path:
    """The folder of the calibration files."""
    return args.store or store.default_folder()


def frames(
    args: argparse.Namespace, count: int, hint: Callable[[np.ndarray], str] = lambda bgr: ""
) -> list[Shot]:
    """Up to `count` of (name, picture (H, W, 3), time in s) from the folder or the source.

    With a screen, a live camera's picture is shown first, with a hint on it.
    FairdealError if neither is named or no picture comes.
    """
    if args.folder:
        files = pictures.listed(args.folder)[:count]
        return [(path.name, pictures.read(path), i / 30) for i, path in enumerate(files)]
    if not args.source:
        raise FairdealError("pictures or a camera", "neither", "give --from DIR or --source S")
    with open_camera(args) as source:
        preview.aim(source, f"fairdeal calibrate {args.part}", hint)
        return taken(source, count)


def open_camera(args: argparse.Namespace) -> Source:
    """Opens the source and applies its locked light."""
    return saved_setup.open_lit(args.source, camera_name(args), store_folder(args), say)


def taken(source: Source, count: int) -> list[Shot]:
    """Up to `count` pictures of an open source; FairdealError if none comes."""
    from rich.progress import track

    out: list[Shot] = []
    quiet = not sys.stdout.isatty()
    for _ in track(range(count), description="taking pictures", transient=True, disable=quiet):
        frame = source.read()
        if frame is None:
            break
        out.append((f"frame {frame.number}", frame.bgr, frame.at))
    if not out:
        raise FairdealError("pictures from the source", "none", "run `fairdeal doctor`")
    return out


def say(line: str) -> None:
    """Prints a warning on standard error."""
    print(line, file=sys.stderr, flush=True)


def stored(args: argparse.Namespace, picture: np.ndarray) -> store.Calibration:
    """The stored calibration of the camera that took this picture, or an empty one.

    FairdealError if the file is damaged; it is not overwritten.
    """
    height, width = picture.shape[:2]
    return store.load_or_new(store_folder(args), camera_name(args), width, height)


def quiet_picture(shots: Sequence[Shot]) -> np.ndarray:
    """The pixelwise median of pictures of one view: it removes noise and a passing hand.

    FairdealError if the pictures show several views.
    """
    name, first, _ = shots[0]
    start = shift_estimate.reference(first)
    for other, picture, _ in shots[1:]:
        if picture.shape != first.shape or _is_elsewhere(start, first, picture):
            raise FairdealError(
                "pictures of one view", f"another view in {other} than in {name}",
                "give one picture, or several from a camera that stands still",
            )  # fmt: skip
    return np.median(np.stack([picture for _, picture, _ in shots]), axis=0).astype(np.uint8)


def _is_elsewhere(start: shift_estimate.Reference, first: np.ndarray, picture: np.ndarray) -> bool:
    shift = shift_estimate.shift_px(start, picture) if start.is_watchable else None
    if shift is not None:
        return shift > view_shift.limit_px(start)
    differ = _coarse(first) - _coarse(picture)
    return float(np.abs(differ - np.median(differ)).mean()) > OTHER_VIEW


def _coarse(picture: np.ndarray) -> np.ndarray:
    return cv2.resize(picture, (80, 60), interpolation=cv2.INTER_AREA).astype(np.float32)
