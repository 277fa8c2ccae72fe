"""What lies in a queue and is no message of ours is dropped, and the worker goes on."""

import base64
import json
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import redis
from sqlalchemy import Engine

from ace.local.servers import Redis as RedisServer
from ace.settings import Settings
from ace.store.tables import WEBHOOKS, Stage
from ace.workers.messages import TASKS
from tests import factories
from tests.e2e.test_workers import DANGEROUS, dispatching, process, state_is
from tests.waiting import wait_for

pytestmark = pytest.mark.slow

MARKER = "zirconquilt"
LEASE_SECONDS = 1
TOKEN = str(uuid4())


def envelope(
    kwargs: object = None, *, args: object = (), headers: object = None, body: str | None = None, **more: Any
) -> bytes:
    """What Celery puts into a list of Redis, but for what is given."""
    given = {"token": TOKEN, "ids": [TOKEN], "alone": False} if kwargs is None else kwargs
    packed = base64.b64encode(json.dumps([args, given, {}]).encode()).decode() if body is None else body
    known = {"task": TASKS[Stage.FAST], "id": TOKEN, "retries": 0, "eta": None, "argsrepr": MARKER}
    properties = {"body_encoding": "base64", "delivery_tag": TOKEN, "delivery_info": {"routing_key": "fast"}}
    return json.dumps(
        {
            "body": packed,
            "content-type": "application/json",
            "content-encoding": "utf-8",
            "headers": {**known, **headers} if isinstance(headers, dict) else headers or known,
            "properties": properties,
            **more,
        }
    ).encode()


STRANGE: dict[str, bytes] = {
    "words": b"garbage " + MARKER.encode(),
    "a list": b"[1,2]",
    "a string": b'"x"',
    "a number": b"7",
    "nothing": b"",
    "null": b"null",
    "no UTF-8": b"\xff\xfe\x00",
    "an empty object": b"{}",
    "half of a message": envelope()[:-9],
    "a million brackets": b"[" * 1_000_000,
    "a type of kombu's": b'{"__type__": "decimal", "__value__": "x"}',
    "no properties": envelope(properties=None),
    "properties of another kind": envelope(properties=[MARKER]),
    "no headers": envelope(headers=[MARKER]),
    "an unknown task": envelope(headers={"task": MARKER}),
    "a task of another queue": envelope(headers={"task": TASKS[WEBHOOKS]}),
    "a task that is a list": envelope(headers={"task": [MARKER]}),
    "no token": envelope({"ids": [], "alone": False}),
    "a token that is none": envelope({"token": MARKER, "ids": [], "alone": False}),
    "an argument more": envelope({"token": TOKEN, "ids": [], "alone": False, MARKER: 1}),
    "arguments by place": envelope(args=[MARKER]),
    "ids that are none": envelope({"token": TOKEN, "ids": MARKER, "alone": False}),
    "pickle": envelope(**{"content-type": "application/x-python-serialize"}),
    "an unknown content type": envelope(**{"content-type": MARKER}),
    "an unknown encoding": envelope(**{"content-encoding": MARKER}),
    "an unknown encoding of the body": envelope(properties={"body_encoding": MARKER, "delivery_tag": "1"}),
    "compressed": envelope(headers={"compression": "application/x-gzip"}),
    "a body that is no base64": envelope(body=f"%{MARKER}%"),
    "a body of other words": envelope(body=base64.b64encode(MARKER.encode()).decode()),
    "a body that is a number": envelope(body=7),  # type: ignore[arg-type]
    "huge": envelope(body=base64.b64encode(b"[" * 20_000_000).decode()),
}
"""What may lie in a queue, by what it is."""
ODD_BUT_OURS: dict[str, bytes] = {
    "for tomorrow": envelope(headers={"eta": "2099-01-01T00:00:00", "expires": MARKER}),
    "a limit that is none": envelope(headers={"timelimit": MARKER, "group": [MARKER]}),
    "a delivery tag that is none": envelope(properties={"body_encoding": "base64", "delivery_tag": [1]}),
}
"""Messages with a token that is nobody's: they end nothing either."""


@pytest.fixture
def settings(postgres_url: str, broker_url: str) -> Settings:
    return Settings.model_validate(
        {
            "database_url": postgres_url,
            "broker_url": broker_url,
            "fast_lease_seconds": LEASE_SECONDS,
            "slow_lease_seconds": 5,
        }
    )


def test_what_is_no_message_of_ours_is_dropped_without_a_word_of_it(
    settings: Settings, db: Engine, redis_server: RedisServer, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    with (
        process(settings, *DANGEROUS, log=log) as worker,
        redis.from_url(redis_server.operator_url) as broker,
    ):
        for item in (*STRANGE.values(), *ODD_BUT_OURS.values()):
            broker.lpush(Stage.FAST, item)
        factories.submit(db, factories.new_filing(["A hook."]))
        with dispatching(settings, db):
            wait_for(state_is(db, "decided"), "the verdict", seconds=120)
        assert worker.poll() is None

    told = log.read_text()
    assert told.count("a message was dropped: it is none of ACE's") == len(STRANGE)
    assert MARKER not in told
    assert "Traceback" not in told
