"""`python -m calibration`."""

import sys

from calibration import cli, entry


def build_parser() -> entry.Parser:
    """The command line of calibration alone."""
    parser = entry.Parser(prog="python -m calibration")
    cli.fill(parser)
    return parser


def main(argv: list[str] | None = None) -> int:
    """Runs one sub-command. Returns its exit code; 2 for an error that the user can mend."""
    return entry.run("calibration", build_parser, argv)


if __name__ == "__main__":
    sys.exit(main())
