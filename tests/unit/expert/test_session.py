"""A call ends at its deadline whatever the server does, and goes nowhere but to its server."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import repeat
from types import SimpleNamespace

import httpcore2
import httpx2
import pytest

from ace.errors import ExpertPermanent
from ace.expert.client import session
from ace.expert.client.session import Deadline, session_factory, within

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
        for _ in repeat(None, 5_000):
            time.sleep(0.01)
            connection.sendall(drop)

    return talk


DRIPS: dict[str, Talk] = {
    "a body": dripping(b"HTTP/1.1 200 OK\r\ncontent-length: 9000\r\n\r\n", b" "),
    "chunks": dripping(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
    "headers": dripping(b"HTTP/1.1 200 OK\r\n", b"x-more: 1\r\n"),
    "a status": dripping(b"", b"H"),
    "an error's body": dripping(b"HTTP/1.1 500 No\r\ncontent-length: 9000\r\n\r\n", b" "),
}


@pytest.mark.parametrize("talk", DRIPS.values(), ids=DRIPS)
def test_a_server_that_drips_is_left_at_the_deadline(monkeypatch: pytest.MonkeyPatch, talk: Talk) -> None:
    # given a clock that stands still until bytes have come, and is past the deadline then
    came: list[Deadline] = []
    clock = SimpleNamespace(monotonic=lambda: 31.0 if came and came[0].received else 0.0)
    monkeypatch.setattr(session, "time", clock)
    with server(talk) as url, session_factory(url, None)() as http, within(30) as deadline:
        came.append(deadline)
        with pytest.raises(httpx2.ReadTimeout):
            http.post(url, json={})
    assert deadline.received > 0


def test_a_server_that_says_nothing_is_left_at_the_deadline() -> None:
    with (
        server(lambda connection: None) as url,
        session_factory(url, None)() as http,
        within(0.2) as deadline,
        pytest.raises(httpx2.ReadTimeout),
    ):
        http.post(url, json={})
    assert deadline.received == 0


def test_a_good_answer_comes_through_with_time_to_spare() -> None:
    def talk(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}")

    with server(talk) as url, session_factory(url, None)() as http, within(20) as deadline:
        assert http.get(url).json() == {}
    assert deadline.received == 40


def test_the_wait_is_the_shorter_of_both(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "time", SimpleNamespace(monotonic=lambda: 50.0))
    deadline = Deadline(150.0)
    assert deadline.left(3.0) == 3.0
    assert deadline.left(None) == 100.0
    with pytest.raises(httpcore2.ReadTimeout):
        Deadline(50.0).left(3.0)


@pytest.mark.parametrize("status", [301, 307])
def test_nobody_is_followed(status: int) -> None:
    def talk(connection: socket.socket) -> None:
        head = f"HTTP/1.1 {status} Go\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n"
        connection.sendall(head.encode())

    with server(talk) as url, session_factory(url, None)() as http, pytest.raises(ExpertPermanent) as caught:
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
        with session_factory("http://outside.example", None)() as http, within(5):
            assert http.get("http://outside.example/").json() == {}
    assert heard == [b"asked"]
    with (
        session_factory("http://127.0.0.1:1", None)() as http,
        within(5),
        pytest.raises(httpx2.ConnectError),
    ):
        http.get("http://127.0.0.1:1/")
