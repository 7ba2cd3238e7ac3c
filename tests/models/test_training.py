"""Training, in small: pictures with their truth, a few steps, export, and going on."""

import json
import subprocess
import sys

import numpy as np
import pytest

from kiosk.cli import main
from models.crop import HEIGHT, WIDTH
from models.training.crops import CORNER_ERRORS, FAMILY, NAMER_ERRORS, draw_crop, make_face_bank
from models.training.tables import draw_training_picture, make_bank

MINUTES = 0.05


def test_training_pictures_are_the_same_for_the_same_seed():
    pictures = []
    for _ in range(2):
        rng = np.random.default_rng(3)
        bank = make_bank(rng, 2, 2, 160)
        pictures.append([draw_training_picture(rng, bank, 160) for _ in range(6)])
    for (a, quads_a), (b, quads_b) in zip(*pictures, strict=True):
        assert np.array_equal(a, b) and np.array_equal(quads_a, quads_b)
        assert a.shape == (160, 160, 3) and a.dtype == np.uint8
        assert quads_a.shape[1:] == (4, 2)
    assert sum(len(quads) for _, quads in pictures[0]) > 0


@pytest.mark.parametrize("errors", [NAMER_ERRORS, CORNER_ERRORS])
def test_a_crop_knows_its_corners(errors):
    rng = np.random.default_rng(1)
    bank = make_face_bank(rng, 2, tables=2)
    assert len(bank.faces) == 2 * FAMILY
    crop, corners = draw_crop(rng, bank, 3, errors.times(0))
    assert crop.shape == (HEIGHT, WIDTH, 3)
    part = errors.margin / (1 + 2 * errors.margin)
    wanted = np.array([[part, part], [1 - part, part], [1 - part, 1 - part], [part, 1 - part]])
    assert corners == pytest.approx(wanted, abs=1e-4)


def test_the_corner_network_trains_goes_on_and_is_exported(tmp_path):
    import torch

    from models.training.corners import VERSION, export_corners, train_corners
    from vision.engine import Engine

    torch.set_num_threads(1)
    path = train_corners(tmp_path, MINUTES, 1, families=2, batch=4)
    first = torch.load(path)["seen"]
    train_corners(tmp_path, MINUTES, 1, families=2, batch=4)
    assert torch.load(path)["seen"] > first > 0
    out = export_corners(path, tmp_path / "corners.onnx", MINUTES, 1)
    crops = np.random.default_rng(0).random((3, 3, HEIGHT, WIDTH), np.float32)
    offsets = Engine(out, VERSION).run(crops)[0]
    assert offsets.shape == (3, 8) and np.isfinite(offsets).all()
    assert json.loads(out.with_suffix(".json").read_text())["seed"] == 1


def test_the_namer_trains_and_its_vectors_have_unit_length(tmp_path):
    import torch

    from models.training.namer import VECTOR, VERSION, export_namer, train_namer
    from vision.engine import Engine

    torch.set_num_threads(1)
    path = train_namer(tmp_path, MINUTES, 1, families=2, batch=4)
    out = export_namer(path, tmp_path / "namer.onnx", MINUTES, 1)
    crops = np.random.default_rng(0).random((2, 3, HEIGHT, WIDTH), np.float32)
    vectors = Engine(out, VERSION).run(crops)[0]
    assert vectors.shape == (2, VECTOR)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(2), abs=1e-3)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nothing"], "expected one of locator, namer, corners, found 'nothing'"),
        (["namer", "--minutes", "0"], "expected minutes above 0"),
        (["namer", "--seed", "-1"], "expected a seed of 0 or more"),
        (["locator", "--pictures", "3"], "expected 500 pictures or more, found 3"),
    ],
)
def test_a_training_that_cannot_be_is_refused_in_one_line(capsys, words, told):
    assert main(["train", *words]) == 2
    said = capsys.readouterr().err
    assert told in said and said.count("\n") == 1


def test_missing_packages_are_told_with_the_command_that_brings_them(capsys, monkeypatch):
    monkeypatch.setattr("kiosk.commands.train.find_spec", lambda name: None)
    assert main(["train", "locator"]) == 2
    said = capsys.readouterr().err
    assert "no torch and no ultralytics" in said and "make setup-train" in said


def test_nothing_but_training_imports_torch():
    rooms = "vision.eyes, vision.watch, calibration.teach, kiosk.evaluate_clips, kiosk.bench_vision"
    code = (
        f"import sys, kiosk.cli, {rooms}; kiosk.cli.build_parser(); print('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
