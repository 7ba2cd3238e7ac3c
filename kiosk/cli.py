"""The `fairdeal` command: finds the command's own file and turns errors into one line."""

import argparse
import importlib
import pkgutil
import sys
from typing import NoReturn

from kiosk import commands
from rules.errors import FairdealError


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, as every command does."""

    def error(self, message: str) -> NoReturn:
        """Exit code 2; a message of argparse says what was expected and what was found."""
        self.exit(2, f"{self.prog}: {message}; see `{self.prog} --help`\n")


def build_parser() -> argparse.ArgumentParser:
    """The whole command line; every file in `kiosk/commands` adds its own part."""
    parser = Parser(prog="fairdeal", description="A referee for real card games.")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for module in sorted(pkgutil.iter_modules(commands.__path__), key=lambda m: m.name):
        importlib.import_module(f"kiosk.commands.{module.name}").add_parser(subparsers)
    return parser


def main(argv: list[str] | None = None) -> int:
    """Runs one command. Returns its exit code; 2 for what the user can mend."""
    args = build_parser().parse_args(argv)
    try:
        return args.run(args)
    except FairdealError as error:
        print(f"fairdeal: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
