"""`fairdeal bench [PART…]`: the speed of each part on this machine."""

import argparse
from importlib import import_module
from pathlib import Path

# Part → a module with `report() -> Iterator[str]`, lines for people as they are measured.
PARTS = {"rules": "lab.bench.rules", "vision": "lab.bench.vision"}
# Measured only when they are named: they need a browser, or minutes.
ASKED = {
    "page": "lab.bench.page", "page-cost": "lab.bench.page_cost",
    "page-hours": "lab.bench.page_hours", "phone": "lab.bench.phone",
    "phone-ways": "lab.bench.phone_ways",
}  # fmt: skip
ENGINES = "engines"  # measured only when it is named, since it writes a setting


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Adds `bench [PART…]`."""
    parser = subparsers.add_parser("bench", help="measure how fast this machine is")
    # argparse checks no choices of an empty list, so the names are checked in run.
    words = f"{', '.join(PARTS)} (both if none is named); {ENGINES}: all engines of the networks; "
    words += "page, page-cost, page-hours: the page's latency, cost to play, memory over 6 hours; "
    words += "phone: from a card before a phone's camera to its call; phone-ways: WebSocket beside "
    words += "WebRTC"
    parser.add_argument("parts", nargs="*", metavar="PART", help=words)
    parser.add_argument(
        "--settings", type=Path, metavar="FILE",
        help="where `bench engines` writes its choice (default: this machine's settings)",
    )  # fmt: skip
    parser.add_argument("--dry-run", action="store_true", help="`bench engines` writes nothing")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints the report of each part. Raises FairdealError when there is no such part."""
    from rules.errors import FairdealError

    for part in args.parts:
        if part not in (*PARTS, *ASKED, ENGINES):
            raise FairdealError(f"parts: {', '.join((*PARTS, *ASKED, ENGINES))}", ascii(part))
    for part in args.parts or PARTS:
        if part == ENGINES:
            _bench_engines(args)
        else:
            for line in import_module((PARTS | ASKED)[part]).report():
                print(line, flush=True)
    return 0


def _bench_engines(args: argparse.Namespace) -> None:
    from calibration.settings import own_settings, write_table
    from lab.bench.engines import choose, measure, reason, told

    results = []
    for result in measure():
        results.append(result)
        print(told(result), flush=True)
    choice = choose(results)
    print("fastest that keeps the accuracy: " + ", ".join(f"{k} {v}" for k, v in choice.items()))
    if not args.dry_run:
        path = args.settings or own_settings()
        write_table(path, ENGINES, choice | {"reason": reason(results)})
        print(f"written into {path}")
