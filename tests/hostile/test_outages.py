"""A part that cannot serve is named, and why: a full disk is not a lost connection."""

import json
import logging
from collections.abc import Iterator
from uuid import uuid4

import pytest
import redis
from fastapi.testclient import TestClient
from sqlalchemy import Engine, text

from ace.api.app import create_app
from ace.api.refused_writes import REMEMBERED_SECONDS, RefusedWrites
from ace.bounded import Bounded
from ace.errors import Unavailable
from ace.local.servers import Redis as RedisServer
from ace.settings import Settings
from ace.store.moves import Leased
from ace.store.tables import Stage
from ace.workers.app import CeleryBroker, make_app
from tests.problems import registered

FILING = {"docket": "P-1", "claims": "1. A bracket."}
CAUSES = {
    "53100": ("disk_full", "has no disk space left"),
    "53200": ("out_of_memory", "has no memory left"),
    "57014": ("too_slow", "took too long"),
    "58030": ("cannot_write", "cannot write to its disk"),
}


@pytest.fixture(params=CAUSES)
def sqlstate(request: pytest.FixtureRequest, db: Engine) -> Iterator[str]:
    """The fault that PostgreSQL meets at every new filing."""
    with db.begin() as connection:
        connection.exec_driver_sql(
            "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS"
            f" $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '{request.param}'; END $$"
        )
        connection.execute(text("CREATE TRIGGER fail BEFORE INSERT ON filings EXECUTE FUNCTION fail()"))
    yield request.param
    with db.begin() as connection:
        connection.execute(text("DROP TRIGGER fail ON filings"))
        connection.execute(text("DROP FUNCTION fail()"))


def test_503_names_the_part_and_why(api: TestClient, sqlstate: str, caplog: pytest.LogCaptureFixture) -> None:
    cause, words = CAUSES[sqlstate]
    with caplog.at_level(logging.WARNING):
        single = api.post("/v1/filings", json=FILING)
        again = api.post("/v1/filings", json=FILING)
    bulk = api.post(
        "/v1/filings/bulk",
        content=json.dumps(FILING),
        headers={"Content-Type": "application/x-ndjson"},
    )
    (line,) = bulk.text.splitlines()
    assert (single.status_code, again.status_code) == (503, 503)
    for problem in (single.json(), json.loads(line)["problem"]):
        assert (problem["part"], problem["cause"]) == ("postgres", cause)
        assert words in problem["detail"]
    ready = api.get("/readyz")
    lasting = cause in {"disk_full", "out_of_memory", "cannot_write"}
    assert (ready.status_code, ready.json().get("cause")) == ((503, cause) if lasting else (200, None))
    told = [record for record in caplog.records if record.getMessage() == "a part cannot serve"]
    assert [(record.part, record.cause) for record in told] == [("postgres", cause)]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        (redis.ResponseError("MISCONF Errors writing to the AOF file: No space left on device"), "disk_full"),
        (ConnectionRefusedError(), "unreachable"),
    ],
)
def test_readiness_says_why_the_broker_is_away(
    settings: Settings, api_db: Engine, watch_db: Engine, rules: Bounded, error: Exception, cause: str
) -> None:
    def ping() -> None:
        raise error

    problem = (
        TestClient(registered(create_app(settings, api_db, watch_db, rules, ping=ping))).get("/readyz").json()
    )
    assert (problem["missing"], problem["part"], problem["cause"]) == (["broker"], "broker", cause)


def test_full_redis_is_not_called_unreachable(redis_server: RedisServer) -> None:
    settings = Settings(_env_file=None, broker_url=redis_server.url)
    broker = CeleryBroker(make_app(settings, patience_seconds=5))
    waiting = broker.waiting(Stage.FAST)
    server = redis.Redis.from_url(redis_server.operator_url)
    server.config_set("maxmemory", 1)
    try:
        with pytest.raises(Unavailable, match="redis has no memory left") as refused:
            broker.publish(Stage.FAST, Leased(uuid4(), (uuid4(),), alone=False, full=False))
    finally:
        server.config_set("maxmemory", 0)
        server.close()
    assert (refused.value.part, refused.value.cause) == ("redis", "out_of_memory")
    assert broker.waiting(Stage.FAST) == waiting


def test_a_database_that_stores_again_is_ready_again() -> None:
    now = 0.0
    refused = RefusedWrites(lambda: now)

    with pytest.raises(Unavailable), refused.watched():
        raise Unavailable("postgres", "full", cause="disk_full")
    assert refused.cause() == "disk_full"
    now = REMEMBERED_SECONDS + 1
    assert refused.cause() is None
    now = REMEMBERED_SECONDS
    with refused.watched():
        pass
    assert refused.cause() is None
