"""What made each state of a deck: teaching, a game, or going back to an earlier state."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from calibration.deck.history import State


class What(StrEnum):
    """What happened to a deck.

    TAUGHT: people taught it for the first time, or all of it again. ADDED: they added pictures.
    LEARNED: a game added pictures. REVERTED: an earlier state was restored.
    """

    TAUGHT = "taught"
    ADDED = "added"
    LEARNED = "learned"
    REVERTED = "reverted"


@dataclass(frozen=True, slots=True)
class Change:
    """How a state came about. at: seconds since the epoch; new: how many pictures of each face were
    added or learned; games: from which games, by name and number in the journal (0: none)."""

    state: State
    what: What
    at: float
    new: Counter[str] = field(default_factory=Counter)
    games: tuple[tuple[str, int], ...] = ()


def changes(known: Sequence[State]) -> list[Change]:
    """A change for each of the states that `history.states` gives, in their order."""
    return [_change(known[:k], state) for k, state in enumerate(known)]


def _change(before: Sequence[State], state: State) -> Change:
    if not before:
        return Change(state, What.TAUGHT, state.at)
    last = before[-1]
    if any(_is_like(state, one) for one in before):  # its files keep the time of that teaching
        return Change(state, What.REVERTED, last.until)
    known = {origin for _, origin in last.learned}
    fresh = [(face, origin) for face, origin in state.learned if origin not in known]
    if fresh:
        games = dict.fromkeys((origin.game, origin.number) for _, origin in fresh)
        new = Counter(face for face, _ in fresh)
        return Change(state, What.LEARNED, state.at, new, tuple(games))
    added = state.pictures - last.pictures
    if added and last.pictures <= state.pictures:
        return Change(state, What.ADDED, state.at, added)
    return Change(state, What.TAUGHT, state.at)


def _is_like(one: State, other: State) -> bool:
    return (one.at, one.pictures, one.learned) == (other.at, other.pictures, other.learned)
