"""Byte for byte what each server is asked, and that the schema travels in the form it follows."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from ace.claims.model import ClaimInput
from ace.expert.client.dialects import Dialect, body, chat_url, root_url
from ace.expert.client.expert_client import ExpertClient
from ace.expert.client.remedies import FRESH_TEMPERATURE
from ace.expert.prompt.copt import PROMPTS
from ace_lab.simulator.server import Simulator

GOLDENS = Path(__file__).parent / "goldens"
MODEL = "example/model-70b"
CLAIM = ClaimInput(2, "The lamp of claim 1, wherein the “shade” is ≥ 2 µm.", ("1. A lamp.",))
MESSAGES = [
    {"role": "system", "content": "You examine claims."},
    {"role": "user", "content": f"{CLAIM.ancestors[0]}\n{CLAIM.text}"},
]
SCHEMA = {
    "type": "object",
    "properties": {"reasoning": {"type": "string"}, "verdict": {"type": "string", "enum": ["Pass", "Fail"]}},
    "required": ["reasoning", "verdict"],
    "additionalProperties": False,
}


class Small:
    """A prompt whose words never change, for requests that never change."""

    version = "copt-test-1"
    schema = SCHEMA
    parse = staticmethod(PROMPTS["v1"].parse)

    def messages(self, claim: ClaimInput, total: int) -> list[dict[str, str]]:
        del claim, total
        return MESSAGES


def golden(dialect: Dialect) -> str:
    return (GOLDENS / f"{dialect.value}.json").read_text(encoding="utf-8").rstrip("\n")


def dumped(sent: dict[str, Any]) -> str:
    return json.dumps(sent, ensure_ascii=False, separators=(",", ":"))


@pytest.mark.parametrize("dialect", Dialect)
def test_a_body_is_its_golden(dialect: Dialect) -> None:
    asked = body(dialect, MESSAGES, SCHEMA, max_tokens=700, model=MODEL, temperature=FRESH_TEMPERATURE)
    assert dumped(asked) == golden(dialect)


@pytest.mark.parametrize("dialect", Dialect)
def test_what_the_client_sends_is_that_body(dialect: Dialect) -> None:
    prompt: Any = Small()
    with Simulator(dialect=dialect, script=[{"fault": "whitespace"}], kept_requests=2).run() as simulator:
        client = ExpertClient(
            simulator.url, dialect=dialect, model=MODEL, timeout_seconds=5, max_tokens=700, prompt=prompt
        )
        answer = client.examine(CLAIM, 2)
        client.close()
    asked, again = (each.body.decode() for each in simulator.received)
    assert asked == dumped(body(dialect, MESSAGES, SCHEMA, max_tokens=700, model=MODEL))
    assert again == golden(dialect)
    assert [each.path for each in simulator.received] == ["/v1/chat/completions"] * 2
    assert (answer.dialect, answer.prompt_version, answer.calls) == (dialect, "copt-test-1", 2)


# The part of TGI's ChatRequest that is used here, in words of our own.
TGI_REQUEST = {
    "type": "object",
    "properties": {
        "model": {"type": "string"},
        "messages": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"role": {"type": "string"}, "content": {"type": "string"}},
                "required": ["role", "content"],
                "additionalProperties": False,
            },
        },
        "max_tokens": {"type": "integer", "minimum": 0},
        "temperature": {"type": "number", "exclusiveMinimum": 0},
        "stream": {"type": "boolean"},
        "response_format": {
            "type": "object",
            "properties": {"type": {"const": "json"}, "value": {"type": "object"}},
            "required": ["type", "value"],
            "additionalProperties": False,
        },
    },
    "required": ["messages", "response_format"],
    "additionalProperties": False,
}


@pytest.mark.parametrize("version", PROMPTS)
def test_tgi_is_asked_for_nothing_that_it_does_not_know(version: str) -> None:
    prompt = PROMPTS[version]
    asked = body(Dialect.TGI, prompt.messages(CLAIM, 2), prompt.schema, max_tokens=64, temperature=0.7)
    jsonschema.Draft202012Validator(TGI_REQUEST).validate(asked)
    assert asked["response_format"]["value"] == prompt.schema


@pytest.mark.parametrize("version", PROMPTS)
@pytest.mark.parametrize("dialect", Dialect)
def test_the_schema_travels_whole(dialect: Dialect, version: str) -> None:
    prompt = PROMPTS[version]
    form = body(dialect, prompt.messages(CLAIM, 2), prompt.schema, max_tokens=64)["response_format"]
    found = {
        "json": lambda: form["value"],
        "json_object": lambda: form["schema"],
        "json_schema": lambda: form["json_schema"]["schema"],
    }[form["type"]]()
    assert found == prompt.schema
    jsonschema.Draft202012Validator.check_schema(found)


def test_a_model_is_named_only_where_it_is_known() -> None:
    named = {dialect: body(dialect, MESSAGES, SCHEMA, max_tokens=1).get("model") for dialect in Dialect}
    assert named == {**dict.fromkeys(Dialect), Dialect.TGI: "dummy"}


@pytest.mark.parametrize(
    ("url", "root"),
    [
        ("http://host:8080", "http://host:8080"),
        ("http://host:8080/", "http://host:8080"),
        ("https://host/v1", "https://host"),
        ("https://host/v1/", "https://host"),
        ("https://host/v1/chat/completions", "https://host"),
        ("https://host/llm/v1", "https://host/llm"),
        ("https://host/llm", "https://host/llm"),
    ],
)
def test_a_server_is_named_by_its_root_or_by_its_address(url: str, root: str) -> None:
    assert root_url(url) == root
    assert chat_url(url) == f"{root}/v1/chat/completions"
