"""The structural expert's server: TGI's protocol, honest about what it is."""

import json
from typing import Any

import pytest
from starlette.testclient import TestClient

from ace.claims.model import ClaimInput
from ace.expert.examiner.server import MAX_BODY_BYTES, MODEL_ID, create_app
from ace.expert.prompt.copt import PROMPT, PROMPTS
from ace.expert.prompt.rationale import JSON_SCHEMA, parse

SECRET = "zirconium"
CLAIM = ClaimInput(
    2, f"The lamp of claim 1, wherein the {SECRET} shade is red.", ("1. A lamp comprising a base.",)
)
MESSAGES = PROMPT.messages(CLAIM, 2)


@pytest.fixture
def client() -> TestClient:
    return TestClient(create_app(now=lambda: 1_770_000_000.5, new_id=lambda: "answer-1"))


def ask(client: TestClient, **fields: Any) -> Any:
    return client.post("/v1/chat/completions", json={"messages": MESSAGES, **fields})


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"max_tokens": 1024, "stream": False, "model": "dummy", "temperature": None},
        {"response_format": None},
        {"response_format": {"type": "json", "value": JSON_SCHEMA}},
        {"response_format": {"type": "json_object", "value": JSON_SCHEMA}},
        {"response_format": {"type": "json_schema", "value": {"name": "r", "schema": JSON_SCHEMA}}},
    ],
)
def test_a_claim_is_examined(client: TestClient, fields: dict[str, Any]) -> None:
    response = ask(client, **fields)
    assert response.status_code == 200
    body = response.json()
    choice = body["choices"][0]
    assert parse(choice["message"]["content"], choice["finish_reason"]).verdict == "Fail"
    assert (body["id"], body["created"], body["model"]) == ("answer-1", 1_770_000_000, MODEL_ID)
    usage = body["usage"]
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"]
    assert usage["prompt_tokens"] > usage["completion_tokens"] > 0


def test_each_version_of_the_prompt_gets_its_answer(client: TestClient) -> None:
    for version, prompt in PROMPTS.items():
        form = {"type": "json", "value": prompt.schema}
        body = {"messages": prompt.messages(CLAIM, 2), "response_format": form, "max_tokens": 1024}
        choice = client.post("/v1/chat/completions", json=body).json()["choices"][0]
        assert json.loads(choice["message"]["content"]).keys() == set(prompt.schema["required"]), version
        assert prompt.parse(choice["message"]["content"], choice["finish_reason"]).verdict == "Fail"


def test_text_chunks_are_joined(client: TestClient) -> None:
    text = MESSAGES[-1]["content"]
    chunks = [{"type": "text", "text": text[:50]}, {"type": "text", "text": text[50:]}]
    response = client.post("/v1/chat/completions", json={"messages": [{"role": "user", "content": chunks}]})
    assert response.status_code == 200


@pytest.mark.parametrize("max_tokens", [0, 1, 20])
def test_few_tokens_cut_the_answer_as_a_model_would(client: TestClient, max_tokens: int) -> None:
    body = ask(client, max_tokens=max_tokens).json()
    assert body["choices"][0]["finish_reason"] == "length"
    assert body["usage"]["completion_tokens"] == max_tokens


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b'{"messages": []}',
        b'{"messages": "zirconium"}',
        b'{"messages": [{"role": "user", "content": "zirconium"}]}',
        b'{"messages": [{"role": "system", "content": "zirconium"}]}',
        json.dumps({"messages": MESSAGES, "max_tokens": -1}).encode(),
        json.dumps({"messages": MESSAGES, "max_tokens": "many"}).encode(),
        json.dumps({"messages": MESSAGES, "stream": True}).encode(),
        json.dumps(
            {"messages": MESSAGES, "response_format": {"type": "regex", "value": "zirconium"}}
        ).encode(),
        json.dumps({"messages": MESSAGES, "response_format": {"type": "json"}}).encode(),
        json.dumps(
            {"messages": MESSAGES, "response_format": {"type": "json", "value": {"required": ["zirconium"]}}}
        ).encode(),
        json.dumps({"messages": PROMPT.messages(ClaimInput(2, "A lamp.", (SECRET,)), 2)}).encode(),
    ],
)
def test_bad_requests_get_tgis_error_and_no_echo(client: TestClient, body: bytes) -> None:
    response = client.post("/v1/chat/completions", content=body, headers={"content-type": "application/json"})
    assert response.status_code == 422
    assert set(response.json()) == {"error", "error_type"}
    assert response.json()["error_type"] == "validation"
    assert SECRET not in response.text


def test_a_huge_body_is_refused(client: TestClient) -> None:
    response = client.post("/v1/chat/completions", content=b" " * (MAX_BODY_BYTES + 1))
    assert (response.status_code, response.json()["error_type"]) == (413, "validation")


def test_too_many_at_once_are_turned_away_without_a_queue() -> None:
    response = ask(TestClient(create_app(max_concurrent_requests=0)))
    assert (response.status_code, response.json()) == (
        429,
        {"error": "Model is overloaded", "error_type": "overloaded"},
    )


def test_a_place_is_given_back_after_every_answer() -> None:
    client = TestClient(create_app(max_concurrent_requests=1))
    assert [ask(client, stream=stream).status_code for stream in (False, True, False)] == [200, 422, 200]


def test_info_and_health(client: TestClient) -> None:
    info = client.get("/info").json()
    assert "not an LLM" in info["model_id"]
    assert info["max_concurrent_requests"] > 0
    assert client.get("/health").status_code == 200
    assert client.get("/v1/chat/completions").status_code == 405
