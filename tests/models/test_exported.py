"""A locator's committed weights, read back, compute the same; what does not fit is refused."""

import subprocess
import sys

import numpy as np
import pytest

from models.training.exported import _joined, module_name, without_filling


@pytest.mark.parametrize(
    ("node", "module"),
    [
        ("/model.0/conv/Conv", "model.0.conv"),
        ("/model.6/m.0/m/m.1/cv1/conv/Conv", "model.6.m.0.m.1.cv1.conv"),
        ("/model.22/m.0/m.0.1/attn/qkv/conv/Conv", "model.22.m.0.1.attn.qkv.conv"),
        ("/model.23/cv3.1/cv3.1.1/cv3.1.1.0/conv/Conv", "model.23.cv3.1.1.0.conv"),
        ("/model.23/cv2.2/cv2.2.2/Conv", "model.23.cv2.2.2"),
    ],
)
def test_a_node_names_its_module(node, module):
    assert module_name(node) == module


def test_channels_that_were_filled_up_go():
    rng = np.random.default_rng(1)
    kernel, bias = rng.normal(0, 1, (6, 5, 3, 3)), rng.normal(0, 1, 6)
    filled, places = np.zeros((16, 32, 3, 3)), [0, 1, 2, 16, 17]
    filled[:6, places] = kernel
    got = without_filling(filled, np.pad(bias, (0, 10)), kernel.shape)
    assert np.array_equal(got[0], kernel) and np.array_equal(got[1], bias)


def test_single_channels_keep_those_that_are_used():
    kernel = np.random.default_rng(1).normal(0, 1, (4, 1, 3, 3))
    filled, bias = np.zeros((32, 1, 3, 3)), np.zeros(32)
    filled[[0, 1, 16, 17]], bias[[0, 1, 16, 17]] = kernel, [1, 2, 3, 4]
    got = without_filling(filled, bias, kernel.shape)
    assert np.array_equal(got[0], kernel) and got[1].tolist() == [1, 2, 3, 4]


def test_weights_that_would_go_are_refused():
    with pytest.raises(ValueError, match="expected zeros from channel 2 on"):
        without_filling(np.ones((4, 3, 1, 1)), np.ones(4), (2, 3, 1, 1))
    with pytest.raises(ValueError, match="expected a kernel of"):
        without_filling(np.ones((2, 3, 1, 1)), np.ones(2), (2, 4, 1, 1))


def test_parts_come_together_where_they_start():
    first, second = (np.full((16, 2), 1.0), np.ones(16)), (np.full((12, 2), 2.0), np.ones(12))
    kernel, bias = _joined({12: second, 0: first})
    assert kernel[:, 0].tolist() == [1.0] * 12 + [2.0] * 12 and len(bias) == 24


READING = """
import numpy as np, torch
from models.training.exported import build_network, load_exported
from models.weights import LOCATOR
from vision.networks.engine import Engine
from vision.networks.locator import VERSION
torch.set_num_threads(1)
pictures = torch.rand(4, 3, 128, 160, generator=torch.Generator().manual_seed(2))
network = build_network()
load_exported(network, LOCATOR, pictures)
with torch.no_grad():
    made = network.eval()(pictures[:1])[1]
maps = Engine(LOCATOR, VERSION, 1).run(pictures[:1].numpy())
for name, first in (("boxes", 0), ("scores", 1)):
    want = np.concatenate([m.reshape(m.shape[1], -1) for m in maps[first::3]], 1)
    print(float(np.abs(want - made[name][0].numpy()).max()), float(np.abs(want).max()))
"""


@pytest.mark.train
def test_the_committed_locator_computes_the_same_when_read_back():
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", READING], capture_output=True,
                          text=True, timeout=300, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines() if line.count(".") == 2]
    for off, most in rows[-2:]:
        assert float(off) < 1e-3 * float(most) and float(most) > 1
