"""Where everything of a random game of Dirty Laundry lies.

Hands are not seen, so every card is to be had. The items of a load are known to this player only.
"""

from collections import Counter
from random import Random

from lab.players.table import Log
from rules.table.event import Event

KINDS = [
    "white-plain",
    "white-softener",
    "white-stain",
    "colour-plain",
    "colour-plain2",
    "colour-mesh",
]
NEEDS = {"softener": "fabric-softener", "stain": "stain-remover", "mesh": "mesh-bag"}
ITEMS = Counter(
    {
        "detergent": 6,
        "fabric-softener": 2,
        "stain-remover": 2,
        "mesh-bag": 2,
        "red-sock": 1,
        "special-dye": 2,
        "special-bleach": 2,
    }
)
MACHINES = ("machine/1", "machine/2", "machine/3")


def owner(base: str) -> int:
    return int(base[1])


class Laundry:
    """Where everything lies. A tub is a machine or a hand wash: its garments and its items."""

    def __init__(self, rng: Random, players: int, seen: bool) -> None:
        self.rng, self.players, self.log = rng, players, Log(seen)
        self.turn = rng.randint(1, players)
        self.options = {"first": str(self.turn)}
        self.made = self.count = 0
        self.garments = {f"p{s}-{k}": "seat" for s in range(1, players + 1) for k in KINDS}
        if rng.random() < 0.5:
            # A game taken up late: much is washed already, nobody has finished.
            late = [base for base in self.garments if not base.endswith("colour-plain")]
            self.garments.update((base, "line") for base in late if rng.random() < 0.9)
        self.ruined: set[str] = set()
        self.broken: set[str] = set()
        self.items: dict[str, list[str]] = {tub: [] for tub in MACHINES}
        self.sorted: str | None = None
        self.washed: list[str] = []
        self.started = self.over = False

    # What lies where.
    def seat_of(self, base: str) -> str:
        return f"seat/{owner(base)}/garments"

    def start_of(self, base: str) -> str:
        return "clothesline" if self.garments[base] == "line" else self.seat_of(base)

    def face(self, base: str, ruined: bool | None = None) -> str:
        turned = base in self.ruined if ruined is None else ruined
        return f"{base}-ruined" if turned else base

    def lie_at(self, place: str, seat: int | None = None) -> list[str]:
        """The garments at a tub, or in front of a seat."""
        found = [b for b, at in self.garments.items() if at == place]
        return [b for b in found if seat is None or owner(b) == seat]

    def working(self) -> list[str]:
        return [tub for tub in MACHINES if tub not in self.broken]

    def tub_of(self, seat: int) -> str:
        return f"seat/{seat}/hand-wash"

    def buckets(self) -> list[str]:
        return [tub for tub in self.items if tub not in MACHINES]

    def fits(self, base: str, tub: str) -> bool:
        """Whether a garment may be loaded: no mix of dirty and ruined, one in a hand wash."""
        lying = [b for b in self.lie_at(tub) if b != base]
        if tub in MACHINES:
            mixed = any((b in self.ruined) != (base in self.ruined) for b in lying)
            return tub not in self.broken and not mixed
        return not lying and base not in self.ruined and tub == self.tub_of(owner(base))

    def mover(self) -> int:
        return self.turn % self.players + 1 if self.made == 2 else self.turn

    def shift(
        self, base: str, start: str, end: str, seat: int, turned: bool | None = None
    ) -> list[Event]:
        """The events of a garment that is moved, its side up as it is or as told."""
        log = self.log
        card = base if turned is None else self.face(base, turned)
        return [log.removed(self.face(base), start, seat), log.placed(card, end, seat)]
