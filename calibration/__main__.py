"""`python -m calibration`."""

import argparse
import sys

from calibration import cli
from rules.errors import FairdealError


def main(argv: list[str] | None = None) -> int:
    """Runs one sub-command. Returns its exit code; 2 for what the user can mend."""
    parser = argparse.ArgumentParser(prog="python -m calibration")
    cli.fill(parser)
    args = parser.parse_args(argv)
    try:
        return args.run(args)
    except FairdealError as error:
        print(f"calibration: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
