"""`python -m calibration`."""

import argparse
import sys
from typing import NoReturn

from calibration import cli
from rules.errors import FairdealError


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        """Exit code 2."""
        self.exit(2, f"{self.prog}: {message}; see `{self.prog} --help`\n")


def main(argv: list[str] | None = None) -> int:
    """Runs one sub-command. Returns its exit code; 2 for what the user can mend."""
    parser = Parser(prog="python -m calibration")
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
