"""Speed of vision: the locator alone, and the whole pipeline on a table at rest."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import cv2
import numpy as np

from calibration.deck import teach
from models.deck import load_deck
from models.drawing.raster import face_picture
from models.drawing.scene import Laid, Light, expose, lay
from models.drawing.tables import draw_table
from models.weights import LOCATOR
from rules.games import game
from rules.table.layout import SIDES
from vision.frame import Frame
from vision.networks.embedder import Embedder
from vision.networks.engine import Engine
from vision.networks.locator import LONG_SIDE, VERSION, Locator, prepare
from vision.recognition.eyes import Eyes
from vision.recognition.namer import Namer
from vision.scene.places import GamePlaces
from vision.scene.watcher import Watcher
from vision.sightings import Named

SIZE = (1280, 720)
RATE = 15.0
KNOWN_S = 3.0  # the table's first seconds, in which every card is new
NANO_SIDE = 640  # px
PASSES = 8  # of the table that comes into view


def table_at_rest(seed: int = 3) -> tuple[np.ndarray, dict[int, Eyes]]:
    """A drawn table with the seven cards of Suds, (720, 1280, 3), and eyes for that deck.

    The eyes by number of threads: one and two.
    """
    rng = np.random.default_rng(seed)
    deck = load_deck("suds")
    scene = draw_table(rng, SIZE[1], SIZE[0], "felt").astype(np.float32)
    light = Light(noise=2.0)
    for i, face in enumerate(deck.names):
        art = face_picture(deck, face, 320)
        half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * art.shape[1::-1] / art.shape[0]
        angle = rng.uniform(0, 2 * np.pi)
        c, s = np.cos(angle), np.sin(angle)
        centre = [180 + 300 * (i % 4), 190 + 330 * (i // 4)]
        quad = half * 65 @ np.array([[c, s], [-s, c]]) + centre
        lay(scene, Laid(art, quad.astype(np.float32)), light)
    made = {}
    for threads in (1, 2):
        embedder = Embedder(threads=threads)
        gallery = teach.build_gallery(teach.pictures_of_deck(deck), embedder)
        namer = Namer(gallery, deck.outline, deck.height_mm / deck.width_mm, embedder)
        made[threads] = Eyes(Locator(threads=threads), namer)
    return expose(scene, light, rng), made


def milliseconds(*works: Callable[[], object], times: int = 30) -> list[float]:
    """The median time of each work, ms.

    The works take turns, so that other load slows all of them alike. Each runs three times; the
    first does not count.
    """
    spent: list[list[float]] = [[] for _ in works]
    for _ in range(times // 2):
        for work, times_of_it in zip(works, spent, strict=True):
            work()
            for _ in range(2):
                began = time.perf_counter()
                work()
                times_of_it.append(time.perf_counter() - began)
    return [float(np.median(one)) * 1000 for one in spent]


@dataclass(frozen=True, slots=True)
class Pipeline:
    """The median time of a frame without judging, ms.

    `at_rest`: a table at rest. `new`: all cards are new, a few are named per frame. `see`: one
    picture, all cards named at once. `other`: another work in the same minute.
    """

    at_rest: float
    new: float
    see: float
    other: float


def pipeline(bgr: np.ndarray, eyes: Eyes, other: Callable[[], object]) -> Pipeline:
    """Watches a table with cards come into view until it is at rest, several times.

    The `other` work runs in between.
    """
    named = [0]

    def name(
        bgr: np.ndarray, quads: np.ndarray, quick: bool = False, known: np.ndarray | None = None
    ) -> Named:
        named[0] += len(quads)
        return eyes.name(bgr, quads, quick, known)

    (see,) = milliseconds(lambda: eyes.see(bgr), times=4)
    resting: list[float] = []
    busy: list[float] = []
    others: list[float] = []
    deck, layout = load_deck("suds"), game("suds").layout
    for _ in range(PASSES):
        watcher = Watcher(GamePlaces(layout, SIDES, (deck.width_mm, deck.height_mm)), SIDES)
        for number in range(round(KNOWN_S * RATE) + 10):
            frame = Frame(bgr, number / RATE, number)
            before, began = named[0], time.perf_counter()
            watcher.update(frame, eyes.locate(bgr), name)
            spent = time.perf_counter() - began
            if named[0] > before:
                busy.append(spent)
            elif number / RATE > KNOWN_S:
                resting.append(spent)
        others += milliseconds(other, times=6)
    return Pipeline(
        float(np.median(resting)) * 1000, float(np.median(busy)) * 1000, see,
        float(np.median(others)),
    )  # fmt: skip


def report() -> Iterator[str]:
    """Lines for people, as they are measured."""
    bgr, eyes = table_at_rest()
    shape = prepare(bgr, LONG_SIDE)[0].shape
    yield f"vision: ms a frame of {SIZE[0]}×{SIZE[1]} with seven cards; locator's input " + (
        f"{shape[3]}×{shape[2]}"
    )
    nano = _nano()
    if nano is None:
        yield "  YOLO26n-obb is not measured beside it: no ultralytics here (`make setup-train`)"
    for threads in (1, 2):
        plural = "s" if threads > 1 else ""
        cv2.setNumThreads(threads)
        other = partial(_run_nano, nano[threads], bgr) if nano else _nothing
        located, beside = milliseconds(partial(eyes[threads].locate, bgr), other)
        whole = pipeline(bgr, eyes[threads], other)
        yield (
            f"  {threads} thread{plural}: locator {located:6.1f}   at rest {whole.at_rest:6.1f}   "
            f"every card new {whole.new:6.1f}   seven named at once {whole.see:6.1f}"
        )
        if nano is not None:
            alone = _networks(bgr, threads, nano)
            yield (
                f"  {threads} thread{plural}: YOLO26n-obb at 640×384 {beside:6.1f}   locator "
                f"{located / beside:.2f} of it (the networks alone {alone:.2f}), at rest "
                f"{whole.at_rest / whole.other:.2f}, new {whole.new / whole.other:.2f}"
            )


def _nothing() -> None:
    """Used where no other work is measured."""


def _run_nano(nano: Engine, bgr: np.ndarray) -> None:
    nano.run(prepare(bgr, NANO_SIDE)[0])


def _networks(bgr: np.ndarray, threads: int, nano: dict[int, Engine]) -> float:
    """The locator's time as a share of YOLO26n-obb's; resizing is not included."""
    own = Engine(LOCATOR, VERSION, threads)
    inputs = prepare(bgr, LONG_SIDE)[0], prepare(bgr, NANO_SIDE)[0]
    located, other = milliseconds(
        partial(own.run, inputs[0]), partial(nano[threads].run, inputs[1])
    )
    return located / other


def _nano() -> dict[int, Engine] | None:
    """YOLO26n-obb at 640 in the same engine, for one and two threads.

    Its weights are random: only its time matters.
    """
    if any(find_spec(name) is None for name in ("ultralytics", "onnx")):
        return None
    import hashlib
    import json
    import logging
    import tempfile

    from ultralytics import YOLO
    from ultralytics.utils import LOGGER

    LOGGER.setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as made:
        model = YOLO("yolo26n-obb.yaml", task="obb", verbose=False)
        saved = Path(made) / "nano.pt"
        model.save(saved)
        path = Path(
            YOLO(str(saved), task="obb").export(
                format="onnx", imgsz=[384, NANO_SIDE], verbose=False
            )
        )
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        path.with_suffix(".json").write_text(json.dumps({"version": 0, "sha256": digest}))
        return {threads: Engine(path, 0, threads) for threads in (1, 2)}
