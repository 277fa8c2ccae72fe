"""A shipped eight-bit graph as a checkpoint again, so that training can go on from the last release.

Needs the extra `train` (onnx, torch, transformers). What quantisation rounded stays rounded; the first
updates make up for it.
"""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ace.errors import Refused

_PREFIX = "scorer.model."


def is_shipped(directory: Path) -> bool:
    """Whether the directory holds a graph, and no checkpoint."""
    return (directory / "model.onnx").is_file() and not (directory / "config.json").exists()


def checkpoint_of(directory: Path, encoder: Path, target: Path) -> Path:
    """Writes to `target` the checkpoint of the graph in `directory`, whose configuration is that of `encoder`
    with a token head; returns `target`.

    Raises Refused if the weights do not fit the encoder.
    """
    import torch

    from ace_lab.training.gatekeeper.recipe import GatekeeperRecipe
    from ace_lab.training.gatekeeper.trainer import classifier

    model = classifier(encoder, GatekeeperRecipe(head="tokens", max_tokens=16))
    try:
        model.load_state_dict({name: torch.from_numpy(each) for name, each in weights(directory).items()})
    except RuntimeError as error:
        raise Refused(f"{directory} is not a model of this encoder: {error}", code="base") from error
    shutil.rmtree(target, ignore_errors=True)
    model.save_pretrained(target)
    for name in ("tokenizer.json", "gatekeeper.json"):
        shutil.copyfile(directory / name, target / name)
    return target


def weights(directory: Path) -> dict[str, NDArray[np.float32]]:
    """The parameters of model.onnx by their names in the checkpoint, as `export.to_int8` stored them: the
    columns of products, and the rows of the word table, are codes times a scale; inputs that were smoothed
    have their factors taken back."""
    import onnx

    graph = onnx.load(str(directory / "model.onnx")).graph
    stored = {each.name: onnx.numpy_helper.to_array(each) for each in graph.initializer}
    makers = {name: node for node in graph.node for name in node.output}
    found = {
        name.removeprefix(_PREFIX): np.array(each, dtype=np.float32)
        for name, each in stored.items()
        if name.startswith(_PREFIX) and each.dtype == np.float32 and not name.endswith("_scales")
    }
    for node in graph.node:
        if node.op_type == "Gather" and node.input[0].endswith("_codes"):
            name = node.input[0].removesuffix("_codes")
            found[name.removeprefix(_PREFIX)] = stored[f"{name}_codes"] * stored[f"{name}_scales"]
        elif node.op_type == "DynamicQuantizeMatMul":
            columns = stored[node.input[1]].astype(np.float32) * stored[node.input[2]]
            factors = _factors(makers.get(node.input[0]), stored)
            name = node.input[4].removeprefix(_PREFIX).removesuffix(".bias")
            found[f"{name}.weight"] = np.ascontiguousarray((columns * factors[:, None]).T)
        elif node.op_type == "MatMul" and node.input[1] in stored:
            found["classifier.weight"] = np.ascontiguousarray(stored[node.input[1]].T)
    return found


def _factors(maker: Any, stored: dict[str, NDArray[Any]]) -> NDArray[np.float32]:
    """What the channels of a product's input were multiplied by; [1] if they were not."""
    if maker is not None and maker.op_type == "Mul" and maker.input[1].endswith("_factors"):
        return np.asarray(stored[maker.input[1]], dtype=np.float32)
    return np.ones(1, dtype=np.float32)
