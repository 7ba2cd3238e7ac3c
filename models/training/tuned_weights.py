"""Checkpoints of tuning runs: their mean, and their export with a report.

`python -m models.training.tuned_weights A.pt B.pt --mean MEAN.pt --out locator.onnx`
"""

import argparse
import json
from pathlib import Path

from models.training.locator_export import export_locator
from models.weights import LOCATOR


def write_mean(checkpoints: list[Path], out: Path) -> Path:
    """A checkpoint with the mean of the weights of runs that began alike (Wortsman et al. 2022)."""
    import torch

    networks = [torch.load(path, weights_only=False)["model"].float() for path in checkpoints]
    mean = networks[0]
    states = [network.state_dict() for network in networks]
    with torch.no_grad():
        for name, value in mean.state_dict().items():
            if value.dtype.is_floating_point:
                value.copy_(torch.stack([state[name] for state in states]).mean(0))
    out.parent.mkdir(parents=True, exist_ok=True)
    torch.save({"model": mean, "epoch": -1, "train_args": {"task": "obb"}}, out)
    return out


def export_tuned(checkpoint: Path, before: Path, out: Path, tuned: list[dict]) -> Path:
    """Writes the ONNX file and its report: what the report of the weights `before` says, and the
    runs that came after it."""
    told = json.loads(before.with_suffix(".json").read_text())
    export_locator(checkpoint, out, (256, 416))
    report = out.with_suffix(".json")
    told |= json.loads(report.read_text())
    told["tuned"] = [*told.get("tuned", []), *tuned]
    report.write_text(json.dumps(told, indent=1) + "\n")
    return out


def main(words: list[str] | None = None) -> int:
    """The command: averages checkpoints and exports the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoints", nargs="+", type=Path)
    parser.add_argument("--mean", type=Path, required=True, help="the checkpoint to write")
    parser.add_argument("--out", type=Path, required=True, help="the ONNX file to write")
    chosen = parser.parse_args(words)
    export_tuned(write_mean(chosen.checkpoints, chosen.mean), LOCATOR, chosen.out, [])
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
