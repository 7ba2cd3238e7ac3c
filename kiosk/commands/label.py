"""`fairdeal label FILE`: what really happened in a recording, said event by event on a page."""

from __future__ import annotations

import argparse
from pathlib import Path

from calibration.arguments import port


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Adds `label FILE`."""
    parser = subparsers.add_parser("label", help="say what really happened in a recording")
    add = parser.add_argument
    add("file", type=Path, metavar="FILE", help="a .fairdeal file, or a recording's folder")
    add("--out", type=Path, metavar="FILE", help="the truth (default: FILE with the ending .json, "
        "or truth.json in the folder)")  # fmt: skip
    add("--port", type=port, default=8081, metavar="P", help="of the page (default: 8081)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serves the page until Ctrl-C. Raises FairdealError."""
    import asyncio
    from contextlib import suppress

    from host.scratch import scratch_folder
    from kiosk.field.opening import opened_recording
    from kiosk.field.recording import read_recording
    from kiosk.field.truth import truth_path
    from kiosk.web.labelling import Labelling, serve_labelling
    from rules.files import check_writable

    out = check_writable(args.out or truth_path(args.file), "a file for the truth")
    with opened_recording(args.file) as folder, scratch_folder() as made:
        labelling = Labelling(read_recording(folder), out, args.file.resolve().name)
        with suppress(KeyboardInterrupt):
            asyncio.run(serve_labelling(labelling, args.port, made))
    return 0
