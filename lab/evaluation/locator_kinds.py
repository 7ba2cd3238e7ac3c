"""How well the locator alone finds cards: recall and precision by art, border, contrast and length.

`python -m lab.evaluation.locator_kinds` draws a set that no training saw and writes the table;
with `--set FOLDER` it measures pictures with known truth instead.
"""

import argparse
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np

from models.drawing.arts import ARTS, BORDERS, draw_art, random_look
from models.drawing.tables import draw_table
from models.drawing.tabletops import draw_hard_table
from models.training.tables import Bank, draw_scene
from models.weights import LOCATOR
from vision.networks.locator import SCORE, Locator
from vision.nms import SAME_CARD, suppress

SEED = 970_001  # of the drawn set; training counts from far below
SIDE, FRAME = 832, (832, 512)  # px: drawn square, cut to a camera's shape (W, H)
LENGTHS = ((40, 60), (60, 90), (90, 140), (140, 220))  # px of an input of 416
CONTRASTS = ((12, "faint"), (40, "low"), (256, "high"))  # grey levels across the card's edge
SEEN = 0.7  # a card of which less can be seen is not asked for
SAME = 0.5  # IoU of a find with its card
TOUCHED = 0.5  # a find of which so much lies on a card that is not asked for is not counted
FACE = 480  # px, the height of a drawn face

Finder = Callable[[np.ndarray], np.ndarray]  # a picture's finds (N, 4, 2) px, the surest first


@dataclass(frozen=True, slots=True)
class Card:
    """A true card: its quad (4, 2) px, the part that can be seen, and the groups it counts in.
    `is_box`: the quad is an upright box about the card."""

    quad: np.ndarray
    seen: float
    groups: tuple[str, ...] = ()
    is_box: bool = False


@dataclass(slots=True)
class Counts:
    """Cards asked for, found, and finds that are no card."""

    cards: int = 0
    found: int = 0
    false: int = 0
    has_false: bool = False  # whether finds that are no card are counted in this group

    def row(self) -> str:
        """Recall and precision in words."""
        recall = self.found / self.cards if self.cards else float("nan")
        precision = f"{self.found / max(1, self.found + self.false):10.3f}"
        return f"{self.cards:6d} {recall:8.3f} {precision if self.has_false else '':>10s}"


@dataclass(slots=True)
class Report:
    """Counts of all pictures and of each group."""

    groups: dict[str, Counts] = field(default_factory=dict)

    def add(self, finds: np.ndarray, cards: list[Card], notes: tuple[str, ...] = ()) -> None:
        """Takes in one picture; `notes` are the groups that its false finds count in."""
        is_found, false = judge(finds, cards)
        for name in ("all", *notes):
            counts = self.groups.setdefault(name, Counts())
            counts.false += false
            counts.has_false = True
        for card, hit in zip(cards, is_found, strict=True):
            if card.seen < SEEN:
                continue
            for name in ("all", *card.groups):
                counts = self.groups.setdefault(name, Counts())
                counts.cards += 1
                counts.found += bool(hit)

    def table(self) -> str:
        """A line for each group."""
        lines = [f"{'':28s}{'cards':>6s} {'recall':>8s} {'precision':>10s}"]
        for name in sorted(self.groups, key=lambda x: (x != "all", x)):
            lines.append(f"{name:28s}{self.groups[name].row()}")
        return "\n".join(lines)


def judge(finds: np.ndarray, cards: list[Card]) -> tuple[np.ndarray, int]:
    """Which cards (N,) are found, each find for one card, and how many finds are no card."""
    is_found, false = np.zeros(len(cards), bool), 0
    for find in finds:
        shares = [_shares(find, card) for card in cards]
        left = [0.0 if hit else iou for (iou, _), hit in zip(shares, is_found, strict=True)]
        best = int(np.argmax(left)) if cards else 0
        if cards and left[best] >= SAME:
            is_found[best] = True
        elif not any(
            part >= TOUCHED and card.seen < SEEN
            for (_, part), card in zip(shares, cards, strict=True)
        ):
            false += 1
    return is_found, false


def _shares(find: np.ndarray, card: Card) -> tuple[float, float]:
    """The IoU of a find with a card, and the part of the find that lies on it."""
    a, b = find.astype(np.float32), card.quad.astype(np.float32)
    if card.is_box:
        (x0, y0), (x1, y1) = a.min(0), a.max(0)
        a = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)
    mine, its = cv2.convexHull(a), cv2.convexHull(b)
    shared = cv2.intersectConvexConvex(mine, its)[0]
    whole = max(1e-6, cv2.contourArea(mine))
    return shared / (whole + cv2.contourArea(its) - shared), shared / whole


def finder(weights: Path, sides: tuple[int, ...], score: float = SCORE, threads: int = 1) -> Finder:
    """The locator at each of the input sizes; of cards found twice the surer one stays."""
    locator = Locator(weights, threads)

    def find(bgr: np.ndarray) -> np.ndarray:
        seen = [locator.locate(bgr, side, score) for side in sides]
        quads = np.concatenate([one.quads for one in seen])
        scores = np.concatenate([one.scores for one in seen])
        quads = quads[np.argsort(-scores, kind="stable")]
        return quads if len(sides) == 1 else quads[suppress(quads, SAME_CARD.box)]

    return find


def draw_set(seed: int, each: int) -> Iterator[tuple[np.ndarray, list[Card], tuple[str, ...]]]:
    """Pictures, cards and notes: `each` pictures of every art, border and length."""
    kinds = [(a, b, n) for a in ARTS for b in BORDERS for n in range(len(LENGTHS))]
    for k in range(each * len(kinds)):
        art, border, size = kinds[k % len(kinds)]
        rng = np.random.default_rng([seed, k])
        yield _draw_one(rng, art, border, LENGTHS[size])


def _draw_one(
    rng: np.random.Generator, art: str, border: str, lengths: tuple[int, int]
) -> tuple[np.ndarray, list[Card], tuple[str, ...]]:
    looks = [random_look(rng, art, border)] * 6
    if rng.random() < 0.5:
        tints = [random_look(rng, art, border) for _ in range(6)]
        looks = [replace(looks[0], paper=t.paper, ink=t.ink, frame=t.frame) for t in tints]
    faces = tuple(draw_art(rng, look, FACE) for look in looks)
    big = round(SIDE * 1.25)
    top = draw_hard_table(rng, big) if rng.random() < 0.5 else draw_table(rng, big, big)
    length = rng.uniform(*lengths) * SIDE / 416
    picture, quads, seen = draw_scene(rng, Bank((faces,), (faces[0],), (top,)), SIDE, length)
    above = (SIDE - FRAME[1]) // 2
    frame = np.array([[0, 0], [FRAME[0], 0], FRAME, [0, FRAME[1]]], np.float32)
    cut = np.ascontiguousarray(picture[above : above + FRAME[1]])
    bounds = f"{lengths[0]:3d} to {lengths[1]} px"
    notes = (f"art {art}", f"border {border}", f"length {bounds}", f"{art}, border {border}")
    cards = []
    for quad, part in zip(quads - np.array([0, above], np.float32), seen, strict=True):
        inside, _ = cv2.intersectConvexConvex(quad, frame)
        whole = inside / max(1.0, cv2.contourArea(quad))
        groups = (*notes, f"{art}, {bounds}", f"contrast {contrast(cut, quad)}")
        cards.append(Card(quad, float(part * whole), groups))
    return cut, cards, notes


def contrast(bgr: np.ndarray, quad: np.ndarray) -> str:
    """How far the card stands out: the median step in grey across its edge, as a word."""
    grey = cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY).astype(np.float32)
    along = np.linspace(0.1, 0.9, 9)[:, None]
    edge = np.concatenate(
        [a + (b - a) * along for a, b in zip(quad, np.roll(quad, -1, 0), strict=True)]
    )
    middle = quad.mean(0)
    top = np.array(grey.shape[::-1]) - 1

    def at(by: float) -> np.ndarray:
        x, y = np.clip(np.round((edge - middle) * by + middle), 0, top).astype(int).T
        return grey[y, x]

    steps = [np.abs(at(inner) - at(outer)) for inner, outer in ((0.93, 1.07), (0.9, 1.1))]
    median = float(np.median(steps))
    return next(word for limit, word in CONTRASTS if median < limit)


def read_set(folder: Path) -> Iterator[tuple[np.ndarray, list[Card], tuple[str, ...]]]:
    """Pictures with `truth.json` (quads) or `labels.json` (quads or upright boxes) beside them."""
    is_stills = (folder / "truth.json").is_file()
    for entry in json.loads((folder / ("truth.json" if is_stills else "labels.json")).read_text()):
        names = (folder / entry["image"], folder / "images" / Path(entry["image"]).name)
        bgr = cv2.imread(str(next((n for n in names if n.is_file()), names[0])))
        if bgr is None:
            raise FileNotFoundError(f"no picture that can be read at {names[0]}")
        cards = []
        for card in entry["cards"]:
            if "quad" in card:
                cards.append(Card(np.array(card["quad"], np.float32), card.get("visible", 1.0)))
            else:
                x0, y0, x1, y1 = card["box"]
                box = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)
                cards.append(Card(box, 1.0, is_box=True))
        yield bgr, cards, ()


def measure(
    find: Finder, pictures: Iterable[tuple[np.ndarray, list[Card], tuple[str, ...]]]
) -> Report:
    """The report over all pictures."""
    report = Report()
    for bgr, cards, notes in pictures:
        report.add(find(bgr), cards, notes)
    return report


def main(words: list[str] | None = None) -> int:
    """The command: prints the table, and writes it to `--out` if given."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, default=LOCATOR)
    parser.add_argument("--sides", type=int, nargs="+", default=[416], help="input sizes, px")
    parser.add_argument("--score", type=float, default=SCORE)
    parser.add_argument("--each", type=int, default=4, help="drawn pictures of a kind")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--set", type=Path, help="a folder with truth.json or labels.json")
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args(words)
    pictures = read_set(chosen.set) if chosen.set else draw_set(chosen.seed, chosen.each)
    find = finder(chosen.weights, tuple(chosen.sides), chosen.score)
    text = measure(find, pictures).table()
    print(text)
    if chosen.out:
        chosen.out.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
