"""What the sub-commands share: the camera's name, the store, and single pictures."""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from calibration import pictures, store
from rules.errors import FairdealError


def camera_name(args: argparse.Namespace) -> str:
    """The name under which this camera is stored: the source as it was typed."""
    return args.camera or args.source or "camera"


def store_folder(args: argparse.Namespace) -> Path:
    """The folder of the calibration files."""
    return args.store or store.default_folder()


def frames(args: argparse.Namespace, count: int) -> list[tuple[str, np.ndarray, float]]:
    """Up to `count` of (name, picture (H, W, 3), time in s) from the folder or the source.

    FairdealError if neither is named or no picture comes.
    """
    if args.folder:
        files = pictures.listed(args.folder)[:count]
        return [(path.name, pictures.read(path), i / 30) for i, path in enumerate(files)]
    if not args.source:
        raise FairdealError("pictures or a camera", "neither", "give --from DIR or --source S")
    from vision.sources import open_source

    out: list[tuple[str, np.ndarray, float]] = []
    with open_source(args.source) as source:
        while len(out) < count and (frame := source.read()) is not None:
            out.append((f"frame {frame.number}", frame.bgr, frame.at))
    if not out:
        raise FairdealError("pictures from the source", "none", "run `fairdeal doctor`")
    return out


def quiet_picture(shots: Sequence[tuple[str, np.ndarray, float]]) -> np.ndarray:
    """The pixelwise median of pictures of one view: noise and a passing hand are out of it."""
    if len(shots) == 1 or len({picture.shape for _, picture, _ in shots}) > 1:
        return shots[-1][1]
    return np.median(np.stack([picture for _, picture, _ in shots]), axis=0).astype(np.uint8)
