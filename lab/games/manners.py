"""Table manners: what people do at a table beside the game, or otherwise than one expects.

A manner changes how an act is done (`hover`), adds what is no act (`peek`), or is there all game
long (`fans-backs`). None changes what a referee must say.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from lab.games.room import Room
from models.drawing.belongings import THINGS
from models.drawing.steps import ASIDE, THING, Fan, How, Spot, Step, Verb

# Manners that add steps, by verb.
_ADDED = {
    "hold": Verb.HOLD, "push": Verb.PUSH, "square": Verb.SQUARE, "peek": Verb.PEEK,
    "look": Verb.LOOK, "raise": Verb.RAISE, "forearm": Verb.BRUSH, "elbow": Verb.ELBOW,
    "child": Verb.REST,
}  # fmt: skip
LASTING = ("fans-backs", "fans-faces", "sleeves")
MANNERS = (*_ADDED, "hover", "toss", "two", "things", "drop", *LASTING)
# Chances: that a game of all manners has one, that an act has what it can, that a seat has a fan.
_HAS, _CHANGED, _ADDS, _MOST_ADDED, _FAN = 0.5, 0.25, 0.15, 0.45, 0.75
_LONG_S = {
    "hold": (0.5, 1.5), "look": (0.3, 1.2), "peek": (0.1, 0.8), "child": (1.0, 3.0),
    "elbow": (2.0, 6.0),
}  # fmt: skip


def drawn(names: Sequence[str], rng: Random) -> tuple[str, ...]:
    """The manners of one game: those named, or a random half if all are."""
    if set(names) != set(MANNERS):
        return tuple(names)
    return tuple(name for name in MANNERS if rng.random() < _HAS)


def manner_of(step: Step, before: Step | None) -> str | None:
    """The manner of a step; `before`: the step before it."""
    if step.is_aside and step.verb is not Verb.ELBOW:
        return "things" if step.face.startswith(THING) else "drop"
    if step.how == How.TOSS:
        return "toss"
    if step.how == How.FOREARM:
        return "forearm"
    if step.verb is Verb.PLACE and step.wait:
        return "hover"
    is_together = before is not None and step.at - before.at <= TOGETHER_S
    if is_together and before is not None and before.verb is step.verb is Verb.PLACE:
        return "two"
    return next((name for name, verb in _ADDED.items() if verb is step.verb), None)


TOGETHER_S = 0.05  # between two cards that two hands lay at once


@dataclass(slots=True)
class Stack:
    """The known cards of a place, bottom to top. `is_plain`: nothing lies half over another."""

    faces: list[str]
    is_plain: bool = True


class Habits:
    """The manners of a game's players, for its timing: which steps change, which are added."""

    def __init__(self, names: Sequence[str], rng: Random, room: Room, seats: int) -> None:
        self.names, self._rng, self._room, self._seats = names, rng, room, seats
        self._stacks: dict[str, Stack] = {}
        self._kinds = [name for name in names if name in _ADDED or name in ("things", "drop")]
        self._things: dict[str, str] = {}
        self.spots: dict[str, Spot] = {}
        self.lying: list[tuple[str, str]] = []
        self._dropped = 0
        if "things" in names:
            self._lay_things()

    def _lay_things(self) -> None:
        for spot in self._room.free(4):
            self.spots[f"{ASIDE}{len(self.spots) + 1}"] = spot
        for kind, place in zip(THINGS, list(self.spots)[:2], strict=False):
            self._things[place] = THING + kind
            self.lying.append((THING + kind, place))

    def changed(self, step: Step) -> Step:
        """The step as these players do it."""
        rng = self._rng
        if step.verb is Verb.SWEEP and "forearm" in self.names and rng.random() < 0.7:
            return replace(step, how=How.FOREARM)
        if step.verb is not Verb.PLACE or step.on is not None:
            return step
        ways = [way for way in ("hover", "toss") if way in self.names]
        if not ways or rng.random() >= _CHANGED * len(ways):
            return step
        if rng.choice(ways) == "hover":
            return replace(step, wait=round(rng.uniform(0.3, 1.0), 2))
        return replace(step, how=How.TOSS)

    def is_together(self, step: Step, before: Step | None) -> bool:
        """Whether a card is laid at once with the one before, by the other hand."""
        if before is None or "two" not in self.names or self._rng.random() < 0.3:
            return False
        is_pair = before.verb is step.verb is Verb.PLACE and before.seat == step.seat
        plain = not (step.on or step.wait or step.how or before.wait or before.how)
        return is_pair and plain and step.place != before.place

    def booked(self, step: Step) -> None:
        """Follows what lies where."""
        stack = self._stacks.setdefault(step.place, Stack([]))
        if step.verb is Verb.PLACE:
            stack.is_plain = stack.is_plain and step.on is None
            stack.faces.append(step.face)
        elif step.verb is Verb.SWEEP:
            self._stacks[step.place] = Stack([])
        elif step.verb in (Verb.REMOVE, Verb.MOVE, Verb.TURN):
            if step.face in stack.faces:
                last = len(stack.faces) - 1 - stack.faces[::-1].index(step.face)
                del stack.faces[last]
            if step.verb is Verb.MOVE:
                self._stacks.setdefault(step.to, Stack([])).faces.append(step.face)
            elif step.verb is Verb.TURN:
                stack.faces.append(step.becomes)

    def added(self, seat: int | None, upcoming: Step | None) -> list[Step]:
        """What somebody does now that is no act; the first step has no time, later ones since it.

        `upcoming`: the next act.
        """
        rng = self._rng
        if rng.random() >= min(_MOST_ADDED, _ADDS * len(self._kinds)):
            return []
        kind = rng.choice(self._kinds)
        if kind == "things":
            return self._with_thing(seat)
        if kind == "drop":
            return self._drop(seat, upcoming)
        verb, wait = _ADDED[kind], round(rng.uniform(*_LONG_S.get(kind, (0.0, 0.0))), 2)
        if verb is Verb.ELBOW:
            edge = f"{ASIDE}elbow/{seat or 1}"
            self.spots.setdefault(edge, self._room.at_edge(seat or 1, 0.35))
            return [Step(0.0, verb, edge, seat=seat, wait=wait)]
        place = self._place_for(verb)
        if place is None:
            return []
        face = self._stacks[place].faces[-1]
        if verb is Verb.HOLD:
            if upcoming is None or upcoming.verb is not Verb.PLACE:
                return []
            return [Step(0.0, verb, place, upcoming.face, upcoming.seat, wait=wait)]
        named = verb in (Verb.PUSH, Verb.PEEK, Verb.LOOK)
        return [Step(0.0, verb, place, face if named else "", seat, wait=wait)]

    def _place_for(self, verb: Verb) -> str | None:
        """A place at which this can be done; None where there is none."""
        needs_pile = verb in (Verb.SQUARE, Verb.RAISE)
        fits = [
            place for place, stack in self._stacks.items()
            if len(stack.faces) >= (2 if needs_pile else 1)
            and (stack.is_plain or verb in (Verb.BRUSH, Verb.HOLD, Verb.REST))
            and not (needs_pile and not self._room.is_pile(place))
        ]  # fmt: skip
        return self._rng.choice(sorted(fits)) if fits else None

    def _with_thing(self, seat: int | None) -> list[Step]:
        free = sorted(self.spots.keys() - self._things.keys())
        free = [place for place in free if place.count("/") == 1]
        if not self._things or not free:
            return []
        place, to = self._rng.choice(sorted(self._things)), self._rng.choice(free)
        face = self._things.pop(place)
        self._things[to] = face
        return [Step(0.0, Verb.MOVE, place, face, seat, to=to)]

    def _drop(self, seat: int | None, upcoming: Step | None) -> list[Step]:
        """A card falls at the picture's edge, half in view, and is picked up again."""
        if upcoming is None or upcoming.verb is not Verb.PLACE:
            return []
        self._dropped += 1
        place = f"{ASIDE}drop/{self._dropped}"
        self.spots[place] = self._room.at_edge(seat or 1, -0.05)
        fallen = Step(0.0, Verb.PLACE, place, upcoming.face, seat, how=How.DROP)
        return [fallen, Step(self._rng.uniform(2.0, 4.0), Verb.REMOVE, place, upcoming.face, seat)]

    def fans(self, steps: Sequence[Step], names: Sequence[str]) -> tuple[Fan, ...]:
        """The fans of all seats. `names`: the faces of the deck."""
        shows = [kind for kind in ("fans-backs", "fans-faces") if kind in self.names]
        if not shows:
            return ()
        rng, made = self._rng, []
        used = {step.face for step in steps} | {step.becomes for step in steps}
        rest = [name for name in names if name not in used] or list(names)
        for seat in range(1, self._seats + 1):
            if seat > 1 and rng.random() >= _FAN:
                continue
            own = [s.face for s in steps if s.verb is Verb.PLACE and s.seat == seat]
            cards = list(dict.fromkeys(own))[: rng.randint(2, 4)]
            cards += rng.sample(rest, min(len(rest), rng.randint(2, 4)))
            rng.shuffle(cards)
            along, deep = self._room.fan_at(seat)
            is_open = rng.choice(shows) == "fans-faces"
            made.append(Fan(seat, along, deep, is_open, rng.random() < 0.4, tuple(cards)))
        return tuple(made)
