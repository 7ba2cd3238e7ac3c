"""Live teaching: asks for one face after another; takes its picture once the card is at rest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
import numpy.typing as npt

from calibration import inputs, saved_setup, store
from calibration.deck.card_selection import estimate_shape, select_card
from calibration.deck.corner_consensus import settle_corners
from calibration.deck.live_io import beeper, keys
from calibration.deck.orientation import turned_upright
from calibration.deck.outline import with_outlines
from calibration.deck.proposals import Finder
from calibration.deck.teach import TeachingPicture, upright
from calibration.deck.tone import evened
from calibration.pictures import has_screen
from calibration.preview import Preview
from models.crop import crop_to_corners
from models.gallery import BACK
from rules.errors import FairdealError
from vision import geometry
from vision.frame import Frame, Image
from vision.geometry import Quad
from vision.sightings import Located
from vision.sources.source import Lost, Source

if TYPE_CHECKING:
    from rich.console import Console

STILL_S = 0.4  # s at rest before a card is taken
GONE_S = 0.2  # s without a detection before a card counts as removed
SMALL_PX = 60  # px, least length of a card
MOVED_IOU = 0.85  # below it the card has moved since the last frame
MOVED_LEVEL = 8.0  # mean grey levels of change from which something moves on the card
OTHER_LEVEL = 16.0  # mean grey levels from which it is another card than the last one
LOST_REPORTS = 30  # reports of a lost camera, about one a second, before teaching ends
Look = npt.NDArray[np.float32]
KEYS_HELP = "s skip, r redo the last one, q quit"


@dataclass(frozen=True, slots=True, eq=False)
class Progress:
    """The state of live teaching; times in s.

    asked: how many faces are taken or skipped.
    last: small picture of the card just taken, while it is still on the table.
    quad, look, since: the candidate that must rest, its small picture, the start of its rest.
    gone_since: since when no card is detected.
    """

    faces: tuple[str, ...]
    asked: int = 0
    pictures: tuple[TeachingPicture, ...] = ()
    hint: str = ""
    last: Look | None = None
    quad: Quad | None = None
    look: Look | None = None
    since: float = 0.0
    gone_since: float | None = None

    @property
    def face(self) -> str | None:
        """The face to show now; None at the end."""
        return self.faces[self.asked] if self.asked < len(self.faces) else None

    @property
    def missing(self) -> tuple[str, ...]:
        """The faces without a picture; the back does not count."""
        taken = {picture.face for picture in self.pictures}
        return tuple(face for face in self.faces if face not in taken and face != BACK)


def begin(faces: set[str]) -> Progress:
    """Asks for all faces sorted by number, then name, and for the back at the end."""

    def order(face: str) -> tuple[int, str]:
        digits = "".join(c for c in face if c.isdigit())
        return int(digits or 0), face

    return Progress((*sorted(faces - {BACK}, key=order), BACK))


def step(progress: Progress, frame: Frame, located: Located, aspect: float | None) -> Progress:
    """The progress after one frame and the cards located in it."""
    if progress.face is None:
        return progress
    # The stored pictures are cut out of frames of this size.
    shape = frame.bgr.shape
    usual = estimate_shape(((p.quad, shape) for p in progress.pictures), aspect)
    card = select_card(located, usual, shape)
    if card is None:
        return _without_card(progress, frame.at)
    if card.others:
        return replace(progress, quad=None, gone_since=None, hint="Only one card, please.")
    if not card.is_likely:
        return replace(progress, quad=None, gone_since=None, hint="On a plain ground, please.")
    quad = upright(card.quad, aspect)
    if geometry.length(quad) < SMALL_PX:
        return replace(progress, quad=None, gone_since=None, hint="Closer: the card is too small.")
    progress = replace(progress, gone_since=None)
    if progress.last is not None:
        if _difference(_look(frame.bgr, quad), progress.last) < OTHER_LEVEL:
            return replace(progress, quad=None, hint="Take the card away.")
        progress = replace(progress, quad=None, last=None)
    if progress.quad is None or not _is_still(progress, frame.bgr, quad):
        look = _look(frame.bgr, quad)
        return replace(progress, quad=quad, look=look, since=frame.at, hint="Let it lie.")
    if frame.at - progress.since < STILL_S:
        return progress
    return _taken(progress, frame.bgr, quad)


def press(progress: Progress, key: str) -> Progress:
    """The progress after a key: s skips the current face, r repeats the one before."""
    if key == "s" and progress.face is not None:
        return replace(progress, asked=progress.asked + 1, quad=None, hint="")
    if key == "r" and progress.asked > 0:
        face = progress.faces[progress.asked - 1]
        kept = tuple(picture for picture in progress.pictures if picture.face != face)
        return replace(progress, asked=progress.asked - 1, pictures=kept, quad=None, hint="")
    return progress


def from_camera(
    source_spec: str,
    faces: set[str],
    finder: Finder,
    aspect: float | None,
    signals: str | None = None,
) -> list[TeachingPicture]:
    """Pictures of one card after another in front of a camera.

    aspect: height / width of the cards, if known. signals: outputs that beep (default: the pins
    of a Pi, else the terminal's bell). FairdealError if the source ends before the last face;
    quitting returns the pictures taken so far.
    """
    if not faces:
        raise FairdealError("a game whose faces are asked for", "none", "name it with --game")
    from rich.console import Console  # here: the page's set-up has none

    console = Console()
    source = saved_setup.open_lit(source_spec, source_spec, store.default_folder(), inputs.say)
    window = Preview("fairdeal calibrate deck", not source.recorded and has_screen())
    with source, keys() as read_keys, beeper(signals) as beep, window as shown:
        done = _run(source, begin(faces), finder, aspect, read_keys, beep, console, shown.show)
        return _settled(list(done.pictures))


def _settled(pictures: list[TeachingPicture]) -> list[TeachingPicture]:
    """The pictures with outline and corners on which they agree."""
    settled = settle_corners(with_outlines(pictures))
    return evened(turned_upright([one.picture for one in settled]))


def _run(
    source: Source,
    progress: Progress,
    finder: Finder,
    aspect: float | None,
    read_keys: Callable[[], str],
    beep: Callable[[str], None],
    console: Console,
    show: Callable[[Image, str], str] | None = None,
) -> Progress:
    """`show(bgr, hint)` shows the picture and gives the key pressed in its window, or ""."""
    told, lost, pressed = "", 0, ""
    while progress.face is not None:
        line = _prompt(progress)
        if line != told:
            console.print(line, highlight=False, markup=False)
            told = line
        for key in [*read_keys(), *pressed]:
            if key == "q":
                return progress
            progress = press(progress, key)
        pressed = ""
        got = source.watch(1.0)
        if isinstance(got, Lost):
            lost += 1
            progress = replace(progress, quad=None, hint=f"No picture: {got.why}.")
            if lost >= LOST_REPORTS:
                return _ended(progress, f"a lost camera ({got.why})")
        elif isinstance(got, Frame):
            lost, before = 0, len(progress.pictures)
            progress = step(progress, got, finder.locate(got.bgr), aspect)
            if len(progress.pictures) > before:
                beep(progress.pictures[-1].face)
            if show is not None:
                pressed = show(got.bgr, _prompt(progress))
        elif got is not None:
            return _ended(progress, "the end of the source")
    return progress


def _ended(progress: Progress, why: str) -> Progress:
    """Accepts a missing back only: cards may have two faces."""
    if progress.face == BACK and not progress.missing:
        return progress
    done = len(progress.faces) - 1 - len(progress.missing)
    raise FairdealError(
        f"a card for each of {len(progress.faces) - 1} faces",
        f"{why} after {done}, at {progress.face}",
        "teach again; nothing was written",
    )


def _prompt(progress: Progress) -> str:
    place = f"{progress.asked + 1} of {len(progress.faces)}"
    return f"Put down: {progress.face} ({place}). {progress.hint or KEYS_HELP}"


def _without_card(progress: Progress, at: float) -> Progress:
    since = progress.gone_since if progress.gone_since is not None else at
    if at - since < GONE_S:
        return replace(progress, gone_since=since)
    return replace(progress, gone_since=since, quad=None, last=None, hint="")


def _is_still(progress: Progress, bgr: Image, quad: Quad) -> bool:
    if progress.quad is None or progress.look is None:
        return False
    if geometry.iou(quad, progress.quad) < MOVED_IOU:
        return False
    # Both looks at the same place: only what moves in the picture tells them apart.
    return _difference(_look(bgr, progress.quad), progress.look) < MOVED_LEVEL


def _taken(progress: Progress, bgr: Image, quad: Quad) -> Progress:
    assert progress.face is not None
    picture = _around(progress.face, bgr, quad)
    return Progress(
        progress.faces,
        progress.asked + 1,
        (*progress.pictures, picture),
        "Take the card away.",
        _look(bgr, quad),
    )


def _around(face: str, bgr: Image, quad: Quad) -> TeachingPicture:
    """The picture cut to the card and half a card around it, which saves memory."""
    margin = geometry.length(quad) / 2
    h, w = bgr.shape[:2]
    left, top = np.clip(np.floor(quad.min(0) - margin), 0, (w - 1, h - 1)).astype(int)
    right, below = np.clip(np.ceil(quad.max(0) + margin), 1, (w, h)).astype(int)
    cut = bgr[top:below, left:right].copy()
    return TeachingPicture(face, cut, (quad - np.array([left, top])).astype(np.float32))


def _look(bgr: Image, quad: Quad) -> Look:
    """A small picture of the card, (44, 32, 3) float32."""
    crop = crop_to_corners(bgr, quad, 64, 88, 0)
    return cv2.resize(crop, (32, 44), interpolation=cv2.INTER_AREA).astype(np.float32)


def _difference(a: Look, b: Look) -> float:
    """Mean difference in grey levels after removal of a common change of exposure."""
    apart = a - b
    return float(np.abs(apart - apart.mean()).mean())
