"""What came of killed games: the unbroken game and the resumed one, compared."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from lab.chaos.table import lying
from lab.players.table import Played
from rules.contract.game import make_setup
from rules.games import game as game_named
from rules.judging.referee import Session, begin, seen_table
from rules.table.call import CallKind


@dataclass(slots=True)
class KillScore:
    """What came of the kills. All but `kills`, `games` and the unseen ones should be 0."""

    games: int = 0
    kills: int = 0
    unseen: int = 0  # kills between an act and its journaling: the act counts as not seen
    lost_events: int = 0  # told to the players, and not in the journal
    other_states: int = 0  # games, all acts seen, that ended otherwise than the unbroken one
    other_calls: int = 0  # the same for the calls made after the first kill
    false_mistakes: int = 0  # mistakes that the unbroken game did not have
    ghosts: int = 0  # more cards that the table has not, at the end, than the unbroken game has
    traceless: int = 0  # of these: cards taken unseen from an equal one, which no picture shows
    refused: list[str] = field(default_factory=list)  # journals that could not be resumed
    faults: list[str] = field(default_factory=list)  # what the counts above are about


@dataclass(frozen=True, slots=True)
class Trial:
    """A game with its truth and its journal."""

    name: str
    played: Played
    path: Path

    def start(self) -> Session:
        """The game before its first event."""
        game = game_named(self.name)
        return begin(game, make_setup(game, self.played.players, self.played.options))

    @property
    def until(self) -> float:
        """The time of the last act (s)."""
        return self.played.events[-1].at


@dataclass(frozen=True, slots=True)
class Reached:
    """How far a run came that was killed: the truth's time (s), events and mistakes told."""

    at: float
    told: int
    mistakes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ended:
    """A game at its end: the state, the cards by place, and the calls made since it began."""

    session: Session
    calls: tuple[tuple[object, ...], ...]

    @property
    def mistakes(self) -> Counter[str]:
        """Those that were told, as lines."""
        return Counter(line_of(call) for call in self.calls if call[0] is CallKind.MISTAKE)

    def ghosts(self, trial: Trial) -> Counter[str]:
        """Cards that the game has and the table has not."""
        table = seen_table(self.session)
        cards = Counter(card for stack in table.values() for card in stack)
        return cards - Counter(lying(trial.played.events))


def line_of(call: tuple[object, ...]) -> str:
    """A call as one line."""
    return " ".join(str(part) for part in call)


def compare(
    trial: Trial, unbroken: Ended, last: Ended, mistakes: Counter[str], *, is_unseen: bool,
    traceless: Counter[str], score: KillScore,
) -> None:  # fmt: skip
    """Counts what the resumed game has otherwise. `mistakes`: those of all its runs.

    `traceless`: cards that were taken from an equal one while nobody watched.
    """
    ghosts = last.ghosts(trial) - unbroken.ghosts(trial)
    score.ghosts += ghosts.total()
    score.traceless += (ghosts & traceless).total()
    if ghosts:
        score.faults.append(f"{trial.path.name} {trial.name}: ghosts {dict(ghosts)}")
    wrong = mistakes - unbroken.mistakes
    score.false_mistakes += wrong.total()
    score.faults += [f"{trial.path.name} {trial.name} unseen={is_unseen}: {line}" for line in wrong]
    if is_unseen:
        return
    more = Counter(last.calls) - Counter(unbroken.calls)
    same = unbroken.session.state == last.session.state
    is_other = not (same and unbroken.session.table == last.session.table)
    missing = _later(unbroken, last)
    score.other_states += is_other
    score.other_calls += bool(more) or bool(missing)
    if is_other or more or missing:
        score.faults.append(f"{trial.path.name} {trial.name}: state {is_other}, {more}, {missing}")


def _later(unbroken: Ended, last: Ended) -> Counter[tuple[object, ...]]:
    """Calls of the unbroken game's end that were not made after the last kill."""
    tail = unbroken.calls[len(unbroken.calls) - len(last.calls) :]
    return Counter(tail) - Counter(last.calls)
