"""Garments placed in Dirty Laundry: loaded, sorted, hung up, given back."""

from rules.contract.mistakes import OpenedBy, opened
from rules.games.dirty_laundry.cards import (
    CLOTHESLINE,
    FACES,
    PLACES,
    WASHERS,
    Face,
    Kind,
    Part,
    Place,
    said,
)
from rules.games.dirty_laundry.state import (
    Bucket,
    Due,
    Garment,
    State,
    actor,
    counts_as_right,
    lying_load,
    place_of,
    with_garment,
)
from rules.games.dirty_laundry.turns import is_broken, moved, mover, turn_fault
from rules.table.call import Call, mistake
from rules.table.event import CardEvent
from rules.values import replace

Judged = tuple[State, tuple[Call, ...]]
Fault = tuple[str, str] | None
NOT_SEEN = (Due.UNCHECKED, Due.UNSEEN)
SIDES = {Due.RUINED: "ruined", Due.RESTORED: "restored", Due.DIRTY: "still dirty"}


def place_garment(state: State, event: CardEvent) -> Judged:
    """A garment is placed anywhere: a move, a sort, or what is done with it after a wash."""
    face, place = FACES[event.card], place_of(event.place)
    garment = state.garments.get(face.base) or Garment(None, None, face.ruined)
    if garment.due is Due.UNNAMED:
        garment = replace(garment, due=Due.UNSEEN)
    if place.part is not Part.GARMENTS or (
        place.name == garment.home and _is_as_it_lay(garment, face)
    ):
        if place.part is not Part.GARMENTS and garment.due is Due.CLEAN:
            return _wrong(state, event, garment, _should_be_clean(event), actor(state, event))
        return with_garment(state, face.base, replace(garment, at=event.place)), ()
    is_move = place.kind in WASHERS and _came_from_seat(garment)
    seat = mover(state, event) if is_move else actor(state, event)
    fault = None
    if not counts_as_right(state, place.name):
        if is_move and (late := turn_fault(state, seat)):
            reason, back = late[1], f"Take {said(event.card)} back."
            fault = (late[0], f"{reason} {back}")
        fault = fault or _fault(state, event, face, garment, place)
    if fault:
        return _wrong(state, event, garment, fault, seat)
    return _settled(state, event, face, garment, place, is_move, seat)


def _is_as_it_lay(garment: Garment, face: Face) -> bool:
    return garment.ruined == face.ruined


def _came_from_seat(garment: Garment) -> bool:
    """A garment never seen before comes from where all garments begin: in front of a player."""
    return garment.home is None or PLACES[garment.home].kind is Kind.SEAT


def _wrong(
    state: State, event: CardEvent, garment: Garment, fault: Fault, seat: int | None
) -> Judged:
    """A wrong card changes nothing of the game but where it lies."""
    assert fault is not None
    call = mistake(event, fault[0], fault[1], seat)
    base = FACES[event.card].base
    garments = {**state.garments, base: replace(garment, at=event.place)}
    return replace(
        state, garments=garments, mistakes=opened(state.mistakes, call, OpenedBy.PLACING)
    ), (call,)


def _settled(
    state: State,
    event: CardEvent,
    face: Face,
    garment: Garment,
    place: Place,
    is_move: bool,
    seat: int | None,
) -> Judged:
    due = garment.due
    if place.kind is Kind.CLOTHESLINE:
        due = Due.CLEAN
    elif garment.home is None and place.kind is Kind.SEAT:
        due = Due.UNSEEN  # nobody knows where it lay before: it may be washed
    elif place.kind is Kind.SEAT or (place.name != garment.home and due not in NOT_SEEN):
        due = None
    action = state.action
    came = PLACES[garment.home].kind if garment.home else Kind.SEAT
    if came in WASHERS and place.kind in WASHERS and place.name != garment.home and action:
        state = replace(state, action=replace(action, can=frozenset({"sort"}), thing=face.base))
    settled = Garment(place.name, place.name, face.ruined, due)
    state = with_garment(state, face.base, settled)
    return moved(state, event, seat, None) if is_move else (state, ())


def _fault(state: State, event: CardEvent, face: Face, garment: Garment, place: Place) -> Fault:
    """The first row of the table that this garment breaks here."""
    if place.kind is Kind.CLOTHESLINE:
        return _not_clean(event, garment)
    if place.kind is Kind.SEAT:
        return _wrongly_returned(event, face, garment, place)
    turned_here = place.name == garment.home
    if turned_here and counts_as_right(state, f"machine/{place.number}"):
        # The machine's card cannot be named: it may be broken.
        return None
    if turned_here and garment.due is not None:
        # Turned over where it was washed, on its way back to its owner.
        return _should_be_clean(event) if garment.due is Due.CLEAN else None
    if place.kind is Kind.MACHINE:
        fault = _cannot_load(state, event, face, place)
    else:
        fault = _cannot_hand_wash(state, event, face, place)
    if fault or turned_here:
        return fault
    if garment.due is Due.CLEAN:
        return _should_be_clean(event)
    return None if _came_from_seat(garment) else _cannot_sort(state, event, face, garment, place)


def _cannot_load(state: State, event: CardEvent, face: Face, place: Place) -> Fault:
    if is_broken(state, place.number):
        # "Items and garments cannot be loaded into a BROKEN WASHING MACHINE."
        return (
            "machine-broken",
            f"Machine {place.number} is broken, nothing may go in. "
            f"Take {said(event.card)} back; a repair card mends the machine.",
        )
    if any(g.ruined != face.ruined for g in lying_load(state, place.name, face.base)):
        # "DIRTY garments and RUINED garments cannot be loaded into the same washing machine."
        other = "dirty" if face.ruined else "ruined"
        return (
            "mixed-load",
            f"Machine {place.number} holds {other} garments, and dirty and ruined ones do not mix. "
            f"Take {said(event.card)} back and choose another machine.",
        )
    return None


def _cannot_hand_wash(state: State, event: CardEvent, face: Face, place: Place) -> Fault:
    card = said(event.card)
    back = f"Take {card} back."
    if (fault := no_bucket(state, place, back)) is not None:
        return fault
    if lying_load(state, place.name, face.base):
        # "HAND WASH: a private bucket that cleans 1 garment."
        return "hand-wash-full", f"A hand wash holds one garment, and one lies in it. {back}"
    if face.ruined:
        # "RUINED garments can be loaded into … washing machine[s]": not into a hand wash.
        return (
            "ruined-in-hand-wash",
            f"A ruined garment cannot be hand washed. {back} Restore it in a machine first.",
        )
    if face.owner != place.number:
        # "or your own hand wash"
        return (
            "not-your-hand-wash",
            f"This hand wash is for seat {place.number}'s own garments only. {back}",
        )
    return None


def no_bucket(state: State, place: Place, back: str) -> Fault:
    """ "(1) place a HAND WASH down. (2) load a garment to that HAND WASH." """
    bucket = state.buckets.get(place.number, Bucket())
    if bucket.fresh or counts_as_right(state, f"seat/{place.number}/hand-wash"):
        return None
    why = "has had its one wash" if bucket.used else "is not down yet"
    todo = "Discard it." if bucket.used else "Lay a hand wash card first, it is a move of its own."
    return "no-hand-wash", f"The hand wash of seat {place.number} {why}. {back} {todo}"


def _cannot_sort(
    state: State, event: CardEvent, face: Face, garment: Garment, place: Place
) -> Fault:
    action, came = state.action, PLACES[garment.home or ""]
    back = f"Put {said(event.card)} back in {came.title}"
    free = action is not None and action.thing in (None, face.base)
    if action is None or "sort" not in action.can or not free:
        # "SORT: move your garment or an opponent's garment between washing machines."
        return "no-sort", f"Only a sort card moves a garment that is loaded. {back}, or lay a sort."
    private = Kind.HAND_WASH in (place.kind, came.kind)
    if private and action.seat is not None and action.seat != face.owner:
        # "SORT cannot be used to move other players' garments between their hand wash and …"
        return (
            "sort-not-yours",
            f"Between a hand wash and a machine you may sort your own garments only. {back}.",
        )
    return None


def _not_clean(event: CardEvent, garment: Garment) -> Fault:
    if garment.due is Due.CLEAN or garment.due in NOT_SEEN:
        return None
    # "Hang all successfully cleaned garments on the CLOTHESLINE."
    return (
        "not-clean",
        f"No wash has cleaned {said(event.card)} yet. Take it off the clothesline.",
    )


def _should_be_clean(event: CardEvent) -> Fault:
    return (
        "should-be-clean",
        f"{said(event.card).capitalize()} is clean. Hang it on the {CLOTHESLINE}.",
    )


def _wrongly_returned(event: CardEvent, face: Face, garment: Garment, place: Place) -> Fault:
    if garment.due is Due.CLEAN:
        return _should_be_clean(event)
    if garment.due is Due.UNCHECKED:
        return None
    if garment.due in SIDES and face.ruined != (garment.due is Due.RUINED):
        # "Flip affected garments and return to players."
        side = "ruined" if garment.due is Due.RUINED else "dirty"
        return (
            f"should-be-{garment.due}",
            f"This garment is {SIDES[garment.due]}. Turn it over, {side} side up.",
        )
    if face.owner != place.number and garment.home is not None:
        return (
            "wrong-owner",
            f"This garment is seat {face.owner}'s. Give it back to seat {face.owner}.",
        )
    return None
