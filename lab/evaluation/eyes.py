"""Recognition for each set of pictures, taught in memory, and its score."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np

from calibration.deck import teach
from calibration.deck.outline import deck_outline
from calibration.deck.photographs import Photograph
from calibration.deck.proposals import CardFinder, Finder
from calibration.deck.verdicts import read_pictures, select_pictures
from lab.evaluation import sets as sets
from lab.evaluation.drawn_grids import draw_grid_deck, drawn_grid
from lab.evaluation.drawn_kinds import KINDS, as_photographed, draw_kind_deck, drawn_kind
from lab.evaluation.scoring import Score, Truth, add_picture
from models.deck import Deck, Face, load_deck, shipped_decks
from models.drawing.raster import face_picture
from models.gallery import Gallery
from rules.errors import FairdealError
from vision.geometry import iou
from vision.networks.embedder import Embedder
from vision.networks.locator import Locator
from vision.recognition.closeup import Closeup
from vision.recognition.eyes import Eyes
from vision.recognition.namer import Namer
from vision.sightings import Located, Sightings

WORST = 8  # pictures that are kept
WHOLE = 0.85  # IoU: a teaching card is seen whole
TRIES = 3  # to take a teaching picture
PER_FACE = 6  # teaching photographs per rank: their labels do not tell suits apart


Worst = tuple[int, str, np.ndarray, Sightings]  # faults, name, picture, what was seen


def worst_of(
    worst: list[Worst], score: Score, name: str, bgr: np.ndarray, seen: Sightings
) -> list[Worst]:
    """The worst pictures, with this one, the last that was added to `score`, if it is one."""
    faults = int(score.worst[-1][0])
    if not faults:
        return worst
    return sorted([*worst, (faults, name, bgr, seen)], key=lambda row: -row[0])[:WORST]


@dataclass(slots=True)
class Result:
    """A set's score, scores by condition, and the worst pictures."""

    whole: Score = field(default_factory=Score)
    parts: dict[str, Score] = field(default_factory=dict)
    worst: list[Worst] = field(default_factory=list)

    def add(
        self, name: str, bgr: np.ndarray, truths: list[Truth], seen: Sightings, notes: sets.Notes
    ) -> None:
        """Adds one picture to the whole and to each of its conditions."""
        add_picture(self.whole, name, truths, seen)
        for note in notes.get(name, ()):
            add_picture(self.parts.setdefault(note, Score()), name, truths, seen)
        self.worst = worst_of(self.worst, self.whole, name, bgr, seen)


def taught_from(folder: Path, locator: Locator, embedder: Embedder, name: str, game: str,
                ) -> tuple[Deck, Gallery]:  # fmt: skip
    """A deck and its gallery from a folder with one picture per face. Raises FairdealError."""
    if not folder.is_dir():
        raise FairdealError("a folder with one picture a face", f"no folder {folder}",
                            "name the set's folder with --from, or a deck with --deck")  # fmt: skip
    paths = sorted(p for p in folder.iterdir() if p.suffix.lower() in (".jpg", ".jpeg", ".png"))
    pictures = read_pictures(
        [(path.name.split(".")[0], path) for path in paths],
        CardFinder(Closeup(locator, embedder.corners)),
        None,
        lambda error: print(f"not taught: {error}", file=sys.stderr),
    )  # as `calibrate deck` does: the face stays untaught
    if not pictures:
        raise FairdealError("pictures <face>.jpg", f"none in {folder}", "put one a face there")
    gallery = teach.build_gallery(pictures, embedder)
    tall = [np.linalg.norm(p.quad[3] - p.quad[0]) / np.linalg.norm(p.quad[1] - p.quad[0])
            for p in pictures]  # fmt: skip
    faces = tuple(Face(f) for f in dict.fromkeys(gallery.faces) if f != "back")
    height = round(63.0 * float(np.median(tall)), 1)
    outline, _ = deck_outline(pictures)
    return Deck(name, game, 63.0, height, outline, faces, "back", folder), gallery


def eyes_of(deck: Deck, gallery: Gallery, locator: Locator, embedder: Embedder) -> Eyes:
    """Eyes for a deck taught in memory."""
    return Eyes(locator, Namer(gallery, deck.outline, deck.height_mm / deck.width_mm, embedder))


def stills(folder: Path, deck: str | None, threads: int = 2) -> Result:
    """The photograph-like pictures, with the named deck or one taught from `teach/` beside them."""
    notes = sets.still_notes(folder)
    if deck:
        eyes = Eyes.open(deck, threads)
    else:
        locator, embedder = Locator(threads=threads), Embedder(threads=threads)
        beside = folder.parents[1] / "teach" / folder.name
        eyes = eyes_of(*taught_from(beside, locator, embedder, folder.name, ""), locator, embedder)
    result = Result()
    for name, bgr, truths in sets.stills(folder):
        result.add(name, bgr, truths, eyes.see(bgr), notes)
    return result


def drawn(seed: int, decks: int = 8, pictures: int = 8, threads: int = 2) -> Result:
    """Decks drawn with a seed that no training uses, taught from their flat art."""
    locator, embedder = Locator(threads=threads), Embedder(threads=threads)
    rng, result = np.random.default_rng([seed, 77]), Result()
    for number in range(decks):
        deck = sets.draw_deck(rng)
        flat = [teach.picture_of_art(face, art) for face, art in deck.faces.items()]
        namer = Namer(teach.build_gallery(flat, embedder), deck.outline, deck.aspect, embedder)
        eyes, notes = Eyes(locator, namer), sets.Notes()
        for name, bgr, truths in sets.drawn(rng, deck, pictures, f"deck-{number}", notes):
            result.add(name, bgr, truths, eyes.see(bgr), notes)
    return result


def kinds(seed: int, pictures: int = 3, threads: int = 2) -> Result:
    """A deck of every kind of art and border, taught from art as careless photographs show it."""
    locator, embedder = Locator(threads=threads), Embedder(threads=threads)
    result = Result()
    for number, (art, border) in enumerate(KINDS):
        rng, notes = np.random.default_rng([seed, 79, number]), sets.Notes()
        deck = draw_kind_deck(rng, art, border)
        taught = {face: as_photographed(rng, look) for face, look in deck.faces.items()}
        flat = [teach.picture_of_art(face, look) for face, look in taught.items()]
        namer = Namer(teach.build_gallery(flat, embedder), deck.outline, deck.aspect, embedder)
        words = (f"art {art}", f"border {border}")
        eyes = Eyes(locator, namer)
        label = f"{art}-{border}"
        for name, bgr, truths in drawn_kind(rng, deck, pictures, label, notes, words):
            result.add(name, bgr, truths, eyes.see(bgr), notes)
    return result


def grids(seed: int, decks: int = 16, threads: int = 2) -> Result:
    """A grid of each of so many drawn decks whose backs repeat a pattern, taught as `kinds` are."""
    locator, embedder = Locator(threads=threads), Embedder(threads=threads)
    result = Result()
    for number in range(decks):
        rng, notes = np.random.default_rng([seed, 84, number]), sets.Notes()
        deck = draw_grid_deck(rng)
        flat = [teach.picture_of_art(face, as_photographed(rng, look))
                for face, look in deck.faces.items()]  # fmt: skip
        namer = Namer(teach.build_gallery(flat, embedder), deck.outline, deck.aspect, embedder)
        name, bgr, truths = drawn_grid(rng, deck, f"grid-{number:02d}", notes)
        result.add(name, bgr, truths, Eyes(locator, namer).see(bgr), notes)
    return result


def decks(seed: int, pictures: int = 16, threads: int = 2) -> Result:
    """The shipped decks on drawn tables, each taught by drawn photographs."""
    locator, embedder = Locator(threads=threads), Embedder(threads=threads)
    finder, result = CardFinder(Closeup(locator, embedder.corners)), Result()
    for number, name in enumerate(shipped_decks()):
        rng, deck = np.random.default_rng([seed, 78, number]), load_deck(name)
        art = {face: face_picture(deck, face, 480) for face in (*deck.names, deck.back)}
        gallery = teach.build_gallery(photographed(rng, art, finder), embedder)
        eyes = eyes_of(deck, gallery, locator, embedder)
        drawn_deck = sets.DrawnDeck(art, deck.outline, deck.height_mm / deck.width_mm)
        for label, bgr, truths in sets.drawn(rng, drawn_deck, pictures, name, sets.Notes()):
            result.add(label, bgr, truths, eyes.see(bgr), {label: (f"deck {name}",)})
    return result


def photographed(
    rng: np.random.Generator, art: dict[str, np.ndarray], finder: Finder
) -> list[teach.TeachingPicture]:
    """A teaching picture of each face of `art`, (H, W, 4) each.

    A refused picture is taken again, as a user would, up to TRIES times.
    """
    with TemporaryDirectory() as folder:
        files = [(face, Path(folder) / f"{face}.jpg") for face in art]
        taken: dict[str, teach.TeachingPicture] = {}
        for _ in range(TRIES):
            for face, path in files:
                if face not in taken:
                    cv2.imwrite(str(path), sets.photograph(rng, art[face]))
            taken = {p.face: p for p in read_pictures(files, finder, None, lambda _: None)}
            if len(taken) == len(files):
                break
    return list(taken.values())


def photos(folder: Path, threads: int = 2) -> Result:
    """The real photographs; some that show a single card teach the deck and are left out."""
    locator, embedder = Locator(threads=threads), Embedder(threads=threads)
    items = list(sets.boxes(folder))
    teachers, gone = _teachers(items, CardFinder(Closeup(locator, embedder.corners)), embedder)
    if not teachers:
        raise FairdealError("photographs of single cards", f"none in {folder}", "name another set")
    namer = Namer(teach.build_gallery(teachers, embedder), "card", 1.4, embedder)
    eyes, result = Eyes(locator, namer), Result()
    for name, bgr, truths in items:
        if name not in gone:
            seen = as_boxes(eyes.see(bgr), truths, bgr.shape)
            result.add(name, bgr, truths, seen, {name: (f"{len(truths)} cards",)})
    for score in (result.whole, *result.parts.values()):
        score.corners = []  # boxes have no corners of the card
    return result


def _teachers(
    items: list[sets.Item], locator: Finder, embedder: Embedder
) -> tuple[list[teach.TeachingPicture], set[str]]:
    """Up to PER_FACE typical pictures per face, and their names.

    Their labels locate the card; they are judged as a user's pictures.
    """
    faces, looked = {}, []
    for name, bgr, truths in items:
        if len(truths) == 1:
            found = locator.locate(bgr)
            is_whole = [iou(box_of(quad), truths[0].quad) > WHOLE for quad in found.quads]
            faces[name] = truths[0].face
            if any(is_whole):
                whole = Located(found.quads[is_whole], found.scores[is_whole])
                looked.append(Photograph(name, Path(name), bgr, whole))
    fit = select_pictures(looked, None, lambda _: None)
    pictures, names = [], set()
    for face in sorted(set(faces.values())):
        of_face = [one for one in fit if faces[one.face] == face]
        if of_face:
            vectors = teach.build_gallery(of_face, embedder).vectors
            chosen = [of_face[i] for i in most_telling(vectors)[:PER_FACE]]
            names |= {one.face for one in chosen}
            pictures += [replace(one, face=face) for one in chosen]
    return pictures, names


def most_telling(vectors: np.ndarray) -> list[int]:
    """The order of the vectors (N, V) by which the first ones represent all of them best.

    Suits are not labelled, but each has to be taught.
    """
    alike = vectors @ vectors.T
    order: list[int] = []
    best = np.full(len(vectors), -1.0)
    for _ in range(len(vectors)):
        gains = np.maximum(alike, best).mean(1)
        gains[order] = -np.inf
        order.append(int(gains.argmax()))
        best = np.maximum(best, alike[order[-1]])
    return order


def box_of(quad: np.ndarray) -> np.ndarray:
    """The quad's axis-aligned box as a quad (4, 2), clockwise from the top-left."""
    (x0, y0), (x1, y1) = quad.min(0), quad.max(0)
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)


def as_boxes(seen: Sightings, truths: list[Truth], shape: tuple[int, ...]) -> Sightings:
    """Sightings as boxes inside the picture; unlabelled cards at the edge are left out."""
    h, w = shape[:2]
    keep, boxes = [], []
    for i, quad in enumerate(seen.quads):
        box = box_of(np.clip(quad, 0, [w, h]))
        is_cut = quad.min() < 2 or quad[:, 0].max() > w - 3 or quad[:, 1].max() > h - 3
        if not is_cut or any(iou(box, t.quad) >= 0.5 for t in truths):
            keep.append(i)
            boxes.append(box)
    return Sightings(np.array(boxes, np.float32).reshape(-1, 4, 2), seen.scores[keep],
                     tuple(seen.faces[i] for i in keep), seen.confidences[keep],
                     seen.face_up[keep])  # fmt: skip


def write_worst(worst: list[Worst], folder: Path) -> Iterator[Path]:
    """Writes the worst pictures with their sightings drawn; yields their paths."""
    from kiosk.overlay import draw_sightings

    folder.mkdir(parents=True, exist_ok=True)
    for faults, name, bgr, seen in worst:
        path = folder / f"{faults:02d}-{Path(name).stem}.jpg"
        cv2.imwrite(str(path), draw_sightings(bgr, seen))
        yield path
