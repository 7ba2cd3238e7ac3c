"""The engine runs a network and says nothing to anybody else."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from models.crop import HEIGHT, WIDTH
from models.weights import CORNERS, LOCATOR, NAMER
from rules.errors import FairdealError
from vision.networks.corners import CornerNetwork
from vision.networks.embedder import Embedder
from vision.networks.engine import Engine, check_weights
from vision.networks.locator import Locator


def test_crops_become_vectors_of_length_one():
    crops = np.random.default_rng(1).random((3, 3, HEIGHT, WIDTH)).astype(np.float32)
    vectors = Engine(NAMER, version=1).run(crops)[0]
    assert vectors.shape[0] == 3
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-4)


def test_the_engine_reports_nothing_to_its_maker():
    # With its telemetry on it looks for a place to keep an identifier, and complains of none.
    here = {k: v for k, v in os.environ.items() if k != "ORT_DISABLE_TELEMETRY"}
    program = (
        "from vision.networks.engine import Engine; from models.weights import NAMER"
        "; Engine(NAMER, 1); import os; print(os.environ['ORT_DISABLE_TELEMETRY'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True,
        env=here | {"HOME": "/proc/no-home"},
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "1\n", "")


@pytest.mark.parametrize("report", ["[]", "3", '"text"', "null", "[" * 100_000])
def test_a_report_that_is_no_object_is_one_line(tmp_path: Path, report: str) -> None:
    (tmp_path / "x.onnx").write_bytes(b"weights")
    (tmp_path / "x.json").write_text(report)
    with pytest.raises(FairdealError, match="a report as"):
        check_weights(tmp_path / "x.onnx", 1)


def test_weights_swapped_between_networks_are_one_line() -> None:
    with pytest.raises(FairdealError, match="weights of the locator, found 'corners'"):
        Locator(CORNERS)
    with pytest.raises(FairdealError, match="weights of the corners, found 'locator'"):
        CornerNetwork(LOCATOR)
    with pytest.raises(FairdealError, match="weights of"):
        Embedder(namer=CORNERS)
