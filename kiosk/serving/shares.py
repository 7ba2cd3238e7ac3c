"""Shares of what is scarce: so many in all, so many for each, some kept for the table's own."""

from __future__ import annotations

from collections import Counter
from ipaddress import IPv6Address, ip_address

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")


class Shares:
    """Counts what owners hold. `most`: of all; `each`: of one; `reserved`: for our own alone."""

    def __init__(self, most: int, each: int, reserved: int) -> None:
        self.most, self.each, self.reserved = most, each, min(reserved, most // 2)
        self._held: Counter[str] = Counter()

    @property
    def total(self) -> int:
        """How many are held."""
        return self._held.total()

    def has_room(self, owner: str, *, is_own: bool = False) -> bool:
        """Whether the owner may take one; not where it, or everybody, holds enough.

        `is_own`: of the table itself; it has no share of its own and may use what is reserved.
        """
        if self.total >= (self.most if is_own else self.most - self.reserved):
            return False
        return is_own or self._held[owner] < self.each

    def take(self, owner: str, *, is_own: bool = False) -> bool:
        """Takes one for the owner, where there is room."""
        if not self.has_room(owner, is_own=is_own):
            return False
        self._held[owner] += 1
        return True

    def give_back(self, owner: str) -> None:
        """Gives back one that was taken."""
        self._held[owner] -= 1
        if self._held[owner] <= 0:
            del self._held[owner]


def is_own_address(host: str) -> bool:
    """Whether a client's address is this machine's loopback."""
    return host in LOOPBACK_NAMES


def owner_of(host: str) -> str:
    """Who is counted for an address: itself, of IPv6 its network, as one device has all of it."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    if address.is_loopback or address.is_link_local:
        return str(address)
    return f"{IPv6Address(int(address) >> 64 << 64)}/64"
