"""The obvious design: one Celery task per claim, one SELECT and one UPDATE per task.

Configured as its documentation advises: acks_late, prefetch 1, no results, a pooled connection.
"""

import os

from celery import Celery
from sqlalchemy import create_engine, text

from ace.store.database import driver_url
from workers.app import kombu_url

app = Celery("naive", broker=kombu_url(os.environ.get("ACE_BROKER_URL", "memory://")))
app.conf.update(
    task_acks_late=True,
    task_ignore_result=True,
    worker_prefetch_multiplier=1,
    task_default_queue="naive",
    worker_enable_remote_control=False,
)
db = create_engine(driver_url(os.environ.get("ACE_DATABASE_URL", "postgresql://")), pool_size=8)

SCHEMA = "CREATE TABLE naive (id bigint PRIMARY KEY, text text NOT NULL, state text NOT NULL, verdict text)"


@app.task  # type: ignore[untyped-decorator]  # Celery has no types
def evaluate(id_: int) -> None:
    """Reads one claim, thinks nothing of it, and writes its verdict."""
    with db.begin() as connection:
        connection.execute(text("SELECT text FROM naive WHERE id = :id"), {"id": id_}).one()
        connection.execute(
            text("UPDATE naive SET state = 'decided', verdict = 'Pass' WHERE id = :id"), {"id": id_}
        )
