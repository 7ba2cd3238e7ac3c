"""The engine runs a network and says nothing to anybody else."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from lab.bench.vision import table_at_rest
from models.crop import HEIGHT, WIDTH
from models.weights import CORNERS, LOCATOR, NAMER
from rules.errors import FairdealError
from vision.networks.corners import CornerNetwork
from vision.networks.embedder import Embedder
from vision.networks.engine import Engine, check_weights, converted
from vision.networks.locator import Locator
from vision.settings import INT8, NCNN


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


@pytest.mark.train
def test_ncnn_puts_out_what_onnx_runtime_does_at_any_size_and_batch() -> None:
    rng = np.random.default_rng(2)
    crops = rng.random((3, 3, HEIGHT, WIDTH)).astype(np.float32)
    vectors = Engine(NAMER, 1, engine=NCNN).run(crops)[0]
    assert (vectors * Engine(NAMER, 1).run(crops)[0]).sum(1) == pytest.approx(1, abs=1e-3)
    exact, other = Engine(LOCATOR, 2), Engine(LOCATOR, 2, engine=NCNN)
    for size in ((256, 416), (416, 320), (96, 128)):
        image = rng.random((1, 3, *size)).astype(np.float32)
        for mine, its in zip(other.run(image), exact.run(image), strict=True):
            assert mine.shape == its.shape
            assert np.abs(mine - its).max() < 0.05 * max(1.0, float(np.abs(its).max()))


def test_eight_bits_locate_the_cards_that_the_float_weights_locate() -> None:
    picture, eyes = table_at_rest()
    exact = eyes[1].locate(picture)
    located = Locator(engine=INT8).locate(picture)
    sure = exact.quads[exact.scores > 0.6].mean(1)
    assert len(sure) >= 7
    found = located.quads.mean(1)
    gaps = np.linalg.norm(sure[:, None] - found[None], axis=2).min(1)
    assert gaps.max() < 6  # px of a card that is 130 px long


@pytest.mark.parametrize(("path", "engine"), [(LOCATOR, NCNN), (LOCATOR, INT8), (NAMER, NCNN)])
def test_the_committed_conversions_are_of_the_committed_weights(path: Path, engine: str) -> None:
    report = json.loads(converted(path, engine).with_suffix(".json").read_text())
    assert report["source"] == json.loads(path.with_suffix(".json").read_text())["sha256"]


def test_a_conversion_of_other_weights_is_refused(tmp_path: Path) -> None:
    for name in (LOCATOR, LOCATOR.with_suffix(".json"), converted(LOCATOR, INT8)):
        (tmp_path / name.name).write_bytes(name.read_bytes())
    beside = tmp_path / converted(LOCATOR, INT8).with_suffix(".json").name
    report = json.loads(converted(LOCATOR, INT8).with_suffix(".json").read_text())
    beside.write_text(json.dumps(report | {"source": "0" * 64}))
    with pytest.raises(FairdealError, match="converted from other weights"):
        Locator(tmp_path / LOCATOR.name, engine=INT8)
    beside.unlink()
    with pytest.raises(FairdealError, match=r"no file .*locator\.int8\.json"):
        Locator(tmp_path / LOCATOR.name, engine=INT8)
