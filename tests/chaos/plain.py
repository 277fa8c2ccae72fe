"""The peer: one Celery task per claim, made as safe as Celery's documentation tells how.

Late acknowledgement, rejection where a worker is lost, one message prefetched for each process, a
short visibility timeout. The verdict is a row in Postgres, as ours is, and counts how often it was given.
"""

import os
import time

from celery import Celery
from sqlalchemy import create_engine, text

from ace.store.database import driver_url
from ace.workers.app import kombu_url

QUEUE = "plain"
VISIBILITY_SECONDS = 5
SCHEMA = """
CREATE TABLE plain (
  id bigint PRIMARY KEY, text text NOT NULL, state text NOT NULL DEFAULT 'queued',
  verdict text, executions integer NOT NULL DEFAULT 0)"""

app = Celery("plain", broker=kombu_url(os.environ.get("ACE_BROKER_URL", "memory://")))
app.conf.update(
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_ignore_result=True,
    task_default_queue=QUEUE,
    worker_prefetch_multiplier=1,
    worker_enable_remote_control=False,
    broker_connection_retry_on_startup=True,
    broker_transport_options={
        "visibility_timeout": VISIBILITY_SECONDS,
        "unacked_restore_interval": 1,
        "unacked_restore_throttle": 1,
    },
)
db = create_engine(driver_url(os.environ.get("ACE_DATABASE_URL", "postgresql://")))


@app.task  # type: ignore[untyped-decorator]  # Celery has no types
def evaluate(id_: int, think_seconds: float) -> None:
    """Reads one claim, thinks as long as the pretending gatekeeper does, and writes its verdict."""
    with db.connect() as connection:
        connection.execute(text("SELECT text FROM plain WHERE id = :id"), {"id": id_}).one()
    time.sleep(think_seconds)
    with db.begin() as connection:
        connection.execute(
            text(
                "UPDATE plain SET state = 'decided', verdict = 'Pass', executions = executions + 1"
                " WHERE id = :id"
            ),
            {"id": id_},
        )
