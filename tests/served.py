"""One real `ace serve`, watched from outside by those who attack it in tests."""

import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPResponse
from pathlib import Path
from typing import Final

import httpx
import psutil
from pydantic import SecretStr

from ace.processes import free_port, stop_process
from ace.settings import Settings
from tests.waiting import wait_for

SECRET: Final = "s" * 32  # that signs the cursors
MARKER: Final = "zyzzyva"  # a word of secret text, which may be in no log and no answer
PATIENCE_SECONDS: Final = 60  # with an answer
MOST_BYTES: Final = 450_000_000  # that the process may hold, whatever is thrown at it


@dataclass(frozen=True)
class Served:
    """One process that serves the API."""

    port: int
    pid: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def alive(self) -> bool:
        try:
            return httpx.get(f"{self.url}/readyz", timeout=PATIENCE_SECONDS).status_code == 200
        except httpx.HTTPError:
            return False

    def dial(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_SECONDS)

    def requests(self) -> Counter[tuple[str, str, str]]:
        """How often each (method, route, status) has come to its end."""
        pattern = r'ace_http_requests_total\{method="(\w+)",route="([^"]+)",status="(\d+)"\} (\d+)'
        told = httpx.get(f"{self.url}/metrics", timeout=PATIENCE_SECONDS).text
        return Counter({found[:3]: int(found[3]) for found in re.findall(pattern, told)})

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Fails where the process grows beyond its bound meanwhile, or serves nobody afterwards."""
        process, over = psutil.Process(self.pid), threading.Event()
        peak = 0

        def look() -> None:
            nonlocal peak
            while not over.wait(0.01):
                peak = max(peak, process.memory_info().rss)

        thread = threading.Thread(target=look)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()
        assert peak < MOST_BYTES
        assert self.alive()


@contextmanager
def serving(postgres_url: str, log: Path, **more: object) -> Iterator[Served]:
    """A process of its own; what it said in the end tells of no fault, and nothing that was secret."""
    given = {"database_url": SecretStr(postgres_url), "secret": SecretStr(SECRET), "port": free_port()}
    settings = Settings.model_validate({**given, **more})
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "ace", "serve"],
            env={**os.environ, **settings.environment()},
            stdout=output,
            stderr=output,
        )
    served = Served(settings.port, process.pid)
    try:
        wait_for(served.alive, "the API")
        yield served
    finally:
        stop_process(process, seconds=20)
    told = log.read_text()
    assert "Traceback" not in told
    assert "a request failed" not in told
    assert MARKER not in told


def answered(connection: socket.socket) -> tuple[int, bytes]:
    """Status and body of the answer that comes on a bare connection, the body as far as it came."""
    connection.settimeout(PATIENCE_SECONDS)
    body = b""
    with closing(HTTPResponse(connection)) as answer:
        answer.begin()
        with suppress(ConnectionResetError):
            while more := answer.read1():
                body += more
        return answer.status, body


def poured(connection: socket.socket, pieces: Iterable[bytes]) -> int:
    """Sends on until all is sent or an answer comes; returns how many bytes went out."""
    sent = 0
    connection.settimeout(0)
    for piece in pieces:
        view = memoryview(piece)
        while view:
            if _answering(connection):
                return sent
            try:
                count = connection.send(view)
            except BlockingIOError:
                time.sleep(0.001)
            else:
                sent, view = sent + count, view[count:]
    return sent


def _answering(connection: socket.socket) -> bool:
    try:
        return bool(connection.recv(1, socket.MSG_PEEK))
    except BlockingIOError:
        return False


def refused(served: Served, pieces: Callable[[], Iterable[bytes]]) -> tuple[int, bytes, int]:
    """Status and body of the answer to a request, and how much of it went out until then.

    Who is refused while he still sends may lose the answer on the way (a reset), and asks again.
    """
    for _ in range(20):
        with served.dial() as connection, suppress(ConnectionResetError, BrokenPipeError):
            sent = poured(connection, pieces())
            return *answered(connection), sent
    raise AssertionError("no answer ever came through")
