"""Celery with a task per claim: its documented, obvious way."""

from collections.abc import Iterable, Sequence
from typing import Final

from benchmarks.peers import claims
from benchmarks.peers.celery_app import configured, worker_commands

app = configured()
db = claims.connect()

WORKERS: Final = worker_commands(__name__)


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
