"""A broker that refuses: `/readyz` says why, and when it serves again everything goes on by itself."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import redis
from fastapi.testclient import TestClient
from sqlalchemy import Engine

from ace.api.app import create_app
from ace.api.operations import redis_ping
from ace.bounded import Bounded
from ace.local.servers import Redis as RedisServer
from ace.settings import Settings
from ace.store.database import connect_engine
from ace.store.tables import Stage
from tests import factories
from tests.e2e.test_workers import DANGEROUS, dispatching, process, state_is
from tests.problems import registered
from tests.waiting import wait_for

pytestmark = pytest.mark.slow

Broker = redis.Redis


class Fault(NamedTuple):
    """How a broker is broken and repaired, and the cause that is reported."""

    cause: str
    broken: Callable[[Broker], Any]
    repaired: Callable[[Broker], Any]


FAULTS: dict[str, Fault] = {
    "a string under a queue's name": Fault(
        "wrong_type", lambda broker: broker.set("fast", "x"), lambda broker: broker.delete("fast")
    ),
    "a hash under another queue's name": Fault(
        "wrong_type", lambda broker: broker.hset("slow", "x", "y"), lambda broker: broker.delete("slow")
    ),
    "no memory left": Fault(
        "out_of_memory",
        lambda broker: broker.config_set("maxmemory", 1),
        lambda broker: broker.config_set("maxmemory", 0),
    ),
    "a replica": Fault(
        "read_only",
        lambda broker: broker.replicaof("127.0.0.1", "1"),
        lambda broker: broker.replicaof("NO", "ONE"),
    ),
    "a command that is not allowed": Fault(
        "rejected",
        lambda broker: broker.execute_command("ACL", "SETUSER", "ace", "-lpush", "-brpop"),
        lambda broker: broker.execute_command("ACL", "SETUSER", "ace", "+lpush", "+brpop"),
    ),
    "too few replicas": Fault(
        "too_few_replicas",
        lambda broker: broker.config_set("min-replicas-to-write", 1),
        lambda broker: broker.config_set("min-replicas-to-write", 0),
    ),
}
HARMLESS: dict[str, str] = {
    "the bindings of kombu": "_kombu.binding.fast",
    "a list of another priority": "fast\x06\x163",
    "the probe": "ace.probe",
}
"""Keys that may hold anything."""


@pytest.fixture
def settings(postgres_url: str, broker_url: str) -> Settings:
    return Settings.model_validate(
        {"database_url": postgres_url, "broker_url": broker_url, "fast_lease_seconds": 1, "secret": "s" * 32}
    )


@pytest.fixture
def broker(redis_server: RedisServer) -> Iterator[Broker]:
    with redis.from_url(redis_server.operator_url) as client:
        client.flushall()
        yield client
        client.flushall()


@pytest.fixture
def api(
    settings: Settings, db: Engine, broker_url: str, postgres_url: str, rules: Bounded
) -> Iterator[TestClient]:
    watch = connect_engine(postgres_url, name="tests watch", role="ace_watch")
    yield TestClient(registered(create_app(settings, db, watch, rules, ping=redis_ping(broker_url))))
    watch.dispose()


def test_what_the_broker_refuses_is_named_and_done_when_it_does_not(
    settings: Settings, db: Engine, api: TestClient, broker: Broker, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    decided: list[str] = []
    with process(settings, *DANGEROUS, log=log) as worker, dispatching(settings, db):
        for name, fault in FAULTS.items():
            fault.broken(broker)
            try:
                factories.submit(db, factories.new_filing([f"A hook with {name}."]))
                said = api.get("/readyz")
                assert (name, said.status_code, said.json().get("cause")) == (name, 503, fault.cause)
                assert "ace_broker_up 0.0" in api.get("/metrics").text
            finally:
                fault.repaired(broker)
            decided.append("decided")
            wait_for(state_is(db, *decided), name, seconds=120)
            assert api.get("/readyz").status_code == 200
            assert "ace_broker_up 1.0" in api.get("/metrics").text
        assert worker.poll() is None
    assert "Traceback" not in log.read_text()


@pytest.mark.parametrize("key", HARMLESS.values(), ids=HARMLESS)
def test_other_keys_may_hold_anything(
    settings: Settings, db: Engine, api: TestClient, broker: Broker, key: str
) -> None:
    broker.set(key, "x")
    factories.submit(db, factories.new_filing(["A hook."]))

    with process(settings, *DANGEROUS) as worker, dispatching(settings, db):
        wait_for(state_is(db, "decided"), "the verdict", seconds=120)
        assert worker.poll() is None

    assert api.get("/readyz").status_code == 200


def test_a_worker_that_starts_while_the_broker_refuses_serves_when_it_does_not(
    settings: Settings, db: Engine, broker: Broker, tmp_path: Path
) -> None:
    broker.set(Stage.FAST, "x")
    factories.submit(db, factories.new_filing(["A hook."]))
    log = tmp_path / "log"

    with process(settings, *DANGEROUS, log=log) as worker, dispatching(settings, db):
        wait_for(lambda: "the broker gives no messages" in log.read_text(), "the refusal", seconds=120)
        broker.delete(Stage.FAST)
        wait_for(state_is(db, "decided"), "the verdict", seconds=120)
        assert worker.poll() is None
