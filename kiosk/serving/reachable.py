"""The names and addresses by which others in the house reach this machine."""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress

from kiosk.serving.shares import LOOPBACK_NAMES

# Addresses of documentation and of homes: the system tells which of its own it would send from.
# Nothing is sent.
_TOWARDS = ("192.0.2.1", "192.168.255.254", "10.255.255.254", "172.31.255.254")
EVERYWHERE = ("0.0.0.0", "::")
# Networks of homes: nobody else's name or address is among them.
HOMES = tuple(map(ipaddress.IPv4Network, (
    "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8",
)))  # fmt: skip


def own_addresses() -> tuple[str, ...]:
    """This machine's addresses (IPv4) but loopback, the one of its usual network first."""
    found: list[str] = []
    for target in _TOWARDS:
        with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
            asking.connect((target, 9))
            found.append(asking.getsockname()[0])
    return tuple(dict.fromkeys(each for each in found if not each.startswith("127.")))


def own_names() -> tuple[str, ...]:
    """The machine's name, alone and as the network's devices find it (mDNS)."""
    plain = socket.gethostname().lower().partition(".")[0] or "localhost"
    return plain, f"{plain}.local"


def reached_at(host: str, asked: str) -> str:
    """The host by which another device reaches a page that listens on `host`.

    `asked`: the name by which the one who asks did; a name of this machine's own leads nobody else
    here.
    """
    if asked not in LOOPBACK_NAMES or host not in EVERYWHERE:
        return asked
    return next(iter((*own_addresses(), *own_names())), asked)


def is_at_home(address: str) -> bool:
    """Whether it is an address of a home's network, or this machine's own."""
    return any(ipaddress.IPv4Address(address) in each for each in HOMES)
