"""Trains a committed locator further, from its ONNX file, on pictures drawn while it trains.

Some processes draw, one trains; each takes the time it gets: if drawing is slow, pictures are shown
again, turned and mirrored. The weights put out are the mean over the last steps (EMA).
"""

import argparse
import copy
import json
import os
import platform
import time
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from models.training.exported import build_network, load_exported
from models.training.locator import ANGLE_GAIN, use_bfloat16, use_long_side_loss
from models.training.supply import Picture, Supply
from models.training.tuned_weights import export_tuned
from models.weights import LOCATOR

GAINS = SimpleNamespace(box=7.5, cls=0.5, dfl=1.5, angle=ANGLE_GAIN)
MEAN_OF = 0.995  # decay of the mean of weights per step: about the last 200 steps


@dataclass(frozen=True, slots=True)
class Plan:
    """How to train: `seconds` of wall time, `save` seconds between checkpoints.

    `rate`: the highest learning rate; `together`: batches to a step; `frozen`: the first layers,
    which stay as they are: edges look alike on all cards, and a step costs a quarter less on a CPU.
    `workers`: processes that draw. `device`: cpu or cuda.
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
    workers: int = 1
    device: str = "cpu"


def tune_locator(weights: Path, runs: Path, plan: Plan) -> Path:
    """Trains the network of the ONNX file `weights` for the plan's time, or goes on from the last
    checkpoint in `runs`; returns the checkpoint's path, made for `export_locator`."""
    import torch

    torch.set_num_threads(plan.threads)
    torch.manual_seed(plan.seed)
    use_long_side_loss(torch)
    if plan.device == "cpu":
        use_bfloat16(torch)
    supply = Supply(plan.seed, plan.size, plan.workers)
    try:
        network = _start(torch, weights, supply, plan)
        return _train(torch, network, supply, runs, plan)
    finally:
        supply.close()


def _start(torch: Any, weights: Path, supply: Supply, plan: Plan) -> Any:
    """The network as it was: from a checkpoint of ours, or from the exported file."""
    network = build_network()
    if weights.suffix == ".onnx":
        load_exported(network, weights, _images(torch, supply.batch(128), "cpu"))
    else:
        network = torch.load(weights, weights_only=False)["model"].float()
    for k, layer in enumerate(network.model):
        for parameter in layer.parameters():
            parameter.requires_grad_(k >= plan.frozen)
    network.args = GAINS
    return network.to(plan.device)


def _images(torch: Any, batch: list[Picture], home: str) -> Any:
    stack = torch.from_numpy(np.stack([picture for picture, _ in batch])).to(home)
    return stack.permute(0, 3, 1, 2).flip(1).float() / 255


def _targets(torch: Any, batch: list[Picture], home: str) -> dict:
    rows = np.concatenate([rows for _, rows in batch])
    owner = np.repeat(np.arange(len(batch)), [len(rows) for _, rows in batch])
    targets = {
        "batch_idx": torch.from_numpy(owner.astype(np.float32)),
        "cls": torch.zeros(len(rows)),
        "bboxes": torch.from_numpy(rows.astype(np.float32)),
    }
    return {key: value.to(home) for key, value in targets.items()}


def _train(torch: Any, network: Any, supply: Supply, runs: Path, plan: Plan) -> Path:
    loss_of, home = network.init_criterion(), plan.device
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
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=home == "cpu"):
                made = network(_images(torch, batch, home))
            losses, _ = loss_of.loss(made, _targets(torch, batch, home))
            losses.sum().backward()
            sums += losses.detach().cpu().numpy() / plan.batch
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
    """Moves `mean` towards the network's weights; all tensors in one call, which a GPU needs."""
    now = network.state_dict()
    pairs = [(v, now[k]) for k, v in mean.state_dict().items() if v.dtype.is_floating_point]
    with torch.no_grad():
        torch._foreach_lerp_([old for old, _ in pairs], [new for _, new in pairs], 1 - decay)


def _save(
    torch: Any, mean: Any, runs: Path, plan: Plan, seen: int, drawn: int, seconds: float
) -> Path:
    """A checkpoint that ultralytics can open, and the report that goes with it."""
    folder = runs / "train" / "weights"
    folder.mkdir(parents=True, exist_ok=True)
    out = folder / "last.pt"
    fresh = folder / "fresh.pt"
    torch.save(
        {"model": copy.deepcopy(mean).cpu(), "epoch": -1, "train_args": {"task": "obb"}}, fresh
    )
    os.replace(fresh, out)
    report = {
        "pictures": drawn,
        "seen": seen,
        "hours": round(seconds / 3600, 2),
        "seed": plan.seed,
        "machine": f"{platform.machine()} {os.cpu_count()} cores, {plan.device}",
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
    parser.add_argument("--workers", type=int, default=1, help="processes that draw")
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--frozen", type=int, default=3, help="first layers that stay")
    parser.add_argument("--runs", type=Path, default=Path("runs/locator-tuned"))
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args(words)
    plan = Plan(
        chosen.minutes * 60, chosen.seed, rate=chosen.rate, batch=chosen.batch,
        frozen=chosen.frozen, threads=chosen.threads, workers=chosen.workers, device=chosen.device,
    )  # fmt: skip
    checkpoint = tune_locator(chosen.weights, chosen.runs, plan)
    if chosen.out:
        tuned = json.loads((chosen.runs / "tuned.json").read_text())
        export_tuned(checkpoint, LOCATOR, chosen.out, [tuned])
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
