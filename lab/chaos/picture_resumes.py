"""Filmed games, cut at random moments and resumed with real pictures.

The unbroken game is refereed once. A cut's journal holds what was told by then, most of the cuts
in the middle of an act. The game goes on to the end of its film: at once, or after some seconds
in which nobody watched. Calls and cards are compared with the truth and with the unbroken game.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from kiosk.assembly import Company, head_of, run_game
from kiosk.game.inbox import Inbox
from kiosk.game.news import EventJudged, FrameJudged, News, ViewFound, ViewLost
from kiosk.game.session import replayed
from kiosk.journal.entries import EventEntry
from kiosk.journal.file import JournalFile
from kiosk.journal.opening import find_cut
from lab.chaos.filmed_games import FilmedGame
from lab.chaos.kept_film import FilmPart
from lab.chaos.table import lying
from rules.judging.referee import begin, seen_table, step
from rules.table.call import CallKind
from rules.table.event import Event, Removed

GAPS_S = (0.0, 2.0, 6.0)  # that nobody watched
BEFORE_S, AFTER_S = 3.0, 1.0  # of a film's acts, between which it is cut
BEGUN_S = 1.5  # after its first act a game has begun
RESTING = 4  # one cut of so many falls anywhere, the others in the middle of an act
ACT_S = 0.5  # about the moment of an act: a hand is over the table
LATE_S = 3.0  # a call may be told so long after its act

Mistake = tuple[str, str | None]
"""A mistake's rule and card."""


@dataclass(slots=True)
class ResumeScore:
    """What came of the cuts of one film.

    False mistakes, ghosts (cards that the game has at its end and the table has not) and missing
    cards are those that the unbroken game does not have; `unbroken_false` and `unbroken_ghosts`
    are its own. `lost_removals`: ghosts that were taken while the game went on. `waits_s`: from
    the restart until the tables were compared.
    """

    film: str
    unbroken_false: int = 0
    unbroken_ghosts: int = 0
    cuts: int = 0
    mid_act: int = 0
    mistakes_due: int = 0
    mistakes_right: int = 0
    false_mistakes: int = 0
    ghosts: int = 0
    lost_removals: int = 0
    missing: int = 0
    asked: int = 0
    watched_s: list[float] = field(default_factory=list)
    waits_s: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Cut:
    """The journal ends at `at`; the table is watched again from `restart` on (s of the film)."""

    at: float
    restart: float
    is_mid_act: bool


@dataclass(slots=True)
class Ear:
    """Observer: events and calls with the film's time at which they were told (s)."""

    offset_s: float = 0.0  # the film's time at the game's time 0
    name: str = "ear"
    told_at: list[float] = field(default_factory=list)  # of each event
    mistakes: list[Mistake] = field(default_factory=list)
    asked: int = 0
    lost_at: float | None = None
    found_at: float | None = None
    _now: float = 0.0

    def hear(self, news: News) -> None:
        """Keeps them. The calls of the end are none of the game's: it was cut off."""
        if isinstance(news, FrameJudged):
            self._now = news.at + self.offset_s
        elif isinstance(news, EventJudged) and news.event is not None:
            self.told_at.append(self._now)
            for call in news.calls:
                self.asked += call.call is CallKind.UNSURE
                if call.call is CallKind.MISTAKE:
                    self.mistakes.append((call.rule, call.card))
        elif isinstance(news, ViewLost) and self.lost_at is None:
            self.lost_at = news.at
        elif isinstance(news, ViewFound) and self.found_at is None:
            self.found_at = news.at


@dataclass(frozen=True, slots=True)
class Unbroken:
    """The game without a cut: its journal's entries, when each was told, and its faults."""

    entries: tuple[EventEntry, ...]
    told_at: tuple[float, ...]
    wrong: Counter[Mistake]
    ghosts: Counter[str]
    missing: Counter[str]


def picture_resumes(game: FilmedGame, count: int, rng: Random) -> Iterator[ResumeScore]:
    """The score after each of `count` cuts."""
    with tempfile.TemporaryDirectory(prefix="fairdeal-resumes-") as folder:
        unbroken = _play_unbroken(game, Path(folder) / "unbroken.sqlite")
        score = ResumeScore(game.name, unbroken.wrong.total(), unbroken.ghosts.total())
        for number, cut in enumerate(random_cuts(game.acts, count, rng)):
            _resume(game, unbroken, cut, Path(folder) / f"{number}.sqlite", score)
            yield score


def random_cuts(acts: Sequence[float], count: int, rng: Random) -> Iterator[Cut]:
    """Moments of a game, most of them in the middle of one of its `acts` (s)."""
    begun, first, last = acts[0] + BEGUN_S, acts[0] + BEFORE_S, acts[-1] - AFTER_S
    within = [at for at in acts if first < at < last]
    for number in range(count):
        gap = rng.choice(GAPS_S)
        is_mid_act = bool(number % RESTING) and bool(within)
        if is_mid_act:
            restart = rng.choice(within) + rng.uniform(-ACT_S, ACT_S)
        else:
            restart = rng.uniform(first, last)
        yield Cut(max(begun, restart - gap), max(begun, restart), is_mid_act)


def _play_unbroken(game: FilmedGame, path: Path) -> Unbroken:
    ear = Ear()
    events, entries = _run(game, path, None, ear, FilmPart(game.film, 0.0, game.presses, Inbox()))
    wrong = Counter(ear.mistakes) - _due(game, -1.0)
    ghosts, missing = _differences(game, events)
    return Unbroken(entries, tuple(ear.told_at), wrong, ghosts, missing)


def _resume(game: FilmedGame, unbroken: Unbroken, cut: Cut, path: Path, score: ResumeScore) -> None:
    kept = sum(at <= cut.at for at in unbroken.told_at)
    journal = JournalFile(path)
    journal.append(journal.begin(head_of(game.request)), unbroken.entries[:kept])
    journal.close()
    ear = Ear(cut.restart - unbroken.entries[kept - 1].event.at)
    left = tuple(press for press in game.presses if press.at > cut.at)
    film = FilmPart(game.film, cut.restart, left, Inbox())
    events, _ = _run(game, path, 1, ear, film)
    _count(game, unbroken, cut, ear, events, score)


def _run(
    game: FilmedGame, path: Path, cut: int | None, ear: Ear, film: FilmPart
) -> tuple[tuple[Event, ...], tuple[EventEntry, ...]]:
    """Plays to the film's end; all events of the game, and its journal's entries."""
    head = head_of(game.request)
    request = replace(game.request, journal=path, cut=find_cut(path, cut, head))
    company = Company((ear,), inbox=film.inbox, say=lambda line: None)
    run_game(request, film, game.eyes, company)
    journal = JournalFile(path, create=False)
    events = journal.events(1)
    spots = [kept.spot for kept in journal.lines(1)]
    journal.close()
    return events, tuple(EventEntry(e, (), s) for e, s in zip(events, spots, strict=True))


def _count(
    game: FilmedGame, unbroken: Unbroken, cut: Cut, ear: Ear, events: tuple[Event, ...],
    score: ResumeScore,
) -> None:  # fmt: skip
    due, made = _due(game, cut.restart), Counter(ear.mistakes)
    wrong = made - _due(game, cut.at - LATE_S) - unbroken.wrong
    ghosts, missing = _differences(game, events)
    ghosts, missing = ghosts - unbroken.ghosts, missing - unbroken.missing
    taken = Counter(
        event.card
        for event in game.happened
        if isinstance(event, Removed) and event.at > cut.restart
    )
    score.cuts += 1
    score.mid_act += cut.is_mid_act
    score.watched_s.append(game.film.end - cut.restart)
    score.mistakes_due += due.total()
    score.mistakes_right += (made & due).total()
    score.false_mistakes += wrong.total()
    score.ghosts += ghosts.total()
    score.lost_removals += (ghosts & taken).total()
    score.missing += missing.total()
    score.asked += ear.asked
    if ear.found_at is not None and ear.lost_at is not None:
        score.waits_s.append(round(ear.found_at - ear.lost_at, 2))
    where = f"{game.name}, cut at {cut.at:.2f} s, seen again at {cut.restart:.2f} s"
    faults = (("false", wrong), ("ghosts", ghosts), ("missing", missing))
    score.faults += [f"{where}: {what} {dict(found)}" for what, found in faults if found]


def _due(game: FilmedGame, since: float) -> Counter[Mistake]:
    """The mistakes after `since` (s) that a referee calls who sees everything."""
    due: Counter[Mistake] = Counter()
    session = begin(game.request.game, game.request.setup)
    for event in game.happened:
        session, calls = step(session, event)
        if event.at > since:
            due.update((c.rule, c.card) for c in calls if c.call is CallKind.MISTAKE)
    return due


def _differences(game: FilmedGame, events: tuple[Event, ...]) -> tuple[Counter[str], Counter[str]]:
    """At the end: cards that the game has and the table has not, and the other way round."""
    session = replayed(begin(game.request.game, game.request.setup), events)
    known = Counter(card for stack in seen_table(session).values() for card in stack)
    real = Counter(lying(game.happened))
    return known - real, real - known
