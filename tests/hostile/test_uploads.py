"""What uploads may hold in memory: a budget of each tenant, which comes back whatever ends a request."""

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
import uvicorn
from fastapi import FastAPI

from ace import flow
from ace.api.budget import Budget
from ace.settings import Settings
from tests.served import answered
from tests.waiting import wait_for

LONGEST = 200_000
TENANT = 4 * LONGEST + 4_000_000
PROCESS = 3 * TENANT
ATTACKERS = 60
NDJSON = "application/x-ndjson"
GOOD = b'{"docket":"P-1","claims":"1. A bracket."}'


@pytest.fixture
def settings() -> Settings:
    """The smallest budget that these settings may have."""
    return Settings(
        _env_file=None,
        secret="test-secret",
        max_body_bytes=LONGEST,
        tenant_buffered_bytes=TENANT,
        buffered_bytes=PROCESS,
    )


class Watched(Budget):
    """A budget that remembers the most that was ever held."""

    peak = 0

    def add(self, tenant: str, size: int) -> None:
        super().add(tenant, size)
        self.peak = max(self.peak, self.held)


@pytest.fixture
def budget(app: FastAPI) -> Watched:
    budget: Watched = app.state.parts.budget
    budget.__class__ = Watched
    return budget


class Sender:
    """A request over a bare socket, sent piece by piece."""

    def __init__(self, url: str, key: str, path: str, media: str) -> None:
        place = urlsplit(url)
        self.socket = socket.create_connection((str(place.hostname), place.port or 0), timeout=60)
        self.socket.sendall(
            f"POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\n"
            f"Content-Type: {media}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
        )

    def __enter__(self) -> "Sender":
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, data: bytes) -> None:
        self.socket.sendall(f"{len(data):x}\r\n".encode() + data + b"\r\n")


def padded(body: bytes, size: int) -> bytes:
    """The same JSON, with blanks up to `size`."""
    return body[:-1] + b" " * (size - len(body)) + body[-1:]


@pytest.fixture
def attack(live: str, key: str, budget: Budget) -> Iterator[list[Sender]]:
    """Uploads that have sent almost a whole line each, which does not end."""
    with ExitStack() as stack:
        senders = []
        for _ in range(ATTACKERS):
            sender = stack.enter_context(Sender(live, key, "/v1/filings/bulk", NDJSON))
            before = budget.held
            sender.send(b"x" * (LONGEST - 1_000))
            wait_for(partial(_counted, budget, before, sender), "the bytes to be counted")
            senders.append(sender)
        yield senders


def _counted(budget: Budget, before: int, sender: Sender) -> bool:
    return budget.held != before or _answering(sender)


def _answering(sender: Sender) -> bool:
    sender.socket.setblocking(False)
    try:
        return bool(sender.socket.recv(1, socket.MSG_PEEK))
    except BlockingIOError:
        return False
    finally:
        sender.socket.setblocking(True)


def test_unended_lines_are_held_up_to_the_tenants_budget(attack: list[Sender], budget: Watched) -> None:
    refused = [answered(sender.socket) for sender in attack if _answering(sender)]
    assert budget.held <= budget.peak <= TENANT
    assert len(refused) >= ATTACKERS - TENANT // (LONGEST - 1_000)
    for status, body in refused:
        problem = json.loads(body)
        assert (status, problem["type"]) == (429, "/problems/too_many_bytes")
        assert problem["retry_after"] >= 1
        assert problem["errors"] == [
            {"code": "too_many_bytes", "detail": problem["detail"], "limit": TENANT},
        ]


def test_what_is_held_comes_back_when_the_uploads_break_off(
    attack: list[Sender], budget: Watched, live: str, key: str
) -> None:
    assert budget.held > LONGEST
    for sender in attack:
        sender.socket.close()
    wait_for(lambda: budget.held == 0, "the bytes to come back")
    assert budget.tenants == {}
    answer = httpx.post(f"{live}/v1/filings", content=GOOD, headers=headers(key))
    assert answer.status_code == 202


def headers(key: str, media: str = "application/json") -> dict[str, str]:
    return {"Authorization": f"Bearer {key}", "Content-Type": media}


@pytest.mark.usefixtures("attack")
def test_another_tenant_still_uploads_the_largest(
    live: str, stranger: dict[str, str], key: str, budget: Watched
) -> None:
    own = httpx.post(f"{live}/v1/filings", content=padded(GOOD, LONGEST), headers=headers(key))
    assert (own.status_code, own.headers["retry-after"]) == (429, "2")
    theirs = stranger | {"Content-Type": "application/json"}
    assert httpx.post(f"{live}/v1/filings", content=padded(GOOD, LONGEST), headers=theirs).status_code == 202
    lines = b"\n".join([padded(GOOD, LONGEST)] * 20)
    bulk = httpx.post(f"{live}/v1/filings/bulk", content=lines, headers=stranger | {"Content-Type": NDJSON})
    assert [json.loads(line)["status"] for line in bulk.text.splitlines()] == [202] * 20
    assert budget.peak <= PROCESS


def test_one_client_alone_may_always_send_the_largest(live: str, key: str, budget: Watched) -> None:
    lines = b"\n".join([padded(GOOD, LONGEST)] * 60)
    bulk = httpx.post(f"{live}/v1/filings/bulk", content=lines, headers=headers(key, NDJSON))
    assert [json.loads(line)["status"] for line in bulk.text.splitlines()] == [202] * 60
    assert LONGEST < budget.peak <= TENANT
    wait_for(lambda: budget.held == 0, "the bytes to come back")


ENDS: dict[str, tuple[str, str, list[bytes], int]] = {
    "stored": ("/v1/filings", "application/json", [padded(GOOD, LONGEST)], 202),
    "checked": ("/v1/check", "text/plain", [b"1. A bracket."], 200),
    "malformed": ("/v1/filings", "application/json", [b'{"docket":'], 400),
    "nested": ("/v1/filings", "application/json", [b"[" * 10_000], 422),
    "too large": ("/v1/filings", "application/json", [b" " * LONGEST, b" " * LONGEST], 413),
    "a replay": ("/v1/replays", "application/json", [b'{"filter":{}}'], 200),
    "a key": ("/v1/keys", "application/json", [b'{"label":"one"}'], 201),
    "lines": (
        "/v1/filings/bulk",
        NDJSON,
        [GOOD + b"\n" + b"nonsense\n" + b"x" * LONGEST, b"x" * LONGEST],
        200,
    ),
}


@pytest.mark.parametrize("end", ENDS)
def test_what_is_held_comes_back_at_every_answer(live: str, key: str, budget: Watched, end: str) -> None:
    path, media, pieces, status = ENDS[end]
    with Sender(live, key, path, media) as sender:
        for piece in pieces:
            sender.send(piece)
        sender.socket.sendall(b"0\r\n\r\n")
        assert answered(sender.socket)[0] == status
    assert budget.peak > 0
    wait_for(lambda: budget.held == 0, "the bytes to come back")


@pytest.mark.parametrize("path", ["/v1/filings", "/v1/filings/bulk", "/v1/check"])
def test_what_is_held_comes_back_from_one_who_leaves(live: str, key: str, budget: Watched, path: str) -> None:
    media = NDJSON if path.endswith("bulk") else "application/json"
    with Sender(live, key, path, media) as sender:
        sender.send(b'{"docket":"')
        wait_for(lambda: budget.held >= 11, "the bytes to be counted")
    wait_for(lambda: budget.held == 0, "the bytes to come back")


@pytest.mark.parametrize("path", ["/v1/filings", "/v1/filings/bulk"])
def test_what_is_held_comes_back_from_a_failure(
    live: str, key: str, budget: Watched, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> Any:
        raise RuntimeError

    monkeypatch.setattr(flow, "submit", broken)
    media = NDJSON if path.endswith("bulk") else "application/json"
    assert httpx.post(f"{live}{path}", content=GOOD, headers=headers(key, media)).status_code == 500
    assert budget.peak > 0
    wait_for(lambda: budget.held == 0, "the bytes to come back")


def test_what_is_held_comes_back_from_a_server_that_stops(
    live: str, server: uvicorn.Server, key: str, budget: Watched
) -> None:
    with Sender(live, key, "/v1/filings/bulk", NDJSON) as sender:
        sender.send(b"x" * 10_000)
        wait_for(lambda: budget.held >= 10_000, "the bytes to be counted")
        server.force_exit = True
        server.should_exit = True
    wait_for(lambda: budget.held == 0, "the bytes to come back")


def test_an_upload_over_the_budget_keeps_what_was_stored(live: str, key: str, budget: Watched) -> None:
    with Sender(live, key, "/v1/filings/bulk", NDJSON) as sender:
        sender.send(GOOD + b"\n")
        received = b""
        while b'"status":202' not in received:
            received += sender.socket.recv(65_536)
        budget.tenant_bytes = budget.held
        sender.send(b"x" * 10_000)
        while b'"status":429' not in received:
            received += sender.socket.recv(65_536)
    line = next(line for line in received.splitlines() if b'"status":429' in line)
    problem = json.loads(line)
    assert problem["line"] == 2
    assert problem["problem"]["errors"][0]["limit"] == budget.tenant_bytes
    wait_for(lambda: budget.held == 0, "the bytes to come back")
