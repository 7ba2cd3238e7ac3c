"""Trains the locator: YOLO26 oriented boxes, one class, from scratch on drawn tables.

Resumable (the checkpoint of the last epoch), seeded, on CPU or GPU.
"""

import copy
import json
import os
import platform
import time
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.training.tables import draw_training_picture, make_bank

SIZE = 320  # px, square; at run time the input may have any shape that 32 divides
WIDTH = (0.33, 0.1875, 512)  # depth, width, most channels: between a third and a half of nano
ANGLE_WIDTH = 24  # channels of the head that tells the direction; ultralytics' rule gives 12
ANGLE_GAIN = 5.0  # of the loss; a card's direction matters more here than ultralytics takes it to
PER_BANK = 500  # pictures drawn before new decks and tables are drawn

# The optimiser and the augmentation, as ultralytics names them.
RECIPE: dict[str, Any] = {
    "name": "train",
    "exist_ok": True,
    "deterministic": False,
    "workers": 1,
    "optimizer": "AdamW",
    "lr0": 0.0015,
    "angle": ANGLE_GAIN,
    "lrf": 1.0,
    "warmup_epochs": 0.1,
    "weight_decay": 0.01,
    "mosaic": 0.0,
    "degrees": 0.0,
    "translate": 0.0,
    "scale": 0.35,
    "fliplr": 0.5,
    "flipud": 0.5,
    "hsv_h": 0.01,
    "hsv_s": 0.3,
    "hsv_v": 0.2,
    "erasing": 0.0,
    "plots": False,
    "val": False,
    "cache": False,
    "close_mosaic": 0,
    "save_period": -1,
}


def draw_dataset(folder: Path, count: int, seed: int, size: int = SIZE, workers: int = 2) -> None:
    """Draws `count` pictures with labels under `folder`; what is there already is kept."""
    for split in ("train", "val"):
        (folder / "images" / split).mkdir(parents=True, exist_ok=True)
        (folder / "labels" / split).mkdir(parents=True, exist_ok=True)
    (folder / "data.yaml").write_text(
        f"path: {folder.resolve()}\ntrain: images/train\nval: images/val\nnames: {{0: card}}\n"
    )
    jobs = [(folder, "train", seed, i, PER_BANK, size) for i in range(0, count, PER_BANK)]
    jobs.insert(0, (folder, "val", seed + 1, 0, 300, size))
    with get_context("spawn").Pool(workers) as pool:
        for done, _ in enumerate(pool.imap_unordered(_draw_bank, jobs), 1):
            print(f"drawn {done}/{len(jobs)} banks", flush=True)


def _draw_bank(job: tuple[Path, str, int, int, int, int]) -> None:
    folder, split, seed, first, count, size = job
    cv2.setNumThreads(1)
    last = folder / "labels" / split / f"{first + count - 1:06d}.txt"
    if last.exists():
        return
    rng = np.random.default_rng([seed, first])
    bank = make_bank(rng, 40, 24, size)
    for i in range(first, first + count):
        picture, quads = draw_training_picture(rng, bank, size)
        cv2.imwrite(
            str(folder / "images" / split / f"{i:06d}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 94]
        )
        lines = [label_of(q, size) for q in quads]
        (folder / "labels" / split / f"{i:06d}.txt").write_text("\n".join(x for x in lines if x))


def label_of(quad: np.ndarray, size: int) -> str:
    """The least rectangle about what of the card lies in the picture, as ultralytics reads it."""
    frame = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32)
    area, inside = cv2.intersectConvexConvex(quad.astype(np.float32), frame)
    if area < 16:
        return ""
    box = cv2.boxPoints(cv2.minAreaRect(inside)) / size
    return "0 " + " ".join(f"{v:.5f}" for v in np.clip(box, 0, 1).ravel())


def train_locator(
    runs: Path,
    pictures: int,
    hours: float,
    seed: int,
    device: str = "cpu",
    batch: int = 16,
    width: tuple[float, float, int] = WIDTH,
    size: int = SIZE,
) -> Path:
    """Draws the pictures, trains for `hours` and returns the best checkpoint's path."""
    import torch
    from ultralytics import YOLO

    runs = runs.resolve()
    use_long_side_loss(torch)
    point_with_arrows(torch)
    draw_dataset(runs / "data", pictures, seed)
    if device == "cpu":
        use_bfloat16(torch)
    config = _write_config(runs, width)
    last = runs / "train" / "weights" / "last.pt"
    model = YOLO(str(last if last.exists() else config), task="obb")
    began = time.monotonic()
    _add_callbacks(model, hours * 3600)
    model.train(
        data=str(runs / "data" / "data.yaml"),
        epochs=1000,
        time=hours,
        batch=batch,
        imgsz=size,
        device=device,
        project=str(runs),
        seed=seed,
        **RECIPE,
        amp=device != "cpu",
    )
    hours_spent = round((time.monotonic() - began) / 3600, 2)
    _write_report(runs, width, size, pictures, hours_spent, seed, device)
    return last


def _add_callbacks(model: Any, seconds: float) -> None:
    import torch

    _decay_by_time(model, seconds)
    model.add_callback("on_train_batch_end", _save_often())
    # A sixth faster on a CPU.
    model.add_callback(
        "on_train_start", lambda trainer: trainer.model.to(memory_format=torch.channels_last)
    )


def _write_config(runs: Path, width: tuple[float, float, int]) -> Path:
    """The network's yaml: ultralytics' own, with one class and our width."""
    import ultralytics
    import yaml

    config = yaml.safe_load(
        (Path(ultralytics.__file__).parent / "cfg/models/26/yolo26-obb.yaml").read_text()
    )
    config |= {"nc": 1, "end2end": False, "scales": {"p": list(width)}, "scale": "p"}
    path = runs / "yolo26p-obb.yaml"
    path.write_text(yaml.safe_dump(config))
    return path


def _write_report(
    runs: Path, width: tuple[float, float, int], size: int, pictures: int, hours: float,
    seed: int, device: str,
) -> None:  # fmt: skip
    import ultralytics

    report = {
        "kind": "locator",
        "architecture": f"yolo26-obb depth {width[0]} width {width[1]}",
        "size": size,
        "pictures": pictures,
        "hours": hours,
        "seed": seed,
        "machine": f"{platform.machine()} {os.cpu_count()} cores, {device}",
        "ultralytics": ultralytics.__version__,
    }
    (runs / "locator.json").write_text(json.dumps(report, indent=1))


def use_bfloat16(torch: Any) -> None:
    """Ultralytics mixes precision on CUDA alone; on a CPU bfloat16 more than doubles the speed.

    The head and the loss stay in float32: bfloat16 has eight bits, and would round a box to a
    pixel and more.
    """
    from ultralytics.engine import trainer
    from ultralytics.nn.modules.head import Detect

    trainer.autocast = lambda *_, **__: torch.autocast("cpu", dtype=torch.bfloat16)
    plain = Detect.forward

    def forward(self: Any, x: Any) -> Any:
        if not torch.is_autocast_enabled("cpu"):
            return plain(self, x)
        with torch.autocast("cpu", enabled=False):
            return plain(self, [level.float() for level in x])

    Detect.forward = forward  # type: ignore[method-assign]


def use_long_side_loss(torch: Any) -> None:
    """Ultralytics' angle loss is as content with a box turned by 90° as with a right one, which
    long things set right by their overlap; cards are too short for that, and came out square.

    Here a turn of 90° is the worst; only for squares, which have no long side, it is none.
    """
    from ultralytics.utils.loss import v8OBBLoss

    def loss(
        self: Any, pred: Any, target: Any, fg_mask: Any, weight: Any, total: Any, power: int = 3
    ) -> Any:
        off = (pred[..., 4] - target[..., 4])[fg_mask]
        aspect = (target[..., 2] / (target[..., 3] + 1e-9))[fg_mask]
        long = ((aspect - 1.05) / 0.15).clamp(0, 1)
        turn = off - torch.round(off / torch.pi) * torch.pi
        # Not a sine: where a box is 90° off, that has no slope.
        far = torch.nn.functional.smooth_l1_loss(
            turn, torch.zeros_like(turn), reduction="none", beta=0.2
        )
        each = long * far + (1 - long) * torch.sin(2 * off) ** 2 / 4
        return (each * weight).sum() / total

    v8OBBLoss.calculate_angle_loss = loss  # type: ignore[method-assign]


def point_with_arrows(torch: Any) -> None:
    """Ultralytics' head gives a direction as one number, which has to leap where a half turn ends;
    here it is the arrow (cos 2a, sin 2a), which goes round without a leap."""
    from ultralytics.nn.modules import head

    def __init__(
        self: Any, nc: int = 80, ne: int = 1, reg_max: int = 16, end2end: bool = False, ch: Any = ()
    ) -> None:
        head.OBB.__init__(self, nc, ne, reg_max, end2end, ch)
        self.cv4 = torch.nn.ModuleList(
            torch.nn.Sequential(
                head.Conv(x, ANGLE_WIDTH, 3),
                head.Conv(ANGLE_WIDTH, ANGLE_WIDTH, 3),
                torch.nn.Conv2d(ANGLE_WIDTH, 2, 1),
            )
            for x in ch
        )
        if end2end:
            self.one2one_cv4 = copy.deepcopy(self.cv4)

    def forward_head(self: Any, x: Any, box_head: Any, cls_head: Any, angle_head: Any) -> Any:
        preds = head.Detect.forward_head(self, x, box_head, cls_head)
        if angle_head is not None:
            levels = zip(angle_head, x, strict=True)
            arrows = torch.cat([part(level).flatten(2) for part, level in levels], 2)
            preds["angle"] = torch.atan2(arrows[:, 1:], arrows[:, :1]) / 2
        return preds

    head.OBB26.__init__ = __init__  # type: ignore[method-assign]
    head.OBB26.forward_head = forward_head  # type: ignore[method-assign]


def _save_often(every: int = 200) -> Any:
    """A checkpoint every so many batches: an epoch takes long on a CPU."""
    batches = 0

    def on_train_batch_end(trainer: Any) -> None:
        nonlocal batches
        batches += 1
        if batches % every == 0:
            trainer.save_model()

    return on_train_batch_end


def _decay_by_time(model: Any, seconds: float) -> None:
    """The learning rate falls linearly with the time used, so that any budget ends well."""
    began = time.monotonic()

    def on_train_batch_end(trainer: Any) -> None:
        left = max(0.02, 1 - (time.monotonic() - began) / seconds)
        for group in trainer.optimizer.param_groups:
            base = group.setdefault("fairdeal_base", group.get("initial_lr", group["lr"]))
            if trainer.epoch > 0 or group["lr"] >= base * 0.5:
                group["lr"] = base * left

    model.add_callback("on_train_batch_end", on_train_batch_end)
