"""The API behind a real server on a real socket: streams, waits, and the client that we ship."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import Engine, text

from ace.client import Client, Forbidden, Invalid, NotFound, Unauthorised
from ace.store.database import Listener

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
        self.socket = socket.create_connection((str(place.hostname), place.port or 0), timeout=10)
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


def test_upload_that_breaks_off_keeps_its_whole_lines(live: str, key: str, db: Engine) -> None:
    upload = Upload(live, key)
    upload.send(GOOD)
    upload.until(b'"line":1,')
    upload.send(GOOD + GOOD.rstrip())
    upload.until(b'"line":2,')
    upload.socket.close()
    time.sleep(0.2)  # what must not happen has had its chance
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
    alone = listener.wait(5)
    list(client.submit_many([{"docket": "P-1", "claims": "A bracket."}]))
    assert (alone, listener.wait(5)) == (True, True)
    listener.close()


def test_wait_ends_with_the_announcement_of_the_verdict(app: FastAPI, client: Client, work: Any) -> None:
    # Given a watcher that looks by itself far too seldom to matter
    app.state.parts.watcher._poll_seconds = 15
    filing = client.submit("P-1", CLAIMS)
    decided = []

    def decide() -> None:
        work.decide()
        decided.append(time.monotonic())

    thread = threading.Timer(0.6, decide)
    thread.start()
    found = client.evaluation(filing.evaluations[0].id, wait_seconds=10)
    late = time.monotonic() - decided[0]
    thread.join()

    assert found.state == "decided"
    assert late < 2


def test_wait_ends_without_an_announcement_too(client: Client, work: Any) -> None:
    filing = client.submit("P-1", CLAIMS)
    thread = threading.Timer(0.2, work.escalate)
    again = threading.Timer(0.5, work.examine)
    thread.start()
    again.start()
    found = client.filing(filing.id, wait_seconds=20)
    thread.join()
    again.join()
    assert found.settled
    assert found.states == {"decided": 2}


def test_many_may_wait_at_once_for_one_process(live: str, client: Client, key: str, work: Any) -> None:
    filing = client.submit("P-1", [f"A bracket with {n} holes." for n in range(60)])
    states: list[str] = []

    def wait(id_: str) -> None:
        with Client(live, key) as own:
            states.append(own.evaluation(id_, wait_seconds=20).state)

    threads = [threading.Thread(target=wait, args=(one.id,)) for one in filing.evaluations]
    for thread in threads:
        thread.start()
    time.sleep(0.3)
    assert client.filing(filing.id).settled is False  # 60 waits hold no thread of the pool
    work.decide()
    for thread in threads:
        thread.join()
    assert states == ["decided"] * 60


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
    settled = client.wait(filing.id, on_progress=lambda *seen: progress.append(seen))
    assert progress[-1] == (2, 2)
    assert [(one.claim, one.verdict, one.decided_by) for one in settled] == [
        (1, "Pass", "expert"),
        (2, "Pass", "expert"),
    ]
    assert (settled[0].rationale, settled[0].expert_model) == ("a plate is introduced", "test-expert")
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


def test_the_client_comes_back_when_it_is_asked_to(live: str, new_key: Any) -> None:
    pauses: list[tuple[float, str]] = []
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
