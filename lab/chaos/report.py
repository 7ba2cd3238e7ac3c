"""All fault trials as a section of Markdown: what was tried, what came out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from lab.chaos import stays_up
from lab.chaos.cameras import camera_trials
from lab.chaos.damage import EXHAUSTED, OTHER, READ, REFUSED, TRACEBACK, fuzz
from lab.chaos.files import kinds
from lab.chaos.floods import FloodScore, flood, locked, quiet
from lab.chaos.kill_score import KillScore
from lab.chaos.kills import kill_trials
from lab.chaos.tables import Say, table
from lab.evaluation.report import machine
from rules.errors import FairdealError

POWER_CUTS = 60


def parts_of(
    kills: int, copies: int, seed: int, say: Say, clips: Path | None = None
) -> dict[str, Callable[[], str]]:
    """Every trial by its name. `copies`: damaged copies of each kind of file; `clips`: a folder
    whose first clip is cut and resumed too."""
    return {
        "kills": lambda: _kills(kills, seed, say),
        "floods": lambda: _floods(say),
        "cameras": lambda: _cameras(seed, say),
        "capture": lambda: stays_up.capture(seed, say),
        "power": lambda: stays_up.power(POWER_CUTS, seed, say),
        "restart": stays_up.restart,
        "resumes": lambda: stays_up.resumes(seed, clips, say),
        "disk": lambda: stays_up.disk(say),
        "page": lambda: stays_up.page(say),
        "crowd": lambda: stays_up.crowd(say),
        "clock": lambda: stays_up.clock(seed),
        "serial": lambda: stays_up.serial(seed),
        "hours": lambda: stays_up.hours(seed),
        "files": lambda: _files(copies, seed, say),
    }


def faults(
    kills: int, copies: int, seed: int, say: Say, only: str | None = None,
    clips: Path | None = None,
) -> str:  # fmt: skip
    """Runs every trial, or those that `only` names. Raises FairdealError."""
    command = f"fairdeal evaluate faults --seed {seed} --kills {kills} --copies {copies}"
    parts = parts_of(kills, copies, seed, say, clips)
    chosen = only.split(",") if only else list(parts)
    for name in chosen:
        if name not in parts:
            raise FairdealError(f"parts of {', '.join(parts)}", ascii(name), "mend --part")
    if only:
        command += f" --part {only}"
    return "\n".join([f"`{command}`, {machine()}", *(parts[name]() for name in chosen)])


def _kills(kills: int, seed: int, say: Say) -> str:
    scores = [kill_trials(kills, seed, unseen_acts=unseen) for unseen in (False, True)]
    for score in scores:
        for fault in (*score.faults, *score.refused):
            say(fault)
    counts: tuple[tuple[str, Callable[[KillScore], int]], ...] = (
        ("games", lambda s: s.games),
        ("SIGKILL", lambda s: s.kills),
        ("games with an act between the last journaled event and the kill (not seen)",
         lambda s: s.unseen),
        ("events told to the players and not in the journal", lambda s: s.lost_events),
        ("journals that could not be resumed", lambda s: len(s.refused)),
        ("all acts seen: another state at the end than the unbroken game's",
         lambda s: s.other_states),
        ("all acts seen: other calls after the kill than the unbroken game's",
         lambda s: s.other_calls),
        ("mistakes that the unbroken game does not have, unseen acts included",
         lambda s: s.false_mistakes),
        ("ghost cards at the end that the unbroken game does not have", lambda s: s.ghosts),
        ("of these: taken unseen from an equal card, which no picture shows",
         lambda s: s.traceless),
    )  # fmt: skip
    rows = [(what, *(count(score) for score in scores)) for what, count in counts]
    head = ("what", "killed at random moments", "killed right after an act, before it is kept")
    return table("Killed and resumed", head, rows)


def _floods(say: Say) -> str:
    rows = []
    for trial in (quiet, flood, locked):
        score: FloodScore = trial()
        say(f"{score.what}: done")
        rows.append((
            score.what, f"{1000 * score.longest_s:.0f} ms", f"{1000 * score.slowest_call_s:.0f} ms",
            score.presses, score.refused, score.judged, score.kept, score.told_early,
        ))  # fmt: skip
    head = ("trial", "longest time between two frames", "slowest press to its news", "presses",
            "dropped by the inbox", "judged", "in the journal", "told before kept")  # fmt: skip
    return table("Floods and a locked journal", head, rows)


def _cameras(seed: int, say: Say) -> str:
    score = camera_trials(100, seed)
    for fault in score.raised:
        say(fault)
    row = (score.trials, score.told, score.came_back, score.ended, len(score.raised))
    head = (
        "failures of a driver",
        "told as lost",
        "came back",
        "ended the game",
        "reached the loop",
    )
    return table("Cameras", head, [row])


def _files(copies: int, seed: int, say: Say) -> str:
    rows = []
    for kind in kinds(seed):
        score = fuzz(
            kind.name, kind.sample, kind.suffix, kind.read, copies, seed, is_sealed=kind.is_sealed
        )
        for sample in score.samples:
            say(sample)
        say(f"{kind.name}: {score.counts}")
        rows.append((kind.name, *(score.counts.get(what, 0) for what in
                                  (READ, REFUSED, TRACEBACK, EXHAUSTED, OTHER))))  # fmt: skip
    head = ("file", "read", "refused in one line", "traceback", "4 GB or 20 s exceeded",
            "another content")  # fmt: skip
    return table("Damaged files", head, rows)
