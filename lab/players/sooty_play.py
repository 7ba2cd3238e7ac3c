"""Random legal games of Sooty: hands, sets and acts."""

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from random import Random

from lab.players.table import Log
from rules.table.event import Event

COUNTS = {"1": 3, "2": 3, "3": 6, "4": 3, "5": 3, "joker": 1}
SUIT_CARDS = [f"{suit}-{name}" for suit in ("sooty", "sweep") for name in COUNTS]
PACK = [face for face in SUIT_CARDS for _ in range(COUNTS[face.split("-")[1]])]
PACK += ["oofle-dust"] * 8 + ["magic-wand"] * 8
DUST, WAND = "oofle-dust", "magic-wand"
SetKey = tuple[int, int]  # seat, number of the set


def suit_of(face: str) -> str:
    return face.split("-")[0]


def number(face: str) -> int:
    return 0 if face.endswith("joker") else int(face[-1])


def makes_twelve(faces: Sequence[str]) -> bool:
    """Whether four faces make 12, a joker being 1 to 5."""
    rest = 12 - sum(map(number, faces))
    return 1 <= rest <= 5 if any(number(f) == 0 for f in faces) else rest == 0


def may_make_twelve(faces: Sequence[str]) -> bool:
    """Whether some cards bring these one to three to 12."""
    suit = suit_of(faces[0])
    more = combinations_with_replacement([f"{suit}-{n}" for n in "12345"], 4 - len(faces))
    return any(makes_twelve([*faces, *cards]) for cards in more)


class Laid:
    """A suit card in a set, and the Oofles and wands on it as (face, when)."""

    def __init__(self, face: str) -> None:
        self.face = face
        self.tops: list[tuple[str, float]] = []

    def oofled(self) -> bool:
        return bool(self.tops) and self.tops[-1][0] == DUST


class Table:
    """Hands, sets and the discard pile of a game under way."""

    def __init__(self, rng: Random, players: int, seen: bool) -> None:
        self.rng, self.players, self.log = rng, players, Log(seen)
        self.turn = rng.randint(1, players)
        self.options = {"dealer": str(self.turn)}
        self.pack = PACK[:]
        rng.shuffle(self.pack)
        self.hand = {s: [self.pack.pop() for _ in range(8)] for s in range(1, players + 1)}
        self.sets: dict[SetKey, list[Laid]] = {(s, k): [] for s in self.hand for k in (1, 2)}
        self.discard: list[str] = []
        self.last, self.acts = (0, ""), 0  # the last act: seat (0: none yet), letter
        self.started = self.over = False

    def place(self, key: SetKey) -> str:
        return f"seat/{key[0]}/set/{key[1]}"

    def move(self) -> list[Event] | None:
        """The events of one legal act; None when the game is over."""
        if self.over:
            return None
        if not self.started:
            self.started = True
            self.discard.append(self.pack.pop())
            return [
                self.log.placed(self.discard[-1], "discard", self.turn),
                self.log.pressed("start", self.turn),
            ]
        self.acts += 1
        seat = self.turn
        events: list[Event] = []
        acts = {
            "a": self._act_a, "b": self._act_b, "c": self._act_c,
            "d": self._act_d, "e": self._act_e, "f": self._act_f,
        }  # fmt: skip
        for act in self._order_of_wishes():
            events = acts[act](seat)
            if events:
                self.last = (seat, act)
                break
        self.over = all(self.complete((seat, k)) for k in (1, 2))
        self.turn = seat % self.players + 1
        return events

    def _order_of_wishes(self) -> list[str]:
        rng = self.rng
        wishes = [w for w, chance in (("d", 0.5), ("f", 0.05)) if rng.random() < chance]
        # Late in a long game nobody oofles any more, so that every game ends.
        if self.acts < 200 and rng.random() < 0.35:
            wishes.append("b")
        wishes += ["c"] if rng.random() < 0.7 else []
        wishes += ["a"] if rng.random() < 0.9 else []
        rng.shuffle(wishes)
        return [*wishes, "e"]

    def complete(self, key: SetKey) -> bool:
        faces = [card.face for card in self.sets[key]]
        return len(faces) == 4 and makes_twelve(faces)

    def own(self, seat: int) -> list[SetKey]:
        return [(seat, 1), (seat, 2)]

    def _lays(self, seat: int) -> Iterator[tuple[SetKey, str]]:
        for key in self.own(seat):
            cards = self.sets[key]
            if len(cards) == 4 or any(card.oofled() for card in cards):
                continue
            for face in self.hand[seat]:
                if face in (DUST, WAND) or (cards and suit_of(cards[0].face) != suit_of(face)):
                    continue
                faces = [*(card.face for card in cards), face]
                if makes_twelve(faces) if len(faces) == 4 else may_make_twelve(faces):
                    yield key, face

    def _act_a(self, seat: int) -> list[Event]:
        lays = list(self._lays(seat))
        if not lays:
            return []
        key, face = self.rng.choice(lays)
        self.hand[seat].remove(face)
        self.sets[key].append(Laid(face))
        return [self.log.placed(face, self.place(key), seat)]

    def _act_b(self, seat: int) -> list[Event]:
        keys = [
            key
            for key, cards in self.sets.items()
            if key[0] != seat and 0 < len(cards) < 4 and not all(c.oofled() for c in cards)
        ]
        if DUST not in self.hand[seat] or not keys:
            return []
        key = self.rng.choice(keys)
        free = [card for card in self.sets[key] if not card.oofled()]
        if self.rng.random() < 0.3:
            card, on = free[-1], {}
        else:
            face = self.rng.choice(free).face
            same = [(len(c.tops), -i, c) for i, c in enumerate(free) if c.face == face]
            card, on = min(same, key=lambda found: found[:2])[2], {"on": face}
        self.hand[seat].remove(DUST)
        card.tops.append((DUST, self.log.at))
        return [self.log.placed(DUST, self.place(key), seat, **on), *self._owed_draw(seat)]

    def _act_c(self, seat: int) -> list[Event]:
        oofled = [(k, c) for k in self.own(seat) for c in self.sets[k] if c.oofled()]
        if WAND not in self.hand[seat] or not oofled:
            return []
        key = self.rng.choice(oofled)[0]
        last = max((c for k, c in oofled if k == key), key=lambda c: c.tops[-1][1])
        on = self.rng.choice([{}, {"on": DUST}, {"on": last.face}])
        self.hand[seat].remove(WAND)
        last.tops.append((WAND, self.log.at))
        return [self.log.placed(WAND, self.place(key), seat, **on), *self._owed_draw(seat)]

    def exchanges(self, seat: int) -> Iterator[tuple[SetKey, Laid, str]]:
        """(set, joker's Laid, the face it stands for) of every complete set with a joker."""
        for key, cards in self.sets.items():
            joker = next((c for c in cards if number(c.face) == 0), None)
            if joker and self.complete(key):
                rest = 12 - sum(number(c.face) for c in cards)
                yield key, joker, f"{suit_of(joker.face)}-{rest}"

    def _act_d(self, seat: int) -> list[Event]:
        found = [x for x in self.exchanges(seat) if x[2] in self.hand[seat]]
        if not found:
            return []
        key, joker, face = self.rng.choice(found)
        place = self.place(key)
        off = [top for top, _ in reversed(joker.tops)] + [joker.face]
        take = [self.log.removed(top, place, seat) for top in off]
        lay = self.log.placed(face, place, seat)
        if self.rng.random() < 0.5:
            lay = self.log.placed(face, place, seat)
            take = [lay] + [self.log.removed(top, place, seat) for top in off]
        else:
            take.append(lay)
        self.hand[seat].remove(face)
        self.hand[seat].append(joker.face)
        joker.face, joker.tops = face, []
        return take

    def _act_e(self, seat: int) -> list[Event]:
        events = []
        if self.discard and self.rng.random() < 0.4:
            events = self._from_discard(seat)
        else:
            events = self._from_pack(seat)
        spare = [f for f in self.hand[seat] if f in (DUST, WAND)] or self.hand[seat]
        if self.rng.random() < 0.5:
            spare = self.hand[seat]
        card = self.rng.choice(spare)
        self.hand[seat].remove(card)
        self.discard.append(card)
        return [*events, self.log.placed(card, "discard", seat)]

    def _act_f(self, seat: int) -> list[Event]:
        found = [(k, c) for k in self.own(seat) if len(self.sets[k]) < 4 for c in self.sets[k]]
        if not found:
            return []
        key, card = self.rng.choice(found)
        # Of two equal faces the one on top is taken.
        card = [c for c in self.sets[key] if c.face == card.face][-1]
        others = [t for c in self.sets[key] if c is not card for t in c.tops]
        if card.tops and any(when > card.tops[0][1] for _, when in others):
            return []
        place = self.place(key)
        self.sets[key].remove(card)
        self.hand[seat].append(card.face)
        faces = [top for top, _ in reversed(card.tops)]
        faces.insert(self.rng.choice((0, len(faces))), card.face)
        self.hidden = [top for top, _ in card.tops]
        self.pack[:0] = self.hidden
        return [self.log.removed(face, place, seat) for face in faces]

    def _owed_draw(self, seat: int) -> list[Event]:
        if self.discard and self.rng.random() < 0.5:
            return self._from_discard(seat)
        return self._from_pack(seat)

    def _from_discard(self, seat: int) -> list[Event]:
        self.hand[seat].append(self.discard.pop())
        return [self.log.removed(self.hand[seat][-1], "discard", seat)]

    def _from_pack(self, seat: int) -> list[Event]:
        events = []
        if not self.pack:
            # Whoever shuffles the discard pile is not looked at.
            cards, self.discard = self.discard, []
            events = [self.log.removed(card, "discard", None) for card in reversed(cards)]
            self.rng.shuffle(cards)
            self.pack = cards
        if self.pack:
            self.hand[seat].append(self.pack.pop())
        return events
