"""Runs a network; the only file that uses ONNX Runtime.

ONNX Runtime was faster than OpenCV's engine and NCNN (docs/benchmarks.md), has wheels for every
Pi with a 64-bit system, and reads the files that training writes without another conversion.
"""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import numpy as np

# This must be set before the import: a referee reports to nobody what it runs.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
import onnxruntime as ort

from rules.errors import FairdealError


class Engine:
    """One network, ready to run on `threads` threads; `report` is the JSON beside its weights.

    `kind`: what the network must be (locator, namer, corners); empty: not checked.
    Raises FairdealError if the weights are missing, damaged, of another version or kind.
    """

    def __init__(self, path: Path, version: int, threads: int = 1, kind: str = "") -> None:
        self.report = check_weights(path, version, kind)
        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
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


def check_weights(path: Path, version: int, kind: str = "") -> dict[str, Any]:
    """The report beside the weights, after a check of file, version and checksum.

    Raises FairdealError if one of them is wrong.
    """
    todo = "fetch the project's weights again, or run `fairdeal train`"
    beside = path.with_suffix(".json")
    if not path.is_file() or not beside.is_file():
        missing = path if not path.is_file() else beside
        raise FairdealError("the network's weights", f"no file {missing}", todo)
    try:
        report = json.loads(beside.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise FairdealError("a report as JSON", f"{beside}: {error}", todo) from error
    if not isinstance(report, dict):
        found = f"{beside} with a {type(report).__name__}"
        raise FairdealError("a report as a JSON object", found, todo)
    if report.get("version") != version:
        raise FairdealError(
            f"weights of version {version}", f"version {report.get('version')} in {beside}", todo
        )
    if kind and report.get("kind", kind) != kind:
        raise FairdealError(f"weights of the {kind}", f"{report['kind']!r} in {beside}", todo)
    if hashlib.sha256(path.read_bytes()).hexdigest() != report.get("sha256"):
        raise FairdealError("weights as they were exported", f"{path} with another checksum", todo)
    return report
