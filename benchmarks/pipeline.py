"""Throughput of the pipeline around a null model, beside other queues doing the same work, in one run.

The same work is: accept claims durably in batches of a thousand, take each to a worker, write its
verdict to PostgreSQL. For everyone the workers run and have done a small warm-up before the clock
starts; it starts with the first claim's arrival and stops when the last verdict is committed, so
accepting counts alike for all: `end_to_end_claims_per_second`, `<peer>_claims_per_second` and the
ratios. With everyone the claims come in while the workers work. Peers get one task per claim, but
`celery_chunked`, which gets one for 200 claims; our messages carry up to a thousand.

`…cpu_us_per_claim` is the processor time of all processes for a claim, which other work on the machine
disturbs less.

Of ours alone: `accepted_per_second` is what accepting does by itself, and `claims_per_second` how
fast the backlog that it left drains, from the first dispatch to the last verdict.
"""

import importlib
import os
import time
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from sqlalchemy import text

from ace import flow
from ace.errors import AceError
from benchmarks.figures import options_of, say, tell
from benchmarks.filings import CLAIMS_PER_FILING, FILINGS_PER_SUBMIT, batches, claim_set
from benchmarks.rig import DISPATCHER, Database, Rig, gatekeepers

# ratio is against the first; the others have ratios of their own.
PEERS: Final = {
    "celery": "ratio",
    "celery_chunked": "ratio_vs_celery_chunked",
    "dramatiq": "ratio_vs_dramatiq",
    "procrastinate": "ratio_vs_procrastinate",
}
WARM_UP_CLAIMS: Final = 1_000


def submit(database: Database, claims: int) -> None:
    """Accepts `claims` claims in batches, each durable when it is accepted."""
    for filings in batches(claims):
        flow.submit(database.db, filings, actor="bench")


def drain_backlog(rig: Rig, claims: int, workers: int) -> dict[str, float]:
    """Accepts a backlog, then lets the dispatcher loose on it."""
    database = rig.database("backlog")
    began = time.perf_counter()
    submit(database, claims)
    accepted = time.perf_counter() - began
    with rig.running(database.environment, gatekeepers(workers)):
        rig.wait_for_workers(workers)
        with rig.running(database.environment, {"dispatcher": DISPATCHER}):
            rig.wait_drained(database)
    with database.db.connect() as connection:
        seconds = connection.execute(
            text(
                "SELECT extract(epoch FROM max(at) FILTER (WHERE move = 'decide')"
                " - min(at) FILTER (WHERE move = 'dispatch')) FROM events"
            )
        ).scalar_one()
    return {"accepted_per_second": claims / accepted, "claims_per_second": claims / float(seconds)}


class Cost(NamedTuple):
    """What claims cost, from the first one's arrival to the last one's verdict."""

    claims_per_second: float
    cpu_us_per_claim: float  # of all processes together, PostgreSQL and Redis too


def cost(rig: Rig, claims: int, accept: Callable[[], object], wait: Callable[[], object]) -> Cost:
    """Runs `accept`, which brings `claims` claims in, and `wait`, which returns when all are decided."""
    began, used = time.perf_counter(), rig.cpu_seconds()
    accept()
    wait()
    return Cost(claims / (time.perf_counter() - began), 1e6 * (rig.cpu_seconds() - used) / claims)


def end_to_end(rig: Rig, database: Database, claims: int, workers: int) -> Cost:
    """What claims cost us, with every process running from the start."""
    before = decided(database)
    with rig.running(database.environment, {**gatekeepers(workers), "dispatcher": DISPATCHER}):
        rig.wait_for_workers(workers)
        submit(database, WARM_UP_CLAIMS)
        rig.wait_drained(database)
        found = cost(rig, claims, lambda: submit(database, claims), lambda: rig.wait_drained(database))
    newly = decided(database) - before
    if newly != claims + WARM_UP_CLAIMS:
        raise AceError(f"{claims + WARM_UP_CLAIMS} claims were accepted and {newly} decided")
    return found


def decided(database: Database) -> int:
    """Evaluations with a verdict, counted one by one."""
    with database.db.connect() as connection:
        return int(
            connection.execute(text("SELECT count(*) FROM evaluations WHERE state = 'decided'")).scalar_one()
        )


def peer(rig: Rig, name: str, claims: int) -> Cost:
    """What claims cost a peer, measured as `end_to_end` is."""
    database = rig.database(f"with_{name}")
    os.environ.update(database.environment)  # what modules of tasks read when they are imported
    tasks: Any = importlib.import_module(f"benchmarks.peers.with_{name}")
    undecided: Callable[[Any], bool] = importlib.import_module("benchmarks.peers.claims").undecided
    texts = [claim.text for claim in claim_set().claims] * FILINGS_PER_SUBMIT

    def batches_of(total: int) -> Iterator[list[str]]:
        for start in range(0, total, len(texts)):
            yield texts[: min(len(texts), total - start)]

    tasks.prepare()
    commands = {f"{name}-{number}": command for number, command in enumerate(tasks.WORKERS)}
    with rig.running(database.environment, commands):
        tasks.accept(batches_of(WARM_UP_CLAIMS))
        rig.wait_until(lambda: not undecided(tasks.db), seconds=120, what=f"{name}'s warm-up")
        return cost(
            rig,
            claims,
            lambda: tasks.accept(batches_of(claims)),
            lambda: rig.wait_until(lambda: not undecided(tasks.db), seconds=600, what=f"{name}'s backlog"),
        )


def main() -> None:
    """The command line."""
    parser = options_of(__doc__)
    parser.add_argument("--claims", type=int, default=100_000, help="claims through our pipeline")
    parser.add_argument("--peer-claims", type=int, default=10_000, help="claims through each peer")
    parser.add_argument("--peers", nargs="*", choices=PEERS, default=list(PEERS), help="which, in order")
    parser.add_argument("--workers", type=int, default=2, help="gatekeeper workers")
    options = parser.parse_args()
    claims = max(1, options.claims // CLAIMS_PER_FILING) * CLAIMS_PER_FILING
    figures: dict[str, float | str] = {"claims": claims, "peer_claims": options.peer_claims}
    with Rig() as rig:
        say(f"ours: a backlog of {claims} claims")
        figures |= drain_backlog(rig, claims, options.workers)
        say(f"ours: {claims} claims end to end")
        ours = end_to_end(rig, rig.database("end_to_end"), claims, options.workers)
        figures["end_to_end_claims_per_second"] = ours.claims_per_second
        figures["cpu_us_per_claim"] = ours.cpu_us_per_claim
        for name in options.peers:
            say(f"{name}: {options.peer_claims} claims")
            theirs = peer(rig, name, options.peer_claims)
            figures[f"{name}_claims_per_second"] = theirs.claims_per_second
            figures[f"{name}_cpu_us_per_claim"] = theirs.cpu_us_per_claim
            figures[PEERS[name]] = ours.claims_per_second / theirs.claims_per_second
    tell(figures, as_json=options.json)


if __name__ == "__main__":
    main()
