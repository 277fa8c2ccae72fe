"""The stream of hints: what wakes it, whom it does not wake, and how it ends."""

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from queue import Empty, Queue
from typing import Any

import httpx
import pytest
import uvicorn
from fastapi import FastAPI
from fastapi.testclient import TestClient

from ace.api.hints import Hints

FILING = {"docket": "D", "claims": "1. A hook.\n2. The hook of claim 1, made of steel."}
pytestmark = pytest.mark.slow


@contextmanager
def events(live: str, key: str, **query: Any) -> Iterator[Queue[str]]:
    """The names of the events of a stream, as they come; "end" when it has ended."""
    heard: Queue[str] = Queue()
    opened, closed = threading.Event(), threading.Event()

    def listen() -> None:
        headers = {"Authorization": f"Bearer {key}"}
        with (
            httpx.Client(timeout=60) as client,
            client.stream("GET", f"{live}/v1/hints", params=query, headers=headers) as answer,
        ):
            assert answer.headers["content-type"].startswith("text/event-stream")
            opened.set()
            for line in answer.iter_lines():
                if closed.is_set():
                    return
                if line.startswith("event: "):
                    heard.put(line.removeprefix("event: "))
        heard.put("end")

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    assert opened.wait(10)
    yield heard
    closed.set()


def quiet(heard: Queue[str], seconds: float = 1.5) -> bool:
    try:
        return heard.get(timeout=seconds) is None
    except Empty:
        return True


def test_a_stream_hints_at_first_and_then_when_a_claim_moves(live: str, key: str, work: Any) -> None:
    with events(live, key) as heard:
        assert heard.get(timeout=10) == "filings"
        assert quiet(heard)
        httpx.post(f"{live}/v1/filings", json=FILING, headers={"Authorization": f"Bearer {key}"})
        assert heard.get(timeout=10) == "filings"
        work.decide()
        assert heard.get(timeout=10) == "filings"


def test_a_stream_of_a_filing_hears_of_no_other(live: str, key: str, work: Any) -> None:
    headers = {"Authorization": f"Bearer {key}"}
    one = httpx.post(f"{live}/v1/filings", json=FILING, headers=headers).json()["filing"]
    work.decide()
    with events(live, key, filing=one) as heard:
        assert heard.get(timeout=10) == "filings"
        two = httpx.post(f"{live}/v1/filings", json=FILING, headers=headers).json()["filing"]
        assert quiet(heard)
        with events(live, key, filing=two) as other:
            assert other.get(timeout=10) == "filings"
            work.decide()
            assert other.get(timeout=10) == "filings"
        assert quiet(heard)


def test_nobody_hears_of_another_tenants_filings(live: str, key: str, stranger: dict[str, str]) -> None:
    headers = {"Authorization": f"Bearer {key}"}
    theirs = stranger["Authorization"].removeprefix("Bearer ")
    filing = httpx.post(f"{live}/v1/filings", json=FILING, headers=headers).json()["filing"]
    with events(live, theirs) as all_of_theirs, events(live, theirs, filing=filing) as that:
        assert all_of_theirs.get(timeout=10) == that.get(timeout=10) == "filings"
        assert httpx.post(f"{live}/v1/filings/{filing}/cancel", headers=headers).status_code == 200
        assert quiet(all_of_theirs)
        assert quiet(that)


def test_a_stream_ends_at_its_time_and_when_the_server_stops(
    live: str, key: str, server: uvicorn.Server, app: FastAPI
) -> None:
    began = time.monotonic()
    with events(live, key, seconds=1) as heard:
        while (last := heard.get(timeout=10)) != "end":
            assert last == "filings"  # before its time is over, if there is a look in time
        assert time.monotonic() - began >= 1
    with events(live, key) as heard:
        assert heard.get(timeout=10) == "filings"
        app.state.parts.watcher.release()
        assert heard.get(timeout=10) == "end"


def test_streams_count_as_waits(anonymous: TestClient, app: FastAPI, key: str) -> None:
    headers = {"Authorization": f"Bearer {key}"}
    watcher = app.state.parts.watcher
    limit = app.state.parts.settings.tenant_waits
    with ExitStack() as held:
        for _ in range(limit):
            held.enter_context(watcher.admitted("office"))
        answer = anonymous.get("/v1/hints?seconds=0", headers=headers)
        assert answer.status_code == 429
        assert answer.json()["type"] == "/problems/too_many_waits"
    assert anonymous.get("/v1/hints?seconds=0", headers=headers).status_code == 200


def test_a_reader_without_streams_has_nothing_to_do() -> None:
    assert not Hints().due
