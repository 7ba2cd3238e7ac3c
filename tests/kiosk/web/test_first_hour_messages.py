"""Orders of the page to the set-up: a strange one is one line, and neither thread ends by it."""

import json
import random
import threading

import pytest
from filmed_bench import checked as picture

from kiosk.serving.schema import checked
from kiosk.web.first_hour import lamps_step
from kiosk.web.first_hour.desk import Desk, Order
from kiosk.web.first_hour.link import HourLink
from kiosk.web.first_hour.messages import OrderGiven
from kiosk.web.first_hour.steps import Step
from kiosk.web.first_hour.worker import WORK, work
from rules.errors import FairdealError

LONG = {  # they film for seconds
    "lens", "mat", "teach", "build-deck", "trial", "check-camera", "check", "snap-rows",
}  # fmt: skip
PIECES = (
    None, True, -1, 0, 1, 640, 10**9, 10**400, 0.5, 1e308, float("nan"), float("inf"), "", "x",
    "\ud800", "\x00", "suds", "../suds", "my-deck", "hat", "win", "table", "9" * 5000, [], {},
    [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]], [[0, 0]] * 4, [[True, False]] * 4, [[0]] * 4,
)  # fmt: skip
KEYS = (
    "step", "deck", "game", "name", "face", "call", "corners", "width_mm", "height_mm", "sheet",
    "card", "number", "names", "x", "act",
)  # fmt: skip


def strange(rng, names):
    """A wish of the page: an order with any values, or anything else."""
    if rng.random() < 0.05:
        return rng.choice(PIECES)
    wish = {key: rng.choice(PIECES) for key in rng.sample(KEYS, rng.randint(0, 4))}
    return {**wish, "order": rng.choice(names) if rng.random() < 0.9 else rng.choice(PIECES)}


def test_no_order_ends_the_link_and_a_right_one_is_taken(tmp_path):
    rng, desk = random.Random(31), Desk(tmp_path)
    link = HourLink(tmp_path / "page", desk, frozenset(WORK))
    for _ in range(3000):
        answer = link._take(strange(rng, sorted(WORK)))
        assert answer["ok"] or answer["message"].startswith(("expected", "too many orders"))
        json.dumps(answer, allow_nan=False)
        order = desk.take()
        assert order is None or (order.name in WORK and None not in order.values.values())
    assert link._take({"order": "go", "step": "table"}) == {"ok": True}
    assert desk.take() == Order("go", {"step": "table"})


@pytest.mark.parametrize("seed", range(3))
def test_no_order_is_a_fault_of_a_step(bench_of, desk, seed):
    rng = random.Random(seed)
    names = sorted(set(WORK) - LONG)
    for _ in range(150):
        bench, _ = bench_of([picture()] * 10)
        try:
            given = checked(OrderGiven, strange(rng, names))
        except FairdealError:
            continue
        if given.order in names:
            desk.put(Order(given.order, given.values))
            work(bench)
            assert "this step failed" not in desk.state.message, given


def test_an_unknown_signal_is_one_line_and_the_camera_is_not_lost(bench_of, desk, monkeypatch):
    bench, film = bench_of([picture()] * 50)
    desk.change(step=Step.LAMPS)
    desk.put(Order("lamp", {"call": "no such call"}))
    told = threading.Event()

    def watch(timeout_s):
        if desk.state.is_bad or desk.state.lost:
            told.set()
            desk.stop()
        return None

    monkeypatch.setattr(film, "watch", watch)
    lamps_step.look(bench)
    assert told.is_set() and "no such call" in desk.state.message and not desk.state.lost
