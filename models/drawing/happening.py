"""What a script makes happen, in a referee's words: the truth beside its pictures."""

from models.drawing.steps import ASIDE, UNTOLD, Script, Verb
from rules.errors import FairdealError
from rules.table.event import Event, Placed, Pressed, Removed

# What moves a card, or a pile, that must lie there.
_NEED_CARD = frozenset({Verb.PUSH, Verb.LIFT, Verb.PEEK, Verb.LOOK, Verb.SQUARE, Verb.RAISE})


def truth(script: Script) -> tuple[Event, ...]:
    """The script's events in the order of time. Raises FairdealError for an impossible step.

    A script without buttons starts its game at 0.0 s.
    """
    happening = _Happening(script)
    if not any(step.verb is Verb.PRESS for step in script.steps):
        happening.events.append(Pressed(0.0, "start"))
    for face, place in script.lying:
        happening.placed(0.0, face, place, None)
    for step in script.steps:
        lifted = step.at - script.tempo.carry if step.verb is Verb.MOVE else step.at
        if step.verb is Verb.PRESS:
            happening.events.append(Pressed(step.at, step.button, step.seat))
        elif step.verb is Verb.PLACE:
            happening.placed(step.at, step.face, step.place, step.seat, step.on)
        elif step.verb is Verb.SWEEP:
            happening.swept(step.at, step.place, step.seat)
        elif step.verb in _NEED_CARD:
            happening.touched(step.at, step.face, step.place)
        elif step.verb not in UNTOLD:
            happening.removed(lifted, step.face, step.place, step.seat)
            if step.verb is Verb.MOVE:
                happening.placed(step.at, step.face, step.to, step.seat)
            elif step.verb is Verb.TURN:
                happening.placed(step.at, step.becomes, step.place, step.seat)
    return tuple(sorted(happening.events, key=lambda event: event.at))


class _Happening:
    """The table while the script runs, and the events so far."""

    def __init__(self, script: Script) -> None:
        self._name = script.name
        self._table: dict[str, list[str]] = {}
        self.events: list[Event] = []

    def placed(
        self, at: float, face: str, place: str, seat: int | None, on: str | None = None
    ) -> None:
        self._table.setdefault(place, []).append(face)
        self._tell(Placed(at, face, place, seat, on=on))

    def removed(self, at: float, face: str, place: str, seat: int | None) -> None:
        self.touched(at, face, place)
        cards = self._table[place]
        del cards[len(cards) - 1 - cards[::-1].index(face)]
        self._tell(Removed(at, face, place, seat))

    def _tell(self, event: Placed | Removed) -> None:
        if not event.place.startswith(ASIDE):
            self.events.append(event)

    def touched(self, at: float, face: str, place: str) -> None:
        """Raises FairdealError if no such card lies there; any card if `face` is empty."""
        cards = self._table.get(place, [])
        if (face not in cards) if face else not cards:
            raise FairdealError(
                f"{face or 'a card'} at {place} at {at:g} s", ", ".join(cards) or "nothing there",
                "correct the script", where=self._name,
            )  # fmt: skip

    def swept(self, at: float, place: str, seat: int | None) -> None:
        cards = self._table.get(place, [])
        if not cards:
            self.touched(at, "", place)
        for face in cards[::-1]:
            self.removed(at, face, place, seat)
