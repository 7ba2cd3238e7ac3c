"""A wall clock that jumps while a game is kept: order and durations stay right."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from kiosk.journal.entries import EventEntry, GameHead
from kiosk.journal.file import JournalFile
from kiosk.journal.opening import Resume, find_cut
from lab.chaos.random_games import random_game
from lab.players.players import PLAYERS

NOW = 1.8e9
JUMPS_S = (-3600.0, 3600.0, -NOW + 100.0, 86_400.0 * 400)  # back, forth, to 1970, far ahead


@dataclass(slots=True)
class ClockScore:
    """Games kept while the clock jumped; the last three should equal `games`."""

    games: int = 0
    jumps: int = 0
    in_order: int = 0
    right_length: int = 0
    resumable: int = 0


def clock_jumps(games: int, seed: int) -> ClockScore:
    """Each event of a game may find the clock elsewhere. The game is cut off and looked for."""
    rng, score = Random(seed), ClockScore()
    for _ in range(games):
        name = rng.choice(sorted(PLAYERS))
        played = random_game(name, rng)
        head = GameHead(name, played.players, played.options, is_clock_unsure=True)
        wall = [NOW]
        with tempfile.TemporaryDirectory(prefix="fairdeal-clock-") as folder:
            path = Path(folder) / "journal.sqlite"
            journal = JournalFile(path, clock=lambda wall=wall: wall[0])  # type: ignore[misc]
            number = journal.begin(head)
            for event in played.events:
                if rng.random() < 0.1:
                    wall[0] = max(100.0, wall[0] + rng.choice(JUMPS_S))
                    score.jumps += 1
                journal.append(number, [EventEntry(event)])
            row, kept = journal.row(number), journal.events(number)
            journal.close()
            cut = find_cut(path, Resume.LAST, replace(head, is_clock_unsure=False), now=NOW)
        score.games += 1
        score.in_order += kept == played.events
        score.right_length += row.seconds == played.events[-1].at
        score.resumable += cut is not None and cut.number == number
    return score
