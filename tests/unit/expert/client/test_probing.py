"""What a server is taken for, what it tells of its limits, and whether it keeps to a schema."""

import json
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

import pytest
from typer.testing import CliRunner

from ace.cli.app import app
from ace.cli.probe_expert import DIALECTS
from ace.errors import ExpertPermanent, ExpertTransient
from ace.expert.client.dialects import Dialect
from ace.expert.client.probing import STRANGE, Probe, look, probe
from ace.expert.client.session import Session
from ace_lab.simulator.server import Simulator

MODEL = {"data": [{"id": "served", "max_model_len": 4096}]}
FOUND: list[tuple[str, Mapping[str, Any], Probe]] = [
    (
        "TGI 3",
        {
            "/info": {
                "model_id": "m",
                "max_concurrent_requests": 128,
                "max_input_tokens": 7,
                "max_total_tokens": 9,
            }
        },
        Probe(Dialect.TGI, "m", 128, 7, max_total_tokens=9),
    ),
    (
        "TGI 2",
        {"/info": {"model_id": "m", "max_concurrent_requests": 2, "max_input_length": 7, "version": "2.0"}},
        Probe(Dialect.TGI, "m", 2, 7, version="2.0"),
    ),
    (
        "vLLM",
        {"/version": {"version": "0.16.0"}, "/v1/models": MODEL},
        Probe(Dialect.VLLM, "served", None, 4096, max_total_tokens=4096, version="0.16.0"),
    ),
    (
        "SGLang",
        {
            "/get_model_info": {"model_path": "path", "is_generation": True},
            "/get_server_info": {"max_running_requests": 48, "max_req_input_len": 4090, "version": "0.5"},
            "/v1/models": MODEL,
        },
        Probe(Dialect.SGLANG, "served", 48, 4090, max_total_tokens=4096, version="0.5"),
    ),
    (
        "SGLang, newer",
        {"/model_info": {"model_path": "path"}, "/server_info": {"context_length": 512}},
        Probe(Dialect.SGLANG, "path", None, 512, max_total_tokens=512),
    ),
    (
        "llama-server",
        {
            "/props": {"default_generation_settings": {"n_ctx": 2048}, "total_slots": 4, "build_info": "b1"},
            "/v1/models": {"data": [{"id": "tiny.gguf"}]},
        },
        Probe(Dialect.LLAMACPP, "tiny.gguf", 4, 2048, max_total_tokens=2048, version="b1"),
    ),
    (
        "llama-cpp-python",
        {
            "/openapi.json": {"info": {"title": "🦙 llama.cpp Python API"}},
            "/v1/models": {"data": [{"id": "m"}]},
        },
        Probe(Dialect.LLAMACPP, "m"),
    ),
    ("another", {"/v1/models": {"data": [{"id": "m"}, {"id": "n"}]}}, Probe(Dialect.OPENAI, "m")),
    ("one that says nothing", {}, Probe(Dialect.OPENAI)),
    (
        "one that says odd things",
        {
            "/info": ["x"],
            "/version": "1",
            "/v1/models": {"data": ["m"]},
            "/props": {"default_generation_settings": 3},
            "/openapi.json": {"info": "llama.cpp"},
        },
        Probe(Dialect.OPENAI),
    ),
    (
        "limits of no sense",
        {
            "/info": {
                "model_id": 3,
                "max_concurrent_requests": True,
                "max_input_tokens": -1,
                "max_total_tokens": "9",
            }
        },
        Probe(Dialect.TGI),
    ),
]


def telling(told: Mapping[str, Any], otherwise: int = 404) -> AbstractContextManager[Simulator]:
    """A server that tells JSON by path."""
    return Simulator(server_info=told, other_status=otherwise, kept_requests=50).run()


def looked(url: str, token: str | None = None, dialect: Any = "auto") -> Probe:
    with Session(url, token=token) as session:
        return look(session, dialect)


@pytest.mark.parametrize(("told", "expected"), [row[1:] for row in FOUND], ids=[row[0] for row in FOUND])
def test_a_server_is_known_by_what_it_tells(told: Mapping[str, Any], expected: Probe) -> None:
    with telling(told) as server:
        assert looked(f"{server.url}/v1", token="t") == expected
    paths = [asked.path for asked in server.received]
    assert len(paths) == len(set(paths))
    assert {asked.headers["authorization"] for asked in server.received} == {"Bearer t"}


def test_with_a_dialect_given_only_its_own_addresses_are_asked() -> None:
    with telling({"/v1/models": MODEL, "/info": {"model_id": "m"}}) as server:
        assert looked(server.url, dialect=Dialect.OPENAI) == Probe(
            Dialect.OPENAI, "served", None, 4096, max_total_tokens=4096
        )
        assert looked(server.url, dialect=Dialect.SGLANG) == Probe(Dialect.SGLANG)
    first, *_ = server.received
    assert (first.path, "authorization" in first.headers) == ("/v1/models", False)
    assert not any(asked.path in {"/info", "/props"} for asked in server.received)


@pytest.mark.parametrize("status", [400, 404, 405, 500, 501])
def test_a_refusal_to_tell_says_nothing(status: int) -> None:
    with telling({}, otherwise=status) as server:
        assert looked(server.url) == Probe(Dialect.OPENAI)


@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (401, ExpertPermanent, "unauthorised"),
        (403, ExpertPermanent, "unauthorised"),
        (307, ExpertPermanent, "redirected"),
        (429, ExpertTransient, "overloaded"),
        (502, ExpertTransient, "unavailable"),
        (503, ExpertTransient, "unavailable"),
        (504, ExpertTransient, "unavailable"),
    ],
)
def test_a_server_behind_a_closed_door_is_taken_for_nothing(status: int, error: Any, kind: str) -> None:
    with telling({}, otherwise=status) as server, pytest.raises(error) as caught:
        looked(server.url, token="secret-token")
    assert caught.value.kind == kind
    assert len(server.received) == 1
    assert "secret-token" not in str(caught.value)


@pytest.mark.parametrize("dialect", Dialect)
def test_the_simulators_are_told_apart_and_their_schemas_are_enforced(dialect: Dialect) -> None:
    with Simulator(dialect=dialect, slots=5, max_input_tokens=9_000).run() as simulator:
        found = probe(simulator.url, questions=2)
    assert found.dialect is dialect
    assert found.schema_enforced is True
    assert found.seconds is not None
    assert found.model is not None
    if dialect is not Dialect.OPENAI:
        assert found.max_input_tokens is not None
        assert found.max_concurrent == (None if dialect is Dialect.VLLM else 5)


@pytest.mark.parametrize("dialect", Dialect)
def test_a_server_that_ignores_schemas_gives_itself_away(dialect: Dialect) -> None:
    with Simulator(dialect=dialect, enforced=False).run() as simulator:
        assert probe(simulator.url, questions=1).schema_enforced is False


@pytest.mark.parametrize(
    ("content", "enforced"),
    [
        (json.dumps({"answer": STRANGE}), True),
        (STRANGE, False),
        (json.dumps({"answer": STRANGE, "more": 1}), False),
        (json.dumps([STRANGE]), False),
        ("A lamp gives light.", False),
        ("", False),
    ],
)
def test_only_the_one_strange_answer_counts(content: str, enforced: bool) -> None:
    script = [{"content": content, "times": 1}]
    with Simulator(script=script).run() as simulator:
        assert probe(simulator.url, questions=1).schema_enforced is enforced


def test_one_answer_that_is_not_the_schemas_is_enough() -> None:
    with Simulator(script=[{}, {"content": "prose"}]).run() as simulator:
        assert probe(simulator.url, questions=3).schema_enforced is False


def test_a_schema_that_is_refused_is_not_enforced() -> None:
    with Simulator(script=[{"fault": "validation"}]).run() as simulator:
        assert probe(simulator.url, questions=1).schema_enforced is False


# The command.


def test_the_command_knows_every_dialect() -> None:
    assert ("auto", *Dialect) == DIALECTS


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["expert", "probe", *arguments])


def test_the_command_tells_programs_and_people() -> None:
    with Simulator(dialect="sglang", slots=3).run() as simulator:
        told = run(simulator.url, "--json")
        shown = run(simulator.url, "--questions", "1")
    assert told.exit_code == 0
    found = json.loads(told.stdout)
    assert (found["dialect"], found["max_concurrent"], found["schema_enforced"]) == ("sglang", 3, True)
    assert shown.exit_code == 0
    assert "enforced" in shown.stdout
    assert "sglang" in shown.stdout


SCRIPTS: list[tuple[str, dict[str, Any], int]] = [
    ("ignored", {"enforced": False}, 1),
    ("unauthorised", {"script": [{"fault": "unauthorised"}]}, 5),
    ("unavailable", {"script": [{"fault": "unavailable", "times": 9}]}, 4),
    ("redirected", {"script": [{"status": 307, "body": {}}]}, 2),
]


@pytest.mark.parametrize(("fields", "code"), [row[1:] for row in SCRIPTS], ids=[row[0] for row in SCRIPTS])
def test_the_command_says_by_its_exit_code(fields: dict[str, Any], code: int) -> None:
    with Simulator(**fields).run() as simulator:
        result = run(simulator.url, "--questions", "1", "--token", "secret-token")
    assert result.exit_code == code
    assert "secret-token" not in result.output


def test_nobody_there_and_no_url() -> None:
    with telling({}) as server:
        pass
    assert run(server.url).exit_code == 4
    assert run("host:8080").exit_code == 2
    assert run(server.url, "--dialect", "ollama").exit_code == 2
    assert run(server.url, "--timeout", "0").exit_code == 2


def test_the_token_of_the_settings_goes_to_the_server_of_the_settings_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ACE_EXPERT_TOKEN", "own")
    with telling({}, otherwise=503) as server:
        monkeypatch.setenv("ACE_EXPERT_URL", "http://127.0.0.1:1")
        run(server.url)
        monkeypatch.setenv("ACE_EXPERT_URL", f"{server.url}/")
        run(server.url)
    assert [asked.headers.get("authorization") for asked in server.received] == [None, "Bearer own"]
