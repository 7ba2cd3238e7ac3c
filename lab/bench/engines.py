"""All engines of the networks on this machine: speed, and accuracy beside it.

Speed is the median time of one run. Accuracy is measured on drawn pictures: the locator's recall
and precision, and how much embeddings differ from the reference.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from lab.bench.vision import milliseconds
from lab.evaluation.locator_kinds import SEEN, Card, draw_set, judge
from models.weights import LOCATOR
from rules.errors import FairdealError
from vision.networks.embedder import Embedder
from vision.networks.locator import LONG_SIDE, Locator
from vision.settings import LOCATOR_ENGINES, NAMER_ENGINES, ONNX, EngineSettings

SEED = 981_003  # of the drawn pictures; no training and no other measure uses it
PICTURES = 120

Picture = tuple[np.ndarray, list[Card]]


@dataclass(frozen=True, slots=True)
class Limits:
    """How much accuracy an engine may cost, against ONNX Runtime in float32."""

    located: float = 0.005  # of the locator's F measure, of recall and precision
    cosine: float = 0.999  # least cosine of an embedding with the reference's


LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Result:
    """One engine with one network: `ms` a run on one thread and on two (or all there are);
    `accuracy` in words; `keeps` tells whether the accuracy is kept. `fault`: why it did not run."""

    network: str
    engine: str
    ms: tuple[float, float] = (0.0, 0.0)
    accuracy: str = ""
    keeps: bool = False
    fault: str = ""


def told(result: Result) -> str:
    """One line for people."""
    head = f"{result.network:8} {result.engine:17}"
    if result.fault:
        return f"{head} not measured: {result.fault}"
    one, two = result.ms
    kept = "" if result.keeps else "   accuracy not kept"
    return f"{head} {one:6.1f} ms, {two:6.1f} ms on two threads   {result.accuracy}{kept}"


def choose(results: list[Result]) -> dict[str, str]:
    """Network → the fastest engine on two threads that keeps the accuracy."""
    chosen: dict[str, Result] = {}
    for result in results:
        best = chosen.get(result.network)
        if result.keeps and (best is None or result.ms[1] < best.ms[1]):
            chosen[result.network] = result
    return {network: result.engine for network, result in chosen.items()}


def reason(results: list[Result]) -> str:
    """What was measured, for the settings: `fairdeal doctor` tells it."""
    words: dict[str, list[str]] = {}
    for result in results:
        value = "not measured" if result.fault else f"{result.ms[1]:.1f} ms"
        lost = "" if result.keeps or result.fault else ", accuracy not kept"
        words.setdefault(result.network, []).append(f"{result.engine} {value}{lost}")
    return "; ".join(f"{network}: {', '.join(one)}" for network, one in words.items())


def measure(pictures: int = PICTURES) -> Iterator[Result]:
    """Measures every engine with every network. The reference comes first for each."""
    drawn = _draw(pictures)
    yield from _each("locator", LOCATOR_ENGINES, partial(_locators, drawn))
    yield from _each("namer", NAMER_ENGINES, partial(_namers, drawn))


def _each(
    network: str, engines: tuple[str, ...], work: Callable[[str, list[float]], Result]
) -> Iterator[Result]:
    reference: list[float] = []  # the first engine's accuracy, to which the others are compared
    for engine in engines:
        try:
            yield work(engine, reference)
        except FairdealError as error:
            yield Result(network, engine, fault=str(error))


def _draw(count: int) -> list[Picture]:
    """Pictures of all kinds, evenly spread."""
    every = list(zip(range(count), draw_set(SEED, 1 + count // 60), strict=False))
    return [(bgr, cards) for _, (bgr, cards, _) in every]


def _threads() -> tuple[int, int]:
    return 1, min(2, os.cpu_count() or 1)


def _locators(drawn: list[Picture], engine: str, reference: list[float]) -> Result:
    one, two = (Locator(LOCATOR, threads, engine) for threads in _threads())
    asked = found = false = 0
    for bgr, cards in drawn:
        is_found, wrong = judge(one.locate(bgr, LONG_SIDE).quads, cards)
        wanted = np.array([card.seen >= SEEN for card in cards], bool)
        asked, found, false = asked + wanted.sum(), found + (is_found & wanted).sum(), false + wrong
    recall, precision = found / asked, found / max(1, found + false)
    balanced = 2 * recall * precision / max(1e-9, recall + precision)
    reference[:] = reference or [balanced]
    keeps = balanced >= reference[0] - LIMITS.located
    bgr = drawn[0][0]
    times = milliseconds(partial(one.locate, bgr), partial(two.locate, bgr))
    words = f"recall {recall:.3f}, precision {precision:.3f}, F {balanced:.3f} of {asked} cards"
    return Result("locator", engine, (times[0], times[1]), words, keeps)


def _quads(cards: list[Card]) -> np.ndarray:
    """The quads (N, 4, 2) of cards that can be seen whole."""
    whole = [card.quad for card in cards if card.seen > 0.99]
    return np.array(whole, np.float32).reshape(-1, 4, 2)


def _namers(drawn: list[Picture], engine: str, reference: list[float]) -> Result:
    settings = EngineSettings(namer=engine)
    one, two = (Embedder(threads, settings) for threads in _threads())
    exact = Embedder(1) if engine != ONNX else one
    least, count = 1.0, 0
    for bgr, cards in drawn:
        quads = _quads(cards)
        if len(quads):
            alike = (one.embed(bgr, quads) * exact.embed(bgr, quads)).sum(1)
            least, count = min(least, float(alike.min())), count + len(quads)
    bgr, quads = next((bgr, _quads(cards)) for bgr, cards in drawn if len(_quads(cards)))
    times = milliseconds(partial(one.embed, bgr, quads[:1]), partial(two.embed, bgr, quads[:1]))
    reference[:] = reference or [least]
    words = f"least cosine with the reference {least:.5f} of {count} cards"
    return Result("namer", engine, (times[0], times[1]), words, least >= LIMITS.cosine)
