"""The exported graphs say what the checkpoint says; the int8 one nearly so."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ace.gatekeeper.tokens import PairTokenizer, padded
from ace_lab.training.gatekeeper import export, training
from ace_lab.training.gatekeeper.examples import read_examples
from ace_lab.training.gatekeeper.recipe import GatekeeperRecipe
from tests.unit.gatekeeper import toy

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # torch's and the exporter's own

Arrays = dict[str, np.ndarray[Any, Any]]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toy.data(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module", params=[("bert", "tokens"), ("bert", "cls"), ("modernbert", "tokens")])
def exported(request: pytest.FixtureRequest, data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with checkpoint, fp32.onnx and int8.onnx of a model that has learnt the toy."""
    kind, head = request.param
    out = tmp_path_factory.mktemp(f"{kind}-{head}")
    recipe = GatekeeperRecipe(
        head=head, epochs=8, learning_rate=3e-3, batch_rows=8, max_tokens=48, hints=False
    )
    training.train(data, out, toy.base(out / "base", kind), recipe, threads=1)
    export.to_onnx(out / "checkpoint", out / "fp32.onnx")
    export.to_int8(out / "fp32.onnx", out / "int8.onnx")
    return out


def session(path: Path) -> Callable[[Arrays], dict[str, np.ndarray[Any, Any]]]:
    import onnxruntime

    loaded = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    inputs = {given.name for given in loaded.get_inputs()}
    outputs = [given.name for given in loaded.get_outputs()]

    def run(arrays: Arrays) -> dict[str, np.ndarray[Any, Any]]:
        found = loaded.run(outputs, {name: array for name, array in arrays.items() if name in inputs})
        return dict(zip(outputs, found, strict=True))

    return run


def claims(exported: Path, data: Path) -> list[tuple[list[int], int]]:
    tokenizer = PairTokenizer(exported / "checkpoint" / "tokenizer.json", max_tokens=48)
    return [row.encoded for row in read_examples(data / "calibration.jsonl", tokenizer)]


def test_the_fp32_graph_is_the_checkpoint(exported: Path, data: Path) -> None:
    import torch

    from ace.gatekeeper.torch_engine import load_scorer

    run, scorer = session(exported / "fp32.onnx"), load_scorer(exported / "checkpoint")
    found = claims(exported, data)
    assert len({len(ids) for ids, _ in found}) > 5
    for batch in (found[:1], found[:7], found):
        arrays = padded(batch, 0)
        given = {name: torch.from_numpy(array) for name, array in arrays.items()}
        with torch.inference_mode():
            right = scorer(**given).numpy()
            raw = scorer.raw(**given).numpy()
        graph = run(arrays)
        np.testing.assert_allclose(graph["logits"], right, atol=1e-4)
        if raw.ndim == 2:
            assert set(graph) == {"logits"}
            continue
        assert graph["positions"].dtype == np.int64
        for at, (_, head) in enumerate(batch):
            assert (graph["positions"][at] == raw[at, :head].argmax(axis=0)).all()


def test_int8_calls_the_same_classes(exported: Path, data: Path) -> None:
    fp32, int8 = session(exported / "fp32.onnx"), session(exported / "int8.onnx")
    agreed, moved = [], []
    for claim in claims(exported, data):  # alone, as such a graph must be run
        arrays = padded([claim], 0)
        one, other = fp32(arrays), int8(arrays)
        assert one.keys() == other.keys()
        agreed.append(one["logits"].argmax() == other["logits"].argmax())
        moved.append(float(np.abs(one["logits"] - other["logits"]).max()))
    assert np.mean(agreed) >= 0.95
    assert max(moved) > 1e-4  # it is rounded


def test_int8_is_lighter_and_tells_nothing_of_the_machine(exported: Path) -> None:
    import onnx

    int8 = onnx.load(str(exported / "int8.onnx"))
    assert any(node.op_type == "DynamicQuantizeMatMul" for node in int8.graph.node)
    assert (exported / "int8.onnx").stat().st_size < (exported / "fp32.onnx").stat().st_size
    for name in ("fp32.onnx", "int8.onnx"):
        content = (exported / name).read_bytes()
        assert str(Path(export.__file__).parent).encode() not in content
        assert b"site-packages" not in content
    assert not list(exported.glob("*.tmp"))


def test_attention_of_a_plain_encoder_takes_its_heads_as_they_lie(exported: Path) -> None:
    import onnx

    kinds: dict[str, list[Any]] = {}
    for node in onnx.load(str(exported / "int8.onnx")).graph.node:
        kinds.setdefault(node.op_type, []).append(node)
    plain = (exported / "base" / "config.json").read_text().count('"bert"') > 0
    assert bool(kinds.get("Attention")) is plain
    for node in kinds.get("Attention", ()):
        attributes = {each.name: each.i for each in node.attribute}
        assert len(node.input) == 3  # no mask
        assert attributes["q_num_heads"] == attributes["kv_num_heads"] > 1
    assert not plain or "Transpose" not in kinds


@pytest.mark.parametrize("shape", [(7, 5), (384, 48)])
def test_columns_keep_their_scale(shape: tuple[int, int]) -> None:
    weight = np.random.default_rng(1).normal(size=shape).astype(np.float32)
    weight[:, 1] = 0.0
    codes, scales = export.quantised_columns(weight)
    assert codes.dtype == np.int8
    assert np.abs(codes).max() <= 63
    assert np.abs(codes * scales - weight).max() <= (np.abs(weight).max(axis=0) / 63).max() / 2 + 1e-6
    assert not codes[:, 1].any()


def test_rows_keep_their_scale() -> None:
    table = np.random.default_rng(1).normal(size=(9, 12)).astype(np.float32) * np.arange(9)[:, None]
    codes, scales = export.quantised_rows(table)
    assert scales.shape == (9, 1)
    assert np.all(np.abs(codes * scales - table) <= scales / 2 + 1e-6)
