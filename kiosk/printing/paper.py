"""Paper sizes, and writing a PDF file atomically."""

import os
import tempfile
from pathlib import Path

from rules.errors import FairdealError

# Width and height in mm of an upright sheet.
PAPERS_MM = {"a4": (210.0, 297.0), "letter": (215.9, 279.4), "a3": (297.0, 420.0)}


def paper_mm(name: str) -> tuple[float, float]:
    """Width and height in mm of an upright sheet. FairdealError for an unknown paper."""
    if name not in PAPERS_MM:
        raise FairdealError(
            f"a paper of {', '.join(PAPERS_MM)}", repr(name), "give another --paper", "print"
        )
    return PAPERS_MM[name]


def write_pdf(path: Path, content: bytes) -> Path:
    """Writes a PDF file and returns its path. A failure leaves no partial file.

    FairdealError if the file cannot be written.
    """
    if path.is_dir():
        raise FairdealError("a file to write the PDF to", "a folder", "name a file", str(path))
    partial: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
        partial = Path(name)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        partial.chmod(0o666 & ~_umask())
        partial.replace(path)
    except OSError as error:
        if partial is not None:
            partial.unlink(missing_ok=True)
        found = error.strerror or str(error)
        raise FairdealError("a place for the PDF", found, "name another --out", str(path)) from None
    return path


def _umask() -> int:
    """The process's umask; it can only be read by setting it."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
