"""Start and end of every command: errors that a user can mend are one line, never a traceback."""

import argparse
import errno
import io
import os
import signal
import sys
from collections.abc import Callable
from typing import NoReturn, TextIO

from calibration.system import library_fault
from host import stopping
from rules.errors import FairdealError

BROKEN_PIPE = 141  # a shell's exit code for a closed pipe: 128 + SIGPIPE


class Parser(argparse.ArgumentParser):
    """Reports a wrong command line in one line."""

    def error(self, message: str) -> NoReturn:
        """Exits with code 2; argparse's message names what was expected and found."""
        self.exit(2, f"{self.prog}: {message}; see `{self.prog} --help`\n")


def run(name: str, build: Callable[[], argparse.ArgumentParser], argv: list[str] | None) -> int:
    """Runs the command that `argv` names (None: the program's own arguments).

    Returns its exit code: 2 for an error that the user can mend, 128 + n for signal n (SIGTERM,
    SIGHUP). A closed pipe (`| head -1`) or a closed terminal ends it quietly.
    """
    _print_anything(sys.stdout, sys.stderr)
    terminals = [each for each in (sys.stdout, sys.stderr) if each is not None and each.isatty()]
    with stopping.stopping(stopping.leave, (signal.SIGTERM, signal.SIGHUP)):
        code = _ended(name, build, argv, terminals)
        return 128 + stopping.told() if stopping.told() else code


def _ended(
    name: str, build: Callable[[], argparse.ArgumentParser], argv: list[str] | None,
    terminals: list[TextIO],
) -> int:  # fmt: skip
    try:
        try:
            return _run(name, build, argv)
        finally:  # also after argparse's help, which raises SystemExit
            if sys.stdout is not None:
                sys.stdout.flush()  # otherwise a closed pipe is noticed only at exit
    except BrokenPipeError:
        _discard(sys.stdout, sys.stderr)
        return BROKEN_PIPE
    except OSError as error:
        # A closed terminal may be written to before its signal is heard.
        if error.errno == errno.EIO and not all(each.isatty() for each in terminals):
            _discard(sys.stdout, sys.stderr)
            return 128 + signal.SIGHUP
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        _discard(sys.stdout)
        failure = FairdealError(
            "space for the output", str(error.strerror), "free some space there"
        )
        print(f"{name}: {failure}", file=sys.stderr)
        return 2


def _print_anything(*streams: TextIO | None) -> None:
    """Characters that the locale lacks are printed as escapes, which JSON reads back."""
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _discard(*streams: TextIO | None) -> None:
    """Redirects streams to nowhere: buffered output would fail once more at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in streams:
        if stream is not None:
            os.dup2(nowhere, stream.fileno())


def _run(name: str, build: Callable[[], argparse.ArgumentParser], argv: list[str] | None) -> int:
    try:
        args = build().parse_args(argv)
        return args.run(args)
    except FairdealError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 2
    except ImportError as error:
        fault = library_fault(error)
        if not fault:
            raise
        print(f"{name}: {fault}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        raise
    except OSError as error:  # no permission, disk full: the user can mend it
        if error.filename is None:
            raise
        found = error.strerror or str(error)
        failure = FairdealError(
            "a file or folder that can be used", found, where=str(error.filename)
        )
        print(f"{name}: {failure}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
