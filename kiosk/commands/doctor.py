"""`fairdeal doctor`: what works, what does not, and the command that mends it."""

import argparse
from pathlib import Path


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Adds `doctor`."""
    parser = subparsers.add_parser("doctor", help="what is there, what is not, what to do")
    parser.add_argument("--store", type=Path, metavar="DIR", help="folder of the calibrations")
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
    findings = examine(folder, Path(models.__file__).parent / "weights")
    for finding in findings:
        print(f"{finding.state:5} {finding.name}: {finding.words}")
        if finding.todo:
            print(f"      → {finding.todo}")
    bad = sum(finding.state == "bad" for finding in findings)
    print(f"{bad} to mend" if bad else "nothing to mend")
    return 1 if bad else 0
