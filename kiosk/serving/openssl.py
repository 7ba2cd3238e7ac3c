"""Certificates by the system's openssl: an authority of one's own, and what it signs.

All files are readable by their owner only. A program runs some milliseconds, once a year: no
library is loaded for it.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from rules.errors import FairdealError

AUTHORITY, AUTHORITY_KEY = "ca.pem", "ca.key"
MOST_NAME = 64  # characters of a common name
_NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
_AUTHORITY = (
    "basicConstraints=critical,CA:TRUE,pathlen:0", "keyUsage=critical,keyCertSign,cRLSign",
    "subjectKeyIdentifier=hash",
)  # fmt: skip


def new_authority(folder: Path, name: str, days: int, extensions: Sequence[str] = ()) -> None:
    """Makes `ca.pem` and `ca.key`. `extensions`: more of them, as openssl writes them."""
    lines = ["[req]", "distinguished_name=dn", "prompt=no", "x509_extensions=own", "[dn]",
             f"CN={name[:MOST_NAME]}", "[own]", *_AUTHORITY, *extensions]  # fmt: skip
    _write(folder / "config", lines)
    openssl(folder, "req", "-x509", *_NEW_KEY, "-keyout", AUTHORITY_KEY, "-out", AUTHORITY,
        "-days", str(days), "-config", "config")  # fmt: skip
    (folder / "config").unlink()


def new_certificate(
    folder: Path, file: str, name: str, days: int, extensions: Sequence[str]
) -> None:
    """Makes `FILE.pem` and `FILE.key`, signed by the authority in the same folder."""
    openssl(folder, "req", *_NEW_KEY, "-keyout", f"{file}.key", "-out", "request",
        "-subj", f"/CN={name[:MOST_NAME]}")  # fmt: skip
    _write(folder / "extensions", extensions)
    openssl(folder, "x509", "-req", "-in", "request", "-CA", AUTHORITY, "-CAkey", AUTHORITY_KEY,
        "-CAcreateserial", "-out", f"{file}.pem", "-days", str(days),
        "-extfile", "extensions")  # fmt: skip
    for each in ("request", "extensions", "ca.srl"):
        (folder / each).unlink(missing_ok=True)


def openssl(folder: Path, *words: str) -> None:
    """Runs openssl in a folder; what it writes only its owner can read. Raises FairdealError."""
    program = shutil.which("openssl")
    if program is None:
        raise FairdealError("openssl", "none", "sudo apt install openssl")
    done = subprocess.run(
        [program, *words], cwd=folder, capture_output=True, text=True, check=False, umask=0o077
    )
    if done.returncode != 0:
        said = done.stderr.strip().splitlines()
        raise FairdealError("certificates by openssl", said[-1] if said else "none")


def _write(path: Path, lines: Sequence[str]) -> None:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
