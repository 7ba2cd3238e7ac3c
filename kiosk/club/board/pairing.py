"""Who plays whom: round robin, Swiss, and tables of more than two. Pure.

Kept Swiss libraries pair chess: two players, colours, a chess federation's report file. Here a
round is a matching of least cost, which networkx finds exactly; tables of more than two are
improved by swaps.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

Group = tuple[int, ...]
BYE = -1
# Costs of a pair: whom one has met outweighs every difference of points.
MET, POINTS, RANK, SECOND_BYE = 1_000_000, 1000, 1, 10_000_000
SWAPS = 20  # passes over all pairs of tables; each pass lowers the cost or is the last


@dataclass(frozen=True, slots=True)
class Field:
    """The players before a round. `ranks`: best first; `met`: (low, high) → how often."""

    ranks: tuple[int, ...]
    points: Mapping[int, float]
    met: Mapping[tuple[int, int], int]
    had_bye: frozenset[int] = frozenset()

    def times_met(self, one: int, other: int) -> int:
        """How often two players have met."""
        return self.met.get((min(one, other), max(one, other)), 0)


def usual_rounds(players: int, seats: int, is_swiss: bool) -> int:
    """How many rounds such a tournament has, unless people say otherwise."""
    if is_swiss:
        return max(math.ceil(math.log2(max(players, 2))), 3)
    if seats == 2:
        return players - 1 + players % 2
    return max(math.ceil((players - 1) / (seats - 1)), 1)


def round_robin(players: int, number: int) -> tuple[list[Group], tuple[int, ...]]:
    """Round `number` (from 0) in which everybody meets everybody once: the circle method.

    Player 0 stays, the others go round; with an odd number one has a bye. Who sits first changes
    from round to round.
    """
    circle = [*range(players), *([BYE] if players % 2 else [])]
    turn = number % (len(circle) - 1)
    rest = circle[1:]
    circle = [circle[0], *rest[-turn:], *rest[:-turn]] if turn else circle
    groups: list[Group] = []
    byes: list[int] = []
    for k in range(len(circle) // 2):
        one, other = circle[k], circle[-1 - k]
        if BYE in (one, other):
            byes.append(max(one, other))
        else:
            groups.append((one, other) if (number + k) % 2 == 0 else (other, one))
    return groups, tuple(byes)


def swiss(field: Field) -> tuple[list[Group], tuple[int, ...]]:
    """Pairs of nearly equal points that have not met, as long as there are any."""
    import networkx

    graph = networkx.Graph()
    everybody = [*field.ranks, *([BYE] if len(field.ranks) % 2 else [])]
    place = {player: k for k, player in enumerate(everybody)}
    costs = {
        (one, other): _pair_cost(field, one, other, place)
        for one, other in combinations(everybody, 2)
    }
    highest = max(costs.values(), default=0) + 1
    for (one, other), cost in costs.items():
        graph.add_edge(one, other, weight=highest - cost)
    found = networkx.max_weight_matching(graph, maxcardinality=True)
    groups: list[Group] = []
    byes: list[int] = []
    for pair in found:
        one, other = sorted(pair, key=place.__getitem__)
        if other == BYE:
            byes.append(one)
        else:
            groups.append((one, other))
    groups.sort(key=lambda pair: place[pair[0]])
    return groups, tuple(byes)


def grouped(field: Field, seats: int, *, is_swiss: bool) -> list[Group]:
    """Tables of `seats` or one fewer. Swiss: of nearly equal points; else as few repeats as found.

    Everybody plays: sizes differ by one at most.
    """
    number = len(field.ranks)
    count = math.ceil(number / seats)
    sizes = [number // count + (k < number % count) for k in range(count)]
    if is_swiss:
        order = list(field.ranks)
    else:  # dealt out like cards, so that neighbours of the last round are apart
        order = [p for k in range(count) for p in sorted(field.ranks)[k::count]]
    tables, start = [], 0
    for size in sizes:
        tables.append(order[start : start + size])
        start += size
    for _ in range(SWAPS):
        if not _improve(field, tables, is_swiss):
            break
    return [tuple(table) for table in tables]


def _improve(field: Field, tables: list[list[int]], is_swiss: bool) -> bool:
    """Swaps players of two tables wherever that lowers the cost; whether any swap did."""
    is_better = False
    for one, other in combinations(tables, 2):
        for i in range(len(one)):
            for j in range(len(other)):
                before = _cost(field, one, is_swiss) + _cost(field, other, is_swiss)
                one[i], other[j] = other[j], one[i]
                if _cost(field, one, is_swiss) + _cost(field, other, is_swiss) < before:
                    is_better = True
                else:
                    one[i], other[j] = other[j], one[i]
    return is_better


def _cost(field: Field, table: list[int], is_swiss: bool) -> float:
    repeats = sum(field.times_met(*pair) ** 2 for pair in combinations(table, 2))
    if not is_swiss:
        return MET * repeats
    points = [field.points[player] for player in table]
    # Like a Swiss pair: who has met may meet again before points differ by more than two.
    return POINTS * (4 * repeats + (max(points) - min(points)) ** 2)


def _pair_cost(field: Field, one: int, other: int, place: Mapping[int, int]) -> int:
    if BYE in (one, other):
        player = max(one, other)
        again = SECOND_BYE * (player in field.had_bye)
        # The bye goes to the lowest who has had none; `place` is below the number of players.
        return again + round(2 * POINTS * field.points[player]) + len(place) - place[player]
    apart = field.points[one] - field.points[other]
    return round(
        MET * field.times_met(one, other) + POINTS * apart * apart
        + RANK * abs(abs(place[one] - place[other]) - 1)
    )  # fmt: skip
