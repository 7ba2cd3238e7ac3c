"""Trains the corner network: from a crop to where its card's corners truly are.

A locator's box is a pixel or two off at its small input, several at full resolution; near twins
are told apart only where the corners are right. Resumable, seeded, on CPU or GPU.
"""

from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from models.crop import CORNER_MARGIN, HEIGHT, WIDTH, inner_quad
from models.training.crops import CORNER_ERRORS, FAMILY, FaceBank, draw_crop
from models.training.loop import Budget, Ema, Endless, Net, batches, export, load, save, to_input
from models.training.namer import Block, down

VERSION = 1


class CornerNet(nn.Module):
    """(B, 3, 128, 96) RGB 0..1 → corner offsets (B, 8), parts of the crop's width and height."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            down(3, 16), down(16, 32), Block(32), down(32, 64), Block(64), Block(64),
            down(64, 96), Block(96),
        )  # fmt: skip
        cells = (HEIGHT // 16) * (WIDTH // 16)
        self.head = nn.Sequential(
            nn.Conv2d(96, 32, 1), nn.ReLU(inplace=True), nn.Flatten(),
            nn.Linear(32 * cells, 128), nn.ReLU(inplace=True), nn.Linear(128, 8),
        )  # fmt: skip

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.trunk(x - 0.5)).float() * 0.1


def _sample(rng: np.random.Generator, bank: FaceBank) -> tuple[np.ndarray, np.ndarray]:
    label = int(rng.integers(len(bank.faces)))
    errors = CORNER_ERRORS.times(float(rng.choice([0.15, 0.4, 1.0, 1.0])))
    crop, quad = draw_crop(rng, bank, label, errors)
    true = inner_quad(margin=CORNER_MARGIN) / [WIDTH, HEIGHT]
    return crop, (quad - true).ravel().astype(np.float32)


def train_corners(
    runs: Path, minutes: float, seed: int, families: int = 250, batch: int = 64, device: str = "cpu"
) -> Path:
    """Trains for `minutes` (on from the last checkpoint, if there is one); returns it."""
    torch.manual_seed(seed)
    net = CornerNet().to(device)
    optimizer = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=0.01)
    path = runs / "corners.pt"
    seen = load(path, Net(net, optimizer, []), device)
    ema, budget = Ema(net), Budget(minutes * 60)
    for step, (crops, wanted) in enumerate(batches(Endless(_sample, families, batch, seed, seen))):
        if budget.is_spent():
            break
        budget.set_rate(optimizer, 2.5e-3, step)
        with torch.autocast(torch.device(device).type, dtype=torch.bfloat16):
            offsets = net(to_input(crops, device))
        loss = F.smooth_l1_loss(offsets, wanted.to(device), beta=0.01) * 100
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimizer.step()
        ema.follow(net, step)
        seen += len(crops)
        if step % 100 == 99:
            off = (offsets - wanted.to(device)).abs().mean()
            print(f"{budget.part():5.1%} seen {seen} corner error {off:.4f}", flush=True)
        if step % 500 == 499:
            save(path, Net(net, optimizer, []), ema, seen)
    save(path, Net(net, optimizer, []), ema, seen)
    return path


def export_corners(checkpoint: Path, out: Path, minutes: float, seed: int) -> Path:
    """Writes the ONNX file and its report to `out`."""
    faces = 250 * FAMILY
    return export(CornerNet(), checkpoint, out, ["offsets"], VERSION,
                  {"kind": "corners", "faces": faces, "minutes": minutes, "seed": seed})  # fmt: skip
