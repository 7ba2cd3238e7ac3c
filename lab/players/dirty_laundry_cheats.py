"""Breaks one rule of Dirty Laundry at a time, and puts it right."""

from lab.players.dirty_laundry_play import Table
from lab.players.dirty_laundry_state import ITEMS, owner
from lab.players.table import Cheat, Foul


def cheat(function: Cheat) -> Cheat:
    """A foul is possible while a game is under way."""

    def made(table: Table) -> Foul | None:
        return function(table) if table.started and not table.over else None

    return made


def lay_and_take(table: Table, card: str, place: str, seat: int) -> Foul:
    return [table.log.placed(card, place, seat)], [table.log.removed(card, place, seat)]


def there_and_back(table: Table, base: str, start: str, end: str, seat: int) -> Foul:
    card = table.face(base)
    wrong = [table.log.removed(card, start, seat), table.log.placed(card, end, seat)]
    right = [table.log.removed(card, end, seat), table.log.placed(card, start, seat)]
    return wrong, right


def any_item(table: Table) -> str:
    """Face-down or face-up; a face just taken from a wash could be laid back there."""
    faces = [face for face in ITEMS if face not in table.washed]
    return table.rng.choice(["back", "back", *faces[:1]])


@cheat
def out_of_turn(table: Table) -> Foul | None:
    seats = [s for s in range(1, table.players + 1) if s not in (table.turn, table.mover())]
    if not seats:
        return None
    place = f"{table.rng.choice(table.working())}/items"
    if table.rng.random() < 0.3:
        return lay_and_take(table, "wreck", "actions", seats[0])
    return lay_and_take(table, "back", place, table.rng.choice(seats))


@cheat
def third_move(table: Table) -> Foul | None:
    if table.made != 2:
        return None
    card, place = table.rng.choice([("back", f"{table.working()[0]}/items"), ("sort", "actions")])
    return lay_and_take(table, card, place, table.turn)


@cheat
def must_move_twice(table: Table) -> Foul | None:
    return ([table.log.pressed("done", table.turn)], []) if table.made < 2 else None


@cheat
def machine_broken(table: Table) -> Foul | None:
    if not table.broken:
        return None
    tub, seat = min(table.broken), table.mover()
    loose = table.lie_at("seat")
    if loose and table.rng.random() < 0.5:
        base = table.rng.choice(loose)
        return there_and_back(table, base, table.seat_of(base), f"{tub}/garments", seat)
    return lay_and_take(table, any_item(table), f"{tub}/items", seat)


@cheat
def mixed_load(table: Table) -> Foul | None:
    for tub in table.working():
        for base in table.lie_at("seat"):
            if not table.fits(base, tub):
                end = f"{tub}/garments"
                return there_and_back(table, base, table.seat_of(base), end, table.mover())
    return None


@cheat
def no_hand_wash(table: Table) -> Foul | None:
    seat = table.mover()
    tub = table.tub_of(seat)
    if tub in table.items:
        return None
    return lay_and_take(table, any_item(table), f"{tub}/items", seat)


def own_bucket(table: Table) -> str | None:
    tub = table.tub_of(table.mover())
    return tub if tub in table.items else None


def into_bucket(table: Table, tub: str, mine: list[str]) -> Foul | None:
    if not mine:
        return None
    end = f"{tub}/garments"
    return there_and_back(table, mine[0], table.seat_of(mine[0]), end, table.mover())


@cheat
def hand_wash_full(table: Table) -> Foul | None:
    tub, mine = own_bucket(table), table.lie_at("seat", table.mover())
    return into_bucket(table, tub, mine) if tub and table.lie_at(tub) else None


@cheat
def ruined_in_hand_wash(table: Table) -> Foul | None:
    tub = own_bucket(table)
    mine = [b for b in table.lie_at("seat", table.mover()) if b in table.ruined]
    return into_bucket(table, tub, mine) if tub and not table.lie_at(tub) else None


@cheat
def not_your_hand_wash(table: Table) -> Foul | None:
    others = [tub for tub in table.buckets() if tub != table.tub_of(table.mover())]
    if not others:
        return None
    tub = table.rng.choice(others)
    if table.items[tub] and table.rng.random() < 0.5:
        seat = table.begin_move()
        card = table.rng.choice(["wash", "rinse"])
        wrong = [*table.act(seat, card), table.log.removed("back", f"{tub}/items", seat)]
        return wrong, [table.log.placed("back", f"{tub}/items", seat)]
    return lay_and_take(table, any_item(table), f"{tub}/items", table.mover())


@cheat
def items_face_down(table: Table) -> Foul | None:
    place = f"{table.rng.choice(table.working())}/items"
    faces = [face for face in ITEMS if face not in table.washed]
    if not faces:
        return None
    return lay_and_take(table, table.rng.choice(faces), place, table.mover())


@cheat
def not_clean(table: Table) -> Foul | None:
    loose = table.lie_at("seat")
    if not loose:
        return None
    base = table.rng.choice(loose)
    return there_and_back(table, base, table.seat_of(base), "clothesline", table.turn)


@cheat
def should_be_clean(table: Table) -> Foul | None:
    hung = table.lie_at("line")
    if not hung:
        return None
    base = table.rng.choice(hung)
    return there_and_back(table, base, "clothesline", table.seat_of(base), table.turn)


@cheat
def should_be_ruined(table: Table) -> Foul | None:
    tubs = [tub for tub in table.working() if table.lie_at(tub)]
    if not tubs or len(table.broken) == 2:
        return None
    return table.wreck_wrongly(table.begin_move(), tubs[0])


def tub_with(table: Table, ruined: bool) -> str | None:
    """A machine with items and a load of this side."""
    for tub in table.working():
        lying = table.lie_at(tub)
        if lying and table.items[tub] and (lying[0] in table.ruined) == ruined:
            return tub
    return None


@cheat
def should_be_restored(table: Table) -> Foul | None:
    tub = tub_with(table, ruined=True)
    if tub is None:
        return None
    remedy = "special-bleach" if "white" in table.lie_at(tub)[0] else "special-dye"
    table.items[tub] = [remedy] * len(table.items[tub])
    return table.wash_wrongly(table.begin_move(), tub, "side")


def nothing_cleaned(table: Table, end: str) -> Foul | None:
    tub = tub_with(table, ruined=False)
    if tub is None:
        return None
    table.items[tub] = ["mesh-bag"] * len(table.items[tub])
    return table.wash_wrongly(table.begin_move(), tub, end)


@cheat
def should_be_dirty(table: Table) -> Foul | None:
    return nothing_cleaned(table, "side")


@cheat
def wrong_owner(table: Table) -> Foul | None:
    return nothing_cleaned(table, "owner")


def turned(table: Table, tub: str, sides: tuple[str, str]) -> Foul | None:
    log, seat = table.log, table.turn
    wrong = [log.removed(sides[0], tub, seat), log.placed(sides[1], tub, seat)]
    return wrong, [log.removed(sides[1], tub, seat), log.placed(sides[0], tub, seat)]


@cheat
def no_repair(table: Table) -> Foul | None:
    if not table.broken:
        return None
    return turned(table, min(table.broken), ("machine-broken", "machine"))


@cheat
def no_wreck(table: Table) -> Foul | None:
    return turned(table, table.rng.choice(table.working()), ("machine", "machine-broken"))


@cheat
def no_rinse(table: Table) -> Foul | None:
    tubs = [tub for tub in table.items if table.items[tub]]
    if not tubs:
        return None
    place = f"{table.rng.choice(tubs)}/items"
    wrong = [table.log.removed("back", place, table.turn)]
    return wrong, [table.log.placed("back", place, table.turn)]


@cheat
def no_sort(table: Table) -> Foul | None:
    for base, start, end in table.sorts(table.turn):
        if base != table.sorted:
            return there_and_back(table, base, f"{start}/garments", f"{end}/garments", table.turn)
    return None


@cheat
def sort_not_yours(table: Table) -> Foul | None:
    for tub in table.buckets():
        for base in table.lie_at(tub):
            ends = [end for end in table.working() if table.fits(base, end)]
            if ends and owner(base) != table.mover():
                seat = table.begin_move()
                start, end = f"{tub}/garments", f"{ends[0]}/garments"
                wrong, right = there_and_back(table, base, start, end, seat)
                return [*table.act(seat, "sort"), *wrong], right
    return None


CHEATS = {
    "out-of-turn": out_of_turn,
    "third-move": third_move,
    "must-move-twice": must_move_twice,
    "machine-broken": machine_broken,
    "mixed-load": mixed_load,
    "no-hand-wash": no_hand_wash,
    "hand-wash-full": hand_wash_full,
    "ruined-in-hand-wash": ruined_in_hand_wash,
    "not-your-hand-wash": not_your_hand_wash,
    "items-face-down": items_face_down,
    "not-clean": not_clean,
    "should-be-clean": should_be_clean,
    "should-be-ruined": should_be_ruined,
    "should-be-restored": should_be_restored,
    "should-be-dirty": should_be_dirty,
    "wrong-owner": wrong_owner,
    "no-repair": no_repair,
    "no-wreck": no_wreck,
    "no-rinse": no_rinse,
    "no-sort": no_sort,
    "sort-not-yours": sort_not_yours,
}
