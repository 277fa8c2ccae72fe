"""Hostile clients on the wire of an `ace serve`: no HTTP at all, half of it, or too slow."""

import json
import select
import socket
import threading
from collections import Counter
from collections.abc import Callable
from typing import Final

import httpx
import pytest

from ace.api import bodies
from ace.api.metrics import GONE
from tests.served import MARKER, PATIENCE_SECONDS, Served, answered, refused
from tests.waiting import wait_for

MEGABYTE: Final = 1_000_000


FILING: Final = b"POST /v1/filings HTTP/1.1\r\nContent-Type: application/json\r\n"
WIRE: Final[dict[str, tuple[bytes, set[int]]]] = {
    "two lengths": (FILING + b"Content-Length: 2\r\nContent-Length: 30\r\n\r\n{}", {400}),
    "a length and chunks": (
        FILING + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        {400},
    ),
    "a negative length": (FILING + b"Content-Length: -1\r\n\r\n{}", {400}),
    "a length that is no number": (FILING + b"Content-Length: 0x2\r\n\r\n{}", {400}),
    "a length beyond all bounds": (FILING + b"Content-Length: " + b"9" * 5_000 + b"\r\n\r\n{}", {400, 413}),
    "chunks of no size": (FILING + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n", {400}),
    "chunks beyond all bounds": (
        FILING + b"Transfer-Encoding: chunked\r\n\r\n" + b"f" * 5_000 + b"\r\n{}",
        {400},
    ),
    "an unknown coding": (FILING + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", {400, 501}),
    "20,000 headers": (FILING + b"X: y\r\n" * 20_000 + b"\r\n", {400, 431}),
    "a header of a megabyte": (FILING + b"X: " + b"y" * MEGABYTE + b"\r\n\r\n", {400, 431}),
    "a header without an end": (FILING + b"X: " + b"y" * MEGABYTE, {400, 431}),
    "a NUL in a header": (FILING + b"X: a\0b\r\n\r\n", {400}),
    "a header over two lines": (FILING + b"X: a\r\n b\r\nContent-Length: 0\r\n\r\n", {400}),
    "a space before the colon": (FILING + b"Content-Length : 0\r\n\r\n", {400}),
    "a URL of a megabyte": (b"GET /" + b"a" * MEGABYTE + b" HTTP/1.1\r\n\r\n", {400, 414}),
    "a long URL": (b"GET /v1/filings/" + b"a" * 50_000 + b" HTTP/1.1\r\n\r\n", {404}),
    "5,000 parameters": (
        b"GET /v1/evaluations?" + b"&".join(b"p%d=1" % n for n in range(5_000)) + b" HTTP/1.1\r\n\r\n",
        {422},
    ),
    "a long parameter": (b"GET /v1/evaluations?docket=" + b"%41" * 16_000 + b" HTTP/1.1\r\n\r\n", {422}),
    "escapes that are none": (b"GET /v1/evaluations?docket=%zz%1&%=%&&;= HTTP/1.1\r\n\r\n", {422}),
    "a NUL in the path": (b"GET /v1/%00evaluations HTTP/1.1\r\n\r\n", {404}),
    "a path out of the root": (b"GET /../../v1/../etc/passwd HTTP/1.1\r\n\r\n", {404}),
    "an absolute URL": (b"GET http://elsewhere.example/v1/keys/../x HTTP/1.1\r\n\r\n", {400, 404}),
    "a method of its own": (b"ZYZZYVA /v1/filings HTTP/1.1\r\n\r\n", {405}),
    "CONNECT": (b"CONNECT elsewhere.example:443 HTTP/1.1\r\n\r\n", {400, 404, 405}),
    "OPTIONS *": (b"OPTIONS * HTTP/1.1\r\n\r\n", {400, 404, 405}),
    "TRACE": (b"TRACE /v1/evaluations HTTP/1.1\r\n\r\n", {405}),
    "an upgrade": (
        b"GET /v1/evaluations?x=1 HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        {400, 422, 426},
    ),
    "HTTP of the past": (b"GET /healthz\r\n\r\n", {400}),
    "TLS": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)) * 2 + b"\r\n\r\n", {400}),
    "Redis": (b"*1\r\n$8\r\nFLUSHALL\r\n\r\n", {400}),
    "line feeds alone": (b"\n" * 100_000, {400}),
    "NULs": (b"\0" * 100_000, {400}),
}


@pytest.mark.parametrize(("request_", "statuses"), WIRE.values(), ids=WIRE)
def test_what_is_no_request_is_refused(
    served: Served, authorised: bytes, stored: Callable[[], int], request_: bytes, statuses: set[int]
) -> None:
    first, _, rest = request_.partition(b"\r\n")
    sent = first + b"\r\n" + (authorised if b" HTTP/1.1" in first else b"") + rest
    with served.watched():
        status, body, _ = refused(served, lambda: [sent])
    assert status in statuses
    assert MARKER.upper().encode() not in body
    assert stored() == 0


def test_a_client_that_hangs_up_leaves_nothing(
    served: Served, authorised: bytes, stored: Callable[[], int]
) -> None:
    whole = b'{"docket":"P","claims":"A bracket."}'
    head = FILING + authorised + b"Content-Length: %d\r\n\r\n" % (len(whole) + 1)
    lengths = range(0, len(whole) + 1, 4)
    gone = ("POST", "/v1/filings", str(GONE))

    before = served.requests()[gone]
    with served.watched():
        for length in lengths:
            with served.dial() as connection:
                connection.sendall(head + whole[:length])
        wait_for(lambda: served.requests()[gone] == before + len(lengths), "the end of all requests")
    assert stored() == 0


WAITS: Final = {
    "/v1/hints": b"GET /v1/hints HTTP/1.1\r\n",
    "/v1/events": b"GET /v1/events HTTP/1.1\r\nAccept: text/event-stream\r\n",
    "/v1/filings/bulk": b"POST /v1/filings/bulk HTTP/1.1\r\nContent-Type: application/x-ndjson\r\n"
    b"Transfer-Encoding: chunked\r\n",
}


@pytest.mark.parametrize(("route", "head"), WAITS.items(), ids=WAITS)
def test_who_hangs_up_in_the_middle_of_a_stream_is_no_fault(
    served: Served, authorised: bytes, route: str, head: bytes
) -> None:
    def answers() -> Counter[str]:
        given: Counter[str] = Counter()
        for (_, at, status), count in served.requests().items():
            given[status] += count if at == route else 0
        return +given

    before = answers()
    line = b'{"docket":"P","claims":"A bracket."}\n'
    body = b"%x\r\n%s\r\n" % (len(line), line) if b"chunked" in head else b""
    with served.watched():
        with served.dial() as connection:
            connection.sendall(head + authorised + b"\r\n" + body)
            connection.recv(1)  # it has begun
        wait_for(lambda: sum((answers() - before).values()) == 1, "the end of the request")
    assert (answers() - before).keys() == {"200"}


def test_a_crowd_that_says_nothing_holds_up_nobody(served: Served, key: str) -> None:
    crowd = [served.dial() for _ in range(300)]
    with served.watched():
        for number, connection in enumerate(crowd):
            connection.sendall(b"POST /v1/filings HTTP/1.1\r\nHost: x\r\nX: "[: number % 40])
        answer = httpx.post(
            f"{served.url}/v1/filings",
            json={"docket": "P", "claims": "A bracket."},
            headers={"Authorization": f"Bearer {key}"},
            timeout=PATIENCE_SECONDS,
        )
        # Answered while they all still stand there, and not once the server was rid of them.
        assert (answer.status_code, select.select(crowd, [], [], 0)[0]) == (202, [])
    for connection in crowd:
        connection.close()


# Too slowly


def dial(live: str) -> socket.socket:
    return socket.create_connection(("127.0.0.1", int(live.rsplit(":", 1)[1])), timeout=PATIENCE_SECONDS)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "BODY_SECONDS", 1)
    monkeypatch.setattr(bodies, "SILENCE_SECONDS", 1)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    "length", [b"Content-Length: 100", b"Content-Length: 190000", b"Transfer-Encoding: chunked"]
)
def test_slow_body_is_given_up(
    live: str, authorised: bytes, stored: Callable[[], int], length: bytes
) -> None:
    with socket.create_connection(
        ("127.0.0.1", int(live.rsplit(":", 1)[1])), timeout=PATIENCE_SECONDS
    ) as connection:
        connection.sendall(FILING + authorised + length + b"\r\n\r\n")
        trickle = threading.Event()

        def send() -> None:
            while not trickle.wait(0.05):
                connection.sendall(b"1\r\n{\r\n" if b"chunked" in length else b"{")

        thread = threading.Thread(target=send)
        thread.start()
        try:
            status, body = answered(connection)
        finally:
            trickle.set()
            thread.join()
    assert (status, json.loads(body)["type"]) == (408, "/problems/slow_body")
    assert stored() == 0


@pytest.mark.usefixtures("impatient")
def test_silent_upload_is_given_up_and_its_whole_lines_stay(
    live: str, authorised: bytes, stored: Callable[[], int]
) -> None:
    head = b"POST /v1/filings/bulk HTTP/1.1\r\nContent-Type: application/x-ndjson\r\nContent-Length: 9000\r\n"
    with socket.create_connection(
        ("127.0.0.1", int(live.rsplit(":", 1)[1])), timeout=PATIENCE_SECONDS
    ) as connection:
        connection.sendall(head + authorised + b"\r\n" + b'{"docket":"P","claims":"A b."}\n{"docket":"P","cl')
        received = b""
        while more := connection.recv(65_536):
            received += more
            if b"slow_body" in received:
                break
    assert b'"line":1,"status":202' in received
    assert b'"line":2,"status":408' in received
    assert stored() == 4  # a filing, its claim, its evaluation, its event


@pytest.mark.usefixtures("impatient")
def test_slow_senders_of_one_tenant_hold_up_no_other(
    live: str, authorised: bytes, stranger: dict[str, str]
) -> None:
    slow = [dial(live) for _ in range(12)]
    for connection in slow:
        connection.sendall(FILING + authorised + b"Content-Length: 150000\r\n\r\n{")
    body = json.dumps({"docket": "P", "claims": [{"text": "A" * 40_000}] * 4})
    answer = httpx.post(
        f"{live}/v1/filings",
        content=body,
        headers={**stranger, "Content-Type": "application/json"},
        timeout=PATIENCE_SECONDS,
    )
    assert answer.status_code == 202
    for connection in slow:
        assert answered(connection)[0] == 408
        connection.close()
