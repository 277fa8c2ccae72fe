"""Celery on Redis, with what its documentation advises for tasks that must not be lost.

Late acknowledgement, prefetch 1, no results, child processes (its default, and faster here than its
threads); a pooled producer publishes, and the workers are spared the gossip.
"""

import os

from celery import Celery

from ace.workers.app import kombu_url
from benchmarks.peers import claims


def configured() -> Celery:
    """An application on the broker that the environment names."""
    app = Celery("peer", broker=kombu_url(os.environ["ACE_BROKER_URL"]))
    app.conf.update(
        task_acks_late=True,
        task_ignore_result=True,
        worker_prefetch_multiplier=1,
        task_default_queue="peer",
        worker_enable_remote_control=False,
    )
    return app


def worker_commands(module: str) -> list[tuple[str, ...]]:
    """Arguments of Python for each worker process of the application in `module`."""
    quiet = ("--without-gossip", "--without-mingle", "--without-heartbeat")
    common = (
        "-m",
        "celery",
        "-A",
        module,
        "worker",
        "-l",
        "ERROR",
        "-c",
        str(claims.TASKS_AT_A_TIME),
        *quiet,
    )
    return [(*common, "-n", f"peer-{number}@%h") for number in range(claims.PROCESSES)]
