"""Files that users name: looked at before they are touched, and replaced in one step.

Only regular files are read and written. A pipe would block for ever, a device acts when it is
opened, and a link to nothing is hardly what somebody meant.
"""

import errno
import io
import json
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from reprlib import Repr
from typing import Any

from rules.errors import FairdealError

MOST_TEXT = 16 << 20  # bytes of a file that people write
ANOTHER = "name another file"
_KINDS = (
    (stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"), (stat.S_ISBLK, "a device"),
)  # fmt: skip
_PIECE = 65_536
_NO_SYNC = (errno.EINVAL, errno.ENOTSUP)  # of a file system that cannot sync


def special_kind(path: Path) -> str:
    """What stands there, if neither a regular file nor nothing: a folder, a pipe, …; else "".

    Raises OSError where that cannot be told.
    """
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return "a link to nothing" if path.is_symlink() else ""
    except ValueError as error:  # a zero byte in the name
        raise OSError(errno.EINVAL, str(error), str(path)) from None
    if stat.S_ISREG(mode):
        return ""
    return next((name for is_kind, name in _KINDS if is_kind(mode)), "a special file")


@contextmanager
def opened(path: Path, expected: str, todo: str = ANOTHER) -> Iterator[io.BufferedReader]:
    """A regular file, open for reading. FairdealError for anything else, and for OSErrors."""
    try:
        kind = special_kind(path)
        if kind:
            raise FairdealError(expected, kind, todo, str(path))
        # It may have become a pipe since: opening one must not wait for its writer.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise FairdealError(expected, "a special file", todo, str(path))
            yield file
    except OSError as error:
        raise FairdealError(expected, _reason(error), todo, str(path)) from error


def read_bytes(path: Path, expected: str, todo: str = ANOTHER, most: int = MOST_TEXT) -> bytes:
    """The content of a regular file of at most `most` bytes. Raises FairdealError."""
    with opened(path, expected, todo) as file:
        size = os.fstat(file.fileno()).st_size
        data = file.read(size) if size <= most else b""
        # It may have grown meanwhile; files in /proc say no size.
        while size <= most and len(data) <= most and (more := file.read(_PIECE)):
            data += more
    if size > most or len(data) > most:
        limit = f"{expected} of at most {most >> 20 or 1} MB"
        raise FairdealError(limit, f"{max(size, len(data)) >> 20} MB", todo, str(path))
    return data


def read_text(path: Path, expected: str, todo: str = ANOTHER, most: int = MOST_TEXT) -> str:
    """The content of a regular file in UTF-8. Raises FairdealError."""
    try:
        return read_bytes(path, expected, todo, most).decode("utf-8")
    except UnicodeDecodeError as error:
        raise FairdealError(f"{expected} in UTF-8", str(error), todo, str(path)) from None


def parsed_json(text: str | bytes, expected: str, todo: str = "", where: str = "") -> Any:
    """What JSON text says. FairdealError for what is none, nests too deeply or is too long."""
    try:
        return json.loads(text)
    except RecursionError:
        found = "values nested too deeply"
    except UnicodeDecodeError:
        found = "bytes that are not UTF-8"
    except ValueError as error:
        found = reason_of(error)
    raise FairdealError(expected, found, todo, where)


def reason_of(error: ValueError) -> str:
    """Why text is no TOML or JSON. Python reads numbers of some thousand digits, and no more."""
    text = str(error)
    return "a number of thousands of digits" if "int_max_str_digits" in text else text


def read_json(path: Path, expected: str, todo: str = ANOTHER, most: int = MOST_TEXT) -> Any:
    """What a regular file of JSON says. Raises FairdealError."""
    return parsed_json(read_bytes(path, expected, todo, most), expected, todo, str(path))


def shown(value: object) -> str:
    """A value from a file, short enough for one line; huge and deep ones too."""
    try:
        return _SHORT.repr(value)
    except (ValueError, RecursionError):  # e.g. a number of 5,000 hexadecimal digits
        return f"a value of kind {type(value).__name__} beyond all bounds"


def check_folder(folder: Path, expected: str) -> None:
    """FairdealError where there is no such folder: nothing is made where nobody asked for it."""
    todo = "name another"
    try:
        if folder.is_dir():
            return
        found = special_kind(folder) or ("a file" if folder.exists() else "none")
    except (OSError, ValueError) as error:
        found = _reason(error)
    if found == "none":
        todo = f"make it first, with mkdir -p {folder}, or name another"
    raise FairdealError(expected, found, todo, str(folder))


def check_writable(path: Path, expected: str, todo: str = ANOTHER) -> Path:
    """The file that a write to `path` replaces: a regular one, or a new one in a folder that
    exists. Raises FairdealError."""
    try:
        kind = special_kind(path)
        if kind:
            raise FairdealError(expected, kind, todo, str(path))
        target = path.resolve() if path.is_symlink() else path
        if not target.parent.is_dir():
            raise FairdealError(
                expected, f"no folder {target.parent}",
                f"make it first, with mkdir -p {target.parent}, or {todo}", str(path),
            )  # fmt: skip
    except OSError as error:
        raise FairdealError(expected, _reason(error), todo, str(path)) from error
    return target


def write_file(
    path: Path, data: bytes | str, expected: str, todo: str = ANOTHER, *,
    mode: int = 0o666, is_new: bool = False,
) -> Path:  # fmt: skip
    """Writes a file in one step, or not at all; the path. As `replacing` does it."""
    with replacing(path, expected, todo, mode=mode, is_new=is_new) as file:
        file.write(data.encode() if isinstance(data, str) else data)
    return path


@contextmanager
def replacing(
    path: Path, expected: str, todo: str = ANOTHER, *, mode: int = 0o666, is_new: bool = False
) -> Iterator[io.BufferedWriter]:
    """A file to write that takes its place at the end of the block, or not at all.

    An existing file keeps its mode; a new one gets `mode` less the umask. `is_new`: an existing
    file is refused. FairdealError for a path that is no regular file, for a missing folder, and
    for a file that cannot be written: it stays as it was.
    """
    target = check_writable(path, expected, todo)
    if is_new and target.exists():
        raise FairdealError("a new file", f"{path}, which exists", "name another")
    partial = target.with_name(f".{target.name[:60]}.{secrets.token_hex(4)}.part")
    try:
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        with open(os.open(partial, flags, mode), "wb") as file:
            yield file
            file.flush()
            _sync(file)
            with suppress(FileNotFoundError):
                os.fchmod(file.fileno(), stat.S_IMODE(os.stat(target).st_mode))
        os.replace(partial, target)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise FairdealError(expected, _reason(error), todo, str(path)) from error
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def _sync(file: io.BufferedWriter) -> None:
    try:
        os.fsync(file.fileno())
    except OSError as error:
        if error.errno not in _NO_SYNC:
            raise


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 80
_SHORT.maxlevel = 3
