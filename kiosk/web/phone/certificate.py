"""The machine's certificate: browsers let a page film only over https.

An authority of this machine alone signs it. The authority is limited to the names and addresses of
a home, so whoever steals its key can pose as nothing else. The certificate lasts a year and is made
anew 30 days before its end, or when the machine got another address.
"""

from __future__ import annotations

import os
import shutil
import ssl
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kiosk.serving.openssl import (
    AUTHORITY,
    AUTHORITY_KEY,
    new_authority,
    new_certificate,
    openssl,
)
from kiosk.serving.reachable import HOMES, is_at_home, own_addresses, own_names
from rules.errors import FairdealError

AUTHORITY_DAYS, YEAR_DAYS, ANEW_DAYS = 3650, 365, 30
NAMES = "names.txt"
FILES = (AUTHORITY_KEY, AUTHORITY, "page.key", "page.pem", NAMES)


@dataclass(frozen=True, slots=True)
class Certificate:
    """The files in `folder`; all of them can be read by their owner only."""

    folder: Path

    @property
    def authority(self) -> Path:
        """What a phone may trust, so that it warns no more."""
        return self.folder / AUTHORITY

    def context(self) -> ssl.SSLContext:
        """For a server. Raises FairdealError where the files are damaged."""
        found = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        found.minimum_version = ssl.TLSVersion.TLSv1_2
        self.load_into(found)
        return found

    def load_into(self, context: ssl.SSLContext) -> None:
        """Has a server use it from now on. Raises FairdealError."""
        try:
            context.load_cert_chain(self.folder / "page.pem", self.folder / "page.key")
        except (OSError, ssl.SSLError) as error:
            raise FairdealError("a certificate with its key", "a damaged one") from error


def wanted_names() -> tuple[str, ...]:
    """The machine's names and addresses, as a certificate has them."""
    names = [f"DNS:{each}" for each in ("localhost", *own_names())]
    found = ("127.0.0.1", *own_addresses())
    return (*names, *(f"IP:{each}" for each in found if is_at_home(each)))


def certificate(folder: Path, names: Sequence[str] | None = None) -> Certificate:
    """The certificate in `folder`, made anew where it is missing, damaged, for other names or old.

    The authority stays as long as it can: phones may trust it. Raises FairdealError.
    """
    wanted = tuple(wanted_names() if names is None else names)
    found = Certificate(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        folder.chmod(0o700)
        if not _holds(found, wanted):
            _make(folder, wanted)
    except OSError as error:
        raise FairdealError(
            f"a folder for a certificate at {folder}", error.strerror or str(error), "make room"
        ) from error
    return found


def _holds(found: Certificate, wanted: Sequence[str]) -> bool:
    """Whether the certificate is for these names, whole, and lasts."""
    try:
        if (found.folder / NAMES).read_text(encoding="utf-8").split() != list(wanted):
            return False
        found.context()
    except (OSError, ValueError, FairdealError):
        return False
    return _lasts(found.folder, "page.pem", ANEW_DAYS) and _is_signed(found.folder, "page.pem")


def _make(folder: Path, wanted: Sequence[str]) -> None:
    """Makes it in a folder of its own, then puts each file into its place."""
    with tempfile.TemporaryDirectory(dir=folder) as name:
        new = Path(name)
        if _is_authority(folder):
            for each in (AUTHORITY, AUTHORITY_KEY):
                shutil.copy(folder / each, new / each)
            _sign(new, wanted)
        if not _is_signed(new, "page.pem"):  # also where the machine has got another name
            new_authority(new, f"fairdeal on {own_names()[-1]}", AUTHORITY_DAYS, [_limits()])
            _sign(new, wanted)
        (new / NAMES).write_text("\n".join(wanted) + "\n", encoding="utf-8")
        for each in FILES:
            (new / each).chmod(0o600)
            os.replace(new / each, folder / each)


def _sign(folder: Path, wanted: Sequence[str]) -> None:
    """Makes the page's certificate by the authority in the folder."""
    new_certificate(folder, "page", "fairdeal", YEAR_DAYS, [
        f"subjectAltName={','.join(wanted)}", "extendedKeyUsage=serverAuth",
        "basicConstraints=critical,CA:FALSE", "keyUsage=critical,digitalSignature",
    ])  # fmt: skip


def _limits() -> str:
    """What the authority may sign, as openssl writes it."""
    homes = (f"IP:{each.network_address}/{each.netmask}" for each in HOMES)
    names = (f"DNS:{each}" for each in ("local", "localhost", *own_names()))
    return f"nameConstraints=critical,{','.join(f'permitted;{each}' for each in (*homes, *names))}"


def _is_authority(folder: Path) -> bool:
    """Whether there is an authority that outlives what it signs."""
    if not (folder / AUTHORITY_KEY).is_file():
        return False
    return _lasts(folder, AUTHORITY, YEAR_DAYS + 1) and _is_signed(folder, AUTHORITY)


def _lasts(folder: Path, file: str, days: int) -> bool:
    """Whether a certificate is still good in so many days."""
    return _succeeds(folder, "x509", "-in", file, "-noout", "-checkend", str(days * 86_400))


def _is_signed(folder: Path, file: str) -> bool:
    """Whether the authority signed it, within its limits."""
    return _succeeds(folder, "verify", "-CAfile", AUTHORITY, file)


def _succeeds(folder: Path, *words: str) -> bool:
    try:
        openssl(folder, *words)
    except FairdealError:
        return False
    return True
