"""From a checkpoint to the shipped graph: ONNX export, then weights in eight bits.

Needs the extra `train` (torch, transformers, onnx, onnxscript). What is quantised how, and why, is
docs/decisions/0003-gatekeeper-quantisation.md: matrix products take int8 weights with a scale per
column and quantise their activations as they come; the embedding table is int8 with a scale per
row. Such a graph must be run one claim at a time (gatekeeper.json says `"alone": true`).
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ace.claims.taxonomy import LABELS

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_OPSET = 18
_SEVEN_BITS = 63.0


def to_onnx(checkpoint: Path, target: Path) -> None:
    """Exports a checkpoint directory to an fp32 graph with dynamic batch and length.

    Inputs are INPUTS, int64 of shape (batch, width); the output is "logits", shape (batch, 6).
    """
    import onnx
    import torch

    from ace.gatekeeper.torch_engine import load_scorer

    scorer = load_scorer(checkpoint, attn_implementation="eager")
    batch, width = torch.export.Dim("batch"), torch.export.Dim("width")
    example = torch.ones(2, 24, dtype=torch.int64)
    program = torch.onnx.export(
        scorer,
        (example, example.clone(), torch.zeros_like(example)),
        input_names=list(INPUTS),
        output_names=["logits"],
        dynamic_shapes=tuple({0: batch, 1: width} for _ in INPUTS),
        opset_version=_OPSET,
        dynamo=True,
        verbose=False,
    )
    if program is None:
        raise RuntimeError("the exporter returned no program")
    program.save(str(target), external_data=False)
    model = onnx.load(str(target))
    strip_traces(model)
    onnx.save(model, str(target))


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

    Small constants (biases, norms, the six rows of the head, positions) stay in fp32.
    """
    import onnx

    model = onnx.load(str(source))
    graph = model.graph
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
    del graph.node[:]
    graph.node.extend(nodes)
    used = {name for node in graph.node for name in node.input}
    kept = [item for item in graph.initializer if item.name in used]
    del graph.initializer[:]
    graph.initializer.extend(kept)
    del graph.value_info[:]  # shapes inferred for the old nodes contradict the new ones
    model.opset_import.append(onnx.helper.make_opsetid("com.microsoft", 1))
    onnx.save(model, str(target))


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
