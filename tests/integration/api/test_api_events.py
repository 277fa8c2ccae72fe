"""The feed of events: in order, without gaps, at any number of processes, as pages and as a stream."""

import json
import random
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import Engine, text

from ace.api import events
from ace.store import moves, notices
from ace.store.database import transact
from ace.store.tables import Stage
from tests import factories
from tests.integration.flow.test_delivering import drain
from tests.waiting import wait_for

FILING = {"docket": "P-1", "claims": "1. A bracket.\n2. The bracket of claim 1, being flat."}


def page(api: TestClient, **query: Any) -> dict[str, Any]:
    answer = api.get("/v1/events", params=query)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_the_feed_says_what_has_settled(api: TestClient, work: Any) -> None:
    filing = api.post("/v1/filings", json=FILING).json()
    work.decide(fail=True)
    drain(work.db)

    first, second, third = page(api)["events"]
    assert [one["type"] for one in (first, second, third)] == ["evaluation.decided"] * 2 + ["filing.settled"]
    assert {one["data"]["evaluation"] for one in (first, second)} == {
        one["id"] for one in filing["evaluations"]
    }
    assert first["data"]["verdict"] == "Fail"
    assert first["data"]["error_class"] == "antecedent"
    assert api.get(first["data"]["link"]).json()["id"] == first["data"]["evaluation"]
    assert third["data"] == {"filing": filing["filing"], "link": f"/v1/filings/{filing['filing']}"}
    assert "bracket" not in json.dumps([first, second, third])


def test_failures_and_cancellations_are_in_it(api: TestClient, work: Any) -> None:
    api.post("/v1/filings", json=FILING)
    work.fail("timeout")
    filing = api.post("/v1/filings", json=FILING).json()
    api.post(f"/v1/filings/{filing['filing']}/cancel")
    drain(work.db)
    told = page(api)["events"]
    assert [one["type"] for one in told] == [
        *["evaluation.failed"] * 2,
        *["evaluation.cancelled"] * 2,
        *["filing.settled"] * 2,
    ]
    assert [one["data"]["error"] for one in told[:2]] == ["timeout"] * 2


def test_a_cursor_goes_on_where_a_page_ended(api: TestClient, work: Any) -> None:
    empty = page(api)
    assert empty["events"] == []
    api.post("/v1/filings", json=FILING)
    work.decide()
    drain(work.db)
    everything = page(api)["events"]

    found, cursor = [], empty["next"]
    while new := (answer := page(api, cursor=cursor, limit=1))["events"]:
        found += new
        cursor = answer["next"]
    assert found == everything
    assert answer["next"] == cursor
    assert page(api, start="latest") == {"events": [], "next": cursor}


def test_a_foreign_cursor_is_refused(api: TestClient, stranger: dict[str, str]) -> None:
    theirs = api.get("/v1/events", headers=stranger).json()["next"]
    assert api.get("/v1/events", params={"cursor": theirs}).json()["type"] == "/problems/bad_cursor"
    answer = api.get("/v1/events", headers={"Last-Event-ID": "nonsense", "Accept": events.STREAM})
    assert answer.json()["errors"][0]["header"] == "Last-Event-ID"


def test_numbers_are_given_in_the_order_in_which_they_can_be_read(db: Engine) -> None:
    """Whoever has read an event can have read all before it, though moves commit in any order."""
    for number in range(8):
        factories.submit(db, factories.new_filing(docket=f"D-{number}"))
    leased = []
    while one := factories.lease(db, Stage.FAST, most=3):
        leased.append(one)
    seen: list[int] = []
    stop = threading.Event()

    def numbering() -> None:
        while not stop.is_set():
            transact(db, partial(moves.number_notices, limit=2))

    def reading() -> None:
        while not stop.is_set():
            read = partial(notices.after, tenant=factories.TENANT, number=seen[-1] if seen else 0, limit=3)
            seen.extend(row["number"] for row in transact(db, read))

    def deciding(one: moves.Leased) -> None:
        said = factories.verdicts(one.evaluations)
        with db.begin() as connection:
            moves.screened(connection, one.token, said, actor="w")
            stop.wait(random.Random(one.token.int).random() / 20)  # commits in another order than it began

    with ThreadPoolExecutor(12) as pool:
        others = [pool.submit(work) for work in (numbering, numbering, reading)]
        for done in [pool.submit(deciding, one) for one in leased]:
            done.result()
        wait_for(lambda: len(seen) == 8 * 4, "every event")
        stop.set()
        for other in others:
            other.result()
    assert seen == list(range(1, 8 * 4 + 1))


# Streams


def sent(lines: Iterator[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """(cursor, event) of each event of a stream."""
    fields: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(": ")
        if line:
            fields[name] = value
        elif "data" in fields:
            yield fields["id"], json.loads(fields["data"])
            fields = {}


def headers(key: str, last: str = "") -> dict[str, str]:
    return {
        "Authorization": f"Bearer {key}",
        "Accept": events.STREAM,
        **({"Last-Event-ID": last} if last else {}),
    }


def test_a_stream_goes_on_with_what_happens(live: str, key: str, work: Any) -> None:
    factories.submit(work.db)
    with (
        httpx.Client(timeout=60) as client,
        client.stream("GET", f"{live}/v1/events", headers=headers(key)) as answer,
    ):
        assert answer.headers["content-type"].startswith(events.STREAM)
        work.decide()
        drain(work.db)
        coming = sent(answer.iter_lines())
        told = [next(coming) for _ in range(4)]
    assert [event["type"] for _, event in told] == ["evaluation.decided"] * 3 + ["filing.settled"]
    with (
        httpx.Client(timeout=60) as client,
        client.stream("GET", f"{live}/v1/events", headers=headers(key, told[1][0])) as answer,
    ):
        again = sent(answer.iter_lines())
        assert [next(again) for _ in range(2)] == told[2:]


def test_a_stream_ends_after_a_while(live: str, key: str, work: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "STREAM_SECONDS", 0.2)
    monkeypatch.setattr(events, "PING_SECONDS", 0.1)
    answer = httpx.get(f"{live}/v1/events", headers=headers(key), timeout=60)
    assert answer.text.startswith("retry: 1000\n\n: nothing yet\n\n")


def test_streams_count_as_waits(app: FastAPI, api: TestClient) -> None:
    watcher = app.state.parts.watcher
    watcher._tenants["office"] = 1_000
    answer = api.get("/v1/events", headers={"Accept": events.STREAM})
    assert answer.json()["type"] == "/problems/too_many_waits"


def test_a_page_waits_for_an_event(live: str, key: str, work: Any) -> None:
    factories.submit(work.db)
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(
            httpx.get,
            f"{live}/v1/events",
            headers={"Authorization": f"Bearer {key}", "Prefer": "wait=60"},
            timeout=90,
        )
        work.decide()
        drain(work.db)
        answer = asked.result()
    assert answer.headers["preference-applied"] == "wait=60"
    assert answer.json()["events"]


@pytest.mark.slow
def test_a_reader_that_reconnects_at_random_gets_each_event_once(live: str, key: str, work: Any) -> None:
    total = 60
    rng = random.Random(11)
    found: list[dict[str, Any]] = []
    last = ""

    def deciding() -> None:
        for number in range(total // 4):
            factories.submit(work.db, factories.new_filing(docket=f"D-{number}"))
            work.decide()
            drain(work.db)

    with ThreadPoolExecutor(1) as pool, httpx.Client(timeout=60) as client:
        done = pool.submit(deciding)
        while len(found) < total:
            with client.stream("GET", f"{live}/v1/events", headers=headers(key, last)) as answer:
                for cursor, event in sent(answer.iter_lines()):
                    last = cursor
                    found.append(event)
                    if len(found) == total or rng.random() < 0.2:
                        break
        done.result()
    with work.db.connect() as connection:
        ids = connection.execute(text("SELECT id::text FROM notices ORDER BY number")).scalars().all()
    assert [event["id"] for event in found] == list(ids)
