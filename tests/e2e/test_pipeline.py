"""The whole of ACE as its users run it: real processes, killed and robbed of their broker."""

import contextlib
import gzip
import json
import os
import random
import signal
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from sqlalchemy import Engine, text

from ace.client import ApiError, Client
from ace.local.stack import Stack
from ace.settings import Settings
from ace.store.database import connect_engine
from tests import factories

CLAIM_SETS = Path(__file__).parents[3] / "shared" / "data" / "us-claim-sets.jsonl.gz"
CLAIMS = 2_000
KILLS = 5


@pytest.fixture
def stack(data_dir: Path) -> Iterator[Stack]:
    """A stack of our own, with an empty database and two workers of each kind."""
    folder = Path(tempfile.mkdtemp(dir=data_dir))
    settings = Settings(data_dir=folder, port=0, fast_lease_seconds=3, slow_lease_seconds=3)
    with Stack(settings, quiet=True, gatekeepers=2, experts=2) as running:
        yield running


@pytest.fixture
def database(stack: Stack) -> Iterator[Engine]:
    """The stack's own database."""
    engine = connect_engine(stack.environment["ACE_DATABASE_URL"], name="tests")
    yield engine
    engine.dispose()


def real_filings(claims: int) -> list[bytes]:
    """Lines of a bulk upload, from real claim sets, with `claims` claims or a few more."""
    lines, count = [], 0
    with gzip.open(CLAIM_SETS, "rt", encoding="utf-8") as sets:
        for number, line in enumerate(sets):
            numbered = {claim["num"]: claim["text"] for claim in json.loads(line)["claims"]}
            body = {
                "docket": f"real-{number}",
                "claims": [{"number": num, "text": words} for num, words in numbered.items()],
            }
            lines.append(json.dumps(body).encode() + b"\n")
            count += len(numbered)
            if count >= claims:
                break
    return lines


def undecided(db: Engine) -> int:
    """Evaluations that wait for somebody."""
    with db.connect() as connection:
        return connection.execute(
            text("SELECT count(*) FROM evaluations WHERE state NOT IN ('decided', 'failed', 'cancelled')")
        ).scalar_one()


@pytest.mark.skipif(not CLAIM_SETS.exists(), reason="the real claim sets are not beside this checkout")
def test_nothing_is_lost_or_decided_twice_under_kills(stack: Stack, database: Engine) -> None:
    rng = random.Random(112)
    with Client(stack.url, stack.key) as api:
        answers = list(api.submit_lines(real_filings(CLAIMS)))
    accepted = [one["id"] for answer in answers for one in answer.get("evaluations", [])]
    assert {answer["status"] for answer in answers} == {202}

    for kill in range(KILLS):
        time.sleep(rng.uniform(0.3, 1.0))
        victims = [child for child in stack.children if child.name.startswith(("gatekeeper", "expert-w"))]
        victim = rng.choice(victims)
        if victim.process is not None and victim.process.poll() is None:
            os.kill(victim.process.pid, signal.SIGKILL)
        if kill == KILLS // 2:
            redis.Redis.from_url(stack.environment["ACE_BROKER_URL"]).flushall()
    deadline = time.monotonic() + 300
    while undecided(database) and time.monotonic() < deadline:
        time.sleep(0.2)

    final = factories.states(database)
    assert len(accepted) >= CLAIMS
    assert {str(id_) for id_ in final} == set(accepted)
    assert set(final.values()) == {"decided"}
    assert factories.illegal_chains(database) == []
    with database.connect() as connection:
        decisions = connection.execute(
            text("SELECT count(*), count(DISTINCT evaluation_id) FROM events WHERE move = 'decide'")
        ).one()
        leases = connection.execute(text("SELECT count(*) FROM leases")).scalar_one()
    assert decisions == (len(accepted), len(accepted))
    assert leases == 0


def test_a_database_and_a_broker_that_are_killed_come_back_and_lose_nothing(
    stack: Stack, database: Engine
) -> None:
    texts = [f"A hook comprising a plate, a pin and {n} holes in the plate." for n in range(200)]
    with Client(stack.url, stack.key) as api:
        accepted = api.submit("killed", texts)
        for server in (stack.redis, stack.postgres):
            assert server.process is not None
            os.kill(server.process.pid, signal.SIGKILL)
            time.sleep(2)
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            with contextlib.suppress(ApiError):
                if api.filing(accepted.id).settled:
                    break
            time.sleep(0.5)

    assert set(factories.states(database).values()) == {"decided"}
    assert len(factories.states(database)) == len(texts)
    assert factories.illegal_chains(database) == []
