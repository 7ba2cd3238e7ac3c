"""Runs networks in NCNN (github.com/Tencent/ncnn); the only file that uses it.

NCNN is faster than ONNX Runtime on many ARM processors. `fairdeal bench engines` measures both.
"""

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from rules.errors import FairdealError

CELL = 32  # px of the input in one cell of the network's coarsest level
SIZES = 4  # input sizes kept loaded; each holds the weights once more
OUTPUT = re.compile(r"\bout(\d+)\b")


class NcnnRunner:
    """One network: `path` names the weights, `.param` beside it the graph.

    The graph has `{cells}`, `{columns}` and `{rows}` where it depends on the input's size, so a
    net is built for each size. Raises FairdealError if the files cannot be read, or without NCNN.
    """

    def __init__(self, path: Path, threads: int) -> None:
        try:
            import ncnn
        except ImportError as error:
            raise FairdealError(
                "the engine NCNN", f"{error}",
                "pip install 'fairdeal[engines]', or write engine onnxruntime into the settings",
            ) from error  # fmt: skip
        try:
            self._graph = path.with_suffix(".param").read_text(encoding="ascii")
        except (OSError, UnicodeDecodeError) as error:
            raise FairdealError(
                "the network's graph for NCNN", f"{error}", "fetch the project's weights again"
            ) from error
        count = 1 + max((int(number) for number in OUTPUT.findall(self._graph)), default=0)
        self._outputs = [f"out{k}" for k in range(count)]
        self._ncnn: Any = ncnn
        self._path, self._threads = path, threads
        self._net = lru_cache(SIZES)(self._load)

    def _load(self, height: int, width: int) -> Any:
        rows, columns = height // CELL, width // CELL
        graph = self._graph
        for name, value in (("cells", rows * columns), ("columns", columns), ("rows", rows)):
            graph = graph.replace(f"{{{name}}}", str(value))
        net = self._ncnn.Net()
        net.opt.num_threads = self._threads
        net.opt.use_vulkan_compute = False
        if net.load_param_mem(graph) or net.load_model(str(self._path)):
            raise FairdealError(
                "weights that NCNN can read", str(self._path), "fetch the project's weights again"
            )
        return net

    def run(self, array: np.ndarray) -> list[np.ndarray]:
        """The network's outputs for one input array (B, C, H, W) float32, one by one."""
        net = self._net(*array.shape[2:])
        rows = [self._run_one(net, one) for one in array]
        return [np.stack(parts) for parts in zip(*rows, strict=True)]

    def _run_one(self, net: Any, image: np.ndarray) -> list[np.ndarray]:
        extractor = net.create_extractor()
        extractor.input("in0", self._ncnn.Mat(np.ascontiguousarray(image)).clone())
        return [np.array(extractor.extract(name)[1]) for name in self._outputs]
