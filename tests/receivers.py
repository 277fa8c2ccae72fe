"""A receiver of webhooks on loopback whose faults a test chooses, and the keeping of what it was sent."""

import socket
import ssl
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Sent:
    """One request as it came."""

    path: str
    headers: dict[str, str]  # names in lower case
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]


@dataclass(frozen=True)
class Reply:
    """What a receiver answers."""

    status: int = 204
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    after: Callable[[], object] = lambda: None  # before it answers
    reset: bool = False  # the connection instead of an answer


@dataclass
class Receiver:
    """What came, and where it listens. `reply` is asked for every answer."""

    reply: Callable[[Sent], Reply] = lambda _: Reply()
    came: list[Sent] = field(default_factory=list)
    url: str = ""

    def ids(self) -> list[str]:
        return [one.id for one in self.came]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_: Any) -> None:
        """Clients that leave are no news."""


@contextmanager
def receiving(
    reply: Callable[[Sent], Reply] = lambda _: Reply(), *, trusted: ssl.SSLContext | None = None
) -> Iterator[Receiver]:
    """A receiver on a free port of 127.0.0.1, with TLS if a context is given."""
    receiver = Receiver(reply)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            sent = Sent(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
            receiver.came.append(sent)
            answer = receiver.reply(sent)
            answer.after()
            if answer.reset:
                # SO_LINGER of no seconds: closing sends RST.
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.close_connection = True
                self.connection.close()
                return
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(answer.body)))
            self.end_headers()
            with suppress(OSError):
                self.wfile.write(answer.body)

        def log_message(self, *_: Any) -> None:
            pass

    server = _Server(("127.0.0.1", 0), Handler)
    if trusted is not None:
        server.socket = trusted.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    scheme, host = ("http", "127.0.0.1") if trusted is None else ("https", "localhost")
    receiver.url = f"{scheme}://{host}:{server.server_port}/hook"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
