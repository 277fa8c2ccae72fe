"""The client against a real socket: every fault gets its kind, its retries and a silent message."""

import json
import random
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import pytest
from huggingface_hub import close_session

from ace.claims.model import ClaimInput
from ace.errors import ExpertPermanent, ExpertTransient
from ace.expert.client import ExpertClient
from ace.expert.copt import PROMPT, read_target
from ace.expert.dialects import Dialect
from ace.expert.rationale import JSON_SCHEMA

from .scripted import ScriptedServer, Step, completion, end_mid_body, error, reset_mid_body, respond

SECRET = "zirconium"
CLAIM = ClaimInput(2, f"The lamp of claim 1, wherein the {SECRET} is red.", ("1. A lamp.",))
GOOD = json.dumps({"reasoning": f"Step 1: the {SECRET}.", "verdict": "Fail"})
GOOD_STEP = completion(GOOD)


@pytest.fixture(autouse=True)
def _close_connections() -> Iterator[None]:
    yield
    close_session()


def client_of(url: str, slept: list[float] | None = None, **settings: Any) -> ExpertClient:
    return ExpertClient(
        url,
        sleep=(slept if slept is not None else []).append,
        rng=random.Random(1),
        now=lambda: datetime(2026, 3, 1, tzinfo=UTC),
        **{"timeout_seconds": 5.0, "max_tokens": 700, "attempts": 3, "budget_seconds": 20.0, **settings},
    )


def test_a_good_answer_arrives_whole() -> None:
    ticks = iter([9.0, 10.0, 12.5])
    with ScriptedServer(GOOD_STEP) as server:
        answer = client_of(server.url, clock=lambda: next(ticks)).examine(CLAIM, 2)
    assert answer.raw == GOOD
    assert answer.rationale.verdict == "Fail"
    assert (answer.model, answer.prompt_tokens, answer.completion_tokens) == ("test/model", 40, 20)
    assert (answer.seconds, answer.calls, answer.dialect, answer.cut) == (2.5, 1, Dialect.TGI, False)
    assert answer.prompt_version == PROMPT.version


def test_the_request_carries_prompt_schema_and_limit() -> None:
    with ScriptedServer(GOOD_STEP) as server:
        client = client_of(server.url)
        client.examine(CLAIM, 2)
    (sent,) = server.requests
    assert server.paths == ["/v1/chat/completions"]
    assert sent["messages"] == PROMPT.messages(CLAIM, 2)
    assert read_target(sent["messages"][-1]["content"]).claim == CLAIM
    assert sent["max_tokens"] == 700
    assert sent["response_format"] == {"type": "json", "value": JSON_SCHEMA}
    assert client.prompt_version == PROMPT.version


@pytest.mark.parametrize(
    ("dialect", "token", "sent"),
    [
        (Dialect.TGI, "given-token", "Bearer given-token"),
        (Dialect.TGI, None, "Bearer none"),
        (Dialect.VLLM, "given-token", "Bearer given-token"),
        (Dialect.VLLM, None, None),
    ],
)
def test_only_the_given_token_is_ever_sent(
    monkeypatch: pytest.MonkeyPatch, dialect: Dialect, token: str | None, sent: str | None
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_of_this_machine")
    with ScriptedServer(GOOD_STEP) as server:
        client = client_of(server.url, token=token, dialect=dialect, model="m")
        client.examine(CLAIM, 2)
        client.close()
    assert server.headers[0].get("authorization") == sent


TRANSPORTS = (Dialect.TGI, Dialect.VLLM)
"""One that is asked through huggingface_hub, and one that is asked directly."""

TRANSIENT: list[tuple[str, Step, str, int]] = [
    ("429", error(429, "overloaded", SECRET), "overloaded", 1),
    ("424", error(424, "generation", SECRET), "generation", 3),
    ("500", error(500, "incomplete_generation", SECRET), "incomplete", 3),
    ("502 html", respond(502, f"<html>{SECRET}".encode()), "unavailable", 3),
    ("503", error(503, "healthcheck", SECRET), "unavailable", 3),
    ("504", respond(504, b""), "unavailable", 3),
    ("500 list", respond(500, json.dumps([SECRET]).encode()), "incomplete", 3),
    ("429 text", respond(429, SECRET.encode()), "overloaded", 1),
    ("404", respond(404, b"{}"), "unavailable", 3),
    ("reset mid body", reset_mid_body, "reset", 3),
    ("end mid body", end_mid_body, "reset", 3),
    ("408", respond(408, b""), "timeout", 1),
    ("cut off", completion(GOOD[:-9], "length"), "truncated", 2),
    ("white space run", completion(GOOD[:20] + " " * 3000, "length"), "whitespace", 2),
    ("not JSON", completion(f"I find {SECRET} fine."), "schema", 1),
    ("wrong shape", completion(json.dumps({"verdict": SECRET})), "schema", 1),
    ("empty", completion(""), "empty", 1),
    ("null", completion(None), "empty", 1),
    ("no completion", respond(200, json.dumps({"text": SECRET}).encode()), "schema", 1),
    ("no choices", respond(200, json.dumps({"choices": []}).encode()), "schema", 1),
    ("odd choices", respond(200, json.dumps({"choices": SECRET}).encode()), "schema", 1),
    (
        "odd content",
        respond(200, json.dumps({"choices": [{"message": {"content": [SECRET]}}]}).encode()),
        "schema",
        1,
    ),
    ("a list", respond(200, json.dumps([SECRET]).encode()), "schema", 1),
    ("outer text", respond(200, SECRET.encode()), "schema", 1),
    ("bad UTF-8", respond(200, b"\xff\xfe{"), "schema", 1),
]


@pytest.mark.parametrize(
    ("step", "kind", "calls"), [row[1:] for row in TRANSIENT], ids=[row[0] for row in TRANSIENT]
)
@pytest.mark.parametrize("dialect", TRANSPORTS)
def test_transient_faults(dialect: Dialect, step: Step, kind: str, calls: int) -> None:
    slept: list[float] = []
    with ScriptedServer(step) as server:
        client = client_of(server.url, slept, dialect=dialect, model="m")
        with pytest.raises(ExpertTransient) as caught:
            client.examine(CLAIM, 2)
        client.close()
    assert caught.value.kind == kind
    assert len(server.requests) == calls
    # A question that is changed needs no wait.
    assert all(wait == 0 for wait in slept) is (kind in {"truncated", "whitespace"} or calls == 1)
    assert len(slept) == calls - 1
    assert_silent(caught.value)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, "validation"),
        (422, "validation"),
        (401, "unauthorised"),
        (403, "unauthorised"),
    ],
)
@pytest.mark.parametrize("dialect", TRANSPORTS)
def test_permanent_faults_are_not_tried_again(dialect: Dialect, status: int, kind: str) -> None:
    with ScriptedServer(error(status, "validation", SECRET)) as server:
        client = client_of(server.url, token="given-token", dialect=dialect, model="m")
        with pytest.raises(ExpertPermanent) as caught:
            client.examine(CLAIM, 2)
        client.close()
    assert caught.value.kind == kind
    assert len(server.requests) == 1
    assert_silent(caught.value)
    assert "given-token" not in str(caught.value)


def assert_silent(fault: BaseException) -> None:
    """Neither the message nor anything a traceback would print holds claim or answer."""
    seen: BaseException | None = fault
    while seen is not None:
        assert SECRET not in str(seen)
        assert SECRET not in repr(seen)
        seen = seen.__cause__ if seen.__suppress_context__ else (seen.__cause__ or seen.__context__)


@pytest.mark.parametrize(
    "step",
    [
        error(503, "healthcheck"),
        error(424, "generation"),
        error(500, "incomplete_generation"),
        reset_mid_body,
    ],
)
def test_a_passing_fault_is_cured_within_the_call(step: Step) -> None:
    with ScriptedServer(step, GOOD_STEP) as server:
        assert client_of(server.url).examine(CLAIM, 2).rationale.verdict == "Fail"
    assert len(server.requests) == 2


def test_retry_after_is_kept_for_the_longer_wait() -> None:
    slept: list[float] = []
    script = error(503, "healthcheck", retry_after="120")
    with ScriptedServer(script) as server, pytest.raises(ExpertTransient) as caught:
        client_of(server.url, slept).examine(CLAIM, 2)
    assert (caught.value.kind, caught.value.retry_after, slept) == ("unavailable", 120.0, [])


def test_a_server_that_hangs_is_left() -> None:
    server = ScriptedServer(GOOD_STEP)
    server.steps = [server.hang]
    with server, pytest.raises(ExpertTransient) as caught:
        client_of(server.url, timeout_seconds=0.2).examine(CLAIM, 2)
    assert caught.value.kind == "timeout"
    assert len(server.requests) == 1
    assert_silent(caught.value)


def test_a_server_that_is_not_there() -> None:
    with ScriptedServer(GOOD_STEP) as server:
        url = server.url
    slept: list[float] = []
    with pytest.raises(ExpertTransient) as caught:
        client_of(url, slept).examine(CLAIM, 2)
    assert caught.value.kind == "unreachable"
    assert len(slept) == 2


@pytest.mark.parametrize("dialect", ["auto", Dialect.OPENAI])
def test_no_claim_is_sent_where_no_model_can_be_named(dialect: Any) -> None:
    with ScriptedServer(GOOD_STEP) as server:  # it tells nothing of itself
        client = client_of(server.url, dialect=dialect)
        with pytest.raises(ExpertTransient, match="ACE_EXPERT_MODEL") as caught:
            client.examine(CLAIM, 2)
        client.close()
    assert caught.value.kind == "unavailable"
    assert server.requests == []


def test_one_client_serves_many_threads() -> None:
    with ScriptedServer(GOOD_STEP) as server:
        client = client_of(server.url)
        together = threading.Barrier(8)

        def examine(number: int) -> str:
            together.wait()
            return client.examine(ClaimInput(number, f"A lamp {number}."), 8).rationale.verdict

        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(examine, range(1, 9))) == ["Fail"] * 8
    asked = {read_target(sent["messages"][-1]["content"]).claim.number for sent in server.requests}
    assert asked == set(range(1, 9))
