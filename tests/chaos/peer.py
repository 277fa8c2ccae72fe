"""Plain Celery on Redis under the same kills: as many workers, killed at the same seconds of its run."""

import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, Final

import redis
from sqlalchemy import Engine, text

from ace.local.servers import Postgres, Redis
from ace.processes import die_with_parent
from ace.store.database import connect_engine
from ace.workers.app import kombu_url
from tests.chaos import plain
from tests.chaos.plan import Agenda, plan
from tests.chaos.run import Options

LOT: Final = 50  # claims accepted at a time
CALM_SECONDS: Final = 4 * plain.VISIBILITY_SECONDS  # after so long without a move, nothing moves any more
WORKER: Final = (
    *("celery", "-A", "tests.chaos.plain", "worker", "--pool", "prefork", "--concurrency", "2"),
    *("--loglevel", "ERROR", "--without-gossip", "--without-mingle", "--without-heartbeat"),
)
FILE: Final = "INSERT INTO plain (id, text) SELECT id, 'A claim.' FROM unnest(CAST(:ids AS bigint[])) AS id"
COUNTS: Final = """
SELECT count(*) AS accepted, count(*) FILTER (WHERE state = 'queued') AS lost,
  count(*) FILTER (WHERE executions > 1) AS double, coalesce(sum(executions), 0) AS executions
FROM plain"""


def run(options: Options) -> dict[str, Any]:
    """What Celery lost and did twice; `ok` is always true, since nobody promised anything."""
    with ExitStack() as stack:
        made = tempfile.TemporaryDirectory(prefix="ace-peer-", ignore_cleanup_errors=True)
        folder = Path(stack.enter_context(made))
        postgres = stack.enter_context(Postgres(folder / "postgres"))
        url = stack.enter_context(Redis(folder / "redis")).operator_url  # plain Celery needs scripts
        db = connect_engine(postgres.url, name="chaos", pool=2)
        stack.callback(db.dispose)
        with db.begin() as connection:
            connection.execute(text(plain.SCHEMA))
        crew = Crew(options.workers, folder, {"ACE_DATABASE_URL": postgres.url, "ACE_BROKER_URL": url})
        stack.callback(crew.stop)
        return _trial(options, crew, db, redis.Redis.from_url(url), url)


def _trial(
    options: Options, crew: "Crew", db: Engine, broker: "redis.Redis", broker_url: str
) -> dict[str, Any]:
    rng = random.Random(options.seed)
    planned = plan(options.profile, kills=options.kills, seconds=options.seconds, rng=rng)
    kills = [second for second, fault in planned if fault == "kill_worker"]
    crew.start()
    agenda = Agenda()
    for second in kills:
        agenda.at(second, crew.kill)
    load = threading.Thread(target=_file, args=(options, db, broker_url))
    load.start()
    agenda.run(lambda: crew.killed == len(kills) and not load.is_alive(), seconds=4 * options.seconds + 60)
    load.join()
    _calm(db, broker, seconds=options.drain_seconds)
    with db.connect() as connection:
        counts = connection.execute(text(COUNTS)).mappings().one()
    return {
        "seed": options.seed,
        "claims": options.claims,
        **{name: int(count) for name, count in counts.items()},
        "queue_left": _queued(broker),
        "kills": crew.killed,
        "seconds": round(agenda.now, 1),
        "ok": True,
    }


def _file(options: Options, db: Engine, broker_url: str) -> None:
    """Accepts claims as evenly as the clients of ACE file them: a row, and then its task."""
    plain.app.conf.broker_url = kombu_url(broker_url)
    began = time.monotonic()
    with plain.app.producer_pool.acquire(block=True) as producer:
        for first in range(1, options.claims + 1, LOT):
            due = began + options.seconds * first / options.claims
            time.sleep(max(0.0, due - time.monotonic()))
            ids = list(range(first, min(first + LOT, options.claims + 1)))
            with db.begin() as connection:
                connection.execute(text(FILE), {"ids": ids})
            for id_ in ids:
                plain.evaluate.apply_async((id_, options.think_seconds), producer=producer)


def _calm(db: Engine, broker: "redis.Redis", *, seconds: float) -> None:
    """Waits until queue and unacknowledged are empty, or until nothing has moved for long."""
    deadline = time.monotonic() + seconds
    before, moved = None, time.monotonic()
    while time.monotonic() < min(deadline, moved + CALM_SECONDS):
        with db.connect() as connection:
            counts = connection.execute(text(COUNTS)).one()
        queued = _queued(broker)
        if queued == counts.lost == 0:
            return
        if (counts, queued) != before:
            before, moved = (counts, queued), time.monotonic()
        time.sleep(0.5)


def _queued(broker: "redis.Redis") -> int:
    return int(broker.llen(plain.QUEUE)) + int(broker.hlen("unacked"))


class Crew:
    """Celery workers, each a process group, started again when they are killed."""

    def __init__(self, size: int, folder: Path, environment: dict[str, str]) -> None:
        self._size = size
        self._folder = folder
        self._environment = {**os.environ, **environment}
        self._processes: list[subprocess.Popen[bytes]] = []  # the oldest first
        self._started = 0
        self.killed = 0

    def start(self) -> None:
        """Starts all of them."""
        for _ in range(self._size):
            self._start()

    def kill(self) -> None:
        """SIGKILL to the worker that has been at work for longest, and its children; a new one starts."""
        victim = self._processes.pop(0)
        os.killpg(victim.pid, signal.SIGKILL)
        victim.wait()
        self.killed += 1
        print(f"celery: kill {self.killed}", file=sys.stderr, flush=True)
        self._start()

    def _start(self) -> None:
        self._started += 1
        with (self._folder / "workers.log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", *WORKER, "-n", f"worker-{self._started}@%h"],
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=partial(die_with_parent, signal.SIGKILL),
                start_new_session=True,
            )
        self._processes.append(process)

    def stop(self) -> None:
        """Ends all of them, for good."""
        for process in self._processes:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
