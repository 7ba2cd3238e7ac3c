"""Teaches drawn decks from drawn photographs: what is accepted, and how far corners are off."""

from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np
import numpy.typing as npt

from calibration.deck.photographs import read_pictures
from calibration.deck.proposals import CardFinder
from calibration.deck.teach import TeachingPicture
from lab.evaluation.teaching_pictures import Folder, Image, Quad, Sample, draw_folders
from vision.networks.embedder import Embedder
from vision.networks.locator import Locator
from vision.recognition.closeup import Closeup

DECKS = 18
LEANS = np.radians(np.arange(-20.0, 20.5, 0.5))  # rotations of an outline that leaves them open


@dataclass(slots=True)
class Tally:
    """Good and bad pictures of one condition; `errors`: largest corner error of each accepted
    good picture, as a share of the card's length."""

    good: int = 0
    bad: int = 0
    taken_bad: int = 0
    errors: list[float] = field(default_factory=list)


@dataclass(slots=True)
class TeachingResult:
    """The whole bench, its conditions, and what went wrong as (what, file, picture, quad)."""

    whole: Tally = field(default_factory=Tally)
    parts: dict[str, Tally] = field(default_factory=dict)
    faults: list[tuple[str, str, Image, Quad | None]] = field(default_factory=list)

    def add(
        self, name: str, sample: Sample, taken: TeachingPicture | None, error: float | None
    ) -> None:
        """Adds one sample, what teaching made of it (None: refused) and its corner error."""
        for note in ("", *sample.notes):
            tally = self.parts.setdefault(note, Tally()) if note else self.whole
            tally.good += sample.quad is not None
            tally.bad += sample.quad is None
            tally.taken_bad += sample.quad is None and taken is not None
            if error is not None:
                tally.errors.append(error)
        if sample.quad is None and taken is not None:
            self.faults.append(("bad taken", name, sample.bgr, taken.quad))
        elif sample.quad is not None and taken is None:
            self.faults.append(("good refused", name, sample.bgr, None))
        elif error is not None and error > 0.02 and taken is not None:
            self.faults.append((f"off {error:.1%}", name, sample.bgr, taken.quad))


def teaching(seed: int, decks: int = DECKS, threads: int = 2) -> TeachingResult:
    """Draws `decks` folders of photographs and teaches each."""
    embedder = Embedder(threads=threads)
    finder = CardFinder(Closeup(Locator(threads=threads), embedder.corners))
    result = TeachingResult()
    for number, folder in enumerate(draw_folders(seed, decks)):
        add_folder(result, f"{number:02d}", folder, finder)
    return result


def add_folder(result: TeachingResult, name: str, folder: Folder, finder: CardFinder) -> None:
    """Teaches one drawn folder and adds its pictures to the result."""
    with TemporaryDirectory() as place:
        files = [(sample.face, Path(place) / f"{sample.face}.jpg") for sample in folder.samples]
        for (_, path), sample in zip(files, folder.samples, strict=True):
            cv2.imwrite(str(path), sample.bgr, [cv2.IMWRITE_JPEG_QUALITY, 97])
        reasons: list[str] = []
        taken = read_pictures(files, finder, None, lambda error: reasons.append(str(error)))
    by_face = {picture.face: picture for picture in taken}
    errors = corner_errors(folder, by_face)
    for sample in folder.samples:
        why = next((line for line in reasons if f"/{sample.face}.jpg" in line), "")
        label = f"{name}/{sample.face} {sample.notes} {why.split(':', 1)[-1][:90]}"
        result.add(label, sample, by_face.get(sample.face), errors.get(sample.face))


def corner_errors(folder: Folder, taken: dict[str, TeachingPicture]) -> dict[str, float]:
    """Largest corner error of each accepted good picture, as a share of the card's length.

    Rectangles are compared with the truth. Any rectangle around another outline will do, as long
    as it is the same for all faces: these are compared with their median on the true card's plane.
    """
    pairs = {s.face: (taken[s.face].quad, s.quad) for s in folder.samples
             if s.quad is not None and s.face in taken}  # fmt: skip
    kind = folder.deck.outline
    if kind in ("card", "square", "round") or not pairs:
        return {face: corner_error(a, b, kind == "round") for face, (a, b) in pairs.items()}
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    laid = {}
    for face, (found, true) in pairs.items():
        to = cv2.getPerspectiveTransform(true.astype(np.float32), unit)
        plane = cv2.perspectiveTransform(found[None].astype(np.float32), to)[0]
        laid[face] = min((np.roll(plane, -k, axis=0) for k in range(4)),
                         key=lambda one: float(np.linalg.norm(one - unit)))  # fmt: skip
    common = np.median(np.stack(list(laid.values())), axis=0)
    return {face: float(np.linalg.norm(one - common, axis=1).max()) for face, one in laid.items()}


def corner_error(found: Quad, true: Quad, open_turn: bool) -> float:
    """Largest distance of a corner, as a share of the card's length, whichever corner comes
    first; `open_turn`: also whichever way within 20° the rectangle lies on the outline."""
    length = float(np.linalg.norm(true[3] - true[0]) + np.linalg.norm(true[2] - true[1])) / 2
    return min(_distance(one, true) for one in _turned(found, true, open_turn)) / length


def _turned(found: Quad, true: Quad, open_turn: bool) -> list[npt.NDArray[np.float64]]:
    """The found quad in all rotations that count as equal, as seen on the true card's plane."""
    flat = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
    size = np.array([np.linalg.norm(true[1] - true[0]), np.linalg.norm(true[3] - true[0])]) / 2
    plane = (flat * size).astype(np.float32)
    to = cv2.getPerspectiveTransform(true.astype(np.float32), plane)
    laid = cv2.perspectiveTransform(found[None].astype(np.float32), to)[0].astype(np.float64)
    back = cv2.getPerspectiveTransform(plane, true.astype(np.float32))
    turned = []
    for lean in LEANS if open_turn else (0.0,):
        c, s = np.cos(lean), np.sin(lean)
        middle = laid.mean(0)
        one = (laid - middle) @ np.array([[c, s], [-s, c]]) + middle
        turned.append(cv2.perspectiveTransform(one[None].astype(np.float32), back)[0])
    return turned


def _distance(found: npt.NDArray[np.float64], true: Quad) -> float:
    starts = [np.roll(found, -k, axis=0) for k in range(4)]
    return min(float(np.linalg.norm(one - true, axis=1).max()) for one in starts)


def section(result: TeachingResult, command: str, machine: str) -> str:
    """The result as a table: the whole, then each condition."""
    lines = [
        "Drawn teaching pictures: decks of 8 faces in seven styles and six outlines, on nine kinds "
        "of tables, in six lights, by a hand-held camera; two bad pictures in each folder.", "",
        f"`{command}` on {machine}. Corners: the largest error of the four, in parts of the card's "
        "length; of outlines that are no rectangle, against the deck's common rectangle.", "",
        "| | good | accepted | corners within 1 % | within 2 % | median | p95 | bad | accepted |",
        "|" + "---|" * 9,
    ]  # fmt: skip
    rows = [("all", result.whole), *sorted(result.parts.items())]
    lines += [_row(name, tally) for name, tally in rows]
    if result.faults:
        faults = "; ".join(f"{what}: {name}" for what, name, _, _ in result.faults)
        lines += ["", f"Faults: {faults}"]
    return "\n".join(lines) + "\n"


def _row(name: str, tally: Tally) -> str:
    errors = np.array(tally.errors or [np.nan])
    cells = [str(tally.good), "–", "–", "–", "–", "–", str(tally.bad), str(tally.taken_bad)]
    if tally.good:
        cells[1:6] = [
            f"{len(tally.errors) / tally.good:.1%}", f"{(errors < 0.01).sum() / tally.good:.1%}",
            f"{(errors < 0.02).sum() / tally.good:.1%}", f"{np.median(errors):.2%}",
            f"{np.quantile(errors, 0.95):.2%}",
        ]  # fmt: skip
    return f"| {name} | " + " | ".join(cells) + " |"


def write_faults(result: TeachingResult, folder: Path) -> list[Path]:
    """Writes the pictures that went wrong, the taught quad drawn on; returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for number, (what, name, bgr, quad) in enumerate(result.faults):
        picture = bgr.copy()
        if quad is not None:
            cv2.polylines(picture, [np.rint(quad).astype(np.int32)], True, (0, 0, 255), 2)
        words = "-".join((what.split()[0], *name.split()[0].split("/")))
        paths.append(folder / f"{number:02d}-{words}.jpg")
        cv2.imwrite(str(paths[-1]), picture)
    return paths
