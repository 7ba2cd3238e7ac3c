"""Filmed games seen by eyes that miss one face: a missed card must never accuse anyone."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kiosk.assembly import Company, run_game
from kiosk.game.loop_parts import Looks
from kiosk.game.news import EventJudged, News
from lab.evaluation.clip_truth import Dated
from lab.evaluation.clips import ClipScore, match, taught_clip
from lab.evaluation.report import machine
from rules.table.event import Placed
from vision.sightings import NOTHING, UNKNOWN, Located, Named
from vision.sources import open_source

UNSURE = 0.1  # confidence of a look that shows no card


@dataclass(frozen=True, slots=True)
class BlindScore:
    """One film, seen without one face (None: all were seen). `false` and `missing`: mistakes
    called without cause, and not called; `unknown`: cards told without a name."""

    clip: str
    missed: str | None
    false: int
    missing: int
    unknown: int


class BlindEyes:
    """Eyes that see no card where one of the face `missed` lies on top."""

    def __init__(self, eyes: Looks, missed: str | None) -> None:
        self._eyes, self._missed = eyes, missed

    def locate(self, bgr: np.ndarray) -> Located:
        """The boxes are those of the eyes: what lies in them decides."""
        return self._eyes.locate(bgr)

    def name(
        self,
        bgr: np.ndarray,
        quads: np.ndarray,
        quick: bool = False,
        known: np.ndarray | None = None,
    ) -> Named:
        """As the eyes name them, but "nothing" for the missed face."""
        named = self._eyes.name(bgr, quads, quick, known)
        is_missed = np.array([face == self._missed for face in named.faces], bool)
        if not is_missed.any():
            return named
        return Named(
            tuple(NOTHING if face == self._missed else face for face in named.faces),
            np.where(is_missed, np.float32(UNSURE), named.confidences),
            np.where(is_missed[:, None, None], quads, named.quads).astype(np.float32),
            named.face_up, named.visible,
        )  # fmt: skip


class _Unknowns:
    """Observer: counts cards that are told without a name."""

    name = "unknown cards"

    def __init__(self) -> None:
        self.count = 0

    def hear(self, news: News) -> None:
        if isinstance(news, EventJudged) and isinstance(news.event, Placed):
            self.count += news.event.card == UNKNOWN


def blind_clips(folder: Path, threads: int, say: Callable[[str], None]) -> list[BlindScore]:
    """Referees each film of Suds in a folder once for each of its faces, and once with all."""
    scores = []
    for path in sorted(folder.glob("*.json")):
        clip = taught_clip(path, threads)
        if clip.request.game.name != "suds" or not path.with_suffix(".mp4").is_file():
            continue
        for missed in (None, *sorted(set(clip.request.deck.names) - {"back"})):
            calls, unknowns = Dated(), _Unknowns()
            with open_source(str(path.with_suffix(".mp4"))) as source:
                run_game(clip.request, source, BlindEyes(clip.eyes, missed),
                         Company((calls, unknowns)))  # fmt: skip
            score = ClipScore(path.stem)
            wanted = [call for call in clip.truth["expected_calls"] if call["kind"] == "mistake"]
            match(score, wanted, [call for call in calls.calls if call[1] == "mistake"])
            scores.append(BlindScore(
                path.stem, missed, len(score.extra), len(score.missing), unknowns.count
            ))  # fmt: skip
            say(f"{path.stem} without {missed or 'nothing'}: {scores[-1].false} false")
    return scores


def blind_section(scores: list[BlindScore], command: str) -> str:
    """The trial's table."""
    lines = [
        f"Eyes that miss every card of one face. `{command}` on {machine()}.", "",
        "| film | face missed | false mistakes | mistakes not called | cards told as `unknown` |",
        "|" + "---|" * 5,
    ]  # fmt: skip
    lines += [
        f"| {s.clip} | {s.missed or 'none'} | {s.false} | {s.missing} | {s.unknown} |"
        for s in scores
    ]
    return "\n".join(lines) + "\n"
