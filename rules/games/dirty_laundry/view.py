"""Dirty Laundry's state for people."""

from rules.contract.game import PlaceView, View
from rules.contract.mistakes import described
from rules.games.dirty_laundry.cards import KINDS, said, say
from rules.games.dirty_laundry.state import Bucket, Due, State, hanging


def view(state: State) -> View:
    """Whose turn and how many moves, each machine and hand wash, who has hung up how many."""
    lines = [("Turn", _turn(state))]
    for number in (1, 2, 3):
        lines.append((f"Machine {number}", _machine(state, number)))
    for seat in range(1, state.players + 1):
        lines.append((f"Seat {seat}", _seat(state, seat)))
    lines += [("To do", text) for text in _to_do(state)]
    lines += [("To put right", described(mistake, say)) for mistake in state.mistakes]
    places = tuple(
        PlaceView(f"machine/{number}", f"Machine {number}", _machine(state, number))
        for number in (1, 2, 3)
    )
    scores = tuple(
        (seat, f"{hanging(state, seat)} of {len(KINDS)}") for seat in range(1, state.players + 1)
    )
    return View(state.turn.seat, tuple(lines), _headline(state), places, scores)


def _headline(state: State) -> str:
    if not state.started:
        return "Lay out garments, machines and clothesline, then press start."
    winners = [seat for seat in range(1, state.players + 1) if hanging(state, seat) == len(KINDS)]
    if winners:
        return f"Seat {winners[0]} has washed everything and wins!"
    if all(machine.broken for machine in state.machines):
        return "All three machines are broken: everyone loses."
    if state.mistakes:
        return "Put the mistake right, then play on."
    return _turn(state) + "."


def _turn(state: State) -> str:
    turn = state.turn
    if turn.seat is None:
        return "Whoever moves next is in turn"
    if not turn.sure:
        return f"Seat {turn.seat} is in turn"
    left = max(0, 2 - turn.moves)
    if not left:
        return f"Seat {turn.seat} has made its two moves"
    return f"Seat {turn.seat} has {left} move{'s' if left > 1 else ''} to make"


def _machine(state: State, number: int) -> str:
    place = f"machine/{number}"
    if state.machines[number - 1].broken:
        return "broken: a repair card mends it"
    return _load(state, place)


def _load(state: State, place: str) -> str:
    lying = [
        f"{base}-ruined" if g.ruined else base
        for base, g in sorted(state.garments.items())
        if g.home == f"{place}/garments" and g.due is None
    ]
    items = sum(1 for item in state.items.get(f"{place}/items", ()) if not item.spent)
    parts = [said(card) for card in lying] or ["no garment"]
    return f"{', '.join(parts)}; {items} item{'' if items == 1 else 's'}"


def _seat(state: State, seat: int) -> str:
    text = f"{hanging(state, seat)} of {len(KINDS)} on the clothesline"
    bucket = state.buckets.get(seat, Bucket())
    if bucket.fresh:
        text += f"; hand wash: {_load(state, f'seat/{seat}/hand-wash')}"
    elif bucket.used:
        text += "; hand wash: washed, discard it"
    return text


def _to_do(state: State) -> list[str]:
    """What the last wash or wreck has left to be done."""
    found = []
    for base, g in sorted(state.garments.items()):
        if g.due in (Due.RUINED, Due.RESTORED, Due.DIRTY):
            side = "ruined" if g.due is Due.RUINED else "dirty"
            found.append(f"Give {said(base)} back, {side} side up")
        elif g.due is Due.CLEAN and g.home != "clothesline":
            found.append(f"Hang {said(base)} on the clothesline")
    for number, machine in enumerate(state.machines, 1):
        if machine.broken and machine.shows == "machine":
            found.append(f"Turn machine {number} to its broken side")
    return found
