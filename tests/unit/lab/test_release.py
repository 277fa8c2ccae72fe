"""From claim sets to a shipped directory, with a tiny encoder: build, train twice, release, load."""

import json
from pathlib import Path

import numpy as np
import pytest

from ace.gatekeeper import training
from ace.gatekeeper.engine import load_engine
from ace.gatekeeper.score import is_number
from ace.lab import dataset, release
from ace.lab.dataset import read_rows
from ace.lab.sources import SourceSet
from tests.unit.gatekeeper.models import CLAIMS, checkpoint
from tests.unit.lab.samples import SET

pytestmark = pytest.mark.filterwarnings("ignore")  # torch's and the exporter's own


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("data")
    source = out / "claims.jsonl"
    source.write_text("")
    sets = [SourceSet(f"US{number}", "ours", SET) for number in range(200)]
    dataset.write(dataset.build(sets, rows=400, seed=1), source, out, asked=400, seed=1)
    return out


@pytest.fixture(scope="module")
def trained(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("checkpoints")
    base = checkpoint(out / "tiny-base")
    (base / "gatekeeper.json").unlink()
    common = ["--data", str(data), "--max-tokens", "64", "--threads", "1"]
    first = ["--base", str(base), "--out", str(out / "one"), "--epochs", "2"]
    assert training.main([*common, *first, "--learning-rate", "0.003"]) == 0
    second = ["--base", str(out / "one" / "epoch-2"), "--out", str(out / "two"), "--limit-rows", "60"]
    assert training.main([*common, *second, "--epochs", "1"]) == 0
    return out


def test_training_learns_and_tells_how_it_went(
    trained: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base = str(trained / "tiny-base")
    arguments = ["--data", str(data), "--base", base, "--out", str(trained / "again"), "--max-tokens", "64"]
    training.main([*arguments, "--epochs", "12", "--learning-rate", "0.003", "--threads", "1"])
    said = [json.loads(line) for line in capsys.readouterr().err.splitlines() if line.startswith("{")]
    accuracies = [entry["accuracy"] for entry in said if "accuracy" in entry]
    assert len(accuracies) == 12
    assert accuracies[-1] > 0.6 > accuracies[0] - 0.05


def test_a_second_stage_keeps_the_history_of_the_first(trained: Path) -> None:
    about = json.loads((trained / "two" / "epoch-1" / "gatekeeper.json").read_text())
    assert about["base"] == "tiny-base"
    assert [stage["rows"] for stage in about["stages"]] == [about["stages"][0]["rows"], 60]
    assert [stage["epochs"] for stage in about["stages"]] == [2, 1]


def test_a_release_is_a_model_directory_with_its_own_card(trained: Path, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "model"
    measured = release.release(trained / "two" / "epoch-1", data, out)
    engine = load_engine(out, device="cpu", threads=1)
    card = (out / "MODEL_CARD.md").read_text()

    assert is_number(engine.score(CLAIMS)).all()
    assert engine.calibration.n == len(read_rows(data / "calibration.jsonl"))
    assert engine.calibration.escalation <= 0.2
    assert measured["int8"]["n"] == len(read_rows(data / "test.jsonl"))
    assert np.isclose(measured["int8"]["auc"], measured["fp32"]["auc"], atol=0.1)
    assert f"{measured['int8']['macro_f1']:.4f}" in card
    assert engine.calibration.id in card
    assert str(trained) not in card


def test_a_release_over_the_limit_is_refused(
    trained: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(release, "MAX_SHIPPED_BYTES", 1_000)
    with pytest.raises(ValueError, match="the limit is 1000"):
        release.release(trained / "two" / "epoch-1", data, tmp_path / "model")
