"""Rewrites an exported network so that it computes the same with less copying.

ONNX Runtime keeps sixteen channels side by side, and sorts all values back and forth wherever a
layer's channels are no multiple of that, or where they are split. So the channels are filled up
with zeros, and a convolution whose channels are split becomes two.
"""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
import onnx
from onnx import numpy_helper

BLOCK = 16  # channels that lie side by side
# Channel by channel. A zero's sigmoid is none, but it is used only times that zero.
PASSING = ("Add", "MaxPool", "Mul", "Resize", "Sigmoid")


def aligned(network: onnx.ModelProto) -> onnx.ModelProto:
    """A copy of the network with the same inputs, outputs and values, but aligned channels.

    Knows convolutions with SiLU (x times its sigmoid) or nothing after them, sums, concatenations,
    pooling and enlarging; all else has to lie behind channels that are aligned already. Raises
    ValueError where that is not so.
    """
    made = onnx.ModelProto()
    made.CopyFrom(network)
    weights = {one.name: numpy_helper.to_array(one) for one in made.graph.initializer}
    _split_convolutions(made.graph, weights)
    _fill_up(made.graph, weights)
    used = {name for node in made.graph.node for name in node.input}
    del made.graph.initializer[:], made.graph.value_info[:]
    made.graph.initializer.extend(
        numpy_helper.from_array(np.asarray(array, order="C"), name)
        for name, array in weights.items()
        if name in used
    )
    onnx.checker.check_model(made)
    return made


def _split_convolutions(graph: onnx.GraphProto, weights: dict[str, np.ndarray]) -> None:
    """Instead of a convolution, SiLU and a split of its channels: one of each for each part."""
    makers = {name: node for node in graph.node for name in node.output}
    users = defaultdict(list)
    for node in graph.node:
        for name in node.input:
            users[name].append(node)
    gone: set[str] = set()
    instead: dict[str, list[onnx.NodeProto]] = {}
    for split in graph.node:
        product = makers.get(split.input[0]) if split.op_type == "Split" else None
        if product is None or product.op_type != "Mul" or _axis(split) != 1:
            continue
        conv = next((makers[x] for x in product.input if makers[x].op_type == "Conv"), None)
        sigmoid = next((makers[x] for x in product.input if makers[x].op_type == "Sigmoid"), None)
        if conv is None or sigmoid is None or len(users[split.input[0]]) > 1:
            continue
        start, parts = 0, []
        for size, out in zip(weights[split.input[1]], split.output, strict=True):
            part = onnx.NodeProto()
            part.CopyFrom(conv)
            part.name, part.output[0] = f"{conv.name}/{start}", f"{conv.output[0]}/{start}"
            for k in (1, 2):
                part.input[k] = f"{conv.input[k]}/{start}"
                weights[part.input[k]] = weights[conv.input[k]][start : start + size]
            sure = onnx.helper.make_node("Sigmoid", [part.output[0]], [f"{part.output[0]}/sigmoid"])
            parts += [part, sure]
            parts += [onnx.helper.make_node("Mul", [part.output[0], sure.output[0]], [out])]
            start += size
        gone |= {conv.output[0], sigmoid.output[0], product.output[0]}
        instead[split.output[0]] = parts
    nodes = []
    for node in graph.node:
        if node.output[0] not in gone:
            nodes += instead.get(node.output[0], [node])
    del graph.node[:]
    graph.node.extend(nodes)


@dataclass(frozen=True, slots=True)
class _Lay:
    """Where a tensor's channels lie (C,) among as many as there are now."""

    places: np.ndarray
    among: int

    @property
    def is_filled(self) -> bool:
        """Whether there are more than there were."""
        return self.among > len(self.places)


def _fill_up(graph: onnx.GraphProto, weights: dict[str, np.ndarray]) -> None:
    """Gives every convolution a multiple of BLOCK channels, those of the outputs apart."""
    ends = {one.name for one in graph.output}
    lays: dict[str, _Lay] = {}
    for node in graph.node:
        out = node.output[0]
        known = [lays[name] for name in node.input if name in lays]
        if node.op_type == "Conv":
            lays[out] = _fill_convolution(node, weights, lays.get(node.input[0]), out in ends)
        elif node.op_type == "Concat" and len(known) == len(node.input):
            starts = np.cumsum([0, *(lay.among for lay in known)])
            parts = [lay.places + start for lay, start in zip(known, starts, strict=False)]
            lays[out] = _Lay(np.concatenate(parts), int(starts[-1]))
        elif node.op_type in PASSING and known:
            if any(not np.array_equal(lay.places, known[0].places) for lay in known[1:]):
                raise ValueError(f"{node.name}: channels that lie in different places")
            lays[out] = known[0]
        elif any(lay.is_filled for lay in known):
            raise ValueError(f"{node.name}: {node.op_type} of channels that were filled up")


def _fill_convolution(
    node: onnx.NodeProto, weights: dict[str, np.ndarray], given: _Lay | None, is_end: bool
) -> _Lay:
    """Widens a convolution for the channels that it is given, and fills up those that it makes."""
    kernel, bias = (weights[name] for name in node.input[1:3])
    made = len(kernel)
    groups = [a for a in node.attribute if a.name == "group" and a.i > 1]
    given = given or _Lay(np.arange(made if groups else kernel.shape[1]), 0)
    wide = max(given.among, len(given.places))
    if groups:  # each channel for itself
        if made != len(given.places) or kernel.shape[1] != 1:
            raise ValueError(f"{node.name}: groups of several channels")
        lay = _Lay(given.places, wide)
        filled = np.zeros((wide, *kernel.shape[1:]), np.float32)
        filled[given.places] = kernel
        groups[0].i = wide
    else:
        lay = _Lay(np.arange(made), made + (0 if is_end else -made % BLOCK))
        filled = np.zeros((lay.among, wide, *kernel.shape[2:]), np.float32)
        filled[:made, given.places] = kernel
    node.input[1], node.input[2] = f"{node.name}/weights", f"{node.name}/bias"
    weights[node.input[1]] = filled
    weights[node.input[2]] = np.zeros(lay.among, np.float32)
    weights[node.input[2]][lay.places] = bias
    return lay


def _axis(node: onnx.NodeProto) -> int:
    return next((a.i for a in node.attribute if a.name == "axis"), 0)
