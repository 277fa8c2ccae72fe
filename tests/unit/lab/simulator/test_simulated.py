"""The parts of the simulated servers: forms of schemas, words of refusals, orders of faults, places."""

import asyncio
import json
import random
import statistics
from collections import Counter
from typing import Any

import jsonschema
import pytest
from starlette.testclient import TestClient

from ace.claims.model import ClaimInput
from ace.errors import AceError, Refused
from ace.expert.client.dialects import Dialect, body
from ace.expert.client.faults import kind_of_completion, kind_of_status
from ace.expert.client.language import is_english
from ace.expert.examiner.structural import examine
from ace.expert.prompt.copt import PROMPTS
from ace.expert.protocol.admission import Admission
from ace.expert.protocol.chat import pieces
from ace.expert.protocol.instances import smallest_instance
from ace.expert.protocol.refusals import Refusal
from ace.types.faults import FaultKind
from ace_lab.simulator.app import SimulatedServer
from ace_lab.simulator.behaviour import Behaviour
from ace_lab.simulator.faults import PASSING, Fault, Plan, Step, rates_of, read_script
from ace_lab.simulator.timing import Latency

SECRET = "zirconium"
CLAIM = ClaimInput(
    2, f"The lamp of claim 1, wherein the {SECRET} shade is red.", ("1. A lamp comprising a base.",)
)
V1 = PROMPTS["v1"]
ENUM = {"type": "object", "properties": {"sum": {"enum": ["vermilion"]}}, "required": ["sum"]}


def served(**fields: Any) -> TestClient:
    return TestClient(SimulatedServer(Behaviour(**fields)).app)


def ask(client: TestClient, **fields: Any) -> Any:
    messages = V1.messages(CLAIM, 2)
    return client.post("/v1/chat/completions", json={"messages": messages, "max_tokens": 1024, **fields})


def said(response: Any) -> str:
    assert response.status_code == 200, response.text
    content: str = response.json()["choices"][0]["message"]["content"]
    return content


@pytest.mark.parametrize("version", PROMPTS)
@pytest.mark.parametrize("dialect", Dialect)
def test_what_the_client_sends_is_understood(dialect: Dialect, version: str) -> None:
    prompt = PROMPTS[version]
    sent = body(dialect, prompt.messages(CLAIM, 2), prompt.schema, max_tokens=1024, model="any")
    response = served(dialect=dialect).post("/v1/chat/completions", json=sent)
    assert json.loads(said(response)) == examine(CLAIM, version).model_dump(mode="json", by_alias=True)
    assert "not an LLM" in response.json()["model"]
    assert response.headers["x-simulated-by"] == "ace"


GRAMMAR = {"type": "json", "value": V1.schema}
REWRITTEN = {"type": "json_object", "value": V1.schema}  # what InferenceClient makes of OpenAI's form
NAMED = {"type": "json_schema", "json_schema": {"name": "r", "schema": V1.schema}}
NAMELESS = {"type": "json_schema", "json_schema": {"schema": V1.schema}}
LLAMA = {"type": "json_object", "schema": V1.schema}


@pytest.mark.parametrize(
    ("dialect", "followed", "lost", "refused"),
    [
        (
            "tgi",
            [GRAMMAR, REWRITTEN, {"type": "json_schema", "value": {"schema": V1.schema}}],
            [],
            [NAMED, LLAMA, {"type": "json_object"}, {"type": "regex", "value": "x"}],
        ),
        ("vllm", [NAMED], [REWRITTEN, LLAMA, {"type": "json_object"}], [GRAMMAR, NAMELESS]),
        ("sglang", [NAMED], [REWRITTEN, LLAMA], [GRAMMAR, NAMELESS]),
        ("llama.cpp", [NAMED, NAMELESS, LLAMA], [REWRITTEN, {"type": "json_object"}], [GRAMMAR]),
        ("openai", [NAMED], [REWRITTEN, LLAMA], [GRAMMAR, NAMELESS, {"type": "json_schema"}]),
    ],
)
def test_a_schema_is_followed_in_the_servers_own_form_alone(
    dialect: str, followed: list[Any], lost: list[Any], refused: list[Any]
) -> None:
    client = served(dialect=Dialect(dialect))
    for form in followed:
        assert V1.parse(said(ask(client, response_format=form)), "stop").verdict == "Fail"
    for form in lost:
        answer = json.loads(said(ask(client, response_format=form)))
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(answer, V1.schema)
    for form in refused:
        response = ask(client, response_format=form)
        assert response.status_code == (422 if dialect == "tgi" else 400)


def test_vllm_has_a_form_of_its_own_which_others_do_not_see() -> None:
    fields = {"structured_outputs": {"json": V1.schema}}
    assert V1.parse(said(ask(served(dialect=Dialect.VLLM), **fields)), "stop").verdict == "Fail"
    with pytest.raises(json.JSONDecodeError):
        json.loads(said(ask(served(dialect=Dialect.SGLANG), **fields)))


def test_other_schemas_are_followed_too_unless_told_otherwise() -> None:
    form = {"type": "json", "value": ENUM}
    assert json.loads(said(ask(served(), response_format=form))) == {"sum": "vermilion"}
    for answer in (
        said(ask(served(enforced=False), response_format=form)),
        said(ask(served())),  # no schema at all
    ):
        assert "{" not in answer
        assert "simulated" in answer


@pytest.mark.parametrize(
    ("dialect", "paths"),
    [
        ("tgi", {"/info", "/health", "/v1/models"}),
        ("vllm", {"/version", "/health", "/v1/models"}),
        ("sglang", {"/get_model_info", "/get_server_info", "/health", "/v1/models"}),
        ("llama.cpp", {"/props", "/health", "/v1/models"}),
        ("openai", {"/v1/models"}),
    ],
)
def test_each_dialect_has_its_own_addresses(dialect: str, paths: set[str]) -> None:
    client = served(dialect=Dialect(dialect), slots=7, max_input_tokens=2_000)
    every = {"/info", "/version", "/props", "/get_model_info", "/get_server_info", "/health", "/v1/models"}
    assert {path for path in every if client.get(path).status_code == 200} == paths
    assert "not an LLM" in client.get("/v1/models").json()["data"][0]["id"]


def test_limits_are_told() -> None:
    limits = {"slots": 7, "max_input_tokens": 2_000}
    info = served(**limits).get("/info").json()
    assert (info["max_concurrent_requests"], info["max_input_tokens"]) == (7, 2_000)
    props = served(dialect=Dialect.LLAMACPP, **limits).get("/props").json()
    assert (props["total_slots"], props["default_generation_settings"]["n_ctx"]) == (7, 6_096)
    server = served(dialect=Dialect.SGLANG, **limits).get("/get_server_info").json()
    assert (server["max_running_requests"], server["context_length"]) == (7, 6_096)
    models = served(dialect=Dialect.VLLM, **limits).get("/v1/models").json()
    assert models["data"][0]["max_model_len"] == 6_096


@pytest.mark.parametrize(
    ("fault", "kinds"),
    [
        (Fault.OVERLOADED, {FaultKind.OVERLOADED}),
        (Fault.OVERLOADED_WAIT, {FaultKind.OVERLOADED}),
        (Fault.UNAVAILABLE, {FaultKind.UNAVAILABLE}),
        (Fault.VALIDATION, {FaultKind.VALIDATION}),
        (Fault.TOO_LONG, {FaultKind.TOO_LONG}),
        (Fault.UNAUTHORISED, {FaultKind.UNAUTHORISED}),
        (Fault.GENERATION, {FaultKind.GENERATION, FaultKind.INCOMPLETE}),  # 424 is TGI's alone
        (Fault.INCOMPLETE, {FaultKind.INCOMPLETE}),
    ],
)
@pytest.mark.parametrize("dialect", Dialect)
def test_an_error_is_worded_so_that_its_kind_is_known(
    dialect: Dialect, fault: Fault, kinds: set[FaultKind]
) -> None:
    client = served(dialect=dialect, script=(Step(fault=fault, times=3),))
    for _ in range(3):
        response = ask(client)
        assert kind_of_status(response.status_code, response.text) in kinds
        assert SECRET not in response.text
        assert ("retry-after" in response.headers) == (fault is Fault.OVERLOADED_WAIT)


@pytest.mark.parametrize(
    ("dialect", "shape", "where"),
    [
        ("tgi", {"error", "error_type"}, []),
        ("vllm", {"message", "type", "param", "code"}, ["error"]),
        ("sglang", {"object", "message", "type", "param", "code"}, []),
        ("llama.cpp", {"message", "type", "code", "n_prompt_tokens", "n_ctx"}, ["error"]),
        ("openai", {"message", "type", "param", "code"}, ["error"]),
    ],
)
def test_a_prompt_that_is_too_long_is_refused_in_the_servers_shape(
    dialect: str, shape: set[str], where: list[str]
) -> None:
    response = ask(served(dialect=Dialect(dialect), max_input_tokens=100))
    error = response.json()
    for name in where:
        error = error[name]
    assert set(error) == shape
    assert kind_of_status(response.status_code, response.text) is FaultKind.TOO_LONG
    assert ask(served(dialect=Dialect(dialect), max_input_tokens=10_000)).status_code == 200


def test_proxies_answer_with_pages() -> None:
    client = served(script=(Step(fault=Fault.UNAVAILABLE, times=3),))
    answers = [ask(client) for _ in range(3)]
    assert {each.status_code for each in answers} == {502, 503, 504}
    assert {each.headers["content-type"].split(";")[0] for each in answers} == {
        "text/html",
        "application/json",
    }


@pytest.mark.parametrize("version", PROMPTS)
@pytest.mark.parametrize(
    "fault",
    [Fault.GARBAGE, Fault.SCHEMA, Fault.WHITESPACE, Fault.TRUNCATED, Fault.LANGUAGE, Fault.EMPTY],
)
def test_worthless_completions(fault: Fault, version: str) -> None:
    prompt = PROMPTS[version]
    sent = body(Dialect.TGI, prompt.messages(CLAIM, 2), prompt.schema, max_tokens=600)
    response = served(script=(Step(fault=fault),)).post("/v1/chat/completions", json=sent)
    choice = response.json()["choices"][0]
    content, reason = said(response), choice["finish_reason"]
    seen = kind_of_completion(content, reason)
    named = {Fault.WHITESPACE, Fault.TRUNCATED, Fault.EMPTY}
    assert (seen.value if seen else None) == (fault.value if fault in named else None)
    assert response.json()["usage"]["completion_tokens"] <= 600
    if fault is Fault.LANGUAGE:
        jsonschema.validate(json.loads(content), prompt.schema)
        assert not is_english(*prompt.parse(content, reason).spoken)
    else:
        with pytest.raises(AceError):
            prompt.parse(content, reason)


def events(response: Any) -> list[Any]:
    lines = [line.removeprefix("data: ") for line in response.text.split("\n\n") if line]
    assert lines.pop() == "[DONE]"
    return [json.loads(line) for line in lines]


def test_a_stream_holds_the_same_answer() -> None:
    client = served()
    whole = ask(client, response_format=GRAMMAR).json()
    told = events(ask(client, response_format=GRAMMAR, stream=True, stream_options={"include_usage": True}))
    *chunks, usage = told
    content = "".join(chunk["choices"][0]["delta"]["content"] for chunk in chunks)
    assert content == whole["choices"][0]["message"]["content"]
    assert [chunk["choices"][0]["finish_reason"] for chunk in chunks][-2:] == [None, "stop"]
    assert (usage["choices"], usage["usage"]) == ([], whole["usage"])
    assert len(chunks) > 5
    assert all("usage" not in event for event in events(ask(client, stream=True)))


def test_tgi_tells_errors_in_the_stream_and_others_by_status() -> None:
    script = (Step(fault=Fault.OVERLOADED), Step(fault=Fault.GENERATION))
    client = served(script=script)
    assert [events(ask(client, stream=True))[0]["error_type"] for _ in script] == ["overloaded", "generation"]
    client = served(dialect=Dialect.VLLM, script=script)
    assert [ask(client, stream=True).status_code for _ in script] == [429, 500]


@pytest.mark.parametrize("tokens_each", [1, 7, 1_000])
@pytest.mark.parametrize("text", ["", "one", "  two  words ", '{"a": "ünï\\n"}   ', "\n" * 40])
def test_pieces_lose_nothing(text: str, tokens_each: int) -> None:
    assert "".join(pieces(text, tokens_each)) == text


def test_a_script_gives_answers_word_for_word_and_good_ones_between() -> None:
    script = (
        Step(content='{"verdict": 1}', finish_reason="length"),
        Step(),
        Step(status=418, body={"tea": True}, headers={"X-Kind": "pot"}),
        Step(status=200, body="no json"),
        Step(status=200, body="\udcff\udcfe{"),
    )
    client = served(script=script)
    first = ask(client).json()["choices"][0]
    assert (first["message"]["content"], first["finish_reason"]) == ('{"verdict": 1}', "length")
    assert "simulated" in said(ask(client))
    odd = ask(client)
    assert (odd.status_code, odd.json(), odd.headers["x-kind"]) == (418, {"tea": True}, "pot")
    assert ask(client).text == "no json"
    assert ask(client).content == b"\xff\xfe{"
    assert "simulated" in said(ask(client))


def test_a_function_says_what_a_request_gets_where_the_script_says_nothing() -> None:
    def answer(asked: dict[str, Any]) -> dict[str, Any]:
        return {"content": f"{asked['seed']}"} if asked["seed"] else {"fault": "overloaded"}

    client = served(answer=answer, script=(Step(fault=Fault.EMPTY), Step()))
    assert [said(ask(client, seed=seed)) for seed in (1, 2, 3)] == ["", "2", "3"]
    assert ask(client, seed=0).status_code == 429
    stats = client.get("/simulator/stats").json()
    assert (stats["faults"], stats["in_flight"]) == ({"empty": 1, "overloaded": 1}, 0)


def test_a_server_tells_of_itself_what_it_is_told_to_and_keeps_what_it_was_sent() -> None:
    server = SimulatedServer(Behaviour(server_info={"/info": ["odd"]}, other_status=503, kept_requests=9))
    client = TestClient(server.app)
    assert client.get("/info", headers={"X-Odd": "1"}).json() == ["odd"]
    assert [client.get(path).status_code for path in ("/health", "/v1/models")] == [503, 503]
    client.post("/v1/chat/completions", content=b"{")
    assert [each.path for each in server.received] == [
        "/info",
        "/health",
        "/v1/models",
        "/v1/chat/completions",
    ]
    assert (server.received[0].headers["x-odd"], server.received[3].body) == ("1", b"{")


def test_stats_count_what_happened() -> None:
    client = served(script=(Step(fault=Fault.GENERATION), Step(fault=Fault.EMPTY)))
    for _ in range(3):
        ask(client)
    stats = client.get("/simulator/stats").json()
    assert (stats["calls"], stats["statuses"]) == (3, {"200": 2, "424": 1})
    assert stats["faults"] == {"empty": 1, "generation": 1}
    assert (stats["in_flight"], stats["max_in_flight"]) == (0, 1)
    assert stats["prompt_tokens"] > stats["completion_tokens"] > 0


@pytest.mark.parametrize(
    "text",
    ["[1]", '{"fault": "gremlins"}', "{", '{"n": 0}', '{"n": 2}\n{"n": 1}', '{"times": 3}\n{"n": 2}'],
)
def test_a_script_that_cannot_be_followed_is_refused(text: str) -> None:
    response = served().post("/simulator/script", content=text)
    assert response.status_code == 422
    assert response.json()["error"]


def drawn(plan: Plan, number: int) -> list[Fault | None]:
    return [plan.next()[1].fault for _ in range(number)]


def test_faults_are_decided_by_seed_and_number() -> None:
    rates = rates_of({"hang": 0.1, "validation": 0.05}, total=0.2)
    drawn_once = drawn(Plan(rates, seed=7), 20_000)
    assert drawn_once == drawn(Plan(rates, seed=7), 20_000)
    assert drawn_once != drawn(Plan(rates, seed=8), 20_000)
    counts = Counter(drawn_once)
    assert set(counts) == {None, Fault.VALIDATION, *PASSING}
    assert abs(counts[None] / 20_000 - 0.65) < 0.02
    assert abs(counts[Fault.HANG] / 20_000 - 0.1 - 0.2 / len(PASSING)) < 0.01


def test_a_script_goes_before_the_rates_and_counts_from_when_it_is_given() -> None:
    plan = Plan({Fault.HANG: 1.0}, seed=0)
    assert drawn(plan, 2) == [Fault.HANG] * 2
    plan.follow(read_script('{"fault": "empty"}\n{"n": 3, "fault": "drip", "times": 2}\n{}'))
    assert drawn(plan, 6) == [Fault.EMPTY, Fault.HANG, Fault.DRIP, Fault.DRIP, None, Fault.HANG]


@pytest.mark.parametrize(
    ("given", "total"), [({"gremlins": 0.1}, 0), ({"hang": 1.1}, 0), ({"hang": 0.9}, 0.2), ({}, -0.1)]
)
def test_rates_that_are_no_shares_are_refused(given: dict[str, float], total: float) -> None:
    with pytest.raises(Refused):
        rates_of(given, total)


@pytest.mark.parametrize(
    "text", ["", "fixed", "fixed:a", "fixed:1,2", "lognormal:1", "fixed:-1", "fixed:nan", "uniform:1"]
)
def test_latencies_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(Refused):
        Latency.parse(text)


def test_latencies_are_distributed_as_told() -> None:
    rng = random.Random(1)
    assert Latency.parse("fixed:0.5").draw(rng) == 0.5
    latency = Latency.parse("lognormal:0.5,0.6")
    drawn_seconds = [latency.draw(rng) for _ in range(20_000)]
    assert statistics.median(drawn_seconds) == pytest.approx(0.5, rel=0.03)
    assert statistics.mean(drawn_seconds) == pytest.approx(latency.mean(), rel=0.03)


def test_places_are_given_in_turn_and_given_back_by_those_who_leave() -> None:
    async def scene() -> list[str]:
        admission = Admission(slots=1, queue=2)
        told: list[str] = []
        free = asyncio.Event()

        async def guest(name: str) -> None:
            try:
                async with admission.slot():
                    told.append(name)
                    await free.wait()
            except Refusal as refusal:
                told.append(f"{name} {refusal.kind}")

        guests = []
        for name in ("a", "b", "c", "d"):
            guests.append(asyncio.create_task(guest(name)))
            await asyncio.sleep(0)
        assert (admission.in_flight, admission.waiting) == (1, 2)
        guests[1].cancel()  # leaves while waiting
        await asyncio.sleep(0)
        guests[0].cancel()  # leaves while served: the next in line is c
        await asyncio.gather(guests[0], guests[1], return_exceptions=True)
        free.set()
        await asyncio.gather(guests[2], guests[3])
        assert (admission.in_flight, admission.waiting, admission.max_in_flight) == (0, 0, 1)
        return told

    assert asyncio.run(scene()) == ["a", "d full", "c"]


@pytest.mark.parametrize("leaving", ["after", "before", "together"])
def test_a_place_handed_to_one_who_leaves_at_that_moment_is_not_lost(leaving: str) -> None:
    async def scene() -> None:
        admission = Admission(slots=1, queue=1)
        free = asyncio.Event()

        async def guest() -> None:
            async with admission.slot():
                await free.wait()

        first, second = asyncio.create_task(guest()), asyncio.create_task(guest())
        await asyncio.sleep(0)
        if leaving == "before":
            second.cancel()
        first.cancel()
        if leaving == "after":
            await asyncio.wait({first})  # its place is second's now, who does not know yet
        second.cancel()
        done, _ = await asyncio.wait({first, second})
        assert all(task.cancelled() for task in done)
        assert (admission.in_flight, admission.waiting) == (0, 0)

    asyncio.run(scene())


@pytest.mark.parametrize(
    "schema",
    [
        ENUM,
        {"const": 4},
        {"type": "array", "items": {"type": "integer", "minimum": 3}, "minItems": 2},
        {"anyOf": [{"type": "null"}, {"type": "string"}]},
        {"type": ["string", "null"], "minLength": 90},
        {"$defs": {"a": {"type": "boolean"}}, "properties": {"x": {"$ref": "#/$defs/a"}}, "required": ["x"]},
        *(dict(prompt.schema) for prompt in PROMPTS.values()),
    ],
)
def test_instances_fit(schema: dict[str, Any]) -> None:
    jsonschema.validate(smallest_instance(schema), schema)
    assert smallest_instance({"type": "string", "maxLength": 4}) == "This"


@pytest.mark.parametrize("version", PROMPTS)
def test_canned_answers_are_answers(version: str) -> None:
    prompt = PROMPTS[version]
    sent = body(Dialect.TGI, prompt.messages(CLAIM, 2), prompt.schema, max_tokens=1024)
    answer = said(served(structural=False).post("/v1/chat/completions", json=sent))
    assert "simulated" in prompt.parse(answer, "stop").reasoning
