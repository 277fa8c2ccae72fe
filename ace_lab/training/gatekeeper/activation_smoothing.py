"""Scales down the encoder channels that are far larger than all others before they are quantised.

An eight-bit graph has one step size for all activations of a product. In such encoders a few channels reach
several times the magnitude of the others, whatever the text, and their range makes the step coarse for all.
Dividing such a channel and multiplying its row of weights leaves the result unchanged (Xiao et al.,
SmoothQuant, arXiv 2211.10438; here only for channels where it pays). Needs the extra `train` (onnx).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ace.claims.taxonomy import LABELS

_TEXTS, _WIDTH = 32, 48
_ORDINARY = 4
"""The fourth largest channel counts as ordinary; larger ones are scaled down to it."""

_LEAST = 2.5
"""The minimum reduction of the range that is worth the extra division."""


def smooth_activations(model: Any) -> None:
    """Adds a division before each product with constant weights whose largest channels stand out."""
    import onnx

    graph = model.graph
    constants = {item.name: item for item in graph.initializer}
    products = [
        node
        for node in graph.node
        if node.op_type == "MatMul" and node.input[1] in constants
        if constants[node.input[1]].dims[-1] > len(LABELS)
    ]
    divisors = {
        name: divisor
        for name, peaks in _peaks(model, sorted({node.input[0] for node in products})).items()
        if (divisor := _divisor(peaks)).max() >= _LEAST
    }
    for node in products:
        if node.input[0] in divisors:
            weight = onnx.numpy_helper.to_array(constants[node.input[1]])
            eased = weight * divisors[node.input[0]][:, None]
            constants[node.input[1]].CopyFrom(onnx.numpy_helper.from_array(eased, node.input[1]))
            node.input[0] = f"{node.input[0]}_eased"
    nodes = []
    for node in graph.node:
        nodes.append(node)
        for name in node.output:
            if name in divisors:
                factor = onnx.numpy_helper.from_array(1 / divisors[name], f"{name}_factors")
                graph.initializer.append(factor)
                nodes.append(
                    onnx.helper.make_node("Mul", [name, factor.name], [f"{name}_eased"], name=f"{name}_eased")
                )
    del graph.node[:]
    graph.node.extend(nodes)


def _divisor(peaks: NDArray[np.float32]) -> NDArray[np.float32]:
    """Per channel: 1, or the factor that scales it down to an ordinary one."""
    ordinary = np.sort(peaks)[-min(_ORDINARY, len(peaks))]
    divisor: NDArray[np.float32] = np.maximum(peaks / max(float(ordinary), 1e-12), 1.0).astype(np.float32)
    return divisor


def _peaks(model: Any, names: list[str]) -> dict[str, NDArray[np.float32]]:
    """The largest magnitude that each channel of these activations reaches, by activation.

    Measured on random tokens: the outliers are a property of the encoder and appear on any text.
    """
    import onnx
    import onnxruntime

    probe = onnx.ModelProto()
    probe.CopyFrom(model)
    del probe.graph.output[:]
    probe.graph.output.extend(onnx.helper.make_empty_tensor_value_info(name) for name in names)
    session = onnxruntime.InferenceSession(probe.SerializeToString(), providers=["CPUExecutionProvider"])
    shape = (_TEXTS, _WIDTH)
    segments = np.broadcast_to(np.arange(_WIDTH) >= _WIDTH // 2, shape).astype(np.int64)
    tokens = np.random.default_rng(0).integers(0, _vocabulary(model.graph), shape)
    given = {"input_ids": tokens, "attention_mask": np.ones_like(tokens), "token_type_ids": segments}
    inputs = {each.name: given[each.name] for each in session.get_inputs()}
    found = session.run(names, inputs)
    return {
        name: np.abs(each).reshape(-1, each.shape[-1]).max(axis=0)
        for name, each in zip(names, found, strict=True)
    }


def _vocabulary(graph: Any) -> int:
    """Rows of the table that token ids are looked up in."""
    sizes = {item.name: item.dims for item in graph.initializer}
    looked_up = (
        node.input[0] for node in graph.node if node.op_type == "Gather" and "input_ids" in node.input
    )
    return int(next(sizes[name][0] for name in looked_up if name in sizes))
