"""What the gatekeeper's benchmark claims: batch mates change nothing, and its figures are what they say."""

import json
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path

import numpy as np
import pytest

from ace.claims.readers import read_text
from ace.gatekeeper.inputs import ClaimInput
from ace.gatekeeper.loading import SHIPPED_MODEL, load_engine
from ace.gatekeeper.model_files import read_model_files
from ace.gatekeeper.scoring_threads import ScoringThreads
from ace.gatekeeper.tokens import PairTokenizer
from ace.local import samples
from ace.routing.calibration import Calibration
from benchmarks.gatekeeper import beside_mates, inputs_of, padding_waste, read_sets, told
from tests.unit.gatekeeper.models import tokenizer_file


def our_claims(count: int) -> list[ClaimInput]:
    """Claims of the samples; the second time round they have other numbers, and so on."""
    sets = [read_text(sample.text) for sample in samples.load()]
    every = [claims.input_of(claim.number) for claims in sets for claim in claims]
    again = islice(cycle(every), count)
    return [
        ClaimInput(each.number + 100 * (at // len(every)), each.text, each.ancestors)
        for at, each in enumerate(again)
    ]


@pytest.mark.slow
def test_the_shipped_scores_do_not_depend_on_batch_mates() -> None:
    found = beside_mates(load_engine(device="cpu"), our_claims(200))
    assert found["delta_u_claims"] == 200
    assert found["delta_u_max"] <= 1e-3
    assert found["flips"] == 0


class Swayed:
    """An engine that is swayed by how many claims it sees at once."""

    revision = "swayed"
    calibration = Calibration("", "by hand", "u", 0.3, 0.2, 1.0, "swayed", "hash", 1, ()).sealed()

    def score(self, inputs: Sequence[ClaimInput]) -> np.ndarray:
        p = np.zeros((len(inputs), 6), dtype=np.float32)
        p[:, 0] = 0.99 if len(inputs) == 150 else 0.5
        p[:, 1] = 1 - p[:, 0]
        return p


def test_a_dependence_on_batch_mates_would_be_seen() -> None:
    found = beside_mates(Swayed(), our_claims(150))
    assert found["delta_u_max"] > 0.5
    assert found["flips"] == 150


@pytest.mark.parametrize(("max_items", "least", "most"), [(1, 0.0, 0.0), (4, 0.4, 0.9)])
def test_padding_is_counted(tmp_path: Path, max_items: int, least: float, most: float) -> None:
    tokenizer_file(tmp_path / "tokenizer.json")
    tokenizer = PairTokenizer(tmp_path / "tokenizer.json", max_tokens=48)
    threads = ScoringThreads(tokenizer, count=1, window=100, budget_tokens=1_000, max_items=max_items)
    inputs = [ClaimInput(1, "lid"), ClaimInput(1, "lid"), ClaimInput(1, "lid"), ClaimInput(1, "lid " * 40)]
    assert least <= padding_waste(threads, inputs) <= most


def test_claims_are_read_by_whole_sets(tmp_path: Path) -> None:
    claims = [
        {"num": 1, "text": "A lamp comprising a bulb."},
        {"num": 2, "text": "The lamp of claim 1, wherein it is red."},
    ]
    row = {
        "source": "ours",
        "path": "",
        "patent": "P1",
        "kind": "granted",
        "complete": True,
        "claims": claims,
    }
    (tmp_path / "sets.jsonl").write_text(f"{json.dumps(row)}\n{json.dumps({**row, 'patent': 'P2'})}\n")
    found = [claim for one in read_sets(tmp_path / "sets.jsonl", 3) for claim in inputs_of(one)]
    assert [claim.number for claim in found] == [1, 2, 1, 2]
    assert found[1].ancestors == ("1. A lamp comprising a bulb.",)
    assert len(read_sets(tmp_path / "sets.jsonl", 2)) == 1


@pytest.mark.parametrize("hints", [True, False])
def test_a_model_is_tried_with_hints_and_without(tmp_path: Path, hints: bool) -> None:
    copy = told(SHIPPED_MODEL, tmp_path, hints=hints)
    assert read_model_files(copy).hints is hints
    assert (copy / "model.onnx").is_symlink()
