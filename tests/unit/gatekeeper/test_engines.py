"""Both engines on the same weights: one conformance suite, and scores that agree.

The dev extra brings torch, so nothing here is skipped.
"""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from ace.claims.model import ClaimInput
from ace.errors import ModelError
from ace.gatekeeper.engine import LoadedEngine
from ace.gatekeeper.loading import load_engine
from ace.gatekeeper.tokens import PairTokenizer
from ace.gatekeeper.torch_engine import TorchEngine
from ace.routing.calibration import Calibration
from ace.routing.score import is_number
from tests.unit.gatekeeper.models import CLAIMS, checkpoint, describe

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # the exporter's own deprecations

Engines = Callable[[str], LoadedEngine]
KINDS = ("torch", "torch-sequence", "onnx", "onnx-sequence", "int8")


@pytest.fixture(scope="module")
def directories(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One random model as a torch checkpoint, an fp32 graph and an int8 graph."""
    from ace_lab.training.gatekeeper import export

    root = tmp_path_factory.mktemp("models")
    found: dict[str, Path] = {}
    for suffix, tokens in (("", True), ("-sequence", False)):
        source = checkpoint(root / f"torch{suffix}", tokens=tokens)
        full = root / f"onnx{suffix}"
        full.mkdir()
        shutil.copy(source / "tokenizer.json", full)
        export.to_onnx(source, full / "model.onnx")
        describe(full)
        found |= {f"torch{suffix}": source, f"onnx{suffix}": full}
    small = root / "int8"
    small.mkdir()
    shutil.copy(found["torch"] / "tokenizer.json", small)
    export.to_int8(found["onnx"] / "model.onnx", small / "model.onnx")
    describe(small, alone=True)
    return found | {"int8": small}


@pytest.fixture(scope="module")
def engine(directories: dict[str, Path]) -> Engines:
    made: dict[str, LoadedEngine] = {}

    def get(kind: str) -> LoadedEngine:
        if kind not in made:
            made[kind] = load_engine(directories[kind], device="cpu", threads=1)
        return made[kind]

    return get


@pytest.mark.parametrize("kind", KINDS)
def test_scores_are_distributions_in_the_order_given(engine: Engines, kind: str) -> None:
    p = engine(kind).score(CLAIMS)
    backwards = engine(kind).score(CLAIMS[::-1])
    assert p.shape == (len(CLAIMS), 6)
    assert p.dtype == np.float32
    assert is_number(p).all()
    assert np.abs(p - backwards[::-1]).max() <= 1e-3
    assert np.ptp(p, axis=0).max() > 0.01  # the claims do differ, else the order would prove nothing


@pytest.mark.parametrize("kind", KINDS)
def test_a_score_does_not_depend_on_batch_mates(engine: Engines, kind: str) -> None:
    together = engine(kind).score(CLAIMS)
    alone = np.concatenate([engine(kind).score([claim]) for claim in CLAIMS])
    assert np.abs(together - alone).max() <= 1e-5


@pytest.mark.parametrize("kind", KINDS)
def test_no_claims_no_scores(engine: Engines, kind: str) -> None:
    assert engine(kind).score([]).shape == (0, 6)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("text", ["", " ", "\u00e9\ud83d", "a" * 50_000, "pump " * 9_000])
def test_odd_texts_are_scored(engine: Engines, kind: str, text: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    assert is_number(engine(kind).score([ClaimInput(1, text, (text,))])).all()


@pytest.mark.parametrize("suffix", ["", "-sequence"])
def test_torch_and_onnx_give_the_same_scores(engine: Engines, suffix: str) -> None:
    of_torch, of_onnx = engine(f"torch{suffix}").score(CLAIMS), engine(f"onnx{suffix}").score(CLAIMS)
    assert np.abs(of_torch - of_onnx).max() <= 1e-3


def test_int8_stays_near_fp32(engine: Engines) -> None:
    assert np.abs(engine("int8").score(CLAIMS) - engine("onnx").score(CLAIMS)).max() <= 0.1


def test_only_the_claims_own_tokens_speak_for_it(engine: Engines) -> None:
    # Given a pooled model, when an ancestor changes, the score moves only through attention:
    # an ancestor's own logits are never the maximum.
    from ace.gatekeeper.torch_engine import pooled

    logits = torch.zeros(1, 4, 6)
    logits[0, 3, 2] = 9.0
    mask, types = torch.ones(1, 4, dtype=torch.long), torch.tensor([[0, 0, 0, 1]])
    assert pooled(logits, mask, types).tolist() == [[0.0] * 6]


@pytest.mark.parametrize("kind", ["onnx", "int8"])
def test_a_graph_tells_nothing_of_the_machine_that_made_it(directories: dict[str, Path], kind: str) -> None:
    graph = (directories[kind] / "model.onnx").read_bytes()
    assert b"site-packages" not in graph
    assert b".py" not in graph


def _with_another_tokenizer(directory: Path) -> None:
    (directory / "tokenizer.json").write_text("{}")
    describe(directory)


def _with_the_record_of_another_model(directory: Path) -> None:
    record = Calibration.load(directory / "calibration.json")
    replace(record, model_revision="other").sealed().save(directory / "calibration.json")


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda d: (d / "model.safetensors").unlink(), "neither"),
        (lambda d: (d / "gatekeeper.json").write_text("{"), "cannot be read"),
        (lambda d: (d / "gatekeeper.json").write_text("[]"), "not a JSON object"),
        (lambda d: (d / "gatekeeper.json").write_text("{}"), "lacks"),
        (lambda d: describe(d, labels=["pass", "syntax"]), "labels are"),
        (lambda d: describe(d, max_tokens=3), "max_tokens"),
        (lambda d: describe(d, revision="other"), "says revision other"),
        (_with_the_record_of_another_model, "is a calibration of model"),
        (lambda d: (d / "calibration.json").unlink(), r"calibration\.json"),
        (_with_another_tokenizer, r"tokenizer\.json"),
        (lambda d: (d / "config.json").write_text("{}"), "not a transformers checkpoint"),
    ],
)
def test_a_spoilt_directory_is_refused(
    tmp_path: Path, directories: dict[str, Path], spoil: Callable[[Path], object], message: str
) -> None:
    spoilt = tmp_path / "model"
    shutil.copytree(directories["torch"], spoilt)
    spoil(spoilt)
    with pytest.raises(ModelError, match=message):
        load_engine(spoilt, device="cpu", threads=1)


@pytest.mark.parametrize("kind", ["torch", "int8"])
def test_another_record_than_the_directorys_own_can_be_named(
    kind: str, directories: dict[str, Path], tmp_path: Path
) -> None:
    own = Calibration.load(directories[kind] / "calibration.json")
    other = replace(own, tau=own.tau / 2).sealed()
    other.save(tmp_path / "other.json")
    found = load_engine(directories[kind], device="cpu", threads=1, calibration=tmp_path / "other.json")
    assert found.calibration == other
    named = tmp_path / "model"
    shutil.copytree(directories[kind], named)
    other.save(named / "calibration-mine.json")
    assert load_engine(named, device="cpu", threads=1, calibration=Path("mine")).calibration == other
    replace(own, model_revision="other").sealed().save(tmp_path / "foreign.json")
    with pytest.raises(ModelError, match=r"foreign\.json is a calibration of model other"):
        load_engine(directories[kind], device="cpu", threads=1, calibration=tmp_path / "foreign.json")


def test_a_broken_graph_is_refused(tmp_path: Path, directories: dict[str, Path]) -> None:
    spoilt = tmp_path / "model"
    shutil.copytree(directories["onnx"], spoilt)
    (spoilt / "model.onnx").write_bytes(b"no graph")
    describe(spoilt)
    with pytest.raises(ModelError, match="cannot be loaded"):
        load_engine(spoilt, device="cpu")


def test_cuda_is_refused_where_there_are_no_torch_weights(directories: dict[str, Path]) -> None:
    with pytest.raises(ModelError, match="cuda needs"):
        load_engine(directories["onnx"], device="cuda")


@pytest.mark.parametrize("kind", KINDS)
def test_a_place_is_in_the_text_or_nowhere(engine: Engines, kind: str) -> None:
    for label in range(6):
        places = engine(kind).locate(CLAIMS, [label] * len(CLAIMS))
        assert len(places) == len(CLAIMS)
        if kind.endswith("sequence"):
            assert places == [None] * len(CLAIMS)
        for claim, place in zip(CLAIMS, places, strict=True):
            assert place is None or claim.text[place[0] : place[1]].strip()


def test_the_place_is_that_of_the_largest_logit(directories: dict[str, Path]) -> None:
    # Given the token logits of each claim alone, read straight from the checkpoint
    from ace.gatekeeper.tokens import padded
    from ace.gatekeeper.torch_engine import load_scorer

    scorer, found = load_scorer(directories["torch"]), load_engine(directories["torch"], device="cpu")
    tokenizer = PairTokenizer(directories["torch"] / "tokenizer.json", max_tokens=48)
    for claim in CLAIMS:
        [(ids, head)] = tokenizer.encode([claim])
        given = {name: torch.from_numpy(each) for name, each in padded([(ids, head)], 0).items()}
        with torch.inference_mode():
            logits = scorer.raw(**given)[0, :head]
        # When the engine is asked, then it names the very token
        for label in range(6):
            assert found.locate([claim], [label]) == [tokenizer.place(claim, int(logits[:, label].argmax()))]


class Cramped(torch.nn.Module):
    """A scorer with memory for so many padded tokens, and no more."""

    def __init__(self, scorer: torch.nn.Module, room: int) -> None:
        super().__init__()
        self.scorer, self.room, self.seen = scorer, room, []

    def forward(self, input_ids: torch.Tensor, **more: torch.Tensor) -> torch.Tensor:
        self.seen.append(input_ids.numel())
        if input_ids.numel() > self.room:
            raise torch.OutOfMemoryError("no room")
        return self.scorer(input_ids, **more)


def test_out_of_memory_halves_the_batch_and_the_budget(directories: dict[str, Path]) -> None:
    engine = TorchEngine(directories["torch"], device="cpu")
    expected = engine.score(CLAIMS * 8)
    engine._scorer = cramped = Cramped(engine._scorer, room=128)
    # When batches do not fit, then they are halved until they do, and no claim is lost
    assert np.abs(engine.score(CLAIMS * 8) - expected).max() <= 1e-5
    assert any(size > 128 for size in cramped.seen)
    # And the next call begins with less
    cramped.seen.clear()
    engine.score(CLAIMS * 8)
    assert max(cramped.seen) <= 256


def test_a_claim_that_does_not_fit_at_all_raises(directories: dict[str, Path]) -> None:
    engine = TorchEngine(directories["torch"], device="cpu")
    engine._scorer = Cramped(engine._scorer, room=1)
    with pytest.raises(torch.OutOfMemoryError):
        engine.score(CLAIMS)
