"""A shipped graph, read back, is the checkpoint that it was made of but for its rounding."""

from pathlib import Path

import numpy as np
import pytest

from ace.errors import Refused
from ace.gatekeeper.tokens import PairTokenizer, padded
from ace_lab.training.gatekeeper import export, shipped_base, training
from ace_lab.training.gatekeeper.examples import read_examples
from ace_lab.training.gatekeeper.recipe import GatekeeperRecipe
from tests.unit.gatekeeper import toy

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # torch's and the exporter's own


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with data, an encoder ("base"), a trained checkpoint and a shipped graph."""
    out = tmp_path_factory.mktemp("made")
    toy.data(out / "data")
    recipe = GatekeeperRecipe(
        head="tokens", epochs=4, learning_rate=3e-3, batch_rows=8, max_tokens=48, hints=False
    )
    training.train(out / "data", out, toy.base(out / "base"), recipe, threads=1)
    (out / "shipped").mkdir()
    export.to_onnx(out / "checkpoint", out / "fp32.onnx")
    export.to_int8(out / "fp32.onnx", out / "shipped" / "model.onnx")
    for name in ("tokenizer.json", "gatekeeper.json"):
        (out / "shipped" / name).write_bytes((out / "checkpoint" / name).read_bytes())
    return out


def test_a_shipped_graph_is_a_checkpoint_again(made: Path, tmp_path: Path) -> None:
    import torch

    from ace.gatekeeper.torch_engine import load_scorer

    assert shipped_base.is_shipped(made / "shipped")
    assert not shipped_base.is_shipped(made / "checkpoint")
    again = shipped_base.checkpoint_of(made / "shipped", made / "base", tmp_path / "again")

    tokenizer = PairTokenizer(again / "tokenizer.json", max_tokens=48)
    rows = [row.encoded for row in read_examples(made / "data" / "calibration.jsonl", tokenizer)]
    given = {name: torch.from_numpy(array) for name, array in padded(rows, tokenizer.pad).items()}
    with torch.inference_mode():
        before, after = (load_scorer(each)(**given).numpy() for each in (made / "checkpoint", again))
    assert np.abs(before - after).max() < 0.05 * np.abs(before).max()
    assert (before.argmax(axis=1) == after.argmax(axis=1)).mean() > 0.97
    assert training.history(again)["stages"] == training.history(made / "checkpoint")["stages"]


def test_the_graph_of_another_encoder_is_refused(made: Path, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="not a model of this encoder"):
        shipped_base.checkpoint_of(
            made / "shipped", toy.base(tmp_path / "other", "modernbert"), tmp_path / "x"
        )
