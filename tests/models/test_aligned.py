"""A network rewritten for its export gives the same values, or is refused."""

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

from models.training import locator_export
from models.training.aligned import BLOCK, aligned
from models.training.locator_export import without_reading
from vision.networks import locator

RNG_SEED = 4


class Sketch:
    """A small network, layer by layer."""

    def __init__(self):
        self.rng = np.random.default_rng(RNG_SEED)
        self.nodes, self.weights = [], []

    def add(self, kind, inputs, outs, **how):
        self.nodes.append(helper.make_node(kind, inputs, outs, name=outs[0], **how))
        return outs[0]

    def constant(self, name, array):
        self.weights.append(numpy_helper.from_array(array, name))
        return name

    def conv(self, x, out, given, made, group=1):
        shape = (made, given // group, 3, 3)
        kernel = self.constant(f"{out}.w", self.rng.normal(0, 0.3, shape).astype(np.float32))
        bias = self.constant(f"{out}.b", self.rng.normal(0, 1, made).astype(np.float32))
        return self.add("Conv", [x, kernel, bias], [out], pads=[1, 1, 1, 1], group=group)

    def silu(self, x):
        return self.add("Mul", [x, self.add("Sigmoid", [x], [f"{x}.s"])], [f"{x}.a"])

    def network(self, *ends):
        def value(name, channels):
            return helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, channels, "h", "w"])

        graph = helper.make_graph(
            self.nodes, "sketch", [value("x", 3)], [value(*end) for end in ends], self.weights
        )
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def block_of_a_locator():
    """Channels split, a bottleneck of six with a way around it, a layer of single channels."""
    made = Sketch()
    whole = made.silu(made.conv("x", "first", 3, 24))
    sizes = made.constant("sizes", np.array([12, 12], np.int64))
    made.add("Split", [whole, sizes], ["left", "right"], axis=1)
    narrow = made.silu(made.conv("right", "narrow", 12, 6))
    wide = made.add("Add", ["right", made.silu(made.conv(narrow, "wide", 6, 12))], ["sum"])
    together = made.add("Concat", ["left", "right", wide], ["together"], axis=1)
    alone = made.silu(made.conv(together, "alone", 36, 36, group=36))
    made.conv(alone, "end", 36, 5)
    return made.network(("end", 5))


def run(network, x):
    return onnxruntime.InferenceSession(network.SerializeToString()).run(None, {"x": x})


def test_the_values_stay_the_same():
    network = block_of_a_locator()
    x = np.random.default_rng(RNG_SEED).normal(0, 1, (1, 3, 12, 20)).astype(np.float32)
    (before,), (after,) = run(network, x), run(aligned(network), x)
    assert before.shape == after.shape == (1, 5, 12, 20)
    assert np.abs(before).max() > 1
    assert after == pytest.approx(before, abs=1e-4)


def test_nothing_is_split_and_all_channels_but_the_outputs_are_aligned():
    network = aligned(block_of_a_locator())
    assert "Split" not in {node.op_type for node in network.graph.node}
    shapes = {one.name: tuple(one.dims) for one in network.graph.initializer}
    made = {n.output[0]: shapes[n.input[1]][0] for n in network.graph.node if n.op_type == "Conv"}
    assert made.pop("end") == 5
    assert made and all(channels % BLOCK == 0 for channels in made.values())


def test_what_would_see_the_zeros_is_refused():
    made = Sketch()
    made.add("Softmax", [made.conv("x", "ten", 3, 10)], ["end"], axis=1)
    with pytest.raises(ValueError, match="Softmax of channels that were filled up"):
        aligned(made.network(("end", 10)))


def test_the_network_given_stays_as_it_was():
    network = block_of_a_locator()
    before = network.SerializeToString()
    aligned(network)
    assert network.SerializeToString() == before
    onnx.checker.check_model(network)


def test_a_locator_ends_at_its_heads_maps_level_by_level():
    made = Sketch()
    for head, channels in (("cv4", 2), ("cv2", 4), ("cv3", 1)):
        for level in (1, 0):
            made.conv("x", f"/model.23/{head}.{level}/{head}.{level}.2/Conv_output_0", 3, channels)
    made.add("Sigmoid", ["/model.23/cv3.0/cv3.0.2/Conv_output_0"], ["end"])
    cut = without_reading(made.network(("end", 1)))
    assert [one.name.split("/")[2] for one in cut.graph.output] == [
        "cv2.0", "cv3.0", "cv4.0", "cv2.1", "cv3.1", "cv4.1"]  # fmt: skip
    assert "Sigmoid" not in {node.op_type for node in cut.graph.node}
    x = np.random.default_rng(RNG_SEED).normal(0, 1, (1, 3, 8, 8)).astype(np.float32)
    assert [one.shape[1] for one in run(cut, x)] == [4, 1, 2, 4, 1, 2]


def test_what_is_exported_is_what_the_locator_reads():
    assert locator_export.VERSION == locator.VERSION
