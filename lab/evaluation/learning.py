"""A deck that learns at one table, then plays at another: does it help, and can a wrong name harm?

Each drawn deck is taught by one careless picture a face. At table A its cards lie bare, in one
light; those whose names are sure are offered to the deck as play offers them. In a next game at
the same table, and in one at table B in another light, cards bare and half covered are named
without and with what was learned. Then every card of table A is offered under the name of its
nearest look-alike.
"""

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np

from calibration.deck import teach
from calibration.deck.learning import Lessons, Seen
from lab.evaluation.drawn_kinds import KINDS, draw_kind_deck
from lab.evaluation.sets import DrawnDeck, draw_deck
from models.crop import rectangle
from models.deck import Deck, Face
from models.drawing.scene import Laid, Light, expose, lay, random_light
from models.drawing.tables import draw_table
from models.drawing.tabletops import draw_hard_table
from models.gallery import Gallery
from models.learned import Learned, Origin
from models.training.tables import hard_light
from vision.frame import Image
from vision.geometry import Quad
from vision.networks.embedder import Embedder
from vision.recognition.namer import Namer
from vision.sightings import BACK, NOTHING, UNKNOWN, Named

SIZE = (960, 540)  # px W × H of a frame
FIRST, NEXT = (70.0, 140.0), (60.0, 120.0)  # px, the cards' length at table A and B
SURE = 0.97  # of a name at table A, as play asks
OFF = 0.02  # of a card's length, by which a box is off its corners
MOST_FAULTS = 8  # pictures that are kept
TABLES, WHAT = ("same table", "another table"), ("without", "with")


@dataclass(slots=True)
class Names:
    """How cards were named."""

    right: int = 0
    wrong: int = 0
    unknown: int = 0

    def add(self, face: str, true: str) -> None:
        """Counts one card."""
        self.right += face == true
        self.unknown += face in (UNKNOWN, NOTHING)
        self.wrong += face not in (true, UNKNOWN, NOTHING)


@dataclass(slots=True)
class Result:
    """Names by table, kind of card, and without or with what was learned; how many pictures were
    offered, wrongly named ones among them, and learned; the same of names that were forced; the
    processor time (s) of all names; cards whose name is right only without (`lost`) or only with
    (`won`) what was learned; and pictures of the former."""

    names: dict[str, Names] = field(default_factory=dict)
    offered: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    spent: dict[str, float] = field(default_factory=lambda: dict.fromkeys(WHAT, 0.0))
    lost: int = 0
    won: int = 0
    faults: list[tuple[str, Image]] = field(default_factory=list)


@dataclass(frozen=True, slots=True, eq=False)
class Room:
    """A table, its light, the camera's tilt, and the cards' length in px."""

    top: Image
    light: Light
    tilt: np.ndarray
    length: float


def learning(seed: int, decks: int = 12, threads: int = 2, first: int = 0) -> Result:
    """The trial of so many drawn decks, half of them of near twins, from number `first` on."""
    embedder, result = Embedder(threads=threads), Result()
    for number in range(first, first + decks):
        rng = np.random.default_rng([seed, 91, number])
        if number % 2:
            drawn = draw_deck(rng, 10)
        else:
            drawn = draw_kind_deck(rng, *KINDS[int(rng.integers(len(KINDS)))])
        _try_deck(rng, drawn, embedder, result, f"deck-{number:02d}")
    return result


def _try_deck(
    rng: np.random.Generator, drawn: DrawnDeck, embedder: Embedder, result: Result, label: str
) -> None:
    art = {face: _careless(rng, look) for face, look in drawn.faces.items()}
    taught = teach.build_gallery(
        [teach.picture_of_art(face, look) for face, look in art.items()], embedder
    )
    faces = tuple(Face(name) for name in drawn.faces if name != BACK)
    deck = Deck(label, "", 63.0, 63.0 * drawn.aspect, drawn.outline, faces, BACK, Path(label))
    before = Namer(taught, drawn.outline, drawn.aspect, embedder)
    rooms = [_room(rng, length) for length in (FIRST, NEXT)]
    seen = [one for k in range(2) for one in _seen(rng, drawn, rooms[0], before, k)]
    lessons = Lessons(deck, taught, embedder)
    learned = lessons.chosen([one for one, _ in seen], None)
    truths = {one.origin: true for one, true in seen}
    _count_learned(result, seen, learned, truths)
    result.refused += lessons.refused
    _force(result, deck, taught, embedder, seen)
    known = learned.agreeing(taught) if learned is not None else None
    after = Namer(taught, drawn.outline, drawn.aspect, embedder, learned=known)
    for table, room in zip(TABLES, rooms, strict=True):
        for is_covered in (False, True):
            bgr, cards = _picture(rng, drawn, room, is_covered=is_covered)
            kind = f"{table}, {'half covered' if is_covered else 'bare'}"
            if _compare(result, kind, cards, _named(result, rng, bgr, cards, (before, after))):
                result.faults = [*result.faults, (f"{label}, {kind}", bgr)][:MOST_FAULTS]


def _named(
    result: Result, rng: np.random.Generator, bgr: Image, cards: list[tuple[str, Quad]],
    namers: tuple[Namer, Namer],
) -> list[Named]:  # fmt: skip
    """The names of the cards without and with what was learned, and the time that they cost."""
    quads, found = _boxes(rng, cards), []
    for what, namer in zip(WHAT, namers, strict=True):
        began = time.process_time()
        found.append(namer.name(bgr, quads))
        result.spent[what] += time.process_time() - began
    return found


def _count_learned(
    result: Result, seen: list[tuple[Seen, str]], learned: Learned | None, truths: dict[Origin, str]
) -> None:
    result.offered["offered"] += len(seen)
    result.offered["offered wrongly"] += sum(one.face != true for one, true in seen)
    if learned is not None:
        faces = zip(learned.gallery.faces, learned.origins, strict=True)
        result.offered["learned"] += len(learned.origins)
        result.offered["learned wrongly"] += sum(face != truths[one] for face, one in faces)


def _force(
    result: Result, deck: Deck, taught: Gallery, embedder: Embedder, seen: list[tuple[Seen, str]]
) -> None:
    """Offers each card under the name of the face that its own face is most like."""
    alike = taught.vectors @ taught.vectors.T
    forced = []
    for one, true in seen:
        if true not in taught.faces or true == BACK:
            continue
        row = alike[taught.faces.index(true)].copy()
        row[[name in (true, BACK) for name in taught.faces]] = -2.0
        forced.append(replace(one, face=taught.faces[int(row.argmax())]))
    entered = Lessons(deck, taught, embedder).chosen(forced, None)
    result.offered["forced"] += len(forced)
    result.offered["forced and learned"] += len(entered.origins) if entered is not None else 0


def _compare(result: Result, kind: str, cards: list[tuple[str, Quad]], named: list[Named]) -> bool:
    """Counts the names of one picture; whether one that was right is right no more."""
    lost = 0
    for (true, _), then, now in zip(cards, *(each.faces for each in named), strict=True):
        for what, face in zip(WHAT, (then, now), strict=True):
            result.names.setdefault(f"{kind}, {what}", Names()).add(face, true)
        lost += then == true != now
        result.won += then != true == now
    result.lost += lost
    return lost > 0


def _seen(
    rng: np.random.Generator, drawn: DrawnDeck, room: Room, namer: Namer, number: int
) -> Iterator[tuple[Seen, str]]:
    """The cards of one picture whose names are sure, and what they are."""
    bgr, cards = _picture(rng, drawn, room, is_covered=False)
    named = namer.name(bgr, _boxes(rng, cards))
    for k, (true, _) in enumerate(cards):
        face, sure = named.faces[k], float(named.confidences[k])
        if face not in (UNKNOWN, NOTHING, BACK) and sure >= SURE:
            at = float(100 * number + k)
            origin = Origin(at, "", 0, 0, "", 0, sure, float(bgr.mean()))
            yield Seen(face, bgr, named.quads[k], origin), true


def _boxes(rng: np.random.Generator, cards: list[tuple[str, Quad]]) -> np.ndarray:
    """Quads (N, 4, 2) as a locator gives them, a little off."""
    quads = np.stack([quad for _, quad in cards])
    lengths = np.linalg.norm(quads[:, 3] - quads[:, 0], axis=1)
    return (quads + rng.normal(0, OFF, quads.shape) * lengths[:, None, None]).astype(np.float32)


def _careless(rng: np.random.Generator, art: Image) -> Image:
    """A face (H, W, 4) as a careless photograph shows it: dim or bright, tinted, blurred, glaring,
    compressed by a messenger, its corners off by .8 % of its height."""
    h, w = art.shape[:2]
    light = random_light(rng, h)
    if rng.random() < 0.4:
        light = hard_light(rng, light, h)
    light = replace(
        light, blur_px=float(rng.uniform(1, 5)), motion_px=(0.0, 0.0),
        gain=float(np.clip(light.gain, 0.35, 1.25)), jpeg=int(rng.integers(25, 70)),
    )  # fmt: skip
    seen = np.dstack([expose(art[..., :3].astype(np.float32), light, rng), art[..., 3]])
    corners = rectangle(w, h)
    off = corners + rng.normal(0, 0.008 * h, (4, 2)).astype(np.float32)
    to = cv2.getPerspectiveTransform(corners, off)
    bent = cv2.warpPerspective(seen, to, (w, h), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(bent, np.uint8)


def _room(rng: np.random.Generator, lengths: tuple[float, float]) -> Room:
    w, h = SIZE
    length = float(np.exp(rng.uniform(*np.log(lengths))))
    is_hard = rng.random() < 0.5
    top = draw_hard_table(rng, w)[:h] if is_hard else draw_table(rng, h, w)
    light = random_light(rng, length)
    if rng.random() < 0.5:
        light = hard_light(rng, light, length)
    tilt = rng.uniform(0, 0.35, 2) * rng.choice([-1, 1], 2)
    return Room(top.copy(), replace(light, gain=min(light.gain, 1.1)), tilt, length)


def _picture(
    rng: np.random.Generator, drawn: DrawnDeck, room: Room, *, is_covered: bool
) -> tuple[Image, list[tuple[str, Quad]]]:
    """All faces at once, each at a place of its own; half of the covered ones under another."""
    w, h = SIZE
    scene = room.top.astype(np.float32)
    pitch = max(room.length, 70.0) * 1.35
    columns, rows = int(w * 0.8 / pitch), int(h * 0.8 / pitch)
    places = rng.permutation([(x, y) for x in range(columns) for y in range(rows)])
    cards = []
    for face, (x, y) in zip(rng.permutation(list(drawn.faces)), places, strict=False):
        at = np.array([w / 2 + (x - (columns - 1) / 2) * pitch,
                       h / 2 + (y - (rows - 1) / 2) * pitch])  # fmt: skip
        quad = _quad(rng, drawn.aspect, room, at)
        lay(scene, Laid(drawn.faces[str(face)], quad), room.light)
        if is_covered and rng.random() < 0.5:
            way = rng.uniform(0, 2 * np.pi)
            over = at + 0.62 * room.length * np.array([np.cos(way), np.sin(way)])
            other = list(drawn.faces)[int(rng.integers(len(drawn.faces)))]
            lay(scene, Laid(drawn.faces[other], _quad(rng, drawn.aspect, room, over)), room.light)
        cards.append((str(face), quad))
    return expose(scene, room.light, rng), cards


def _quad(rng: np.random.Generator, aspect: float, room: Room, at: np.ndarray) -> Quad:
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / [aspect, 1.0] * room.length / 2
    angle, middle = rng.uniform(0, 2 * np.pi), np.array(SIZE) / 2
    c, s = np.cos(angle), np.sin(angle)
    p = (half @ np.array([[c, s], [-s, c]]) + at - middle) / middle[0]
    p = p / (1 + 0.5 * (p @ room.tilt))[:, None]
    return (p * middle[0] + middle).astype(np.float32)


def section(result: Result, command: str, machine: str) -> str:
    """The trial's tables."""
    offered = result.offered
    lines = [
        f"Decks that learn at a table. `{command}` on {machine}.", "",
        "| next game, cards, learned pictures | cards | right | wrong | unknown |",
        "|" + "---|" * 5,
    ]  # fmt: skip
    for what, one in result.names.items():
        count = max(1, one.right + one.wrong + one.unknown)
        lines.append(
            f"| {what} | {count} | {one.right} ({one.right / count:.1%}) | {one.wrong} "
            f"({one.wrong / count:.1%}) | {one.unknown} |"
        )
    why = ", ".join(f"{reason} {n}" for reason, n in result.refused.most_common()) or "none"
    lines += [
        "",
        f"Right only with what was learned: {result.won}; right only without: {result.lost}. "
        f"Processor time of all names: {result.spent['without']:.1f} s without, "
        f"{result.spent['with']:.1f} s with.",
        f"Of {offered['offered']} cards offered ({offered['offered wrongly']} under a wrong name) "
        f"{offered['learned']} were learned ({offered['learned wrongly']} wrongly).",
        f"Refused: {why}.",
        f"Of {offered['forced']} cards offered under the name of their nearest look-alike "
        f"{offered['forced and learned']} were learned.",
    ]
    return "\n".join(lines) + "\n"


def write_faults(result: Result, folder: Path) -> Iterator[Path]:
    """Writes the pictures in which a name that was right is right no more; yields their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, bgr in result.faults:
        path = folder / f"{name}.png"
        cv2.imwrite(str(path), bgr)
        yield path
