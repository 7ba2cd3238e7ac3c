"""Training pictures for the locator: random tables with random cards, and where the cards are."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from models.drawing.arms import dress_of, upright_arm
from models.drawing.arts import BORDERS, draw_art, random_look
from models.drawing.backs import repeating_back
from models.drawing.faces import draw_back, draw_face, random_design, twin
from models.drawing.hands import draw_hand
from models.drawing.scene import Laid, Light, expose, lay, put, random_light, visible_parts
from models.drawing.tables import draw_table
from models.drawing.tabletops import draw_hard_table
from models.drawing.things import draw_card_like, draw_thing, thing_layer
from models.training.layouts import View, held_fan, lay_out

LABELLED = 0.22  # a card of which less can be seen is not asked for
FACE = 224  # px, the height of a drawn face
BY_KIND = 0.62  # decks drawn by kind of art; the others are decks of near twins
ART_PARTS = {"line": 0.46, "bold": 0.08, "photo": 0.12, "trading": 0.2, "plain": 0.14}
HARD_TABLES = 0.45
HARD_LIGHT = 0.5  # pictures with a light in which edges are thin: over-exposed, dim, faint shadows
NEAR = 0.35  # pictures taken from near: cards of 0.25 to 0.8 of the picture's side
VIGNETTE = 0.25  # pictures that are darker in the corners
CARD_LIKE = 0.25  # of the things
REPEATING = 0.35  # backs of the decks by kind that repeat a small pattern
HELD = 0.22  # pictures with a fan of cards that a hand holds
ARMS, PALM, ELBOW = 5, 64.0, 0.1  # of a bank; px, the drawn hands' breadth; arms without a hand
ROUND = 0.5  # hands of the pictures that come from the bank, with shading and patterned sleeves
SCALLOPED = 0.12  # decks by kind whose cards are cut like bubbles, beside those by chance
ALIKE = 0.12  # pictures whose table is as bright and of the tint as a card's rim


@dataclass(frozen=True, slots=True)
class Bank:
    """Drawn cards and tables to choose from, so that a picture costs milliseconds."""

    decks: tuple[tuple[np.ndarray, ...], ...]
    backs: tuple[np.ndarray, ...]
    tables: tuple[np.ndarray, ...]
    arms: tuple[np.ndarray, ...] = ()


def make_bank(rng: np.random.Generator, decks: int, tables: int, size: int) -> Bank:
    """Draws `decks` decks of six faces with a back each, and `tables` tables of 1.5 × `size` px."""
    all_faces, backs = [], []
    for _ in range(decks):
        design = random_design(rng)
        by_kind = rng.random() < BY_KIND
        if by_kind:
            faces = _faces_by_kind(rng)
        else:
            designs = [design] + [twin(twin(design, rng), rng) for _ in range(5)]
            faces = tuple(draw_face(d, FACE) for d in designs)
        all_faces.append(faces)
        backs.append(_back(rng, design, faces[0].shape[0] / faces[0].shape[1], by_kind))
    big = round(size * 1.5)
    tops = (
        draw_hard_table(rng, big) if rng.random() < HARD_TABLES else draw_table(rng, big, big)
        for _ in range(tables)
    )
    return Bank(tuple(all_faces), tuple(backs), tuple(tops), tuple(_arms(rng)))


def _arms(rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Arms that point up, (H, W, 4) uint8 BGRA, some in sleeves with a pattern."""
    for _ in range(ARMS):
        sleeves = int(rng.integers(1, 1 << 30)) if rng.random() < 0.7 else 0
        dress = dress_of(int(rng.integers(1, 11)), sleeves)
        arm = upright_arm(dress, PALM, rng.random() < ELBOW).astype(np.float32)
        arm[..., :3] *= 255 / np.maximum(arm[..., 3:], 1)
        yield np.clip(arm, 0, 255).astype(np.uint8)


def _faces_by_kind(rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Six faces of one look; often each on paper of its own tint."""
    art = str(rng.choice(list(ART_PARTS), p=list(ART_PARTS.values())))
    borders = {"line": (0.8, 0.12, 0.08), "trading": (0.15, 0.2, 0.65), "plain": (0.7, 0.15, 0.15)}
    border = str(rng.choice(BORDERS, p=borders.get(art, (0.35, 0.3, 0.35))))
    looks = [random_look(rng, art, border, "bubble" if rng.random() < SCALLOPED else "")]
    looks += [looks[0]] * 5
    if rng.random() < 0.5:
        tints = [random_look(rng, art, border) for _ in range(6)]
        looks = [
            replace(looks[0], paper=t.paper, ink=t.ink, frame=t.frame, edge=t.edge) for t in tints
        ]
    return tuple(draw_art(rng, look, FACE) for look in looks)


def _back(rng: np.random.Generator, design: Any, aspect: float, by_kind: bool) -> np.ndarray:
    """A back; that of a deck by kind has its shape, and is plain or dark at times."""
    if not by_kind:
        return draw_back(rng, design, FACE)
    if rng.random() < REPEATING:
        return repeating_back(rng, FACE, round(FACE / aspect))
    if rng.random() < 0.3:
        look = random_look(rng, "plain", str(rng.choice(BORDERS)), "card")
        return draw_art(rng, replace(look, aspect=aspect), FACE)
    return draw_back(rng, replace(design, aspect=aspect, outline="card"), FACE)


def draw_training_picture(
    rng: np.random.Generator, bank: Bank, size: int
) -> tuple[np.ndarray, np.ndarray]:
    """One picture (size, size, 3) uint8 and the quads (N, 4, 2) px of the cards to be found."""
    length = float(np.exp(rng.uniform(np.log(0.055 * size), np.log(0.6 * size))))
    if rng.random() < NEAR:
        length = float(rng.uniform(0.25, 0.8)) * size
    picture, quads, seen = draw_scene(rng, bank, size, length)
    return picture, quads[seen >= LABELLED]


def draw_scene(
    rng: np.random.Generator, bank: Bank, size: int, length: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A picture (size, size, 3) uint8 of cards `length` px long, the quads (N, 4, 2) px of all its
    cards and the part of each that can be seen (N,)."""
    table = bank.tables[rng.integers(len(bank.tables))]
    off = rng.integers(0, table.shape[0] - size + 1, 2)
    picture = table[off[0] : off[0] + size, off[1] : off[1] + size]
    picture = np.ascontiguousarray(np.rot90(picture, int(rng.integers(4))))
    light = random_light(rng, length)
    if rng.random() < HARD_LIGHT:
        light = hard_light(rng, light, length)
    deck = int(rng.integers(len(bank.decks)))
    if rng.random() < ALIKE:
        picture = alike(rng, picture, bank.decks[deck][0])
    for _ in range(int(rng.choice([0, 0, 1, 1, 2, 2, 3]))):
        draw = draw_card_like if rng.random() < CARD_LIKE else draw_thing
        draw(rng, picture, rng.uniform(0, size, 2), length * rng.uniform(0.7, 1.2))
    cards = lay_out(rng, bank.decks, bank.backs, deck, size, length)
    scene = picture.astype(np.float32)
    for card in cards:
        lay(scene, card, light, float(rng.uniform(0.7, 1.6)))
    cover = np.zeros((size, size), bool)
    if bank.arms and rng.random() < HELD:
        cards += _hold_fan(rng, scene, cover, bank, deck, light, length)
    _cover(rng, scene, cover, cards, bank, light, length)
    if rng.random() < VIGNETTE:
        scene *= _vignette(rng, size)
    picture = expose(scene, light, rng)
    if rng.random() < 0.04:
        picture = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    if not cards:
        return picture, np.zeros((0, 4, 2), np.float32), np.zeros(0)
    quads = np.stack([c.quad for c in cards]).astype(np.float32)
    return picture, quads, visible_parts(quads, (size, size), cover)


def _hold_fan(
    rng: np.random.Generator, scene: np.ndarray, cover: np.ndarray, bank: Bank, deck: int,
    light: Light, length: float,
) -> list[Laid]:  # fmt: skip
    """Draws a fan of cards in a hand over the scene, in place; marks the hand in `cover`."""
    size = len(scene)
    view = View(size, min(length, size / 3), np.zeros(2), 0.0)
    cards, at, away = held_fan(rng, bank.decks[deck], bank.backs[deck], view)
    for card in cards:
        lay(scene, card, light, float(rng.uniform(1.0, 3.0)))
    tip = at - away * view.length * rng.uniform(-0.1, 0.35)
    _put_hand(rng, scene, cover, bank, tip, away, view.length * rng.uniform(0.5, 0.8), light)
    return cards


def _cover(
    rng: np.random.Generator, scene: np.ndarray, cover: np.ndarray, cards: list[Laid], bank: Bank,
    light: Light, length: float,
) -> None:  # fmt: skip
    """Draws hands, seldom a thing, over the cards, in place; marks what they hide in `cover`."""
    size = len(scene)
    for _ in range(int(rng.choice([0, 0, 0, 1, 2]))):
        tip = (
            rng.uniform(0, size, 2)
            if not cards
            else cards[rng.integers(len(cards))].quad.mean(0) + rng.normal(0, length * 0.4, 2)
        )
        angle = rng.uniform(0, 2 * np.pi)
        away = np.array([np.cos(angle), np.sin(angle)])
        palm = length * rng.uniform(0.7, 1.1)
        _put_hand(rng, scene, cover, bank, np.asarray(tip), away, palm, light)
    if cards and rng.random() < 0.12:  # something was laid on a card
        under = cards[int(rng.integers(len(cards)))].quad.mean(0)
        layer = thing_layer(rng, size, under + rng.normal(0, length * 0.7, 2), length)
        put(scene, layer, light, length * 0.05)
        cover |= layer[..., 3] > 127


def _put_hand(
    rng: np.random.Generator, scene: np.ndarray, cover: np.ndarray, bank: Bank, tip: np.ndarray,
    away: np.ndarray, palm: float, light: Light,
) -> None:  # fmt: skip
    """Draws a hand over the scene, in place, and marks it in `cover`."""
    hand = _hand(rng, bank, len(scene), tip, away, palm)
    put(scene, hand, light, palm * 0.17)
    cover |= hand[..., 3] > 127


def _hand(
    rng: np.random.Generator, bank: Bank, size: int, tip: np.ndarray, away: np.ndarray, palm: float
) -> np.ndarray:
    """A hand whose fingers end at `tip` (x, y) px, its arm towards the unit vector `away`; `palm`:
    its breadth, px. (size, size, 4) uint8 BGRA."""
    if not bank.arms or rng.random() >= ROUND:
        tip, away = tip.astype(np.float32), away.astype(np.float32)
        return draw_hand((size, size), tip, away, palm, rng)
    arm = bank.arms[rng.integers(len(bank.arms))]
    turn = np.array([[away[1], away[0]], [-away[0], away[1]]]) * (palm / PALM)
    start = np.array([arm.shape[1] / 2, PALM / 2])
    matrix = np.hstack([turn, (tip - turn @ start)[:, None]])
    return cv2.warpAffine(arm, matrix, (size, size), flags=cv2.INTER_AREA)


def hard_light(rng: np.random.Generator, light: Light, length: float) -> Light:
    """That light with thin and faint shadows, over-exposed, dim, or of a strong tint."""
    angle, reach = rng.uniform(0, 2 * np.pi), length * rng.uniform(0.002, 0.014)
    light = replace(
        light,
        shadow=(float(np.cos(angle) * reach), float(np.sin(angle) * reach)),
        shadow_depth=float(rng.uniform(0.06, 0.5)),
    )
    kind = rng.random()
    if kind < 0.35:
        light = replace(light, gain=float(rng.uniform(1.0, 1.5)), noise=min(light.noise, 4.0))
    elif kind < 0.5:
        light = replace(light, gain=float(rng.uniform(0.25, 0.5)))
    elif kind < 0.7:
        at = rng.uniform(-1, 1, 2)
        glare = (float(at[0]), float(at[1]), float(rng.uniform(0.08, 0.4)), rng.uniform(120, 260))
        light = replace(light, glare=glare)
    if rng.random() < 0.35:
        blue, green = rng.normal(0, 0.16), rng.normal(0, 0.05)
        light = replace(light, tint=(float(1 + blue), float(1 + green), float(1 - blue)))
    return light


def alike(rng: np.random.Generator, table: np.ndarray, face: np.ndarray) -> np.ndarray:
    """The table in the tone of the card's rim, a little lighter or darker, its pattern fainter."""
    h, w = face.shape[:2]
    rim = np.concatenate([face[h // 2, 3:9, :3], face[h // 2, w - 9 : w - 3, :3]]).mean(0)
    tone = rim * rng.uniform(0.72, 1.08) + rng.normal(0, 5, 3)
    faint = (table.astype(np.float32) - table.mean((0, 1))) * rng.uniform(0.05, 0.6)
    return np.clip(faint + tone, 0, 255).astype(np.uint8)


def _vignette(rng: np.random.Generator, size: int) -> np.ndarray:
    """How much of the light reaches each pixel, (size, size, 1)."""
    at = np.linspace(-1, 1, size, dtype=np.float32) ** 2
    return (1 - rng.uniform(0.08, 0.3) * (at[:, None] + at[None]))[..., None]
