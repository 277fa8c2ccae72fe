"""What many long polls on a long filing cost: one read for all who wait, one id to look at, and a limit."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import httpx
import pytest
from fastapi import FastAPI

from ace.api.watcher import Watcher
from ace.settings import Settings
from ace.store import reads
from ace.store.database import announce
from patent_ace_client import Client
from tests.waiting import wait_for

WAITERS = 30
CLAIMS = 150


@pytest.fixture
def settings() -> Settings:
    return Settings(_env_file=None, secret="test-secret", tenant_waits=WAITERS)


@pytest.fixture
def watcher(app: FastAPI) -> Watcher:
    watcher: Watcher = app.state.parts.watcher
    return watcher


@pytest.fixture
def filed(live: str, key: str) -> str:
    """A long filing."""
    with Client(live, key) as client:
        return client.submit("P-1", [f"A bracket with {n} holes." for n in range(CLAIMS)]).id


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often filings were read whole, and the most evaluations that were looked at together."""
    counts: Counter[str] = Counter()
    filing, settled = reads.filing, reads.settled

    def read(*given: Any) -> Any:
        counts["filing"] += 1
        return filing(*given)

    def look(connection: Any, evaluation_ids: Sequence[UUID]) -> set[UUID]:
        counts["looked at"] = max(counts["looked at"], len(evaluation_ids))
        return settled(connection, evaluation_ids)

    monkeypatch.setattr(reads, "filing", read)
    monkeypatch.setattr(reads, "settled", look)
    return counts


Ask = Callable[[], httpx.Response]


@pytest.fixture
def ask(live: str, key: str, filed: str) -> Ask:
    """A long poll of the filing."""
    headers = {"Authorization": f"Bearer {key}", "Prefer": "wait=60"}
    return lambda: httpx.get(f"{live}/v1/filings/{filed}", headers=headers, timeout=120)


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(WAITERS) as pool:
        yield pool


def test_all_who_wait_for_a_filing_share_its_reads(
    ask: Ask, pool: ThreadPoolExecutor, watcher: Watcher, counted: Counter[str], work: Any
) -> None:
    polls = [pool.submit(ask) for _ in range(WAITERS)]
    wait_for(lambda: len(watcher._waits) == WAITERS, "the waits")
    assert counted["filing"] == 0  # nobody reads it whole before it has settled
    work.decide()
    answers = [poll.result().json() for poll in polls]
    assert all(answer["settled"] and len(answer["evaluations"]) == CLAIMS for answer in answers)
    assert 0 < counted["filing"] <= WAITERS / 5
    assert counted["looked at"] == 1


def test_wait_beyond_the_limit_is_refused_and_others_are_not(
    ask: Ask,
    live: str,
    pool: ThreadPoolExecutor,
    watcher: Watcher,
    stranger: dict[str, str],
    work: Any,
    db: Any,
) -> None:
    polls = [pool.submit(ask) for _ in range(WAITERS)]
    wait_for(lambda: len(watcher._waits) == WAITERS, "the waits")

    refused = ask()

    assert (refused.status_code, refused.headers["retry-after"]) == (429, "2")
    problem = refused.json()
    assert problem["type"] == "/problems/too_many_waits"
    assert problem["errors"][0]["limit"] == WAITERS
    with ThreadPoolExecutor(1) as other:
        theirs = {**stranger, "Prefer": "wait=60"}
        with Client(live, stranger["Authorization"].split()[1]) as client:
            own = client.submit("S-1", ["A bracket."]).evaluations[0].id
        waits = other.submit(httpx.get, f"{live}/v1/evaluations/{own}", headers=theirs, timeout=120)
        wait_for(lambda: len(watcher._waits) == WAITERS + 1, "the other tenant's wait")
        work.decide()
        announce(db)
        assert waits.result().json()["state"] == "decided"
    assert {poll.result().status_code for poll in polls} == {200}
    wait_for(lambda: not watcher._tenants, "the end of the waits")
    assert ask().status_code == 200
