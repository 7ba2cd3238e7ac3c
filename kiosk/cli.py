"""The `fairdeal` command: finds the command's own file and turns errors into one line."""

import importlib
import pkgutil
import sys

from calibration import entry
from kiosk import commands


def build_parser() -> entry.Parser:
    """The whole command line; every file in `kiosk/commands` adds its own part."""
    parser = entry.Parser(prog="fairdeal", description="A referee for real card games.")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for module in sorted(pkgutil.iter_modules(commands.__path__), key=lambda m: m.name):
        importlib.import_module(f"kiosk.commands.{module.name}").add_parser(subparsers)
    return parser


def main(argv: list[str] | None = None) -> int:
    """Runs one command. Returns its exit code; 2 for what the user can mend."""
    return entry.run("fairdeal", build_parser, argv)


if __name__ == "__main__":
    sys.exit(main())
