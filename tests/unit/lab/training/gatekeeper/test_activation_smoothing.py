"""Channels that stand out are made smaller before they are rounded, and the graph says the same."""

from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest

from ace_lab.training.gatekeeper.activation_smoothing import smooth_activations

WORDS, WIDTH, HIDDEN = 50, 8, 16


def graph(*, loud: int | None) -> Any:
    """A table of words, a product, a GELU, and a product to eight; one channel between may be loud."""
    draw = np.random.default_rng(5)
    table = draw.normal(size=(WORDS, WIDTH)).astype(np.float32)
    first = draw.normal(size=(WIDTH, HIDDEN)).astype(np.float32)
    if loud is not None:
        first[:, loud] *= 40.0
    second = draw.normal(size=(HIDDEN, 8)).astype(np.float32)
    make = onnx.helper.make_node
    nodes = [
        make("Gather", ["table", "input_ids"], ["words"], axis=0),
        make("MatMul", ["words", "first"], ["dense"]),
        make("Gelu", ["dense"], ["gelu"]),
        make("MatMul", ["gelu", "second"], ["logits"]),
    ]
    number, real = onnx.TensorProto.INT64, onnx.TensorProto.FLOAT
    given = [onnx.helper.make_tensor_value_info("input_ids", number, ["batch", "width"])]
    made = [onnx.helper.make_tensor_value_info("logits", real, ["batch", "width", 8])]
    constants = [
        onnx.numpy_helper.from_array(array, name)
        for name, array in (("table", table), ("first", first), ("second", second))
    ]
    built = onnx.helper.make_graph(nodes, "small", given, made, constants)
    return onnx.helper.make_model(built, opset_imports=[onnx.helper.make_opsetid("", 20)], ir_version=10)


def outputs(model: Any, *names: str) -> list[Any]:
    probe = onnx.ModelProto()
    probe.CopyFrom(model)
    del probe.graph.output[:]
    probe.graph.output.extend(onnx.helper.make_empty_tensor_value_info(name) for name in names)
    session = onnxruntime.InferenceSession(probe.SerializeToString(), providers=["CPUExecutionProvider"])
    return list(session.run(list(names), {"input_ids": np.arange(WORDS)[None, :]}))


@pytest.mark.parametrize("loud", [0, 11])
def test_a_channel_that_stands_out_is_brought_down_and_nothing_else_changes(loud: int) -> None:
    plain, eased = graph(loud=loud), graph(loud=loud)
    smooth_activations(eased)
    (before, right), (after, found) = outputs(plain, "gelu", "logits"), outputs(eased, "gelu_eased", "logits")
    np.testing.assert_allclose(found, right, rtol=1e-4, atol=1e-4)
    peaks_before, peaks_after = (np.abs(each).max(axis=(0, 1)) for each in (before, after))
    assert peaks_before[loud] == peaks_before.max() > 3 * np.median(peaks_before)
    assert peaks_after[loud] < 2 * np.median(peaks_after)
    low = peaks_before < np.median(peaks_before)
    np.testing.assert_array_equal(peaks_after[low], peaks_before[low])
    assert "words_eased" not in {name for node in eased.graph.node for name in node.output}


def test_where_none_stands_out_the_graph_stays() -> None:
    plain, eased = graph(loud=None), graph(loud=None)
    smooth_activations(eased)
    assert eased == plain


def test_easing_is_the_same_each_time() -> None:
    one, other = graph(loud=3), graph(loud=3)
    smooth_activations(one)
    smooth_activations(other)
    assert one.SerializeToString() == other.SerializeToString()
