"""`ace evaluate` with tiny models and data: what it writes, prints, and refuses."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from ace.cli import app
from ace.expert.prompt.copt import PROMPTS
from ace_lab.simulator.server import Simulator
from tests.unit.gatekeeper import toy
from tests.unit.gatekeeper.models import checkpoint
from tests.unit.lab.evaluation.made import data_directory

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # torch's and transformers' own

SIZES = ("--claims", 50, "--sets", 20, "--quick", "--json")


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["evaluate", *map(str, arguments)])


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return data_directory(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return checkpoint(tmp_path_factory.mktemp("model") / "tiny")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toy.base(tmp_path_factory.mktemp("base"), max_tokens=128)


@pytest.fixture(autouse=True)
def tiny_base(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In place of the bundled encoder, which takes half of the time and is tested in test_baselines.py."""
    monkeypatch.setattr("ace_lab.base_encoder.bundled_base", lambda: base)


def test_a_report_has_every_section_and_a_second_run_is_the_same(
    data: Path, model: Path, tmp_path: Path
) -> None:
    arguments = ("--model", model, "--data", data, "--out", tmp_path, *SIZES)
    first = run(*arguments)
    assert first.exit_code == 0, first.output
    found = json.loads(first.stdout)
    assert found == json.loads((tmp_path / "report.json").read_text())
    assert set(found) >= {
        "model",
        "data",
        "main",
        "sets",
        "classes",
        "held_out",
        "placebo",
        "calibration",
        "targets",
        "paper",
        "notes",
    }
    assert [re.sub(r" \(.*", "", row["name"]) for row in found["main"]["rows"]] == [
        "majority",
        "length only",
        "TF-IDF + LR",
        "frozen encoder + LR",
        "rules as features + LR",
        "structural only",
        "gatekeeper",
        "hybrid",
        "expert only",
    ]
    assert found["model"]["expert"] == "structural"
    assert "expert" not in found  # only a language model has answers to measure
    assert {entry["met"] for entry in found["targets"]} <= {True, False}
    assert all(entry["reason"] for entry in found["targets"] if not entry["met"])

    page = (tmp_path / "report.md").read_text()
    assert "](risk-coverage.svg)" in page
    assert "watering can" not in page + first.output + first.stderr  # no claim text anywhere
    assert {path.name for path in tmp_path.iterdir()} == {
        "cache",
        "reliability.svg",
        "report.json",
        "report.md",
        "risk-coverage.svg",
    }

    again = json.loads(run(*arguments).stdout)
    for timed in ("seconds_per_claim", "usd_per_million"):
        for report in (found, again):
            for row in (*report["main"]["rows"], *report["sets"]["rows"]):
                row.pop(timed)
    for section in ("main", "sets", "classes", "held_out", "placebo", "calibration", "targets"):
        assert again[section] == found[section], section


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--out", "x"), "needs --data and --out"),
        (("--data", "nowhere", "--out", "x"), "has no train.jsonl"),
        (("--data", "nowhere", "--out", "x", "--claims", "3"), "50"),
    ],
)
def test_wrong_usage_is_refused(arguments: tuple[str, ...], told: str) -> None:
    found = run(*arguments)
    assert found.exit_code == 2
    assert told in found.output


def test_an_expert_behind_a_url_is_asked_through_faults_and_told_of(
    data: Path, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ace_lab.experts.remote.due_in", lambda *_, **__: 0.01)
    arguments = ("--model", model, "--data", data, "--out", tmp_path, *SIZES)
    found: dict[str, Any] = {}
    calls: dict[str, list[int]] = {}
    with Simulator(slots=4, faults_total=0.2, seed=112).run() as simulator:
        for version in ("v1", "v2", "v2"):
            monkeypatch.setenv("ACE_EXPERT_PROMPT", version)
            monkeypatch.setenv("ACE_EXPERT_TIMEOUT_SECONDS", "0.5")
            before = simulator.stats()["calls"]
            done = run(*arguments, "--expert", simulator.url, "--concurrency", 16)
            assert done.exit_code == 0, done.output
            found[version] = json.loads(done.stdout)
            calls.setdefault(version, []).append(simulator.stats()["calls"] - before)

    for version, report in found.items():
        about = report["expert"]
        assert about["name"].endswith(simulator.url)
        assert about["prompt"] == PROMPTS[version].version
        assert about["n"] > 50
        assert about["without_an_opinion"] == 0
        assert about["defects_reported"] > 0
        assert (about["verified_quotes"], about["disputed"]) == (1.0, 0.0)
        assert about["usd_per_million"] > 0
    (one,), (first, second) = calls["v1"], calls["v2"]
    assert one > about["n"]  # v2 is asked anew, and what it said once is kept
    assert first > about["n"]
    assert second == 0
    assert found["v1"]["expert"]["tokens_in_mean"] < found["v2"]["expert"]["tokens_in_mean"]
    assert found["v1"]["expert"]["tokens_out_mean"] > found["v2"]["expert"]["tokens_out_mean"]
    page = (tmp_path / "report.md").read_text()
    assert about["prompt"] in page
    assert "quotations found in the claim" in page


def test_an_expert_that_is_no_url_is_refused(data: Path, model: Path, tmp_path: Path) -> None:
    found = run("--model", model, "--data", data, "--out", tmp_path, "--expert", "gpt")
    assert found.exit_code == 2
    assert "URL" in found.output
