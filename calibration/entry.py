"""How a command begins and ends: one line for what the user can mend, and never a traceback."""

import argparse
import errno
import os
import sys
from collections.abc import Callable
from typing import NoReturn, TextIO

from rules.errors import FairdealError

BROKEN_PIPE = 141  # as a shell counts a program that its reader left: 128 and SIGPIPE


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, as every command does."""

    def error(self, message: str) -> NoReturn:
        """Exit code 2; a message of argparse says what was expected and what was found."""
        self.exit(2, f"{self.prog}: {message}; see `{self.prog} --help`\n")


def run(name: str, build: Callable[[], argparse.ArgumentParser], argv: list[str] | None) -> int:
    """Runs the command that `argv` names (None: the program's own arguments).

    Returns its exit code; 2 for what the user can mend. A reader that leaves early (`| head -1`)
    ends it quietly.
    """
    try:
        try:
            return _run(name, build, argv)
        finally:  # after argparse's help too, which leaves by SystemExit
            if sys.stdout is not None:
                sys.stdout.flush()  # else a reader that has left is found out after the last line
    except BrokenPipeError:
        _say_no_more(sys.stdout, sys.stderr)
        return BROKEN_PIPE
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        _say_no_more(sys.stdout)
        mend = FairdealError("room for what is printed", str(error.strerror), "make room there")
        print(f"{name}: {mend}", file=sys.stderr)
        return 2


def _say_no_more(*streams: TextIO | None) -> None:
    """What is still held back would fail once more when the program ends."""
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
    except BrokenPipeError:
        raise
    except OSError as error:  # a file that may not be read, a disk that is full: the user's to mend
        if error.filename is None:
            raise
        found = error.strerror or str(error)
        mend = FairdealError("a file or folder that can be used", found, where=str(error.filename))
        print(f"{name}: {mend}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
