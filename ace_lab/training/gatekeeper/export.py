"""From a checkpoint to the shipped graph: ONNX export, then weights in eight bits.

Needs the extra `train` (torch, transformers, onnx, onnxscript).
docs/decisions/0003-gatekeeper-quantisation.md explains the quantisation: matrix products have int8 weights
with a scale per column and quantise their activations dynamically; the embedding table is int8 with a scale
per row. Such a graph must run one claim at a time (gatekeeper.json says `"alone": true`), because its
activations share one scale and its attention ignores the mask.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ace.claims.taxonomy import LABELS

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_OPSET = 18
# The first with Attention, which runs a fifth faster than its parts. Of what the exporter makes of rotary
# positions in it, ONNX Runtime refuses some.
_OPSET_OF_PLAIN = 23
_SEVEN_BITS = 63.0


def to_onnx(checkpoint: Path, target: Path) -> None:
    """Exports a checkpoint directory to an fp32 graph with dynamic batch and length.

    Inputs are INPUTS, int64 of shape (batch, width). Outputs are "logits", float of shape (batch, 6),
    and, where the checkpoint classifies tokens, "positions", int64 of the same shape: the token whose
    logit each is.
    """
    import onnx
    import torch

    from ace.gatekeeper.torch_engine import load_scorer
    from ace_lab.training.gatekeeper.attention import PLAIN_ENCODERS

    config = json.loads((checkpoint / "config.json").read_text(encoding="utf-8"))
    plain = config["model_type"] in PLAIN_ENCODERS
    graph = _as_graph(load_scorer(checkpoint, attn_implementation="sdpa" if plain else "eager"))
    batch, width = torch.export.Dim("batch"), torch.export.Dim("width")
    example = torch.ones(2, 24, dtype=torch.int64)
    program = torch.onnx.export(
        graph,
        (example, example.clone(), torch.zeros_like(example)),
        input_names=list(INPUTS),
        output_names=["logits", "positions"] if graph.scorer.of_tokens else ["logits"],
        dynamic_shapes=tuple({0: batch, 1: width} for _ in INPUTS),
        opset_version=_OPSET_OF_PLAIN if plain else _OPSET,
        dynamo=True,
        verbose=False,
    )
    if program is None:
        raise RuntimeError("the exporter returned no program")
    beside = target.with_name(f"{target.name}.tmp")
    program.save(str(beside), external_data=False)
    model = onnx.load(str(beside))
    strip_traces(model)
    onnx.save(model, str(beside))
    beside.replace(target)


def _as_graph(scorer: Any) -> Any:
    """A module whose forward gives the graph's outputs from one pass of the encoder."""
    import torch

    from ace.gatekeeper.torch_engine import own_logits

    class Graph(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.scorer = scorer

        def forward(
            self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
        ) -> Any:
            found = scorer.raw(input_ids, attention_mask, token_type_ids)
            if not scorer.of_tokens:
                return found
            found = own_logits(found, attention_mask, token_type_ids)
            return found.amax(dim=1), found.argmax(dim=1)

    return Graph().eval()


def strip_traces(model: Any) -> None:
    """Drops what the exporter notes beside each node: Python stack traces with this machine's paths."""
    for part in (model, model.graph, *model.graph.node, *model.graph.value_info):
        part.doc_string = ""
        del part.metadata_props[:]
    for part in (*model.graph.input, *model.graph.output, *model.graph.initializer):
        part.doc_string = ""
        del part.metadata_props[:]


def to_int8(source: Path, target: Path) -> None:
    """Rewrites an fp32 graph: products with constant weights and the embedding table in 8 bits.

    Biases are added inside the products, and attention takes its heads as they lie. Small constants
    (biases, norms, the six rows of the head, positions) stay in fp32.
    """
    import onnx

    from ace_lab.training.gatekeeper.activation_smoothing import smooth_activations

    model = onnx.load(str(source))
    graph = model.graph
    smooth_activations(model)
    constants = {item.name: item for item in graph.initializer}
    nodes: list[Any] = []
    for node in graph.node:
        weight = _constant(node, constants, onnx)
        if node.op_type == "MatMul" and weight is not None and weight.shape[1] > len(LABELS):
            nodes.append(_product(node, weight, graph, onnx))
        elif node.op_type == "Gather" and weight is not None and weight.size > 2**20:
            nodes.extend(_rows(node, weight, graph, onnx))
        else:
            nodes.append(node)
    nodes = _needed(_with_whole_heads(_with_biases(nodes, constants), graph, onnx), graph)
    del graph.node[:]
    graph.node.extend(nodes)
    used = {name for node in graph.node for name in node.input}
    kept = [item for item in graph.initializer if item.name in used]
    del graph.initializer[:]
    graph.initializer.extend(kept)
    del graph.value_info[:]  # shapes inferred for the old nodes contradict the new ones
    model.opset_import.append(onnx.helper.make_opsetid("com.microsoft", 1))
    beside = target.with_name(f"{target.name}.tmp")
    onnx.save(model, str(beside))
    beside.replace(target)


def quantised_columns(
    weight: NDArray[np.float32],
) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Weights (K, N) as int8 of seven bits with one scale per column, shape (N,).

    Seven bits, because processors without VNNI add pairs of 8-bit products in 16 bits and would
    saturate: scores would depend on the machine.
    """
    scales = np.maximum(np.abs(weight).max(axis=0), 1e-12) / _SEVEN_BITS
    codes = np.clip(np.rint(weight / scales), -_SEVEN_BITS, _SEVEN_BITS).astype(np.int8)
    return codes, scales.astype(np.float32)


def quantised_rows(weight: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """A table (rows, width) as int8 with one scale per row, shape (rows, 1)."""
    scales = np.maximum(np.abs(weight).max(axis=1, keepdims=True), 1e-12) / 127.0
    codes = np.clip(np.rint(weight / scales), -127, 127).astype(np.int8)
    return codes, scales.astype(np.float32)


def _constant(node: Any, constants: dict[str, Any], onnx: Any) -> NDArray[np.float32] | None:
    """The node's float matrix, if its weight is a constant of two dimensions."""
    position = {"MatMul": 1, "Gather": 0}.get(node.op_type)
    if position is None or node.input[position] not in constants:
        return None
    array: NDArray[np.float32] = onnx.numpy_helper.to_array(constants[node.input[position]])
    return array if array.ndim == 2 and array.dtype == np.float32 else None


def _product(node: Any, weight: NDArray[np.float32], graph: Any, onnx: Any) -> Any:
    codes, scales = quantised_columns(weight)
    name = node.input[1]
    graph.initializer.append(onnx.numpy_helper.from_array(codes, f"{name}_codes"))
    graph.initializer.append(onnx.numpy_helper.from_array(scales, f"{name}_scales"))
    return onnx.helper.make_node(
        "DynamicQuantizeMatMul",
        [node.input[0], f"{name}_codes", f"{name}_scales"],
        list(node.output),
        name=node.name,
        domain="com.microsoft",
    )


def _with_biases(nodes: list[Any], constants: dict[str, Any]) -> list[Any]:
    """The nodes with each constant bias added inside the product before it, which saves a pass."""
    users: dict[str, list[Any]] = {}
    for node in nodes:
        for name in node.input:
            users.setdefault(name, []).append(node)
    merged: set[str] = set()
    for node in nodes:
        after = users.get(node.output[0], [])
        if node.op_type == "DynamicQuantizeMatMul" and [each.op_type for each in after] == ["Add"]:
            (bias,) = (name for name in after[0].input if name != node.output[0])
            if bias in constants and len(constants[bias].dims) == 1:
                node.input.extend(["", bias])  # the fourth input, a zero point, is left out
                node.output[0] = after[0].output[0]
                merged.add(after[0].name)
    return [node for node in nodes if node.op_type != "Add" or node.name not in merged]


def _with_whole_heads(nodes: list[Any], graph: Any, onnx: Any) -> list[Any]:
    """The nodes with attention over (batch, width, hidden), heads side by side, and without its mask.

    The operator finds the heads itself, which saves four passes to bring them forward and back; and a
    claim that is run by itself has no padding to hide.
    """
    makers = {name: node for node in nodes for name in node.output}
    shapes = {each.name: each.type.tensor_type.shape.dim for each in graph.value_info}
    whole: dict[str, Any] = {}
    for node in nodes:
        if node.op_type == "Reshape" and _steps(node, makers, 2) == ["Transpose", "Attention"]:
            attention = makers[makers[node.input[0]].input[0]]
            given = attention.input[:3]
            if all(_steps(makers[name], makers, 1) == ["Reshape"] for name in given):
                count = shapes[given[0]][1].dim_value  # (batch, heads, width, size)
                (scale,) = (each.f for each in attention.attribute if each.name == "scale")
                whole[node.output[0]] = onnx.helper.make_node(
                    "Attention",
                    [makers[makers[name].input[0]].input[0] for name in given],
                    list(node.output),
                    name=attention.name,
                    q_num_heads=count,
                    kv_num_heads=count,
                    scale=scale,
                )
    return [whole.get(node.output[0], node) for node in nodes]


def _steps(node: Any, makers: dict[str, Any], count: int) -> list[str]:
    """The operators that the first input of a node went through, the last first."""
    found: list[str] = []
    while len(found) < count and node.input[0] in makers:
        node = makers[node.input[0]]
        found.append(node.op_type)
    return found


def _needed(nodes: list[Any], graph: Any) -> list[Any]:
    """The nodes that the outputs of the graph rest on."""
    wanted = {each.name for each in graph.output}
    kept = []
    for node in reversed(nodes):
        if not wanted.isdisjoint(node.output):
            wanted.update(node.input)
            kept.append(node)
    return kept[::-1]


def _rows(node: Any, weight: NDArray[np.float32], graph: Any, onnx: Any) -> list[Any]:
    codes, scales = quantised_rows(weight)
    name, ids, out = node.input[0], node.input[1], node.output[0]
    graph.initializer.append(onnx.numpy_helper.from_array(codes, f"{name}_codes"))
    graph.initializer.append(onnx.numpy_helper.from_array(scales, f"{name}_scales"))
    make = onnx.helper.make_node
    return [
        make("Gather", [f"{name}_codes", ids], [f"{out}_codes"], axis=0),
        make("Cast", [f"{out}_codes"], [f"{out}_float"], to=onnx.TensorProto.FLOAT),
        make("Gather", [f"{name}_scales", ids], [f"{out}_scales"], axis=0),
        make("Mul", [f"{out}_float", f"{out}_scales"], [out]),
    ]
