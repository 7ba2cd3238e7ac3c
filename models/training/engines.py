"""Converts the committed ONNX weights for the other engines of the running referee.

`python -m models.training.engines` writes NCNN's files of the locator and the namer (graph and
half-precision weights) and the locator with eight-bit integers. Run it whenever their weights
change. The corner network has no conversion: NCNN crashes on the reductions in its head.
"""

import argparse
import hashlib
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import numpy as np

from models.training.tables import draw_training_picture, make_bank
from models.weights import LOCATOR, NAMER

CELL = 32  # px of the input in one cell of the locator's coarsest level
# The locator is converted at one size. Values that depend on it become placeholders, which the
# running referee fills in; the sizes must therefore not occur as other values of a Reshape.
ROWS, COLUMNS = 8, 13
CROP = (128, 96)  # px (H, W) of the crops that the namer reads
SEED = 4_100_000  # of the pictures that set the ranges of the eight-bit values
PICTURES = 96
HEAD = "/model.23/"  # the names of the locator's last layers begin so
SIDE = 416  # px


def convert_all() -> Iterator[str]:
    """Writes all conversions beside their ONNX files; a line for each file."""
    yield _told(to_ncnn(LOCATOR, (ROWS * CELL, COLUMNS * CELL)))
    yield _told(to_ncnn(NAMER, CROP))
    yield _told(to_int8(LOCATOR))


def to_ncnn(weights: Path, size: tuple[int, int]) -> Path:
    """The network for NCNN, from its ONNX file; `size`: (H, W) px of the input."""
    out = weights.with_suffix(".ncnn.bin")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / weights.name
        source.write_bytes(weights.read_bytes())
        shape = f"inputshape=[1,3,{size[0]},{size[1]}]f32"
        tool = Path(sys.executable).parent / "pnnx"
        done = subprocess.run(
            [str(tool), str(source), shape, "fp16=1"],
            capture_output=True, text=True, cwd=folder, check=False,
        )  # fmt: skip
        graph, made = (source.with_suffix(f".ncnn.{end}") for end in ("param", "bin"))
        if done.returncode or not made.is_file():
            raise RuntimeError(f"pnnx could not convert {weights.name}: {done.stderr[-400:]}")
        out.write_bytes(made.read_bytes())
        text = graph.read_text(encoding="ascii")
        out.with_suffix(".param").write_text(sized(text) if weights == LOCATOR else text)
    graph_sha256 = _sha256(out.with_suffix(".param"))
    return _report(out, weights, f"pnnx {version('pnnx')}", graph_sha256=graph_sha256)


def sized(graph: str) -> str:
    """The locator's graph with placeholders where a Reshape names the input's cells."""
    lines = []
    for line in graph.splitlines():
        if line.startswith("Reshape"):
            line = re.sub(rf"\b0={ROWS * COLUMNS}\b", "0={cells}", line)
            line = re.sub(rf"\b0={COLUMNS} 1={ROWS}\b", "0={columns} 1={rows}", line)
        lines.append(line)
    return "\n".join(lines) + "\n"


class _Calibration:
    """Drawn pictures as the quantiser's data reader wants them."""

    def __init__(self, name: str) -> None:
        rng = np.random.default_rng(SEED)
        bank = make_bank(rng, 12, 12, SIDE)
        self._inputs = iter(
            {name: (picture[None, :, :, ::-1].transpose(0, 3, 1, 2) / 255).astype(np.float32)}
            for picture in (draw_training_picture(rng, bank, SIDE)[0] for _ in range(PICTURES))
        )

    def get_next(self) -> dict[str, np.ndarray] | None:
        """The next input; None after the last."""
        return next(self._inputs, None)


def to_int8(weights: Path) -> Path:
    """The network with convolutions in eight-bit integers: static, symmetric, per channel.

    The first convolution and the head stay as they are; eight bits cost most accuracy there.
    """
    import onnx
    from onnxruntime import quantization

    quantization.CalibrationDataReader.register(_Calibration)
    network = onnx.load(str(weights))
    names = [node.name for node in network.graph.node if node.op_type == "Conv"]
    exact = [names[0], *(name for name in names if name.startswith(HEAD))]
    out = weights.with_suffix(".int8.onnx")
    quantization.quantize_static(
        str(weights), str(out), _Calibration(network.graph.input[0].name), per_channel=True,
        op_types_to_quantize=["Conv"], nodes_to_exclude=exact,
        calibrate_method=quantization.CalibrationMethod.Percentile,
        activation_type=quantization.QuantType.QInt8, weight_type=quantization.QuantType.QInt8,
        extra_options={"ActivationSymmetric": True, "WeightSymmetric": True},
    )  # fmt: skip
    return _report(out, weights, f"onnxruntime {version('onnxruntime')}, {PICTURES} pictures")


def _report(out: Path, source: Path, how: str, **more: str) -> Path:
    report = {"sha256": _sha256(out), "source": _sha256(source), "made": how, **more}
    out.with_suffix(".json").write_text(json.dumps(report, indent=1) + "\n")
    return out


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _told(path: Path) -> str:
    return f"{path.name}: {path.stat().st_size / 1e6:.1f} MB"


def main(words: list[str] | None = None) -> int:
    """The command: converts all weights."""
    argparse.ArgumentParser(description=__doc__).parse_args(words)
    for line in convert_all():
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
