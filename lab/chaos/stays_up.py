"""What a table stays up through, as tables of Markdown: camera, power, disk, page, clock, hours."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median

from lab.chaos.capture import capture_faults, speeds
from lab.chaos.clock import clock_jumps
from lab.chaos.crowd import crowds
from lab.chaos.disk import can_fill, full_disks
from lab.chaos.endurance import endurance
from lab.chaos.filmed_games import FilmedGame, clip_game, simulated_game
from lab.chaos.page import page_kills
from lab.chaos.picture_resumes import ResumeScore, picture_resumes
from lab.chaos.power import can_cut, power_cuts, writes_a_minute
from lab.chaos.restart import restart_times
from lab.chaos.tables import Say, table
from lab.devices.rows import messages
from lab.games.generate import Wish

NOT_HERE = "\nNot tried here: it needs root and loop devices."
RESTARTS = 5
# What is cut and resumed: games with their seconds an act, acts of each game, cuts of each film.
RESUMED = (
    "suds:2.4", "suds:1.2", "sooty:2.4", "soda:2.4", "cat-in-the-hat:2.4", "dirty-laundry:2.4",
)  # fmt: skip
ACTS, CUTS = 20, 8
STOPS, PLUGS, SPEED_S, WRITES_S, GAMES, MESSAGES, PAGE_KILLS, HOURS = (
    10, 50, 20.0, 60.0, 30, 1000, 50, 2.0,
)  # fmt: skip


def capture(seed: int, say: Say) -> str:
    """The process that films."""
    rows = [
        (s.what, s.trials, s.told, f"{s.slowest_told_s:.1f} s", s.came_back,
         f"{s.slowest_back_s:.1f} s", str(s.before), str(s.after))
        for s in capture_faults(STOPS, PLUGS)
    ]  # fmt: skip
    head = ("fault", "times", "told as lost", "slowest", "pictures again", "slowest, from its end",
            "before", "after")  # fmt: skip
    faults = table("The process that films", head, rows)
    say("capture: faults done")
    speed_rows = [
        (s.where, f"{s.size[0]}x{s.size[1]}", f"{s.fps:.1f}", f"{s.latency_ms:.1f} ms",
         f"{s.worst_ms:.1f} ms", f"{100 * s.own_share:.1f} %")
        for s in speeds(SPEED_S)
    ]  # fmt: skip
    speed_head = ("a camera of 30 pictures a second films on a", "size", "frames a second",
            "age when read, median", "95 %", "of one core, in the referee")  # fmt: skip
    return faults + "\n" + table("What that costs", speed_head, speed_rows)


def power(cuts: int, seed: int, say: Say) -> str:
    """Power cuts on ext4, and what a game writes."""
    if not can_cut():
        return table("Power cut", ("what", "count"), ()) + NOT_HERE
    score, writes = power_cuts(cuts, seed), writes_a_minute(WRITES_S)
    for fault in score.faults:
        say(fault)
    rows = (
        ("power cuts", score.cuts), ("events told before the cut", score.told),
        ("told, and not in the journal", score.lost),
        ("journals damaged or with another content", score.damaged),
        ("text journals that lack a line that was told", score.torn_text),
        ("writes to the disk a minute, at 30 events a minute", round(writes["writes"])),
        ("kB written a minute", round(writes["kB"])),
        ("flushes a minute", round(writes["flushes"])),
    )  # fmt: skip
    return table("Power cut on a loop-mounted ext4", ("what", "count"), rows)


def restart() -> str:
    """From the start of the program to the game going on."""
    times = sorted(restart_times(RESTARTS))
    spent = sorted(cpu for _, cpu in times)
    row = (len(times), f"{times[len(times) // 2][0]:.1f} s", f"{times[-1][0]:.1f} s",
           f"{spent[len(spent) // 2]:.1f} s")  # fmt: skip
    head = ("restarts", "median", "slowest", "of one core, median")
    return table("From the program's start to going on", head, [row])


def resumes(seed: int, clips: Path | None, say: Say) -> str:
    """Games on the simulated table, and the first clip of a folder, resumed with real pictures."""
    scores = []
    for game in _films(seed, clips):
        rng, score = Random(f"{seed}/{game.name}"), ResumeScore(game.name)
        for score in picture_resumes(game, CUTS, rng):
            say(f"{score.film}: {score.cuts} cuts, {score.false_mistakes} false mistakes, "
                f"{score.ghosts} ghosts")  # fmt: skip
        for fault in score.faults:
            say(fault)
        scores.append(score)
    rows = [_resume_row(score) for score in scores]
    head = ("film", "cuts", "in the middle of an act", "watched, median", "compared after, median",
            "mistakes due", "called", "called wrongly", "ghosts", "lost removals", "cards missing",
            "asked (`unsure`)", "unbroken: called wrongly", "unbroken: ghosts")  # fmt: skip
    return table("Resumed with real pictures", head, rows)


def _films(seed: int, clips: Path | None) -> Iterator[FilmedGame]:
    """One after the other: a film takes some 300 MB."""
    if clips is not None:
        yield clip_game(sorted(clips.glob("*.json"))[0])
    for word in RESUMED:
        name, pace = word.split(":")
        yield simulated_game(Wish(name, seed, float(pace), ACTS, plain=True))


def _resume_row(s: ResumeScore) -> tuple[object, ...]:
    waits, watched = median(s.waits_s or [0.0]), median(s.watched_s or [0.0])
    return (s.film, s.cuts, s.mid_act, f"{watched:.0f} s", f"{waits:.1f} s", s.mistakes_due,
            s.mistakes_right, s.false_mistakes, s.ghosts, s.lost_removals, s.missing, s.asked,
            s.unbroken_false, s.unbroken_ghosts)  # fmt: skip


def disk(say: Say) -> str:
    """A disk that is filled in mid-game."""
    if not can_fill():
        return table("Full disk", ("what", "count"), ()) + NOT_HERE
    rows = []
    for s in full_disks():
        for line in s.lines:
            say(line)
        wait = f"{1000 * s.longest_s:.0f} ms"
        rows.append((s.what, s.events, s.kept, s.late, wait, s.pictures_left))
    head = ("the disk is", "events", "in the journal", "told before kept", "longest wait",
            "calls with pictures left")  # fmt: skip
    return table("A disk that is filled in mid-game", head, rows)


def page(say: Say) -> str:
    """The page's server killed."""
    s = page_kills(PAGE_KILLS)
    row = (s.kills, s.came_back, f"{s.slowest_back_s:.1f} s", f"{1000 * s.longest_s:.0f} ms",
           f"{s.judged} of {s.pressed}", str(s.before), str(s.after))  # fmt: skip
    head = ("page killed", "came back", "slowest", "longest time between two frames",
            "buttons judged meanwhile", "before", "after")  # fmt: skip
    return table("The page", head, [row])


def crowd(say: Say) -> str:
    """Attacks on the page's server while a game is played."""
    rows = []
    for s in crowds():
        say(f"{s.what}: done")
        rows.append((s.what, f"{s.frames_per_s:.1f}", f"{1000 * s.longest_s:.0f} ms",
                     f"{s.answered} of {s.asked}", f"{1000 * s.slowest_s:.0f} ms"))  # fmt: skip
    head = ("attack", "frames a second", "longest time between two frames",
            "answers to the table's own screen", "slowest")  # fmt: skip
    return table("A crowd at the page's server", head, rows)


def clock(seed: int) -> str:
    """The wall clock jumps."""
    s = clock_jumps(GAMES, seed)
    row = (s.games, s.jumps, s.in_order, s.right_length, s.resumable)
    head = ("games", "jumps: an hour back or forth, to 1970, 400 days ahead", "events in order",
            "right length", "can be resumed")  # fmt: skip
    return table("The clock", head, [row])


def serial(seed: int) -> str:
    """Damaged bytes on the serial line."""
    row = messages(MESSAGES, seed)
    return table(
        "The serial board", ("trial", "result", "wanted"), [(row.what, row.found, row.bar)]
    )


def hours(seed: int) -> str:
    """Play in accelerated time."""
    s = endurance(HOURS, seed)
    rows = [(f"{at:.1f}", str(taken)) for at, taken in s.samples]
    played = f"{s.games} games, {s.frames} frames, {s.events} events"
    head = ("hours played", "process")
    return table(f"{s.hours:.1f} hours of play in accelerated time: {played}", head, rows)
