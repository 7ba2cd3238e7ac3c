"""Games on the simulated table, cut at random moments and resumed with real pictures.

The journal holds what happened up to the cut, half of the cuts in the middle of an act. The game
goes on from there: at once, or after some seconds in which nobody watched. What the referee then
calls is compared with what is due.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from kiosk.game.assembly import Company, GameRequest, head_of, read_request, run_game
from kiosk.game.inbox import Inbox
from kiosk.game.news import EventJudged, News, ViewFound, ViewLost
from kiosk.journal.entries import EventEntry, GameHead
from kiosk.journal.file import JournalFile
from kiosk.journal.opening import find_cut
from lab.games.generate import Wish, generate
from lab.games.score import due_calls
from lab.games.worker import PressingSource
from models.drawing.happening import truth
from models.drawing.steps import Script
from rules.call import Call
from rules.event import is_card_event
from vision.frame import Frame
from vision.recognition.eyes import Eyes
from vision.sources.simulated import SIZE
from vision.sources.source import Ended, Source

GAPS_S = (0.0, 2.0, 6.0)  # that nobody watched
WATCH_S = 19.0  # of the game after a restart
ACT_S = 0.5  # about the moment of an act: a hand is over the table


@dataclass(slots=True)
class ResumeScore:
    """What came of the cuts. `waits_s`: from the restart until the tables were compared."""

    games: int = 0
    cuts: int = 0
    mid_act: int = 0
    mistakes_due: int = 0
    mistakes_made: int = 0
    false_mistakes: int = 0
    asked: int = 0
    never_compared: int = 0
    waits_s: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Cut:
    """The journal ends at `at`; the table is watched again from `at + gap` on (all s)."""

    at: float
    gap: float
    is_mid_act: bool

    @property
    def restart(self) -> float:
        """When the table is watched again (s of the film)."""
        return self.at + self.gap


class FilmFrom(Source):
    """A film from a moment on (s) for some seconds, by a clock that begins at 0 there."""

    recorded = True

    def __init__(self, film: Source, begin: float, seconds: float) -> None:
        self.name, self._film = film.name, film
        self._begin, self._end = begin, begin + seconds
        film.skip_to(begin)

    def read(self) -> Frame | None:
        """The next frame; None at the end of the part."""
        frame = self._film.read()
        if frame is None or frame.at > self._end:
            return None
        return Frame(frame.bgr, max(0.0, frame.at - self._begin), frame.number)

    def watch(self, timeout_s: float) -> Frame | Ended | None:
        """As in Source. The part's end stops the film: the game is not over there."""
        return self.read() or Ended()


class Ear:
    """Observer: the calls, and when the tables had been compared (s)."""

    name = "ear"

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.lost_at = 0.0
        self.found_at: float | None = None

    def hear(self, news: News) -> None:
        """Keeps them. The calls of the end are none of the game's: it was cut off."""
        if isinstance(news, EventJudged) and news.event is not None:
            self.calls += news.calls
        elif isinstance(news, ViewLost) and self.found_at is None:
            self.lost_at = self.lost_at or news.at
        elif isinstance(news, ViewFound) and self.found_at is None:
            self.found_at = news.at


def picture_resumes(wishes: list[Wish], cuts: int, seed: int) -> Iterator[ResumeScore]:
    """The score after each cut, `cuts` of each game."""
    score, rng = ResumeScore(), Random(seed)
    for wish in wishes:
        made = generate(wish)
        score.games += 1
        with tempfile.TemporaryDirectory(prefix="fairdeal-resumes-") as folder:
            request = replace(
                read_request(
                    made.script.game, None, made.script.players, made.options, ",".join(made.sides)
                ),
                signals="none", start=False, threads=1, journal=Path(folder) / "cut.sqlite",
            )  # fmt: skip
            eyes = Eyes.open(request.deck, 1)
            for cut in random_cuts(made.script, cuts, rng):
                _resume(request, eyes, made.script, made.options, cut, score)
                yield score


def random_cuts(script: Script, count: int, rng: Random) -> Iterator[Cut]:
    """Moments of a game, every other one in the middle of an act."""
    acts = [step.at for step in script.steps if 3.0 < step.at < script.end - WATCH_S / 2]
    for number in range(count):
        gap = rng.choice(GAPS_S)
        is_mid_act = bool(number % 2) and bool(acts)
        if is_mid_act:
            restart = rng.choice(acts) + rng.uniform(-ACT_S, ACT_S)
        else:
            restart = rng.uniform(3.0, script.end - WATCH_S / 2)
        yield Cut(max(1.0, restart - gap), gap, is_mid_act)


def _resume(
    request: GameRequest, eyes: Eyes, script: Script, options: dict[str, str], cut: Cut,
    score: ResumeScore,
) -> None:  # fmt: skip
    path = request.journal
    assert path is not None
    head = _cut_journal(request, script, cut.at)
    ear, inbox = Ear(), Inbox()
    found = find_cut(path, 1, head)
    film = FilmFrom(PressingSource(script, request.sides, inbox), cut.restart, WATCH_S)
    inbox.take()  # what was pressed while nobody listened
    resumed = replace(request, journal=path, cut=found)
    run_game(resumed, film, eyes, Company((ear,), inbox=inbox))
    _count(script, options, cut, ear, score)
    for ending in ("", "-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)


def _cut_journal(request: GameRequest, script: Script, at: float) -> GameHead:
    """What happened up to `at` (s), in a journal. Its head."""
    assert request.journal is not None
    width, height = SIZE
    entries = []
    for event in truth(script):
        if event.at > at:
            break
        spot = script.spots.get(event.place) if is_card_event(event) else None
        where = (spot.x, spot.y * height / width) if spot is not None else None
        entries.append(EventEntry(event, (), where))
    head = head_of(request)
    journal = JournalFile(request.journal)
    journal.append(journal.begin(head), entries)
    journal.close()
    return head


def _count(script: Script, options: dict[str, str], cut: Cut, ear: Ear, score: ResumeScore) -> None:
    due = Counter(
        (call["rule"], call.get("card"))
        for call in due_calls(script, options, truth(script))
        if call["call"] == "mistake" and cut.at <= call["at"] <= cut.restart + WATCH_S
    )
    made = [call for call in ear.calls if call.call == "mistake"]
    wrong = Counter((call.rule, call.card) for call in made) - due
    score.cuts += 1
    score.mid_act += cut.is_mid_act
    score.mistakes_due += due.total()
    score.mistakes_made += len(made)
    score.false_mistakes += wrong.total()
    if ear.found_at is not None:
        score.waits_s.append(round(ear.found_at - ear.lost_at, 2))
    score.asked += sum(call.call == "unsure" for call in ear.calls)
    if ear.found_at is None:
        score.never_compared += 1
    for rule, card in wrong.elements():
        score.faults.append(
            f"{script.name}, cut at {cut.at:.2f} s, seen again at {cut.restart:.2f} s: "
            f"false {rule} {card}"
        )
