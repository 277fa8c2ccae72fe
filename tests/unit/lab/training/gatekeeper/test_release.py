"""From a trained toy to three model directories that load, each with its own calibration and card."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ace.errors import ModelError
from ace.gatekeeper.digests import verify
from ace.gatekeeper.loading import load_engine
from ace.routing.score import is_number, softmax
from ace_lab.calibration.calibration_run import Split
from ace_lab.calibration.fitting import fit_temperature
from ace_lab.training.gatekeeper import card, release, training
from ace_lab.training.gatekeeper.recipe import GatekeeperRecipe
from tests.unit.gatekeeper import toy
from tests.unit.gatekeeper.models import CLAIMS

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # torch's and the exporter's own

RECIPE = GatekeeperRecipe(
    head="tokens", epochs=3, learning_rate=3e-3, batch_rows=8, batch_tokens=480, max_tokens=48, warmup=0.05
)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toy.data(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def out(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("models")
    base = toy.base(tmp_path_factory.mktemp("tiny-bert"))
    training.train(data, out, base, RECIPE, threads=1)
    told: list[Any] = []
    made = release.release(out, data, on_progress=told.append)
    assert set(made) == {"checkpoint", "fp32", "int8"}
    assert told[-1] == {"calibrating": "int8", "done": 60, "of": 60}
    return out


@pytest.mark.parametrize("kind", release.KINDS)
def test_each_directory_loads_and_is_calibrated_on_its_own_scores(kind: str, out: Path, data: Path) -> None:
    engine = load_engine(out / kind, device="cpu", threads=1)
    split = Split.read(data)
    logits = engine.logits([row.claim() for row in split.rows])
    labels = np.asarray([release.LABELS.index(row.label) for row in split.rows])
    record = engine.calibration

    assert is_number(engine.score(CLAIMS)).all()
    assert record.temperature == pytest.approx(fit_temperature(logits, labels), rel=1e-3)
    assert record.n == len(split.rows)
    assert record.data_hash == split.data_hash
    assert record.escalation <= release.ESCALATION
    assert 0 <= record.measured["ece"] <= 1
    about = json.loads((out / kind / "gatekeeper.json").read_text())
    assert about["hints"] is True
    assert about.get("alone", False) is (kind == "int8")
    assert about["stages"][-1]["rows"] == 160
    assert verify(out / kind)


def test_the_three_have_revisions_of_their_own_and_nearly_one_opinion(out: Path) -> None:
    engines = {kind: load_engine(out / kind, device="cpu", threads=1) for kind in release.KINDS}
    assert len({engine.revision for engine in engines.values()}) == 3
    p = {kind: softmax(engine.logits(CLAIMS)) for kind, engine in engines.items()}
    np.testing.assert_allclose(p["checkpoint"], p["fp32"], atol=1e-4)
    np.testing.assert_allclose(p["int8"], p["fp32"], atol=0.1)


def test_a_release_can_be_made_again(out: Path, data: Path) -> None:
    before = {kind: (out / kind / "calibration.json").read_text() for kind in release.KINDS}
    assert release.main(["--out", str(out), "--data", str(data)]) == 0
    assert before == {kind: (out / kind / "calibration.json").read_text() for kind in release.KINDS}


@pytest.mark.parametrize("kind", release.KINDS)
def test_a_card_tells_what_was_done_and_measured(kind: str, out: Path, data: Path, tmp_path: Path) -> None:
    written = (out / kind / "MODEL_CARD.md").read_text()
    record = load_engine(out / kind, device="cpu", threads=1).calibration
    for told in (
        record.id, f"{record.tau:.4f}", f"{record.measured['ece']:.4f}", "tiny-bert", "160 rows",
        "60 of 60 updates (3 epochs)", "learning rate 0.003", "5% warm-up", "ran to its end",
        "8 claims or 480", "48 tokens", "weight decay 0.01", "| train | 160 | 160 | 80 |",
        "50% of its training rows", "what the rules of ACE report", "has not been evaluated",
        "not how well it agrees with an examiner",
    ):  # fmt: skip
        assert told in written, told
    assert str(out) not in written
    assert "None" not in written


def test_evaluations_go_into_the_cards(out: Path, tmp_path: Path) -> None:
    stored = Path(__file__).parents[5] / "docs" / "models" / "gatekeeper"
    read = ["--report", str(stored / "report.json"), "--labels", str(stored / "labels.json")]
    out = shutil.copytree(out, tmp_path / "models")  # the others read cards without a report
    before = (out / "int8" / "calibration.json").read_text()
    assert card.main([*(str(out / kind) for kind in release.KINDS), *read]) == 0

    measured = json.loads((stored / "labels.json").read_text())["judges"][-1]
    rows = {
        row["name"]: row["macro_f1"]
        for row in json.loads((stored / "report.json").read_text())["main"]["rows"]
    }
    smoke = f"structural only {rows['structural only']:.1%}, gatekeeper {rows['gatekeeper']:.1%}"
    for kind in release.KINDS:
        written = (out / kind / "MODEL_CARD.md").read_text()
        assert f"| verdict | {measured['precision']:.1%}"[:-1] in written
        assert written.index("## On real claims") < written.index("## How it was made")
        assert f"Macro-F1 over claims with one defect: {smoke}" in written
        assert "has not been evaluated" not in written
    assert (out / "int8" / "calibration.json").read_text() == before


def test_a_model_is_not_released_with_data_that_it_was_not_trained_on(
    out: Path, data: Path, tmp_path: Path
) -> None:
    other = shutil.copytree(data, tmp_path / "data")
    manifest = json.loads((other / "manifest.json").read_text())
    manifest["files"]["train.jsonl"]["sha256"] = "feed"
    (other / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(ModelError, match="not trained on these data"):
        release.release(out, other)


def test_a_card_says_which_weights_were_kept(out: Path, tmp_path: Path) -> None:
    assert "those of the best evaluation" in (out / "int8" / "MODEL_CARD.md").read_text()
    out = shutil.copytree(out, tmp_path / "models")
    for kind in release.KINDS:
        path = out / kind / "gatekeeper.json"
        about = json.loads(path.read_text())
        about["stages"][-1]["keep"] = "last"
        path.write_text(json.dumps(about))
        card.write_card(out / kind)
    assert "those of the last update" in (out / "int8" / "MODEL_CARD.md").read_text()


def test_a_release_over_the_limit_is_refused(out: Path, data: Path) -> None:
    with pytest.raises(ModelError, match="the limit is 1000"):
        release.release(out, data, max_bytes=1_000)
