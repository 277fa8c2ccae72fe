"""What two attacks on the API cost: uploads that never end a line, and many long polls on long filings.

Uploads: one tenant opens many bulk uploads and sends megabytes without a line end on each; told are the
resident memory of the API's process before and at its peak, and how the uploads were answered.
Polls: one tenant waits with many long polls for long filings while a null gatekeeper decides them;
told is what another tenant waits for a small GET meanwhile, and before with nobody waiting.
"""

import asyncio
import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

import psutil

from benchmarks import loads
from benchmarks.figures import options_of, percentile, say, tell
from benchmarks.filings import INDEPENDENT
from benchmarks.rig import DISPATCHER, Api, Rig, gatekeepers

ATTACKER: Final = "tenant-a"
OTHER: Final = "tenant-b"
PIECE: Final = b"x" * 100_000
PATIENCE_SECONDS: Final = 5  # with answers to uploads that never end
PAUSE_SECONDS: Final = 0.02  # between two GETs of the other tenant
ARRIVALS: Final = 50  # polls begun in a second
GETS: Final = 200  # before anybody waits
LONGEST_SECONDS: Final = 600


class Memory:
    """The highest resident memory of a process so far, in bytes."""

    def __init__(self, pid: int) -> None:
        self._process = psutil.Process(pid)
        self.before = self.peak = self._process.memory_info().rss

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Looks every few milliseconds."""
        over = threading.Event()

        def look() -> None:
            while not over.wait(0.005):
                self.peak = max(self.peak, self._process.memory_info().rss)

        thread = threading.Thread(target=look)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()


async def unended(api: Api, megabytes: float) -> int:
    """One upload without a line end: the status that answers it, 0 if none does."""
    reader, writer = await asyncio.open_connection("127.0.0.1", api.port)
    writer.write(
        f"POST /v1/filings/bulk HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {api.keys[ATTACKER]}\r\n"
        "Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
    )
    with suppress(ConnectionError):
        for _ in range(int(megabytes * 1e6) // len(PIECE)):
            writer.write(b"%x\r\n" % len(PIECE) + PIECE + b"\r\n")
            await writer.drain()
    status = 0
    with suppress(TimeoutError, ConnectionError, asyncio.IncompleteReadError):
        async with asyncio.timeout(PATIENCE_SECONDS):
            status = int((await reader.readuntil(b"\r\n"))[9:12])
    writer.close()
    return status


def uploads(rig: Rig, connections: int, megabytes: float) -> dict[str, float]:
    """Figures of the uploads."""
    database = rig.database("uploads")

    async def attack(api: Api) -> Counter[int]:
        return Counter(await asyncio.gather(*(unended(api, megabytes) for _ in range(connections))))

    with rig.api(database, ATTACKER, OTHER) as api:
        memory = Memory(rig.pids()["api"])
        say(f"{connections} uploads of {megabytes} MB without a line end")
        with memory.watched():
            statuses = asyncio.run(attack(api))
        loads.one_by_one(api.port, [loads.request("GET", "/v1/evaluations", api.keys[OTHER])])
    return {
        "uploads": connections,
        "uploads_before_mb": memory.before / 1e6,
        "uploads_peak_mb": memory.peak / 1e6,
        "uploads_refused": statuses[429],
    }


async def file_of(connection: loads.Connection, key: str, claims: int) -> str:
    """Files so many independent claims; the path of the filing."""
    content = {"docket": "polled", "claims": [{"text": INDEPENDENT}] * claims}
    status, answer = await connection.ask(loads.post(key, json.dumps(content).encode()))
    if status != 202:
        raise ValueError(f"a filing was answered with {status}")
    return f"/v1/filings/{json.loads(answer)['filing']}"


async def poll(api: Api, path: str) -> Counter[int]:
    """Long polls, one after the other, until the filing has settled; the statuses of the answers."""
    connection, statuses = loads.Connection(api.port), Counter[int]()
    while True:
        status, answer = await connection.ask(
            loads.request("GET", path, api.keys[ATTACKER], prefer="wait=50")
        )
        statuses[status] += 1
        if b'"settled":true' in answer[:1_000]:  # reading all of it would hold up who measures
            connection.close()
            return statuses
        if status != 200:
            await asyncio.sleep(1)


async def asked(connection: loads.Connection, request: bytes) -> float:
    """Milliseconds of one GET."""
    began = time.perf_counter()
    status, _ = await connection.ask(request)
    if status != 200:
        raise ValueError(f"the other tenant was answered with {status}")
    return 1000 * (time.perf_counter() - began)


async def beside_polls(
    rig: Rig, api: Api, polls: int, filings: int, claims: int, work: Any
) -> dict[str, float]:
    """Figures of the polls; entering `work` starts those who decide."""
    connection = loads.Connection(api.port)
    request = loads.request("GET", await file_of(connection, api.keys[OTHER], 1), api.keys[OTHER])
    quiet = [await asked(connection, request) for _ in range(GETS)]
    paths = [await file_of(connection, api.keys[ATTACKER], claims) for _ in range(filings)]
    began = time.perf_counter()
    waited: list[float] = []
    async with asyncio.timeout(LONGEST_SECONDS), asyncio.TaskGroup() as tasks:
        waiting = []
        for number in range(polls):
            waiting.append(tasks.create_task(poll(api, paths[number % filings])))
            await asyncio.sleep(1 / ARRIVALS)
        with work:
            while not all(task.done() for task in waiting):
                rig.check()
                waited.append(await asked(connection, request))
                await asyncio.sleep(PAUSE_SECONDS)
    connection.close()
    return {
        "polls": polls,
        "polls_filings": filings,
        "polls_claims": claims * filings,
        "polls_seconds": time.perf_counter() - began,
        "polls_answers": sum(sum(task.result().values()) for task in waiting),
        "polls_quiet_p50_ms": percentile(quiet, 0.5),
        "polls_quiet_p99_ms": percentile(quiet, 0.99),
        "polls_other_p50_ms": percentile(waited, 0.5),
        "polls_other_p99_ms": percentile(waited, 0.99),
        "polls_other_max_ms": max(waited),
        "polls_ratio_p99": percentile(waited, 0.99) / percentile(quiet, 0.99),
    }


def polled(rig: Rig, polls: int, filings: int, claims: int) -> dict[str, float]:
    """The long polls beside a null gatekeeper."""
    database = rig.database("polls")
    commands = {**gatekeepers(1), "dispatcher": DISPATCHER}
    with rig.api(database, ATTACKER, OTHER) as api:
        say(f"{polls} long polls on {filings} filings of {claims} claims")
        work = rig.running(database.environment, commands)
        return asyncio.run(beside_polls(rig, api, polls, filings, claims, work))


def main() -> None:
    """The command line."""
    parser = options_of(__doc__)
    parser.add_argument("--attack", choices=("uploads", "polls", "both"), default="both")
    parser.add_argument("--connections", type=int, default=50, help="uploads at once")
    parser.add_argument("--megabytes", type=float, default=7.8, help="sent on each")
    parser.add_argument("--polls", type=int, default=300, help="long polls at once")
    parser.add_argument("--filings", type=int, default=30, help="filings that they wait for")
    parser.add_argument("--claims", type=int, default=500, help="claims of each filing")
    options = parser.parse_args()
    figures: dict[str, float | str] = {}
    with Rig() as rig:
        if options.attack != "polls":
            figures |= uploads(rig, options.connections, options.megabytes)
        if options.attack != "uploads":
            figures |= polled(rig, options.polls, options.filings, options.claims)
    tell(figures, as_json=options.json)


if __name__ == "__main__":
    main()
