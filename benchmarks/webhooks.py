"""What webhooks cost the fast path: throughput around a null model without any, with one for settled filings,
and with one for every event.

The receiver answers 204 at once, from a process of its own, and the webhook worker runs as `ace up` runs it:
at a lower priority. `ratio_…` is the throughput with webhooks to that without, as medians of rounds that take
turns; `…cpu_us_per_claim` is the processor time of all processes for a claim, PostgreSQL and Redis included,
and that of the receiver not. `delivered_per_second` is how fast deliveries go out, while verdicts are made
and after.
"""

import multiprocessing
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from typing import Any, Final
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
NICENESS: Final = 10


class _Accepting(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Nothing: each line would cost more than the request."""


def _receive(port: Connection) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Accepting)
    port.send(server.server_port)
    server.serve_forever()


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
    make = partial(webhooks.create, tenant=tenant, url=url, kinds=kinds, description="")
    made = transact(database.db, make)
    transact(
        database.db,
        partial(webhooks.add_secret, webhook_id=made, secret_id=secret_id, fingerprint=fingerprint),
    )


def round_of(rig: Rig, name: str, url: str, claims: int, workers: int) -> tuple[Cost, float | None]:
    """What claims cost with one kind of webhook, and how many deliveries went out in a second."""
    database = rig.database(f"{name}_{uuid4().hex[:8]}")
    kinds = KINDS[name]
    environment = {
        **database.environment,
        "ACE_WEBHOOK_HTTP": "true",
        "ACE_WEBHOOK_NETWORKS": "127.0.0.0/8",
    }
    with (
        rig.running(environment, {**gatekeepers(workers), "dispatcher": DISPATCHER}),
        rig.running(environment, {"webhooks": WORKER} if kinds else {}, niceness=NICENESS),
    ):
        rig.wait_for_workers(workers)
        submit(database, WARM_UP_CLAIMS)
        rig.wait_drained(database)
        if kinds:
            register(database, url, kinds, _tenant(database))
        found = cost(rig, claims, lambda: submit(database, claims), lambda: rig.wait_drained(database))
        return found, _delivered(rig, database, claims) if kinds else None


def _tenant(database: Database) -> str:
    with database.db.connect() as connection:
        return str(connection.execute(text("SELECT tenant FROM filings LIMIT 1")).scalar_one())


def _delivered(rig: Rig, database: Database, claims: int) -> float:
    """Waits until all is delivered."""

    def counted() -> Any:
        with database.db.connect() as connection:
            return connection.execute(
                text(
                    "SELECT count(*) FILTER (WHERE state <> 'delivered') AS left, count(*) AS n,"
                    " extract(epoch FROM max(done_at) - min(created_at)) AS seconds,"
                    " (SELECT count(*) FROM outbox) AS outbox FROM deliveries"
                )
            ).one()

    rig.wait_until(lambda: counted().left + counted().outbox == 0, seconds=900, what="the deliveries")
    row = counted()
    if row.n < claims // CLAIMS_PER_FILING:
        raise AceError(f"only {row.n} deliveries were made")
    return float(row.n) / float(row.seconds)


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
                if delivered is not None:
                    rates[f"{name}_delivered_per_second"].append(delivered)
    figures |= {name: statistics.median(found) for name, found in rates.items()}
    for name in ("filings", "everything"):
        pairs = zip(rates[f"{name}_claims_per_second"], rates["without_claims_per_second"], strict=True)
        figures[f"ratio_{name}"] = statistics.median(ours / theirs for ours, theirs in pairs)
    tell(figures, as_json=options.json)


if __name__ == "__main__":
    main()
