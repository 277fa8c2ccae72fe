"""The slow queue against a real engine: llama.cpp's own server and llama-cpp-python's, with a model of
random weights. What they answer means nothing; that it has the form asked for is the grammar's doing."""

import json
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import httpx
import jsonschema
import pytest
from sqlalchemy import Engine as Database
from typer.testing import CliRunner

from ace.claims.model import ClaimInput, ClaimSet
from ace.cli.app import EXIT_UNAUTHORISED, app
from ace.expert.client.dialects import Dialect, body, chat_url
from ace.expert.client.expert_client import ExpertClient
from ace.expert.prompt.copt import PROMPTS, Prompt
from ace.processes import wait_until
from tests import factories
from tests.llm.engines import CONTEXT, ENDING, ENDLESS, ENGINES, KEY, SLOTS, Engine, running, write_model
from tests.llm.slow_queue import MAX_TOKENS, OF_THE_ANSWER, all_settled, escalate, rows, settings_for, working

ANSWERS: Final = 8
CLAIMS: Final = 4


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("llm")


@pytest.fixture(scope="module", params=ENGINES)
def engine(request: pytest.FixtureRequest, folder: Path) -> Iterator[Engine]:
    """A server whose model soon ends its strings."""
    model = write_model(folder / "ending.gguf", lean=ENDING)
    with running(request.param, model, folder / f"{request.param}.log") as server:
        yield server


@pytest.fixture(scope="module", params=ENGINES)
def endless(request: pytest.FixtureRequest, folder: Path) -> Iterator[Engine]:
    """A server whose model never ends a string."""
    model = write_model(folder / "endless.gguf", lean=ENDLESS)
    with running(request.param, model, folder / f"{request.param}-endless.log") as server:
        yield server


def filing(count: int) -> ClaimSet:
    """A claim set: a chain."""
    return factories.claim_set(
        [
            "A hook comprising a plate.",
            *(f"The hook of claim {n}, wherein the plate has {n} holes." for n in range(1, count)),
        ]
    )


def inputs(count: int) -> list[ClaimInput]:
    return [filing(count).input_of(number) for number in range(1, count + 1)]


def test_the_command_tells_the_server_and_that_its_schema_is_kept(engine: Engine) -> None:
    told = CliRunner().invoke(app, ["expert", "probe", engine.url, "--token", KEY, "--json"])

    assert told.exit_code == 0, told.output
    found = json.loads(told.stdout)
    assert (found["dialect"], found["schema_enforced"]) == ("llama.cpp", True)
    assert found["model"]
    if engine.name == "llama-server":  # the other tells no limits
        assert (found["max_concurrent"], found["max_total_tokens"]) == (SLOTS, CONTEXT)


def test_a_wrong_key_is_told_as_such(engine: Engine) -> None:
    told = CliRunner().invoke(app, ["expert", "probe", engine.url, "--token", "another"])

    assert told.exit_code == EXIT_UNAUTHORISED, told.output


@pytest.mark.parametrize("prompt", PROMPTS.values(), ids=PROMPTS)
def test_whatever_is_answered_to_the_end_fits_the_schema(engine: Engine, prompt: Prompt) -> None:
    ends: Counter[str] = Counter()
    tokens, seconds = 0, 0.0
    for claim in inputs(ANSWERS):
        asked = body(
            Dialect.LLAMACPP,
            prompt.messages(claim, ANSWERS),
            prompt.schema,
            max_tokens=MAX_TOKENS,
            model="tiny",
        )
        began = time.monotonic()
        told = httpx.post(
            chat_url(engine.url), json=asked, headers={"authorization": f"Bearer {KEY}"}, timeout=120
        )
        seconds += time.monotonic() - began
        assert told.status_code == 200, told.text
        (choice,), usage = told.json()["choices"], told.json()["usage"]
        ends[choice["finish_reason"]] += 1
        tokens += usage["completion_tokens"]
        if choice["finish_reason"] == "stop":
            answer = json.loads(choice["message"]["content"])
            jsonschema.validate(answer, prompt.schema)
            assert list(answer) == list(prompt.schema["properties"])  # reasoning before verdict
        else:
            assert choice["finish_reason"] == "length"
            assert usage["completion_tokens"] == MAX_TOKENS
    print(f"{engine.name} {prompt.name}: {dict(ends)}, {tokens} tokens in {seconds:.1f} s")
    assert ends["stop"] >= ANSWERS * 0.8


@pytest.mark.parametrize("version", PROMPTS)
def test_the_slow_queue_decides_by_answers_that_fit_their_schema(
    postgres_url: str, broker_url: str, db: Database, engine: Engine, version: str
) -> None:
    escalate(db, filing(CLAIMS))

    began = time.monotonic()
    with working(settings_for(postgres_url, broker_url, engine, version)):
        wait_until(lambda: all_settled(db), seconds=300, what="the verdicts")
    seconds = time.monotonic() - began

    kept = rows(db, "SELECT raw, verdict, prompt_version, error FROM examinations")
    kinds = Counter(error or "answered" for _, _, _, error in kept)
    print(f"{engine.name} {version}: {dict(kinds)} in {seconds:.1f} s")
    assert set(factories.states(db).values()) == {"decided"}
    assert kinds.keys() <= OF_THE_ANSWER | {"answered"}
    prompts = {prompt.version: prompt for prompt in PROMPTS.values()}
    for raw, verdict, prompt_version, error in kept:
        if error is None:
            jsonschema.validate(json.loads(raw), prompts[prompt_version].schema)
            assert prompts[prompt_version].parse(raw, "stop").verdict == verdict
    assert factories.illegal_chains(db) == []


def test_an_answer_without_an_end_is_cut_off_and_never_a_verdict(
    postgres_url: str, broker_url: str, db: Database, endless: Engine
) -> None:
    escalate(db, filing(1))

    with working(settings_for(postgres_url, broker_url, endless, "v2", max_tokens=128)):
        wait_until(lambda: all_settled(db), seconds=300, what="the end of it")

    examined = {tuple(row) for row in rows(db, "SELECT error, verdict FROM examinations")}
    assert examined == {("truncated", None)}
    assert rows(db, "SELECT state, error FROM evaluations") == [("failed", "truncated")]


def test_a_chain_beyond_the_context_is_cut_until_it_fits(engine: Engine) -> None:
    """Each server refuses too long a prompt in words of its own."""
    long = "The hook of claim 1, wherein " + "the plate has a hole and " * 400 + "a pin."
    claim = ClaimInput(
        9,
        "The hook of claim 8, wherein the plate is flat.",
        tuple(f"{number}. {long}" for number in range(8, 1, -1)),
    )
    client = ExpertClient(
        engine.url, dialect="auto", token=KEY, max_tokens=MAX_TOKENS, attempts=6, prompt=PROMPTS["v1"]
    )
    try:
        answer = client.examine(claim, 9)
    finally:
        client.close()
    assert answer.cut
