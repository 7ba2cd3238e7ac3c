"""Trains the namer: a small network from a crop to a vector.

The vector is learnt as in ArcFace (Deng et al. 2019): cosine softmax with a margin over thousands
of drawn faces in families of near twins. Resumable, seeded, on CPU or GPU.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from models.crop import HEIGHT, WIDTH
from models.training.crops import FAMILY, NAMER_ERRORS, FaceBank, draw_crop
from models.training.loop import Endless, Net, export, train

VECTOR = 128
VERSION = 1
FAMILIES = 1200


class Block(nn.Module):
    """Depthwise and pointwise convolutions with a shortcut."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(channels, channels, 3, 1, 1, groups=channels, bias=False),
            nn.BatchNorm2d(channels),
            nn.Conv2d(channels, channels * 2, 1, bias=False),
            nn.BatchNorm2d(channels * 2),
            nn.ReLU(inplace=True),
            nn.Conv2d(channels * 2, channels, 1, bias=False),
            nn.BatchNorm2d(channels),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.body(x)


def down(a: int, b: int) -> nn.Sequential:
    """A convolution that halves the picture, from `a` to `b` channels."""
    return nn.Sequential(
        nn.Conv2d(a, b, 3, 2, 1, bias=False), nn.BatchNorm2d(b), nn.ReLU(inplace=True)
    )


class NamerNet(nn.Module):
    """(B, 3, 128, 96) RGB 0..1 → unit vectors (B, VECTOR)."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            down(3, 24),
            down(24, 48),
            Block(48),
            Block(48),
            down(48, 96),
            Block(96),
            Block(96),
            down(96, 160),
            Block(160),
            Block(160),
        )
        cells = (HEIGHT // 16) * (WIDTH // 16)
        self.vector = nn.Sequential(
            nn.Conv2d(160, 32, 1),
            nn.ReLU(inplace=True),
            nn.Flatten(),
            nn.Linear(32 * cells, VECTOR),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.normalize(self.vector(self.trunk(x - 0.5)).float(), dim=1)


def _sample(rng: np.random.Generator, bank: FaceBank) -> tuple[np.ndarray, np.ndarray]:
    label = int(rng.integers(len(bank.faces)))
    errors = NAMER_ERRORS.times(float(rng.choice([0.5, 1.0, 2.0])))
    return draw_crop(rng, bank, label, errors)[0], np.array(label)


def train_namer(
    runs: Path,
    minutes: float,
    seed: int,
    families: int = FAMILIES,
    batch: int = 96,
    device: str = "cpu",
) -> Path:
    """Trains for `minutes` (on from the last checkpoint, if there is one); returns it."""
    torch.manual_seed(seed)
    net = NamerNet().to(device)
    start = F.normalize(torch.randn(families * FAMILY, VECTOR), dim=1)
    centres = nn.Parameter(start.to(device))
    optimizer = torch.optim.AdamW([*net.parameters(), centres], lr=2e-3, weight_decay=0.02)

    def loss_of(
        crops: torch.Tensor, labels: torch.Tensor, seen: int
    ) -> tuple[torch.Tensor, Callable[[], str]]:
        with torch.autocast(torch.device(device).type, dtype=torch.bfloat16):
            vectors = net(crops)
        cosine = vectors @ F.normalize(centres, dim=1).T
        margin = F.one_hot(labels, cosine.shape[1]) * 0.2 * min(1.0, seen / 60_000)
        loss = F.cross_entropy((cosine - margin) * 24, labels)
        return loss, lambda: f"right {(cosine.argmax(1) == labels).float().mean():.1%}"

    def crops(seen: int) -> Endless:
        return Endless(_sample, families, batch, seed, seen)

    kept = Net(net, optimizer, [centres])
    return train(runs / "namer.pt", kept, crops, loss_of, minutes, 3e-3, device)


def export_namer(checkpoint: Path, out: Path, minutes: float, seed: int) -> Path:
    """Writes the ONNX file and its report to `out`."""
    return export(
        NamerNet(),
        checkpoint,
        out,
        ["vectors"],
        VERSION,
        {"kind": "namer", "faces": FAMILIES * FAMILY, "minutes": minutes, "seed": seed},
    )
