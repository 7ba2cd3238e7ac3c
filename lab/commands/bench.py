"""`fairdeal bench [PART…]`: the speed of each part on this machine."""

import argparse
from importlib import import_module

# Part → a module with `report() -> Iterator[str]`, lines for people as they are measured.
PARTS = {"rules": "lab.bench.rules", "vision": "lab.bench.vision"}


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Adds `bench [PART…]`."""
    parser = subparsers.add_parser("bench", help="measure how fast this machine is")
    # argparse checks no choices of an empty list, so the names are checked in run.
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; all")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints the report of each part. Raises FairdealError when there is no such part."""
    from rules.errors import FairdealError

    for part in args.parts:
        if part not in PARTS:
            raise FairdealError(f"parts: {', '.join(PARTS)}", ascii(part))
    for part in args.parts or PARTS:
        for line in import_module(PARTS[part]).report():
            print(line, flush=True)
    return 0
