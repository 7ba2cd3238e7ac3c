"""Teaches a deck: one picture a face in, a gallery of vectors and looks out. No training."""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from models.crop import crop_to_corners
from models.deck import Deck
from models.drawing.raster import face_picture
from models.gallery import BACK, Gallery
from rules.errors import FairdealError
from vision import second_look
from vision.closeup import Closeup
from vision.embed import Embedder

TWIN = 0.75  # cosine of two faces above which they are near twins
SURE = 0.45  # score of a find in a teaching picture
SAME = 0.97  # of a face and another turned: told apart by nothing that a camera sees
TABLE = (96, 104, 108)  # BGR, the ground that flat art is laid on


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """One teaching picture: the frame (H, W, 3) BGR and the upright card's corners in it (4, 2)."""

    face: str
    bgr: np.ndarray
    quad: np.ndarray


def from_file(face: str, path: Path, locator: Closeup, aspect: float | None) -> Picture:
    """A picture from a photograph of one card on a table, or from flat art that fills it.

    `aspect` is the card's height / width where it is known. FairdealError where the file is no
    picture, shows no card or several.
    """
    bgr = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if bgr is None:
        raise FairdealError(
            "a picture (jpg or png)", "a file that is none", "replace it", where=str(path)
        )
    h, w = bgr.shape[:2]
    if min(h, w) < 60:
        raise FairdealError(
            "a picture of 60 px or more",
            f"{w}×{h} px",
            "photograph the card closer",
            where=str(path),
        )
    if float(bgr.mean()) < 18:
        raise FairdealError(
            "a picture bright enough to see",
            f"a mean of {bgr.mean():.0f} of 255",
            "more light",
            where=str(path),
        )
    located = locator.locate(bgr)
    parts = np.array([cv2.contourArea(q) / (h * w) for q in located.quads])
    sure = (located.scores >= SURE) & (parts > 0.02) & (parts < 0.8)
    is_art = _is_art(h / w, aspect)
    if is_art and (path.suffix.lower() == ".png" or not sure.any()):
        return flat(face, bgr)
    if not sure.any():
        raise FairdealError(
            "one card on a table, or flat art",
            "no card",
            "photograph the card alone",
            where=str(path),
        )
    quad, others = _largest(located.quads[sure], parts[sure])
    if others:
        raise FairdealError(
            "one card", f"{1 + others} cards", "photograph each face alone", where=str(path)
        )
    return Picture(face, bgr, upright(quad, aspect))


def _largest(quads: np.ndarray, parts: np.ndarray) -> tuple[np.ndarray, int]:
    """The largest find, and how many cards nearly as large lie elsewhere: what a card shows may
    look like a card, and a card may be found twice."""
    first = int(parts.argmax())
    apart = np.linalg.norm(quads.mean(1) - quads[first].mean(0), axis=1)
    reach = float(np.linalg.norm(quads[first][2] - quads[first][0])) * 0.55
    return quads[first], int(((parts > 0.5 * parts[first]) & (apart > reach)).sum())


def _is_art(shape: float, aspect: float | None) -> bool:
    return abs(shape / aspect - 1) < 0.08 if aspect else 1.15 < shape < 1.75


def flat(face: str, art: np.ndarray) -> Picture:
    """Flat art, (H, W, 3 or 4), laid on a plain table so that it is seen as cards are."""
    height = min(art.shape[0], 600)
    art = cv2.resize(
        art, (round(art.shape[1] * height / art.shape[0]), height), interpolation=cv2.INTER_AREA
    )
    h, w = art.shape[:2]
    pad = h // 5
    frame = np.full((h + 2 * pad, w + 2 * pad, 3), TABLE, np.uint8)
    alpha = art[..., 3:] / 255.0 if art.shape[2] == 4 else 1.0
    inside = frame[pad : pad + h, pad : pad + w]
    inside[:] = art[..., :3] * alpha + inside * (1 - alpha)
    return Picture(
        face,
        frame,
        np.array([[pad, pad], [pad + w, pad], [pad + w, pad + h], [pad, pad + h]], np.float32),
    )


def from_deck(deck: Deck) -> list[Picture]:
    """The pictures of a deck that has its own art, its backs among them."""
    faces = {face.attributes.get("reverse", face.name): 0 for face in deck.faces}
    names = [*deck.names, *(n for n in faces if n not in deck.names)]
    pictures = [flat(name, face_picture(deck, name, 480)) for name in names]
    with suppress(FairdealError):  # a deck whose cards all have two faces has no back
        pictures.append(flat(BACK, face_picture(deck, deck.back, 480)))
    return pictures


def teach(pictures: list[Picture], embedder: Embedder) -> Gallery:
    """The gallery of these pictures, whose quads are true."""
    vectors, looks = [], []
    for picture in pictures:
        quads = picture.quad[None]
        vectors.append(embedder.look(picture.bgr, quads)[0])
        looks.append(
            crop_to_corners(picture.bgr, quads[0], second_look.WIDTH, second_look.HEIGHT, 0)
        )
    faces = tuple(p.face for p in pictures)
    return Gallery(faces, np.stack(vectors).astype(np.float32), np.stack(looks), embedder.checksum)


def twins(gallery: Gallery, embedder: Embedder) -> list[tuple[str, str, float, bool]]:
    """Pairs of faces that look alike: both names, likeness 0..1, whether only a turn differs."""
    turned = [cv2.rotate(look, cv2.ROTATE_180) for look in gallery.looks]
    h, w = gallery.looks[0].shape[:2]
    corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)[None]
    around = np.stack([embedder.look(look, corners)[0] for look in turned])
    straight, spun = gallery.vectors @ gallery.vectors.T, gallery.vectors @ around.T
    found = []
    for i, a in enumerate(gallery.faces):
        for j in range(i):
            if gallery.faces[j] == a:
                continue
            likeness = max(float(straight[i, j]), float(spun[i, j]))
            if likeness > TWIN:
                found.append(
                    (gallery.faces[j], a, likeness, spun[i, j] > max(SAME, straight[i, j]))
                )
    return sorted(found, key=lambda row: -row[2])


def upright(quad: np.ndarray, aspect: float | None) -> np.ndarray:
    """The corners (4, 2) begun at the picture's top: a teaching card lies the right way up, within
    45° where it is square, within 90° else. `aspect`: height / width where it is known."""
    sides = [np.roll(quad, -k, axis=0) for k in range(4)]
    if aspect is None or aspect > 1.12:
        sides = [
            q for q in sides if np.linalg.norm(q[3] - q[0]) >= np.linalg.norm(q[1] - q[0])
        ] or sides
    return max(sides, key=lambda q: float((q[3] + q[2] - q[0] - q[1])[1]))
