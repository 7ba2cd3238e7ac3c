"""`fairdeal see --deck D IMAGE…`: one JSON line an image, with the cards that are seen."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from calibration.arguments import threads

if TYPE_CHECKING:
    from vision.frame import Image
    from vision.sightings import Sightings


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Adds `see --deck D [--draw DIR] IMAGE…`."""
    parser = subparsers.add_parser("see", help="find and name the cards in pictures (JSON Lines)")
    parser.add_argument("images", nargs="+", type=Path, metavar="IMAGE")
    parser.add_argument("--deck", required=True, metavar="D", help="a shipped deck, or a folder")
    parser.add_argument("--draw", type=Path, metavar="DIR", help="write pictures drawn upon there")
    parser.add_argument("--threads", type=threads, default=2, help="of the networks (default 2)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints a line as soon as its image is seen; stops at the first that cannot be read."""
    import json

    from models.picture_file import read_picture
    from rules.files import check_folder
    from vision.recognition.eyes import Eyes
    from vision.recognition.in_parallel import ahead
    from vision.settings import VisionSettings

    if args.draw is not None:
        check_folder(args.draw, "a folder to draw into")
    eyes = Eyes.open(args.deck, args.threads)

    def look(path: Path) -> tuple["Image", "Sightings"]:
        bgr = read_picture(path)
        return bgr, eyes.see(bgr)

    for path, (bgr, seen) in zip(args.images, ahead(look, args.images, args.threads), strict=True):
        level = float(bgr.mean())
        if level < VisionSettings().dark_level:
            print(f"{path}: expected a picture light enough to see, found a mean level of "
                  f"{level:.0f} of 255; more light", file=sys.stderr, flush=True)  # fmt: skip
        print(json.dumps(_line(str(path), bgr.shape, seen)), flush=True)
        if args.draw is not None:
            _draw(args.draw, path, bgr, seen)
    return 0


def _line(name: str, shape: tuple[int, ...], seen: "Sightings") -> dict[str, object]:
    rows = zip(seen.faces, seen.confidences, seen.scores, seen.quads, seen.face_up, strict=True)
    sightings = [
        {
            "face": face,
            "confidence": round(float(sure), 4),
            "score": round(float(score), 4),
            "quad": [[round(float(x), 2), round(float(y), 2)] for x, y in quad],
            "face_up": bool(up),
        }
        for face, sure, score, quad, up in rows
    ]
    return {"image": name, "width": shape[1], "height": shape[0], "sightings": sightings}


def _draw(folder: Path, path: Path, bgr: "Image", seen: "Sightings") -> None:
    import cv2

    from kiosk.overlay import draw_sightings
    from rules.files import write_file

    suffix = path.suffix if cv2.haveImageWriter(path.name) else ".png"
    _, data = cv2.imencode(suffix, draw_sightings(bgr, seen))
    write_file(folder / path.name, data.tobytes(), "a picture to draw", "name another --draw")
