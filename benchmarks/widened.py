"""A checkpoint made of the shipped graph: its 8-bit weights widened to fp32.

The fp32 checkpoint that was trained does not ship. This one has the very weights of the int8 graph, so that
the two differ only by how activations are rounded.
"""

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ace.claims.taxonomy import LABELS
from ace.errors import ModelError
from ace.gatekeeper.digests import revision_of, seal
from ace.routing.calibration import Calibration

HEAD_WIDTH: Final = 32  # of MiniLM; the graph does not tell it
_DENSE: Final = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)


def checkpoint_of(model: Path, out: Path) -> Path:
    """Writes a BertForTokenClassification with the weights of `model`/model.onnx to `out`.

    Raises ModelError where the graph is not one that `export.to_int8` made of such a BERT.
    """
    import torch
    import transformers

    weights = _weights(model / "model.onnx")
    vocabulary, hidden = weights["bert.embeddings.word_embeddings.weight"].shape
    config = transformers.BertConfig(
        vocab_size=vocabulary,
        hidden_size=hidden,
        num_hidden_layers=sum(name.endswith("intermediate.dense.bias") for name in weights),
        num_attention_heads=hidden // HEAD_WIDTH,
        intermediate_size=len(weights["bert.encoder.layer.0.intermediate.dense.bias"]),
        max_position_embeddings=len(weights["bert.embeddings.position_embeddings.weight"]),
    )
    config.num_labels = len(LABELS)
    bert = transformers.BertForTokenClassification(config)
    found = bert.load_state_dict({name: torch.tensor(each) for name, each in weights.items()}, strict=False)
    if found.missing_keys or found.unexpected_keys:
        raise ModelError(f"{model} lacks or has too much: {found.missing_keys}, {found.unexpected_keys}")
    out.mkdir(parents=True)
    bert.save_pretrained(out)
    shutil.copy(model / "tokenizer.json", out)
    about = json.loads((model / "gatekeeper.json").read_text(encoding="utf-8"))
    revision = revision_of(out)
    described = {**about, "alone": False, "revision": revision}
    (out / "gatekeeper.json").write_text(json.dumps(described), encoding="utf-8")
    record = Calibration.load(model / "calibration.json")
    replace(record, model_revision=revision).sealed().save(out / "calibration.json")
    seal(out)
    return out


def _own(name: str) -> str:
    """A weight's name in the checkpoint, without the names of the modules that the exporter saw around it."""
    return re.sub(r"^.*?\b(bert|classifier)\.", r"\1.", name)


def _weights(path: Path) -> dict[str, NDArray[np.float32]]:
    """By the names of transformers; dense weights as (out, in)."""
    import onnx

    graph = onnx.load(str(path)).graph
    constants: dict[str, Any] = {each.name: onnx.numpy_helper.to_array(each) for each in graph.initializer}
    found = {
        _own(name): array
        for name, array in constants.items()
        if name != _own(name) and array.dtype == np.float32 and not name.endswith("_scales")
    }
    table = next(
        name.removesuffix("_codes") for name in constants if name.endswith("word_embeddings.weight_codes")
    )
    found[_own(table)] = constants[f"{table}_codes"] * constants[f"{table}_scales"]
    eased = {
        node.output[0]: constants[node.input[1]]
        for node in graph.node
        if node.op_type == "Mul" and node.input[1] in constants
    }
    products = [node.input for node in graph.node if node.op_type == "DynamicQuantizeMatMul"]
    for at, (given, codes, scales, *_rest) in enumerate(products):
        name = f"bert.encoder.layer.{at // len(_DENSE)}.{_DENSE[at % len(_DENSE)]}.weight"
        weight = (constants[codes] * constants[scales]).T
        found[name] = weight * eased[given] if given in eased else weight
    head = [node.input[1] for node in graph.node if node.op_type == "MatMul" and node.input[1] in constants]
    found["classifier.weight"] = constants[head[-1]].T
    return found
