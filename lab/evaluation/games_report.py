"""The table of `fairdeal evaluate games`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from lab.evaluation.games import Scored
from lab.evaluation.report import machine
from lab.games.score import GameScore

_HEAD = (
    "| game | pace | games | acts | events right | seats right | false mistakes | mistakes called "
    "| completes called | false completes | unsure | event p50 | p95 | call p50 | p95 |\n"
    "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n"
)


# Bins of `sure`, from each value to the next.
_BINS = (0.0, 0.9, 0.95, 0.98, 0.99, 0.995, 1.0)


@dataclass(frozen=True, slots=True)
class Group:
    """The games of one kind and pace."""

    game: str
    pace: float
    games: tuple[Scored, ...]

    def total(self, figure: Callable[[GameScore], int]) -> int:
        """The sum of a figure over all games."""
        return sum(figure(game.score) for game in self.games)

    def seconds(self, figures: Callable[[GameScore], list[float]]) -> list[float]:
        """All latencies."""
        return [s for game in self.games for s in figures(game.score)]


def groups(games: Sequence[Scored]) -> list[Group]:
    """The games by kind and pace, slow ones first."""
    keys = sorted({(g.wish.game, -g.wish.pace) for g in games})
    return [
        Group(name, -pace, tuple(g for g in games if (g.wish.game, -g.wish.pace) == (name, pace)))
        for name, pace in keys
    ]


def section(games: Sequence[Scored], command: str) -> str:
    """The report's section, Markdown."""
    seeds = sorted({game.wish.seed for game in games})
    plain = all(game.wish.plain for game in games)
    decks = "drawn decks" if games[0].wish.drawn_deck else "shipped decks"
    tables = "a camera straight above wood or felt" if plain else "all tables, lights and lenses"
    return (
        f"Whole random games on the simulated table ({decks}; {tables}; legal play and cheats). "
        "An event is right by kind, face and place within 3 s. Latencies: from the card at rest, "
        "with the processor time of the work on the frame (one thread).\n\n"
        f"`{command}` on {machine()}; seeds {seeds[0]} to "
        f"{seeds[-1]}.\n\n{_HEAD}" + "".join(_row(group) for group in groups(games))
    ) + reliability(games)


def reliability(games: Sequence[Scored]) -> str:
    """How often told events happened so, by their `sure`: Markdown."""
    told = [each for game in games for each in game.score.certainties]
    rows = []
    for low, high in zip(_BINS, (*_BINS[1:], 2.0), strict=True):
        inside = [(sure, is_right) for sure, is_right in told if low <= sure < high]
        if inside:
            mean = sum(sure for sure, _ in inside) / len(inside)
            right = sum(is_right for _, is_right in inside)
            top = f" to {high:g}" if high <= 1 else ""
            rows.append(
                f"| {low:g}{top} | {len(inside)} | {mean:.3f} | {_share(right, len(inside))} |\n"
            )
    head = "\n| `sure` | events told | mean | happened so |\n|---|---|---|---|\n"
    return head + "".join(rows) if rows else ""


def _row(group: Group) -> str:
    cells = [
        group.game, f"{group.pace:g} s", len(group.games), group.total(lambda s: s.acts),
        _share(group.total(lambda s: s.events_right), group.total(lambda s: s.events)),
        _share(group.total(lambda s: s.seats_right), group.total(lambda s: s.seats)),
        group.total(lambda s: s.calls_false["mistake"]),
        _calls_right(group, "mistake"), _calls_right(group, "complete"),
        group.total(lambda s: s.calls_false["complete"]), group.total(lambda s: s.unsure),
        *_percentiles(group.seconds(lambda s: s.event_latencies)),
        *_percentiles(group.seconds(lambda s: s.call_latencies)),
    ]  # fmt: skip
    return "| " + " | ".join(str(cell) for cell in cells) + " |\n"


def _calls_right(group: Group, kind: str) -> str:
    right = group.total(lambda s: s.calls_right[kind])
    return _share(right, group.total(lambda s: s.calls[kind]))


def _share(right: int, all_: int) -> str:
    return f"{right}/{all_}" + (f" ({right / all_:.3f})" if all_ else "")


def _percentiles(seconds: Sequence[float]) -> tuple[str, str]:
    if not seconds:
        return "–", "–"
    middle, high = np.percentile(seconds, (50, 95))
    return f"{middle:.2f} s", f"{high:.2f} s"
