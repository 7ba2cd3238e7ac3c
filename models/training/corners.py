"""Trains the corner network: from a crop to where its card's four sides truly run.

A locator's box is a pixel or two off at its small input, several at full resolution; near twins
are told apart only where the corners are right. Each side is found as lanes are found row by row
(Qin et al. 2020, Ultra Fast Structure-aware Lane Detection): for each column of the crop the row
in which the top runs, and so on; a line through them, weighted by how sure each is. The network
also says whether a card lies there at all and whether its corners can be trusted.
Resumable, seeded, on CPU or GPU.
"""

from collections.abc import Callable
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

from models.crop import HEIGHT, WIDTH
from models.training.corner_crops import draw_corner_crop
from models.training.crops import FAMILY
from models.training.loop import Endless, Net, export, train
from models.training.namer import Block, down

VERSION = 2
FAMILIES = 400
CELLS = (HEIGHT // 2, WIDTH // 2)  # of the maps
GOOD = 0.012  # worst corner, part of the crop: corners that can be trusted


class CornerNet(nn.Module):
    """(B, 3, 128, 96) RGB 0..1 → corners (B, 8), parts of the crop's width and height from the
    top-left clockwise, and logits (B, 2): a card lies there, its corners are right."""

    def __init__(self) -> None:
        super().__init__()
        self.at_2 = nn.Sequential(down(3, 16), Block(16))
        self.at_4 = nn.Sequential(down(16, 32), Block(32), Block(32))
        self.at_8 = nn.Sequential(down(32, 64), Block(64), Block(64))
        self.at_16 = nn.Sequential(down(64, 96), Block(96), Block(96))
        cells = (HEIGHT // 16) * (WIDTH // 16)
        self.all = nn.Sequential(
            nn.Conv2d(96, 32, 1),
            nn.ReLU(inplace=True),
            nn.Flatten(),
            nn.Linear(32 * cells, 96),
            nn.ReLU(inplace=True),
        )
        self.spread = nn.Linear(96, 96)
        self.up_8, self.back_8 = nn.Conv2d(96, 64, 1), nn.Sequential(Block(64), Block(64))
        self.up_4, self.back_4 = nn.Conv2d(64, 32, 1), Block(32)
        self.up_2, self.back_2 = nn.Conv2d(32, 16, 1), Block(16)
        self.sides = nn.Conv2d(16, 4, 3, 1, 1)
        self.judge = nn.Linear(96 + 4, 2)

    def maps(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The sides' logits (B, 4, 64, 48), top, right, bottom, left; of the whole (B, 96)."""
        half = self.at_2(x - 0.5)
        quarter = self.at_4(half)
        eighth = self.at_8(quarter)
        deep = self.at_16(eighth)
        whole = self.all(deep)
        y = deep + self.spread(whole)[:, :, None, None]
        y = self.back_8(eighth + F.interpolate(self.up_8(y), scale_factor=2))
        y = self.back_4(quarter + F.interpolate(self.up_4(y), scale_factor=2))
        y = self.back_2(half + F.interpolate(self.up_2(y), scale_factor=2))
        return self.sides(y).float(), whole.float()

    def read(self, maps: torch.Tensor, whole: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Corners and logits from what `maps` gives."""
        top, top_off = _line(maps[:, 0].softmax(1).transpose(1, 2))
        bottom, bottom_off = _line(maps[:, 2].softmax(1).transpose(1, 2))
        right, right_off = _line(maps[:, 1].softmax(2))
        left, left_off = _line(maps[:, 3].softmax(2))
        corners = torch.cat(
            [_cross(top, left), _cross(top, right), _cross(bottom, right), _cross(bottom, left)], 1
        )
        off = torch.stack([top_off, right_off, bottom_off, left_off], 1)
        return corners, self.judge(torch.cat([whole, off.detach() * 20], 1))

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return self.read(*self.maps(x))


def _line(places: torch.Tensor) -> tuple[tuple[torch.Tensor, torch.Tensor], torch.Tensor]:
    """The line through places (B, steps along, cells across, each row a distribution), as offset
    and slope (B,) in parts of the crop, and how far the places scatter (B,)."""
    steps, cells = places.shape[1:]
    across = (torch.arange(cells, device=places.device) + 0.5) / cells
    along = (torch.arange(steps, device=places.device) + 0.5) / steps
    at = (places * across).sum(2)
    scatter = (places * (across - at[:, :, None]) ** 2).sum(2)
    weight = 1 / (scatter + 4 / cells**2) ** 2
    weight = weight / weight.sum(1, keepdim=True)
    mean_t, mean_at = (weight * along).sum(1), (weight * at).sum(1)
    t = along - mean_t[:, None]
    slope = (weight * t * (at - mean_at[:, None])).sum(1) / (weight * t * t).sum(1)
    off = (weight * (scatter + (at - mean_at[:, None] - slope[:, None] * t) ** 2)).sum(1).sqrt()
    return (mean_at - slope * mean_t, slope), off


def _cross(
    level: tuple[torch.Tensor, torch.Tensor], steep: tuple[torch.Tensor, torch.Tensor]
) -> torch.Tensor:
    """Where y = a + b·x and x = c + d·y cross, (B, 2)."""
    (a, b), (c, d) = level, steep
    x = (c + d * a) / (1 - b * d)
    return torch.stack([x, a + b * x], 1)


def _wanted(quads: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Where each side runs: rows of top and bottom per column (B, 2, 48), columns of right and
    left per row (B, 2, 64), parts of the crop."""
    q = quads.view(-1, 4, 2)
    x = (torch.arange(CELLS[1], device=quads.device) + 0.5) / CELLS[1]
    y = (torch.arange(CELLS[0], device=quads.device) + 0.5) / CELLS[0]

    def run(a: torch.Tensor, b: torch.Tensor, t: torch.Tensor, axis: int) -> torch.Tensor:
        slope = (b[:, 1 - axis] - a[:, 1 - axis]) / (b[:, axis] - a[:, axis] + 1e-6)
        return a[:, 1 - axis, None] + slope[:, None] * (t - a[:, axis, None])

    level = torch.stack([run(q[:, 0], q[:, 1], x, 0), run(q[:, 3], q[:, 2], x, 0)], 1)
    steep = torch.stack([run(q[:, 1], q[:, 2], y, 1), run(q[:, 0], q[:, 3], y, 1)], 1)
    return level, steep


def _side_loss(logits: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
    """Cross entropy of distributions along the last axis against a bell about `wanted`."""
    cells = logits.shape[-1]
    place = torch.arange(cells, device=logits.device) + 0.5
    bell = torch.exp(-0.5 * ((place - wanted[..., None] * cells) / 0.7) ** 2)
    total = bell.sum(-1)
    inside = total > 0.5
    per = -(bell * logits.log_softmax(-1)).sum(-1) / (total + 1e-6)
    return (per * inside).sum((1, 2)) / inside.sum((1, 2)).clamp(min=1)


def corner_loss(
    net: CornerNet, crops: torch.Tensor, wanted: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Loss, and the worst corner's error of each card. `wanted` (B, 9): corners, 1 where a card
    lies there."""
    maps, whole = net.maps(crops)
    corners, logits = net.read(maps, whole)
    true, is_card = wanted[:, :8], wanted[:, 8]
    level, steep = _wanted(true)
    sides = _side_loss(maps[:, [0, 2]].transpose(2, 3), level) + _side_loss(maps[:, [1, 3]], steep)
    off = (corners - true).view(-1, 4, 2).norm(dim=2)
    worst = off.amax(1).detach()
    near = F.smooth_l1_loss(corners, true, beta=0.01, reduction="none").mean(1).clamp(max=0.2)
    right = (worst < GOOD).float() * is_card
    judged = F.binary_cross_entropy_with_logits(
        logits[:, 0], is_card
    ) + F.binary_cross_entropy_with_logits(logits[:, 1], right)
    fit = ((sides + 20 * near) * is_card).sum() / is_card.sum().clamp(min=1)
    return fit + 0.5 * judged, worst[is_card > 0]


def train_corners(
    runs: Path,
    minutes: float,
    seed: int,
    families: int = FAMILIES,
    batch: int = 64,
    device: str = "cpu",
) -> Path:
    """Trains for `minutes` (on from the last checkpoint, if there is one); returns it."""
    torch.manual_seed(seed)
    net = CornerNet().to(device)
    optimizer = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=0.01)

    def loss_of(
        crops: torch.Tensor, wanted: torch.Tensor, _: int
    ) -> tuple[torch.Tensor, Callable[[], str]]:
        with torch.autocast(torch.device(device).type, dtype=torch.bfloat16):
            loss, worst = corner_loss(net, crops, wanted)
        return (
            loss,
            lambda: f"worst corner {worst.median():.4f} right {(worst < GOOD).float().mean():.0%}",
        )

    def crops(seen: int) -> Endless:
        return Endless(draw_corner_crop, families, batch, seed, seen)

    kept = Net(net, optimizer, [])
    return train(runs / "corners.pt", kept, crops, loss_of, minutes, 2.5e-3, device)


def export_corners(checkpoint: Path, out: Path, minutes: float, seed: int) -> Path:
    """Writes the ONNX file and its report to `out`."""
    return export(
        CornerNet(),
        checkpoint,
        out,
        ["corners", "logits"],
        VERSION,
        {"kind": "corners", "faces": FAMILIES * FAMILY, "minutes": minutes, "seed": seed},
    )
