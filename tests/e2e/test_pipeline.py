"""The whole of ACE as its users run it: real processes, killed and robbed of their broker."""

import contextlib
import gzip
import json
import os
import random
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from sqlalchemy import Engine, text

from ace.gatekeeper.loading import FOR_ANY_EXPERT
from ace.local.stack import WORKER_NICENESS, Child, Stack
from ace.settings import Settings
from ace.store.database import connect_engine
from patent_ace_client import ApiError, Client
from tests import factories
from tests.shared import shared_file
from tests.waiting import wait_for

pytestmark = pytest.mark.slow

CLAIMS = 1_000
KILLS = 5


@pytest.fixture
def stack(data_dir: Path) -> Iterator[Stack]:
    """A stack of our own, with an empty database and two workers of each kind."""
    folder = Path(tempfile.mkdtemp(dir=data_dir))
    settings = Settings(
        data_dir=folder, port=0, fast_lease_seconds=3, slow_lease_seconds=3, calibration=FOR_ANY_EXPERT
    )
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
    with gzip.open(shared_file("data/us-claim-sets.jsonl.gz"), "rt", encoding="utf-8") as sets:
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


def kill_one(child: Child) -> None:
    """SIGKILL to a process of the stack, as soon as it lives."""

    def alive() -> "subprocess.Popen[bytes] | None":
        return child.process if child.process is not None and child.process.poll() is None else None

    os.kill(wait_for(alive, f"{child.name} to be alive").pid, signal.SIGKILL)


def test_nothing_is_lost_or_decided_twice_under_kills(stack: Stack, database: Engine) -> None:
    filings = real_filings(CLAIMS)
    rng = random.Random(112)
    with Client(stack.url, stack.key) as api:
        answers = list(api.submit_lines(filings))
    accepted = [one["id"] for answer in answers for one in answer.get("evaluations", [])]
    assert {answer["status"] for answer in answers} == {202}

    workers = [child for child in stack.children if child.name.startswith(("gatekeeper", "expert-w"))]
    for kill in range(KILLS):
        left = undecided(database)
        wait_for(lambda left=left: undecided(database) < left, "a verdict since the last kill", seconds=180)
        kill_one(rng.choice(workers))
        if kill == KILLS // 2:
            redis.Redis.from_url(stack.redis.operator_url).flushall()
        assert undecided(database), "the kills came when all was over"
    wait_for(lambda: not undecided(database), "verdicts on all claims", seconds=600)

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


def test_workers_leave_the_processors_to_the_api(stack: Stack) -> None:
    niceness = {
        child.name: os.getpriority(os.PRIO_PROCESS, child.process.pid)
        for child in stack.children
        if child.process is not None
    }
    workers = {name for name in niceness if name.startswith(("gatekeeper", "expert"))}
    assert len(workers) == 5
    assert {niceness[name] for name in workers} == {min(19, niceness["api"] + WORKER_NICENESS)}
    assert niceness["dispatcher"] == niceness["api"]


def test_a_database_and_a_broker_that_are_killed_come_back_and_lose_nothing(
    stack: Stack, database: Engine
) -> None:
    texts = [f"A hook comprising a plate, a pin and {n} holes in the plate." for n in range(200)]
    with Client(stack.url, stack.key) as api:
        accepted = api.submit("killed", texts)
        for server in (stack.redis, stack.postgres):
            killed = server.process
            assert killed is not None
            os.kill(killed.pid, signal.SIGKILL)
            wait_for(
                lambda server=server, killed=killed: server.process is not killed and server._answers(),
                f"another {type(server).__name__}",
            )

        def settled() -> bool:
            with contextlib.suppress(ApiError):
                return api.filing(accepted.id).settled
            return False

        wait_for(settled, "verdicts on all claims", seconds=300)

    assert set(factories.states(database).values()) == {"decided"}
    assert len(factories.states(database)) == len(texts)
    assert factories.illegal_chains(database) == []
