"""The model that ships: complete, small, consistent with its card, and sensible on plain cases.

The sentence pairs are ours. They ask for ranking only: the defective twin above the sound one.
"""

import json
import subprocess
import sys
from random import Random

import numpy as np
import pytest

from ace.claims.model import ClaimInput
from ace.claims.taxonomy import LABELS
from ace.gatekeeper.digests import SUMS, revision_of
from ace.gatekeeper.engine import HARMLESS, Engine
from ace.gatekeeper.facts import claim_facts
from ace.gatekeeper.loading import SHIPPED_MODEL, load_engine
from ace.gatekeeper.model_files import read_model_files
from ace.routing.calibration import Calibration
from ace.routing.policy import route
from ace.routing.score import binary_entropy, is_number, p_inv
from ace.store.moves.submission import CHAIN_TOKENS

ROOT = (
    "1. A bicycle lamp comprising: a housing; a battery arranged in the housing; a lens; and a switch "
    "that connects the battery to a light source."
)
SOUND = ClaimInput(
    2, "The bicycle lamp of claim 1, wherein the lens covers the light source and is made of glass.", (ROOT,)
)

TWINS = {
    "antecedent": ClaimInput(
        2,
        "The bicycle lamp of claim 1, wherein the mirror covers the turbine blade and is made of glass.",
        (ROOT,),
    ),
    "dependency": ClaimInput(
        2, "The bicycle lamp of claim 9, wherein the lens covers the light source and is made of glass.", ()
    ),
    "logical": ClaimInput(
        2,
        "The bicycle lamp of claim 1, wherein the lens covers the light source and is made of glass, wherein "
        "the lens is absent.",
        (ROOT,),
    ),
    "ambiguity": ClaimInput(
        2,
        "The bicycle lamp of claim 1, wherein the aesthetically pleasing lens covers the light source, or "
        "the like, and is made of glass.",
        (ROOT,),
    ),
    "syntax": ClaimInput(
        2, "The bicycle lamp of claim 1, wherein the lens covers the the light source and is made of", (ROOT,)
    ),
}


@pytest.fixture(scope="module")
def engine() -> Engine:
    return load_engine(None, device="cpu", threads=1)


def test_the_directory_is_complete_and_at_most_25_mb() -> None:
    names = {path.name for path in SHIPPED_MODEL.iterdir()}
    assert {
        "model.onnx",
        "tokenizer.json",
        "gatekeeper.json",
        "calibration.json",
        "MODEL_CARD.md",
        SUMS,
    } <= names
    assert sum(path.stat().st_size for path in SHIPPED_MODEL.iterdir()) <= 25 * 2**20


def test_the_graph_tells_nothing_of_the_machine_that_made_it() -> None:
    graph = (SHIPPED_MODEL / "model.onnx").read_bytes()
    assert b"site-packages" not in graph
    assert b".py" not in graph


def test_revision_calibration_and_card_belong_to_these_weights(engine: Engine) -> None:
    about = json.loads((SHIPPED_MODEL / "gatekeeper.json").read_text())
    card = (SHIPPED_MODEL / "MODEL_CARD.md").read_text()
    assert tuple(about["labels"]) == LABELS
    assert engine.revision == about["revision"] == revision_of(SHIPPED_MODEL)
    assert engine.calibration == Calibration.load(SHIPPED_MODEL / "calibration.json")
    assert engine.calibration.model_revision == engine.revision
    assert engine.calibration.escalation == pytest.approx(0.2, abs=0.005)
    assert engine.calibration.id in card


@pytest.mark.parametrize("label", TWINS)
def test_a_defective_twin_scores_above_the_sound_one(engine: Engine, label: str) -> None:
    sound, twin = p_inv(engine.score([SOUND, TWINS[label]]))
    assert twin > sound


def test_a_plain_claim_passes_on_the_fast_path(engine: Engine) -> None:
    found = route(engine.score([HARMLESS]), engine.calibration, facts=claim_facts([HARMLESS]))
    assert not found.escalate[0]
    assert not found.fail[0]


def test_scores_do_not_depend_on_batch_mates(engine: Engine) -> None:
    claims = [SOUND, *TWINS.values(), ClaimInput(1, "A lid. " * 200), ClaimInput(7, "x", (ROOT,) * 30)] * 3
    rng = Random(4)
    alone = np.concatenate([engine.score([claim]) for claim in claims])
    for _ in range(3):
        order = rng.sample(range(len(claims)), len(claims))
        together = engine.score([claims[index] for index in order])
        assert np.abs(binary_entropy(together) - binary_entropy(alone[order])).max() <= 1e-3


def test_odd_claims_get_numbers(engine: Engine) -> None:
    odd = ["", ".", "\u96fb\u6c60", "A" * 50_000, "1 " * 20_000, "\x00\x07", "\U0001f600" * 99]
    assert is_number(engine.score([ClaimInput(1, text) for text in odd])).all()


def test_the_cpu_path_never_imports_torch() -> None:
    program = (
        "import sys\n"
        "from ace.claims.model import ClaimInput\n"
        "from ace.gatekeeper.loading import load_engine\n"
        "load_engine(None, device='cpu', threads=1).score([ClaimInput(1, 'A lid.')])\n"
        "print(sorted({'torch', 'transformers', 'onnx'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_estimated_size_of_claims_fits_the_shipped_model() -> None:
    assert read_model_files(SHIPPED_MODEL).usual_tokens == CHAIN_TOKENS
