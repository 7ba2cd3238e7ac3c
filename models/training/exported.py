"""Reads a committed locator's weights back into a network that can be trained.

The ONNX file holds convolutions with their normalisation folded in, filled up with zeros and
partly split (`aligned.py`). Here the zeros go, the parts come together, and the normalisation is
measured anew, so that a training step sees the same values as before.
"""

import re
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper

from models.training.locator import WIDTH, point_with_arrows

PART = re.compile(r"^(.*/Conv)/(\d+)$")  # of a convolution that was split: where its channels start
NORM_MOMENTUM = 0.03  # of the running mean; ultralytics' value
NORM_EPS = 1e-3  # likewise


def build_network(width: tuple[float, float, int] = WIDTH) -> Any:
    """The locator's torch network with random weights and normalisation, one class."""
    import torch
    import ultralytics
    import yaml
    from ultralytics.nn.tasks import OBBModel

    point_with_arrows(torch)
    config = yaml.safe_load(
        (Path(ultralytics.__file__).parent / "cfg/models/26/yolo26-obb.yaml").read_text()
    )
    config |= {"nc": 1, "end2end": False, "scales": {"p": list(width)}, "scale": "p"}
    config |= {"yaml_file": "yolo26p-obb.yaml"}
    return OBBModel(config, nc=1, verbose=False)


def load_exported(network: Any, path: Path, pictures: Any) -> None:
    """Puts the weights of the ONNX file at `path` into `network` (of `build_network`).

    `pictures`: (N, 3, H, W) float tensor, 0..1, of training pictures; the normalisation is measured
    on them. Raises ValueError where file and network differ.
    """
    kernels = read_convolutions(path)
    for name, module in _convolutions(network):
        if name not in kernels:
            raise ValueError(f"expected the convolution {name} in {path.name}, found none")
        kernel, bias = without_filling(*kernels[name], tuple(module.weight.shape))
        _set(module, kernel, bias)
    measure_normalisation(network, pictures)


def read_convolutions(path: Path) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Kernels and biases by the module's name; parts of a split convolution put together."""
    graph = onnx.load(str(path)).graph
    weights = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    parts: dict[str, dict[int, tuple[np.ndarray, np.ndarray]]] = {}
    for node in graph.node:
        if node.op_type != "Conv":
            continue
        split = PART.match(node.name)
        name, start = (split[1], int(split[2])) if split else (node.name, 0)
        pair = (weights[node.input[1]], weights[node.input[2]])
        parts.setdefault(module_name(name), {})[start] = pair
    return {name: _joined(found) for name, found in parts.items()}


def module_name(node: str) -> str:
    """The torch module of a node, `/model.6/m.0/m/m.1/cv1/conv/Conv` → `model.6.m.0.m.1.cv1.conv`:
    a step that begins with the step before it repeats it."""
    steps: list[str] = []
    for step in node.strip("/").split("/")[:-1]:
        if steps and step.startswith(steps[-1] + "."):
            steps.pop()
        steps.append(step)
    return ".".join(steps)


def _joined(parts: dict[int, tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """One kernel of all parts: each gives the channels up to where the next one starts."""
    starts = sorted(parts)
    ends = [*starts[1:], starts[-1] + len(parts[starts[-1]][0])]
    chosen = [(parts[a], b - a) for a, b in zip(starts, ends, strict=True)]
    return (
        np.concatenate([kernel[:n] for (kernel, _), n in chosen]),
        np.concatenate([bias[:n] for (_, bias), n in chosen]),
    )


def without_filling(
    kernel: np.ndarray, bias: np.ndarray, shape: tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray]:
    """Kernel of `shape` and its bias without the channels that were filled up with zeros. Raises
    ValueError if other channels than zeros would go."""
    if shape[1] == 1 and kernel.shape[1] == 1 and len(kernel) != shape[0]:  # channel by channel
        is_used = np.abs(kernel).max((1, 2, 3)) > 0
        kernel, bias = kernel[is_used], bias[is_used]
    else:
        if np.abs(kernel[shape[0] :]).max(initial=0) > 0:
            raise ValueError(f"expected zeros from channel {shape[0]} on, found weights")
        kernel, bias = kernel[: shape[0]], bias[: shape[0]]
        if kernel.shape[1] != shape[1]:
            kernel = kernel[:, np.abs(kernel).max((0, 2, 3)) > 0]
    if kernel.shape != shape:
        raise ValueError(f"expected a kernel of {shape}, found {kernel.shape}")
    return kernel, bias


def _convolutions(network: Any) -> Any:
    import torch

    for name, module in network.named_modules():
        if isinstance(module, torch.nn.Conv2d):
            yield name, module


def _set(module: Any, kernel: np.ndarray, bias: np.ndarray) -> None:
    """The weights of a convolution; a bias that it has no place for waits in `folded_bias`."""
    import torch

    with torch.no_grad():
        module.weight.copy_(torch.from_numpy(np.array(kernel)))
        if module.bias is not None:
            module.bias.copy_(torch.from_numpy(np.array(bias)))
        else:
            module.folded_bias = torch.from_numpy(np.array(bias))


def measure_normalisation(network: Any, pictures: Any) -> None:
    """Sets each normalisation to the mean and spread of what it gets on `pictures`, and its scale
    and shift such that it changes nothing but to add the folded bias.

    In training it then computes what the folded network did, up to the mean of the batch.
    """
    import torch
    from ultralytics.nn.modules.conv import Conv

    def on_first_pass(block: Any, given: Any) -> None:
        with torch.no_grad():
            made = block.conv(given[0])
            norm, bias = block.bn, block.conv.folded_bias
            variance, mean = torch.var_mean(made, (0, 2, 3))
            norm.eps, norm.momentum = NORM_EPS, NORM_MOMENTUM
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(variance)
            norm.weight.copy_((variance + norm.eps).sqrt())
            norm.bias.copy_(mean + bias)
        del block.conv.folded_bias

    hooks = [
        module.register_forward_pre_hook(on_first_pass)
        for module in network.modules()
        if isinstance(module, Conv)
    ]
    network.eval()
    with torch.no_grad():
        network(pictures)
    for hook in hooks:
        hook.remove()
