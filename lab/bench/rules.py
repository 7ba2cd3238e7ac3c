"""How fast the referees judge: events a second on one core, for each game."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median

from rules.contract.game import make_setup
from rules.contract.reader import read_events
from rules.contract.sample import read_sample
from rules.games import NAMES, game
from rules.judging.referee import begin, close, step

GOAL = 50_000
ROUNDS, ROUND_S = 15, 0.04


@dataclass(frozen=True, slots=True)
class Speed:
    """Events per second of processor time: `judging` alone, and `replaying` with JSON in and out.

    Medians of the rounds, and the best round of each.
    """

    game: str
    judging: float
    replaying: float
    best_judging: float
    best_replaying: float


def measure(name: str, rounds: int = ROUNDS) -> Speed:
    """Plays the script of a game again and again, `rounds` of `ROUND_S` each way, by turns."""
    the_game = game(name)
    events = read_sample(the_game.sample)
    lines = [event.to_json().encode() for event in events]
    setup = make_setup(the_game, 2)

    def judge() -> None:
        session = begin(the_game, setup)
        for event in events:
            session, _ = step(session, event)
        close(session)

    def replay() -> None:
        session = begin(the_game, setup)
        for event in read_events(lines, the_game, 2):
            session, calls = step(session, event)
            for call in calls:
                call.to_json()
        close(session)

    judged, replayed = [], []
    for _ in range(rounds):
        judged.append(len(events) * _plays_a_second(judge))
        replayed.append(len(events) * _plays_a_second(replay))
    return Speed(name, median(judged), median(replayed), max(judged), max(replayed))


def _plays_a_second(play: Callable[[], None]) -> float:
    """Runs of `play` per second of processor time; other work still shares the caches."""
    begun, plays = time.process_time_ns(), 0
    while (spent := time.process_time_ns() - begun) < ROUND_S * 1e9:
        play()
        plays += 1
    return plays * 1e9 / spent


def report() -> Iterator[str]:
    """Lines for people, one a game, as they are measured."""
    yield (
        f"rules: events a second of one core's own time (CPU time), median of {ROUNDS} rounds and "
        f"the best one (goal: {GOAL:,} judged)"
    )
    for name in NAMES:
        speed = measure(name)
        verdict = "ok" if speed.judging >= GOAL else "below the goal"
        yield (
            f"  {name:15} judged {speed.judging:>8,.0f} (best {speed.best_judging:,.0f})   read, "
            f"judged, written {speed.replaying:>7,.0f} (best {speed.best_replaying:,.0f})   "
            f"{verdict}"
        )
