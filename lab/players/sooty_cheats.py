"""Breaks one rule of Sooty at a time, and puts it right."""

from collections.abc import Callable

from lab.players.sooty_play import (
    DUST,
    PACK,
    SUIT_CARDS,
    WAND,
    Laid,
    SetKey,
    Table,
    makes_twelve,
    number,
    suit_of,
)  # fmt: skip
from lab.players.table import Foul


def _foul(table: Table, card: str, place: str, seat: int, on: str | None = None) -> Foul:
    right = [table.log.placed(card, place, seat, on=on)]
    return right, [table.log.removed(card, place, seat)]


def _taken(table: Table, card: str, place: str, seat: int) -> Foul:
    return [table.log.removed(card, place, seat)], [table.log.placed(card, place, seat)]


def _sets(table: Table, of: str, wanted: Callable[[SetKey, list[Laid]], bool]) -> SetKey | None:
    """A random set of the seat in turn ("own") or of another ("other") that is `wanted(cards)`."""
    keys = [
        key
        for key, cards in table.sets.items()
        if (key[0] == table.turn) == (of == "own") and wanted(key, cards)
    ]
    return table.rng.choice(keys) if keys and table.started and not table.over else None


def _has_joker(cards: list[Laid]) -> bool:
    return any(number(c.face) == 0 for c in cards)


def _suit_card(table: Table) -> str:
    return table.rng.choice(SUIT_CARDS)


def _out_of_turn(table: Table) -> Foul | None:
    key = _sets(table, "other", lambda key, cards: len(cards) < 4)
    if key is None:
        return None
    if table.rng.random() < 0.5:
        return _foul(table, table.rng.choice(PACK), "discard", key[0])
    if table.sets[key] and table.rng.random() < 0.4:
        face = table.sets[key][-1]
        return None if face.tops else _taken(table, face.face, table.place(key), key[0])
    return _foul(table, _suit_card(table), table.place(key), key[0])


def _not_your_set(table: Table) -> Foul | None:
    key = _sets(table, "other", lambda k, cards: not (len(cards) == 4 and _has_joker(cards)))
    return key and _foul(table, _suit_card(table), table.place(key), table.turn)


def _set_full(table: Table) -> Foul | None:
    key = _sets(table, "own", lambda k, cards: len(cards) == 4 and not _has_joker(cards))
    return key and _foul(table, _suit_card(table), table.place(key), table.turn)


def _set_oofled(table: Table) -> Foul | None:
    key = _sets(table, "own", lambda k, cards: any(c.oofled() for c in cards))
    return key and _foul(table, _suit_card(table), table.place(key), table.turn)


def _open_own(table: Table, least: int, most: int) -> SetKey | None:
    return _sets(
        table,
        "own",
        lambda k, cards: least <= len(cards) <= most and not any(c.oofled() for c in cards),
    )


def _mixed_suits(table: Table) -> Foul | None:
    key = _open_own(table, 1, 3)
    if key is None:
        return None
    suit = suit_of(table.sets[key][0].face)
    cards = [face for face in SUIT_CARDS if suit_of(face) != suit]
    return _foul(table, table.rng.choice(cards), table.place(key), table.turn)


def _wrong_sum(table: Table) -> Foul | None:
    key = _open_own(table, 3, 3)
    if key is None:
        return None
    faces = [c.face for c in table.sets[key]]
    cards = [f for f in SUIT_CARDS if suit_of(f) == suit_of(faces[0])]
    cards = [f for f in cards if number(f) and not makes_twelve([*faces, f])]
    return _foul(table, table.rng.choice(cards), table.place(key), table.turn) if cards else None


def _oofle_own(table: Table) -> Foul | None:
    key = _sets(table, "own", lambda k, cards: bool(cards))
    return key and _foul(table, DUST, table.place(key), table.turn)


def _oofle_complete(table: Table) -> Foul | None:
    key = _sets(table, "other", lambda k, cards: len(cards) == 4)
    return key and _foul(table, DUST, table.place(key), table.turn, on=table.sets[key][0].face)


def _already_oofled(table: Table) -> Foul | None:
    key = _sets(table, "other", lambda k, cards: any(c.oofled() for c in cards))
    if key is None:
        return None
    cards = table.sets[key]
    face = next(c.face for c in cards if c.oofled())
    if not all(c.oofled() for c in cards if c.face == face):
        return None
    return _foul(table, DUST, table.place(key), table.turn, on=face)


def _no_oofle(table: Table) -> Foul | None:
    key = _open_own(table, 0, 4)
    return key and _foul(table, WAND, table.place(key), table.turn)


def _wand_not_own(table: Table) -> Foul | None:
    key = _sets(table, "other", lambda k, cards: any(c.oofled() for c in cards))
    return key and _foul(table, WAND, table.place(key), table.turn, on=DUST)


def _joker_mismatch(table: Table) -> Foul | None:
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


def _without_tops(table: Table, key: SetKey) -> str | None:
    """A face of this set that is taken alone: no joker, nothing lies on it."""
    faces = [c.face for c in table.sets[key] if number(c.face) and not c.tops]
    return table.rng.choice(faces) if faces else None


def _not_your_card(table: Table) -> Foul | None:
    key = _sets(table, "other", lambda k, cards: bool(cards))
    face = _without_tops(table, key) if key else None
    return _taken(table, face, table.place(key), table.turn) if key and face else None


def _set_stays(table: Table) -> Foul | None:
    key = _sets(table, "own", lambda k, cards: len(cards) == 4)
    face = _without_tops(table, key) if key else None
    return _taken(table, face, table.place(key), key[0]) if key and face else None


def _no_draw(table: Table) -> Foul | None:
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
