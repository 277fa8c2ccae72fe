"""`ace train expert`: a tiny run from data to weights that serve, the plan, and what is refused."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from ace.cli import app
from tests.unit.lab.training.expert import models
from tests.unit.lab.training.expert.conftest import THEIRS

pytestmark = [pytest.mark.slow, *(pytest.mark.filterwarnings(theirs) for theirs in THEIRS)]

WITHOUT_TORCH = """
import sys
for name in ("torch", "transformers", "peft", "trl", "datasets", "bitsandbytes"):
    sys.modules[name] = None
from ace.cli import app
app(["train", "expert", "--help"])
"""

SMALL = ["--recipe", "small", "--max-steps", "2", "--max-tokens", "1024"]


@pytest.fixture(scope="module", autouse=True)
def alone() -> Iterator[None]:
    import huggingface_hub.constants
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
        yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return models.data(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return models.base(tmp_path_factory.mktemp("base"))


def run(*arguments: Any) -> Result:
    return CliRunner().invoke(app, ["train", "expert", *map(str, arguments)])


def test_a_run_makes_an_adapter_and_weights_that_serve(data: Path, base: Path, tmp_path: Path) -> None:
    from transformers import AutoModelForCausalLM

    out = tmp_path / "out"
    common = ("--data", data, "--base", base, "--out", out, *SMALL)
    first = run(*common, "--no-merge", "--json")
    assert first.exit_code == 0, first.output
    made = json.loads(first.stdout)
    assert made["adapter"] == str(out / "adapter")
    assert (made["updates"], made["examples"], made["left_out"]) == (2, 8, 0)
    assert "merged" not in made
    assert not (out / "merged").exists()
    for told in ("encoding train 8/8", "encoding held 2/2", "training 2/2", "loss"):
        assert told in first.stderr, told

    # Training is over: the same command only merges.
    second = run(*common)
    assert second.exit_code == 0, second.output
    assert f"merged: {out / 'merged'}" in second.stdout
    assert "training" not in second.stderr
    AutoModelForCausalLM.from_pretrained(out / "merged")
    for folder in ("adapter", "merged"):
        assert "ace train expert" in (out / folder / "MODEL_CARD.md").read_text()

    other = run(*common, "--seed", "5")
    assert other.exit_code == 2
    assert "another recipe: use another --out, or --restart" in other.stderr
    assert run(*common, "--seed", "5", "--restart", "--no-merge").exit_code == 0


def test_a_plan_loads_no_weights_and_writes_nothing(data: Path, base: Path, tmp_path: Path) -> None:
    import shutil

    shutil.copytree(base, tmp_path / "base")
    (tmp_path / "base" / "model.safetensors").unlink()
    common = ("--data", data, "--base", tmp_path / "base", "--out", tmp_path / "out", "--plan")
    told = json.loads(run(*common, "--json").stdout)
    assert told["examples"] == {"antecedent": 4, "pass": 4}
    assert told["updates"] == 1
    assert told["training_gib"]["total"] >= 0
    shown = run(*common, "--max-tokens", "64")
    assert shown.exit_code == 0, shown.output
    for line in ("8 too long, 0 disputed", "memory to train", "memory to merge", "kept activations"):
        assert line in shown.stdout
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--recipe", "none-such"], "recipe must be a file, or one of paper, rationale, small"),
        (["--target", "essay"], "target must be verdict or rationale"),
        (["--prompt", "v2"], "prompt must be v1 if the target is a verdict only"),
        (["--quantize", "int8"], "quantize must be nf4 or none"),
        (["--base", "/none/such"], "/none/such cannot be loaded"),
        (["--max-tokens", "64"], "fits into 64 tokens"),
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
    assert not (tmp_path / "out").exists()


def test_data_that_is_not_there_is_refused(base: Path, tmp_path: Path) -> None:
    found = run("--data", tmp_path, "--base", base, "--out", tmp_path / "out")
    assert found.exit_code == 2
    assert "manifest.json cannot be read: No such file or directory" in found.stderr


@pytest.mark.parametrize("library", ["peft", "trl", "bitsandbytes"])
def test_a_missing_extra_is_named(
    library: str, data: Path, base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    found = run("--data", data, "--base", base, "--out", tmp_path / "out")
    assert found.exit_code == 2
    assert f"needs {library}: install the extra 'train-expert'" in found.stderr
    assert not (tmp_path / "out").exists()


def test_help_has_three_examples_and_needs_no_library() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.count("$ ace train expert") == 3
