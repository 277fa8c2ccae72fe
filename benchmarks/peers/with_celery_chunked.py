"""Celery with a task per chunk of claims: what somebody does who has seen that a task per claim is slow."""

from collections.abc import Iterable, Sequence
from typing import Final

from benchmarks.peers import claims
from benchmarks.peers.celery_app import configured, worker_commands

CHUNK_CLAIMS: Final = 200

app = configured()
db = claims.connect()

WORKERS: Final = worker_commands(__name__)


@app.task  # type: ignore[untyped-decorator]  # Celery has no types
def evaluate(ids: list[int]) -> None:
    """One chunk."""
    claims.decide_all(db, ids)


def prepare() -> None:
    """Celery needs nothing in the database but the claims."""
    claims.create(db)


def accept(batches: Iterable[Sequence[str]]) -> None:
    """Stores each batch, then publishes a task for each chunk of its claims."""
    with app.producer_pool.acquire(block=True) as producer:
        for texts in batches:
            ids = claims.insert(db, texts)
            for start in range(0, len(ids), CHUNK_CLAIMS):
                evaluate.apply_async((ids[start : start + CHUNK_CLAIMS],), producer=producer)
