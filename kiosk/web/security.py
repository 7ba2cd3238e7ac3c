"""What every request must satisfy: a known host, the same origin, a bounded body and rate."""

from __future__ import annotations

import socket
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from kiosk.serving.shares import LOOPBACK_NAMES

FRAMES = "/api/phone/frames"  # a phone's pictures: larger and more frequent than acts
FILMED_AT = "/phone"  # the only page that may ask for a camera
UPLOADS = "/api/first-hour/photographs/"  # photographs of cards are larger than acts

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' blob:; object-src 'none'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of requests. Bodies in bytes, rates in requests a second and client."""

    body_bytes: int = 16 * 1024
    upload_bytes: int = 12 << 20  # a photograph, for those who may act
    frame_bytes: int = 1 << 20  # a picture, for those who may film
    acts_per_s: float = 10.0
    acts_at_once: int = 20
    frames_per_s: float = 30.0
    clients: int = 256  # remembered for their rate; the oldest is forgotten first

    def of_frames(self) -> Limits:
        """The same with the rate of pictures in place of that of acts."""
        return replace(self, acts_per_s=self.frames_per_s, acts_at_once=int(self.frames_per_s))


def allowed_names(host: str) -> frozenset[str]:
    """The host names by which the page may be asked for, when it is served on `host`.

    A name that is not among them is a foreign site that resolves to this machine (DNS rebinding).
    """
    names = set(LOOPBACK_NAMES)
    if host not in LOOPBACK_NAMES:
        names.add(host.lower())
        own = socket.gethostname().lower()
        names |= {own, own.partition(".")[0], own.partition(".")[0] + ".local"}
    return frozenset(names)


def is_known_host(header: str | None, names: Iterable[str], addresses: Iterable[str] = ()) -> bool:
    """Whether a Host header names this machine. `addresses`: local ends of the connection."""
    name = host_of(header)
    return name is not None and (name in names or name in addresses)


def host_of(header: str | None) -> str | None:
    """The name in a Host header without its port, in lower case; None where it is malformed."""
    if not header or len(header) > 255:
        return None
    try:
        name = urlsplit(f"//{header}").hostname
    except ValueError:
        return None
    return name.lower() if name else None


def is_same_origin(origin: str | None, host: str | None, site: str | None) -> bool:
    """Whether an act comes from our own page. `site`: the Sec-Fetch-Site header.

    Programs without a browser send neither header; they are told apart by their token.
    """
    if site is not None and site not in ("same-origin", "none"):
        return False
    if origin is None:
        return True
    try:
        return urlsplit(origin).netloc.lower() == (host or "").lower()
    except ValueError:
        return False


class RateLimiter:
    """A token bucket for each client. Time is an argument (s)."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, client: str, at: float) -> bool:
        """Whether this client may act now; an act that is allowed takes one token."""
        full = float(self._limits.acts_at_once)
        tokens, since = self._buckets.pop(client, (full, at))
        tokens = min(full, tokens + max(at - since, 0.0) * self._limits.acts_per_s)
        is_allowed = tokens >= 1.0
        self._buckets[client] = (tokens - 1.0 if is_allowed else tokens, at)
        while len(self._buckets) > self._limits.clients:
            self._buckets.popitem(last=False)
        return is_allowed
