"""What webhooks cost the fast path: throughput around a null model without any, with one for settled filings,
and with one for every event.

A claim is done when its verdict is stored; deliveries go on meanwhile and afterwards, since the webhook
worker lowers its own priority, here as everywhere. `ratio_…` is the throughput of verdicts with webhooks to
that without, as the median of rounds that take turns. `…_meanwhile` is the share of the deliveries that were
done when the last verdict was, `…_last_delivery_seconds` how long after that verdict the last one was done,
and `…_deliveries_per_second` how fast they went out, from the first event to the last delivery. A round that
loses a delivery ends the benchmark.

`…_cpu_us_per_claim` is the processor time of all processes for a claim, PostgreSQL and Redis included, until
the last verdict. The receiver answers 204 at once, from a process that stands for another machine: its
processor time does not count, and it leaves the processors to ACE's.
"""

import asyncio
import multiprocessing
import os
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, Final, NamedTuple
from uuid import uuid4

from sqlalchemy import text

from ace.errors import AceError
from ace.store import webhooks
from ace.store.database import transact
from ace.types.notices import NoticeKind
from ace.webhooks import signing
from benchmarks.figures import options_of, say, tell
from benchmarks.filings import CLAIMS_PER_FILING
from benchmarks.pipeline import WARM_UP_CLAIMS, Cost, cost, submit
from benchmarks.rig import DISPATCHER, Database, Rig, gatekeepers

KINDS: Final[dict[str, tuple[NoticeKind, ...]]] = {
    "without": (),
    "filings": (NoticeKind.SETTLED,),
    "everything": tuple(NoticeKind),
}
WORKER: Final = ("-m", "ace", "worker", "webhooks")
RECEIVER_NICENESS: Final = 19
LEFT: Final = "SELECT EXISTS (SELECT FROM outbox) OR EXISTS (SELECT FROM deliveries WHERE state = 'pending')"
DELIVERED: Final = """
SELECT count(*) AS n, avg(CAST(done_at <= decided AS int)) AS meanwhile,
  extract(epoch FROM max(done_at) - decided) AS after,
  extract(epoch FROM max(done_at) - min(created_at)) AS seconds
FROM deliveries, (SELECT max(at) AS decided FROM events WHERE move = 'decide') e
WHERE state = 'delivered' GROUP BY decided"""
# Those since the webhook's first.
WANTED: Final = """
SELECT count(*) FROM notices n JOIN webhooks w ON w.tenant = n.tenant AND n.kind = ANY(w.kinds)
WHERE number >= (SELECT min(number) FROM deliveries)"""
ACCEPTED: Final = b"HTTP/1.1 204 No Content\r\n\r\n"


class _Accepting(asyncio.Protocol):
    """Accepts whatever is sent, at little expense: it is not what is measured."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport: Any = transport
        self._came = b""

    def data_received(self, data: bytes) -> None:
        self._came += data
        while (body_at := self._came.find(b"\r\n\r\n") + 4) > 3:
            head = self._came[:body_at].lower()
            length = int(head.partition(b"content-length:")[2].partition(b"\r")[0])
            if len(self._came) < body_at + length:
                return
            self._came = self._came[body_at + length :]
            self._transport.write(ACCEPTED)


def _receive(port: Connection) -> None:
    async def serve() -> None:
        server = await asyncio.get_running_loop().create_server(_Accepting, "127.0.0.1", 0)
        port.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    os.nice(RECEIVER_NICENESS)
    asyncio.run(serve())


@contextmanager
def receiver() -> Iterator[str]:
    """The URL of a receiver in a process of its own."""
    spawning = multiprocessing.get_context("spawn")
    ours, theirs = spawning.Pipe()
    process = spawning.Process(target=_receive, args=(theirs,), daemon=True)
    process.start()
    try:
        yield f"http://127.0.0.1:{ours.recv()}/"
    finally:
        process.terminate()
        process.join()


def register(database: Database, url: str, kinds: tuple[NoticeKind, ...], tenant: str) -> None:
    """A webhook of the tenant whose claims are measured."""
    secret_id = uuid4()
    fingerprint = signing.fingerprint(
        signing.secret_of(database.environment["ACE_SECRET"].encode(), secret_id)
    )
    make = partial(webhooks.create, tenant=tenant, url=url, kinds=kinds, description="", actor="benchmark")
    made = transact(database.db, make)
    transact(
        database.db,
        partial(webhooks.add_secret, webhook_id=made, secret_id=secret_id, fingerprint=fingerprint),
    )


class Delivered(NamedTuple):
    """How the deliveries of a round went; the time counts from the last verdict."""

    meanwhile: float
    last_delivery_seconds: float
    deliveries_per_second: float


def round_of(rig: Rig, name: str, url: str, claims: int, workers: int) -> tuple[Cost, Delivered | None]:
    """What claims cost with one kind of webhook, and how the deliveries went."""
    database = rig.database(f"{name}_{uuid4().hex[:8]}")
    kinds = KINDS[name]
    environment = {
        **database.environment,
        "ACE_WEBHOOK_HTTP": "true",
        "ACE_WEBHOOK_NETWORKS": "127.0.0.0/8",
    }
    commands = {**gatekeepers(workers), "dispatcher": DISPATCHER, **({"webhooks": WORKER} if kinds else {})}
    with rig.running(environment, commands):
        rig.wait_for_workers(workers + bool(kinds))
        submit(database, WARM_UP_CLAIMS)
        rig.wait_drained(database)
        if kinds:
            register(database, url, kinds, _tenant(database))
        found = cost(rig, claims, lambda: submit(database, claims), lambda: rig.wait_drained(database))
        return found, _delivered(rig, database, claims) if kinds else None


def _tenant(database: Database) -> str:
    with database.db.connect() as connection:
        return str(connection.execute(text("SELECT tenant FROM filings LIMIT 1")).scalar_one())


def _delivered(rig: Rig, database: Database, claims: int) -> Delivered:
    """Waits until all is delivered."""
    rig.wait_until(lambda: not _left(database), seconds=900, what="the deliveries")
    with database.db.connect() as connection:
        row = connection.execute(text(DELIVERED)).one()
        wanted = connection.execute(text(WANTED)).scalar_one()
    if not claims // CLAIMS_PER_FILING <= wanted == row.n:
        raise AceError(f"{wanted} events were to be delivered, and {row.n} were")
    return Delivered(float(row.meanwhile), float(row.after), row.n / float(row.seconds))


def _left(database: Database) -> bool:
    with database.db.connect() as connection:
        return bool(connection.execute(text(LEFT)).scalar_one())


def main() -> None:
    """The command line."""
    parser = options_of(__doc__)
    parser.add_argument("--claims", type=int, default=40_000, help="claims in each round")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of each, which take turns")
    parser.add_argument("--workers", type=int, default=2, help="gatekeeper workers")
    options = parser.parse_args()
    claims = max(1, options.claims // CLAIMS_PER_FILING) * CLAIMS_PER_FILING
    rates: dict[str, list[float]] = defaultdict(list)
    figures: dict[str, float | str] = {"claims": claims, "rounds": options.rounds}
    began = time.monotonic()
    with Rig() as rig, receiver() as url:
        for number in range(options.rounds):
            for name in KINDS:
                say(f"{name}: {claims} claims, round {number + 1} ({time.monotonic() - began:.0f} s)")
                found, delivered = round_of(rig, name, url, claims, options.workers)
                rates[f"{name}_claims_per_second"].append(found.claims_per_second)
                rates[f"{name}_cpu_us_per_claim"].append(found.cpu_us_per_claim)
                for figure, value in delivered._asdict().items() if delivered is not None else ():
                    rates[f"{name}_{figure}"].append(value)
    figures |= {name: statistics.median(found) for name, found in rates.items()}
    for name in ("filings", "everything"):
        pairs = zip(rates[f"{name}_claims_per_second"], rates["without_claims_per_second"], strict=True)
        figures[f"ratio_{name}"] = statistics.median(ours / theirs for ours, theirs in pairs)
    tell(figures, as_json=options.json)


if __name__ == "__main__":
    main()
