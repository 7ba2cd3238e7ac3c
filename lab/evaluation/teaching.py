"""Teaches drawn decks from drawn photographs: what is accepted, and how far corners are off."""

from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np
import numpy.typing as npt

from calibration.deck.proposals import CardFinder
from calibration.deck.teach import TeachingPicture
from calibration.deck.verdicts import read_pictures
from lab.evaluation.teaching_pictures import Folder, Image, Quad, Sample, draw_folders
from models.crop import rectangle
from vision.networks.embedder import Embedder
from vision.networks.locator import Locator
from vision.recognition.closeup import Closeup

Points = npt.NDArray[np.float32]

DECKS = 18


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
    """Largest error of each accepted good picture, as a share of the card's length.

    Rectangles: of the four corners. Other outlines: of the points on the outline. Any rectangle
    around it will do, as long as it is the same for all faces, so points are compared with where
    the deck's median rectangle has them; and the taught outline with the true one.
    """
    pairs = {s.face: (taken[s.face], s.quad) for s in folder.samples
             if s.quad is not None and s.face in taken}  # fmt: skip
    deck = folder.deck
    if deck.outline in ("card", "square") or not pairs:
        return {face: corner_error(one.quad, true) for face, (one, true) in pairs.items()}
    plane = rectangle(1 / deck.aspect, 1)
    laid = {face: _nearest(_to_plane(one.quad, true, plane), plane)
            for face, (one, true) in pairs.items()}  # fmt: skip
    common = np.median(np.stack(list(laid.values())), axis=0).astype(np.float32)
    errors = {}
    for face, (one, true) in pairs.items():
        rim = 0.0
        if one.outline is not None:
            taught = _to_plane(one.outline, true, plane)
            rim = float(np.linalg.norm(taught[:, None] - deck.rim[None], axis=2).min(1).max())
        # A circle leaves its turn open; then only the outline itself can be off.
        if deck.outline != "round" or one.outline is None:
            shift = cv2.getPerspectiveTransform(common, laid[face].astype(np.float32))
            there = cv2.perspectiveTransform(deck.rim[None].astype(np.float32), shift)[0]
            rim = max(rim, float(np.linalg.norm(there - deck.rim, axis=1).max()))
        errors[face] = rim
    return errors


def _to_plane(points: Points, true: Quad, plane: Quad) -> Points:
    """Points (N, 2) px of a picture on the true card's plane."""
    to = cv2.getPerspectiveTransform(true.astype(np.float32), plane.astype(np.float32))
    return np.asarray(cv2.perspectiveTransform(points[None].astype(np.float32), to)[0], np.float32)


def _nearest(quad: Points, plane: Quad) -> Points:
    """The quad (4, 2), begun at the corner that fits the plane best."""
    starts = [np.roll(quad, -k, axis=0) for k in range(4)]
    return min(starts, key=lambda one: float(np.linalg.norm(one - plane)))


def corner_error(found: Quad, true: Quad) -> float:
    """Largest distance of a corner, as a share of the card's length, whichever comes first."""
    length = float(np.linalg.norm(true[3] - true[0]) + np.linalg.norm(true[2] - true[1])) / 2
    starts = [np.roll(found, -k, axis=0) for k in range(4)]
    return min(float(np.linalg.norm(one - true, axis=1).max()) for one in starts) / length


def section(result: TeachingResult, command: str, machine: str) -> str:
    """The result as a table: the whole, then each condition."""
    lines = [
        "Drawn teaching pictures: decks of 8 faces in seven styles and six outlines, on nine kinds "
        "of tables, in six lights, by a hand-held camera; two bad pictures in each folder.", "",
        f"`{command}` on {machine}. Error: of rectangles the largest of the four corners, of other "
        "outlines the largest of any point on them, in parts of the card's length.", "",
        "| | good | accepted | error within 1 % | within 2 % | median | p95 | bad | accepted |",
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
