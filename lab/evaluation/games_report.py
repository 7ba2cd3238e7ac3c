"""The table of `fairdeal evaluate games`."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from lab.evaluation.games import Scored
from lab.evaluation.report import machine
from lab.games.score import GameScore, Mark
from lab.games.truth import Window

_HEAD = (
    "| {} | games | acts | events right | false events | seats right | mistakes called "
    "| false mistakes | completes called | false completes | needless questions per 100 acts "
    "| event p50 | p95 | call p50 | p95 | frames a second | slowest frames | looks a frame |\n"
    "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n"
)
_PART_HEAD = (
    "| {} | games | events right | false events | mistakes called | false mistakes "
    "| needless questions |\n|---|---|---|---|---|---|---|\n"
)
_NO_MANNER = "none at that time"


# Bins of `sure`, from each value to the next.
_BINS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1.0)


@dataclass(frozen=True, slots=True)
class Group:
    """Games that share something, by its name."""

    name: str
    games: tuple[Scored, ...]

    def total(self, figure: Callable[[GameScore], int]) -> int:
        """The sum of a figure over all games."""
        return sum(figure(game.score) for game in self.games)

    def seconds(self, figures: Callable[[GameScore], list[float]]) -> list[float]:
        """All latencies."""
        return [s for game in self.games for s in figures(game.score)]

    def marks(self, *what: str) -> int:
        """How many marks of these kinds."""
        return sum(mark.what in what for game in self.games for mark in game.score.marks)


def groups(games: Sequence[Scored]) -> list[Group]:
    """The games by kind and pace, slow ones first, by pace, and all of them."""
    kinds = sorted({(g.film.game, -g.film.pace) for g in games})
    made = [
        Group(
            f"{name} {-pace:g} s",
            tuple(g for g in games if (g.film.game, -g.film.pace) == (name, pace)),
        )
        for name, pace in kinds
    ]
    for pace in sorted({g.film.pace for g in games}, reverse=True):
        made.append(Group(f"all {pace:g} s", tuple(g for g in games if g.film.pace == pace)))
    return [*made, Group("all", tuple(games))]


def by_camera(games: Sequence[Scored]) -> list[Group]:
    """The games by each fault of their cameras; a game of two faults is in both."""
    names = sorted({name for game in games for name in game.film.cameras})
    clean = tuple(game for game in games if not game.film.cameras)
    made = [Group("none", clean)] if clean else []
    return made + [Group(n, tuple(g for g in games if n in g.film.cameras)) for n in names]


def section(games: Sequence[Scored], command: str, about: str) -> str:
    """The report's section, Markdown."""
    text = (
        f"Whole random games on the simulated table ({about}; legal play and cheats). "
        "An event is right by kind, face and place within 3 s. Latencies: from the card at rest, "
        "with the processor time of the work on the frame (one thread). A question is needless "
        "if a referee who sees everything would not ask it. Frames a second: of processor time; "
        "slowest frames: 95 % take less.\n\n"
        f"`{command}` on {machine()}.\n\n{_HEAD.format('game')}"
    )
    text += "".join(_row(group) for group in groups(games))
    if any(game.film.cameras for game in games):
        text += "\n" + _HEAD.format("camera") + "".join(map(_row, by_camera(games)))
    return text + by_manner(games) + reliability(games)


def by_manner(games: Sequence[Scored]) -> str:
    """What happened while each manner was at work: Markdown; nothing without manners."""
    seen = {w.manner for game in games for w in game.film.windows}
    lasting = {name for game in games for name in game.film.lasting}
    if not seen | lasting:
        return ""
    rows = [_part(name, games, name in lasting) for name in sorted(seen | lasting)]
    rows.append(_part(_NO_MANNER, games, False))
    return "\n" + _PART_HEAD.format("manner") + "".join(rows)


def _part(manner: str, games: Sequence[Scored], is_lasting: bool) -> str:
    """The row of one manner: the marks in its windows, or in its games if it lasts."""
    marks: list[Mark] = []
    count = 0
    for game in games:
        film = game.film
        if is_lasting:
            mine = [m for m in game.score.marks if manner in film.lasting]
            count += manner in film.lasting
        elif manner == _NO_MANNER:
            mine = [m for m in game.score.marks if not _is_in(m, film.windows)]
            count += 1
        else:
            windows = tuple(w for w in film.windows if w.manner == manner)
            mine = [m for m in game.score.marks if _is_in(m, windows)]
            count += bool(windows)
        marks += mine
    kinds = Counter((mark.what, mark.is_right) for mark in marks)

    def share(what: str) -> str:
        return _share(kinds[what, True], kinds[what, True] + kinds[what, False])

    cells = [
        manner, count, share("event"), kinds["false", False], share("mistake"),
        kinds["false mistake", False], kinds["question", False],
    ]  # fmt: skip
    return "| " + " | ".join(str(cell) for cell in cells) + " |\n"


def _is_in(mark: Mark, windows: Sequence[Window]) -> bool:
    return any(window.begin <= mark.at <= window.end for window in windows)


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
    acts = group.total(lambda s: s.acts)
    frames, judged = group.total(lambda s: s.frames), sum(g.score.judged_s for g in group.games)
    cells = [
        group.name, len(group.games), acts,
        _share(group.total(lambda s: s.events_right), group.total(lambda s: s.events)),
        group.marks("false"),
        _share(group.total(lambda s: s.seats_right), group.total(lambda s: s.seats)),
        _calls_right(group, "mistake"), group.total(lambda s: s.calls_false["mistake"]),
        _calls_right(group, "complete"), group.total(lambda s: s.calls_false["complete"]),
        f"{100 * group.marks('question') / max(1, acts):.1f}",
        *_percentiles(group.seconds(lambda s: s.event_latencies)),
        *_percentiles(group.seconds(lambda s: s.call_latencies)),
        f"{frames / judged:.0f}" if judged else "–",
        _percentiles(group.seconds(lambda s: s.frame_s))[1],
        f"{group.total(lambda s: s.looks) / frames:.2f}" if frames else "–",
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
