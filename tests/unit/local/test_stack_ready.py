"""Whose answer says that the API of the one-machine stack is ready."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from ace.local.stack import answers_ready


@contextmanager
def answering(status: int) -> Iterator[HTTPServer]:
    """A server that gives every request this status."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(("status", "ready"), [(200, True), (503, False)])
def test_the_process_on_our_own_socket_is_asked(status: int, ready: bool) -> None:
    with answering(status) as ours:
        assert answers_ready(ours.socket) is ready


def test_a_proxy_of_the_environment_does_not_answer_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with answering(200) as stranger, answering(503) as ours:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{stranger.server_port}")
        monkeypatch.delenv("no_proxy", raising=False)
        assert not answers_ready(ours.socket)
