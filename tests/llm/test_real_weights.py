"""A language model with real weights in the expert's place: SmolLM2-135M-Instruct, in llama.cpp's server.

It is far too small to examine claims. That everything around it works, and that ACE finds out how little it
is worth, is what these tests show. What was measured goes into docs/models/llm.md.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import httpx
import jsonschema
import numpy as np
import pytest
from sqlalchemy import Engine as Database
from typer.testing import CliRunner

from ace.cli import app
from ace.expert.prompt.copt import PROMPTS
from ace.gatekeeper.loading import SHIPPED_MODEL
from ace.processes import wait_until
from ace.routing.calibration import Calibration
from ace.routing.policy import route
from ace_lab.calibration.thresholds import NEVER
from tests import factories
from tests.llm import page
from tests.llm.engines import ENDING, KEY, Engine, pack, running, smollm2, unpack, write_model
from tests.llm.labelled import measured, write_data
from tests.llm.slow_queue import OF_THE_ANSWER, all_settled, escalate, settings_for, working

SMOLLM2: Final = "SmolLM2-135M-Instruct"
SERVER: Final = "llama-cpp-python"
EXPERT: Final = {
    "slots": 1,
    "threads": 1,
    "attempts": 1,
    "max_tokens": 512,
    "timeout_seconds": 1800.0,
    "budget_seconds": 1800.0,
}
"""Settings of the expert. An answer that is cut off is not asked for again at ten times the length."""
HOURS: Final = 3_600.0  # bounds a run on a busy machine, and measures nothing
UPDATES: Final = 8


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("weights")


@pytest.fixture(scope="module")
def smollm2_server(folder: Path) -> Iterator[Engine]:
    with running(SERVER, smollm2(), folder / "smollm2.log") as server:
        yield server


@pytest.fixture(scope="module")
def noise_server(folder: Path) -> Iterator[Engine]:
    model = write_model(folder / "ending.gguf", lean=ENDING)
    with running(SERVER, model, folder / "noise.log") as server:
        yield server


@pytest.fixture(scope="module")
def base(folder: Path) -> Path:
    """The weights in 32 bits, for transformers."""
    return unpack(smollm2(), folder / "base")


@pytest.fixture(scope="module")
def data(folder: Path) -> Path:
    return write_data(folder / "data")


def examined(postgres_url: str, broker_url: str, db: Database, engine: Engine, version: str) -> page.Measured:
    """All measured claims through the slow queue, each in a filing of its own."""
    claims = {f"D-{at}": each for at, each in enumerate(measured())}
    for docket, each in claims.items():
        escalate(db, each.claims, docket=docket, only=each.row.number)

    with working(settings_for(postgres_url, broker_url, engine, version, **EXPERT)):
        wait_until(lambda: all_settled(db), seconds=2 * HOURS, what="the verdicts")

    prompt = PROMPTS[version]
    found = page.measured(db, claims, prompt)
    assert found.faults.keys() <= OF_THE_ANSWER
    for answer in found.answers:
        jsonschema.validate(json.loads(answer), prompt.schema)
    assert len(found.answers) == len(found.verdicts)  # each accepted answer is a verdict, and nothing else is
    assert factories.illegal_chains(db) == []
    return found


@pytest.mark.parametrize("version", PROMPTS)
def test_claims_through_the_slow_queue_with_random_weights(
    postgres_url: str, broker_url: str, db: Database, noise_server: Engine, version: str
) -> None:
    found = examined(postgres_url, broker_url, db, noise_server, version)
    page.keep_row(found.row("random", version))


@pytest.mark.parametrize("version", PROMPTS)
def test_claims_through_the_slow_queue_with_real_weights(
    postgres_url: str, broker_url: str, db: Database, smollm2_server: Engine, version: str
) -> None:
    found = examined(postgres_url, broker_url, db, smollm2_server, version)
    page.keep_row(found.row(SMOLLM2, version))


def test_an_expert_that_is_worth_nothing_is_not_asked(
    smollm2_server: Engine, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Escalation has to pay (law 12): calibration finds that this expert does not; no doubt exceeds tau."""
    for name, value in {"token": KEY, **EXPERT}.items():
        monkeypatch.setenv(f"ACE_EXPERT_{name.upper()}", str(value))
    record = tmp_path / "calibration.json"
    words = ["calibrate", "--model", str(SHIPPED_MODEL), "--data", str(data), "--out", str(record)]
    told = CliRunner().invoke(app, [*words, "--expert", smollm2_server.url])

    assert told.exit_code == 0, told.output
    found = Calibration.load(record)
    assert (found.policy, found.score, found.tau) == ("pays", "gain", NEVER)
    assert found.expert is not None
    scores = np.random.default_rng(112).dirichlet(np.ones(6), 1_000)
    assert not route(scores, found).escalate.any()
    right = f"It is right on {100 * found.expert.accuracy:.0f} % of the claims"
    wrong = f"the gatekeeper is wrong on {100 * found.parameters['gatekeeper_wrong']:.0f} % of the other half"
    page.keep_lines("calibration", f"{right}; {wrong}.\n{found.promise}")


def test_transformers_and_llama_cpp_read_the_same_weights(smollm2_server: Engine, base: Path) -> None:
    """Rows of heads in the wrong order, or another vocabulary, would give noise."""
    question = "The capital of France is"
    told = httpx.post(
        f"{smollm2_server.url}/v1/completions",
        json={"prompt": question, "max_tokens": 3, "temperature": 0.0},
        headers={"authorization": f"Bearer {KEY}"},
        timeout=HOURS,
    )
    said = subprocess.run(
        [sys.executable, "-c", CONTINUED, base, question],
        env={**os.environ, "HF_HUB_OFFLINE": "1"},
        check=True,
        capture_output=True,
        text=True,
    )

    assert said.stdout == told.json()["choices"][0]["text"]
    assert said.stdout.startswith(" Paris")


CONTINUED: Final = """
import sys
from transformers import AutoModelForCausalLM, AutoTokenizer
tokenizer, model = (kind.from_pretrained(sys.argv[1]) for kind in (AutoTokenizer, AutoModelForCausalLM))
asked = tokenizer(sys.argv[2], return_tensors="pt")
given = model.generate(**asked, max_new_tokens=3, do_sample=False, pad_token_id=model.config.eos_token_id)
print(tokenizer.decode(given[0, asked["input_ids"].shape[1]:]), end="")
"""


def test_the_expert_is_trained_merged_served_and_measured_again(
    postgres_url: str, broker_url: str, db: Database, base: Path, data: Path, folder: Path
) -> None:
    """The way of the paper's second experiment, as docs/how-to/models.md gives it for a 70B."""
    out = folder / "expert"
    made = subprocess.run(
        [
            *(sys.executable, "-m", "ace", "train", "expert", "--data", data, "--out", out, "--base", base),
            *("--recipe", "small", "--target", "rationale", "--max-steps", str(UPDATES), "--json"),
        ],
        env={**os.environ, "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stderr[-2_000:]
    losses = [json.loads(line) for line in (out / "training" / "metrics.jsonl").read_text().splitlines()]
    first, *_, last = [each["eval_loss"] for each in losses if "eval_loss" in each]
    assert last < first
    tuned = pack(out / "merged", smollm2(), folder / "tuned.gguf")
    with running(SERVER, tuned, folder / "tuned.log") as server:
        found = examined(postgres_url, broker_url, db, server, "v1")

    page.keep_row(found.row(f"{SMOLLM2}, tuned by {UPDATES} updates", "v1"))
    page.keep_lines("training", f"Loss on 16 of the measured claims: {first:.2f}, then {last:.2f}.")
