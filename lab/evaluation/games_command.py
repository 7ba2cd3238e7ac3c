"""`fairdeal evaluate games`: what its options mean, and what it prints."""

import argparse
import sys
from collections.abc import Iterable, Sequence

from lab.evaluation.games import Scored, draw_films, film_worst, judge_films, play
from lab.evaluation.games_report import section
from lab.games.generate import Wish, wishes
from lab.games.manners import MANNERS
from models.drawing.cameras import CAMERAS
from rules.errors import FairdealError


def run_games(args: argparse.Namespace, command: str) -> str:
    """Plays, films or judges the games. Returns the report. Raises FairdealError."""
    if args.folder is not None:
        return section(_told(judge_films(args.folder, args.keep, args.jobs)), command, "films")
    like = Wish(
        "", args.seed, 1.0, args.events, args.plain, drawn_deck=args.drawn_decks,
        manners=_names(args.manners, MANNERS, "--manners"),
        cameras=_names(args.cameras, CAMERAS, "--cameras"),
    )  # fmt: skip
    asked = wishes(args.game.split(","), args.pace.split(","), args.games, like)
    if args.films is not None:
        drawn = list(draw_films(asked, args.films, args.jobs))
        return "".join(f"wrote {path}\n" for path in drawn)
    scored = _told(play(asked, args.keep, args.jobs))
    film = film_worst(scored, args.keep) if args.keep is not None else None
    if film is not None:
        print(f"wrote {film}")
    return section(scored, command + _words(args), _about(asked))


def _told(games: Iterable[Scored]) -> list[Scored]:
    """The games, each with its faults told as soon as it is scored."""
    scored = []
    for made in games:
        scored.append(made)
        print(f"{made.film.name}: {len(made.score.faults)} faults", file=sys.stderr, flush=True)
        for at, what in made.score.faults:
            print(f"  {at:.2f} s {what}", file=sys.stderr)
    return scored


def _names(words: str, known: tuple[str, ...], option: str) -> tuple[str, ...]:
    """The names that `all`, `none` or a list mean. Raises FairdealError."""
    if words in ("all", "none"):
        return known if words == "all" else ()
    names = tuple(words.split(","))
    for name in names:
        if name not in known:
            raise FairdealError(
                f"all, none or some of {', '.join(known)}", ascii(name), f"name them with {option}"
            )
    return names


def _words(args: argparse.Namespace) -> str:
    """The options, as the report repeats them."""
    words = f" --game {args.game} --pace {args.pace} --games {args.games} --events {args.events}"
    words += f" --seed {args.seed}"
    for name in ("manners", "cameras"):
        words += f" --{name} {getattr(args, name)}" if getattr(args, name) != "none" else ""
    words += " --plain" if args.plain else ""
    return words + (" --drawn-decks" if args.drawn_decks else "")


def _about(asked: Sequence[Wish]) -> str:
    decks = "drawn decks" if asked[0].drawn_deck else "shipped decks"
    if asked[0].plain:
        return f"{decks}; a camera straight above wood or felt"
    return f"{decks}; all tables, lights and lenses"
