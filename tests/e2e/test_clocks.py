"""Processes whose clocks are hours off: keys expire and lists stay in order by the clock of the database."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from sqlalchemy import Engine

from ace.store import keys
from ace.store.database import clock, transact
from ace.store.scopes import Scope
from tests.served import serving

pytestmark = pytest.mark.slow

HOURS: Final = (0, 5, -5)
HOUR: Final = timedelta(hours=1)
SKEW: Final = r"""
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static long skew(void) { const char *given = getenv("SKEW_SECONDS"); return given ? atol(given) : 0; }
int clock_gettime(clockid_t id, struct timespec *at) {
    int result = syscall(SYS_clock_gettime, id, at);
    if (id == CLOCK_REALTIME) at->tv_sec += skew();
    return result;
}
int gettimeofday(struct timeval *at, void *zone) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    at->tv_sec = now.tv_sec;
    at->tv_usec = now.tv_nsec / 1000;
    return 0;
}
time_t time(time_t *at) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (at) *at = now.tv_sec;
    return now.tv_sec;
}
"""
"""A library that moves the clock of the process that loads it."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler, which makes the library that moves a clock")
    folder = tmp_path_factory.mktemp("skew")
    (folder / "skew.c").write_text(SKEW)
    made = folder / "skew.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", made, folder / "skew.c"], check=True)
    return made


def skewed(library: Path, hours: int) -> dict[str, str]:
    return {"LD_PRELOAD": str(library), "SKEW_SECONDS": str(hours * 3600)}


@pytest.fixture
def apis(
    db: Engine, postgres_url: str, library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[list[httpx.Client]]:
    """An API for each of the clocks, asked with a key that may do everything."""
    create = partial(keys.create, tenant="office", label="tests", scopes=list(Scope))
    key = transact(db, create)[1]
    with ExitStack() as stack:
        clients = []
        for hours in HOURS:
            with monkeypatch.context() as patched:
                for name, value in skewed(library, hours).items():
                    patched.setenv(name, value)
                served = stack.enter_context(serving(postgres_url, tmp_path / f"{hours}.log"))
            url = f"http://127.0.0.1:{served.port}"
            headers = {"Authorization": f"Bearer {key}"}
            clients.append(stack.enter_context(httpx.Client(base_url=url, headers=headers, timeout=60)))
        yield clients


def listed(api: httpx.Client, path: str, **given: Any) -> dict[str, Any]:
    answer = api.get(path, params=given)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_the_clock_is_moved(library: Path) -> None:
    said = subprocess.run(
        [sys.executable, "-c", "import time, uuid_utils; print(time.time(), uuid_utils.uuid7().timestamp)"],
        env={**os.environ, **skewed(library, 5)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    seconds, milliseconds = map(float, said.split())
    for moved in (seconds, milliseconds / 1000):
        assert (
            timedelta(hours=4) < datetime.fromtimestamp(moved, UTC) - datetime.now(UTC) < timedelta(hours=6)
        )


def test_lists_and_pages_are_in_the_order_of_filing(apis: list[httpx.Client]) -> None:
    filed = []
    for number in range(2 * len(apis)):
        api = apis[number % len(apis)]
        answer = api.post("/v1/filings", json={"docket": f"D-{number}", "claims": "1. A hook.\n2. A bolt."})
        assert answer.status_code == 202
        filed += [each["id"] for each in answer.json()["evaluations"]]

    for first in apis:
        seen: list[dict[str, Any]] = []
        page = listed(first, "/v1/evaluations", limit=3)
        seen += page["evaluations"]
        for number in range(len(filed)):
            if page.get("next") is None:
                break
            # From one process, for the next.
            page = listed(apis[number % len(apis)], "/v1/evaluations", limit=3, cursor=page["next"])
            seen += page["evaluations"]
        assert [each["id"] for each in seen] == filed[::-1]
        times = [each["created_at"] for each in seen]
        assert times == sorted(times, reverse=True)


def test_a_key_lives_as_long_as_was_asked_for(apis: list[httpx.Client], db: Engine) -> None:
    for maker in apis:
        made = maker.post("/v1/keys", json={"label": "k", "scopes": ["read"], "expires_in_seconds": 3600})
        assert made.status_code == 201, made.text
        left = datetime.fromisoformat(made.json()["expires_at"]) - transact(db, clock)
        assert HOUR - timedelta(minutes=10) < left <= HOUR
        bearer = {"Authorization": f"Bearer {made.json()['key']}"}
        assert [api.get("/v1/evaluations", headers=bearer).status_code for api in apis] == [200] * len(apis)


def test_a_key_that_has_expired_opens_nothing(apis: list[httpx.Client], db: Engine) -> None:
    past = transact(db, clock) - HOUR
    key = transact(db, partial(keys.create, tenant="office", label="old", expires_at=past))[1]
    bearer = {"Authorization": f"Bearer {key}"}

    assert [api.get("/v1/evaluations", headers=bearer).status_code for api in apis] == [401] * len(apis)


@pytest.mark.parametrize("hours", HOURS)
@pytest.mark.parametrize(("ahead", "status"), [(HOUR, 0), (-HOUR, 2)], ids=["later", "past"])
def test_the_command_judges_an_expiry_by_the_clock_of_the_database(
    db: Engine, postgres_url: str, library: Path, hours: int, ahead: timedelta, status: int
) -> None:
    moment = (transact(db, clock) + ahead).isoformat()
    done = subprocess.run(
        [sys.executable, "-m", "ace", "keys", "create", "--tenant", "office", "--expires", moment, "--json"],
        env={**os.environ, **skewed(library, hours), "ACE_DATABASE_URL": postgres_url},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status, done.stderr
    if status == 0:
        assert json.loads(done.stdout)["expires_at"]
