"""One tenant's claims are slow to check: they are stopped, and nobody else waits for them."""

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from pathlib import Path

import httpx
import psutil
import pytest
from sqlalchemy import Engine

from ace.store import keys
from ace.store.database import transact
from tests.hostile.slow import LONG_SET
from tests.served import PATIENCE_SECONDS, Served, serving
from tests.waiting import wait_for

pytestmark = pytest.mark.slow

SHORT = {"claims": "1. A bracket comprising a plate.\n2. The bracket of claim 1, wherein said hook is bent."}
TOO_SLOW = "/problems/check_too_slow"


def client(db: Engine, served: Served, tenant: str) -> httpx.Client:
    key = transact(db, partial(keys.create, tenant=tenant, label="tests", scopes=list(keys.Scope)))[1]
    headers = {"Authorization": f"Bearer {key}"}
    return httpx.Client(base_url=served.url, headers=headers, timeout=PATIENCE_SECONDS)


def gone(process: psutil.Process) -> bool:
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


@pytest.fixture
def brief(db: Engine, postgres_url: str, tmp_path: Path) -> Iterator[Served]:
    """An API that takes a tenth of a second of processor time for a set, at most."""
    with serving(postgres_url, tmp_path / "log", check_seconds=0.1) as served:
        yield served


@pytest.fixture
def patient(db: Engine, postgres_url: str, tmp_path: Path) -> Iterator[Served]:
    """An API that takes no process for stuck while a test runs."""
    with serving(postgres_url, tmp_path / "log", check_seconds=60) as served:
        yield served


@pytest.mark.parametrize("media", ["application/json", "text/plain"])
def test_a_set_that_takes_too_long_is_refused_with_the_field_and_the_limit(
    db: Engine, brief: Served, media: str
) -> None:
    with client(db, brief, "office") as office:
        assert office.post("/v1/check", json=SHORT).status_code == 200
        if media == "application/json":
            answer = office.post("/v1/check", json={"claims": LONG_SET})
        else:
            answer = office.post("/v1/check", content=LONG_SET, headers={"Content-Type": media})
        after = office.post("/v1/check", json=SHORT)

    assert (answer.status_code, answer.json()["type"]) == (422, TOO_SLOW)
    (entry,) = answer.json()["errors"]
    assert (entry["pointer"], entry["limit"]) == (
        "/claims" if media == "application/json" else "",
        "0.1 seconds",
    )
    assert after.status_code == 200


def test_the_largest_set_passes_with_the_usual_limit(db: Engine, postgres_url: str, tmp_path: Path) -> None:
    with (
        serving(postgres_url, tmp_path / "log") as served,
        client(db, served, "office") as office,
    ):
        answer = office.post("/v1/check", json={"claims": LONG_SET})
    assert answer.status_code == 200
    assert len(answer.json()["claims"]) > 800


def test_nobody_waits_for_a_check_that_is_stuck(db: Engine, patient: Served) -> None:
    def checking() -> list[psutil.Process]:
        return psutil.Process(patient.pid).children()

    with (
        client(db, patient, "hostile") as hostile,
        client(db, patient, "office") as office,
        ThreadPoolExecutor() as threads,
    ):
        assert hostile.post("/v1/check", json=SHORT).status_code == 200
        (stuck,) = checking()
        stuck.suspend()
        first = threads.submit(hostile.post, "/v1/check", json=SHORT)
        second = threads.submit(hostile.post, "/v1/check", json=SHORT)

        # The tenant's other check gives up waiting; polls and the checks of others never begin to.
        refused = next(as_completed([first, second])).result()
        assert refused.status_code == 429
        assert refused.json()["type"] == "/problems/too_many_checks"
        assert refused.headers["retry-after"].isdecimal()
        for _ in range(20):
            assert office.get("/v1/evaluations").status_code == 200
        assert hostile.get("/v1/evaluations").status_code == 200
        assert office.post("/v1/check", json=SHORT).status_code == 200
        filed = office.post("/v1/filings", json={"docket": "P-1", **SHORT})
        assert filed.status_code == 202

        stuck.resume()
        assert {first.result().status_code, second.result().status_code} == {200, 429}


def test_the_processes_go_with_the_api_even_if_it_is_killed(
    db: Engine, postgres_url: str, tmp_path: Path
) -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        with serving(postgres_url, tmp_path / "log") as served:
            with client(db, served, "office") as office:
                assert office.post("/v1/check", json=SHORT).status_code == 200
            (child,) = psutil.Process(served.pid).children()
            os.kill(served.pid, number)
            wait_for(partial(gone, child), "the process to end")
