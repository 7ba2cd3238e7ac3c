"""The wash of Dirty Laundry: the sheet's "Wash Cycle – Order of Effect", step by step."""

from collections.abc import Iterable
from dataclasses import dataclass

from rules.games.dirty_laundry.cards import (
    CLOTHESLINE,
    FACES,
    Face,
    Kind,
    Place,
    garments_of,
    owner_place,
    ruined_face,
    said,
)
from rules.games.dirty_laundry.state import (
    Bucket,
    Due,
    Garment,
    State,
    broken_down,
    garments_at,
    spent,
    with_machine,
)
from rules.table.call import Call, CallKind, notice
from rules.table.event import CardEvent
from rules.values import replace

Judged = tuple[State, tuple[Call, ...]]


@dataclass(frozen=True, slots=True)
class Load:
    """What the items of a load are for its garments."""

    detergents: int
    dye: bool
    bleach: bool
    sock: bool
    helps: frozenset[str]
    in_machine: bool

    @property
    def breaks(self) -> bool:
        """ "If there are 2 or more DETERGENT, flip the washing machine to broken." """
        return self.in_machine and self.detergents >= 2

    @property
    def cleans(self) -> bool:
        """ "Multiple DETERGENT cannot wreck HAND WASH and will not ruin the garment." """
        return self.detergents == 1 or (self.detergents > 1 and not self.in_machine)


def load_of(items: Iterable[str], in_machine: bool) -> Load:
    """The load that these items make."""
    found = tuple(items)
    return Load(
        detergents=found.count("detergent"),
        dye="special-dye" in found,
        bleach="special-bleach" in found,
        sock="red-sock" in found,
        helps=frozenset(found),
        in_machine=in_machine,
    )


def becomes(face: Face, ruined: bool, load: Load) -> Due:
    """What a garment becomes: clean, ruined, restored or dirty."""
    if load.breaks:
        # "Flip all garments to RUINED"; in a load that restores "garments will remain RUINED".
        return Due.RUINED
    if ruined:
        # "SPECIAL BLEACH restores RUINED WHITE garments. SPECIAL DYE restores RUINED COLOUR."
        restores = load.bleach if face.white else load.dye
        return Due.RESTORED if restores else Due.RUINED
    if face.white and (load.sock or load.dye):
        return Due.RUINED
    if not face.white and load.bleach:
        return Due.RUINED
    if load.cleans and (face.need is None or face.need in load.helps):
        return Due.CLEAN
    return Due.DIRTY


def is_ruined(garment: Garment) -> bool:
    """The side a garment has by the game, turned over or not yet."""
    if garment.due is Due.RUINED:
        return True
    return garment.ruined and garment.due not in (Due.RESTORED, Due.DIRTY, Due.CLEAN)


def work_out(state: State, event: CardEvent, place: Place, shown: tuple[str, ...]) -> Judged:
    """All items of a wash are turned up: what becomes of the garments, and the calls of it."""
    at = place.name
    lying = state.items.get(at, ())
    faces = (*shown, *(item.face for item in lying if not item.spent and not item.shown))
    state = _washed(state, place)
    if at in state.items:
        state = replace(state, items={**state.items, at: spent(lying)})
    load = garments_at(state, garments_of(place))
    load = [(base, g) for base, g in load if g.due not in (Due.CLEAN, Due.UNNAMED)]
    if "unknown" in faces:
        return _unsure(state, event, place, [base for base, _ in load])
    made = load_of(faces, place.kind is Kind.MACHINE)
    garments, outcome, calls = dict(state.garments), [], []
    for base, g in load:
        face = FACES[base]
        result = becomes(face, is_ruined(g), made)
        garments[base] = replace(g, due=result)
        to = CLOTHESLINE if result is Due.CLEAN else owner_place(base)
        card = ruined_face(base) if g.ruined else base
        outcome.append((card, result, to))
        if result is Due.CLEAN:
            message = f"{said(card).capitalize()} is clean! Hang it on the clothesline."
            calls.append(Call(CallKind.COMPLETE, "wash", message, g.home, face.owner, card))
    state = replace(state, garments=garments)
    calls.append(_outcome(event, place, tuple(outcome)))
    if made.breaks:
        state = broken_down(state, place.number)
        message = (
            f"{made.detergents} detergents in machine {place.number}: it breaks. Turn it over, "
            "turn its garments to ruined and give them back; discard its items."
        )
        calls.append(notice(event, "overdose", message))
    return state, tuple(calls)


def _washed(state: State, place: Place) -> State:
    """ "Discard after 1 wash": a hand wash has had its wash; a machine is as it was."""
    if place.kind is Kind.MACHINE:
        machine = replace(state.machines[place.number - 1], doubtful=False)
        return with_machine(state, place.number, machine)
    bucket = state.buckets.get(place.number, Bucket())
    if not bucket.fresh:
        return state
    bucket = replace(bucket, fresh=bucket.fresh - 1, used=bucket.used + 1)
    return replace(state, buckets={**state.buckets, place.number: bucket})


def _unsure(state: State, event: CardEvent, place: Place, load: list[str]) -> Judged:
    garments = dict(state.garments)
    for base in load:
        garments[base] = replace(garments[base], due=Due.UNCHECKED)
    state = replace(state, garments=garments)
    if place.kind is Kind.MACHINE:
        machine = replace(state.machines[place.number - 1], doubtful=True)
        state = with_machine(state, place.number, machine)
    message = (
        f"I cannot name every item of {place.title}, so I cannot tell what becomes of the load. "
        "Work it out together; I shall not check it."
    )
    return state, (Call(CallKind.UNSURE, "outcome", message, event.place, event.seat, event.card),)


def _outcome(event: CardEvent, place: Place, garments: tuple[tuple[str, str, str], ...]) -> Call:
    where = place.title[0].upper() + place.title[1:]
    parts = "; ".join(f"{said(card)}: {_to_do(result)}" for card, result, _ in garments)
    parts = parts or "no garment was in it"
    message = f"{where} is washed. {parts[0].upper()}{parts[1:]}."
    return Call(
        CallKind.NOTICE, "outcome", message, event.place, event.seat, event.card, garments=garments
    )


def _to_do(result: str) -> str:
    return {
        Due.CLEAN: "clean, hang it on the clothesline",
        Due.RUINED: "ruined side up, back to its owner",
        Due.RESTORED: "restored, dirty side up, back to its owner",
        Due.DIRTY: "still dirty, back to its owner",
    }[Due(result)]
