"""Cards that a watcher has never seen, because others lay on them when it began.

The game knows them from before. When the last card goes that the watcher knows of a place, either
a hidden card comes to light, which is no play, or the whole place was swept.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from kiosk.game.limits import LIMITS
from rules.table.event import Blind, Event, Placed, Removed, Sighted
from vision.sightings import UNKNOWN


@dataclass(frozen=True, slots=True)
class Stack:
    """What lies at a place.

    `hidden`: faces under the watcher's, bottom to top; `is_known`: the game has them too.
    `watched`: (face that the watcher sees, face that the game has) of the cards it knows.
    `bare_since`: s; the watcher's last card has gone and the hidden ones may be gone too.
    `seat`: who took that card.
    """

    hidden: tuple[str, ...]
    watched: tuple[tuple[str, str], ...] = ()
    is_known: bool = True
    bare_since: float | None = None
    seat: int | None = None


@dataclass(slots=True)
class HiddenCards:
    """Follows the places with hidden cards, by the game's names."""

    stacks: dict[str, Stack] = field(default_factory=dict)

    @classmethod
    def under(
        cls, places: Iterable[tuple[str, tuple[str, ...], tuple[str, ...], bool]]
    ) -> HiddenCards:
        """From (place, cards of before, cards that are seen, whether the game has the former)."""
        found = cls()
        for place, known, seen, is_known in places:
            stack = _stack(known, seen, is_known)
            if stack.hidden or any(a != b for a, b in stack.watched):
                found.stacks[place] = stack
        return found

    def take(self, event: Placed | Removed, *, is_lost: bool) -> tuple[Event, ...]:
        """What the event means for the game. `is_lost`: the referee has no view now."""
        stack = self.stacks.get(event.place)
        if stack is None:
            return (event,)
        if isinstance(event, Removed):
            return self._remove(event, stack)
        if stack.bare_since is None:
            watched = (*stack.watched, (event.card, event.card))
            self.stacks[event.place] = replace(stack, watched=watched)
            return (event,)
        if event.card == UNKNOWN or event.card in stack.hidden:
            return self._reveal(event, stack, is_lost=is_lost)
        return (*self._sweep(event.place, event.at), event)

    def expire(self, at: float) -> tuple[Event, ...]:
        """The places that stayed bare for long enough were swept."""
        swept = [
            place
            for place, stack in self.stacks.items()
            if stack.bare_since is not None and at - stack.bare_since >= LIMITS.reveal_s
        ]
        return tuple(event for place in swept for event in self._sweep(place, at))

    def _remove(self, event: Removed, stack: Stack) -> tuple[Event, ...]:
        faces = [seen for seen, _ in stack.watched]
        if event.card not in faces:
            return (event,)
        k = len(faces) - 1 - faces[::-1].index(event.card)
        real = stack.watched[k][1]
        left = stack.watched[:k] + stack.watched[k + 1 :]
        hidden = stack.hidden
        told: tuple[Event, ...] = (event,)
        if real != event.card:  # it was never read: it may be read now, or gone
            hidden, told = (*hidden, real), ()
        bare = event.at if not left and hidden else None
        if left or hidden:
            self.stacks[event.place] = replace(
                stack, hidden=hidden, watched=left, bare_since=bare, seat=event.seat
            )
        else:
            del self.stacks[event.place]
        return told

    def _reveal(self, event: Placed, stack: Stack, *, is_lost: bool) -> tuple[Event, ...]:
        """A hidden card comes to light; those that lay on it are gone."""
        hidden, place = stack.hidden, event.place
        k = len(hidden) - 1
        if event.card != UNKNOWN:
            k -= hidden[::-1].index(event.card)
        real = hidden[k] if stack.is_known else event.card
        self.stacks[place] = Stack(hidden[:k], ((event.card, real),), stack.is_known)
        if stack.is_known:
            above = reversed(hidden[k + 1 :])
            return tuple(Removed(event.at, card, place, stack.seat) for card in above)
        # The game does not have it: it is taken as it lies, and nobody is accused.
        return (event,) if is_lost else (Blind(event.at), event, Sighted(event.at))

    def _sweep(self, place: str, at: float) -> tuple[Event, ...]:
        stack = self.stacks.pop(place)
        if not stack.is_known:
            return ()
        return tuple(Removed(at, card, place, stack.seat) for card in reversed(stack.hidden))


def _stack(known: tuple[str, ...], seen: tuple[str, ...], is_known: bool) -> Stack:
    """Pairs what is seen with the topmost equal cards of before; the rest is hidden."""
    left = list(known)
    pairs: list[tuple[str, str]] = []
    for face in reversed(seen):
        if face in left:
            del left[len(left) - 1 - left[::-1].index(face)]
            pairs.append((face, face))
        elif face == UNKNOWN and left and is_known:
            pairs.append((face, ""))
        else:
            pairs.append((face, face))
    # A card that cannot be read is the topmost one that is left.
    paired = [(seen_face, real or left.pop()) for seen_face, real in pairs if real or left]
    return Stack(tuple(left), tuple(reversed(paired)), is_known)
