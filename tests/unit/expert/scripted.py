"""A loopback HTTP server that answers each request with the next step of a script.

A step is what a faulty or healthy LLM server would put on the wire, faults below HTTP included.
"""

import json
import socket
import struct
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Step = Callable[[BaseHTTPRequestHandler], None]


def respond(status: int, body: bytes, **headers: str) -> Step:
    """A complete response."""

    def step(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("content-type", "application/json")
        handler.send_header("content-length", str(len(body)))
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)

    return step


def error(status: int, error_type: str, text: str = "", **headers: str) -> Step:
    """An error in TGI's shape that echoes `text`, as servers do."""
    return respond(
        status, json.dumps({"error": f"failed on {text}", "error_type": error_type}).encode(), **headers
    )


def completion(content: str | None, finish_reason: str = "stop") -> Step:
    """A chat completion as TGI sends it."""
    body = {
        "object": "chat.completion",
        "id": "1",
        "created": 1_770_000_000,
        "model": "test/model",
        "system_fingerprint": "3.3.6",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": content},
                "logprobs": None,
                "finish_reason": finish_reason,
            }
        ],
        "usage": {"prompt_tokens": 40, "completion_tokens": 20, "total_tokens": 60},
    }
    return respond(200, json.dumps(body).encode())


def reset_mid_body(handler: BaseHTTPRequestHandler) -> None:
    """Half a response, then a TCP reset."""
    handler.send_response(200)
    handler.send_header("content-length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [')
    handler.wfile.flush()
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.close_connection = True
    handler.connection.close()


def end_mid_body(handler: BaseHTTPRequestHandler) -> None:
    """Half a response, then an orderly end."""
    handler.send_response(200)
    handler.send_header("content-length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [')
    handler.close_connection = True


class ScriptedServer:
    """Serves a script on 127.0.0.1 and keeps the requests. After the script, the last step again."""

    def __init__(self, *steps: Step) -> None:
        self.steps = list(steps)
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.released = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                outer.requests.append(json.loads(body))
                outer.headers.append({name.lower(): value for name, value in self.headers.items()})
                outer.paths.append(self.path)
                step = outer.steps.pop(0) if len(outer.steps) > 1 else outer.steps[0]
                step(self)

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 the base's own name
                """Silent."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request: Any, client_address: Any) -> None:
                """A step that broke its own connection is no news."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def hang(self, handler: BaseHTTPRequestHandler) -> None:
        """No answer until the test is over."""
        self.released.wait(10)
        handler.close_connection = True

    def __enter__(self) -> "ScriptedServer":
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.released.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
