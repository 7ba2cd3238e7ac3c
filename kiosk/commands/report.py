"""`fairdeal report`: saves what a table recorded, or the seconds around a call, as one file."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from calibration.arguments import number, typed, whole

if TYPE_CHECKING:
    from kiosk.field.recording import Recording
    from kiosk.field.report import Mark, Wish


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Adds `report [RECORDING]`."""
    parser = subparsers.add_parser("report", help="save a recording, or a part, as one file")
    add = parser.add_argument
    add("recording", nargs="?", type=Path, metavar="RECORDING", help="its folder (default: the "
        "newest one of the page's switch)")  # fmt: skip
    moment = parser.add_mutually_exclusive_group()
    moment.add_argument("--call", type=whole(1, 10**6), metavar="N", help="the 30 s around the "
        "game's Nth call (default: the last one that was kept on the page, else all)")  # fmt: skip
    moment.add_argument(
        "--at", type=number(0, 1e9), metavar="S", help="the 30 s around this second"
    )
    moment.add_argument("--all", action="store_true", help="the whole recording")
    add("--names", type=typed, metavar="A,B,…", help="the players' names (default: seats only)")
    add("--note", type=typed, default="", metavar="TEXT", help="what was wrong")
    add("--part", metavar="X,Y,W,H", help="the part of the picture that stays, each from 0 to 1; "
        "the rest becomes black")  # fmt: skip
    add("--free", action="store_true", help="give it to everybody, for any use (CC0 1.0)")
    add("--out", type=Path, metavar="FILE", help="default: RECORDING.fairdeal, here")
    add("--yes", action="store_true", help="save without asking")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Returns 0; 1 where people do not want it saved. Raises FairdealError."""
    from kiosk.field.opening import ENDING
    from kiosk.field.recording import read_recording
    from kiosk.field.report import contents, write_report

    recording = read_recording(_folder(args.recording))
    wish = _wish(args, recording)
    out = args.out or Path(f"{recording.folder.resolve().name}{ENDING}")
    print(f"{out} will hold:")
    for line in contents(recording, wish).lines():
        print(f"  {line}")
    if not args.yes and not _is_wanted():
        return 1
    write_report(recording, wish, out)
    print(f"wrote {out} ({out.stat().st_size / 1e6:.1f} MB); it stays here until you pass it on")
    return 0


def _folder(named: Path | None) -> Path:
    from kiosk.field.space import recordings_in
    from kiosk.game.paths import recordings_folder
    from rules.errors import FairdealError

    if named is not None:
        return named
    found = recordings_in(recordings_folder())
    if not found:
        raise FairdealError("a recording", f"none in {recordings_folder()}",
                            "record on the page, or with `referee --record`")  # fmt: skip
    return found[-1]


def _wish(args: argparse.Namespace, recording: Recording) -> Wish:
    from kiosk.field.report import Wish, read_part
    from rules.errors import FairdealError

    names = tuple(name.strip()[:80] for name in (args.names or "").split(",") if name.strip())
    if len(names) > recording.about.players:
        raise FairdealError(f"{recording.about.players} names at most", str(len(names)))
    if len(args.note) > 200:
        raise FairdealError("a note of at most 200 characters", str(len(args.note)))
    part = None if args.part is None else read_part(args.part)
    wish = Wish(names=names, note=args.note, part=part, is_free=args.free)
    return replace(wish, mark=_mark(args, recording))


def _mark(args: argparse.Namespace, recording: Recording) -> Mark | None:
    from kiosk.field.report import Mark, mark_of, marks_in
    from rules.errors import FairdealError

    if args.all:
        return None
    if args.at is not None:
        return Mark(at=args.at, call="")
    if args.call is not None:
        calls = recording.calls
        if args.call > len(calls):
            raise FairdealError(f"a call from 1 to {len(calls)}", str(args.call),
                                "see them by `fairdeal open --as-recorded`")  # fmt: skip
        return mark_of(calls[args.call - 1])
    marks = marks_in(recording.folder)
    return marks[-1] if marks else None


def _is_wanted() -> bool:
    from rules.errors import FairdealError

    if not sys.stdin.isatty():
        raise FairdealError("a person who says yes", "no terminal", "look at it, then add --yes")
    return input("Save it? [y/N] ").strip().lower() in ("y", "yes", "j", "ja")
