"""Load on the HTTP API that costs little itself: requests as bytes, keep-alive connections, one loop.

Single requests are sent on a timetable, whether or not earlier ones were answered, and their time
counts from when they were due: a server that stalls is not asked less for it.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from benchmarks.figures import percentile

CONNECTIONS: Final = 64
ANSWER_SECONDS: Final = 60
IDLE_SECONDS: Final = 4  # after which a connection is not used again, since servers close them then


def request(method: str, path: str, key: str | None = None, body: bytes = b"", **headers: str) -> bytes:
    """One HTTP/1.1 request; underscores in names of headers are hyphens."""
    given = {"host": "127.0.0.1", **headers}
    if key is not None:
        given["authorization"] = f"Bearer {key}"
    if method == "POST":
        given["content-length"] = str(len(body))
    lines = [
        f"{method} {path} HTTP/1.1",
        *(f"{name.replace('_', '-')}: {value}" for name, value in given.items()),
    ]
    return "\r\n".join([*lines, "", ""]).encode() + body


def post(key: str, body: bytes) -> bytes:
    """A request that files one claim set."""
    return request("POST", "/v1/filings", key, body, content_type="application/json")


@dataclass
class Answers:
    """What became of the requests of one timetable."""

    milliseconds: list[float] = field(default_factory=list)  # of good answers, from when they were due
    statuses: Counter[int] = field(default_factory=Counter)  # 0: no answer
    seconds: float = 0.0  # from the first request's time to the last answer

    @property
    def errors(self) -> int:
        """Requests without a good answer."""
        return sum(count for status, count in self.statuses.items() if not 200 <= status < 300)

    def checked(self) -> list[float]:
        """Milliseconds of all. Raises ValueError where a request had no good answer."""
        if self.errors:
            raise ValueError(f"requests failed: {dict(self.statuses)}")
        return self.milliseconds

    @property
    def rate(self) -> float:
        """Good answers a second."""
        return len(self.milliseconds) / self.seconds

    def figures(self, what: str, when: str = "") -> dict[str, float]:
        """Percentiles, the rate that was reached and the number of errors."""
        return {
            f"{what}_p50_ms{when}": percentile(self.milliseconds, 0.5),
            f"{what}_p99_ms{when}": percentile(self.milliseconds, 0.99),
            f"{what}_max_ms{when}": max(self.milliseconds),
            f"{what}_rate{when}": self.rate,
            f"{what}_errors{when}": self.errors,
        }


class Connection:
    """One keep-alive connection, opened when it is needed, and again when it broke or was idle."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._used_at = 0.0

    async def ask(self, content: bytes) -> tuple[int, bytes]:
        """Status and body; status 0 where there is no answer."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                if time.perf_counter() - self._used_at > IDLE_SECONDS:
                    self.close()
                if self._streams is None:
                    self._streams = await asyncio.open_connection("127.0.0.1", self._port)
                reader, writer = self._streams
                writer.write(content)
                status, length = _head(await reader.readuntil(b"\r\n\r\n"))
                body = await reader.readexactly(length)
                self._used_at = time.perf_counter()
                return status, body
        except (OSError, asyncio.IncompleteReadError):
            self.close()
            return 0, b""

    def close(self) -> None:
        """Lets the connection go."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


def _head(head: bytes) -> tuple[int, int]:
    """Status and length of the body; the API answers single requests with a length."""
    lines = head.split(b"\r\n")
    lengths = [line[15:] for line in lines if line[:15].lower() == b"content-length:"]
    return int(lines[0][9:12]), int(lengths[0]) if lengths else 0


def on_timetable(port: int, requests: Sequence[bytes], *, rate: float) -> Answers:
    """Sends each request when it is due, `rate` a second, over at most `CONNECTIONS` connections."""
    return asyncio.run(_on_timetable(port, requests, rate))


async def _on_timetable(port: int, requests: Sequence[bytes], rate: float) -> Answers:
    answers = Answers()
    idle: asyncio.LifoQueue[Connection] = asyncio.LifoQueue()
    connections = [Connection(port) for _ in range(CONNECTIONS)]
    for connection in connections:
        idle.put_nowait(connection)
    began = time.perf_counter()

    async def send(content: bytes, due: float) -> None:
        connection = await idle.get()
        status, _ = await connection.ask(content)
        idle.put_nowait(connection)
        answers.statuses[status] += 1
        if 200 <= status < 300:
            answers.milliseconds.append(1000 * (time.perf_counter() - due))

    async with asyncio.TaskGroup() as tasks:
        for number, content in enumerate(requests):
            due = began + number / rate
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            tasks.create_task(send(content, due))
    answers.seconds = time.perf_counter() - began
    for connection in connections:
        connection.close()
    return answers


def one_by_one(port: int, contents: Sequence[bytes]) -> list[float]:
    """Milliseconds of requests over one connection. Raises ValueError where one had no good answer."""

    async def ask_all() -> list[float]:
        connection = Connection(port)
        times = []
        for content in contents:
            began = time.perf_counter()
            status, _ = await connection.ask(content)
            times.append(1000 * (time.perf_counter() - began))
            if not 200 <= status < 300:
                raise ValueError(f"a request was answered with {status}")
        connection.close()
        return times

    return asyncio.run(ask_all())


async def upload(port: int, key: str, lines: Sequence[bytes]) -> tuple[float, int]:
    """One bulk upload: the seconds that it took, and how many of its lines were accepted."""
    body = b"".join(line + b"\n" for line in lines)
    head = request(
        "POST", "/v1/filings/bulk", key, body, content_type="application/x-ndjson", connection="close"
    )
    began = time.perf_counter()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(head)
    answer = await reader.read()  # until the server closes; it answers while it still reads
    writer.close()
    return time.perf_counter() - began, answer.count(b'"status":202')


def cycle(requests: Sequence[bytes], count: int) -> Iterator[bytes]:
    """`count` requests, in turn."""
    return (requests[number % len(requests)] for number in range(count))
