"""What the training of the small networks shares: endless crops, time budget, mean, checkpoints."""

import hashlib
import json
import os
import platform
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

from models.crop import HEIGHT, WIDTH
from models.training.crops import FaceBank, make_face_bank

Sample = Callable[[np.random.Generator, FaceBank], tuple[np.ndarray, np.ndarray]]


class Endless(torch.utils.data.IterableDataset):
    """Batches without end of what `sample` draws: crops (B, H, W, 3) uint8 and what is wanted."""

    def __init__(self, sample: Sample, families: int, batch: int, seed: int, seen: int) -> None:
        self.sample, self.families, self.batch = sample, families, batch
        self.seed, self.seen = seed, seen

    def __iter__(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        cv2.setNumThreads(1)
        bank = make_face_bank(np.random.default_rng(self.seed), self.families)
        info = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, self.seen, info.id if info else 0])
        while True:
            drawn = [self.sample(rng, bank) for _ in range(self.batch)]
            yield np.stack([crop for crop, _ in drawn]), np.stack([want for _, want in drawn])


def batches(crops: Endless) -> torch.utils.data.DataLoader:
    """The crops, drawn in a process beside the training."""
    return torch.utils.data.DataLoader(
        crops, batch_size=None, num_workers=1, prefetch_factor=4, multiprocessing_context="spawn"
    )


def to_input(crops: torch.Tensor, device: str) -> torch.Tensor:
    """(B, H, W, 3) uint8 BGR → (B, 3, H, W) float32 RGB 0..1."""
    x = crops.to(device).permute(0, 3, 1, 2).flip(1).float() / 255
    return x.contiguous(memory_format=torch.channels_last)


class Budget:
    """A time to train in, `seconds`; the learning rate falls along a cosine over it."""

    def __init__(self, seconds: float) -> None:
        self._began: float | None = None
        self._seconds = seconds

    def part(self) -> float:
        """The part of the time that is used, from 0; the first question starts the clock."""
        if self._began is None:
            self._began = time.monotonic()
        return (time.monotonic() - self._began) / self._seconds

    def is_spent(self) -> bool:
        """Whether the time is over."""
        return self.part() >= 1

    def set_rate(self, optimizer: torch.optim.Optimizer, peak: float, step: int) -> None:
        """Sets the learning rate: a short rise, then the cosine."""
        rate = max(0.01, 0.5 + 0.5 * float(np.cos(np.pi * min(1.0, self.part()))))
        for group in optimizer.param_groups:
            group["lr"] = peak * min(1.0, (step + 1) / 100) * rate


class Ema:
    """The running mean of a network's weights, which is what gets exported."""

    def __init__(self, net: nn.Module) -> None:
        self.state = {k: v.detach().clone().float() for k, v in net.state_dict().items()}

    def follow(self, net: nn.Module, step: int) -> None:
        """Takes the network's present weights in."""
        decay = min(0.998, (1 + step) / (10 + step))
        for key, value in net.state_dict().items():
            self.state[key].mul_(decay).add_(value.detach().float(), alpha=1 - decay)


@dataclass(frozen=True)
class Net:
    """What a checkpoint keeps: the network, its optimizer and further parameters."""

    net: nn.Module
    optimizer: torch.optim.Optimizer
    more: list[nn.Parameter]


def save(path: Path, what: Net, ema: Ema, seen: int) -> None:
    """Writes a checkpoint in one go."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    torch.save(
        {
            "net": what.net.state_dict(),
            "optimizer": what.optimizer.state_dict(),
            "ema": ema.state,
            "more": [p.data for p in what.more],
            "seen": seen,
        },
        fresh,
    )
    fresh.replace(path)


def load(path: Path, what: Net, device: str) -> int:
    """Reads a checkpoint if there is one. Returns how many crops were seen."""
    if not path.exists():
        return 0
    saved = torch.load(path, map_location=device)
    what.net.load_state_dict(saved["net"])
    what.optimizer.load_state_dict(saved["optimizer"])
    for parameter, data in zip(what.more, saved["more"], strict=True):
        parameter.data.copy_(data)
    return int(saved["seen"])


Loss = Callable[[torch.Tensor, torch.Tensor, int], tuple[torch.Tensor, Callable[[], str]]]


def train(
    path: Path, kept: Net, crops: Callable[[int], Endless], loss_of: Loss, minutes: float,
    peak: float, device: str,
) -> Path:  # fmt: skip
    """Trains for `minutes` (on from the last checkpoint, if there is one); returns it.

    `crops` begins after so many seen; `loss_of` takes input, what is wanted and how many were seen,
    and gives the loss and words on it; `peak`: the highest learning rate.
    """
    seen = load(path, kept, device)
    ema, budget = Ema(kept.net), Budget(minutes * 60)
    for step, (drawn, wanted) in enumerate(batches(crops(seen))):
        if budget.is_spent():
            break
        budget.set_rate(kept.optimizer, peak, step)
        loss, words = loss_of(to_input(drawn, device), wanted.to(device), seen)
        kept.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(kept.net.parameters(), 5.0)
        kept.optimizer.step()
        ema.follow(kept.net, step)
        seen += len(drawn)
        if step % 100 == 99:
            print(f"{budget.part():5.1%} seen {seen} loss {loss:.3f} {words()}", flush=True)
        if step % 500 == 499:
            save(path, kept, ema, seen)
    save(path, kept, ema, seen)
    return path


def export(
    net: nn.Module, checkpoint: Path, out: Path, outputs: list[str], version: int, report: dict
) -> Path:
    """Writes a checkpoint's mean weights as ONNX to `out`, and the report beside it."""
    saved = torch.load(checkpoint, map_location="cpu")
    kinds = net.state_dict()
    net.load_state_dict({k: v.to(kinds[k].dtype) for k, v in saved["ema"].items() if k in kinds})
    net.eval()
    axes = {name: {0: "n"} for name in ["crops", *outputs]}
    torch.onnx.export(
        net,
        (torch.rand(2, 3, HEIGHT, WIDTH),),
        str(out),
        input_names=["crops"],
        output_names=outputs,
        opset_version=17,
        dynamo=False,
        dynamic_axes=axes,
    )
    text = {
        "version": version,
        "sha256": hashlib.sha256(out.read_bytes()).hexdigest(),
        "seen": saved["seen"],
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "torch": torch.__version__,
        **report,
    }
    out.with_suffix(".json").write_text(json.dumps(text, indent=1) + "\n", encoding="utf-8")
    return out
