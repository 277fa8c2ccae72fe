"""A call ends at its deadline whatever the server does, and goes nowhere but to its server."""

import socket
import threading
import time
from base64 import b64decode
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import repeat

import httpx2
import pytest

from ace.errors import ExpertPermanent, ExpertTransient
from ace.expert.client.transport import ServerTransport
from ace.processes import wait_until
from ace_lab.simulator.server import Simulator

Talk = Callable[[socket.socket], None]


@contextmanager
def server(talk: Talk) -> Iterator[str]:
    """Hands its first connection to `talk`, and takes it away at the end."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        taken: list[socket.socket] = []

        def serve() -> None:
            try:
                connection, _ = listening.accept()
                taken.append(connection)
                connection.recv(65_536)
                talk(connection)
            except OSError:
                """The client has left."""

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        for connection in taken:
            connection.close()
        thread.join(5)


def dripping(begin: bytes, drop: bytes) -> Talk:
    def talk(connection: socket.socket) -> None:
        connection.sendall(begin)
        for _ in repeat(None, 500):
            time.sleep(0.01)
            connection.sendall(drop)

    return talk


DRIPS: list[tuple[str, Talk, str]] = [
    ("nothing", lambda connection: None, "timeout"),
    ("a body", dripping(b"HTTP/1.1 200 OK\r\ncontent-length: 9000\r\n\r\n", b" "), "dripping"),
    ("chunks", dripping(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", b"1\r\n \r\n"), "dripping"),
    ("headers", dripping(b"HTTP/1.1 200 OK\r\n", b"x-more: 1\r\n"), "dripping"),
    ("a status", dripping(b"", b"H"), "dripping"),
    ("an error's body", dripping(b"HTTP/1.1 500 No\r\ncontent-length: 9000\r\n\r\n", b" "), "dripping"),
]


def asking(url: str, seconds: float = 20) -> httpx2.Client:
    transport = ServerTransport(url, None, now=lambda: datetime.now(UTC))
    return httpx2.Client(transport=transport, timeout=seconds)


@pytest.mark.parametrize(("talk", "kind"), [row[1:] for row in DRIPS], ids=[row[0] for row in DRIPS])
def test_a_server_that_drips_is_left_at_the_deadline(talk: Talk, kind: str) -> None:
    with server(talk) as url, asking(url, 2.0) as http, pytest.raises(ExpertTransient) as caught:
        http.post(url, json={})
    assert caught.value.kind == kind


def test_each_call_has_its_own_time_on_a_connection_that_is_kept() -> None:
    answer = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"

    def talk(connection: socket.socket) -> None:
        connection.sendall(answer)
        connection.recv(65_536)
        connection.sendall(answer)
        connection.recv(65_536)

    with server(talk) as url, asking(url) as http:  # it takes one connection only
        assert http.get(url, timeout=0.5).json() == {}
        assert http.get(url).json() == {}
        with pytest.raises(ExpertTransient) as caught:
            http.get(url, timeout=0.2)
    assert caught.value.kind == "timeout"


@pytest.mark.parametrize("encoding", ["identity", "Identity ", ""])
def test_an_answer_may_say_that_it_is_not_encoded(encoding: str) -> None:
    def talk(connection: socket.socket) -> None:
        head = f"HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-encoding: {encoding}\r\n\r\n{{}}"
        connection.sendall(head.encode())

    with server(talk) as url, asking(url) as http:
        assert http.get(url).json() == {}


@pytest.mark.parametrize("status", [301, 307])
def test_nobody_is_followed(status: int) -> None:
    def talk(connection: socket.socket) -> None:
        head = f"HTTP/1.1 {status} Go\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n"
        connection.sendall(head.encode())

    with server(talk) as url, asking(url) as http, pytest.raises(ExpertPermanent) as caught:
        http.post(url, json={})
    assert caught.value.kind == "redirected"


def test_a_proxy_of_the_environment_is_used_but_not_for_what_it_excepts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heard: list[bytes] = []

    def talk(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}")
        heard.append(b"asked")

    with server(talk) as proxy:
        monkeypatch.setenv("http_proxy", proxy)
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        with asking("http://outside.example") as http:
            assert http.get("http://outside.example/").json() == {}
    assert heard == [b"asked"]
    with asking("http://127.0.0.1:1") as http, pytest.raises(ExpertTransient) as caught:
        http.get("http://127.0.0.1:1/")
    assert caught.value.kind == "unreachable"


def test_a_proxy_without_a_scheme_gets_its_own_credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    with Simulator(kept_requests=1).run() as proxy:
        monkeypatch.setenv("http_proxy", proxy.url.replace("http://", "user:p%40ss@"))
        with asking("http://outside.example") as http:
            http.get("http://outside.example/info")
    (request,) = proxy.received
    assert request.headers["host"] == "outside.example"
    assert b64decode(request.headers["proxy-authorization"].removeprefix("Basic ")) == b"user:p@ss"


def test_a_transport_closes_the_connections_that_were_in_use_when_it_was_closed() -> None:
    asked, closed = threading.Event(), threading.Event()

    def talk(connection: socket.socket) -> None:
        asked.set()
        assert closed.wait(20)
        connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}")
        connection.settimeout(20)
        ended.append(connection.recv(1))

    ended: list[bytes] = []
    with server(talk) as url:
        transport = ServerTransport(url, None, now=lambda: datetime.now(UTC))
        request = httpx2.Request("GET", url, extensions={"timeout": {"read": 20.0}})
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(transport.handle_request, request)
            assert asked.wait(20)
            transport.close()
            closed.set()
            assert answer.result().json() == {}
        wait_until(lambda: ended == [b""], seconds=20, what="the end of the connection")
