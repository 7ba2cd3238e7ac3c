"""Builds a gallery of embeddings and templates from one picture a face. No training."""

from contextlib import suppress
from dataclasses import dataclass, replace

import cv2
import numpy as np

from models.crop import crop_to_corners, rectangle
from models.deck import Deck
from models.drawing.raster import face_picture
from models.gallery import BACK, FINE, Gallery
from rules.errors import FairdealError
from vision.matching import template_match
from vision.networks.embedder import Embedder

TWIN = 0.75  # cosine of two embeddings above which the faces are near twins
SAME = 0.97  # cosine of a face and another turned by 180° above which no camera separates them
TABLE = (96, 104, 108)  # BGR, the plain table under flat art
ART_PX = 600  # px, flat art is reduced to this height


@dataclass(frozen=True, slots=True, eq=False)
class TeachingPicture:
    """One teaching picture: the frame (H, W, 3) BGR and the upright card's corners in it (4, 2).

    outline: the card's contour (P, 2) px if it is no rectangle; `quad` is then the rectangle
    around the deck's common outline.
    """

    face: str
    bgr: np.ndarray
    quad: np.ndarray
    outline: np.ndarray | None = None


def picture_of_art(face: str, art: np.ndarray) -> TeachingPicture:
    """Flat art (H, W, 3 or 4) uint8, placed on a plain table as a photograph would show it."""
    height = min(art.shape[0], ART_PX)
    art = cv2.resize(
        art, (round(art.shape[1] * height / art.shape[0]), height), interpolation=cv2.INTER_AREA
    )
    h, w = art.shape[:2]
    pad = h // 5
    frame = np.full((h + 2 * pad, w + 2 * pad, 3), TABLE, np.uint8)
    alpha = art[..., 3:] / 255.0 if art.shape[2] == 4 else 1.0
    inside = frame[pad : pad + h, pad : pad + w]
    inside[:] = art[..., :3] * alpha + inside * (1 - alpha)
    return TeachingPicture(
        face,
        frame,
        np.array([[pad, pad], [pad + w, pad], [pad + w, pad + h], [pad, pad + h]], np.float32),
    )


def pictures_of_deck(deck: Deck) -> list[TeachingPicture]:
    """Teaching pictures of a deck that has its own art, its backs included."""
    faces = {face.attributes.get("reverse", face.name): 0 for face in deck.faces}
    names = [*deck.names, *(n for n in faces if n not in deck.names)]
    pictures = [picture_of_art(name, face_picture(deck, name, 480)) for name in names]
    with suppress(FairdealError):  # cards with two faces have no back
        pictures.append(picture_of_art(BACK, face_picture(deck, deck.back, 480)))
    return pictures


def build_gallery(pictures: list[TeachingPicture], embedder: Embedder) -> Gallery:
    """The gallery of these pictures; their quads must be the cards' true corners."""
    vectors, templates, fine = [], [], []
    for picture in map(without_table, pictures):
        quads = picture.quad[None]
        vectors.append(embedder.embed(picture.bgr, quads)[0])
        templates.append(
            crop_to_corners(picture.bgr, quads[0], template_match.WIDTH, template_match.HEIGHT, 0)
        )
        crop = crop_to_corners(picture.bgr, quads[0], FINE[1], FINE[0], 0)
        fine.append(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY))
    return Gallery(
        tuple(p.face for p in pictures),
        np.stack(vectors).astype(np.float32),
        np.stack(templates),
        embedder.checksum,
        common_outline(pictures),
        np.stack(fine),
    )


def pictures_of_gallery(gallery: Gallery) -> list[TeachingPicture]:
    """The taught cards as pictures that show nothing else."""
    corners = rectangle(template_match.WIDTH, template_match.HEIGHT).astype(np.float32)
    return [
        TeachingPicture(face, template, corners)
        for face, template in zip(gallery.faces, gallery.templates, strict=True)
    ]


def common_outline(pictures: list[TeachingPicture]) -> np.ndarray | None:
    """The cards' outline (P, 2) in shares of their reference rectangle; None for rectangles."""
    for picture in pictures:
        if picture.outline is not None:
            to = cv2.getPerspectiveTransform(picture.quad.astype(np.float32), rectangle(1, 1))
            shares = cv2.perspectiveTransform(picture.outline[None].astype(np.float32), to)[0]
            return np.asarray(shares, np.float32)
    return None


def without_table(picture: TeachingPicture) -> TeachingPicture:
    """The picture with a plain table outside the card's outline: templates must not show one."""
    if picture.outline is None:
        return picture
    mask = np.zeros(picture.bgr.shape[:2], np.uint8)
    points = np.rint((picture.outline - 0.5) * 16).astype(np.int32)
    cv2.fillPoly(mask, [points], 255, cv2.LINE_AA, 4)
    share = mask[..., None] / np.float32(255)
    bgr = picture.bgr * share + np.array(TABLE, np.float32) * (1 - share)
    return replace(picture, bgr=np.rint(bgr).astype(np.uint8))


def near_twins(gallery: Gallery, embedder: Embedder) -> list[tuple[str, str, float, bool]]:
    """Pairs of similar faces: both names, cosine 0..1, whether they differ by a half turn only."""
    turned = [cv2.rotate(template, cv2.ROTATE_180) for template in gallery.templates]
    h, w = gallery.templates[0].shape[:2]
    corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)[None]
    around = np.stack([embedder.embed(template, corners)[0] for template in turned])
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
    """The corners (4, 2), reordered to begin at the top left of the picture.

    A teaching card lies the right way up: within 45° if it is square, else within 90°.
    `aspect`: height / width of the deck's cards, if known.
    """
    sides = [np.roll(quad, -k, axis=0) for k in range(4)]
    if aspect is None or aspect > 1.12:
        sides = [
            q for q in sides if np.linalg.norm(q[3] - q[0]) >= np.linalg.norm(q[1] - q[0])
        ] or sides
    return max(sides, key=lambda q: float((q[3] + q[2] - q[0] - q[1])[1]))
