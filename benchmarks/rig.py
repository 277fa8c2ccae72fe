"""What a benchmark runs on: a PostgreSQL and a Redis of its own, and watched processes beside it.

A process that dies by itself ends the benchmark at once: a figure of a broken run is worth nothing.
"""

import contextlib
import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, Self
from urllib.request import urlopen

import psutil
import psycopg
import redis
from sqlalchemy import Engine, text

from ace.errors import AceError
from ace.local.servers import Postgres, Redis
from ace.local.stack import Stack
from ace.processes import die_with_parent, free_port, stop_process, wait_until
from ace.store import keys, migrate
from ace.store.database import connect_engine

NULL_GATEKEEPER: Final = ("-m", "benchmarks.null")
DISPATCHER: Final = ("-m", "ace", "dispatch")
EXPERT_WORKER: Final = ("-m", "ace", "worker", "slow")
GATEKEEPER: Final = ("-m", "ace", "worker", "fast")
START_SECONDS: Final = 240  # on a busy machine
STOP_SECONDS: Final = 30
LAST_WORDS: Final = 2_000  # characters of a dead process's log that are shown


class Died(AceError):
    """A process of the run died by itself."""


@dataclass(frozen=True, slots=True)
class Database:
    """One migrated database and the environment of processes that work on it."""

    url: str
    db: Engine
    environment: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Api:
    """An `ace serve` process, and a key for each tenant that was asked for."""

    port: int
    keys: Mapping[str, str]


class Rig:
    """Servers in a temporary folder, and the processes that run now."""

    def __init__(self) -> None:
        self._exits = contextlib.ExitStack()
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> Self:
        try:
            self.folder = Path(
                self._exits.enter_context(
                    tempfile.TemporaryDirectory(prefix="ace-bench-", ignore_cleanup_errors=True)
                )
            )
            self.postgres = self._exits.enter_context(Postgres(self.folder / "postgres"))
            self._redis = self._exits.enter_context(Redis(self.folder / "redis"))
            self.redis = redis.Redis.from_url(self._redis.operator_url)
            self._exits.callback(self.redis.close)
        except BaseException:
            self._exits.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._exits.close()

    def database(self, name: str, *, template: str = "template0") -> Database:
        """A new database with the newest schema, or a copy of another one that nobody uses now."""
        with psycopg.connect(self.postgres.url, autocommit=True) as admin:
            admin.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
            admin.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        url = self.postgres.url.replace("/postgres?", f"/{name}?")
        migrate.upgrade(url)
        db = connect_engine(url, name="bench")
        self._exits.callback(db.dispose)
        own = {name: value for name, value in os.environ.items() if not name.startswith("ACE_")}
        ours = {
            "ACE_DATABASE_URL": url,
            "ACE_BROKER_URL": self._redis.operator_url,
            "ACE_SECRET": secrets.token_urlsafe(32),
            "ACE_LOG_LEVEL": "warning",
        }
        return Database(url, db, {**own, **ours})

    @contextlib.contextmanager
    def running(
        self, environment: Mapping[str, str], commands: Mapping[str, Sequence[str]], *, niceness: int = 0
    ) -> Iterator[None]:
        """Runs Python with these arguments, by name, until the block is left."""
        try:
            for name, arguments in commands.items():
                self.start(name, arguments, environment, niceness=niceness)
            yield
            self.check()
        finally:
            stopping = [self._running.pop(name) for name in commands if name in self._running]
            for process in stopping:
                process.terminate()
            for process in stopping:
                stop_process(process, seconds=STOP_SECONDS)

    def start(
        self, name: str, arguments: Sequence[str], environment: Mapping[str, str], *, niceness: int = 0
    ) -> None:
        """Starts one watched process."""
        with (self.folder / f"{name}.log").open("ab") as log:
            self._running[name] = subprocess.Popen(
                [sys.executable, *arguments],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=partial(_begin, niceness),
            )

    def stop(self, name: str) -> float:
        """SIGTERM to one process; how many seconds it took to leave. Raises `Died` for a bad end."""
        process = self._running.pop(name)
        began = time.perf_counter()
        process.terminate()
        try:
            status = process.wait(2 * STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            raise Died(f"{name} did not stop within {2 * STOP_SECONDS} s") from None
        if status:
            raise Died(f"{name} stopped with status {status}: {self._last_words(name)}")
        return time.perf_counter() - began

    def pids(self) -> dict[str, int]:
        """The processes that run now, and the two servers."""
        servers = {"postgres": self.postgres.process, "redis": self._redis.process}
        everything = {**self._running, **{name: process for name, process in servers.items() if process}}
        return {name: process.pid for name, process in everything.items()}

    def cpu_seconds(self) -> float:
        """Processor time that this process, the servers and all that runs have used so far.

        Less noisy than the clock where the machine has other things to do.
        """
        used = time.process_time()
        for pid in self.pids().values():
            process = psutil.Process(pid)
            for one in (process, *process.children(recursive=True)):
                with contextlib.suppress(psutil.NoSuchProcess):
                    used += sum(one.cpu_times()[:4])  # its own, and of children that have ended
        return used

    def check(self) -> None:
        """Raises `Died` where a process of the run has ended by itself."""
        for name, process in self._running.items():
            if process.poll() is not None:
                raise Died(f"{name} died with status {process.returncode}: {self._last_words(name)}")

    def _last_words(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text(errors="replace")[-LAST_WORDS:] or "without a word"

    def wait_until(
        self,
        ready: Callable[[], bool],
        *,
        seconds: float,
        what: str,
        watch: Callable[[], object] = lambda: None,
    ) -> None:
        """Returns once `ready()`, calling `watch` all the while.

        Raises `AceError` after `seconds`, and `Died` where a process is gone.
        """

        def watched() -> bool:
            self.check()
            watch()
            if ready():
                return True
            time.sleep(0.03)  # asking more often would take time from what is measured
            return False

        wait_until(watched, seconds=seconds, what=what)

    def wait_for_workers(self, count: int) -> None:
        """Returns once so many workers wait for messages."""
        self.wait_until(
            lambda: self.redis.info("clients")["blocked_clients"] >= count,
            seconds=START_SECONDS,
            what="the workers",
        )

    def wait_drained(
        self, database: Database, *, seconds: float = 600, watch: Callable[[], object] = lambda: None
    ) -> None:
        """Returns once nothing in the database waits or is held; by indexes, as it is asked often."""
        self.wait_until(lambda: drained(database.db), seconds=seconds, what="the backlog", watch=watch)

    @contextlib.contextmanager
    def api(self, database: Database, *tenants: str, name: str = "api") -> Iterator[Api]:
        """The HTTP API on a port of loopback, with a key for each tenant."""
        port = free_port()
        with database.db.begin() as connection:
            made = {tenant: keys.create(connection, tenant, "bench")[1] for tenant in tenants}
        environment = {**database.environment, "ACE_PORT": str(port)}
        with self.running(environment, {name: ("-m", "ace", "serve")}):
            self.wait_until(lambda: _answers(port), seconds=60, what="the API")
            yield Api(port, made)


def resident_mb(pid: int) -> float:
    """Resident memory of a process with its children, in megabytes."""
    process = psutil.Process(pid)
    return sum(float(one.memory_info().rss) for one in (process, *process.children())) / 1e6


def undisturbed(stack: Stack) -> None:
    """Raises `Died` where a process of the stack has died, though it was started again since."""
    if died := [child.name for child in stack.children if child.deaths]:
        raise Died(f"{', '.join(died)} died and was started again")


def _begin(niceness: int) -> None:
    """In a child between fork and exec."""
    die_with_parent()
    os.nice(niceness)


def gatekeepers(workers: int) -> dict[str, Sequence[str]]:
    """Commands of null gatekeeper workers, by name."""
    return {f"gatekeeper-{number}": NULL_GATEKEEPER for number in range(workers)}


def drained(db: Engine) -> bool:
    """Whether no claim waits and none is held."""
    with db.connect() as connection:
        return not connection.execute(
            text("""
            SELECT EXISTS (SELECT FROM evaluations WHERE state = 'queued')
                OR EXISTS (SELECT FROM evaluations WHERE state = 'escalated')
                OR EXISTS (SELECT FROM leases WHERE stage <> 'webhooks')""")
        ).scalar_one()


def _answers(port: int) -> bool:
    with contextlib.suppress(OSError), urlopen(f"http://127.0.0.1:{port}/readyz", timeout=2) as answer:
        return bool(answer.status == 200)
    return False
