"""Random legal games of Dirty Laundry: the moves, and all that each brings."""

from collections import Counter
from collections.abc import Callable
from functools import partial

from lab.players.dirty_laundry_state import ITEMS, MACHINES, NEEDS, Laundry, owner
from lab.players.table import Foul
from rules.table.event import Event

Results = dict[str, str]  # garment to what the wash makes of it
LONGEST = 90  # moves; then everybody wrecks


class Table(Laundry):
    """A game under way: legal moves, and moves that end wrong."""

    # Moves.
    def move(self) -> list[Event] | None:
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
        return events + self.rng.choice(self.choices(seat))()

    def set_up(self) -> list[Event]:
        events = [self.log.placed("machine", tub, 1) for tub in MACHINES]
        events += [self.log.placed(base, self.start_of(base), 1) for base in self.garments]
        return [*events, self.log.pressed("start", self.turn)]

    def choices(self, seat: int) -> list[Callable[[], list[Event]]]:
        """Legal moves of a seat, the likelier ones more than once."""
        rng = self.rng
        found: list[Callable[[], list[Event]]] = []
        mine = self.tub_of(seat)
        tubs = self.working() + ([mine] if mine in self.items else [])
        own, anyone = self.lie_at("seat", seat), self.lie_at("seat")
        for base in rng.sample(own, min(2, len(own))) + rng.sample(anyone, min(1, len(anyone))):
            for tub in tubs:
                if self.fits(base, tub):
                    found += [partial(self.load, seat, base, tub)] * 2
        for tub in tubs:
            found.append(partial(self.lay, seat, tub))
            if self.items[tub] and self.lie_at(tub):
                found += [partial(self.wash, seat, tub)] * 3
            if self.items[tub] and rng.random() < 0.3:
                found.append(partial(self.rinse, seat, tub))
        if mine not in self.items and rng.random() < 0.3:
            found.append(partial(self.lay_bucket, seat))
        if self.broken:
            found += [partial(self.repair, seat)] * 2
        if rng.random() < 0.05:
            found.append(lambda: self.wreck(seat, rng.choice(self.working())))
        found += [partial(self.sort, seat, *move) for move in self.sorts(seat)[:1]]
        return found

    def load(self, seat: int, base: str, tub: str) -> list[Event]:
        self.garments[base] = tub
        return self.shift(base, self.seat_of(base), f"{tub}/garments", seat, base in self.ruined)

    def lay(self, seat: int, tub: str) -> list[Event]:
        self.items[tub].append(self.rng.choice(list(ITEMS.elements())))
        return [self.log.placed("back", f"{tub}/items", seat)]

    def lay_bucket(self, seat: int) -> list[Event]:
        self.items[self.tub_of(seat)] = []
        return [self.log.placed("hand-wash", self.tub_of(seat), seat)]

    def act(self, seat: int, card: str) -> list[Event]:
        return [self.log.placed(card, "actions", seat)]

    def rinse(self, seat: int, tub: str) -> list[Event]:
        count, self.items[tub] = len(self.items[tub]), []
        taken = [self.log.removed("back", f"{tub}/items", seat) for _ in range(count)]
        return self.act(seat, "rinse") + taken

    def sorts(self, seat: int) -> list[tuple[str, str, str]]:
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

    def sort(self, seat: int, base: str, start: str, end: str) -> list[Event]:
        self.garments[base], self.sorted = end, base
        moved = self.shift(base, f"{start}/garments", f"{end}/garments", seat, base in self.ruined)
        return self.act(seat, "sort") + moved

    def turn_over(self, seat: int, tub: str) -> list[Event]:
        sides = (
            ("machine-broken", "machine") if tub in self.broken else ("machine", "machine-broken")
        )
        self.broken ^= {tub}
        self.over = self.over or len(self.broken) == 3
        return [self.log.removed(sides[0], tub, seat), self.log.placed(sides[1], tub, seat)]

    def repair(self, seat: int) -> list[Event]:
        card = self.rng.choice(["repair", "repair-wreck"])
        return self.act(seat, card) + self.turn_over(seat, self.rng.choice(sorted(self.broken)))

    def wreck(self, seat: int, tub: str) -> list[Event]:
        """A machine is wrecked and emptied."""
        events, results = self._wrecked(seat, tub)
        return events + self.empty(seat, tub, results)

    def wreck_wrongly(self, seat: int, tub: str) -> Foul:
        """A machine is wrecked; its first garment comes back wrong side up."""
        events, results = self._wrecked(seat, tub)
        wrong, right = self.wrong_return(seat, tub, results)
        return events + wrong, right

    def _wrecked(self, seat: int, tub: str) -> tuple[list[Event], Results]:
        card = self.rng.choice(["wreck", "repair-wreck"])
        events = self.act(seat, card) + self.turn_over(seat, tub)
        backs = [self.log.removed("back", f"{tub}/items", seat) for _ in self.items[tub]]
        self.items[tub] = []
        return events + backs, dict.fromkeys(self.lie_at(tub), "ruined")

    # A wash: reveal, work out, hang up and give back, discard.
    def wash(self, seat: int, tub: str) -> list[Event]:
        """A wash and all that follows."""
        events, taken, results = self._washed(seat, tub)
        return events + self.empty(seat, tub, results) + taken

    def wash_wrongly(self, seat: int, tub: str, end: str) -> Foul:
        """A wash whose first garment comes back wrong: `end` is "side" or "owner"."""
        events, taken, results = self._washed(seat, tub)
        wrong, right = self.wrong_return(seat, tub, results, end)
        return events + wrong, right + taken

    def _washed(self, seat: int, tub: str) -> tuple[list[Event], list[Event], Results]:
        """The events up to the result, those that clear away the items, and the result."""
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
        return events, taken, results

    def becomes(self, base: str, items: list[str], tub: str) -> str:
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

    def empty(self, seat: int, tub: str, results: Results) -> list[Event]:
        events = []
        order = list(results)
        self.rng.shuffle(order)
        for base in order:
            events += self.give_back(seat, tub, base, results[base])
        return events

    def give_back(self, seat: int, tub: str, base: str, result: str) -> list[Event]:
        place, events = f"{tub}/garments", []
        after = result == "ruined"
        end = "clothesline" if result == "clean" else self.seat_of(base)
        if after != (base in self.ruined) and self.rng.random() < 0.2:
            events += self.shift(base, place, place, seat, after)
            self.ruined ^= {base}
        events += self.shift(base, place, end, seat, after)
        self.settle(base, result)
        return events

    def settle(self, base: str, result: str) -> None:
        self.ruined = self.ruined | {base} if result == "ruined" else self.ruined - {base}
        self.garments[base] = "line" if result == "clean" else "seat"
        hung = Counter(owner(b) for b in self.lie_at("line"))
        self.over = self.over or max(hung.values(), default=0) == 6

    def wrong_return(self, seat: int, tub: str, results: Results, end: str | None = None) -> Foul:
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

    def begin_move(self) -> int:
        """Counts a move that a cheat makes; the seat that makes it."""
        seat = self.mover()
        self.made = 1 if self.made == 2 else self.made + 1
        self.turn, self.sorted, self.washed = seat, None, []
        return seat
