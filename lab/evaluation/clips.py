"""The referee over filmed games whose calls are known: what it called, when, and how fast."""

import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from kiosk.assembly import Company, GameRequest, run_game
from kiosk.game.inbox import Inbox
from kiosk.game.news import FrameJudged, News
from lab.evaluation.clip_truth import Dated, score_events
from lab.evaluation.eyes import eyes_of, taught_from
from lab.games.films import film_of, truths_in
from lab.games.score import GameScore
from models.deck import Deck
from models.gallery import Gallery
from rules.contract.game import make_setup
from rules.errors import FairdealError
from rules.games import game
from rules.table.event import Pressed
from rules.table.layout import SIDES
from vision.networks.embedder import Embedder
from vision.networks.locator import Locator
from vision.recognition.eyes import Eyes
from vision.sources import open_source

WITHIN = 2.0  # s in which a right call comes
JUDGED = ("mistake", "complete")


@dataclass(slots=True)
class ClipScore:
    """One clip. `right`: calls in time; `missing` and `extra` ones.

    `events`: how many events were told rightly. `latencies` (s): from the card at rest to the end
    of the work on the frame that brought the call. `fps`: frames worked through per second;
    `clip_fps`: of the clip. `start_s`: from process start to the first judged frame.
    """

    clip: str
    right: int = 0
    missing: list[str] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)
    latencies: list[float] = field(default_factory=list)
    fps: float = 0.0
    clip_fps: float = 0.0
    start_s: float = float("nan")
    events: GameScore = field(default_factory=GameScore)


class StopAtFirst:
    """Observer: ends the run at the first judged frame."""

    name = "first frame"

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox

    def hear(self, news: News) -> None:
        """Stops the game."""
        if isinstance(news, FrameJudged):
            self._inbox.stop()


def clips(folder: Path, threads: int = 2) -> list[ClipScore]:
    """Referees every clip of a folder with a `.json` of the same name. FairdealError."""
    return [referee_clip(path, threads) for path, _ in truths_in(folder)]


@dataclass(frozen=True, slots=True)
class TaughtClip:
    """What it takes to referee a clip. `truth`: its file's words."""

    request: GameRequest
    gallery: Gallery
    eyes: Eyes
    truth: dict


def taught_clip(path: Path, threads: int) -> TaughtClip:
    """A clip's game, with a deck taught from `teach/` beside the clips' folder. FairdealError."""
    truth = json.loads(path.read_text(encoding="utf-8"))
    locator, embedder = Locator(threads=threads), Embedder(threads=threads)
    pictures = path.parents[1] / "teach" / truth["teach"]
    deck, gallery = taught_from(pictures, locator, embedder, truth["teach"], truth["game"])
    played = game(truth["game"])
    sides = tuple(SIDES[seat - 1] for seat in truth["seats"])
    presses = tuple(
        Pressed(press["at"], press["button"], press.get("seat"))
        for press in truth.get("pressed", ())
    )
    request = GameRequest(
        played, make_setup(played, len(sides), truth.get("options", {})), sides, deck, "none",
        presses=presses, start=not presses, threads=threads,
    )  # fmt: skip
    return TaughtClip(request, gallery, eyes_of(deck, gallery, locator, embedder), truth)


def referee_clip(path: Path, threads: int) -> ClipScore:
    """Referees one clip. Raises FairdealError."""
    clip = taught_clip(path, threads)
    told, score = Dated(), ClipScore(path.stem, clip_fps=float(clip.truth["fps"]))
    began = time.perf_counter()
    with open_source(str(film_of(path))) as source:
        summary = run_game(clip.request, source, clip.eyes, Company((told,)))
    score.fps = summary.frames / (time.perf_counter() - began)
    expected = [call for call in clip.truth["expected_calls"] if call["kind"] in JUDGED]
    match(score, expected, [call for call in told.calls if call[1] in JUDGED])
    score.events = score_events(clip.truth, told.events)
    deck, sides = clip.request.deck, clip.request.sides
    score.start_s = start_seconds(film_of(path), deck, clip.gallery, sides, threads)
    return score


def match(score: ClipScore, expected: list[dict], calls: list[tuple[float, str]]) -> None:
    """Pairs expected calls with made ones of their kind within WITHIN s; the rest is a fault."""
    left = sorted(calls)
    for want in sorted(expected, key=lambda w: w["t"]):
        fits = [c for c in left if c[1] == want["kind"] and -0.1 <= c[0] - want["t"] <= WITHIN]
        if not fits:
            score.missing.append(f"{want['kind']} at {want['t']} s")
            continue
        left.remove(fits[0])
        score.right += 1
        score.latencies.append(max(0.0, fits[0][0] - want["t"]))
    score.extra += [f"{kind} at {at:.1f} s" for at, kind in left]


def start_seconds(
    clip: Path, deck: Deck, gallery: Gallery, sides: tuple[str, ...], threads: int
) -> float:
    """From the start of a new process to its end after the first judged frame, s."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "deck.toml").write_text(deck.to_toml(), encoding="utf-8")
        gallery.save(folder / "taught.npz")
        words = [deck.game, str(clip), made, ",".join(sides), str(threads)]
        began = time.perf_counter()
        done = subprocess.run([sys.executable, "-m", "lab.evaluation.clips", *words],
                              capture_output=True, text=True, check=False)  # fmt: skip
        spent = time.perf_counter() - began
    if done.returncode:
        raise FairdealError("a referee that starts", (done.stderr or "no word")[-200:], "")
    return spent


def first_frame(name: str, source: str, deck: str, seats: str, threads: str) -> None:
    """What `fairdeal referee` does up to its first judged frame."""
    from dataclasses import replace

    from kiosk.assembly import read_request
    from vision.recognition.eyes import Eyes

    request = read_request(name, deck, len(seats.split(",")), {}, seats)
    request = replace(request, signals="none")
    eyes, company = Eyes.open(request.deck, int(threads)), Company()
    stopping = replace(company, observers=(StopAtFirst(company.inbox),))
    with open_source(source) as opened:
        run_game(request, opened, eyes, stopping)


if __name__ == "__main__":
    first_frame(*sys.argv[1:])
