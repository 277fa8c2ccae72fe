"""`ace train gatekeeper`: a tiny run from data to models, and what is refused before one begins."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from ace.cli import app
from ace.gatekeeper.inputs import ClaimInput
from ace.gatekeeper.loading import load_engine
from tests.unit.gatekeeper import toy
from tests.unit.lab.training.expert.models import base as llama

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # torch's and the exporter's own

SMALL = ["--epochs", "1", "--max-tokens", "48", "--batch-rows", "8", "--threads", "1", "--no-hints"]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toy.data(tmp_path_factory.mktemp("data"), rows=80, held=20)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toy.base(tmp_path_factory.mktemp("base"))


def run(*arguments: Any) -> Result:
    return CliRunner().invoke(app, ["train", "gatekeeper", *map(str, arguments)])


def test_a_run_makes_models_and_says_where(data: Path, base: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    common = ("--data", data, "--base", base, "--out", out, "--head", "tokens", *SMALL)
    done = run(*common, "--json")
    assert done.exit_code == 0, done.output
    made = json.loads(done.stdout)

    for kind in ("checkpoint", "fp32", "int8"):
        assert made[kind]["path"] == str(out / kind)
        record = load_engine(out / kind, device="cpu", threads=1).calibration
        assert made[kind]["calibration"] == record.id
        assert (out / kind / "MODEL_CARD.md").is_file()
    noted = [json.loads(line) for line in (out / "training" / "metrics.jsonl").read_text().splitlines()]
    assert noted[-1]["step"] == noted[-1]["of"] == 10
    assert {"accuracy", "macro_f1", "recall"} <= noted[-1].keys()
    for told in ("encoding train 80/80", "rows 80", "macro_f1", "calibrating int8 20/20"):
        assert told in done.stderr, told
    # What the run would have gone on from is dropped when all is made.
    assert sorted(path.name for path in (out / "training").iterdir()) == ["metrics.jsonl"]


def test_a_run_that_failed_at_the_release_only_releases_again(data: Path, base: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    manifest = data / "manifest.json"
    kept = manifest.read_text()
    manifest.unlink()
    common = ("--data", data, "--base", base, "--out", out, *SMALL)
    try:
        assert run(*common).exit_code != 0
    finally:
        manifest.write_text(kept)
    other = run(*common, "--seed", "5")
    assert other.exit_code == 2
    assert "another recipe" in other.stderr
    done = run(*common)
    assert done.exit_code == 0, done.output
    assert "loss" not in done.stderr
    assert "int8" in done.stdout
    assert run(*common, "--seed", "5", "--restart").exit_code == 0


def test_a_llama_becomes_a_checkpoint_that_reads_in_both_directions(data: Path, tmp_path: Path) -> None:
    out, base = tmp_path / "out", llama(tmp_path / "tiny-llama")
    done = run(
        "--data",
        data,
        "--base",
        base,
        "--out",
        out,
        "--head",
        "tokens",
        *SMALL,
        "--checkpoint-only",
        "--json",
    )
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout).keys() == {"checkpoint"}
    assert sorted(path.name for path in out.iterdir()) == ["base", "checkpoint", "training"]
    assert "calibrating checkpoint 20/20" in done.stderr
    assert "tiny-llama, without its causal mask" in (out / "checkpoint" / "MODEL_CARD.md").read_text()
    (found,) = load_engine(out / "checkpoint", threads=1).locate([ClaimInput(1, "A pump of a kind.")], [1])
    assert found is not None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--recipe", "none-such"], "recipe must be a file, or one of paper, labelled, large, minilm"),
        (["--epochs", "0"], "epochs must be at least 1"),
        (["--head", "both"], "head must be cls or tokens"),
        (["--precision", "int4"], "precision must be auto, fp32 or bf16"),
        (["--batch-tokens", "20"], "batch_tokens must be at least max_tokens, 512"),
        (["--base", "/none/such"], "has no tokenizer.json"),
        (["--max-tokens", "4000"], "max_tokens is 4000, but the encoder reads at most 64"),
    ],
)
def test_what_cannot_be_is_refused(
    arguments: list[str], message: str, data: Path, base: Path, tmp_path: Path
) -> None:
    given = [] if "--base" in arguments else ["--base", base]
    found = run("--data", data, "--out", tmp_path / "out", *given, *arguments)
    assert found.exit_code == 2
    assert message in found.stderr
    assert "Traceback" not in found.output


def test_data_that_is_not_there_is_refused(base: Path, tmp_path: Path) -> None:
    found = run("--data", tmp_path, "--base", base, "--out", tmp_path / "out")
    assert found.exit_code == 2
    assert "train.jsonl cannot be read: No such file or directory" in found.stderr


def test_a_missing_extra_is_named(
    data: Path, base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    found = run("--data", data, "--base", base, "--out", tmp_path / "out")
    assert found.exit_code == 2
    assert "install the extra 'train'" in found.stderr
    assert not (tmp_path / "out").exists()
