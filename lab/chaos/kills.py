"""SIGKILL in random games: what is resumed equals the unbroken game, and accuses nobody.

Each game runs in a child process with the real loop, journal and comparison of tables. The parent
kills it while it works, and starts it again with `--resume`'s code until the game is over. It is
killed at random moments, or each time right after an act, before that is kept: an unseen act.
"""

from __future__ import annotations

import json
import os
import signal
import tempfile
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from threading import Thread
from time import sleep

from kiosk.game.inbox import Inbox
from kiosk.game.loop import GameLoop, LoopParts, ResumedAt
from kiosk.game.news import EventJudged, News
from kiosk.game.observers import Observers
from kiosk.game.session import GamePast, GameSession, replayed
from kiosk.journal.entries import GameHead
from kiosk.journal.file import JournalFile
from kiosk.journal.opening import Resume, file_of, find_cut, open_cut, open_new
from kiosk.journal.writer import NoJournal
from lab.chaos.kill_score import Ended, KillScore, Reached, Trial, compare, line_of
from lab.chaos.random_games import random_game
from lab.chaos.table import (
    FRAME_S,
    Clock,
    NoCards,
    TopWatcher,
    is_behind,
    taken_from_equal,
)
from lab.players.players import PLAYERS
from rules.table.call import CallKind
from rules.table.event import Event, Pressed
from vision.frame import Frame
from vision.scene.watcher import Observation
from vision.sightings import Located

LOOK_S = 3.0  # the table rests so long after a restart
TAIL_S = 3.0  # and after the last act
KILLS_A_GAME = 3
PAUSE_S = 0.005  # longest wait before a kill, so that it falls anywhere in a frame's work
SLOW_S = 0.001  # a frame's pause from there on
SPARE_FRAMES = 40  # of the end of a game that are not killed: a child may run on for a moment
SPARE_ACTS = 100  # the same where it waits for an act


@dataclass(frozen=True, slots=True)
class Death:
    """From this frame on a run dies: after some s, or (None) after an act that is not kept."""

    frame: int
    after_s: float | None


def kill_trials(kills: int, seed: int, *, unseen_acts: bool = False) -> KillScore:
    """Plays random games of all kinds until so many kills were made."""
    rng, score = Random(seed), KillScore()
    with tempfile.TemporaryDirectory(prefix="fairdeal-kills-") as folder:
        while score.kills < kills:
            name = rng.choice(sorted(PLAYERS))
            ending = rng.choice((".sqlite", ".jsonl"))
            path = Path(folder) / f"{score.games}{ending}"
            trial = Trial(name, random_game(name, rng), path)
            run_trial(trial, rng, score, unseen_acts=unseen_acts)
    return score


def run_trial(trial: Trial, rng: Random, score: KillScore, *, unseen_acts: bool = False) -> None:
    """One game: unbroken, and killed some times."""
    unbroken = _Play(trial, 0.0, None).run()
    since, unseen, told = 0.0, 0, 0
    mistakes, traceless = Counter[str](), Counter[str]()
    score.games += 1
    for _ in range(KILLS_A_GAME):
        death = _death(trial, since, rng, unseen_acts=unseen_acts)
        reached = None if death is None else _run_and_kill(trial, since, death)
        if reached is None:
            break
        score.kills += 1
        since, told = reached.at, told + reached.told
        mistakes.update(reached.mistakes)
        kept = _kept(trial)
        score.lost_events += max(0, told - len(kept))
        presses = sum(isinstance(event, Pressed) for event in kept)
        known = replayed(trial.start(), kept)
        if is_behind(known, presses, trial.played.events, since):
            unseen += 1
            traceless.update(taken_from_equal(trial.played.events, since))
        told = len(kept)
    score.unseen += bool(unseen)
    try:
        last = _Play(trial, since, _resumed(trial)).run()
    except Exception as error:  # any fault of the program under trial is a result
        score.refused.append(f"{trial.name}: {type(error).__name__}: {error}")
        return
    mistakes += last.mistakes
    compare(trial, unbroken, last, mistakes, is_unseen=bool(unseen), traceless=traceless,
            score=score)  # fmt: skip


def _kept(trial: Trial) -> tuple[Event, ...]:
    path = file_of(trial.path)
    if not path.is_file():
        return ()
    journal = JournalFile(path, create=False)
    try:
        rows = journal.games()
        return journal.events(rows[-1].number) if rows else ()
    finally:
        journal.close()


def _resumed(trial: Trial) -> GameHead | None:
    return _head(trial) if _kept(trial) else None


def _head(trial: Trial) -> GameHead:
    return GameHead(trial.name, trial.played.players, trial.played.options)


def _death(trial: Trial, since: float, rng: Random, *, unseen_acts: bool) -> Death | None:
    """When the next run dies. None where too little of the game is left."""
    spare = SPARE_ACTS if unseen_acts else SPARE_FRAMES
    frames = int((trial.until - since + LOOK_S) / FRAME_S) - spare
    if frames < 1:
        return None
    return Death(rng.randrange(frames), None if unseen_acts else rng.random() * PAUSE_S)


def _run_and_kill(trial: Trial, since: float, death: Death) -> Reached:
    """Runs the game in a child that is killed."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ours)
        _child(trial, since, theirs, death)
    os.close(theirs)
    at, told, mistakes = since, 0, []
    with open(ours, "rb") as lines:
        for line in lines:
            word, _, value = line.decode().partition(" ")
            if word == "T":
                at = float(value)
            elif word == "E":
                told += 1
            elif word == "M":
                mistakes.append(value.rstrip("\n"))
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status):
        raise AssertionError(f"{trial.name}: the child ended by itself, status {status}")
    return Reached(at, told, tuple(mistakes))


def _child(trial: Trial, since: float, pipe: int, death: Death) -> None:
    """The child's whole life."""
    try:
        _Play(trial, since, _resumed(trial), pipe, death).run()
        os._exit(0)
    except BaseException as error:
        os.write(2, f"{trial.name}: {type(error).__name__}: {error}\n".encode())
        os._exit(1)


def _die(after_s: float) -> None:
    sleep(after_s)
    os.kill(os.getpid(), signal.SIGKILL)


class _Play:
    """One run of the loop from the truth's time `since` on.

    `pipe`: where progress is written. `death`: when the process is killed.
    """

    name = "trial"

    def __init__(
        self, trial: Trial, since: float, resumed: GameHead | None, pipe: int | None = None,
        death: Death | None = None,
    ) -> None:  # fmt: skip
        self._trial, self._since, self._head = trial, since, resumed
        self._pipe, self._death = pipe, death
        self._calls: list[tuple[object, ...]] = []
        self._looked_s = 0.0 if resumed is None and since == 0 else LOOK_S
        self._watcher = TopWatcher(trial.played.events, since or -1e-9, self._looked_s)

    def hear(self, news: News) -> None:
        """Counts what is told."""
        if isinstance(news, EventJudged):
            for call in news.calls:
                expected = json.dumps(json.loads(call.to_json()).get("expected"))
                said = (call.call, call.rule, call.seat, call.card, expected)
                self._calls.append(said)
                if self._pipe is not None and call.call is CallKind.MISTAKE:
                    os.write(self._pipe, f"M {line_of(said)}\n".encode())
            if self._pipe is not None and news.event is not None:
                os.write(self._pipe, b"E 1\n")

    def update(self, frame: Frame, located: Located, name: object) -> Observation:
        """The watcher, with the truth's time told before what happens then is seen."""
        if self._pipe is not None:
            at = self._since + max(frame.at - self._looked_s, 0.0)
            os.write(self._pipe, f"T {at:.3f}\n".encode())
        observation = self._watcher.update(frame, located, name)  # type: ignore[arg-type]
        death = self._death
        if death is None or frame.number < death.frame:
            return observation
        if death.after_s is None:
            if frame.at > self._looked_s and observation.events:
                _die(0.0)
        elif frame.number == death.frame:
            Thread(target=_die, args=(death.after_s,), daemon=True).start()
        sleep(SLOW_S)
        return observation

    def run(self) -> Ended:
        """Plays to the end of the truth, or until it is killed."""
        trial, since = self._trial, self._since
        resumed, opened = None, None
        if self._head is not None:
            cut = find_cut(trial.path, Resume.LAST, self._head)
            assert cut is not None
            opened = open_cut(trial.path, cut, print)
            resumed = ResumedAt.after(opened)
        elif self._death is not None:
            opened = open_new(trial.path, _head(trial), print)
        session = GameSession(
            trial.start(), opened.journal if opened else NoJournal(), Observers([self], print),
            GamePast(opened.events if opened else ()), wait_s=None,
        )  # fmt: skip
        presses = tuple(
            replace(event, at=event.at - since + self._looked_s)
            for event in trial.played.events
            if isinstance(event, Pressed) and (event.at > since or not since)
        )
        clock = Clock(trial.until - since + self._looked_s + TAIL_S)
        parts = LoopParts(
            clock, NoCards(), lambda: self, session, Inbox(), presses=presses, is_guarded=False
        )
        GameLoop(parts, resumed=resumed).run()
        if opened is not None:
            opened.journal.close()
        return Ended(session.judged, tuple(self._calls))
