"""A network and its weights, run by one of the engines of `vision.settings.EngineSettings`.

The ONNX file is the reference: its checksum names the weights, and the other engines' files are
conversions of it (`python -m models.training.engines`).
"""

import hashlib
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from rules.errors import FairdealError
from rules.files import read_json, shown
from vision.settings import INT8, NCNN, ONNX

_AGAIN = "fetch the project's weights again, or run `fairdeal train`"
_CONVERT = "fetch the project's weights again, or run `python -m models.training.engines`"


class Runner(Protocol):
    """One network in one foreign library."""

    def run(self, array: np.ndarray) -> list[np.ndarray]:
        """The network's outputs for one input array (B, C, H, W) float32."""
        ...


class Engine:
    """One network, ready to run on `threads` threads; `report` is the JSON beside its ONNX file.

    `kind`: what the network must be (locator, namer, corners); empty: not checked. `engine`: the
    library that runs it. Raises FairdealError if the weights are missing, damaged, of another
    version or kind, or if the engine is not installed.
    """

    def __init__(
        self, path: Path, version: int, threads: int = 1, kind: str = "", engine: str = ONNX
    ) -> None:
        self.report = check_weights(path, version, kind)
        self._runner = _open(path, engine, self.report["sha256"], threads)

    def run(self, array: np.ndarray) -> list[np.ndarray]:
        """The network's outputs for one input array (B, C, H, W) float32."""
        return self._runner.run(array)


def converted(path: Path, engine: str) -> Path:
    """The file with the weights of the ONNX file `path` for this engine."""
    return path.with_suffix({ONNX: ".onnx", INT8: ".int8.onnx", NCNN: ".ncnn.bin"}[engine])


def _open(path: Path, engine: str, checksum: str, threads: int) -> Runner:
    file = converted(path, engine)
    if engine != ONNX:
        _check_conversion(file, checksum)
    if engine == NCNN:
        from vision.networks.ncnn_runner import NcnnRunner

        return NcnnRunner(file, threads)
    from vision.networks.onnx_runner import OnnxRunner

    return OnnxRunner(file, threads)


def _check_conversion(file: Path, checksum: str) -> None:
    """FairdealError unless the file is an undamaged conversion of the weights `checksum`."""
    report = _read_report(file, _CONVERT)
    for part, checksum_of_it in ((file, "sha256"), (file.with_suffix(".param"), "graph_sha256")):
        wanted = report.get(checksum_of_it)
        if wanted is not None and (not part.is_file() or _sha256(part) != wanted):
            raise FairdealError("weights as converted", f"{part} with another checksum", _CONVERT)
    if report.get("source") != checksum:
        found = f"{file.name} converted from other weights"
        raise FairdealError("weights converted from the ONNX file", found, _CONVERT)


def check_weights(path: Path, version: int, kind: str = "") -> dict[str, Any]:
    """The report beside the weights, after a check of file, version and checksum.

    Raises FairdealError if one of them is wrong.
    """
    report = _read_report(path, _AGAIN)
    beside = path.with_suffix(".json")
    if report.get("version") != version:
        raise FairdealError(
            f"weights of version {version}",
            f"version {shown(report.get('version'))} in {beside}",
            _AGAIN,
        )
    if kind and report.get("kind", kind) != kind:
        raise FairdealError(
            f"weights of the {kind}", f"{shown(report['kind'])} in {beside}", _AGAIN
        )
    if _sha256(path) != report.get("sha256"):
        raise FairdealError(
            "weights as they were exported", f"{path} with another checksum", _AGAIN
        )
    return report


def _read_report(path: Path, todo: str) -> dict[str, Any]:
    """The JSON object beside the weights `path`. FairdealError if either is missing or no JSON."""
    beside = path.with_suffix(".json")
    if not path.is_file() or not beside.is_file():
        missing = path if not path.is_file() else beside
        raise FairdealError("the network's weights", f"no file {missing}", todo)
    report = read_json(beside, "a report as JSON", todo)
    if not isinstance(report, dict):
        found = f"{beside} with a {type(report).__name__}"
        raise FairdealError("a report as a JSON object", found, todo)
    return report


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
