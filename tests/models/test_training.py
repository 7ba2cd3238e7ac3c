"""Training, in small: pictures with their truth, a few steps, export, and going on."""

import json
import subprocess
import sys
from itertools import pairwise

import cv2
import numpy as np
import pytest

from kiosk.cli import main
from models.crop import HEIGHT, WIDTH
from models.training.corner_crops import COARSE_ERRORS, FINE_ERRORS, draw_corner_crop
from models.training.crops import FAMILY, NAMER_ERRORS, draw_crop, make_face_bank
from models.training.layouts import View, held_fan
from models.training.tables import draw_training_picture, make_bank
from vision.networks import corners, embedder
from vision.networks.engine import Engine


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


def test_a_held_fan_lies_at_an_edge_and_each_card_hides_part_of_the_one_before():
    rng = np.random.default_rng(2)
    faces = tuple(np.full((90, 60, 4), 255, np.uint8) for _ in range(3))
    view = View(320, 60.0, np.zeros(2), 0.0)
    for _ in range(40):
        cards, at, away = held_fan(rng, faces, faces[0], view)
        assert 2 <= len(cards) <= 8
        assert np.linalg.norm(away) == pytest.approx(1)
        beyond = at + away * 0.5 * view.size  # the player sits outside the picture
        assert (beyond < 0).any() or (beyond > view.size).any()
        for before, card in pairwise(cards):
            shared, _ = cv2.intersectConvexConvex(before.quad, card.quad)
            assert 0 < shared < cv2.contourArea(card.quad)


@pytest.mark.parametrize("errors", [NAMER_ERRORS, COARSE_ERRORS, FINE_ERRORS])
def test_a_crop_knows_its_corners(errors):
    rng = np.random.default_rng(1)
    bank = make_face_bank(rng, 2, tables=2)
    assert len(bank.faces) == 2 * FAMILY
    crop, corners = draw_crop(rng, bank, 3, errors.times(0))
    assert crop.shape == (HEIGHT, WIDTH, 3)
    part = errors.margin / (1 + 2 * errors.margin)
    wanted = np.array([[part, part], [1 - part, part], [1 - part, 1 - part], [part, 1 - part]])
    assert corners == pytest.approx(wanted, abs=1e-4)


def test_a_corner_crop_says_where_the_card_lies_or_that_none_does():
    rng = np.random.default_rng(1)
    bank = make_face_bank(rng, 2, tables=2)
    drawn = [draw_corner_crop(rng, bank) for _ in range(60)]
    lies = np.array([want[8] for _, want in drawn])
    assert set(lies) == {0.0, 1.0} and 0.6 < lies.mean() < 0.95
    for crop, want in drawn:
        assert crop.shape == (HEIGHT, WIDTH, 3) and want.shape == (9,)
        quad = want[:8].reshape(4, 2)
        assert quad[0, 0] < quad[1, 0] and quad[0, 1] < quad[3, 1]  # from the top-left, clockwise
        assert (np.abs(quad - 0.5) < 0.6).all()


TRAINING = """
import sys
from pathlib import Path
import torch
from models.training import corners, namer
torch.set_num_threads(1)
runs, part = Path(sys.argv[1]), sys.argv[2]
module = corners if part == "corners" else namer
train, export = getattr(module, f"train_{part}"), getattr(module, f"export_{part}")
for _ in range(2 if part == "corners" else 1):
    path = train(runs, 0.05, 1, families=2, batch=4)
    print("seen", torch.load(path)["seen"])
export(path, runs / f"{part}.onnx", 0.05, 1)
"""


def trained(folder, part):
    """Trains twice, a few steps each, in a process of its own: (crops seen, the weights)."""
    done = subprocess.run([sys.executable, "-c", TRAINING, str(folder), part],
                          capture_output=True, text=True, timeout=300, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    seen = [int(x.split()[1]) for x in done.stdout.splitlines() if x.startswith("seen")]
    return seen, folder / f"{part}.onnx"


@pytest.mark.train
@pytest.mark.parametrize(("part", "numbers"), [("corners", 8), ("namer", 128)])
def test_a_network_trains_goes_on_and_is_exported(tmp_path, part, numbers):
    version = {"corners": corners.VERSION, "namer": embedder.VERSION}[part]
    seen, out = trained(tmp_path, part)
    assert seen[0] > 0 and seen == sorted(set(seen))
    crops = np.random.default_rng(0).random((3, 3, HEIGHT, WIDTH), np.float32)
    made = Engine(out, version).run(crops)[0]
    assert made.shape == (3, numbers) and np.isfinite(made).all()
    if part == "namer":
        assert np.linalg.norm(made, axis=1) == pytest.approx(np.ones(3), abs=1e-3)
    report = json.loads(out.with_suffix(".json").read_text())
    assert report["seed"] == 1 and report["seen"] == seen[-1]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ["nothing"],
            "one of locator, namer, corners, confidence, colours, presence, found 'nothing'",
        ),
        (["namer", "--minutes", "0"], "expected minutes above 0"),
        (["namer", "--seed", "-1"], "expected a seed of 0 or more"),
        (["locator", "--pictures", "3"], "expected 500 pictures or more, found 3"),
        (["confidence", "--decks", "3"], "expected 24 decks or more, found 3"),
    ],
)
def test_a_training_that_cannot_be_is_refused_in_one_line(capsys, words, told):
    assert main(["train", *words]) == 2
    said = capsys.readouterr().err
    assert told in said and said.count("\n") == 1


def test_missing_packages_are_told_with_the_command_that_brings_them(capsys, monkeypatch):
    monkeypatch.setattr("lab.commands.train.find_spec", lambda name: None)
    assert main(["train", "locator"]) == 2
    said = capsys.readouterr().err
    assert "no torch and no ultralytics" in said and "make setup-train" in said


def test_nothing_but_training_imports_torch():
    rooms = "vision.recognition.eyes, vision.scene.watcher, calibration.deck.teach"
    code = f"import sys, kiosk.cli as c, {rooms}; c.build_parser(); print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
