"""The API behind a real server on a real socket: streams, waits, and the client that we ship."""

import json
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
import uvicorn
from fastapi import FastAPI
from sqlalchemy import Engine, text

from ace.api.watcher import Watcher
from ace.store import moves
from ace.store.database import Listener, News, announce, transact
from patent_ace_client import Client, Forbidden, Invalid, NotFound, Unauthorised
from tests.waiting import wait_for

pytestmark = pytest.mark.slow

CLAIMS = ["A bracket comprising a plate and a hook.", "The bracket of claim 1, being flat."]
GOOD = b'{"docket":"P-1","claims":"1. A bracket.\\n2. The bracket of claim 1, being flat."}\n'


@pytest.fixture
def client(live: str, key: str) -> Iterator[Client]:
    with Client(live, key) as client:
        yield client


class Upload:
    """An upload over a bare socket, whose lines are sent one by one."""

    def __init__(self, url: str, key: str) -> None:
        place = urlsplit(url)
        self.socket = socket.create_connection((str(place.hostname), place.port or 0), timeout=60)
        self.socket.sendall(
            f"POST /v1/filings/bulk HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\n"
            "Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
        )
        self.received = b""

    def send(self, data: bytes) -> None:
        self.socket.sendall(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def until(self, mark: bytes) -> bytes:
        while mark not in self.received:
            more = self.socket.recv(65_536)
            if not more:
                break
            self.received += more
        return self.received


def test_results_come_while_lines_still_go(live: str, key: str) -> None:
    upload = Upload(live, key)
    for number in (1, 2, 3):
        upload.send(GOOD[:20])
        upload.send(GOOD[20:])
        assert b'"line":%d,"status":202' % number in upload.until(b'"line":%d,' % number)
    upload.socket.sendall(b"0\r\n\r\n")
    assert upload.until(b"\r\n0\r\n\r\n").endswith(b"\r\n0\r\n\r\n")
    upload.socket.close()


def test_upload_that_breaks_off_keeps_its_whole_lines(
    live: str, server: uvicorn.Server, key: str, db: Engine
) -> None:
    upload = Upload(live, key)
    upload.send(GOOD)
    upload.until(b'"line":1,')
    upload.send(GOOD + GOOD.rstrip())
    upload.until(b'"line":2,')
    upload.socket.close()
    wait_for(lambda: not server.server_state.tasks, "the end of the upload")
    with db.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM filings")).scalar_one() == 2
    assert httpx.get(f"{live}/healthz").status_code == 200


def test_answer_that_nobody_reads_yet_does_not_stop_the_upload(client: Client) -> None:
    # Given a client that, like most, reads nothing before it has sent everything, and an answer
    # that is far larger than the buffers of the connection
    line = b'{"docket":"' + b"%d" + b'"}\n'
    content = b"".join(line % n for n in range(60_000))
    headers = {"Content-Type": "application/x-ndjson"}
    answer = client._sender.request("POST", "/v1/filings/bulk", content=content, headers=headers)

    assert len(answer.content) > 10_000_000
    assert answer.text.count("\n") == 60_000
    assert json.loads(answer.text.splitlines()[-1])["line"] == 60_000


def test_bytes_of_a_large_body_are_not_waited_for(live: str, key: str) -> None:
    answer = httpx.post(
        f"{live}/v1/filings",
        content=b" " * 100_000_000,
        headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
    )
    assert answer.status_code == 413


def test_submissions_wake_the_dispatcher(client: Client, postgres_url: str) -> None:
    listener = Listener(postgres_url, name="tests")
    listener.wait(0.01)  # connects
    client.submit("P-1", CLAIMS)
    alone = listener.wait(60)
    list(client.submit_many([{"docket": "P-1", "claims": "A bracket."}]))
    assert (alone, listener.wait(60)) == (News.MOVED, News.MOVED)
    listener.close()


@pytest.fixture
def watcher(app: FastAPI) -> Watcher:
    watcher: Watcher = app.state.parts.watcher
    return watcher


def waits(watcher: Watcher) -> int:
    """How many clients wait for verdicts."""
    return len(watcher._waits)


def test_wait_ends_with_the_announcement_of_the_verdict(
    client: Client, watcher: Watcher, work: Any, db: Engine
) -> None:
    # Given a watcher that by itself would look when the wait is long over
    watcher._poll_seconds = 10_000
    filing = client.submit("P-1", CLAIMS)
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(client.evaluation, filing.evaluations[0].id, wait_seconds=60)
        wait_for(lambda: waits(watcher), "the wait")
        # When it is decided, and that is announced until somebody has heard it
        work.decide()
        wait_for(lambda: announce(db) or asked.done(), "the end of the wait", seconds=45)

    assert asked.result().state == "decided"


def test_wait_ends_without_an_announcement_too(client: Client, watcher: Watcher, work: Any) -> None:
    filing = client.submit("P-1", CLAIMS)
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(client.filing, filing.id, wait_seconds=60)
        wait_for(lambda: waits(watcher), "the wait")
        work.escalate()
        work.examine()
        wait_for(asked.done, "the end of the wait", seconds=45)

    assert asked.result().states == {"decided": 2}


def test_many_may_wait_at_once_for_one_process(
    live: str, client: Client, key: str, watcher: Watcher, work: Any
) -> None:
    filing = client.submit("P-1", [f"A bracket with {n} holes." for n in range(60)])

    def wait(id_: str) -> str:
        with Client(live, key) as own:
            return own.evaluation(id_, wait_seconds=60).state

    with ThreadPoolExecutor(60) as pool:
        states = pool.map(wait, [one.id for one in filing.evaluations])
        wait_for(lambda: waits(watcher) == 60, "60 waits")
        assert client.filing(filing.id).settled is False  # they hold no thread of the pool
        work.decide()
        assert list(states) == ["decided"] * 60


def test_the_client_does_all_that_the_api_does(live: str, client: Client, work: Any) -> None:
    # Given a filing
    filing = client.submit("P-1", CLAIMS, priority=1, metadata={"client": "Orchard"})
    assert [one.claim for one in filing.evaluations] == [1, 2]
    assert client.filing(filing.id).metadata == {"client": "Orchard"}
    # When its first try fails, and is run again
    work.fail("timeout")
    failed = list(client.evaluations(state="failed"))
    assert {one.error for one in failed} == {"timeout"}
    assert client.replay(failed[0].id) == [failed[0].id]
    assert client.replay_where(error="timeout") == [failed[1].id]
    assert client.replay_where(error="timeout") == []
    work.examine(model="test-expert")
    # Then all is decided, and told
    progress: list[tuple[int, int]] = []
    settled = filing.wait(
        60, on_filing=lambda found: progress.append((found.settled_count, len(found.evaluations)))
    )
    assert progress[-1] == (2, 2)
    assert [one.settled for one in filing.watch()] == [True]
    assert [(one.claim, one.verdict, one.decided_by) for one in settled] == [
        (1, "Pass", "expert"),
        (2, "Pass", "expert"),
    ]
    rationale = settled[0].rationale
    assert rationale is not None
    assert (rationale.reasoning, rationale.model) == ("a plate is introduced", "test-expert")
    moves = [event.move for event in client.events(settled[0].id)]
    assert moves == ["submit", "dispatch", "escalate", "dispatch", "fail", "replay", "dispatch", "decide"]
    assert client.cancel(filing.id) == []
    # And keys come and go
    new = client.make_key("docketing", scopes=["read"], requests_per_second=50)
    assert new.id in [one.id for one in client.list_keys()]
    with Client(live, new.key) as reader:
        assert reader.filing(filing.id).settled
        with pytest.raises(Forbidden, match="scope submit"):
            reader.submit("P-1", CLAIMS)
        assert [client.revoke_key(new.id), client.revoke_key(new.id)] == [True, False]
        with pytest.raises(Unauthorised):
            reader.filing(filing.id)


def test_the_client_comes_back_when_it_is_asked_to(app: FastAPI, live: str, new_key: Any) -> None:
    pauses: list[tuple[float, str]] = []
    # Given an API whose time passes while the client pauses, and never else
    app.state.parts.rates._clock = lambda: sum(seconds for seconds, _ in pauses)
    with Client(live, new_key("office", rate=1)) as client:
        client.tell_pauses(lambda seconds, reason: pauses.append((seconds, reason)))
        filings = {client.submit("P-1", CLAIMS).id for _ in range(2)}
    assert len(filings) == 2
    assert pauses == [(1.0, "too many requests: this key may make 1 a second")]


def test_the_client_pages_through_many(client: Client) -> None:
    results = list(
        client.submit_many({"docket": "P-1", "claims": [{"text": "A bracket."}]} for _ in range(450))
    )
    assert [one.line for one in results] == list(range(1, 451))
    ids = {one.accepted.evaluations[0].id for one in results if one.accepted}
    assert {one.id for one in client.evaluations(docket="P-1")} == ids
    assert len(ids) == 450


def test_refusals_reach_the_caller_as_errors(client: Client, live: str, key: str) -> None:
    with pytest.raises(Invalid) as refused:
        client.submit("P-1", ["A bracket.", " "])
    assert refused.value.errors[0]["pointer"] == "/claims/1/text"
    with pytest.raises(NotFound):
        client.filing("01a1fb7f-0da3-7014-8f64-d20e21e5c542")
    assert client.find_evaluation("01a1fb7f-0da3-7014-8f64-d20e21e5c542") is None
    with Client(live, key + "x") as wrong, pytest.raises(Unauthorised):
        wrong.filing("01a1fb7f-0da3-7014-8f64-d20e21e5c542")


def test_the_client_streams_events_and_goes_on_where_it_was_left(client: Client, work: Any) -> None:
    filing = client.submit("P-1", "1. A bracket.\n2. A hook.")
    work.decide()
    transact(work.db, moves.number_notices)
    with closing(client.stream_notices()) as stream:
        first, second = islice(stream, 2)
    with closing(client.stream_notices(cursor=second.cursor)) as stream:
        third = next(stream)
    assert [one.type for one in (first, second, third)] == ["evaluation.decided"] * 2 + ["filing.settled"]
    assert third.data.filing == filing.id

    # A stream that waits hears of what happens meanwhile.
    (page,) = client.notices(start="latest")
    with closing(client.stream_notices(cursor=page.next)) as stream, ThreadPoolExecutor(1) as pool:
        following = pool.submit(next, stream)
        client.submit("P-2", "1. A plate.")
        work.decide()
        transact(work.db, moves.number_notices)
        announce(work.db)
        assert following.result(timeout=60).type == "evaluation.decided"
