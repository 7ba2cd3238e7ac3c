"""Random legal games of Dirty Laundry: where everything lies, and the moves.

Hands are not seen, so every card is to be had. The items of a load are known to this player only.
"""

from collections import Counter

from table import Log

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
LONGEST = 90  # moves; then everybody wrecks


def owner(base):
    return int(base[1])


class Table:
    """Where everything lies. A tub is a machine or a hand wash: its garments and its items."""

    def __init__(self, rng, players, seen):
        self.rng, self.players, self.log = rng, players, Log(seen)
        self.turn = rng.randint(1, players)
        self.options = {"first": str(self.turn)}
        self.made = self.count = 0
        self.garments = {f"p{s}-{k}": "seat" for s in range(1, players + 1) for k in KINDS}
        if rng.random() < 0.5:
            # A game taken up late: much is washed already, nobody has finished.
            late = [base for base in self.garments if not base.endswith("colour-plain")]
            self.garments.update((base, "line") for base in late if rng.random() < 0.9)
        self.ruined, self.broken = set(), set()
        self.items = {tub: [] for tub in MACHINES}
        self.sorted, self.washed = None, []
        self.started = self.over = False

    # What lies where.
    def seat_of(self, base):
        return f"seat/{owner(base)}/garments"

    def start_of(self, base):
        return "clothesline" if self.garments[base] == "line" else self.seat_of(base)

    def face(self, base, ruined=None):
        turned = base in self.ruined if ruined is None else ruined
        return f"{base}-ruined" if turned else base

    def lie_at(self, place, seat=None):
        """The garments at a tub, or in front of a seat."""
        found = [b for b, at in self.garments.items() if at == place]
        return [b for b in found if seat is None or owner(b) == seat]

    def working(self):
        return [tub for tub in MACHINES if tub not in self.broken]

    def tub_of(self, seat):
        return f"seat/{seat}/hand-wash"

    def buckets(self):
        return [tub for tub in self.items if tub not in MACHINES]

    def fits(self, base, tub):
        """Whether a garment may be loaded: no mix of dirty and ruined, one in a hand wash."""
        lying = [b for b in self.lie_at(tub) if b != base]
        if tub in MACHINES:
            mixed = any((b in self.ruined) != (base in self.ruined) for b in lying)
            return tub not in self.broken and not mixed
        return not lying and base not in self.ruined and tub == self.tub_of(owner(base))

    def mover(self):
        return self.turn % self.players + 1 if self.made == 2 else self.turn

    def shift(self, base, start, end, seat, turned=None):
        """The events of a garment that is moved, its side up as it is or as told."""
        log = self.log
        card = base if turned is None else self.face(base, turned)
        return [log.removed(self.face(base), start, seat), log.placed(card, end, seat)]

    # Moves.
    def move(self):
        """The events of one legal move and all that it brings; None when the game is over."""
        if self.over:
            return None
        if not self.started:
            self.started = True
            return self.set_up()
        events = []
        if self.made == 2:
            if self.rng.random() < 0.5:
                events.append(self.log.pressed("done", self.turn))
            self.turn, self.made = self.mover(), 0
        self.made, self.count = self.made + 1, self.count + 1
        self.sorted, self.washed = None, []
        seat = self.turn
        if self.count > LONGEST:
            return events + self.wreck(seat, self.rng.choice(self.working()))
        makers = [maker for maker in self.choices(seat) if maker]
        return events + self.rng.choice(makers)()

    def set_up(self):
        events = [self.log.placed("machine", tub, 1) for tub in MACHINES]
        events += [self.log.placed(base, self.start_of(base), 1) for base in self.garments]
        return [*events, self.log.pressed("start", self.turn)]

    def choices(self, seat):
        """Legal moves of a seat, the likelier ones more than once."""
        rng, found = self.rng, []
        mine = self.tub_of(seat)
        tubs = self.working() + ([mine] if mine in self.items else [])
        own, anyone = self.lie_at("seat", seat), self.lie_at("seat")
        for base in rng.sample(own, min(2, len(own))) + rng.sample(anyone, min(1, len(anyone))):
            for tub in tubs:
                if self.fits(base, tub):
                    found += [lambda b=base, t=tub: self.load(seat, b, t)] * 2
        for tub in tubs:
            found.append(lambda t=tub: self.lay(seat, t))
            if self.items[tub] and self.lie_at(tub):
                found += [lambda t=tub: self.wash(seat, t)] * 3
            if self.items[tub] and rng.random() < 0.3:
                found.append(lambda t=tub: self.rinse(seat, t))
        if mine not in self.items and rng.random() < 0.3:
            found.append(lambda: self.lay_bucket(seat))
        if self.broken:
            found += [lambda: self.repair(seat)] * 2
        if rng.random() < 0.05:
            found.append(lambda: self.wreck(seat, rng.choice(self.working())))
        found += [lambda m=move: self.sort(seat, *m) for move in self.sorts(seat)[:1]]
        return found

    def load(self, seat, base, tub):
        self.garments[base] = tub
        return self.shift(base, self.seat_of(base), f"{tub}/garments", seat, base in self.ruined)

    def lay(self, seat, tub):
        self.items[tub].append(self.rng.choice(list(ITEMS.elements())))
        return [self.log.placed("back", f"{tub}/items", seat)]

    def lay_bucket(self, seat):
        self.items[self.tub_of(seat)] = []
        return [self.log.placed("hand-wash", self.tub_of(seat), seat)]

    def act(self, seat, card):
        return [self.log.placed(card, "actions", seat)]

    def rinse(self, seat, tub):
        count, self.items[tub] = len(self.items[tub]), []
        taken = [self.log.removed("back", f"{tub}/items", seat) for _ in range(count)]
        return self.act(seat, "rinse") + taken

    def sorts(self, seat):
        """(garment, from, to) of the sorts that this seat may make, in random order."""
        tubs = self.working() + self.buckets()
        found = []
        for base, start in self.garments.items():
            if start not in self.items or start in self.broken:
                continue
            for end in tubs:
                private = start not in MACHINES or end not in MACHINES
                if end != start and self.fits(base, end) and not (private and owner(base) != seat):
                    found.append((base, start, end))
        self.rng.shuffle(found)
        return found

    def sort(self, seat, base, start, end):
        self.garments[base], self.sorted = end, base
        moved = self.shift(base, f"{start}/garments", f"{end}/garments", seat, base in self.ruined)
        return self.act(seat, "sort") + moved

    def turn_over(self, seat, tub):
        sides = (
            ("machine-broken", "machine") if tub in self.broken else ("machine", "machine-broken")
        )
        self.broken ^= {tub}
        self.over = self.over or len(self.broken) == 3
        return [self.log.removed(sides[0], tub, seat), self.log.placed(sides[1], tub, seat)]

    def repair(self, seat):
        card = self.rng.choice(["repair", "repair-wreck"])
        return self.act(seat, card) + self.turn_over(seat, self.rng.choice(sorted(self.broken)))

    def wreck(self, seat, tub, foul=False):
        """A machine is wrecked and emptied; with `foul`, (up to the first wrong return, rest)."""
        card = self.rng.choice(["wreck", "repair-wreck"])
        events = self.act(seat, card) + self.turn_over(seat, tub)
        backs = [self.log.removed("back", f"{tub}/items", seat) for _ in self.items[tub]]
        self.items[tub] = []
        results = dict.fromkeys(self.lie_at(tub), "ruined")
        if foul:
            wrong, right = self.wrong_return(seat, tub, results)
            return events + backs + wrong, right
        return events + backs + self.empty(seat, tub, results)

    # A wash: reveal, work out, hang up and give back, discard.
    def wash(self, seat, tub, foul=None):
        """A wash and all that follows; with `foul`, (up to the wrong return, rest)."""
        items, log, place = self.items[tub], self.log, f"{tub}/items"
        self.items[tub], self.washed = [], items
        events = self.act(seat, "wash")
        if self.rng.random() < 0.3:
            events += [log.removed("back", place, seat) for _ in items]
            events += [log.placed(face, place, seat) for face in items]
        else:
            for face in items:
                events += [log.removed("back", place, seat), log.placed(face, place, seat)]
        results = {base: self.becomes(base, items, tub) for base in self.lie_at(tub)}
        if tub in MACHINES and items.count("detergent") > 1:
            events += self.turn_over(seat, tub)
        taken = [log.removed(face, place, seat) for face in items]
        if tub not in MACHINES:
            del self.items[tub]
            taken += [log.removed("hand-wash", tub, seat), log.placed("hand-wash", "discard", seat)]
        if foul:
            wrong, right = self.wrong_return(seat, tub, results, foul)
            return events + wrong, right + taken
        return events + self.empty(seat, tub, results) + taken

    def becomes(self, base, items, tub):
        """The sheet's order of effect for one garment."""
        _, colour, need = base.split("-")
        white, detergents = colour == "white", items.count("detergent")
        if tub in MACHINES and detergents > 1:
            return "ruined"
        if base in self.ruined:
            remedy = "special-bleach" if white else "special-dye"
            return "restored" if remedy in items else "ruined"
        harm = {"red-sock", "special-dye"} if white else {"special-bleach"}
        if harm & set(items):
            return "ruined"
        helped = need not in NEEDS or NEEDS[need] in items
        return "clean" if detergents and helped else "dirty"

    def empty(self, seat, tub, results):
        events = []
        order = list(results)
        self.rng.shuffle(order)
        for base in order:
            events += self.give_back(seat, tub, base, results[base])
        return events

    def give_back(self, seat, tub, base, result):
        place, events = f"{tub}/garments", []
        after = result == "ruined"
        end = "clothesline" if result == "clean" else self.seat_of(base)
        if after != (base in self.ruined) and self.rng.random() < 0.2:
            events += self.shift(base, place, place, seat, after)
            self.ruined ^= {base}
        events += self.shift(base, place, end, seat, after)
        self.settle(base, result)
        return events

    def settle(self, base, result):
        self.ruined = self.ruined | {base} if result == "ruined" else self.ruined - {base}
        self.garments[base] = "line" if result == "clean" else "seat"
        hung = Counter(owner(b) for b in self.lie_at("line"))
        self.over = self.over or max(hung.values(), default=0) == 6

    def wrong_return(self, seat, tub, results, end=None):
        """The first garment comes back wrong side up, or at another seat, and is put right."""
        base, result = next(iter(results.items()))
        after = result == "ruined"
        turned = after if end == "owner" else not after
        place = f"seat/{owner(base) % self.players + 1}/garments" if end == "owner" else None
        place = place or self.seat_of(base)
        wrong = self.shift(base, f"{tub}/garments", place, seat, turned)
        right = [self.log.removed(self.face(base, turned), place, seat)]
        right += [self.log.placed(self.face(base, after), self.seat_of(base), seat)]
        self.settle(base, result)
        rest = {b: r for b, r in results.items() if b != base}
        return wrong, right + self.empty(seat, tub, rest)

    def begin_move(self):
        """Counts a move that a cheat makes; the seat that makes it."""
        seat = self.mover()
        self.made = 1 if self.made == 2 else self.made + 1
        self.turn, self.sorted, self.washed = seat, None, []
        return seat
