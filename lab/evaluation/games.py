"""`fairdeal evaluate games`: whole random games on the simulated table, refereed and scored."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lab.games.decks import drawn_deck
from lab.games.films import read_truth, truths_in, wish_text
from lab.games.generate import Wish, generate
from lab.games.score import GameScore, score_film
from lab.games.truth import FilmTruth, truth_of_script
from lab.games.worker import FILM, SCRIPT, SEEN, SETUP
from models.drawing.script import script_text
from rules.errors import FairdealError

FAULTS, DECK = "faults.txt", "deck"
_FILM_S = 4.0  # before and after the worst moment
_LIMIT_S = 3600


@dataclass(frozen=True, slots=True)
class Scored:
    """A game, what happened in it, and how the referee did."""

    film: FilmTruth
    score: GameScore


def draw_films(wishes: Sequence[Wish], folder: Path, jobs: int = 1) -> Iterator[Path]:
    """Draws the games' films into `folder`, `jobs` processes at once. Raises FairdealError."""

    def draw(wish: Wish) -> Path:
        _run("lab.games.films", wish_text(wish), str(folder), what=f"a film of {wish.name}")
        return folder / f"{wish.name}.json"

    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(draw, wishes)


def judge_films(folder: Path, results: Path | None, jobs: int = 1) -> Iterator[Scored]:
    """Referees and scores the films of a folder, `jobs` processes at once. Raises FairdealError.

    `results` keeps NAME.json for each: what was seen and called, and all faults.
    """
    with tempfile.TemporaryDirectory() as made, ThreadPoolExecutor(jobs) as pool:
        base = results or Path(made)
        base.mkdir(parents=True, exist_ok=True)
        found = truths_in(folder)
        yield from pool.map(lambda pair: _judge_film(pair[0], pair[1], base), found)


def _judge_film(truth_file: Path, film: Path, base: Path) -> Scored:
    seen_file = base / truth_file.name
    _run("lab.games.worker", str(truth_file), str(film), str(seen_file),
         what=f"a referee that finishes {film.name}")  # fmt: skip
    seen = json.loads(seen_file.read_text(encoding="utf-8"))
    scored = Scored(read_truth(truth_file), score_film(read_truth(truth_file), seen))
    seen_file.write_text(json.dumps(seen | figures(scored.score)), encoding="utf-8")
    return scored


def figures(made: GameScore) -> dict[str, Any]:
    """A film's result in JSON's words."""
    return {
        "acts": made.acts, "events_due": made.events, "events_right": made.events_right,
        "events_false": sum(mark.what == "false" for mark in made.marks),
        "calls_due": made.calls, "calls_right": made.calls_right, "calls_false": made.calls_false,
        "needless_questions": sum(mark.what == "question" for mark in made.marks),
        "faults": made.faults, "marks": [[m.at, m.what, m.is_right] for m in made.marks],
    }  # fmt: skip


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
    film = truth_of_script(script, game.options, game.sides, wish.pace)
    made = score_film(film, json.loads((folder / SEEN).read_text(encoding="utf-8")))
    lines = [f"{at:.2f} s {what}\n" for at, what in made.faults]
    (folder / FAULTS).write_text("".join(lines), encoding="utf-8")
    return Scored(film, made)


def _referee(folder: Path, *more: str) -> None:
    """Referees a folder's game in a new process."""
    _run("lab.games.worker", str(folder), *more, what=f"a referee that finishes {folder.name}")


def _run(module: str, *words: str, what: str) -> None:
    """Runs a module of the lab in a new process; FairdealError with its last word if it fails."""
    done = subprocess.run(
        [sys.executable, "-m", module, *words], capture_output=True, text=True, check=False,
        timeout=_LIMIT_S,
    )  # fmt: skip
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no word"])[-1]
        raise FairdealError(what, last, "mend it and try again")


def film_worst(games: Sequence[Scored], folder: Path) -> Path | None:
    """Films the worst moment of the worst game, as its referee saw it; None without a fault."""
    worst = max(games, key=_badness)
    at = worst.score.worst_moment()
    if at is None:
        return None
    place = folder / worst.film.name
    begin, end = max(0.0, at - _FILM_S), min(worst.film.seconds, at + _FILM_S)
    _referee(place, f"{begin:.2f}", f"{end:.2f}")
    return place / FILM


def _badness(game: Scored) -> tuple[int, int]:
    return (game.score.calls_false["mistake"], len(game.score.faults))
