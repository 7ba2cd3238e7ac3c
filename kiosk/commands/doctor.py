"""`fairdeal doctor`: what works, what does not, and the command that mends it."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from calibration.arguments import threads

if TYPE_CHECKING:
    from calibration.finding import Finding


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Adds `doctor`."""
    parser = subparsers.add_parser("doctor", help="what is there, what is not, what to do")
    parser.add_argument("--store", type=Path, metavar="DIR", help="folder of the calibrations")
    parser.add_argument("--self-test", action="store_true", help="prove instead that this version "
        "works: pictures, rules, the journal and calibrations of the one before")  # fmt: skip
    parser.add_argument("--table", action="store_true", help="watch the table for two "
        "minutes while you do what is asked; say what will not work here")  # fmt: skip
    parser.add_argument("--source", metavar="S", help="with --table: as for `referee`; of a film, "
        "what it shows is judged")  # fmt: skip
    parser.add_argument("--asked", action="store_true", help="with --table: the film shows people "
        "who do what is asked, in order")  # fmt: skip
    parser.add_argument("--json", action="store_true", help="with --table: one JSON object")
    parser.add_argument("--language", default="en", choices=("en", "de"), help="with --table")
    parser.add_argument("--threads", type=threads, default=2, metavar="T", help="of the networks")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints the findings. 0; 1 if something is bad."""
    from calibration.system import opencv_fault

    fault = opencv_fault()
    if fault:
        print(f"bad   OpenCV: {fault}\n1 to mend; then run `fairdeal doctor` again")
        return 1
    import models
    from calibration import store
    from calibration.doctor import examine

    folder = args.store or store.default_folder()
    if args.table:
        return _check_table(args, folder)
    weights = Path(models.__file__).parent / "weights"
    findings = _self_test(weights, folder) if args.self_test else examine(folder, weights)
    bad = 0
    for finding in findings:
        print(f"{finding.state:5} {finding.name}: {finding.words}")
        if finding.todo:
            print(f"      → {finding.todo}")
        bad += finding.state == "bad"
    print(f"{bad} to mend" if bad else "nothing to mend")
    return 1 if bad else 0


def _check_table(args: argparse.Namespace, folder: Path) -> int:
    from kiosk.tablecheck.command import check_table
    from rules.errors import FairdealError

    if not args.source:
        raise FairdealError("a source of pictures", "none", "name it with --source")
    return check_table(args.source, folder, args.threads, args.language, is_json=args.json,
                       is_asked=args.asked)  # fmt: skip


def _self_test(weights: Path, calibrations: Path) -> Iterable[Finding]:
    from kiosk.appliance.selftest import self_test
    from kiosk.game.paths import default_journal

    return self_test(weights, calibrations, default_journal())
