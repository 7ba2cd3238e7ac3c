"""After a restart or a moved camera: which place of the game is which place that is seen?

Pure. A new watcher sees the top cards only and numbers the piles from 1; the game knows every
card and its own numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import dist
from statistics import median

from kiosk.game.limits import LIMITS
from kiosk.journal.entries import Spot
from rules.table.layout import PILE
from vision.sightings import UNKNOWN

Table = Mapping[str, tuple[str, ...]]
"""The faces at each place, bottom to top."""

EXACT_UP_TO = 10  # piles for which the best assignment is found; more are matched greedily
UNREAD = 1.0  # cost of matching a card that could not be read; distances are at most some 2
NO_SPOT = 1e-6  # cost of numbers that differ by 1, where spots are unknown; squared for more


@dataclass(frozen=True, slots=True)
class TableMatch:
    """`names`: seen place → known place, where the cards agree. The others are left over.

    `changed`: of the pairs in `names` at which cards came or went since: how many of the known
    and of the seen cards, from the bottom, still agree. `lifted`: how many of the seen cards, from
    the bottom, had come since and went again.
    """

    names: Mapping[str, str]
    seen_only: tuple[str, ...]
    known_only: tuple[str, ...]
    changed: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    lifted: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_same(self) -> bool:
        """Whether the table is the one that the game knows."""
        return not (self.seen_only or self.known_only or self.changed)


def match_tables(
    known: Table, seen: Table, known_spots: Mapping[str, Spot], seen_spots: Mapping[str, Spot],
    first: Mapping[str, int] | None = None,
) -> TableMatch:  # fmt: skip
    """Fixed places match by name, piles by cards and position.

    Piles with equal cards are assigned so that the sum of squared distances is least. A shift of
    the whole picture changes no such sum's order. `first`: how many of a place's seen cards, from
    the bottom, were seen at once; the others came or came to light later.
    """
    names = {p: p for p in seen if not _is_pile(p) and p in known and agrees(known[p], seen[p])}
    ours = [p for p in known if _is_pile(p)]
    theirs = [p for p in seen if _is_pile(p)]
    costs = {
        (s, k): _cost(s, k, known[k], seen[s], known_spots, seen_spots)
        for s in theirs
        for k in ours
        if agrees(known[k], seen[s])
    }
    assigned = _assigned(theirs, ours, costs)
    seen_spots = _unshifted(assigned, known_spots, seen_spots)
    names.update(
        (s, k) for s, k in assigned.items() if not _is_apart(s, k, known_spots, seen_spots)
    )
    changed: dict[str, tuple[int, int]] = {}
    lifted: dict[str, int] = {}
    for s, k in _same_places(names, known, seen, known_spots, seen_spots):
        common, went = _common_or_covered(s, known[k], seen[s], (first or {}).get(s, 0))
        if went:
            lifted[s] = went
        if common is not None:
            names[s], changed[s] = k, common
    taken = set(names.values())
    return TableMatch(
        names,
        tuple(p for p in seen if p not in names),
        tuple(p for p in known if p not in taken),
        changed,
        lifted,
    )


def _common_or_covered(
    place: str, known: tuple[str, ...], seen: tuple[str, ...], first: int
) -> tuple[tuple[int, int] | None, int]:
    """What agrees of the cards of one place (see TableMatch.changed and .lifted)."""
    common = common_part(known, seen)
    if common is None and (went := _lifted(known, seen, first)):
        return (len(known), went + 1), went
    if common is None and _is_pile(place):
        return (len(known), 0), 0  # covered by what came: cards are laid far oftener than swept
    return common, 0


def _same_places(
    names: Mapping[str, str], known: Table, seen: Table, known_spots: Mapping[str, Spot],
    seen_spots: Mapping[str, Spot],
) -> list[tuple[str, str]]:  # fmt: skip
    """Pairs (seen, known) that are left over and lie at the same place, each of them once."""
    left = [k for k in known if k not in names.values()]
    found = []
    for s in (s for s in seen if s not in names):
        here = [k for k in left if _is_same_place(s, k, known_spots, seen_spots)]
        if len(here) == 1:
            left.remove(here[0])
            found.append((s, here[0]))
    return found


def _unshifted(
    names: Mapping[str, str], known_spots: Mapping[str, Spot], seen_spots: Mapping[str, Spot]
) -> dict[str, Spot]:
    """The seen spots as the camera saw them before, if it has moved meanwhile.

    The shift is the median over the piles that match by their cards. It counts if more places lie
    where one lay before than without it: few piles may agree by chance.
    """
    pairs = [(seen_spots[s], known_spots[k]) for s, k in names.items()
             if s in seen_spots and k in known_spots]  # fmt: skip
    if not pairs:
        return dict(seen_spots)
    x, y = median(a[0] - b[0] for a, b in pairs), median(a[1] - b[1] for a, b in pairs)
    shifted = {p: (spot[0] - x, spot[1] - y) for p, spot in seen_spots.items()}
    stays, moves = (_kept_spots(spots, known_spots) for spots in (seen_spots, shifted))
    return shifted if moves > stays else dict(seen_spots)


def _kept_spots(seen_spots: Mapping[str, Spot], known_spots: Mapping[str, Spot]) -> int:
    """How many places lie where one lay before."""
    known = list(known_spots.values())
    return sum(
        any(dist(spot, other) <= LIMITS.same_spot for other in known)
        for spot in seen_spots.values()
    )


def _lifted(known: tuple[str, ...], seen: tuple[str, ...], first: int) -> int:
    """How many seen cards lay on the known ones and went: the known top came to light. 0: none."""
    for k in range(max(first, 1), len(seen)):
        if seen[k] == known[-1] and first and not set(seen[:k]) & set(known):
            return k
    return 0


def _is_apart(
    s: str, k: str, known_spots: Mapping[str, Spot], seen_spots: Mapping[str, Spot]
) -> bool:
    """Whether the two lie too far apart to be one pile, though their cards agree."""
    a, b = seen_spots.get(s), known_spots.get(k)
    return a is not None and b is not None and dist(a, b) > LIMITS.same_spot


def _is_same_place(
    s: str, k: str, known_spots: Mapping[str, Spot], seen_spots: Mapping[str, Spot]
) -> bool:
    if not _is_pile(s):
        return s == k
    a, b = seen_spots.get(s), known_spots.get(k)
    return _is_pile(k) and a is not None and b is not None and dist(a, b) <= LIMITS.same_spot


def common_part(known: tuple[str, ...], seen: tuple[str, ...]) -> tuple[int, int] | None:
    """How many of the known and of the seen cards, from the bottom, agree: as many as can be.

    Those above them came or went while nobody compared. None where no card agrees.
    """
    for m in range(len(known), 0, -1):
        for n in range(len(seen), 0, -1):
            if UNKNOWN not in seen[:n] and agrees(known[:m], seen[:n]):
                return m, n
    return None


def agrees(known: tuple[str, ...], seen: tuple[str, ...]) -> bool:
    """Whether the cards that are seen may be those that the game has there.

    The top card must be among them; lower ones may be hidden; one that cannot be read may be any.
    """
    read = Counter(face for face in seen if face != UNKNOWN)
    unread = len(seen) - read.total()
    left = Counter(known) - read
    fits = not read - Counter(known) and unread <= left.total()
    return fits and (known[-1] in read or unread > 0)


def _is_pile(place: str) -> bool:
    return place.startswith(PILE)


def _cost(
    seen_place: str,
    known_place: str,
    known: tuple[str, ...],
    seen: tuple[str, ...],
    known_spots: Mapping[str, Spot],
    seen_spots: Mapping[str, Spot],
) -> float:
    a, b = seen_spots.get(seen_place), known_spots.get(known_place)
    if a is None or b is None:
        distance = NO_SPOT * (number_of(seen_place) - number_of(known_place)) ** 2
    else:
        distance = (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2
    return distance + (UNREAD if known[-1] not in seen else 0.0)


def _assigned(
    seen: list[str], known: list[str], costs: Mapping[tuple[str, str], float]
) -> dict[str, str]:
    """As many pairs as can be, with the least total cost."""
    if max(len(seen), len(known)) > EXACT_UP_TO:
        return _greedy(costs)
    # Best (unmatched, cost, pairs) for each set of known places that the seen ones took so far.
    best: dict[frozenset[str], tuple[int, float, dict[str, str]]] = {frozenset(): (0, 0.0, {})}
    for place in seen:
        after: dict[frozenset[str], tuple[int, float, dict[str, str]]] = {}
        for taken, (missed, total, pairs) in best.items():
            choices = [(taken, (missed + 1, total, pairs))]
            choices += [
                (taken | {k}, (missed, total + costs[place, k], {**pairs, place: k}))
                for k in known
                if k not in taken and (place, k) in costs
            ]
            for key, value in choices:
                if key not in after or value[:2] < after[key][:2]:
                    after[key] = value
        best = after
    return min(best.values(), key=lambda value: value[:2])[2]


def _greedy(costs: Mapping[tuple[str, str], float]) -> dict[str, str]:
    """The cheapest pair first, then pairs swapped while that lowers the cost."""
    names: dict[str, str] = {}
    for s, k in sorted(costs, key=lambda pair: costs[pair]):
        if s not in names and k not in names.values():
            names[s] = k
    for _ in range(len(names)):
        for a in names:
            for b in names:
                crossed = costs.get((a, names[b])), costs.get((b, names[a]))
                if a == b or crossed[0] is None or crossed[1] is None:
                    continue
                if crossed[0] + crossed[1] < costs[a, names[a]] + costs[b, names[b]]:
                    names[a], names[b] = names[b], names[a]
    return names


def number_of(pile: str) -> int:
    """The number of a pile's name."""
    return int(pile.removeprefix(PILE))
