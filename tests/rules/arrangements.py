"""Cards laid out as families lay them, each with the place at which it is: rows, fans, columns,
drifting piles, several seats at a side, in millimetres."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from poses import before_seat, in_middle, shifted, wobbled

from rules.games import game
from rules.table.layout import (
    Extent,
    LandedCard,
    LyingCard,
    Pose,
    Side,
    Spot,
    Tabletop,
    default_sides,
)

CARD = (63.0, 88.0)
WIDTH, LENGTH = CARD


@dataclass
class Table:
    """A table on which cards are laid; it keeps what a grammar may know."""

    name: str
    rng: random.Random
    sides: tuple[Side, ...]
    extent: Extent
    is_playing: bool = False
    cards: list[LyingCard] = field(default_factory=list)
    known: dict[str, Pose] = field(default_factory=dict)
    # True names to the names that the grammar gave, where any name would do.
    names: dict[str, str] = field(default_factory=dict)
    number: int = 0
    laid_from: dict[str, Side] = field(default_factory=dict)

    def lay(
        self, face: str, pose: Pose, place: str | None, side: Side | None = None,
        came_from: str | None = None,
    ) -> tuple[str | None, Spot]:  # fmt: skip
        """Lays a card. (The true place by the grammar's names, the grammar's answer)."""
        top = Tabletop(
            tuple(self.cards), self.sides, CARD, self.extent, self.is_playing, dict(self.known),
            dict(self.laid_from),
        )  # fmt: skip
        spot = game(self.name).layout.find(top, LandedCard(face, pose, side, came_from))
        due = self.names.get(place, place) if place else place
        self.number += 1
        if due is not None:
            self.cards.append(LyingCard(self.number, face, due, pose))
            self.known[due] = pose
            self.laid_from.pop(due, None)
            if side is not None:
                self.laid_from[due] = side
        return due, spot

    def take(self, place: str) -> LyingCard:
        """Takes the top card of a place."""
        card = [card for card in self.cards if card.place == place][-1]
        self.cards.remove(card)
        return card

    def hand(self, seat: int) -> Side | None:
        """The side of the hand, now and then not seen."""
        return self.sides[seat - 1] if self.rng.random() < 0.85 else None


def table(name: str, rng: random.Random, players: int) -> Table:
    """A table of a size that families have in view."""
    height = rng.uniform(450, 620) + (150 if name == "dirty-laundry" else 0)
    width = height * 16 / 9 * (1.25 if players > 4 else 1.0)
    left, top = rng.uniform(-400, 0), rng.uniform(-300, 0)
    extent = Extent(left, top, left + width, top + height)
    return Table(name, rng, default_sides(players), extent, True)


Laid = Iterator[tuple[str | None, Spot]]


def suds(at: Table) -> Laid:
    """Piles that drift and turn; one is swept now and then, and its number is not used again."""
    rng, piles = at.rng, {}
    born = 0
    for _ in range(30):
        if piles and rng.random() < 0.12:
            name = rng.choice(sorted(piles))
            while any(card.place == name for card in at.cards):
                at.take(name)
            del piles[name]
            continue
        if piles and rng.random() < 0.75:
            name = rng.choice(sorted(piles))
            piles[name] = wobbled(rng, piles[name], 14, 90)
        else:
            pose = _free(at, 140)
            if pose is None:
                continue
            born += 1
            name = f"pile/{born}"
            piles[name] = pose
        yield at.lay("hat", piles[name], name, at.hand(rng.randint(1, len(at.sides))))


def _free(at: Table, mm: float) -> Pose | None:
    e = at.extent
    for _ in range(60):
        x = at.rng.uniform(e.left + 60, e.right - 60)
        y = at.rng.uniform(e.top + 60, e.bottom - 60)
        if all((x - c.pose.x) ** 2 + (y - c.pose.y) ** 2 > mm**2 for c in at.cards):
            return Pose(x, y, at.rng.uniform(0, 360))
    return None


def sooty(at: Table) -> Laid:
    """Two sets a seat, each a row, a fan or a column, begun in any order; a discard pile."""
    rng, pile = at.rng, in_middle(at, at.rng.uniform(-60, 60), at.rng.uniform(-20, 20))
    at.is_playing = False
    yield at.lay("sooty-3", pile, "discard")
    at.is_playing = True
    lays = []
    for seat in range(1, len(at.sides) + 1):
        lays.append(_two_sets(at, seat))
    while lays:
        turn = rng.choice(lays)
        made = next(turn, None)
        if made is None:
            lays.remove(turn)
        else:
            yield made
        if rng.random() < 0.25:
            seat = rng.randint(1, len(at.sides))
            facing = Pose(pile.x, pile.y, at.sides[seat - 1].degrees)
            yield at.lay("sweep-2", wobbled(rng, facing, 12, 20), "discard", at.hand(seat))


def _two_sets(at: Table, seat: int) -> Laid:
    rng = at.rng
    side_length = at.extent.width if at.sides[seat - 1] in (Side.BOTTOM, Side.TOP) else (
        at.extent.height)  # fmt: skip
    kinds = ["fan", "column"]
    if side_length / at.sides.count(at.sides[seat - 1]) > 760:
        kinds.append("row")
    kind = rng.choice(kinds)
    step = {"row": WIDTH + rng.uniform(2, 14), "fan": rng.uniform(16, 24), "column": 0.0}[kind]
    down = rng.uniform(16, 24) if kind == "column" else 0.0
    wide = WIDTH + 3 * step
    between = rng.uniform(0.75, 1.3) * WIDTH
    starts = [-(wide + between / 2) + WIDTH / 2, between / 2 + WIDTH / 2]
    if rng.random() < 0.5:
        starts.reverse()
    deep = rng.uniform(0.6, 0.75) * LENGTH + 3 * down
    laid = [0, 0]
    order = [0] * 4 + [1] * 4
    if rng.random() < 0.5:
        order = [0, *rng.sample([0, 0, 0, 1, 1, 1, 1], 7)]
    for which in order:
        first = before_seat(at, seat, starts[which], deep)
        pose = wobbled(rng, shifted(first, laid[which] * step, laid[which] * down), 3, 5)
        laid[which] += 1
        place = f"seat/{seat}/set/{which + 1}"
        side = at.hand(seat)
        yield at.lay(f"sooty-{rng.randint(1, 5)}", pose, place, side)
        if rng.random() < 0.12:
            other = rng.randint(1, len(at.sides))
            dust = wobbled(rng, shifted(pose, 0, 30, rng.choice([0, 180])), 4, 8)
            yield at.lay("oofle-dust", dust, place, at.hand(other))


def cat(at: Table) -> Laid:
    """Two piles a seat, left and right; low letters begin on the left. A discard pile."""
    rng = at.rng
    pile = in_middle(at, rng.uniform(-90, 90), rng.uniform(-20, 20))
    spots = {}
    for seat in range(1, len(at.sides) + 1):
        middle = rng.uniform(-0.25, 0.25) * WIDTH
        half = rng.uniform(0.75, 1.2) * WIDTH
        deep = rng.uniform(0.6, 0.8) * LENGTH
        spots[f"seat/{seat}/left"] = before_seat(at, seat, middle - half, deep)
        spots[f"seat/{seat}/right"] = before_seat(at, seat, middle + half, deep)
    for _ in range(12 * len(at.sides)):
        seat = rng.randint(1, len(at.sides))
        side = at.hand(seat)
        if rng.random() < 0.2:
            pose = Pose(pile.x, pile.y, at.sides[seat - 1].degrees)
            yield at.lay(rng.choice("jkq"), wobbled(rng, pose, 12, 20), "discard", side)
            if rng.random() < 0.4:
                at.take("discard")
            continue
        name = f"seat/{seat}/{rng.choice(['left', 'right'])}"
        letters = "abcdefghm" if name.endswith("left") else "nrstuvwxyz"
        spots[name] = wobbled(rng, spots[name], 5, 6)
        yield at.lay(rng.choice(letters), spots[name], name, side)


def soda(at: Table) -> Laid:
    """Four stacks, hands played on one spot or as a fan, swept, and scoring cards won."""
    rng = at.rng
    at.is_playing = False
    apart, up = WIDTH * rng.uniform(1.15, 1.5), -LENGTH * rng.uniform(0.6, 0.75)
    stacks = {s: in_middle(at, (k - 1.5) * apart, up) for k, s in enumerate("cdhs")}
    for suit, pose in stacks.items():
        for value in range(10, 1, -1):
            yield at.lay(f"{value}{suit}", wobbled(rng, pose, 3, 4), f"score/{suit}")
    at.is_playing = True
    play = in_middle(at, rng.uniform(-80, 0), LENGTH * rng.uniform(0.6, 0.8))
    step = rng.choice([0.0, 20.0, WIDTH + 8])
    swept = in_middle(at, rng.choice([-1, 1]) * rng.uniform(300, 340), 60)
    won = {seat: rng.choice([-1, 1]) * rng.uniform(0.9, 1.4) * WIDTH
           for seat in range(1, len(at.sides) + 1)}  # fmt: skip
    for _ in range(rng.randint(2, 5)):
        count = rng.randint(1, 3)
        for k in range(count):
            seat = rng.randint(1, len(at.sides))
            pose = wobbled(rng, shifted(play, k * step, 0), 6, 8)
            pose = Pose(pose.x, pose.y, at.sides[seat - 1].degrees)
            yield at.lay(rng.choice(["6h", "9s", "kd"]), pose, "play", at.hand(seat))
        winner = rng.randint(1, len(at.sides))
        card = at.take("score/c")
        pose = wobbled(rng, before_seat(at, winner, won[winner], 0.62 * LENGTH), 10, 8)
        due = f"seat/{winner}/won"
        yield at.lay(card.face, pose, due, at.hand(winner), came_from="score/c")
        for _ in range(count):
            card = at.take("play")
            came = wobbled(rng, swept, 10, 30)
            yield at.lay(card.face, came, "discard", at.hand(1), came_from="play")


def laundry(at: Table) -> Laid:
    """Three machines with items above and garments below; garments before the seats; the line."""
    rng = at.rng
    at.is_playing = False
    apart = WIDTH * rng.uniform(1.7, 2.0)
    machines = [in_middle(at, (k - 1) * apart) for k in range(3)]
    for k, pose in enumerate(machines, 1):
        yield at.lay("machine", wobbled(rng, pose, 3, 3), f"machine/{k}")
    kinds = ("white-plain", "colour-plain", "white-stain", "colour-mesh")
    for seat in range(1, len(at.sides) + 1):
        long = at.sides[seat - 1] in (Side.BOTTOM, Side.TOP) and at.sides.count(
            at.sides[seat - 1]) == 1  # fmt: skip
        step = WIDTH + 6 if long else 0.36 * WIDTH
        for k, kind in enumerate(kinds):
            pose = before_seat(at, seat, (k - 1.5) * step - 60, 0.6 * LENGTH)
            place = f"seat/{seat}/garments"
            yield at.lay(f"p{seat}-{kind}", wobbled(rng, pose, 3, 4), place, at.hand(seat))
    at.is_playing = True
    actions = in_middle(at, -2.1 * apart, rng.uniform(-20, 20))
    for _ in range(12):
        k, seat = rng.randint(1, 3), rng.randint(1, len(at.sides))
        machine = machines[k - 1]
        what = rng.choice(["back", "garment", "wash"])
        if what == "wash":
            pose = Pose(actions.x, actions.y, at.sides[seat - 1].degrees)
            face = rng.choice(["wash", "rinse", "sort"])
            yield at.lay(face, wobbled(rng, pose, 8, 8), "actions", at.hand(seat))
            continue
        place = f"machine/{k}/" + ("items" if what == "back" else "garments")
        lying = sum(card.place == place for card in at.cards)
        if lying > 2:
            continue
        up = -1 if what == "back" else 1
        pose = shifted(machine, (-0.2 + 0.3 * lying) * WIDTH, up * 1.06 * LENGTH)
        face = "back" if what == "back" else f"p{seat}-white-softener"
        yield at.lay(face, wobbled(rng, pose, 3, 4), place, at.hand(seat))


ARRANGEMENTS = {
    "suds": suds, "sooty": sooty, "cat-in-the-hat": cat, "soda": soda, "dirty-laundry": laundry,
}  # fmt: skip
