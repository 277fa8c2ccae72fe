"""dramatiq on Redis, as its guide shows it: one actor, its own middleware, its own command line."""

import os
from collections.abc import Iterable, Sequence
from typing import Final

import dramatiq
from dramatiq.brokers.redis import RedisBroker

from benchmarks.peers import claims

broker = RedisBroker(url=os.environ["ACE_BROKER_URL"])  # type: ignore[no-untyped-call]  # it has no types
dramatiq.set_broker(broker)
db = claims.connect()

_COMMAND: Final = ("-m", "dramatiq", __name__, "--skip-logging")
WORKERS: Final = [(*_COMMAND, "--processes", str(claims.PROCESSES), "--threads", str(claims.TASKS_AT_A_TIME))]


@dramatiq.actor
def evaluate(id_: int) -> None:
    """One claim."""
    claims.decide(db, id_)


def prepare() -> None:
    """dramatiq needs nothing in the database but the claims."""
    claims.create(db)


def accept(batches: Iterable[Sequence[str]]) -> None:
    """Stores each batch, then sends a message for each of its claims."""
    for texts in batches:
        for id_ in claims.insert(db, texts):
            evaluate.send(id_)
