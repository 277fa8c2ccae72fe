"""Celery on Redis, with what its documentation advises for tasks that must not be lost.

Late acknowledgement, prefetch 1, no results, child processes (its default, and faster here than its
threads); a pooled producer publishes, and the workers are spared the gossip.
"""

import os
from collections.abc import Iterable, Sequence
from typing import Final

from celery import Celery

from benchmarks.peers import claims
from workers.app import kombu_url

app = Celery("peer", broker=kombu_url(os.environ["ACE_BROKER_URL"]))
app.conf.update(
    task_acks_late=True,
    task_ignore_result=True,
    worker_prefetch_multiplier=1,
    task_default_queue="peer",
    worker_enable_remote_control=False,
)
db = claims.connect()

_WORKER: Final = ("-m", "celery", "-A", __name__, "worker", "-l", "ERROR")
_QUIET: Final = ("--without-gossip", "--without-mingle", "--without-heartbeat")
WORKERS: Final = [
    (*_WORKER, "-c", str(claims.TASKS_AT_A_TIME), *_QUIET, "-n", f"peer-{number}@%h")
    for number in range(claims.PROCESSES)
]


@app.task  # type: ignore[untyped-decorator]  # Celery has no types
def evaluate(id_: int) -> None:
    """One claim."""
    claims.decide(db, id_)


def prepare() -> None:
    """Celery needs nothing in the database but the claims."""
    claims.create(db)


def accept(batches: Iterable[Sequence[str]]) -> None:
    """Stores each batch, then publishes a task for each of its claims."""
    with app.producer_pool.acquire(block=True) as producer:
        for texts in batches:
            for id_ in claims.insert(db, texts):
                evaluate.apply_async((id_,), producer=producer)
