"""Writes a trained locator as ONNX, as lean as the running referee needs it, and its report."""

import hashlib
import json
import re
from pathlib import Path

import onnx
from onnx.utils import Extractor

from models.training.aligned import aligned
from models.training.locator import point_with_arrows

VERSION = 2  # of the weights: what the ONNX file puts out
# The last layers of the head: cv2 gives sides, cv3 scores, cv4 arrows; then the level.
HEAD_MAP = re.compile(r"/cv([234])\.(\d)/cv\1\.\2\.2/Conv_output_0$")


def export_locator(checkpoint: Path, out: Path, size: tuple[int, int]) -> Path:
    """Writes the ONNX file for input `size` (H, W) and its `.json` to `out` (a file)."""
    import torch
    from ultralytics import YOLO

    point_with_arrows(torch)
    model = YOLO(str(checkpoint), task="obb")
    made = model.export(format="onnx", imgsz=list(size), simplify=True, dynamic=True, opset=17)
    network = aligned(without_reading(onnx.load(made)))
    del network.metadata_props[:]  # ultralytics writes paths of this machine into them
    onnx.save(network, str(out))
    report = {"version": VERSION, "sha256": hashlib.sha256(out.read_bytes()).hexdigest()}
    trained = checkpoint.parents[2] / "locator.json"
    if trained.exists():
        report |= json.loads(trained.read_text())
    out.with_suffix(".json").write_text(json.dumps(report, indent=1) + "\n")
    return out


def without_reading(network: onnx.ModelProto) -> onnx.ModelProto:
    """The network up to its head's nine maps: sides, scores and arrows of each level.

    The decoding steps are cut off: `vision.networks.locator.read_rows` decodes the few cells
    that count.
    """
    network = onnx.shape_inference.infer_shapes(network)
    names = [name for node in network.graph.node for name in node.output]
    found = [(match[2], match[1], match.string) for match in map(HEAD_MAP.search, names) if match]
    maps = [name for _, _, name in sorted(found)]
    return Extractor(network).extract_model([network.graph.input[0].name], maps)
