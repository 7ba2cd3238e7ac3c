"""Trains a committed locator further, from its ONNX file, on pictures drawn while it trains.

One process draws, one trains; each takes the time it gets: if drawing is slow, pictures are shown
again, turned and mirrored. The weights put out are the mean over the last steps (EMA).
"""

import argparse
import copy
import json
import os
import platform
import queue
import time
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np

from models.training.exported import build_network, load_exported
from models.training.locator import ANGLE_GAIN, label_of, use_bfloat16, use_long_side_loss
from models.training.tables import draw_training_picture, make_bank
from models.training.tuned_weights import export_tuned
from models.weights import LOCATOR

PER_BANK = 400  # pictures drawn before new decks and tables are drawn
DECKS, TABLES = 24, 16  # of a bank
HELD = 1200  # drawn pictures kept at hand, each shown up to SHOWN times
SHOWN = 3
GAINS = SimpleNamespace(box=7.5, cls=0.5, dfl=1.5, angle=ANGLE_GAIN)
MEAN_OF = 0.995  # decay of the mean of weights per step: about the last 200 steps


@dataclass(frozen=True, slots=True)
class Plan:
    """How to train: `seconds` of wall time, `save` seconds between checkpoints.

    `rate`: the highest learning rate; `together`: batches to a step; `frozen`: the first layers,
    which stay as they are. Edges look alike on all cards, and a step costs a quarter less.
    """

    seconds: float
    seed: int
    size: int = 320
    rate: float = 5e-4
    batch: int = 16
    together: int = 1
    frozen: int = 3
    save: float = 240.0
    threads: int = 1


def draw_forever(out: Any, seed: int, size: int) -> None:
    """Puts (picture (size, size, 3) uint8 BGR, rows (N, 5) of x, y, w, h in parts and radians) into
    the queue `out` until the process is ended."""
    cv2.setNumThreads(1)
    os.nice(2)
    rng = np.random.default_rng([seed, 1])
    while True:
        bank = make_bank(rng, DECKS, TABLES, size)
        for _ in range(PER_BANK):
            picture, quads = draw_training_picture(rng, bank, size)
            out.put((picture, rows_of(quads, size)))


def rows_of(quads: np.ndarray, size: int) -> np.ndarray:
    """Quads (N, 4, 2) px as rows (N, 5) of x, y, w, h in parts of `size` and the angle in radians,
    w the longer side; what lies outside the picture is cut off first."""
    from ultralytics.utils.ops import xyxyxyxy2xywhr

    words = [line.split()[1:] for line in (label_of(quad, size) for quad in quads) if line]
    return xyxyxyxy2xywhr(np.array(words, np.float32).reshape(-1, 8)).astype(np.float32)


class Supply:
    """Pictures at hand: new ones first, then those shown least."""

    def __init__(self, plan: Plan) -> None:
        context = get_context("spawn")
        self._queue = context.Queue(64)
        self._process = context.Process(
            target=draw_forever, args=(self._queue, plan.seed, plan.size), daemon=True
        )
        self._process.start()
        self._rng = np.random.default_rng([plan.seed, 2])
        self._held: list[list] = []
        self.drawn = 0

    def batch(self, count: int) -> list[tuple[np.ndarray, np.ndarray]]:
        """`count` pictures with their rows, each turned or mirrored at random."""
        while True:
            try:
                enough = sum(SHOWN - one[2] for one in self._held) >= 4 * count
                self._held.append([*self._queue.get(block=not enough), 0])
                self.drawn += 1
            except queue.Empty:
                break
            if len(self._held) >= HELD:
                break
        order = self._rng.permutation(len(self._held))
        chosen = sorted(order, key=lambda i: self._held[i][2])[:count]
        made = []
        for i in chosen:
            picture, rows, _ = self._held[i]
            self._held[i][2] += 1
            made.append(turned(picture, rows, int(self._rng.integers(8))))
        self._held = [one for one in self._held if one[2] < SHOWN]
        return made

    def close(self) -> None:
        """Ends the drawing process."""
        self._process.terminate()
        self._process.join()


def turned(picture: np.ndarray, rows: np.ndarray, way: int) -> tuple[np.ndarray, np.ndarray]:
    """The square picture in one of its eight ways (turns by 90°, mirrored from 4 on)."""
    rows = rows.copy()
    if way & 4:
        picture = picture[:, ::-1]
        rows[:, 0], rows[:, 4] = 1 - rows[:, 0], -rows[:, 4]
    for _ in range(way & 3):  # to the left
        picture = np.rot90(picture)
        rows[:, 0], rows[:, 1] = rows[:, 1], 1 - rows[:, 0].copy()
        rows[:, 4] -= np.pi / 2
    rows[:, 4] = (rows[:, 4] + np.pi / 4) % np.pi - np.pi / 4
    return picture, rows


def tune_locator(weights: Path, runs: Path, plan: Plan) -> Path:
    """Trains the network of the ONNX file `weights` for the plan's time, or goes on from the last
    checkpoint in `runs`; returns the checkpoint's path, made for `export_locator`."""
    import torch

    torch.set_num_threads(plan.threads)
    torch.manual_seed(plan.seed)
    use_long_side_loss(torch)
    use_bfloat16(torch)
    supply = Supply(plan)
    try:
        network = _start(torch, weights, supply, plan)
        return _train(torch, network, supply, runs, plan)
    finally:
        supply.close()


def _start(torch: Any, weights: Path, supply: Supply, plan: Plan) -> Any:
    """The network as it was: from a checkpoint of ours, or from the exported file."""
    network = build_network()
    if weights.suffix == ".onnx":
        load_exported(network, weights, _images(torch, supply.batch(64)))
    else:
        network = torch.load(weights, weights_only=False)["model"].float()
    for k, layer in enumerate(network.model):
        for parameter in layer.parameters():
            parameter.requires_grad_(k >= plan.frozen)
    network.args = GAINS
    return network


def _images(torch: Any, batch: list[tuple[np.ndarray, np.ndarray]]) -> Any:
    stack = np.stack([picture[..., ::-1].transpose(2, 0, 1) for picture, _ in batch])
    return torch.from_numpy(np.ascontiguousarray(stack)).float() / 255


def _targets(torch: Any, batch: list[tuple[np.ndarray, np.ndarray]]) -> dict:
    rows = np.concatenate([rows for _, rows in batch])
    owner = np.repeat(np.arange(len(batch)), [len(rows) for _, rows in batch])
    return {
        "batch_idx": torch.from_numpy(owner.astype(np.float32)),
        "cls": torch.zeros(len(rows)),
        "bboxes": torch.from_numpy(rows.astype(np.float32)),
    }


def _train(torch: Any, network: Any, supply: Supply, runs: Path, plan: Plan) -> Path:
    loss_of = network.init_criterion()
    mean = copy.deepcopy(network).eval()
    optimizer = _optimizer(torch, network, plan.rate)
    began = saved = time.monotonic()
    network.train()
    for layer in network.model[: plan.frozen]:
        layer.eval()
    step, seen, sums = 0, 0, np.zeros(4)
    while (used := time.monotonic() - began) < plan.seconds:
        rate = plan.rate * min(1, (step + 1) / 60) * max(0.02, 1 - used / plan.seconds)
        for group in optimizer.param_groups:
            group["lr"] = rate
        for _ in range(plan.together):
            batch = supply.batch(plan.batch)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                made = network(_images(torch, batch))
            losses, _ = loss_of.loss(made, _targets(torch, batch))
            losses.sum().backward()
            sums += losses.detach().numpy() / plan.batch
            seen += plan.batch
        torch.nn.utils.clip_grad_norm_(network.parameters(), 10.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        step += 1
        _follow(torch, mean, network, min(MEAN_OF, 1 - 2 / (step + 2)))
        if step % 50 == 0:
            print(f"{used:6.0f} s  step {step}  seen {seen}  drawn {supply.drawn}  "
                  f"loss {np.round(sums / 50 / plan.together, 4)}", flush=True)  # fmt: skip
            sums[:] = 0
        if time.monotonic() - saved > plan.save:
            saved = time.monotonic()
            _save(torch, mean, runs, plan, seen, supply.drawn, saved - began)
    return _save(torch, mean, runs, plan, seen, supply.drawn, time.monotonic() - began)


def _optimizer(torch: Any, network: Any, rate: float) -> Any:
    """AdamW; kernels shrink, biases and normalisation do not."""
    learnt = [p for p in network.parameters() if p.requires_grad]
    kernels = [p for p in learnt if p.ndim > 1]
    others = [p for p in learnt if p.ndim <= 1]
    return torch.optim.AdamW(
        [{"params": kernels, "weight_decay": 0.01}, {"params": others, "weight_decay": 0.0}],
        lr=rate, betas=(0.9, 0.99),
    )  # fmt: skip


def _follow(torch: Any, mean: Any, network: Any, decay: float) -> None:
    with torch.no_grad():
        now = network.state_dict()
        for name, value in mean.state_dict().items():
            if value.dtype.is_floating_point:
                value.mul_(decay).add_(now[name], alpha=1 - decay)


def _save(
    torch: Any, mean: Any, runs: Path, plan: Plan, seen: int, drawn: int, seconds: float
) -> Path:
    """A checkpoint that ultralytics can open, and the report that goes with it."""
    folder = runs / "train" / "weights"
    folder.mkdir(parents=True, exist_ok=True)
    out = folder / "last.pt"
    fresh = folder / "fresh.pt"
    torch.save({"model": copy.deepcopy(mean), "epoch": -1, "train_args": {"task": "obb"}}, fresh)
    os.replace(fresh, out)
    report = {
        "pictures": drawn,
        "seen": seen,
        "hours": round(seconds / 3600, 2),
        "seed": plan.seed,
        "machine": f"{platform.machine()} {os.cpu_count()} cores, cpu",
    }
    (runs / "tuned.json").write_text(json.dumps(report, indent=1))
    return out


def main(words: list[str] | None = None) -> int:
    """The command: tunes the committed locator and writes it to `--out`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument(
        "--weights", type=Path, default=LOCATOR, help="an ONNX file or a checkpoint"
    )
    parser.add_argument("--rate", type=float, default=5e-4, help="highest learning rate")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--runs", type=Path, default=Path("runs/locator-tuned"))
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args(words)
    plan = Plan(chosen.minutes * 60, chosen.seed, rate=chosen.rate, threads=chosen.threads)
    checkpoint = tune_locator(chosen.weights, chosen.runs, plan)
    if chosen.out:
        tuned = json.loads((chosen.runs / "tuned.json").read_text())
        export_tuned(checkpoint, LOCATOR, chosen.out, [tuned])
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
