"""What metrics and traces cost the pipeline around a null model, which is where they weigh most.

Rounds without and with them take turns in one run: off, on, on, off. With them, the worker counts and times
every claim and is scraped each second; filings are stored one by one, each in a trace of its own, so that
every message links fifty of them; and all processes send their spans to a collector, which keeps nothing.

`cpu_ratio` is the processor time for a claim with signals, of all processes of ACE, PostgreSQL and Redis,
divided by that without; `throughput_ratio` is claims per second with signals, divided by those without. Both
are medians over pairs of rounds. Other work on the machine disturbs the clock more than processor time.
"""

import statistics
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Final
from unittest.mock import patch
from urllib.request import urlopen

from ace import flow, tracing
from ace.processes import free_port
from benchmarks.figures import options_of, say, tell
from benchmarks.filings import CLAIMS_PER_FILING, filing
from benchmarks.pipeline import WARM_UP_CLAIMS, Cost, cost
from benchmarks.rig import DISPATCHER, NULL_GATEKEEPER, Database, Rig

ORDER: Final = (False, True, True, False)
SCRAPE_SECONDS: Final = 1.0


class _Taking(BaseHTTPRequestHandler):
    """Takes whatever comes."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Nothing."""


def _collect(told: Connection) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Taking)
    told.send(server.server_port)
    server.serve_forever()


@contextmanager
def collector() -> Iterator[str]:
    """The URL of a collector in a process of its own, whose time does not count."""
    context = get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_collect, args=(there,), daemon=True)
    process.start()
    try:
        yield f"http://127.0.0.1:{here.recv()}/v1/traces"
    finally:
        process.kill()
        process.join()


@contextmanager
def scraped(port: str) -> Iterator[None]:
    """A scraper of one process."""
    over = threading.Event()

    def scrape() -> None:
        while not over.wait(SCRAPE_SECONDS):
            urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30).read()

    thread = threading.Thread(target=scrape)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def submit(database: Database, claims: int) -> None:
    """Stores `claims` claims, filing by filing."""
    for number in range(claims // CLAIMS_PER_FILING):
        flow.submit(database.db, [filing(number)], actor="bench")


def a_round(rig: Rig, database: Database, claims: int, signals: Mapping[str, str]) -> Cost:
    """What claims cost with processes that have these settings too."""
    worker = {**database.environment, **signals}
    dispatcher = {**worker, "ACE_METRICS_PORT": "0"}
    with (
        rig.running(worker, {"gatekeeper": NULL_GATEKEEPER}),
        rig.running(dispatcher, {"dispatcher": DISPATCHER}),
        ExitStack() as beside,
    ):
        rig.wait_for_workers(1)
        submit(database, WARM_UP_CLAIMS)
        rig.wait_drained(database)
        if "ACE_METRICS_PORT" in signals:  # it answers by now
            beside.enter_context(scraped(signals["ACE_METRICS_PORT"]))
        return cost(rig, claims, lambda: submit(database, claims), lambda: rig.wait_drained(database))


def main() -> None:
    """The command line."""
    parser = options_of(__doc__)
    parser.add_argument("--claims", type=int, default=20_000, help="claims of a round")
    parser.add_argument("--rounds", type=int, default=12, help="rounds, in fours")
    parser.add_argument("--share", type=float, default=1.0, help="share of the traces that is kept")
    options = parser.parse_args()
    found: dict[bool, list[Cost]] = {False: [], True: []}
    with Rig() as rig, collector() as url:
        database = rig.database("signals")
        tracing.install(url, part="bench", share=options.share)
        for number in range(options.rounds):
            on, began = ORDER[number % len(ORDER)], time.monotonic()
            settings = {
                "ACE_TRACES_URL": url,
                "ACE_TRACES_SHARE": str(options.share),
                "ACE_METRICS_PORT": str(free_port()),
            }
            if on:
                found[on].append(a_round(rig, database, options.claims, settings))
            else:
                with patch.object(tracing, "_spans", None):
                    found[on].append(a_round(rig, database, options.claims, {}))
            last = found[on][-1]
            say(
                f"{'with' if on else 'without'}: {last.claims_per_second:.0f} claims/s,"
                f" {last.cpu_us_per_claim:.1f} us/claim, {time.monotonic() - began:.0f} s"
            )
    pairs = list(zip(found[True], found[False], strict=True))
    tell(
        {
            "claims": options.claims,
            "rounds": options.rounds,
            "share": options.share,
            "cpu_us_per_claim": statistics.median(off.cpu_us_per_claim for _, off in pairs),
            "cpu_ratio": statistics.median(on.cpu_us_per_claim / off.cpu_us_per_claim for on, off in pairs),
            "throughput_ratio": statistics.median(
                on.claims_per_second / off.claims_per_second for on, off in pairs
            ),
        },
        as_json=options.json,
    )


if __name__ == "__main__":
    main()
