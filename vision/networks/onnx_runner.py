"""Runs networks in ONNX Runtime; the only file that uses it.

ONNX Runtime was the fastest engine measured on x86-64 (docs/benchmarks.md), has wheels for every
Pi with a 64-bit system, and reads the files that training writes without another conversion.
"""

import os
from pathlib import Path

import numpy as np

# This must be set before the import: a referee reports to nobody what it runs.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
import onnxruntime as ort

from rules.errors import FairdealError


class OnnxRunner:
    """One ONNX file, float32 or quantised. Raises FairdealError if it cannot be read."""

    def __init__(self, path: Path, threads: int) -> None:
        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        options.enable_cpu_mem_arena = False  # 7 to 20 MB less, at the same speed
        # Threads spin between layers, but not between frames.
        options.add_session_config_entry("session.intra_op.spin_duration_us", "100")
        try:
            self._session = ort.InferenceSession(str(path), options, ["CPUExecutionProvider"])
        except Exception as error:  # the engine's errors have no base class of their own
            raise FairdealError(
                "weights that the engine can read",
                f"{path.name}: {str(error)[:120]}",
                "fetch the project's weights again or train them again",
            ) from error
        self._input = self._session.get_inputs()[0].name

    def run(self, array: np.ndarray) -> list[np.ndarray]:
        """The network's outputs for one input array (B, C, H, W) float32."""
        outputs: list[np.ndarray] = self._session.run(None, {self._input: array})
        return outputs
