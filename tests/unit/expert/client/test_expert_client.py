"""The client against a real socket: every fault gets its kind, its retries and a silent message."""

import json
import random
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from typing import Any

import httpx2
import pytest
from huggingface_hub import get_session, set_client_factory

from ace.claims.model import ClaimInput
from ace.errors import ExpertPermanent, ExpertTransient
from ace.expert.client.dialects import Dialect
from ace.expert.client.expert_client import ExpertClient
from ace.expert.prompt.copt import PROMPT, read_target
from ace.expert.prompt.rationale import JSON_SCHEMA
from ace_lab.simulator.server import Simulator
from tests.unit.expert.ports import free_port
from tests.waiting import wait_for

SECRET = "zirconium"
CLAIM = ClaimInput(2, f"The lamp of claim 1, wherein the {SECRET} is red.", ("1. A lamp.",))
GOOD = json.dumps({"reasoning": f"Step 1: the {SECRET}.", "verdict": "Fail"})

Step = dict[str, Any]


def client_of(url: str, slept: list[float] | None = None, **settings: Any) -> ExpertClient:
    return ExpertClient(
        url,
        sleep=(slept if slept is not None else []).append,
        rng=random.Random(1),
        now=lambda: datetime(2026, 3, 1, tzinfo=UTC),
        **{"timeout_seconds": 20.0, "max_tokens": 700, "attempts": 3, "budget_seconds": 60.0, **settings},
    )


@contextmanager
def serving(
    *script: Step,
    dialect: Any = Dialect.TGI,
    slept: list[float] | None = None,
    server_info: dict[str, Any] | None = None,
    **settings: Any,
) -> Iterator[tuple[ExpertClient, Simulator]]:
    """A server that follows the script and then gives good answers, and its client."""
    served = Simulator(
        dialect=Dialect.OPENAI if dialect == "auto" else dialect,
        script=script,
        answer=lambda _: {"content": GOOD},
        server_info=server_info,
        kept_requests=20,
    )
    with served.run() as simulator:
        client = client_of(simulator.url, slept, dialect=dialect, **settings)
        with closing(client):
            yield client, simulator


def error(status: int, error_type: str, **headers: str) -> Step:
    """An error in TGI's shape that repeats the claim, as servers do."""
    return respond(status, {"error": f"failed on {SECRET}", "error_type": error_type}, **headers)


def respond(status: int, body: Any, **headers: str) -> Step:
    return {"status": status, "body": body, "headers": headers}


def completion(content: str, finish_reason: str = "stop") -> Step:
    return {"content": content, "finish_reason": finish_reason}


def test_a_good_answer_arrives_whole() -> None:
    with serving(clock=lambda: 10.0 + 2.5 * simulator.stats()["calls"]) as (client, simulator):
        answer = client.examine(CLAIM, 2)
        stats = simulator.stats()
    assert answer.raw == GOOD
    assert answer.rationale.verdict == "Fail"
    assert answer.model == simulator.model
    assert (answer.prompt_tokens, answer.completion_tokens) == (
        stats["prompt_tokens"],
        stats["completion_tokens"],
    )
    assert stats["prompt_tokens"] > stats["completion_tokens"] > 0
    assert (answer.seconds, answer.calls, answer.dialect, answer.cut) == (2.5, 1, Dialect.TGI, False)
    assert answer.prompt_version == PROMPT.version


def test_the_request_carries_prompt_schema_and_limit() -> None:
    with serving() as (client, simulator):
        client.examine(CLAIM, 2)
    (sent,) = simulator.requests
    assert [each.path for each in simulator.received] == ["/v1/chat/completions"]
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
    with serving(dialect=dialect, token=token, model="m") as (client, simulator):
        client.examine(CLAIM, 2)
    assert simulator.received[0].headers.get("authorization") == sent


def test_huggingface_hub_keeps_its_own_ways_beside_the_questions() -> None:
    with serving() as (client, simulator):
        client.examine(CLAIM, 2)
        moved = {"status": 303, "headers": {"location": f"{simulator.url}/info"}}
        simulator.follow(moved, moved)
        own = get_session().post(f"{simulator.url}/v1/chat/completions", json=simulator.requests[0])
        assert own.json()["model_id"] == simulator.model
        with pytest.raises(ExpertPermanent, match="address"):
            client.examine(CLAIM, 2)
    asked = [each.headers for each in simulator.received if each.path == "/v1/chat/completions"]
    assert not any(name.startswith("x-ace") for headers in asked for name in headers)


def test_claims_go_through_our_own_session_even_if_huggingface_hub_is_set_up_again() -> None:
    with serving() as (client, simulator):
        client.examine(CLAIM, 2)
        set_client_factory(
            lambda: httpx2.Client(transport=httpx2.MockTransport(lambda _: httpx2.Response(500)))
        )
        assert client.examine(CLAIM, 2).calls == 1
        assert simulator.stats()["calls"] == 2


TRANSPORTS = (Dialect.TGI, Dialect.VLLM)
"""One that is asked through huggingface_hub, and one that is asked directly."""

TRANSIENT: dict[str, tuple[Step, str, int]] = {
    "429": (error(429, "overloaded"), "overloaded", 1),
    "424": (error(424, "generation"), "generation", 3),
    "500": (error(500, "incomplete_generation"), "incomplete", 3),
    "502 html": (respond(502, f"<html>{SECRET}"), "unavailable", 3),
    "503": (error(503, "healthcheck"), "unavailable", 3),
    "504": (respond(504, ""), "unavailable", 3),
    "500 list": (respond(500, [SECRET]), "incomplete", 3),
    "429 text": (respond(429, SECRET), "overloaded", 1),
    "404": (respond(404, {}), "unavailable", 3),
    "reset mid body": ({"content": SECRET * 9, "fault": "reset"}, "reset", 3),
    "end mid body": ({"content": SECRET * 9, "fault": "closed"}, "reset", 3),
    "hang": ({"fault": "hang"}, "timeout", 1),
    "408": (respond(408, ""), "timeout", 1),
    "cut off": (completion(GOOD[:-9], "length"), "truncated", 2),
    "white space run": (completion(GOOD[:20] + " " * 3000, "length"), "whitespace", 2),
    "not JSON": (completion(f"I find {SECRET} fine."), "schema", 1),
    "wrong shape": (completion(json.dumps({"verdict": SECRET})), "schema", 1),
    "empty": (completion(""), "empty", 1),
    "null": (respond(200, {"choices": [{"message": {"content": None}}]}), "empty", 1),
    "no completion": (respond(200, {"text": SECRET}), "unavailable", 3),
    "no choices": (respond(200, {"choices": []}), "unavailable", 3),
    "odd choices": (respond(200, {"choices": SECRET}), "unavailable", 3),
    "odd content": (respond(200, {"choices": [{"message": {"content": [SECRET]}}]}), "unavailable", 3),
    "a list": (respond(200, [SECRET]), "unavailable", 3),
    "outer text": (respond(200, SECRET), "unavailable", 3),
    "bad UTF-8": (respond(200, "\udcff\udcfe{"), "unavailable", 3),
}


@pytest.mark.parametrize(("step", "kind", "calls"), TRANSIENT.values(), ids=TRANSIENT)
@pytest.mark.parametrize("dialect", TRANSPORTS)
def test_transient_faults(dialect: Dialect, step: Step, kind: str, calls: int) -> None:
    slept: list[float] = []
    timeout = 1.0 if step.get("fault") == "hang" else 20.0
    with serving({**step, "times": 9}, dialect=dialect, slept=slept, model="m", timeout_seconds=timeout) as (
        client,
        simulator,
    ):
        with pytest.raises(ExpertTransient) as caught:
            client.examine(CLAIM, 2)
        wait_for(lambda: len(simulator.requests) == calls, "its requests")
    assert caught.value.kind == kind
    assert simulator.stats()["calls"] == calls
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
    step = error(status, "validation")
    with serving(step, dialect=dialect, token="given-token", model="m") as (client, simulator):
        with pytest.raises(ExpertPermanent) as caught:
            client.examine(CLAIM, 2)
        assert simulator.stats()["calls"] == 1
    assert caught.value.kind == kind
    assert_silent(caught.value)
    assert "given-token" not in str(caught.value)


def assert_silent(fault: BaseException) -> None:
    """Neither the message nor anything a traceback would print holds claim or answer."""
    seen: BaseException | None = fault
    while seen is not None:
        assert SECRET not in str(seen)
        assert SECRET not in repr(seen)
        seen = seen.__cause__ if seen.__suppress_context__ else (seen.__cause__ or seen.__context__)


@pytest.mark.parametrize("fault", ["unavailable", "generation", "incomplete", "reset", "closed"])
def test_a_passing_fault_is_cured_within_the_call(fault: str) -> None:
    with serving({"fault": fault}) as (client, simulator):
        assert client.examine(CLAIM, 2).rationale.verdict == "Fail"
        assert simulator.stats()["calls"] == 2


def test_retry_after_is_kept_for_the_longer_wait() -> None:
    slept: list[float] = []
    step = error(503, "healthcheck", **{"retry-after": "120"})
    with serving(step, slept=slept) as (client, _), pytest.raises(ExpertTransient) as caught:
        client.examine(CLAIM, 2)
    assert (caught.value.kind, caught.value.retry_after, slept) == ("unavailable", 120.0, [])


def test_a_server_that_is_not_there() -> None:
    slept: list[float] = []
    with free_port() as port, pytest.raises(ExpertTransient) as caught:
        client_of(f"http://127.0.0.1:{port}", slept, dialect=Dialect.TGI).examine(CLAIM, 2)
    assert caught.value.kind == "unreachable"
    assert len(slept) == 2


@pytest.mark.parametrize("dialect", ["auto", Dialect.OPENAI])
def test_no_claim_is_sent_where_no_model_can_be_named(dialect: Any) -> None:
    with serving(dialect=dialect, server_info={}) as (client, simulator):
        with pytest.raises(ExpertTransient, match="ACE_EXPERT_MODEL") as caught:
            client.examine(CLAIM, 2)
        assert caught.value.kind == "unavailable"
        assert simulator.requests == []


def test_one_client_serves_many_threads() -> None:
    with serving() as (client, simulator):
        together = threading.Barrier(8)

        def examine(number: int) -> str:
            together.wait()
            return client.examine(ClaimInput(number, f"A lamp {number}."), 8).rationale.verdict

        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(examine, range(1, 9))) == ["Fail"] * 8
    asked = {read_target(sent["messages"][-1]["content"]).claim.number for sent in simulator.requests}
    assert asked == set(range(1, 9))
