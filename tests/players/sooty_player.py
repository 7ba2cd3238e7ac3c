"""Plays random legal games of Sooty, and breaks one rule at a time."""

from itertools import combinations_with_replacement

from table import Log

GAME = "sooty"
AT_ONCE = NOT_CORRECTED = ()
COUNTS = {"1": 3, "2": 3, "3": 6, "4": 3, "5": 3, "joker": 1}
SUIT_CARDS = [f"{suit}-{name}" for suit in ("sooty", "sweep") for name in COUNTS]
PACK = [face for face in SUIT_CARDS for _ in range(COUNTS[face.split("-")[1]])]
PACK += ["oofle-dust"] * 8 + ["magic-wand"] * 8
DUST, WAND = "oofle-dust", "magic-wand"


def new_table(rng, seen=None):
    return Table(rng, rng.randint(2, 4), rng.random() < 0.8 if seen is None else seen)


def suit_of(face):
    return face.split("-")[0]


def number(face):
    return 0 if face.endswith("joker") else int(face[-1])


def makes_twelve(faces):
    """Whether four faces make 12, a joker being 1 to 5."""
    rest = 12 - sum(map(number, faces))
    return 1 <= rest <= 5 if any(number(f) == 0 for f in faces) else rest == 0


def may_make_twelve(faces):
    """Whether some cards bring these one to three to 12."""
    suit = suit_of(faces[0])
    more = combinations_with_replacement([f"{suit}-{n}" for n in "12345"], 4 - len(faces))
    return any(makes_twelve([*faces, *cards]) for cards in more)


class Laid:
    """A suit card in a set, and the Oofles and wands on it as (face, when)."""

    def __init__(self, face):
        self.face, self.tops = face, []

    def oofled(self):
        return bool(self.tops) and self.tops[-1][0] == DUST


class Table:
    """Hands, sets and the discard pile of a game under way."""

    def __init__(self, rng, players, seen):
        self.rng, self.players, self.log = rng, players, Log(seen)
        self.turn = rng.randint(1, players)
        self.options = {"dealer": str(self.turn)}
        self.pack = PACK[:]
        rng.shuffle(self.pack)
        self.hand = {s: [self.pack.pop() for _ in range(8)] for s in range(1, players + 1)}
        self.sets = {(s, k): [] for s in self.hand for k in (1, 2)}
        self.discard, self.last, self.acts = [], (None, ""), 0
        self.started = self.over = False

    def place(self, key):
        return f"seat/{key[0]}/set/{key[1]}"

    def move(self):
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
        seat, events = self.turn, []
        for act in self._order_of_wishes():
            events = getattr(self, f"_act_{act}")(seat)
            if events:
                self.last = (seat, act)
                break
        self.over = all(self.complete((seat, k)) for k in (1, 2))
        self.turn = seat % self.players + 1
        return events

    def _order_of_wishes(self):
        rng = self.rng
        wishes = [w for w, chance in (("d", 0.5), ("f", 0.05)) if rng.random() < chance]
        # Late in a long game nobody oofles any more, so that every game ends.
        if self.acts < 200 and rng.random() < 0.35:
            wishes.append("b")
        wishes += ["c"] if rng.random() < 0.7 else []
        wishes += ["a"] if rng.random() < 0.9 else []
        rng.shuffle(wishes)
        return [*wishes, "e"]

    def complete(self, key):
        faces = [card.face for card in self.sets[key]]
        return len(faces) == 4 and makes_twelve(faces)

    def own(self, seat):
        return [(seat, 1), (seat, 2)]

    def _lays(self, seat):
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

    def _act_a(self, seat):
        lays = list(self._lays(seat))
        if not lays:
            return []
        key, face = self.rng.choice(lays)
        self.hand[seat].remove(face)
        self.sets[key].append(Laid(face))
        return [self.log.placed(face, self.place(key), seat)]

    def _act_b(self, seat):
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

    def _act_c(self, seat):
        oofled = [(k, c) for k in self.own(seat) for c in self.sets[k] if c.oofled()]
        if WAND not in self.hand[seat] or not oofled:
            return []
        key = self.rng.choice(oofled)[0]
        last = max((c for k, c in oofled if k == key), key=lambda c: c.tops[-1][1])
        on = self.rng.choice([{}, {"on": DUST}, {"on": last.face}])
        self.hand[seat].remove(WAND)
        last.tops.append((WAND, self.log.at))
        return [self.log.placed(WAND, self.place(key), seat, **on), *self._owed_draw(seat)]

    def exchanges(self, seat):
        """(set, joker's Laid, the face it stands for) of every complete set with a joker."""
        for key, cards in self.sets.items():
            joker = next((c for c in cards if number(c.face) == 0), None)
            if joker and self.complete(key):
                rest = 12 - sum(number(c.face) for c in cards)
                yield key, joker, f"{suit_of(joker.face)}-{rest}"

    def _act_d(self, seat):
        found = [x for x in self.exchanges(seat) if x[2] in self.hand[seat]]
        if not found:
            return []
        key, joker, face = self.rng.choice(found)
        place = self.place(key)
        take = [self.log.removed(top, place, seat) for top, _ in reversed(joker.tops)]
        take.append(self.log.removed(joker.face, place, seat))
        lay = self.log.placed(face, place, seat)
        if self.rng.random() < 0.5:
            lay = self.log.placed(face, place, seat)
            take = [lay] + [self.log.removed(e.card, place, seat) for e in take]
        else:
            take.append(lay)
        self.hand[seat].remove(face)
        self.hand[seat].append(joker.face)
        joker.face, joker.tops = face, []
        return take

    def _act_e(self, seat):
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

    def _act_f(self, seat):
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

    def _owed_draw(self, seat):
        if self.discard and self.rng.random() < 0.5:
            return self._from_discard(seat)
        return self._from_pack(seat)

    def _from_discard(self, seat):
        self.hand[seat].append(self.discard.pop())
        return [self.log.removed(self.hand[seat][-1], "discard", seat)]

    def _from_pack(self, seat):
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


def _foul(table, card, place, seat, **keys):
    right = [table.log.placed(card, place, seat, **keys)]
    return right, [table.log.removed(card, place, seat)]


def _taken(table, card, place, seat):
    return [table.log.removed(card, place, seat)], [table.log.placed(card, place, seat)]


def _sets(table, of, wanted):
    """A random set of the seat in turn ("own") or of another ("other") that is `wanted(cards)`."""
    keys = [
        key
        for key, cards in table.sets.items()
        if (key[0] == table.turn) == (of == "own") and wanted(key, cards)
    ]
    return table.rng.choice(keys) if keys and table.started and not table.over else None


def _has_joker(cards):
    return any(number(c.face) == 0 for c in cards)


def _suit_card(table):
    return table.rng.choice(SUIT_CARDS)


def _out_of_turn(table):
    key = _sets(table, "other", lambda key, cards: len(cards) < 4)
    if key is None:
        return None
    if table.rng.random() < 0.5:
        return _foul(table, table.rng.choice(PACK), "discard", key[0])
    if table.sets[key] and table.rng.random() < 0.4:
        face = table.sets[key][-1]
        return None if face.tops else _taken(table, face.face, table.place(key), key[0])
    return _foul(table, _suit_card(table), table.place(key), key[0])


def _not_your_set(table):
    key = _sets(table, "other", lambda k, cards: not (len(cards) == 4 and _has_joker(cards)))
    return key and _foul(table, _suit_card(table), table.place(key), table.turn)


def _set_full(table):
    key = _sets(table, "own", lambda k, cards: len(cards) == 4 and not _has_joker(cards))
    return key and _foul(table, _suit_card(table), table.place(key), table.turn)


def _set_oofled(table):
    key = _sets(table, "own", lambda k, cards: any(c.oofled() for c in cards))
    return key and _foul(table, _suit_card(table), table.place(key), table.turn)


def _open_own(table, least, most):
    return _sets(
        table,
        "own",
        lambda k, cards: least <= len(cards) <= most and not any(c.oofled() for c in cards),
    )


def _mixed_suits(table):
    key = _open_own(table, 1, 3)
    if key is None:
        return None
    suit = suit_of(table.sets[key][0].face)
    cards = [face for face in SUIT_CARDS if suit_of(face) != suit]
    return _foul(table, table.rng.choice(cards), table.place(key), table.turn)


def _wrong_sum(table):
    key = _open_own(table, 3, 3)
    if key is None:
        return None
    faces = [c.face for c in table.sets[key]]
    cards = [f for f in SUIT_CARDS if suit_of(f) == suit_of(faces[0])]
    cards = [f for f in cards if number(f) and not makes_twelve([*faces, f])]
    return _foul(table, table.rng.choice(cards), table.place(key), table.turn) if cards else None


def _oofle_own(table):
    key = _sets(table, "own", lambda k, cards: bool(cards))
    return key and _foul(table, DUST, table.place(key), table.turn)


def _oofle_complete(table):
    key = _sets(table, "other", lambda k, cards: len(cards) == 4)
    return key and _foul(table, DUST, table.place(key), table.turn, on=table.sets[key][0].face)


def _already_oofled(table):
    key = _sets(table, "other", lambda k, cards: any(c.oofled() for c in cards))
    if key is None:
        return None
    cards = table.sets[key]
    face = next(c.face for c in cards if c.oofled())
    if not all(c.oofled() for c in cards if c.face == face):
        return None
    return _foul(table, DUST, table.place(key), table.turn, on=face)


def _no_oofle(table):
    key = _open_own(table, 0, 4)
    return key and _foul(table, WAND, table.place(key), table.turn)


def _wand_not_own(table):
    key = _sets(table, "other", lambda k, cards: any(c.oofled() for c in cards))
    return key and _foul(table, WAND, table.place(key), table.turn, on=DUST)


def _joker_mismatch(table):
    found = [x for x in table.exchanges(table.turn) if not x[1].tops]
    if not found or table.over:
        return None
    key, joker, due = table.rng.choice(found)
    card = table.rng.choice([f for f in SUIT_CARDS if f != due and number(f)])
    place, seat, log = table.place(key), table.turn, table.log
    if table.rng.random() < 0.5:
        wrong = [log.removed(joker.face, place, seat), log.placed(card, place, seat)]
    else:
        wrong = [log.placed(card, place, seat), log.removed(joker.face, place, seat)]
    return wrong, [log.removed(card, place, seat), log.placed(joker.face, place, seat)]


def _without_tops(table, key):
    """A face of this set that is taken alone: no joker, nothing lies on it."""
    faces = [c.face for c in table.sets[key] if number(c.face) and not c.tops]
    return table.rng.choice(faces) if faces else None


def _not_your_card(table):
    key = _sets(table, "other", lambda k, cards: bool(cards))
    face = key and _without_tops(table, key)
    return _taken(table, face, table.place(key), table.turn) if face else None


def _set_stays(table):
    key = _sets(table, "own", lambda k, cards: len(cards) == 4)
    face = key and _without_tops(table, key)
    return _taken(table, face, table.place(key), key[0]) if face else None


def _no_draw(table):
    seat, act = table.last
    if act not in ("a", "d", "f") or not table.discard or table.over:
        return None
    return _taken(table, table.discard[-1], "discard", seat)


CHEATS = {
    "out-of-turn": _out_of_turn,
    "not-your-set": _not_your_set,
    "set-full": _set_full,
    "set-oofled": _set_oofled,
    "mixed-suits": _mixed_suits,
    "wrong-sum": _wrong_sum,
    "oofle-own": _oofle_own,
    "oofle-complete": _oofle_complete,
    "already-oofled": _already_oofled,
    "no-oofle": _no_oofle,
    "wand-not-own": _wand_not_own,
    "joker-mismatch": _joker_mismatch,
    "not-your-card": _not_your_card,
    "set-stays": _set_stays,
    "no-draw": _no_draw,
}
