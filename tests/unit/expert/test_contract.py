"""Both sides of the wire against TGI's published OpenAPI document, where it lies beside the checkout.

The document belongs to the TGI project and is not copied into ours.
"""

import json
from typing import Any

import jsonschema
import pytest
from starlette.testclient import TestClient

from ace.claims.readers import read_text
from ace.expert.client.expert_client import ExpertClient
from ace.expert.examiner.server import create_app
from ace.expert.prompt.copt import PROMPT
from ace.local.samples import load
from ace_lab.simulator.server import Simulator
from tests.shared import shared_file


def without_nullable(node: Any) -> Any:
    """OpenAPI 3.0's `nullable` in JSON Schema's own words."""
    if isinstance(node, list):
        return [without_nullable(each) for each in node]
    if not isinstance(node, dict):
        return node
    schema = {
        key: without_nullable(value) for key, value in node.items() if key not in {"nullable", "example"}
    }
    return {"anyOf": [schema, {"type": "null"}]} if node.get("nullable") is True else schema


def validate(instance: Any, name: str) -> None:
    document = shared_file("contracts/tgi-openapi.json").read_text(encoding="utf-8")
    components = without_nullable(json.loads(document)["components"])
    schema = {"$ref": f"#/components/schemas/{name}", "components": components}
    jsonschema.Draft202012Validator(schema).validate(instance)


def test_what_the_client_sends_is_a_chat_request() -> None:
    claims = read_text(load()[0].text)
    with Simulator(kept_requests=1).run() as simulator:
        ExpertClient(simulator.url, timeout_seconds=5).examine(claims.input_of(6), len(claims))
    (sent,) = simulator.requests
    validate(sent, "ChatRequest")
    assert "value" in sent["response_format"]


def test_what_the_server_answers_is_tgis() -> None:
    client = TestClient(create_app())
    claims = read_text(load()[0].text)
    messages = PROMPT.messages(claims.input_of(6), len(claims))
    answered = client.post("/v1/chat/completions", json={"messages": messages})
    assert answered.status_code == 200
    validate(answered.json(), "ChatCompletion")
    validate(client.get("/info").json(), "Info")
    refused = client.post("/v1/chat/completions", json={"messages": []})
    assert refused.status_code == 422
    validate(refused.json(), "ErrorResponse")
    turned_away = TestClient(create_app(max_concurrent_requests=0)).post("/v1/chat/completions", json={})
    assert turned_away.status_code == 429
    validate(turned_away.json(), "ErrorResponse")


def test_the_check_itself_can_fail() -> None:
    with pytest.raises(jsonschema.ValidationError):
        validate({"messages": "none"}, "ChatRequest")
    with pytest.raises(jsonschema.ValidationError):
        validate({"id": "1"}, "ChatCompletion")
