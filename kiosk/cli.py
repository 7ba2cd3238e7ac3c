"""The `fairdeal` command: finds the command's own file and turns errors into one line."""

import importlib
import pkgutil
import sys
from collections.abc import Iterator
from importlib.util import find_spec

from calibration import entry
from kiosk.version import version

# The lab is named here and not imported: a table at play runs without it.
COMMAND_PACKAGES = ("kiosk.commands", "lab.commands")


def build_parser() -> entry.Parser:
    """The whole command line. Every module of the command packages adds its own part."""
    parser = entry.Parser(prog="fairdeal", description="A referee for real card games.")
    parser.add_argument("--version", action="version", version=f"fairdeal {version()}")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in sorted(_command_modules(), key=lambda name: name.rpartition(".")[2]):
        importlib.import_module(name).add_parser(subparsers)
    return parser


def _command_modules() -> Iterator[str]:
    """The full names of all command modules; packages that are not installed are left out."""
    for package in COMMAND_PACKAGES:
        spec = find_spec(package.partition(".")[0]) and find_spec(package)
        if spec:
            for module in pkgutil.iter_modules(spec.submodule_search_locations):
                yield f"{package}.{module.name}"


def main(argv: list[str] | None = None) -> int:
    """Runs one command. Returns its exit code; 2 for what the user can mend."""
    return entry.run("fairdeal", build_parser, argv)


if __name__ == "__main__":
    sys.exit(main())
