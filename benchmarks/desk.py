"""The desk with a hundred thousand evaluations stored: how fast its pages are, and what streams cost.

One tenant has half of the evaluations, and a session of a key with all scopes, so that pages show all.
`page_p95_ms` is the 95th percentile over all pages; `slowest_page` names the page with the highest of its
own. `page_cpu_ms` is the processor time that the most expensive page costs the API and PostgreSQL together,
which other work on the machine disturbs less. `first_page_kb` is what a browser loads that has nothing yet:
the list of filings with its stylesheet and scripts. `streams_mb` is how much the API process grew while 100
streams of hints were open, and `poll_p95_ms_…` how long other requests took with and without them.
"""

import asyncio
import contextlib
import statistics
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Final
from uuid import UUID

import httpx
import psutil
from sqlalchemy import Connection, text

from ace.store import keys, sessions
from ace.store.database import announce, transact
from ace.store.scopes import Scope
from benchmarks import stored
from benchmarks.figures import options_of, percentile, say, tell
from benchmarks.rig import Api, Database, Rig

TENANT: Final = "bench"
QUERIES: Final = ("", "?q=verdict:Fail", "?q=state:failed", "?q=docket:S-2", "?q=since:7d", "?q=by:expert")
ASSETS: Final = ("desk.css", "htmx.min.js", "hx-sse.min.js", "desk.js")
STREAMS: Final = 100
SETTLE_SECONDS: Final = 5
POLLS: Final = 200


def session_of(database: Database) -> str:
    """A token of a session with a key that may do all."""

    def make(connection: Connection) -> str:
        key_id, _ = keys.create(connection, TENANT, "bench", scopes=Scope)
        return sessions.create(connection, TENANT, key_id)

    return transact(database.db, make)


def pages_of(database: Database) -> dict[str, str]:
    """The pages that are asked for, by name."""
    with database.db.connect() as connection:
        filing: UUID = connection.execute(
            text("SELECT id FROM filings WHERE tenant = :tenant ORDER BY id DESC LIMIT 1"), {"tenant": TENANT}
        ).scalar_one()
    return {
        **{f"list{query}": f"/{query}" for query in QUERIES},
        "filing": f"/filings/{filing}",
        "claim": f"/filings/{filing}/claims/1",
        "submit": "/submit",
        "terms": "/terms",
        "operations": "/operations",
        "replay": "/operations/replay?error=truncated",
        "calibration": "/calibration",
    }


@dataclass(frozen=True, slots=True)
class Look:
    """Milliseconds that each answer took, and the processor time of all servers for one."""

    milliseconds: list[float]
    cpu: float


def look(rig: Rig, browser: httpx.Client, path: str, times: int) -> Look:
    """Asks for a page this often; the first time, which fills caches, does not count."""
    browser.get(path).raise_for_status()
    taken = []
    used, own = rig.cpu_seconds(), time.process_time()
    for _ in range(times):
        began = time.perf_counter()
        answer = browser.get(path)
        taken.append(1000 * (time.perf_counter() - began))
        answer.raise_for_status()
    theirs = rig.cpu_seconds() - used - (time.process_time() - own)
    return Look(taken, 1000 * theirs / times)


def first_page_kb(browser: httpx.Client) -> float:
    """The list of filings with everything that it loads, uncompressed."""
    page = browser.get("/")
    loaded = [browser.get(f"/assets/{name}") for name in ASSETS]
    return sum(len(answer.content) for answer in (page, *loaded)) / 1000


@contextlib.asynccontextmanager
async def streams(address: str, cookie: dict[str, str], count: int) -> AsyncIterator[None]:
    """So many open streams of hints, each of which has had its first hint."""
    limits = httpx.Limits(max_connections=count)
    async with (
        httpx.AsyncClient(base_url=address, cookies=cookie, limits=limits, timeout=60) as client,
        contextlib.AsyncExitStack() as opened,
    ):
        for _ in range(count):
            answer = await opened.enter_async_context(client.stream("GET", "/hints"))
            answer.raise_for_status()
        yield


async def polled(address: str, cookie: dict[str, str], path: str) -> list[float]:
    """Milliseconds of single requests for a page, one after the other."""
    taken = []
    async with httpx.AsyncClient(base_url=address, cookies=cookie) as client:
        for _ in range(POLLS):
            began = time.perf_counter()
            (await client.get(path)).raise_for_status()
            taken.append(1000 * (time.perf_counter() - began))
    return taken


async def cost_of_streams(database: Database, api: Api, pid: int, cookie: dict[str, str]) -> dict[str, float]:
    """How much the API grows by, and how long others wait, while streams are open and hints go round."""
    address, path = f"http://127.0.0.1:{api.port}", "/?q=docket:S-2"
    without = await polled(address, cookie, path)
    before = psutil.Process(pid).memory_info().rss
    async with streams(address, cookie, STREAMS):
        until = time.monotonic() + SETTLE_SECONDS
        while time.monotonic() < until:
            await asyncio.to_thread(announce, database.db)
            await asyncio.sleep(0.1)
        with_them = await polled(address, cookie, path)
        after = psutil.Process(pid).memory_info().rss
    return {
        "streams_mb": (after - before) / 1e6,
        "poll_p95_ms_without": percentile(without, 0.95),
        "poll_p95_ms_with": percentile(with_them, 0.95),
    }


def main() -> None:
    """The command line."""
    parser = options_of(__doc__)
    parser.add_argument("--evaluations", type=int, default=100_000, help="evaluations stored")
    parser.add_argument("--times", type=int, default=40, help="how often each page is asked for")
    options = parser.parse_args()
    with Rig() as rig:
        database = rig.database("desk")
        say(f"storing {options.evaluations} evaluations")
        stored.fill(database.db, options.evaluations)
        cookie = {"ace-session": session_of(database)}
        with rig.api(database, TENANT) as api:
            address = f"http://127.0.0.1:{api.port}"
            with httpx.Client(base_url=address, cookies=cookie, timeout=60) as browser:
                say("pages")
                pages = pages_of(database).items()
                taken = {name: look(rig, browser, path, options.times) for name, path in pages}
                size = first_page_kb(browser)
            say("streams")
            costs = asyncio.run(cost_of_streams(database, api, rig.pids()["api"], cookie))
    slowest = max(taken, key=lambda name: percentile(taken[name].milliseconds, 0.95))
    every = [each for one in taken.values() for each in one.milliseconds]
    figures: dict[str, float | str] = {
        "evaluations": options.evaluations,
        "page_p50_ms": statistics.median(every),
        "page_p95_ms": percentile(every, 0.95),
        "slowest_page": slowest,
        "slowest_page_p95_ms": percentile(taken[slowest].milliseconds, 0.95),
        "page_cpu_ms": max(one.cpu for one in taken.values()),
        "first_page_kb": size,
        **costs,
    }
    tell(figures, as_json=options.json)


if __name__ == "__main__":
    main()
