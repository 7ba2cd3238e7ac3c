"""The engine runs a network and says nothing to anybody else."""

import os
import subprocess
import sys

import numpy as np

from models.crop import HEIGHT, WIDTH
from models.weights import NAMER
from vision.networks.engine import Engine


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
