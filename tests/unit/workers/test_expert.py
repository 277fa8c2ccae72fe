"""How an expert worker comes by its clients, and what it reports of their servers."""

import threading
from queue import Queue
from typing import Any

import pytest
from sqlalchemy import Engine

from ace.errors import ExpertPermanent, ExpertTransient, NotConfigured, Unavailable
from ace.expert.client.dialects import Dialect
from ace.expert.client.probing import Probe
from ace.expert.prompt.copt import PROMPTS
from ace.settings import Settings
from ace.types.endpoints import Endpoint
from ace.workers import expert as worker

AWAY = ExpertTransient("unreachable", "no")
FOUND = Probe(Dialect.TGI, "m", max_concurrent=128)


class Server:
    """Tells what it is given, in turn; the last for ever."""

    def __init__(self, *told: Probe | Exception) -> None:
        self.told = list(told)

    def served(self) -> Probe:
        told = self.told.pop(0) if len(self.told) > 1 else self.told[0]
        if isinstance(told, Exception):
            raise told
        return told


def reports(monkeypatch: pytest.MonkeyPatch, **servers: Any) -> tuple[list[tuple[str, int | None]], int]:
    """What is reported of the servers, and how often the worker waited for one."""
    reported: list[tuple[str, int | None]] = []
    slept: list[float] = []

    def report(db: Engine, name: str, *, max_concurrent: int | None) -> None:
        del db
        reported.append((name, max_concurrent))

    monkeypatch.setattr("ace.flow.report", report)
    engine: Any = None
    worker.introduce(engine, servers, sleep=slept.append)
    return reported, len(slept)


def test_a_server_that_is_there_is_reported_once(monkeypatch: pytest.MonkeyPatch) -> None:
    reported, waits = reports(monkeypatch, a=Server(FOUND), b=Server(Probe(Dialect.VLLM, "m")))
    assert reported == [("a", 128), ("b", None)]
    assert waits == 0


def test_one_that_is_away_is_reported_now_and_when_it_is_back(monkeypatch: pytest.MonkeyPatch) -> None:
    turned_away = ExpertPermanent("unauthorised", "no")
    reported, waits = reports(monkeypatch, a=Server(AWAY, turned_away, AWAY, FOUND), b=Server(FOUND))
    assert reported == [("a", None), ("b", 128), ("a", 128)]
    assert waits == 3


def test_a_database_that_is_away_is_no_reason_to_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    def report(db: Engine, name: str, *, max_concurrent: int | None) -> None:
        raise Unavailable("database", "no")

    monkeypatch.setattr("ace.flow.report", report)
    engine: Any = None
    servers: Any = {"a": Server(FOUND)}
    worker.introduce(engine, servers)


@pytest.mark.parametrize(
    ("settings", "endpoint", "dialect"),
    [
        ({}, {}, "auto"),
        ({"expert_dialect": "vllm"}, {}, Dialect.VLLM),
        ({"expert_dialect": "vllm"}, {"dialect": "llama.cpp"}, Dialect.LLAMACPP),
        ({"expert_dialect": "vllm"}, {"dialect": "auto"}, "auto"),
    ],
)
def test_an_endpoint_may_speak_a_dialect_of_its_own(settings: Any, endpoint: Any, dialect: Any) -> None:
    client = worker.expert_of(Settings(**settings), Endpoint("a", "http://127.0.0.1:1", **endpoint))
    assert client._dialect == dialect
    client.close()


@pytest.mark.parametrize(
    ("settings", "endpoint", "sent"),
    [
        ({}, {}, {}),
        ({"expert_token": "general"}, {}, {"authorization": "Bearer general"}),
        ({"expert_token": "general"}, {"token": "own"}, {"authorization": "Bearer own"}),
        ({}, {"token": "own"}, {"authorization": "Bearer own"}),
    ],
)
def test_an_endpoint_may_have_a_token_of_its_own(settings: Any, endpoint: Any, sent: Any) -> None:
    client = worker.expert_of(Settings(**settings), Endpoint("a", "http://127.0.0.1:1", **endpoint))
    assert client._session._headers == sent
    client.close()


@pytest.mark.parametrize(("version", "shorter"), [("v1", None), ("v2", PROMPTS["v1"])])
def test_the_prompt_is_the_settings(version: Any, shorter: Any) -> None:
    client = worker.expert_of(Settings(expert_prompt=version), Endpoint("a", "http://127.0.0.1:1"))
    assert client.prompt_version == PROMPTS[version].version
    assert client._shorter is shorter
    client.close()


def test_what_cannot_be_used_is_told_at_the_start() -> None:
    with pytest.raises(NotConfigured, match="endpoint a: the dialect must be auto or one of tgi"):
        worker.expert_of(Settings(), Endpoint("a", "http://127.0.0.1:1", dialect="ollama"))
    with pytest.raises(NotConfigured, match="ACE_EXPERT_URL is not set"):
        worker.main(Settings())


def test_every_thread_and_the_keeper_have_a_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    pools: list[int] = []
    monkeypatch.setattr(worker, "connect_engine", lambda *_, pool, **__: pools.append(pool))
    introduced: Queue[bool] = Queue()
    monkeypatch.setattr(worker, "introduce", lambda *_: introduced.put(threading.current_thread().daemon))
    monkeypatch.setattr(worker, "run", lambda *_: 0)
    settings = Settings(
        database_url="postgresql://db/ace",  # type: ignore[arg-type]
        expert_url="http://llm",
        expert_threads=7,
    )

    assert worker.main(settings) == 0
    assert pools == [8]
    assert introduced.get(timeout=30), "a silent server keeps no process from ending"
