"""Throughput of the pipeline around a null model, beside the obvious design, in one run.

Both start with the whole backlog accepted and count until the last verdict is committed: ours from
the first dispatch, the naive one from the first publish. `accepted_per_second` is what `submit`
alone does with filings of twenty claims.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from sqlalchemy import Engine, text

from ace import flow
from ace.claims.model import Claim, ClaimSet
from ace.servers import Postgres, Redis, stop_process, wait_until
from ace.store import migrate
from ace.store.database import connect_engine
from ace.store.moves import NewFiling
from benchmarks import naive
from workers.app import kombu_url

CLAIMS_PER_FILING = 20
FILINGS_PER_SUBMIT = 50
# As long as real claims are on average (310 characters), and with as many ancestors (two).
INDEPENDENT = (
    "A fastener comprising a shank that extends along an axis, a head that is fixed to one end of the shank,"
    " and a washer that surrounds the shank, wherein the washer is made of a polymer, bears on the head, and"
    " has an inner rim that engages a groove of the shank so that the washer cannot fall off while the"
    " fastener is carried."
)
DEPENDENT = (
    "The fastener of claim {parent}, wherein the washer has {number} radial channels that open towards the"
    " shank, each of the channels being filled with a lubricant that is released when the washer is pressed"
    " against a workpiece, and wherein the head has a drive recess whose depth is at least {number} mm."
)


def parent(number: int) -> int:
    """Chains of up to three ancestors."""
    return 1 if number % 3 == 2 else number - 1


def filing(number: int) -> NewFiling:
    """A claim set of one independent claim and its dependent ones."""
    dependents = (
        Claim(n, DEPENDENT.format(parent=parent(n), number=n), (parent(n),))
        for n in range(2, CLAIMS_PER_FILING + 1)
    )
    claims = ClaimSet((Claim(1, INDEPENDENT), *dependents))
    return NewFiling("bench", f"B-{number}", claims, 5, {}, b"")


@contextmanager
def processes(environment: dict[str, str], *commands: list[str]) -> Iterator[None]:
    """Runs our commands beside the benchmark, and stops them."""
    started = [subprocess.Popen([sys.executable, *command], env=environment) for command in commands]
    try:
        yield
    finally:
        for process in started:
            process.terminate()
        for process in started:
            stop_process(process, seconds=30)


def undecided(db: Engine) -> bool:
    """Whether any evaluation is still on its way."""
    with db.connect() as connection:
        return bool(
            connection.execute(
                text("SELECT EXISTS (SELECT FROM evaluations WHERE state <> 'decided')")
            ).scalar()
        )


def run_ace(db: Engine, environment: dict[str, str], claims: int, workers: int) -> dict[str, float]:
    """Accepts a backlog, then lets the dispatcher loose on it."""
    filings = [filing(number) for number in range(claims // CLAIMS_PER_FILING)]
    began = time.perf_counter()
    for start in range(0, len(filings), FILINGS_PER_SUBMIT):
        flow.submit(db, filings[start : start + FILINGS_PER_SUBMIT], actor="bench")
    accepted = time.perf_counter() - began
    with processes(environment, *[["-m", "benchmarks.null"]] * workers):
        time.sleep(3)  # the workers connect; nothing is due for them yet
        with processes(environment, ["-m", "ace", "dispatch"]):
            wait_until(lambda: not undecided(db), seconds=600, what="the backlog")
    with db.connect() as connection:
        seconds = connection.execute(
            text(
                "SELECT extract(epoch FROM max(at) FILTER (WHERE move = 'decide')"
                " - min(at) FILTER (WHERE move = 'dispatch')) FROM events"
            )
        ).scalar_one()
    return {
        "claims": claims,
        "accepted_per_second": claims / accepted,
        "claims_per_second": claims / float(seconds),
        "end_to_end_claims_per_second": claims / (accepted + float(seconds)),
    }


def run_naive(db: Engine, environment: dict[str, str], claims: int) -> float:
    """Publishes a task per claim to waiting workers; claims a second until the last UPDATE."""
    with db.begin() as connection:
        connection.execute(text(naive.SCHEMA))
        connection.execute(
            text("INSERT INTO naive SELECT n, :words, 'queued' FROM generate_series(1, :claims) n"),
            {"words": INDEPENDENT, "claims": claims},
        )
    worker = ["-m", "celery", "-A", "benchmarks.naive", "worker", "-P", "threads", "-c", "4", "-l", "ERROR"]
    quiet = ["--without-gossip", "--without-mingle", "--without-heartbeat", "-Q", "naive"]
    naive.app.conf.broker_url = kombu_url(environment["ACE_BROKER_URL"])
    with processes(environment, [*worker, *quiet, "-n", "one@%h"], [*worker, *quiet, "-n", "two@%h"]):
        time.sleep(5)
        began = time.perf_counter()
        with naive.app.producer_pool.acquire(block=True) as producer:
            for id_ in range(1, claims + 1):
                naive.evaluate.apply_async((id_,), producer=producer)

        def done() -> bool:
            with db.connect() as connection:
                return not connection.execute(
                    text("SELECT EXISTS (SELECT FROM naive WHERE state = 'queued')")
                ).scalar()

        wait_until(done, seconds=600, what="the naive backlog")
        return claims / (time.perf_counter() - began)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claims", type=int, default=100_000, help="claims through our pipeline")
    parser.add_argument("--naive-claims", type=int, default=5_000, help="claims through the obvious design")
    parser.add_argument("--workers", type=int, default=2, help="gatekeeper workers")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ace-bench-")))
        postgres = stack.enter_context(Postgres(folder / "postgres"))
        redis = stack.enter_context(Redis(folder / "redis"))
        environment = {**os.environ, "ACE_DATABASE_URL": postgres.url, "ACE_BROKER_URL": redis.url}
        migrate.upgrade(postgres.url)
        db = connect_engine(postgres.url, name="bench")
        stack.callback(db.dispose)
        figures = run_ace(db, environment, options.claims, options.workers)
        figures["naive_claims_per_second"] = run_naive(db, environment, options.naive_claims)
        figures["ratio"] = figures["claims_per_second"] / figures["naive_claims_per_second"]
    rounded = {name: round(value, 1) for name, value in figures.items()}
    print(json.dumps(rounded) if options.json else "\n".join(f"{k:32}{v:>12}" for k, v in rounded.items()))


if __name__ == "__main__":
    main()
