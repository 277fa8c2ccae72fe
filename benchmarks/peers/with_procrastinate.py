"""procrastinate, whose queue is PostgreSQL itself: coroutines, as its documentation recommends.

Jobs are deferred in batches, its documented way for many at once.
"""

import os
from collections.abc import Iterable, Sequence
from typing import Any, Final

import procrastinate
from psycopg_pool import AsyncConnectionPool

from benchmarks.peers import claims

URL: Final = os.environ["ACE_DATABASE_URL"]
app = procrastinate.App(connector=procrastinate.PsycopgConnector(conninfo=URL))
pool = AsyncConnectionPool(URL, min_size=1, max_size=claims.TASKS_AT_A_TIME, open=False)
db = claims.connect()

WORKERS: Final = [
    ("-m", "procrastinate", f"--app={__name__}.app", "worker", f"--concurrency={claims.TASKS_AT_A_TIME}")
] * claims.PROCESSES


@app.task
async def evaluate(id_: int) -> None:
    """One claim."""
    await pool.open()  # once; later calls find it open
    async with pool.connection() as connection:
        await connection.execute(f"{claims.SELECT}%s", (id_,))
        await connection.execute(f"{claims.UPDATE}%s", (id_,))


def prepare() -> None:
    """The claims, and procrastinate's own tables."""
    claims.create(db)
    with app.open():
        app.schema_manager.apply_schema()


def accept(batches: Iterable[Sequence[str]]) -> None:
    """Stores each batch, then defers a job for each of its claims in one statement."""
    with app.open():
        for texts in batches:
            jobs: list[dict[str, Any]] = [{"id_": id_} for id_ in claims.insert(db, texts)]
            evaluate.batch_defer(*jobs)
