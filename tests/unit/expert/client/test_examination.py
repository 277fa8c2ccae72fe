"""One examination against each simulated server: how a fault is called, what is asked next, what it costs."""

import logging
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from typing import Any

import pytest

from ace.claims.model import CHAIN_CUT, ClaimInput
from ace.errors import ExpertPermanent, ExpertTransient
from ace.expert.client.dialects import Dialect
from ace.expert.client.expert_client import ExpertClient
from ace.expert.client.remedies import FRESH_TEMPERATURE
from ace.expert.client.session import Session
from ace.expert.prompt.copt import PROMPTS, read_target
from ace_lab.simulator.server import Simulator
from tests.unit.expert.ports import free_port
from tests.waiting import wait_for

SECRET = "zirconium"
CHAIN = (
    f"2. The lamp of claim 1, wherein the base is of {SECRET}.",
    "1. A lamp comprising a base and a shade.",
)
CLAIM = ClaimInput(3, f"The lamp of claim 2, wherein the {SECRET} of the base is polished.", CHAIN)
V1, V2 = PROMPTS["v1"], PROMPTS["v2"]


@contextmanager
def examined(*script: dict[str, Any], client: dict[str, Any] | None = None, **fields: Any) -> Iterator[Any]:
    """A client of a simulated server that keeps its requests, and the simulator."""
    with Simulator(script=script, kept_requests=20, drip_seconds=0.02, **fields).run() as simulator:
        settings = {"dialect": "auto", "timeout_seconds": 20.0, "attempts": 4, "rng": random.Random(1)}
        asking = ExpertClient(simulator.url, sleep=lambda _: None, **{**settings, **(client or {})})
        with closing(asking):
            yield asking, simulator


@pytest.mark.parametrize("version", PROMPTS)
@pytest.mark.parametrize("dialect", Dialect)
def test_every_server_is_found_and_answers(dialect: Dialect, version: str) -> None:
    with examined(dialect=dialect, client={"prompt": PROMPTS[version]}) as (client, simulator):
        answer = client.examine(CLAIM, 3)
    assert (answer.dialect, answer.calls, answer.cut) == (dialect, 1, False)
    assert answer.rationale.verdict in {"Pass", "Fail"}
    assert answer.prompt_version == client.prompt_version == PROMPTS[version].version
    (sent,) = simulator.requests
    assert sent["model"] == ("dummy" if dialect is Dialect.TGI else simulator.server.behaviour.model)
    assert read_target(sent["messages"][-1]["content"]).claim == CLAIM


FAULTS: dict[str, tuple[str, int]] = {
    "overloaded": ("overloaded", 1),
    "429-retry-after": ("overloaded", 1),
    "unavailable": ("unavailable", 4),
    "generation": ("generation", 4),
    "incomplete": ("incomplete", 4),
    "reset": ("reset", 4),
    "closed": ("reset", 4),
    "garbage": ("schema", 1),
    "schema": ("schema", 1),
    "empty": ("empty", 1),
    "whitespace": ("whitespace", 2),
    "truncated": ("truncated", 2),
    "language": ("language", 2),
    "validation": ("validation", 1),
    "too_long": ("too_long", 3),
    "unauthorised": ("unauthorised", 1),
}


@pytest.mark.parametrize("version", PROMPTS)
@pytest.mark.parametrize("dialect", [Dialect.TGI, Dialect.SGLANG])
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_has_its_kind_and_its_number_of_calls(fault: str, dialect: Dialect, version: str) -> None:
    kind, calls = FAULTS[fault]
    if fault == "generation" and dialect is not Dialect.TGI:
        kind = "incomplete"  # only TGI tells the two apart
    with examined(
        {"fault": fault, "times": 99},
        dialect=dialect,
        client={"dialect": dialect, "model": "m", "prompt": PROMPTS[version]},
    ) as (client, simulator):
        with pytest.raises((ExpertTransient, ExpertPermanent)) as caught:
            client.examine(CLAIM, 3)
        assert simulator.stats()["calls"] == calls
    raised: Any = caught.value
    assert raised.kind == kind
    assert_silent(raised)
    asked = [str(sorted(sent.items())) for sent in simulator.requests]
    assert len(set(asked)) == (
        len(asked) if kind in {"too_long", "truncated", "whitespace", "language"} else 1
    )


@pytest.mark.parametrize("dialect", [Dialect.TGI, Dialect.SGLANG])
@pytest.mark.parametrize(("fault", "kind"), [("hang", "timeout"), ("drip", "dripping")])
def test_what_takes_too_long_is_asked_for_once(fault: str, kind: str, dialect: Dialect) -> None:
    late = {"dialect": dialect, "model": "m", "timeout_seconds": 1.0}
    with examined({"fault": fault, "times": 99}, dialect=dialect, client=late) as (client, simulator):
        with pytest.raises(ExpertTransient) as caught:
            client.examine(CLAIM, 3)
        wait_for(lambda: len(simulator.requests) == 1, "its requests")
    assert simulator.stats()["calls"] == 1
    assert caught.value.kind == kind
    assert_silent(caught.value)


def assert_silent(fault: BaseException) -> None:
    """Neither the message nor anything a traceback would print holds the claim."""
    seen: BaseException | None = fault
    while seen is not None:
        assert SECRET not in f"{seen} {seen!r}"
        seen = seen.__cause__ if seen.__suppress_context__ else (seen.__cause__ or seen.__context__)


@pytest.mark.parametrize(
    "fault", ["unavailable", "incomplete", "reset", "whitespace", "truncated", "language"]
)
@pytest.mark.parametrize("dialect", Dialect)
def test_a_passing_fault_costs_one_call_more(fault: str, dialect: Dialect) -> None:
    with examined({"fault": fault}, dialect=dialect) as (client, _):
        assert client.examine(CLAIM, 3).calls == 2


def test_a_truncated_answer_is_asked_for_with_more_room() -> None:
    with examined({"fault": "truncated"}, client={"max_tokens": 700}) as (client, simulator):
        client.examine(CLAIM, 3)
    assert [sent["max_tokens"] for sent in simulator.requests] == [700, 1400]
    assert all("temperature" not in sent for sent in simulator.requests)


def test_where_the_server_has_no_more_room_the_shorter_version_is_asked() -> None:
    # The simulator's limit is 4096 tokens above that of a prompt.
    with examined(
        {"fault": "truncated"},
        dialect="vllm",
        max_input_tokens=6_000,
        client={"prompt": V2, "shorter": V1, "max_tokens": 7_000},
    ) as (client, simulator):
        answer = client.examine(CLAIM, 3)
    assert [sent["max_tokens"] for sent in simulator.requests] == [7_000, 7_000]
    assert (answer.prompt_version, client.prompt_version) == (V1.version, V2.version)


def test_more_room_than_the_server_has_is_no_fault_of_the_chain() -> None:
    script = {"fault": "truncated"}, {"fault": "too_long"}
    client_fields = {"dialect": Dialect.TGI, "max_tokens": 900}
    with (
        examined(*script, client=client_fields) as (client, simulator),
        pytest.raises(ExpertTransient) as caught,
    ):
        client.examine(CLAIM, 3)
    assert caught.value.kind == "truncated"
    assert [sent["max_tokens"] for sent in simulator.requests] == [900, 1800]


def test_white_space_and_another_language_are_left_by_other_sampling() -> None:
    with examined({"fault": "whitespace"}, {"fault": "language"}) as (client, simulator):
        assert client.examine(CLAIM, 3).calls == 2 + 1
    assert [sent.get("temperature") for sent in simulator.requests] == [
        None,
        FRESH_TEMPERATURE,
        FRESH_TEMPERATURE,
    ]


@pytest.mark.parametrize("dialect", Dialect)
def test_a_chain_that_is_too_long_is_cut(dialect: Dialect) -> None:
    with examined({"fault": "too_long", "times": 2}, dialect=dialect) as (client, simulator):
        answer = client.examine(CLAIM, 3)
    assert (answer.calls, answer.cut) == (3, True)
    chains = [read_target(sent["messages"][-1]["content"]).claim.ancestors for sent in simulator.requests]
    assert chains == [CHAIN, (CHAIN[0], CHAIN_CUT), (CHAIN_CUT,)]


def test_later_calls_have_what_is_left_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []

    ask = Session.ask_tgi

    def noted(self: Session, body: dict[str, Any], seconds: float) -> Any:
        given.append(seconds)
        return ask(self, body, seconds)

    monkeypatch.setattr(Session, "ask_tgi", noted)
    ticks = iter(range(0, 1_000, 15))  # seconds between one look at the clock and the next
    fields = {
        "dialect": Dialect.TGI,
        "clock": lambda: next(ticks),
        "timeout_seconds": 40,
        "budget_seconds": 60,
    }
    with (
        examined({"fault": "incomplete", "times": 9}, client=fields) as (client, _),
        pytest.raises(ExpertTransient),
    ):
        client.examine(CLAIM, 3)
    assert given == [40, 15, 1, 1]


def test_a_server_is_looked_at_once_by_many_threads_and_told_of_without_secrets(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "ace.expert.client.expert_client")
    with (
        examined(dialect="vllm", client={"token": "secret-token"}) as (client, _),
        ThreadPoolExecutor(6) as pool,
    ):
        answers = list(pool.map(lambda _: client.examine(CLAIM, 3), range(6)))
    assert {answer.dialect for answer in answers} == {Dialect.VLLM}
    (found,) = (record for record in caplog.records if record.message == "expert found")
    assert found.__dict__["dialect"] == "vllm"
    assert "secret-token" not in str(found.__dict__)


def test_after_an_outage_another_server_may_be_there() -> None:
    with free_port() as port:
        client = ExpertClient(
            f"http://127.0.0.1:{port}", dialect="auto", timeout_seconds=20, attempts=1, sleep=lambda _: None
        )
        with Simulator(dialect="vllm", port=port).run():
            assert client.examine(CLAIM, 3).dialect is Dialect.VLLM
        with pytest.raises(ExpertTransient) as caught:
            client.examine(CLAIM, 3)
        assert caught.value.kind in {"unreachable", "reset"}
        with pytest.raises(ExpertTransient) as caught:
            client.examine(CLAIM, 3)
        assert caught.value.kind == "unreachable"
        with Simulator(dialect="llama.cpp", port=port).run():
            answer = client.examine(CLAIM, 3)
            client.close()
    assert answer.dialect is Dialect.LLAMACPP


def test_what_the_server_tells_is_there_for_whoever_asks() -> None:
    with examined(slots=7, client={"dialect": Dialect.TGI}) as (client, _):
        assert client.served().max_concurrent == 7
