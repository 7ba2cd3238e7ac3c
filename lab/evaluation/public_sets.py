"""Public photographs of real decks: one picture a face is taught, then all pictures are seen.

The pictures are not part of the project: a folder that the user names holds them. `truth/SET.json`
says which card lies where, and which cards teach.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np

from calibration.deck import teach
from calibration.deck.ends import Asked, End, Taken, Unusable
from calibration.deck.outline import deck_outline
from calibration.deck.photographs import read_photographs
from calibration.deck.proposals import CardFinder
from calibration.deck.verdicts import ends_of, finished
from lab.evaluation.eyes import Worst, worst_of
from lab.evaluation.scoring import Score, Truth, add_picture
from lab.evaluation.teaching import corner_error
from models.picture_file import read_picture
from rules.errors import FairdealError
from vision.frame import Image
from vision.geometry import Quad
from vision.networks.embedder import Embedder
from vision.networks.locator import Locator
from vision.recognition.closeup import Closeup
from vision.recognition.eyes import Eyes
from vision.recognition.namer import Namer
from vision.sightings import Sightings

TRUTH = Path(__file__).parent / "truth"
RIGHT = 0.01  # of the card's length: corners of a rightly taken picture
JPEG = (cv2.IMWRITE_JPEG_QUALITY, 95)  # of a teaching picture that is cut out
WRONG = 0.03  # corners of an outline that is not the card's
SEEN_PX = 1600  # longer side of a picture that is seen
AROUND = 0.3  # of a card's length: what is seen around the cards of a partly known picture


@dataclass(frozen=True, slots=True, eq=False)
class KnownCard:
    """A card of a picture; its quad (4, 2) px, upright or not, if that is known."""

    face: str
    quad: Quad | None
    teaches: bool


@dataclass(frozen=True, slots=True)
class KnownPicture:
    """A picture's path below the set's folder, and its cards."""

    image: str
    cards: tuple[KnownCard, ...]


@dataclass(frozen=True, slots=True)
class PublicSet:
    """A set. margin: what a teaching picture shows around its card, least and most, in sides of
    the card. is_part: pictures show cards that are not known; those known are cut out to be seen.
    """

    name: str
    margin: tuple[float, float]
    is_part: bool
    pictures: tuple[KnownPicture, ...]


@dataclass(slots=True)
class PublicResult:
    """What became of the teaching pictures, and the score of all pictures. `errors`: corner errors
    of the taken ones; `asked_right`: asked ones whose first outline is the card's; `told`: a line
    for each that is asked, unusable or wrong. `worst`: the pictures with most faults."""

    taught: int = 0
    taken: int = 0
    asked: int = 0
    unusable: int = 0
    asked_right: int = 0
    errors: list[float] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    seen: Score = field(default_factory=Score)
    worst: list[Worst] = field(default_factory=list)


def public_sets() -> tuple[str, ...]:
    """The names of the sets whose truth is known."""
    return tuple(sorted(path.stem for path in TRUTH.glob("*.json")))


def read_set(name: str) -> PublicSet:
    """A set's truth. FairdealError for an unknown name."""
    if name not in public_sets():
        raise FairdealError(f"one of {', '.join(public_sets())}", ascii(name), "name a set")
    read = json.loads((TRUTH / f"{name}.json").read_text(encoding="utf-8"))
    low, high = read["margin"]
    return PublicSet(name, (low, high), read["is_part"], tuple(map(_picture, read["pictures"])))


def _picture(entry: dict[str, Any]) -> KnownPicture:
    cards = tuple(
        KnownCard(
            card["face"],
            np.array(card["quad"], np.float32) if "quad" in card else None,
            card.get("teach", False),
        )
        for card in entry["cards"]
    )
    return KnownPicture(entry["image"], cards)


def public(name: str, folder: Path, seed: int, threads: int = 2) -> PublicResult:
    """Teaches the set in `folder` by one picture a face, and sees all its pictures."""
    known, result = read_set(name), PublicResult()
    locator, embedder = Locator(threads=threads), Embedder(threads=threads)
    finder = CardFinder(Closeup(locator, embedder.corners))
    with TemporaryDirectory() as place:
        truths = write_teaching(known, folder, Path(place), seed)
        files = [(face, Path(place) / f"{face}.jpg") for face in truths]
        ends = ends_of(read_photographs(files, finder, None), None)
    pictures = [one.picture for one in finished(add_ends(result, ends, truths))
                if isinstance(one, Taken)]  # fmt: skip
    if not pictures:
        raise FairdealError("a picture that can be taught", "none", "copy the set again")
    gallery = teach.build_gallery(pictures, embedder)
    tall = [np.linalg.norm(p.quad[3] - p.quad[0]) / np.linalg.norm(p.quad[1] - p.quad[0])
            for p in pictures]  # fmt: skip
    outline, _ = deck_outline(pictures)
    eyes = Eyes(locator, Namer(gallery, outline, float(np.median(tall)), embedder))
    for picture, bgr in seen_pictures(known, folder):
        seen = eyes.see(bgr)
        _add(result.seen, picture, seen)
        result.worst = worst_of(result.worst, result.seen, picture.image, bgr, seen)
    return result


def write_teaching(
    known: PublicSet, folder: Path, place: Path, seed: int
) -> dict[str, Quad | None]:
    """Writes one picture a face to `place`, and gives its card's corners (4, 2), if they are known.

    A card of a picture with several is cut out with a margin drawn for each side.
    """
    rng, truths = np.random.default_rng([seed, 83]), {}
    for picture in known.pictures:
        if not any(card.teaches for card in picture.cards):
            continue
        bgr = read_picture(folder / picture.image)
        for card in picture.cards:
            if card.teaches:
                cut, quad = _cut(bgr, card.quad, rng.uniform(*known.margin, 4))
                cv2.imwrite(str(place / f"{card.face}.jpg"), cut, JPEG)
                truths[card.face] = quad
    return truths


def _cut(bgr: Image, quad: Quad | None, margin: np.ndarray) -> tuple[Image, Quad | None]:
    """The picture around a card with these margins (4,): left, top, right, bottom, in its sides."""
    if quad is None:
        return bgr, None
    low, high = quad.min(0), quad.max(0)
    limits = np.array(bgr.shape[1::-1])
    first = np.clip(low - margin[:2] * (high - low), 0, limits).astype(int)
    last = np.clip(high + margin[2:] * (high - low), 0, limits).astype(int)
    return bgr[first[1] : last[1], first[0] : last[0]], (quad - first).astype(np.float32)


def add_ends(
    result: PublicResult, ends: Sequence[End], truths: dict[str, Quad | None]
) -> list[End]:
    """Counts the ends; a person's answers follow: the first outline if it is right, else the card's
    true corners."""
    answered: list[End] = []
    for end in ends:
        true = truths[end.face]
        result.taught += 1
        if isinstance(end, Taken):
            result.taken += 1
            if true is not None:
                result.errors.append(corner_error(end.picture.quad, true * end.scale))
                if result.errors[-1] > RIGHT:
                    result.told.append(f"{end.face}: corners off by {result.errors[-1]:.1%}")
        elif isinstance(end, Unusable):
            result.unusable += 1
            result.told.append(f"{end.face}: unusable, {end.reason.found}")
        else:
            is_right = _is_right(end, true)
            result.asked += 1
            result.asked_right += is_right
            result.told.append(f"{end.face}: asked, {end.reason.found}")
            end = end.accepted() if is_right or true is None else end.with_corners(true)
        answered.append(end)
    return answered


def _is_right(end: Asked, true: Quad | None) -> bool:
    """Whether the first outline is the card's."""
    if true is None or not end.proposals:
        return False
    return corner_error(end.proposals[0].quad, true * end.scale) <= WRONG


def seen_pictures(known: PublicSet, folder: Path) -> Iterator[tuple[KnownPicture, Image]]:
    """The pictures at SEEN_PX, their cards' quads in px of these; where not all cards are known,
    only what lies around the known ones. A picture that only teaches is left out."""
    for picture in known.pictures:
        if len(picture.cards) == 1 and picture.cards[0].quad is None:
            continue
        bgr = read_picture(folder / picture.image)
        quads = [card.quad for card in picture.cards if card.quad is not None]
        first = np.zeros(2, int)
        if known.is_part and quads:
            points = np.concatenate(quads)
            around = AROUND * float(np.linalg.norm(quads[0][3] - quads[0][0]))
            first = np.maximum(points.min(0) - around, 0).astype(int)
            last = np.minimum(points.max(0) + around, bgr.shape[1::-1]).astype(int)
            bgr = bgr[first[1] : last[1], first[0] : last[0]]
        scale = min(1.0, SEEN_PX / max(bgr.shape[:2]))
        small = cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        cards = tuple(
            replace(card, quad=None if card.quad is None else (card.quad - first) * scale)
            for card in picture.cards
        )
        yield KnownPicture(picture.image, cards), np.asarray(small, np.uint8)


def _add(score: Score, picture: KnownPicture, seen: Sightings) -> None:
    truths = [Truth(card.quad.astype(np.float32), card.face, 1.0)
              for card in picture.cards if card.quad is not None]  # fmt: skip
    if truths:
        add_picture(score, picture.image, truths, seen)
    else:
        add_names(score, picture.image, [card.face for card in picture.cards], seen)


def add_names(score: Score, name: str, faces: Sequence[str], seen: Sightings) -> None:
    """Adds a picture of whose cards only the names are known: finds count by their names."""
    wanted, got = Counter(faces), Counter(seen.faces)
    unknown = got.pop("unknown", 0)
    right = (wanted & got).total()
    found = min(len(faces), len(seen))
    unknown = min(unknown, found - right)
    score.cards += len(faces)
    score.clear += len(faces)
    score.found += found
    score.clear_found += found
    score.finds += len(seen)
    score.false += len(seen) - found
    score.right += right
    score.unknown += unknown
    score.wrong += found - right - unknown
    score.pictures += 1
    faults = len(faces) - right + len(seen) - found
    score.whole += faults == 0
    score.worst.append((faults, name))


def public_section(result: PublicResult, name: str, command: str, machine: str) -> str:
    """The result as text."""
    errors = np.array(result.errors)
    known = ("–", "–", "–")
    if result.errors:
        known = (f"{(errors <= RIGHT).sum()}", f"{(errors > WRONG).sum()}",
                 f"{np.median(errors):.2%}")  # fmt: skip
    row = result.seen.row()
    cells = [f"{row[key]:.1%}" for key in ("recall", "precision", "right", "wrong", "unknown",
                                           "whole table")]  # fmt: skip
    lines = [
        f"Public photographs of the set {name}: each face is taught by one picture, then all are "
        "seen.", "", f"`{command}` on {machine}. Taken rightly: corners within {RIGHT:.0%} of the "
        "card's length, where they are known; wrongly: off by more than "
        f"{WRONG:.0%}. Asked pictures are then answered.", "",
        "| taught | taken | rightly | wrongly | asked (first outline right) | unusable | median | "
        "pictures | cards | recall | precision | right | wrong | unknown | whole |",
        "|" + "---|" * 15,
        f"| {result.taught} | {result.taken} | {known[0]} | {known[1]} "
        f"| {result.asked} ({result.asked_right}) | {result.unusable} | {known[2]} "
        f"| {result.seen.pictures} | {result.seen.cards} | " + " | ".join(cells) + " |",
    ]  # fmt: skip
    if result.told:
        lines += ["", f"Told: {'; '.join(result.told)}."]
    return "\n".join(lines) + "\n"
