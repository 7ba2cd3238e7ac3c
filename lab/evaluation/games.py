"""`fairdeal evaluate games`: whole random games on the simulated table, refereed and scored."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from lab.games.decks import drawn_deck
from lab.games.generate import Generated, Wish, generate
from lab.games.score import GameScore, score
from lab.games.worker import FILM, SCRIPT, SEEN, SETUP
from models.drawing.script import script_text
from rules.errors import FairdealError

FAULTS, DECK = "faults.txt", "deck"
_FILM_S = 4.0  # before and after the worst moment
_LIMIT_S = 3600


@dataclass(frozen=True, slots=True)
class Scored:
    """A game, and how the referee did."""

    wish: Wish
    score: GameScore


def play(wishes: Sequence[Wish], folder: Path | None, jobs: int = 1) -> Iterator[Scored]:
    """Generates, referees and scores the games, `jobs` processes at once, in the given order.

    `folder` keeps each game's script, what was seen, and the faults. Raises FairdealError.
    """
    with tempfile.TemporaryDirectory() as made, ThreadPoolExecutor(jobs) as pool:
        base = folder or Path(made)
        yield from pool.map(lambda wish: _play_one(wish, base / wish.name), wishes)


def _play_one(wish: Wish, folder: Path) -> Scored:
    game = generate(wish)
    folder.mkdir(parents=True, exist_ok=True)
    script = game.script
    if wish.drawn_deck:
        deck = drawn_deck("plain52" if wish.game == "soda" else wish.game, wish.seed, folder / DECK)
        script = replace(script, deck=str(deck.folder))
    (folder / SCRIPT).write_text(script_text(script), encoding="utf-8")
    (folder / SETUP).write_text(
        json.dumps({"options": game.options, "sides": game.sides}), encoding="utf-8"
    )
    _referee(folder)
    made = score(game.script, game.options, json.loads((folder / SEEN).read_text(encoding="utf-8")))
    lines = [f"{at:.2f} s {what}\n" for at, what in made.faults]
    (folder / FAULTS).write_text("".join(lines), encoding="utf-8")
    return Scored(wish, made)


def _referee(folder: Path, *more: str) -> None:
    """Referees a folder's game in a new process."""
    words = [sys.executable, "-m", "lab.games.worker", str(folder), *more]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=_LIMIT_S)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no word"])[-1]
        raise FairdealError(
            f"a referee that finishes {folder.name}", last, f"look at {folder / SCRIPT}"
        )


def film_worst(games: Sequence[Scored], folder: Path) -> Path | None:
    """Films the worst moment of the worst game, as its referee saw it; None without a fault."""
    worst = max(games, key=_badness)
    at = worst.score.worst_moment()
    if at is None:
        return None
    place = folder / worst.wish.name
    game: Generated = generate(worst.wish)
    begin, end = max(0.0, at - _FILM_S), min(game.script.end, at + _FILM_S)
    _referee(place, f"{begin:.2f}", f"{end:.2f}")
    return place / FILM


def _badness(game: Scored) -> tuple[int, int]:
    return (game.score.calls_false["mistake"], len(game.score.faults))
